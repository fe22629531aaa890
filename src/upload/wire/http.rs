//! The HTTP clients of one service, without redirects and retries of their own.

use std::collections::HashMap;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use url::Url;

use super::resolver::resolver;
use super::{certificates, fault};
use crate::schema::value::is_loopback;
use crate::upload::error::UploadError;
use crate::upload::settings::Settings;

/// The connections that a request may use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Connections {
    /// A kept connection, if there is one.
    Kept,
    /// The same, if it was used just now.
    Recent,
    /// A new connection.
    Fresh,
}

/// The configuration of a client, derived from the address of the request. The service may name another host than its
/// own for the bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Kind {
    local: bool,
    https: bool,
    connections: Connections,
}

/// The HTTP clients of one service, each created when it is first needed.
pub struct Clients {
    settings: Settings,
    cache: Mutex<HashMap<Kind, reqwest::Client>>,
    /// The service has closed a kept connection without announcing it.
    closes: AtomicBool,
    /// The certificates of `ca_file`, which is read once.
    certificates: OnceLock<Vec<reqwest::Certificate>>,
}

impl Clients {
    pub fn new(settings: &Settings) -> Self {
        Self {
            settings: settings.clone(),
            cache: Mutex::default(),
            closes: AtomicBool::new(false),
            certificates: OnceLock::new(),
        }
    }

    /// Returns `true` if a request may reuse a connection.
    pub fn reuses(&self, connections: Connections) -> bool {
        let closes = self.closes.load(Ordering::Relaxed);
        self.settings.keep_connections && !closes && connections != Connections::Fresh
    }

    /// Stops reusing connections: the next close may be under way when the last bytes are sent.
    pub fn stop_reusing(&self) {
        self.closes.store(true, Ordering::Relaxed);
    }

    /// Returns the client for an address.
    pub fn for_url(&self, url: &Url, connections: Connections) -> Result<reqwest::Client, UploadError> {
        let connections = if self.reuses(connections) { connections } else { Connections::Fresh };
        let kind = Kind { local: is_loopback(url), https: url.scheme() == "https", connections };
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = cache.get(&kind) {
            return Ok(client.clone());
        }
        let client = self.create(kind)?;
        cache.insert(kind, client.clone());
        Ok(client)
    }

    fn create(&self, kind: Kind) -> Result<reqwest::Client, UploadError> {
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
        builder = match kind.connections {
            // A service may close a kept connection, and a close that is still under way when the last bytes are sent
            // can't be detected. That is rare right after an answer, and every second makes it more likely.
            Connections::Kept => builder.pool_idle_timeout(Duration::from_secs(1)),
            // A small request leaves no time between its first bytes and its last, in which a close that is under way would
            // arrive, and some services close after 10 ms.
            Connections::Recent => builder.pool_idle_timeout(Duration::from_millis(5)),
            Connections::Fresh => builder.pool_max_idle_per_host(0),
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
        builder.build().map_err(|error| fault::setup(&error))
    }

    fn certificates(&self) -> Result<&Vec<reqwest::Certificate>, UploadError> {
        if let (None, Some(file)) = (self.certificates.get(), &self.settings.ca_file) {
            // If another thread was first, it has read the same file.
            let _ = self.certificates.set(certificates::read(file)?);
        }
        Ok(self.certificates.get_or_init(Vec::new))
    }
}
