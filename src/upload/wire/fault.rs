//! Explains why a request failed, by a short table of causes. The messages are credlint's own, because those of the
//! libraries contain addresses. An error can name the proxy of a connection: the HTTP client reads the same variables in the
//! same way, and does the work.

use std::error::Error;
use std::io;

use hyper_util::client::proxy::matcher::Matcher;
use rustls::CertificateError as Certificate;
use url::Url;

use crate::code::Code;
use crate::schema::value::{BaseUrl, is_loopback};
use crate::secret::MASK;
use crate::source::Problem;
use crate::text;

/// Why no connection was made: the code, what it says about the other end, and what to do if that is the service.
#[derive(Clone, Copy)]
struct ConnectCause(Code, &'static str, &'static str);

// The causes, rows of `src/codes.toml`.
include!(concat!(env!("OUT_DIR"), "/connect.rs"));

impl ConnectCause {
    /// Returns the cause of a connection that was not made.
    fn of(error: &reqwest::Error) -> Self {
        let found = chain(error).filter_map(Self::of_link).last();
        match found {
            Some(Self(Code::ConnectTimeout, ..)) if error.is_dns() => DNS_TIME,
            _ if error.is_dns() => DNS,
            None if error.is_timeout() => TIME,
            found => found.unwrap_or(OTHER),
        }
    }

    /// Returns the cause that one error of a chain states.
    fn of_link(error: &(dyn Error + 'static)) -> Option<Self> {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return match error.kind() {
                io::ErrorKind::ConnectionRefused => Some(REFUSED),
                io::ErrorKind::TimedOut => Some(TIME),
                _ => None,
            };
        }
        if error.to_string() == format!("{TUNNEL}proxy authorization required") {
            return Some(PROXY_AUTH);
        }
        Some(match error.downcast_ref::<rustls::Error>()? {
            rustls::Error::InvalidCertificate(
                Certificate::Expired
                | Certificate::ExpiredContext { .. }
                | Certificate::NotValidYet
                | Certificate::NotValidYetContext { .. },
            ) => EXPIRED,
            rustls::Error::InvalidCertificate(
                Certificate::NotValidForName | Certificate::NotValidForNameContext { .. },
            ) => WRONG_NAME,
            // An authority that was recreated under its old name causes the second error.
            rustls::Error::InvalidCertificate(Certificate::UnknownIssuer | Certificate::BadSignature) => UNTRUSTED,
            rustls::Error::InvalidCertificate(_) => CERTIFICATE,
            _ => NO_TLS,
        })
    }

    /// Returns `true` if a retry may help. It does not help if the other end has the wrong certificate or speaks another
    /// protocol.
    const fn is_temporary(self) -> bool {
        !matches!(self.0, Code::TlsFailed | Code::ProxyAuth)
    }
}

/// Names the host that a request was sent to: the service, or that of an address from the service.
fn host(given: Option<&str>) -> String {
    given.map_or_else(|| "the service".to_owned(), |shown| format!("the upload address {shown}"))
}

/// Adds a help text to an error: `help` if the address is a setting, otherwise one that says where the address came from.
fn add_help(given: Option<&str>, error: Problem, help: &str) -> Problem {
    error.help(given.map_or(help, |_| "the service gave this address: check that this machine can reach it"))
}

/// Explains why no connection was made. The first value is `true` if a retry may help.
pub fn connect(error: &reqwest::Error, given: Option<&str>, proxy: Option<&Proxy>) -> (bool, Problem) {
    let cause = ConnectCause::of(error);
    match proxy {
        Some(proxy) if proxy.socks => {
            let message = format!("the proxy {} is a SOCKS proxy; only HTTP proxies are supported", proxy.shown);
            return (false, Problem::new(Code::ProxyFailed, message).help(PROXY));
        }
        // The failure came before the proxy had connected to the service.
        Some(proxy) if chain(error).any(|error| error.to_string().starts_with(TUNNEL)) => {
            return (cause.is_temporary(), no_tunnel(error, cause, &proxy.shown));
        }
        _ => {}
    }
    let ConnectCause(code, says, help) = cause;
    let mut message = format!("{} {says}", host(given));
    if code == Code::ConnectFailed {
        message += &said(error);
    }
    if let Some(proxy) = proxy {
        message += &format!("; the connection goes through the proxy {}", proxy.shown);
    }
    (cause.is_temporary(), add_help(given, Problem::new(code, message), help))
}

const PROXY: &str = "check the proxy in HTTPS_PROXY or ALL_PROXY; NO_PROXY lists hosts to reach without a proxy";

/// Explains why the proxy can't be reached, or did not connect to the service.
fn no_tunnel(error: &reqwest::Error, cause: ConnectCause, proxy: &str) -> Problem {
    let to = error.url().and_then(|url| BaseUrl::parse(&url.origin().ascii_serialization()).ok());
    let to = to.map_or_else(|| "the service".to_owned(), |base| base.origin());
    match cause.0 {
        Code::ConnectFailed => {
            let message = format!("the proxy {proxy} did not connect to {to}{}", said(error));
            let help =
                format!("ask the administrator of the proxy to allow {to}, or add its host to NO_PROXY; {PROXY}");
            Problem::new(Code::ProxyFailed, message).help(help)
        }
        code => {
            let help = match code {
                Code::ProxyAuth => "put them into HTTPS_PROXY, percent-encoded: http://user:password@host:port",
                _ => PROXY,
            };
            Problem::new(code, format!("the proxy {proxy} {}", cause.1)).help(help)
        }
    }
}

