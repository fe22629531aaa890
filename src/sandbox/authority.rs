//! Whom a request is for. A page from elsewhere whose name is made to lead to this machine sends that name, and is refused.

use hyper::header::HOST;
use hyper::{Request, StatusCode, Version};

/// Why a request is not for this service, with the status that says so.
pub(super) fn refuse<B>(request: &Request<B>) -> Option<(StatusCode, &'static str)> {
    let mut hosts = request.headers().get_all(HOST).iter();
    let host = match (hosts.next(), hosts.next()) {
        (Some(host), None) => Some(host),
        (None, _) if request.version() < Version::HTTP_11 => None,
        _ => return Some((StatusCode::BAD_REQUEST, "the request needs exactly one Host header")),
    };
    let host = host.is_none_or(|host| host.to_str().is_ok_and(is_local));
    if host && request.uri().authority().is_none_or(|authority| is_local(authority.as_str())) {
        return None;
    }
    let why = "the request is for another host: the sandbox answers only to localhost, 127.0.0.1 or [::1]";
    Some((StatusCode::MISDIRECTED_REQUEST, why))
}

/// Whether a host, with a port or without one, is this machine, by its name alone.
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
    fn only_names_of_this_machine_are_local() {
        for host in [
            "localhost",
            "LOCALHOST:8080",
            "localhost.",
            "api.localhost:1",
            "api.localhost.",
            "127.0.0.1",
            "127.0.0.1:8080",
            "127.1.2.3:8080",
            "127.1",
            "[::1]",
            "[::1]:8080",
            "[0:0:0:0:0:0:0:1]",
            "[::ffff:127.0.0.1]:80",
        ] {
            assert!(is_local(host), "{host}");
        }
        for host in [
            "",
            ":8080",
            "h",
            "evil.example",
            "evil.example:8080",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "notlocalhost",
            "localhost..",
            "localhost@evil.example",
            "evil.example@localhost",
            "evil.example/localhost",
            "localhost/",
            "localhost:x",
            "localhost:99999",
            "0.0.0.0:8080",
            "128.0.0.1",
            "192.168.0.1",
            "[::]",
            "[::2]",
            "[::ffff:10.0.0.1]",
            "::1",
            "localhost, evil.example",
            "local host",
            "%6cocalhost",
        ] {
            assert!(!is_local(host), "{host}");
        }
    }
}
