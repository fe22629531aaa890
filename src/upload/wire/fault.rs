//! Explains why a request failed. The messages are credlint's own, because those of the libraries contain addresses. An
//! error can name the proxy of a connection: the HTTP client reads the same variables in the same way, and does the work.

use std::error::Error;
use std::io;
use std::time::Duration;

use hyper_util::client::proxy::matcher::Matcher;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use url::Url;

use crate::code::Code;
use crate::schema::value::is_loopback;
use crate::secret::MASK;
use crate::text;
use crate::upload::error::UploadError;

/// The innermost causes that can be distinguished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reason {
    Refused,
    Unreachable,
    TimedOut,
    Reset,
    Untrusted,
    Expired,
    WrongName,
    Certificate,
    NotTls,
    Tls,
    NotHttp,
    ProxyAuth,
}

/// The host that a request is sent to.
#[derive(Clone, Copy, Debug)]
pub enum Host<'a> {
    /// The service, at its address in the profile.
    Service,
    /// The host of an upload address from the service, in its printable form.
    Given(&'a str),
}

impl Host<'_> {
    fn name(self) -> String {
        match self {
            Self::Service => "the service".to_owned(),
            Self::Given(shown) => format!("the upload address {shown}"),
        }
    }

    /// Adds a help text to an error: `help` if the address is a setting, otherwise one that says where the address came
    /// from.
    fn add_help(self, error: UploadError, help: &str) -> UploadError {
        match self {
            Self::Service => error.help(help),
            Self::Given(_) => error.help("the service gave this address: check that this machine can reach it"),
        }
    }
}

/// Explains why no connection was made. The first value is `true` if a retry may help. It does not help if the other
/// end has the wrong certificate or speaks another protocol.
pub fn connection_error(
    error: &reqwest::Error,
    host: Host<'_>,
    proxy: Option<&Proxy>,
    answer: ProxyAnswer,
) -> (bool, UploadError) {
    let found = reason(error);
    // A proxy that forbids a connection will forbid the next one, too.
    let forbidden = matches!(answer, ProxyAnswer::Tls | ProxyAnswer::Status(400..=407 | 409..=428));
    let settled =
        !matches!(found, None | Some(Reason::Refused | Reason::Unreachable | Reason::TimedOut | Reason::Reset));
    match proxy {
        Some(proxy) if proxy.socks => (false, socks_error(proxy)),
        Some(proxy) if is_proxy_failure(error) => {
            (!settled && !forbidden, unconnected_proxy(error, found, answer, &proxy.shown))
        }
        Some(proxy) => {
            let mut error = unconnected(error, host, found);
            error.message += &format!("; the connection goes through the proxy {}", proxy.shown);
            (!settled, error)
        }
        None => (!settled, unconnected(error, host, found)),
    }
}

const PROXY: &str = "check the proxy in HTTPS_PROXY or ALL_PROXY; NO_PROXY lists hosts to reach without a proxy";

fn socks_error(proxy: &Proxy) -> UploadError {
    let message = format!("the proxy {} is a SOCKS proxy; only HTTP proxies are supported", proxy.shown);
    UploadError::new(Code::ProxyFailed, message).help(PROXY)
}

