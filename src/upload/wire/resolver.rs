//! Resolves names with a timeout of its own, so that a slow lookup is reported as such, not as a service that does not
//! answer.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::schema::value::is_localhost;

/// A resolver that calls a function.
struct Resolver<F> {
    lookup: F,
    limit: Duration,
}

/// Returns a resolver that asks the system, as the HTTP client does by default. `limit` is the timeout of the whole
/// connection.
pub fn resolver(limit: Duration) -> Arc<dyn Resolve> {
    let lookup = |name: String| async move { Ok(tokio::net::lookup_host((name, 0)).await?.collect()) };
    Arc::new(Resolver { lookup, limit: limit * 9 / 10 })
}

impl<F, T> Resolve for Resolver<F>
where
    F: Fn(String) -> T + Send + Sync,
    T: Future<Output = io::Result<Vec<SocketAddr>>> + Send + 'static,
{
    fn resolve(&self, name: Name) -> Resolving {
        // A name of this machine must resolve to this machine, whatever DNS says.
        if is_localhost(name.as_str()) {
            let own: [SocketAddr; 2] = [(Ipv4Addr::LOCALHOST, 0).into(), (Ipv6Addr::LOCALHOST, 0).into()];
            return Box::pin(async move { Ok(Box::new(own.into_iter()) as Addrs) });
        }
        let found = tokio::time::timeout(self.limit, (self.lookup)(name.as_str().to_owned()));
        Box::pin(async move {
            let found = found.await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))?;
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::fault;
    use super::super::proxy::ProxyAnswer;
    use super::*;
    use crate::code::Code;

    #[test]
    fn a_look_up_that_hangs_is_told_as_one() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let resolver = Resolver { lookup: |_| std::future::pending(), limit: Duration::from_millis(50) };
        let client = reqwest::Client::builder()
            .tls_certs_only([])
            .no_proxy()
            .connect_timeout(Duration::from_secs(10))
            .dns_resolver(Arc::new(resolver))
            .build()
            .unwrap();
        let error = runtime.block_on(client.get("http://chat.example.com").send()).unwrap_err();
        let (retry, error) = fault::connect(&error, fault::Host::Service, None, ProxyAnswer::Unknown);
        assert!(retry && error.code == Code::DnsFailed && error.message.contains("in time"), "{error}");
    }
}
