//! The HTTP clients of one service, with what must not happen switched off.

use std::collections::HashMap;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use url::Url;

use super::names::names;
use super::{certificates, fault};
use crate::schema::value::is_loopback;
use crate::upload::error::UploadError;
use crate::upload::settings::Settings;

/// Which connections a request may go over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Connections {
    /// One that was used before, if there is one.
    Kept,
    /// One of its own.
    Fresh,
}

/// What a client has to be like, which follows from the address of the request: the service may name another host for
/// the bytes than its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Kind {
    local: bool,
    https: bool,
    connections: Connections,
}

/// The HTTP clients of one service, each made when it is needed first.
pub struct Clients {
    settings: Settings,
    made: Mutex<HashMap<Kind, reqwest::Client>>,
    /// The service has closed a connection that it did not say it would close.
    closes: AtomicBool,
    /// Those of `ca_file`, which is read once.
    certificates: OnceLock<Vec<reqwest::Certificate>>,
}

impl Clients {
    pub fn new(settings: &Settings) -> Self {
        Self {
            settings: settings.clone(),
            made: Mutex::default(),
            closes: AtomicBool::new(false),
            certificates: OnceLock::new(),
        }
    }

    /// Whether a request may go over a connection that was used before.
    pub fn keeps(&self, connections: Connections) -> bool {
        let closes = self.closes.load(Ordering::Relaxed);
        self.settings.keep_connections && !closes && connections == Connections::Kept
    }

    /// Keeps none from now on: the next close may be on its way when the last bytes go.
    pub fn keep_none(&self) {
        self.closes.store(true, Ordering::Relaxed);
    }

    /// The client for an address.
    pub fn to(&self, url: &Url, connections: Connections) -> Result<reqwest::Client, UploadError> {
        let connections = if self.keeps(connections) { Connections::Kept } else { Connections::Fresh };
        let kind = Kind { local: is_loopback(url), https: url.scheme() == "https", connections };
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = made.get(&kind) {
            return Ok(client.clone());
        }
        let client = self.make(kind)?;
        made.insert(kind, client.clone());
        Ok(client)
    }

    fn make(&self, kind: Kind) -> Result<reqwest::Client, UploadError> {
        let settings = &self.settings;
        let longest = settings.stall_timeout.max(settings.answer_timeout).saturating_add(Duration::from_secs(30));
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("credlint/", env!("CARGO_PKG_VERSION")))
            // A redirect would turn the upload into a GET whose success means nothing, or send the file elsewhere.
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .connect_timeout(settings.connect_timeout)
            .dns_resolver(names(settings.connect_timeout));
        builder = match kind.connections {
            // A service may close a connection that is kept. What has not reached this machine when the last bytes go
            // can't be known; right after an answer that is rare, and every second makes it likelier.
            Connections::Kept => builder.pool_idle_timeout(Duration::from_secs(1)),
            Connections::Fresh => builder.pool_max_idle_per_host(0),
        };
        #[cfg(any(target_os = "linux", target_os = "android"))]
        {
            // The system's own limit must not strike before ours, which knows what was sent.
            builder = builder.tcp_user_timeout(longest);
        }
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        let _ = longest;
        if kind.local {
            // Port 0 stands for the port of the address.
            let here = [SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), SocketAddr::from((Ipv6Addr::LOCALHOST, 0))];
            builder = builder.no_proxy().resolve_to_addrs("localhost", &here);
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
            // Whoever comes first has read the same file.
            let _ = self.certificates.set(certificates::read(file)?);
        }
        Ok(self.certificates.get_or_init(Vec::new))
    }
}