/// Explains why the proxy can't be reached, or did not connect to the service.
fn unconnected_proxy(error: &reqwest::Error, found: Option<Reason>, answer: ProxyAnswer, proxy: &str) -> UploadError {
    match answer {
        ProxyAnswer::Status(status) if !(200..300).contains(&status) => {
            let message = format!("the proxy {proxy} answered HTTP {status} and did not connect to the service");
            let help = match status {
                401 | 403 => {
                    "the proxy does not allow this connection: ask its administrator, or add the host to NO_PROXY"
                }
                _ => PROXY,
            };
            return UploadError::new(Code::ProxyFailed, message).help(help);
        }
        ProxyAnswer::Tls => {
            let message = format!("the proxy {proxy} speaks TLS; its address has to begin with https://");
            return UploadError::new(Code::ProxyFailed, message).help(PROXY);
        }
        ProxyAnswer::Status(_) | ProxyAnswer::Unknown => {}
    }
    let (code, problem) = match found {
        Some(Reason::TimedOut) if error.is_dns() => (Code::DnsFailed, "has a name that could not be looked up in time"),
        _ if error.is_dns() => (Code::DnsFailed, "has a name that can't be resolved"),
        Some(Reason::ProxyAuth) => (Code::ProxyAuth, "requires a username and a password (407)"),
        Some(Reason::Refused) => (Code::ConnectionRefused, "refuses connections"),
        Some(Reason::TimedOut) => (Code::ConnectTimeout, "did not answer the attempt to connect in time"),
        Some(Reason::Untrusted) => (Code::TlsFailed, "has a certificate issued by an untrusted authority"),
        Some(Reason::Expired) => (Code::TlsFailed, "has a certificate that has expired or is not valid yet"),
        Some(Reason::WrongName) => (Code::TlsFailed, "has a certificate for another name"),
        Some(Reason::Certificate) => (Code::TlsFailed, "has a certificate that can't be accepted"),
        Some(Reason::NotTls | Reason::Tls) => {
            (Code::TlsFailed, "does not answer in TLS; its address may have to begin with http://")
        }
        _ => (Code::ProxyFailed, "did not connect to the service"),
    };
    let help = match found {
        Some(Reason::ProxyAuth) => "put them into HTTPS_PROXY, percent-encoded: http://user:password@host:port",
        _ => PROXY,
    };
    UploadError::new(code, format!("the proxy {proxy} {problem}")).help(help)
}

fn unconnected(error: &reqwest::Error, host: Host<'_>, found: Option<Reason>) -> UploadError {
    let name = host.name();
    let tls = |message: String| UploadError::new(Code::TlsFailed, message);
    if error.is_dns() {
        let message = match found {
            Some(Reason::TimedOut) => {
                format!("the name of {name} could not be looked up in time: no name server answers")
            }
            _ => format!("the name of {name} can't be resolved"),
        };
        let error = UploadError::new(Code::DnsFailed, message);
        return host.add_help(error, "check the host in {address}, and whether this machine can resolve names");
    }
    match found {
        Some(Reason::Untrusted) => tls(format!("the certificate of {name} was issued by an untrusted authority"))
            .help("if you trust the issuer, set `ca_file` to a file with its certificate, or install that certificate"),
        Some(Reason::Expired) => tls(format!("the certificate of {name} has expired or is not valid yet"))
            .help("the service must renew it; also check the clock of this machine"),
        Some(Reason::WrongName) => {
            host.add_help(tls(format!("the certificate of {name} is for another name")), "check the host in {address}")
        }
        Some(Reason::Certificate) => tls(format!("the certificate of {name} can't be accepted"))
            .help("a self-signed certificate must be a server certificate, not a certificate of an authority"),
        Some(Reason::NotTls) => host.add_help(
            tls(format!("{name} does not answer in TLS there")),
            "check the port in {address}, and whether it should begin with http://",
        ),
        Some(Reason::Tls) => tls(format!("no encrypted connection could be agreed on with {name}")),
        Some(Reason::Refused) => host.add_help(
            UploadError::new(Code::ConnectionRefused, format!("{name} refuses connections")),
            "check host and port in {address}, and whether the service is running",
        ),
        Some(Reason::TimedOut) => timed_out(host),
        None if error.is_timeout() => timed_out(host),
        _ => host.add_help(
            UploadError::new(Code::ConnectFailed, format!("could not connect to {name}")),
            "check {address} and the network of this machine",
        ),
    }
}

fn timed_out(host: Host<'_>) -> UploadError {
    let message = format!("{} did not answer the attempt to connect in time", host.name());
    let help = "check host and port in {address}, and whether a firewall is in between";
    host.add_help(UploadError::new(Code::ConnectTimeout, message), help)
}

