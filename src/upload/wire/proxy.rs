//! Finds the proxy of a connection, so that an error can name it. The HTTP client reads the same variables in the same
//! way, and does the work.

use std::io;
use std::time::Duration;

use hyper_util::client::proxy::matcher::Matcher;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use url::Url;

use crate::schema::value::is_loopback;
use crate::secret::MASK;
use crate::text;

/// The proxies of this machine.
pub struct Proxies(Matcher);

/// A proxy. Only its host and port may be printed, not the user information.
pub struct Proxy {
    pub shown: String,
    /// It is a SOCKS proxy, which the HTTP client does not support.
    pub socks: bool,
    /// The request to probe it with; `None` for a proxy that is reached over TLS.
    connect: Option<ConnectRequest>,
}

/// A `CONNECT` request, and the proxy to send it to.
struct ConnectRequest {
    host: String,
    port: u16,
    bytes: Vec<u8>,
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
        let Some(request) = &self.connect else { return ProxyAnswer::Unknown };
        match tokio::time::timeout(PROBE_TIMEOUT, request.send()).await {
            Ok(Ok(answer)) => parse(&answer),
            _ => ProxyAnswer::Unknown,
        }
    }
}

impl ConnectRequest {
    /// Sends the request, and returns the first bytes of the answer.
    async fn send(&self) -> io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect((self.host.as_str(), self.port)).await?;
        stream.write_all(&self.bytes).await?;
        let mut answer = Vec::new();
        // A status is in the first twelve bytes; an alert has seven.
        while answer.len() < 12 && parse(&answer) == ProxyAnswer::Unknown {
            if stream.read_buf(&mut answer).await.unwrap_or(0) == 0 {
                break;
            }
        }
        Ok(answer)
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
        let plain = proxy_variables().iter().any(|value| is_whole(value, &place)) && !host.split('.').any(text::opaque);
        let shown = if plain { text::printable(&place) } else { MASK.to_owned() };
        let request = || {
            let to = format!("{}:{}", url.host_str()?, url.port_or_known_default()?);
            let mut bytes = format!("CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n").into_bytes();
            if let Some(authorization) = found.basic_auth() {
                bytes.extend([b"Proxy-Authorization: ", authorization.as_bytes(), b"\r\n"].concat());
            }
            bytes.extend(b"\r\n");
            let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
            Some(ConnectRequest { host, port: found.uri().port_u16().unwrap_or(80), bytes })
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
fn is_whole(value: &str, place: &str) -> bool {
    let rest = value.split_once("://").map_or(value, |(_, rest)| rest);
    let rest = rest.rsplit_once('@').map_or(rest, |(_, place)| place);
    rest.strip_suffix('/').unwrap_or(rest) == place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_of_an_answer_tell() {
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
    fn a_password_is_not_taken_for_a_host() {
        for value in ["proxy:3128", "http://proxy:3128", "http://proxy:3128/", "https://user:p%40ss@proxy:3128"] {
            assert!(is_whole(value, "proxy:3128"), "{value}");
        }
        for (value, place) in
            [("http://user:p@ss#word@proxy", "ss"), ("http://user:4815/x@proxy", "user:4815"), ("", "proxy")]
        {
            assert!(!is_whole(value, place), "{value}");
        }
    }
}
