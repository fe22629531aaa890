//! The HTTP clients of one service, without automatic redirects and retries: which certificates they trust, how they
//! look up names, and the header with the credential.

use std::collections::HashMap;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::HeaderValue;
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use secrecy::{ExposeSecret, SecretString};
use url::Url;
use zeroize::Zeroizing;

use super::answer::ServiceApi;
use super::fault;
use crate::code::Code;
use crate::file::{self, FileError};
use crate::schema::value::{BearerToken, CaFile, is_localhost, is_loopback};
use crate::shorthand::lock;
use crate::source::Problem;
use crate::upload::settings::Settings;

/// The configuration of a client, derived from the address of the request. The service may name another host than its
/// own for the bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct ClientKind {
    local: bool,
    https: bool,
    /// Connections are kept for the next request.
    reuse: bool,
}

/// The HTTP clients of one service, each created when it is first needed.
pub struct Clients {
    settings: Settings,
    cache: Mutex<HashMap<ClientKind, reqwest::Client>>,
    /// A kept connection had ended, or had an answer for another request.
    stale: AtomicBool,
    /// The certificates of `ca_file`, which is read once.
    certificates: OnceLock<Vec<reqwest::Certificate>>,
}

impl Clients {
    pub fn new(settings: &Settings) -> Self {
        Self {
            settings: settings.clone(),
            cache: Mutex::default(),
            stale: AtomicBool::new(false),
            certificates: OnceLock::new(),
        }
    }

    /// Returns `true` if connections are reused.
    pub fn reuses(&self) -> bool {
        self.settings.keep_connections && !self.stale.load(Ordering::Relaxed)
    }

    /// Stops reusing connections.
    pub fn stop_reusing(&self) {
        self.stale.store(true, Ordering::Relaxed);
    }

    /// Returns the client for an address.
    pub fn for_url(&self, url: &Url, reuse: bool) -> Result<reqwest::Client, Problem> {
        let reuse = reuse && self.reuses();
        let kind = ClientKind { local: is_loopback(url), https: url.scheme() == "https", reuse };
        let mut cache = lock(&self.cache);
        if let Some(client) = cache.get(&kind) {
            return Ok(client.clone());
        }
        let client = self.create(kind)?;
        cache.insert(kind, client.clone());
        Ok(client)
    }

    fn create(&self, kind: ClientKind) -> Result<reqwest::Client, Problem> {
        let settings = &self.settings;
        let longest = settings.stall_timeout.max(settings.answer_timeout).saturating_add(Duration::from_secs(30));
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("credlint/", env!("CARGO_PKG_VERSION")))
            // A redirect would turn the upload into a GET whose success means nothing, or send the file to another
            // host.
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .connect_timeout(settings.connect_timeout)
            .dns_resolver(resolver(settings.connect_timeout));
        builder = if kind.reuse {
            // Most services keep a connection for longer.
            builder.pool_idle_timeout(Duration::from_secs(1))
        } else {
            builder.pool_max_idle_per_host(0)
        };
        #[cfg(any(target_os = "linux", target_os = "android"))]
        {
            // The system's timeout must not fire before ours, which knows how much was sent.
            builder = builder.tcp_user_timeout(longest);
        }
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        let _ = longest;
        if kind.local {
            // Port 0 stands for the port of the address.
            let local = [SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), SocketAddr::from((Ipv6Addr::LOCALHOST, 0))];
            builder = builder.no_proxy().resolve_to_addrs("localhost", &local);
        }
        builder = match (&settings.ca_file, kind.https) {
            // Without this the client can't be built on a machine without CA certificates.
            (_, false) => builder.tls_certs_only([]),
            (Some(_), true) => builder.tls_certs_merge(self.certificates()?.clone()),
            (None, true) => builder,
        };
        choose_cryptography();
        builder.build().map_err(|error| fault::setup_error(&error))
    }

    fn certificates(&self) -> Result<&Vec<reqwest::Certificate>, Problem> {
        if let (None, Some(file)) = (self.certificates.get(), &self.settings.ca_file) {
            // If another thread was first, it has read the same file.
            let _ = self.certificates.set(read_certificates(file)?);
        }
        Ok(self.certificates.get_or_init(Vec::new))
    }
}

/// Chooses the library for TLS, unless the program around this library has chosen one.
fn choose_cryptography() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// The size limit. A bundle of all public authorities is a quarter of it.
const LIMIT: u64 = 1024 * 1024;

