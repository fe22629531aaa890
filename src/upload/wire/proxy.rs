//! Which proxy a connection goes through, to say so when it fails. The HTTP client reads the same variables the same
//! way, and does the work.

use std::io::{self, ErrorKind};
use std::time::Duration;

use hyper_util::client::proxy::matcher::Matcher;
use tokio::net::TcpStream;
use url::Url;

use crate::schema::value::is_loopback;
use crate::secret::MASK;
use crate::text;

/// The proxies of this machine.
pub struct Proxies(Matcher);

/// A proxy as it may be printed: host and port, and nothing of the user part.
pub struct Proxy {
    pub shown: String,
    /// It is one of a kind that the HTTP client does not speak.
    pub socks: bool,
    /// How to ask it; `None` for one that is spoken to in TLS.
    plain: Option<Asking>,
}

/// What a proxy is asked for a connection with.
struct Asking {
    host: String,
    port: u16,
    request: Vec<u8>,
}

/// What a proxy said when it was asked for a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heard {
    /// An answer with this status.
    Status(u16),
    /// That it speaks TLS.
    Tls,
    /// Nothing that can be told.
    Nothing,
}

/// How long a proxy is listened to once more.
const LISTEN: Duration = Duration::from_secs(2);

impl Proxy {
    /// Asks once more for the connection that the proxy did not make: the HTTP client does not tell what it said. Neither
    /// the token nor a file goes there.
    pub async fn hear(&self) -> Heard {
        let Some(asking) = &self.plain else { return Heard::Nothing };
        match tokio::time::timeout(LISTEN, asking.ask()).await {
            Ok(Ok(answer)) => read(&answer),
            _ => Heard::Nothing,
        }
    }
}

impl Asking {
    /// The first bytes of the answer.
    async fn ask(&self) -> io::Result<Vec<u8>> {
        let stream = TcpStream::connect((self.host.as_str(), self.port)).await?;
        let mut request = self.request.as_slice();
        while !request.is_empty() {
            stream.writable().await?;
            match stream.try_write(request) {
                Ok(written) => request = &request[written..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        let (mut answer, mut part) = (Vec::new(), [0; 64]);
        // A status stands in the first twelve bytes; an alert has seven.
        while answer.len() < 12 && read(&answer) == Heard::Nothing {
            stream.readable().await?;
            match stream.try_read(&mut part) {
                Ok(0) => break,
                Ok(read) => answer.extend_from_slice(&part[..read]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(_) => break,
            }
        }
        Ok(answer)
    }
}

/// What the first bytes of an answer say.
fn read(answer: &[u8]) -> Heard {
    let status = || {
        let line = std::str::from_utf8(answer.get(..12)?).ok()?;
        line.strip_prefix("HTTP/1.")?.get(2..)?.parse().ok()
    };
    match (answer, status()) {
        // An alert: the type of the record and its version.
        ([0x15, 3, ..], _) => Heard::Tls,
        (_, Some(status)) => Heard::Status(status),
        _ => Heard::Nothing,
    }
}

impl Proxies {
    /// Those that the environment names.
    pub fn of_system() -> Self {
        Self(Matcher::from_system())
    }

    /// The proxy on the way to an address. None to this machine, which is reached without one.
    pub fn to(&self, url: &Url) -> Option<Proxy> {
        if is_loopback(url) {
            return None;
        }
        let found = self.0.intercept(&url.as_str().parse().ok()?)?;
        let host = found.uri().host().unwrap_or_default();
        let port = found.uri().port().map(|port| format!(":{port}")).unwrap_or_default();
        let socks = found.uri().scheme_str().is_some_and(|scheme| scheme.starts_with("socks"));
        let place = format!("{host}{port}");
        let plain = said().iter().any(|value| is_whole(value, &place)) && !host.split('.').any(text::opaque);
        let shown = if plain { text::printable(&place) } else { MASK.to_owned() };
        let asking = || {
            let to = format!("{}:{}", url.host_str()?, url.port_or_known_default()?);
            let mut request = format!("CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n").into_bytes();
            if let Some(authorization) = found.basic_auth() {
                request.extend([b"Proxy-Authorization: ", authorization.as_bytes(), b"\r\n"].concat());
            }
            request.extend(b"\r\n");
            let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
            Some(Asking { host, port: found.uri().port_u16().unwrap_or(80), request })
        };
        let plain = (found.uri().scheme_str() == Some("http")).then(asking).flatten();
        Some(Proxy { shown, socks, plain })
    }
}

/// What the variables say.
fn said() -> Vec<String> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the HTTP client reads them on its own; compared with what it made of them"
    )]
    let read = |name| std::env::var(name).ok();
    ["ALL_PROXY", "all_proxy", "HTTPS_PROXY", "https_proxy"].into_iter().filter_map(read).collect()
}

/// Whether `place` is all that a variable says after the scheme and the user part. If it is not, part of a password that
/// was not encoded (`user:p@ss#word@proxy`) may have been taken for the host.
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
        for (answer, heard) in [
            (&b"HTTP/1.1 403 Forbidden\r\n"[..], Heard::Status(403)),
            (b"HTTP/1.0 502", Heard::Status(502)),
            (b"\x15\x03\x03\x00\x02\x02\x46", Heard::Tls),
            (b"HTTP/1.1 40", Heard::Nothing),
            (b"<html>......", Heard::Nothing),
            (b"", Heard::Nothing),
        ] {
            assert_eq!(read(answer), heard, "{answer:?}");
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
