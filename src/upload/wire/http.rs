//! The HTTP client of one service, with what must not happen switched off.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use super::names::names;
use super::{certificates, fault};
use crate::schema::value::BaseUrl;
use crate::upload::error::UploadError;
use crate::upload::settings::Settings;

/// The HTTP client, with what must not happen switched off.
pub fn client(base: &BaseUrl, settings: &Settings) -> Result<reqwest::Client, UploadError> {
    let longest = settings.stall_timeout.max(settings.answer_timeout).saturating_add(Duration::from_secs(30));
    let mut builder = reqwest::Client::builder()
        .user_agent(concat!("credlint/", env!("CARGO_PKG_VERSION")))
        // A redirect would turn the upload into a GET whose success means nothing, or send the file elsewhere.
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .connect_timeout(settings.connect_timeout)
        .dns_resolver(names(settings.connect_timeout));
    builder = if settings.keep_connections {
        // A connection that is kept can be closed by the service in the moment it is used again, and then nobody
        // knows whether the file arrived. Right after an answer that is rare, and every second makes it likelier.
        builder.pool_idle_timeout(Duration::from_secs(1))
    } else {
        builder.pool_max_idle_per_host(0)
    };
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        // The system's own limit must not strike before ours, which knows what was sent.
        builder = builder.tcp_user_timeout(longest);
    }
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = longest;
    if base.is_loopback() {
        // Port 0 stands for the port of the address.
        let here = [SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), SocketAddr::from((Ipv6Addr::LOCALHOST, 0))];
        builder = builder.no_proxy().resolve_to_addrs("localhost", &here);
    }
    builder = match (&settings.ca_file, base.is_https()) {
        // Without this the client can't be built on a machine without CA certificates.
        (_, false) => builder.tls_certs_only([]),
        (Some(file), true) => builder.tls_certs_merge(certificates::read(file)?),
        (None, true) => builder,
    };
    builder.build().map_err(|error| fault::setup(&error))
}
