//! Which proxy a connection goes through, to say so when it fails. The HTTP client reads the same variables the same
//! way, and does the work.

use hyper_util::client::proxy::matcher::Matcher;
use url::Url;

use super::local::is_local;
use crate::secret::MASK;
use crate::text;

/// The proxies of this machine.
pub struct Proxies(Matcher);

/// A proxy as it may be printed: host and port, and nothing of the user part.
#[derive(Clone, Debug)]
pub struct Proxy {
    pub shown: String,
    /// It is one of a kind that the HTTP client does not speak.
    pub socks: bool,
}

impl Proxies {
    /// Those that the environment names.
    pub fn of_system() -> Self {
        Self(Matcher::from_system())
    }

    /// The proxy on the way to an address. None to this machine, which is reached without one.
    pub fn to(&self, url: &Url) -> Option<Proxy> {
        if is_local(url) {
            return None;
        }
        let found = self.0.intercept(&url.as_str().parse().ok()?)?;
        let host = found.uri().host().unwrap_or_default();
        let port = found.uri().port().map(|port| format!(":{port}")).unwrap_or_default();
        let socks = found.uri().scheme_str().is_some_and(|scheme| scheme.starts_with("socks"));
        let place = format!("{host}{port}");
        let plain = said().iter().any(|value| is_whole(value, &place)) && !host.split('.').any(text::opaque);
        Some(Proxy { shown: if plain { text::printable(&place) } else { MASK.to_owned() }, socks })
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