/// Returns `true` if the answer is not HTTP.
pub fn is_not_http(error: &reqwest::Error) -> bool {
    reason(error) == Some(Reason::NotHttp)
}

/// Returns the error for an answer that is not HTTP.
pub fn not_http(host: Host<'_>) -> UploadError {
    let message = match host {
        Host::Service => "the answer is not valid HTTP".to_owned(),
        Host::Given(_) => format!("the answer of {} is not valid HTTP", host.name()),
    };
    host.add_help(UploadError::new(Code::NotHttp, message), "check host and port in {address}")
}

/// Returns the error for a lost connection. `complete` is `true` if it was lost after the last byte of the request.
pub fn lost_connection(error: &reqwest::Error, host: Host<'_>, complete: bool) -> UploadError {
    if is_not_http(error) {
        return not_http(host);
    }
    if complete {
        UploadError::new(Code::ConnectionLost, "the connection was lost after the request was sent, before the answer")
    } else {
        let message =
            "the connection was lost before the whole file was sent; some services do this if a file is too large";
        UploadError::new(Code::ConnectionLost, message).help("nothing was posted; run it again")
    }
}

/// Returns the error for an HTTP client that could not be created.
pub fn setup_error(error: &reqwest::Error) -> UploadError {
    if chain(error).any(|error| error.to_string().contains("CA certificates")) {
        let message = "no CA certificates found, so no HTTPS service can be trusted";
        return UploadError::new(Code::NoCaCertificates, message).help(
            "install the package ca-certificates, or set SSL_CERT_FILE or `ca_file` to a file with certificates",
        );
    }
    UploadError::new(Code::ClientSetup, "the HTTP client could not be set up")
        .help("check the certificates and proxy settings of this machine")
}

