//! Refuses requests of foreign web pages. A page whose host name was pointed at this machine sends that name as the
//! host; a page that submits a form sends its origin.

use hyper::header::{HOST, HeaderMap, ORIGIN};
use hyper::{Request, StatusCode, Version};

/// Returns the status and the reason with which a request is refused; `None` if it is accepted.
pub(super) fn refuse<B>(request: &Request<B>) -> Option<(StatusCode, &'static str)> {
    let mut hosts = request.headers().get_all(HOST).iter();
    let host = match (hosts.next(), hosts.next()) {
        (Some(host), None) => Some(host),
        (None, _) if request.version() < Version::HTTP_11 => None,
        _ => return Some((StatusCode::BAD_REQUEST, "the request needs exactly one Host header")),
    };
    let host = host.is_none_or(|host| host.to_str().is_ok_and(is_local));
    if !host || !request.uri().authority().is_none_or(|authority| is_local(authority.as_str())) {
        let why = "the request is for another host: the sandbox answers only to localhost, 127.0.0.1 or [::1]";
        return Some((StatusCode::MISDIRECTED_REQUEST, why));
    }
    let why = "the request is from a web page of another host: the sandbox answers only to pages of this machine";
    is_from_elsewhere(request.headers()).then_some((StatusCode::FORBIDDEN, why))
}

/// Returns `true` if a browser says that a page of another host sends the request. Any page can submit a form to any
/// address, and a token can be a field of a form. <https://fetch.spec.whatwg.org/#origin-header>,
/// <https://www.w3.org/TR/fetch-metadata/>
fn is_from_elsewhere(headers: &HeaderMap) -> bool {
    let mut origins = headers.get_all(ORIGIN).iter().peekable();
    if origins.peek().is_none() {
        return headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site");
    }
    let local = |origin: &str| {
        let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        host.is_some_and(is_local)
    };
    !origins.all(|origin| origin.to_str().is_ok_and(local))
}

/// Returns `true` if a host, with or without a port, is this machine by its name alone.
fn is_local(host: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-_:[]".contains(&byte);
    if !host.bytes().all(plain) {
        return false;
    }
    let Ok(address) = url::Url::parse(&format!("http://{host}/")) else { return false };
    match address.host() {
        Some(url::Host::Domain(name)) => {
            let name = name.strip_suffix('.').unwrap_or(name);
            name == "localhost" || name.ends_with(".localhost")
        }
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => {
            address.is_loopback() || address.to_ipv4_mapped().is_some_and(|address| address.is_loopback())
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_from_elsewhere_are_told_by_what_the_browser_says() {
        for (headers, elsewhere) in [
            (&[][..], false),
            (&[("sec-fetch-mode", "cors")], false),
            (&[("sec-fetch-site", "none")], false),
            (&[("sec-fetch-site", "same-origin")], false),
            (&[("sec-fetch-site", "cross-site")], true),
            (&[("origin", "http://localhost:3000"), ("sec-fetch-site", "cross-site")], false),
            (&[("origin", "https://[::1]")], false),
            (&[("origin", "https://evil.example")], true),
            (&[("origin", "http://localhost.evil.example"), ("sec-fetch-site", "same-origin")], true),
            (&[("origin", "http://localhost"), ("origin", "http://evil.example")], true),
            (&[("origin", "null")], true),
            (&[("origin", "")], true),
        ] {
            let mut map = HeaderMap::new();
            for (name, value) in headers {
                map.append(*name, value.parse().unwrap());
            }
            assert_eq!(is_from_elsewhere(&map), elsewhere, "{headers:?}");
        }
    }

    #[test]
    fn only_names_of_this_machine_are_local() {
        for host in [
            "localhost", "LOCALHOST:8080", "localhost.", "api.localhost:1", "api.localhost.", "127.0.0.1",
            "127.0.0.1:8080", "127.1.2.3:8080", "127.1", "[::1]", "[::1]:8080", "[0:0:0:0:0:0:0:1]",
            "[::ffff:127.0.0.1]:80",
        ] {
            assert!(is_local(host), "{host}");
        }
        for host in [
            "", ":8080", "h", "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example",
            "notlocalhost", "localhost..", "localhost@evil.example", "evil.example@localhost",
            "evil.example/localhost", "localhost/", "localhost:x", "localhost:99999", "0.0.0.0:8080", "128.0.0.1",
            "192.168.0.1", "[::]", "[::2]", "[::ffff:10.0.0.1]", "::1", "localhost, evil.example", "local host",
            "%6cocalhost",
        ] {
            assert!(!is_local(host), "{host}");
        }
    }
}