/// Reads all certificates of a file. An unusable certificate is an error: if it were skipped, the TLS failure that
/// follows would be hard to explain.
fn read_certificates(path: &CaFile) -> Result<Vec<reqwest::Certificate>, Problem> {
    let shown = path.shown();
    let flawed = |flaw: &str| {
        Problem::new(Code::CaFile, format!("the file of `ca_file`, {shown}, {flaw}"))
            .help("use a PEM file, in which each certificate begins with -----BEGIN CERTIFICATE-----")
    };
    let text = match file::read_text(path.path(), LIMIT) {
        Ok((text, _)) => text,
        Err(FileError::NotUtf8(_)) => return Err(flawed("is not PEM")),
        Err(error) => {
            let message = format!("the file of `ca_file`, {shown}, can't be read: {error}");
            return Err(Problem::new(Code::CaFile, message).help("check the path in `ca_file` and its permissions"));
        }
    };
    let mut certificates = Vec::new();
    for found in CertificateDer::pem_slice_iter(text.as_bytes()) {
        let certificate = found.map_err(|_| flawed("is not PEM"))?;
        let usable = RootCertStore::empty().add(certificate.clone()).is_ok();
        let certificate = reqwest::Certificate::from_der(&certificate).ok().filter(|_| usable);
        certificates.push(certificate.ok_or_else(|| flawed("contains a damaged certificate"))?);
    }
    if certificates.is_empty() {
        return Err(flawed("contains no certificate"));
    }
    Ok(certificates)
}

/// A resolver that calls a function.
struct AddressResolver<F> {
    lookup: F,
    limit: Duration,
}

/// Returns a resolver that asks the system, as the HTTP client does by default. `limit` is the timeout of the whole
/// connection.
pub fn resolver(limit: Duration) -> Arc<dyn Resolve> {
    let lookup = |name: String| async move { Ok(tokio::net::lookup_host((name, 0)).await?.collect()) };
    Arc::new(AddressResolver { lookup, limit: limit * 9 / 10 })
}

impl<F, T> Resolve for AddressResolver<F>
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

/// The credential that a service receives.
#[derive(Clone, Copy)]
pub enum Credential<'a> {
    /// A token, for the messaging service.
    Token(&'a BearerToken),
    /// The ID and the key of a pair, for the storage service.
    Pair(&'a SecretString, &'a SecretString),
}

impl<'a> Credential<'a> {
    pub const fn dialect(self) -> ServiceApi {
        match self {
            Self::Token(_) => ServiceApi::Messaging,
            Self::Pair(..) => ServiceApi::Storage,
        }
    }

    /// Returns its secret part.
    pub const fn secret(self) -> &'a SecretString {
        match self {
            Self::Token(token) => token.secret(),
            Self::Pair(_, key) => key,
        }
    }

    /// Builds the `Authorization` header, one of the places where a secret is read from the vault. In basic
    /// authentication, the ID must not contain a colon, because it ends at the first one.
    ///
    /// Source: RFC 7617, section 2.
    #[expect(clippy::disallowed_methods, reason = "builds the Authorization header")]
    pub fn header(self) -> Result<HeaderValue, Problem> {
        let unfit = |message: &str| Problem::new(Code::ClientSetup, message);
        let (scheme, words, what) = match self {
            Self::Token(token) => ("Bearer ", Zeroizing::new(token.secret().expose_secret().to_owned()), "token"),
            Self::Pair(id, key) => {
                let (id, key) = (id.expose_secret(), key.expose_secret());
                if id.contains(':') {
                    return Err(unfit("the ID contains a colon, so it can't be sent in an Authorization header"));
                }
                let mut pair = Zeroizing::new(String::with_capacity(id.len() + 1 + key.len()));
                pair.extend([id, ":", key]);
                ("Basic ", Zeroizing::new(STANDARD.encode(&*pair)), "key pair")
            }
        };
        let mut value = Zeroizing::new(String::with_capacity(scheme.len() + words.len()));
        value.extend([scheme, &words]);
        let refused = |_| unfit(&format!("the {what} can't be sent in an Authorization header"));
        let mut value = HeaderValue::from_str(&value).map_err(refused)?;
        value.set_sensitive(true);
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Code;
    use crate::upload::wire::fault;

    #[test]
    fn reports_hanging_name_lookup() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let resolver = AddressResolver { lookup: |_| std::future::pending(), limit: Duration::from_millis(50) };
        choose_cryptography();
        let client = reqwest::Client::builder()
            .tls_certs_only([])
            .no_proxy()
            .connect_timeout(Duration::from_secs(10))
            .dns_resolver(Arc::new(resolver))
            .build()
            .unwrap();
        let error = runtime.block_on(client.get("http://chat.example.com").send()).unwrap_err();
        let (retry, error) = fault::connect(&error, None, None);
        assert!(retry && error.code == Code::DnsFailed && error.message.contains("in time"), "{error}");
    }
}