fn reason(error: &(dyn Error + 'static)) -> Option<Reason> {
    chain(error).filter_map(link_reason).last()
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

/// Returns `true` if a proxy was reached but did not connect to the service, and the HTTP client does not say why.
pub fn is_unexplained(error: &reqwest::Error) -> bool {
    is_proxy_failure(error)
        && matches!(reason(error), None | Some(Reason::Reset))
        && !error.is_dns()
        && !error.is_timeout()
}

/// Returns `true` if the failure came before the proxy had connected to the service.
fn is_proxy_failure(error: &reqwest::Error) -> bool {
    chain(error).any(|error| error.to_string().starts_with(TUNNEL))
}

/// Returns the reason that one error of the chain states.
fn link_reason(error: &(dyn Error + 'static)) -> Option<Reason> {
    use rustls::CertificateError as Certificate;
    if let Some(error) = error.downcast_ref::<io::Error>() {
        return match error.kind() {
            io::ErrorKind::ConnectionRefused => Some(Reason::Refused),
            io::ErrorKind::TimedOut => Some(Reason::TimedOut),
            io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => Some(Reason::Unreachable),
            io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted | io::ErrorKind::BrokenPipe => {
                Some(Reason::Reset)
            }
            _ => None,
        };
    }
    if let Some(error) = error.downcast_ref::<hyper::Error>() {
        return error.is_parse().then_some(Reason::NotHttp);
    }
    if error.to_string() == format!("{TUNNEL}proxy authorization required") {
        return Some(Reason::ProxyAuth);
    }
    match error.downcast_ref::<rustls::Error>()? {
        rustls::Error::InvalidCertificate(flaw) => Some(match flaw {
            Certificate::Expired
            | Certificate::ExpiredContext { .. }
            | Certificate::NotValidYet
            | Certificate::NotValidYetContext { .. } => Reason::Expired,
            Certificate::NotValidForName | Certificate::NotValidForNameContext { .. } => Reason::WrongName,
            // An authority that was recreated under its old name causes the second error.
            Certificate::UnknownIssuer | Certificate::BadSignature => Reason::Untrusted,
            _ => Reason::Certificate,
        }),
        rustls::Error::InvalidMessage(_) => Some(Reason::NotTls),
        _ => Some(Reason::Tls),
    }
}

/// The proxies of this machine.
pub struct Proxies(Matcher);

/// A proxy. Only its host and port may be printed, not the user information.
pub struct Proxy {
    pub shown: String,
    /// It is a SOCKS proxy, which the HTTP client does not support.
    pub socks: bool,
    /// Its host and port, and the `CONNECT` request to probe it with; `None` for a proxy that is reached over TLS.
    connect: Option<((String, u16), Vec<u8>)>,
}

/// The answer of a proxy to a `CONNECT` request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProxyAnswer {
    /// An HTTP answer with this status.
    Status(u16),
    /// A TLS alert: the proxy speaks TLS.
    Tls,
    /// No answer, or one that is not understood.
    Unknown,
}

/// The time limit of a probe.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);

impl Proxy {
    /// Repeats the `CONNECT` request that failed, because the HTTP client does not report the proxy's answer. Neither
    /// the token nor a file is sent.
    pub async fn probe(&self) -> ProxyAnswer {
        let Some((place, request)) = &self.connect else { return ProxyAnswer::Unknown };
        let first = async {
            let mut stream = TcpStream::connect((place.0.as_str(), place.1)).await?;
            stream.write_all(request).await?;
            let mut answer = Vec::new();
            // A status is in the first twelve bytes; an alert has seven.
            while answer.len() < 12 && parse(&answer) == ProxyAnswer::Unknown {
                if stream.read_buf(&mut answer).await.unwrap_or(0) == 0 {
                    break;
                }
            }
            io::Result::Ok(parse(&answer))
        };
        match tokio::time::timeout(PROBE_TIMEOUT, first).await {
            Ok(Ok(answer)) => answer,
            _ => ProxyAnswer::Unknown,
        }
    }
}

/// Interprets the first bytes of an answer.
fn parse(answer: &[u8]) -> ProxyAnswer {
    let status = || {
        let line = std::str::from_utf8(answer.get(..12)?).ok()?;
        line.strip_prefix("HTTP/1.")?.get(2..)?.parse().ok()
    };
    match (answer, status()) {
        // A TLS alert: the type of the record and its version.
        ([0x15, 3, ..], _) => ProxyAnswer::Tls,
        (_, Some(status)) => ProxyAnswer::Status(status),
        _ => ProxyAnswer::Unknown,
    }
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
        let request = || {
            let to = format!("{}:{}", url.host_str()?, url.port_or_known_default()?);
            let mut bytes = format!("CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n").into_bytes();
            if let Some(authorization) = found.basic_auth() {
                bytes.extend([b"Proxy-Authorization: ", authorization.as_bytes(), b"\r\n"].concat());
            }
            bytes.extend(b"\r\n");
            let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
            Some(((host, found.uri().port_u16().unwrap_or(80)), bytes))
        };
        let connect = (found.uri().scheme_str() == Some("http")).then(request).flatten();
        Some(Proxy { shown, socks, connect })
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
    fn interprets_first_bytes_of_proxy_answer() {
        for (answer, expected) in [
            (&b"HTTP/1.1 403 Forbidden\r\n"[..], ProxyAnswer::Status(403)),
            (b"HTTP/1.0 502", ProxyAnswer::Status(502)),
            (b"\x15\x03\x03\x00\x02\x02\x46", ProxyAnswer::Tls),
            (b"HTTP/1.1 40", ProxyAnswer::Unknown),
            (b"<html>......", ProxyAnswer::Unknown),
            (b"", ProxyAnswer::Unknown),
        ] {
            assert_eq!(parse(answer), expected, "{answer:?}");
        }
    }

    #[test]
    fn password_is_not_shown_as_host() {
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