/// Returns what a library says about its innermost error, if those are words of its own.
fn said(error: &reqwest::Error) -> String {
    let tunnel = chain(error).map(ToString::to_string).find_map(|text| text.strip_prefix(TUNNEL).map(str::to_owned));
    let kind = chain(error).filter_map(|error| error.downcast_ref().map(io::Error::kind)).last();
    tunnel.or_else(|| Some(kind?.to_string())).map(|words| format!(": {words}")).unwrap_or_default()
}

/// Returns `true` if the answer is not HTTP.
pub fn is_not_http(error: &reqwest::Error) -> bool {
    chain(error).any(|error| error.downcast_ref().is_some_and(hyper::Error::is_parse))
}

/// Returns the error for an answer that is not HTTP.
pub fn not_http(given: Option<&str>) -> Problem {
    let of = given.map(|_| format!(" of {}", host(given))).unwrap_or_default();
    let message = format!("the answer{of} is not valid HTTP");
    add_help(given, Problem::new(Code::NotHttp, message), "check host and port in {address}")
}

/// Returns the error for a lost connection. `complete` is `true` if it was lost after the last byte of the request.
pub fn lost_connection(error: &reqwest::Error, given: Option<&str>, complete: bool) -> Problem {
    if is_not_http(error) {
        return not_http(given);
    }
    if complete {
        Problem::new(Code::ConnectionLost, "the connection was lost after the request was sent, before the answer")
    } else {
        let message =
            "the connection was lost before the whole file was sent; some services do this if a file is too large";
        Problem::new(Code::ConnectionLost, message).help("nothing was posted; run it again")
    }
}

/// Returns the error for an HTTP client that could not be created.
pub fn setup_error(error: &reqwest::Error) -> Problem {
    if chain(error).any(|error| error.to_string().contains("CA certificates")) {
        let message = "no CA certificates found, so no HTTPS service can be trusted";
        return Problem::new(Code::NoCaCertificates, message).help(
            "install the package ca-certificates, or set SSL_CERT_FILE or `ca_file` to a file with certificates",
        );
    }
    Problem::new(Code::ClientSetup, "the HTTP client could not be set up")
        .help("check the certificates and proxy settings of this machine")
}

/// Iterates over an error and its causes, outermost first.
fn chain<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error: &&'a (dyn Error + 'static)| {
        match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            // `io::Error::source` skips the wrapped error.
            Some(inner) => Some(inner),
            None => error.source(),
        }
    })
}

/// The prefix of errors about a tunnel through a proxy. Their type is not public; a test of each proxy fault fails if
/// the prefix changes.
const TUNNEL: &str = "tunnel error: ";

/// The proxies of this machine.
pub struct Proxies(Matcher);

/// A proxy. Only its host and port may be printed, not the user information.
pub struct Proxy {
    pub shown: String,
    /// It is a SOCKS proxy, which the HTTP client does not support.
    pub socks: bool,
}

impl Proxies {
    /// Reads the proxies of this machine, in the same way as the HTTP client.
    pub fn from_system() -> Self {
        Self(Matcher::from_system())
    }

    /// Returns the proxy for an address. This machine is reached without one.
    pub fn for_url(&self, url: &Url) -> Option<Proxy> {
        if is_loopback(url) {
            return None;
        }
        let found = self.0.intercept(&url.as_str().parse().ok()?)?;
        let host = found.uri().host().unwrap_or_default();
        let port = found.uri().port().map(|port| format!(":{port}")).unwrap_or_default();
        let socks = found.uri().scheme_str().is_some_and(|scheme| scheme.starts_with("socks"));
        let place = format!("{host}{port}");
        let plain = proxy_variables().iter().any(|value| has_only_place(value, &place))
            && !host.split('.').any(text::may_be_credential);
        let shown = if plain { text::printable(&place) } else { MASK.to_owned() };
        Some(Proxy { shown, socks })
    }
}

/// Returns the values of the proxy variables.
fn proxy_variables() -> Vec<String> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the HTTP client reads them on its own; compared with what it made of them"
    )]
    let read = |name| std::env::var(name).ok();
    ["ALL_PROXY", "all_proxy", "HTTPS_PROXY", "https_proxy"].into_iter().filter_map(read).collect()
}

/// Returns `true` if a variable has only `place` after the scheme and the user information. Otherwise, part of a
/// password that was not encoded (`user:p@ss#word@proxy`) may have been taken for the host.
fn has_only_place(value: &str, place: &str) -> bool {
    let rest = value.split_once("://").map_or(value, |(_, rest)| rest);
    let rest = rest.rsplit_once('@').map_or(rest, |(_, place)| place);
    rest.strip_suffix('/').unwrap_or(rest) == place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_taken_for_a_host() {
        for value in ["proxy:3128", "http://proxy:3128", "http://proxy:3128/", "https://user:p%40ss@proxy:3128"] {
            assert!(has_only_place(value, "proxy:3128"), "{value}");
        }
        for (value, place) in
            [("http://user:p@ss#word@proxy", "ss"), ("http://user:4815/x@proxy", "user:4815"), ("", "proxy")]
        {
            assert!(!has_only_place(value, place), "{value}");
        }
    }
}
