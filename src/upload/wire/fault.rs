//! Explains why a request failed, by a short table of causes. The messages are credlint's own, because those of the
//! libraries contain addresses. An error can name the proxy of a connection: the HTTP client reads the same variables in the
//! same way, and does the work.

use std::error::Error;
use std::io;
use std::time::Duration;

use hyper_util::client::proxy::matcher::Matcher;
use rustls::CertificateError as Certificate;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use url::Url;

use crate::code::Code;
use crate::schema::value::{BaseUrl, is_loopback};
use crate::secret::MASK;
use crate::text;
use crate::upload::error::UploadError;

/// Why no connection was made: the code, what it says about the other end, and what to do if that is the service.
#[derive(Clone, Copy)]
struct Cause(Code, &'static str, &'static str);

const DNS: Cause = Cause(
    Code::DnsFailed,
    "has a name that can't be resolved",
    "check the host in {address}, and whether this machine can resolve names",
);
const DNS_TIME: Cause = Cause(
    Code::DnsFailed,
    "has a name that could not be looked up in time: no name server answers",
    "check the host in {address}, and whether this machine can resolve names",
);
const REFUSED: Cause = Cause(
    Code::ConnectionRefused,
    "refuses connections",
    "check host and port in {address}, and whether the service is running",
);
const TIME: Cause = Cause(
    Code::ConnectTimeout,
    "did not answer the attempt to connect in time",
    "check host and port in {address}, and whether a firewall is in between",
);
const UNTRUSTED: Cause = Cause(
    Code::TlsFailed,
    "has a certificate that was issued by an untrusted authority",
    "if you trust the issuer, set `ca_file` to a file with its certificate, or install that certificate",
);
const EXPIRED: Cause = Cause(
    Code::TlsFailed,
    "has a certificate that has expired or is not valid yet",
    "the service must renew it; also check the clock of this machine",
);
const WRONG_NAME: Cause =
    Cause(Code::TlsFailed, "has a certificate that is for another name", "check the host in {address}");
const CERTIFICATE: Cause = Cause(
    Code::TlsFailed,
    "has a certificate that can't be accepted",
    "a self-signed certificate must be a server certificate, not a certificate of an authority",
);
const NO_TLS: Cause = Cause(
    Code::TlsFailed,
    "does not answer in TLS there; its address may have to begin with http://",
    "check the port in {address}, and whether it should begin with http://",
);
const PROXY_AUTH: Cause = Cause(Code::ProxyAuth, "requires a username and a password (407)", "");
const OTHER: Cause =
    Cause(Code::ConnectFailed, "can't be connected to", "check {address} and the network of this machine");

impl Cause {
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

/// Explains why no connection was made. The first value is `true` if a retry may help.
pub fn connect(
    error: &reqwest::Error,
    host: Host<'_>,
    proxy: Option<&Proxy>,
    answer: ProxyAnswer,
) -> (bool, UploadError) {
    let cause = Cause::of(error);
    match proxy {
        Some(proxy) if proxy.socks => {
            let message = format!("the proxy {} is a SOCKS proxy; only HTTP proxies are supported", proxy.shown);
            return (false, UploadError::new(Code::ProxyFailed, message).help(PROXY));
        }
        Some(proxy) if at_proxy(error) => return no_tunnel(error, cause, answer, &proxy.shown),
        _ => {}
    }
    let Cause(code, says, help) = cause;
    let mut message = format!("{} {says}", host.name());
    if let Some(kind) = chain(error).filter_map(|error| error.downcast_ref().map(io::Error::kind)).last()
        && code == Code::ConnectFailed
    {
        message += &format!(": {kind}");
    }
    if let Some(proxy) = proxy {
        message += &format!("; the connection goes through the proxy {}", proxy.shown);
    }
    (cause.is_temporary(), host.check(UploadError::new(code, message), help))
}

const PROXY: &str = "check the proxy in HTTPS_PROXY or ALL_PROXY; NO_PROXY lists hosts to reach without a proxy";

/// Explains why the proxy can't be reached, or did not connect to the service. A proxy that forbids a connection will forbid
/// the next one, too.
fn no_tunnel(error: &reqwest::Error, cause: Cause, answer: ProxyAnswer, proxy: &str) -> (bool, UploadError) {
    let to = error.url().and_then(|url| BaseUrl::parse(&url.origin().ascii_serialization()).ok());
    let to = to.map_or_else(|| "the service".to_owned(), |base| base.origin());
    let failed = |message: String| UploadError::new(Code::ProxyFailed, format!("the proxy {proxy} {message}"));
    match answer {
        ProxyAnswer::Status(status) if !(200..300).contains(&status) => {
            let help = match status {
                401 | 403 => format!("ask the administrator of the proxy to allow {to}, or add its host to NO_PROXY"),
                _ => PROXY.to_owned(),
            };
            let error = failed(format!("answered HTTP {status} and did not connect to {to}")).help(help);
            (!matches!(status, 400..=407 | 409..=428), error)
        }
        ProxyAnswer::Tls => {
            (false, failed("speaks TLS; its address has to begin with https://".to_owned()).help(PROXY))
        }
        ProxyAnswer::Status(_) | ProxyAnswer::Unknown if cause.0 == Code::ConnectFailed => {
            (true, failed(format!("did not connect to {to}")).help(PROXY))
        }
        ProxyAnswer::Status(_) | ProxyAnswer::Unknown => {
            let help = match cause.0 {
                Code::ProxyAuth => "put them into HTTPS_PROXY, percent-encoded: http://user:password@host:port",
                _ => PROXY,
            };
            let error = UploadError::new(cause.0, format!("the proxy {proxy} {}", cause.1)).help(help);
            (cause.is_temporary(), error)
        }
    }
}

/// Returns `true` if the answer is not HTTP.
pub fn is_not_http(error: &reqwest::Error) -> bool {
    chain(error).any(|error| error.downcast_ref().is_some_and(hyper::Error::is_parse))
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
    at_proxy(error) && Cause::of(error).0 == Code::ConnectFailed
}

/// Returns `true` if the failure came before the proxy had connected to the service.
fn is_proxy_failure(error: &reqwest::Error) -> bool {
    chain(error).any(|error| error.to_string().starts_with(TUNNEL))
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
