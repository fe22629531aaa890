//! Looks up names, within a time of its own: a look-up that hangs is told as one, and not as a service that does not answer.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::schema::value::is_localhost;

/// Looks up names by a function.
struct Names<F> {
    look_up: F,
    limit: Duration,
}

/// Asks the system, as the HTTP client does by itself. `limit` is that of the whole connection.
pub fn names(limit: Duration) -> Arc<dyn Resolve> {
    let look_up = |name: String| async move { Ok(tokio::net::lookup_host((name, 0)).await?.collect()) };
    Arc::new(Names { look_up, limit: limit * 9 / 10 })
}

impl<F, T> Resolve for Names<F>
where
    F: Fn(String) -> T + Send + Sync,
    T: Future<Output = io::Result<Vec<SocketAddr>>> + Send + 'static,
{
    fn resolve(&self, name: Name) -> Resolving {
        // What counts as this machine has to be this machine, whatever DNS says.
        if is_localhost(name.as_str()) {
            let own: [SocketAddr; 2] = [(Ipv4Addr::LOCALHOST, 0).into(), (Ipv6Addr::LOCALHOST, 0).into()];
            return Box::pin(async move { Ok(Box::new(own.into_iter()) as Addrs) });
        }
        let found = tokio::time::timeout(self.limit, (self.look_up)(name.as_str().to_owned()));
        Box::pin(async move {
            let found = found.await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))?;
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::fault;
    use super::super::proxy::Heard;
    use super::*;
    use crate::code::Code;

    #[test]
    fn a_look_up_that_hangs_is_told_as_one() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let names = Names { look_up: |_| std::future::pending(), limit: Duration::from_millis(50) };
        let client = reqwest::Client::builder()
            .tls_certs_only([])
            .no_proxy()
            .connect_timeout(Duration::from_secs(10))
            .dns_resolver(Arc::new(names))
            .build()
            .unwrap();
        let error = runtime.block_on(client.get("http://chat.example.com").send()).unwrap_err();
        let (again, error) = fault::connect(&error, fault::Host::Service, None, Heard::Nothing);
        assert!(again && error.code == Code::DnsFailed && error.message.contains("in time"), "{error}");
    }
}
