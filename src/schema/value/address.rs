//! Addresses of services, their flaws, and addresses that are certainly not an API.

use url::Url;

use crate::secret::MASK;
use crate::services::{self, Serves, Service};
use crate::shorthand::{debug, words};
use crate::text;

/// The address of a service: http or https, a host, an optional port and path, and nothing else.
#[derive(Clone, PartialEq, Eq)]
pub struct BaseUrl(Url);

impl std::str::FromStr for BaseUrl {
    type Err = UrlFlaw;

    fn from_str(value: &str) -> Result<Self, UrlFlaw> {
        Self::parse(value)
    }
}

impl BaseUrl {
    /// Parses an address. It rejects what URL parsers silently repair, such as line breaks and backslashes.
    ///
    /// # Errors
    ///
    /// Returns the first flaw.
    pub fn parse(value: &str) -> Result<Self, UrlFlaw> {
        let is_odd = |c: char| c.is_whitespace() || c.is_control() || c == '\\';
        if is_quoted(value) {
            return Err(UrlFlaw::Quotes);
        }
        if value.chars().any(is_odd) {
            return Err(UrlFlaw::Character);
        }
        if has_two_schemes(value) {
            return Err(UrlFlaw::TwoSchemes);
        }
        let url = Url::parse(value).map_err(|_| without_scheme(value))?;
        // URL parsers also repair `https:host` and `https:///host`.
        let exact = value.split_once("://").is_some_and(|(_, rest)| !rest.starts_with('/'));
        if !exact || !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            Err(without_scheme(value))
        } else if value.contains('@') {
            // Search the whole text: a slash in a password would end the authority early.
            Err(UrlFlaw::UserPart)
        } else if url.query().is_some() {
            Err(UrlFlaw::Query)
        } else if url.fragment().is_some() {
            Err(UrlFlaw::Fragment)
        } else {
            Ok(Self(url))
        }
    }

    /// Parses an address that other programs use, which may be a host with an optional port.
    ///
    /// # Errors
    ///
    /// Returns the first flaw.
    pub(crate) fn parse_endpoint(value: &str) -> Result<Self, UrlFlaw> {
        if is_quoted(value) {
            return Err(UrlFlaw::Quotes);
        }
        if value.contains("://") { Self::parse(value) } else { Self::parse(&format!("https://{value}")) }
    }

    /// Returns the path.
    pub(crate) fn path(&self) -> &str {
        self.0.path()
    }

    /// Returns the normalised host.
    pub(crate) fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// Returns the address of an operation.
    pub(crate) fn join(&self, path: &str) -> Url {
        let mut url = self.0.clone();
        url.set_path(&format!("{}/{path}", self.0.path().trim_end_matches('/')));
        url
    }

    /// Returns `true` if it is at one of a service's own hosts.
    pub fn belongs_to(&self, service: &Service) -> bool {
        service.has_api_at(self.host())
    }

    /// Returns the region, if it is the address of a service's S3-compatible API that names one. `None` for others.
    pub fn s3_region(&self) -> Option<&str> {
        let rows = services::built_in().iter().flat_map(|service| service.hosts);
        rows.filter(|row| row.serves == Serves::S3).find_map(|row| row.label(self.host()))
    }

    /// Returns the cluster in the region's suffix, `-NNN`. Source: every public sample; it is not documented, so a
    /// mismatch is only a warning.
    pub(crate) fn s3_cluster(&self) -> Option<&str> {
        let (_, number) = self.s3_region()?.rsplit_once('-')?;
        (number.len() == 3 && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(number)
    }

    /// Returns `true` if the connection is encrypted.
    pub fn is_https(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Returns `true` if the host is this machine, without asking DNS: `localhost` and its subdomains, `127.0.0.0/8`,
    /// `::1`, and IPv4-mapped loopback addresses.
    pub fn is_loopback(&self) -> bool {
        is_loopback(&self.0)
    }

    /// Returns `true` if the host is a name without a dot, such as a container or an emulator.
    pub fn is_bare_name(&self) -> bool {
        matches!(self.0.host(), Some(url::Host::Domain(name)) if !name.trim_end_matches('.').contains('.'))
    }

    /// Returns `true` if the path already ends in what credlint adds: `/api`, or an operation.
    pub fn repeats_api(&self) -> bool {
        let mut path = self.0.path().trim_end_matches('/');
        path = path.strip_suffix("/files.upload").unwrap_or(path);
        path.ends_with("/api")
    }

    /// Returns scheme, host and port for display.
    pub fn origin(&self) -> String {
        let host = self.host();
        let host = if host.split('.').any(text::may_be_credential) { MASK } else { host };
        let port = self.0.port().map(|port| format!(":{port}")).unwrap_or_default();
        format!("{}://{host}{port}", self.0.scheme())
    }

    /// Returns the origin for display, with the path if it consists of plain short words. The path of a webhook is a
    /// credential.
    pub fn shown(&self) -> String {
        let plain = |segment: &str| {
            segment.len() <= 16
                && segment
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_.".contains(&byte))
                && segment.bytes().filter(u8::is_ascii_digit).count() <= 3
        };
        let path = self.0.path().trim_end_matches('/');
        if path.split('/').all(plain) { self.origin() + path } else { format!("{}/{MASK}", self.origin()) }
    }
}

/// Returns the flaw of a value that is not an http or https URL: it may lack the scheme.
fn without_scheme(value: &str) -> UrlFlaw {
    let rest = value.strip_prefix("//").unwrap_or(value);
    let host = |rest: &str| rest.split(['/', ':']).next().is_some_and(|host| host.contains('.') || host == "localhost");
    if value.contains("://") || !host(rest) {
        return UrlFlaw::NotHttp;
    }
    match BaseUrl::parse(&format!("https://{rest}")) {
        Ok(_) => UrlFlaw::NoScheme,
        Err(flaw) => flaw,
    }
}

/// Returns `true` if the host of a URL is this machine, without asking DNS.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => is_localhost(name),
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => {
            address.is_loopback() || address.to_ipv4_mapped().is_some_and(|address| address.is_loopback())
        }
        None => false,
    }
}

/// Returns `true` for a name of this machine, which is never looked up in DNS. Source:
/// <https://www.rfc-editor.org/rfc/rfc6761#section-6.3>.
pub(crate) fn is_localhost(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    name == "localhost" || name.ends_with(".localhost")
}

debug!(BaseUrl, |own| "BaseUrl({})", own.shown());

words! {
    /// What is wrong with an address.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[non_exhaustive]
    pub enum UrlFlaw {
        /// It contains whitespace, a control character or a backslash.
        Character = "contains whitespace, a control character or a backslash",
        /// It is not an absolute http or https URL.
        NotHttp = "is not an HTTP or HTTPS address with a host",
        /// It has `user@` or `user:password@`.
        UserPart = "contains a username or password (`user:password@`)",
        /// It has a `?query`.
        Query = "has a query string (`?…`)",
        /// It has a `#fragment`.
        Fragment = "has a fragment (`#…`)",
        /// It begins or ends with a quote or bracket.
        Quotes = "begins or ends with a quote or bracket that is part of the value",
        /// It lacks `https://`.
        NoScheme = "has no `https://` before the host",
        /// It starts with `https://` twice.
        TwoSchemes = "begins with `https://` twice",
    }

    /// Describes the flaw, to follow "the base URL".
    pub fn describe;
}

impl std::fmt::Display for UrlFlaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the address {}", self.describe())
    }
}

impl std::error::Error for UrlFlaw {}

/// Returns `true` if a value starts or ends with a quote or angle bracket, which no address does.
pub(super) fn is_quoted(value: &str) -> bool {
    let value = value.trim();
    value.starts_with(ENCLOSING) || value.ends_with(ENCLOSING)
}

const ENCLOSING: [char; 9] = ['"', '\'', '`', '<', '>', '“', '”', '‘', '’'];

/// Returns `true` if the scheme occurs twice. Without the second colon, it would parse as a host with a path.
pub(super) fn has_two_schemes(value: &str) -> bool {
    let rest = value.split_once("//").map(|(_, rest)| rest.to_ascii_lowercase()).unwrap_or_default();
    ["http:/", "https:/", "http//", "https//"].iter().any(|scheme| rest.starts_with(scheme))
}

/// An address of the service that is not its API.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NonApiUrl {
    /// What is there.
    pub serves: Serves,
    /// The noun with its article.
    pub noun: &'static str,
    service: &'static Service,
}

impl BaseUrl {
    /// Classifies an address that is certainly not an API. `None` for any other.
    pub(crate) fn non_api_url(&self) -> Option<NonApiUrl> {
        let path = self.path().trim_matches('/');
        let mut rows =
            services::built_in().iter().filter_map(|service| Some((*service, service.host(self.host(), path)?)));
        let (service, row) = rows.next()?;
        let (serves, noun) = match (row.serves, path) {
            (Serves::Api, "" | "api") => return None,
            (Serves::Api, _) if row.noun.is_empty() || self.repeats_api() => return None,
            (Serves::Api, _) if path.starts_with("api/") => (Serves::Method, "the address of one API method"),
            (Serves::Api, _) => (Serves::Page, row.noun),
            (serves, _) => (serves, row.noun),
        };
        Some(NonApiUrl { serves, noun, service })
    }
}

impl NonApiUrl {
    /// Returns the address of the API to use instead.
    pub(crate) fn api_address(self, address: &BaseUrl) -> &'static str {
        self.service.api_address(address.host())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::{backblaze, slack};

    #[test]
    fn parses_base_urls() {
        for (value, flaw) in [
            ("https://chat.example.com", None),
            ("http://127.0.0.1:8080/base/", None),
            ("https://[::1]/", None),
            ("chat.example.com", Some(UrlFlaw::NoScheme)),
            ("chat.example.com:8443/base", Some(UrlFlaw::NoScheme)),
            ("//chat.example.com", Some(UrlFlaw::NoScheme)),
            ("localhost:8080", Some(UrlFlaw::NoScheme)),
            ("user:pass@chat.example.com", Some(UrlFlaw::NotHttp)),
            ("user.x:pass@chat.example.com", Some(UrlFlaw::UserPart)),
            ("hunter2", Some(UrlFlaw::NotHttp)),
            ("https://https://chat.example.com", Some(UrlFlaw::TwoSchemes)),
            ("https://http//chat.example.com", Some(UrlFlaw::TwoSchemes)),
            ("https://https:8443", None),
            ("\"https://chat.example.com\"", Some(UrlFlaw::Quotes)),
            ("https://chat.example.com'", Some(UrlFlaw::Quotes)),
            ("<https://chat.example.com>", Some(UrlFlaw::Quotes)),
            ("https:chat.example.com", Some(UrlFlaw::NotHttp)),
            ("https:///chat.example.com", Some(UrlFlaw::NotHttp)),
            ("ftp://chat.example.com", Some(UrlFlaw::NotHttp)),
            ("https://", Some(UrlFlaw::NotHttp)),
            ("https://u:p@chat.example.com", Some(UrlFlaw::UserPart)),
            ("https://@chat.example.com", Some(UrlFlaw::UserPart)),
            ("https://chat.example.com/?token=x", Some(UrlFlaw::Query)),
            ("https://chat.example.com/#x", Some(UrlFlaw::Fragment)),
            ("https://chat.exa\nmple.com", Some(UrlFlaw::Character)),
            ("https:\\\\chat.example.com", Some(UrlFlaw::Character)),
            (" https://chat.example.com", Some(UrlFlaw::Character)),
        ] {
            assert_eq!(BaseUrl::parse(value).err(), flaw, "{value:?}");
        }
        for (value, flaw) in [
            ("s3.eu-central-003.backblazeb2.com", None),
            ("minio:9000", None),
            ("https://s3.example.com/base", None),
            ("http://127.0.0.1:9000", None),
            ("user:pass@s3.example.com", Some(UrlFlaw::UserPart)),
            ("ftp://s3.example.com", Some(UrlFlaw::NotHttp)),
            ("https:s3.example.com", Some(UrlFlaw::NotHttp)),
            ("s3 example", Some(UrlFlaw::Character)),
            ("'s3.example.com'", Some(UrlFlaw::Quotes)),
            ("https://https://s3.example.com", Some(UrlFlaw::TwoSchemes)),
            ("https://secure.backblaze.com/b2_buckets.htm", None),
        ] {
            assert_eq!(BaseUrl::parse_endpoint(value).err(), flaw, "{value:?}");
        }
        let url = |value| BaseUrl::parse(value).unwrap();
        assert_eq!(url("https://s3.eu-central-003.backblazeb2.com").s3_cluster(), Some("003"));
        assert_eq!(url("https://s3.eu.backblazeb2.com").s3_cluster(), None);
        assert_eq!(
            url("https://h.example/base/").join("api/files.upload").as_str(),
            "https://h.example/base/api/files.upload"
        );
        assert!(
            url("http://localhost:1").is_loopback()
                && url("http://127.9.9.9").is_loopback()
                && url("http://[::1]").is_loopback()
        );
        assert!(url("http://minio:9000").is_bare_name() && url("http://minio.:9000").is_bare_name());
        assert!(!url("http://h.example").is_bare_name() && !url("http://127.0.0.1").is_bare_name());
        assert_eq!(UrlFlaw::Query.to_string(), format!("the address {}", UrlFlaw::Query.describe()));
        assert!(!url("http://localhost.example.com").is_loopback() && !url("http://128.0.0.1").is_loopback());
        assert!(
            url("https://h.example/api").repeats_api() && url("https://h.example/x/api/files.upload").repeats_api()
        );
        assert_eq!(url("https://s3.eu-central-003.backblazeb2.com/x").s3_region(), Some("eu-central-003"));
        for other in ["https://api.backblazeb2.com", "https://s3.backblazeb2.com", "https://s3.eu.example.com"] {
            assert_eq!(url(other).s3_region(), None, "{other}");
        }
        for (address, hosted) in [
            ("https://api.backblazeb2.com", true),
            ("https://s3.eu-central-003.backblazeb2.com/x", true),
            ("https://backblazeb2.com", true),
            ("https://evilbackblazeb2.com", false),
            ("https://backblazeb2.com.evil.example", false),
        ] {
            assert_eq!(url(address).belongs_to(&backblaze::SERVICE), hosted, "{address}");
        }
        assert!(!url("https://h.example/apis").repeats_api() && !url("https://api.example").repeats_api());
    }

    #[test]
    fn reads_properties_of_addresses() {
        let url = |value: &str| BaseUrl::parse(value).unwrap();
        for (address, hosted) in [
            ("https://slack.com", true),
            ("https://slack.com/api", true),
            ("http://example.slack.com:8080", true),
            ("https://a.b.slack.com", true),
            ("https://notslack.com", false),
            ("https://slack.com.example", false),
            ("https://slack.example", false),
            ("https://127.0.0.1", false),
        ] {
            assert_eq!(url(address).belongs_to(&slack::SERVICE), hosted, "{address}");
        }
        assert!(url("https://h.example").is_https() && !url("http://h.example").is_https());
        for (address, loopback) in [
            ("http://localhost", true),
            ("http://127.0.0.1", true),
            ("http://127.255.255.254", true),
            ("http://[::1]:1", true),
            ("http://[::2]", false),
            ("http://126.0.0.1", false),
            ("http://h.example", false),
            ("http://a.localhost", true),
            ("http://localhost.", true),
            ("http://alocalhost", false),
            ("http://[::ffff:127.0.0.1]", true),
            ("http://[::ffff:10.0.0.1]", false),
        ] {
            assert_eq!(url(address).is_loopback(), loopback, "{address}");
        }
        for (address, twice) in [
            ("https://h.example/api", true),
            ("https://h.example/api/", true),
            ("https://h.example/api//", true),
            ("https://h.example/api/files.upload", true),
            ("https://h.example/api/files.upload/", true),
            ("https://h.example/files.upload", false),
            ("https://h.example/rapi", false),
            ("https://h.example/api/v1", false),
            ("https://h.example", false),
        ] {
            assert_eq!(url(address).repeats_api(), twice, "{address}");
        }
        for (address, region) in [
            ("https://s3.a.backblazeb2.com", Some("a")),
            ("https://s3..backblazeb2.com", None),
            ("https://s3.a.b.backblazeb2.com", None),
            ("https://x3.a.backblazeb2.com", None),
            ("https://s3.a.example.com", None),
        ] {
            assert_eq!(
                BaseUrl::parse(address).ok().and_then(|url| url.s3_region().map(str::to_owned)).as_deref(),
                region,
                "{address}"
            );
        }
        for (address, origin, shown) in [
            ("https://h.example", "https://h.example", ""),
            ("http://h.example:80", "http://h.example", ""),
            ("http://h.example:81/", "http://h.example:81", ""),
            ("https://[::1]:8443/a", "https://[::1]:8443", "/a"),
            ("https://h.example/team-a/v1.2_x", "https://h.example", "/team-a/v1.2_x"),
            ("https://h.example/abcdefghijklmnop", "https://h.example", "/abcdefghijklmnop"),
            ("https://h.example/abcdefghijklmnopq", "https://h.example", "/********"),
            ("https://h.example/a/B", "https://h.example", "/********"),
            ("https://h.example/a123", "https://h.example", "/a123"),
            ("https://h.example/a1234", "https://h.example", "/********"),
            ("https://h.example/a:b", "https://h.example", "/********"),
            ("https://a1b2c3d4e5f6.example/a", "https://********", "/a"),
        ] {
            assert_eq!(url(address).origin(), origin);
            assert_eq!(url(address).shown(), format!("{origin}{shown}"));
        }
    }

    #[test]
    fn each_address_flaw_has_its_own_description() {
        use UrlFlaw::{Character, Fragment, NoScheme, NotHttp, Query, Quotes, TwoSchemes, UserPart};
        let words =
            [Character, NotHttp, UserPart, Query, Fragment, Quotes, NoScheme, TwoSchemes].map(UrlFlaw::describe);
        let mut different = words.to_vec();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), words.len(), "{words:?}");
    }

    #[test]
    fn cluster_is_suffix_of_region() {
        for (region, cluster) in [
            ("eu-central-005", Some("005")),
            ("a-123", Some("123")),
            ("eu-central-05", None),
            ("eu-central-0055", None),
            ("eu-central-abc", None),
            ("eu-central-0a5", None),
            ("005", None),
        ] {
            let url = BaseUrl::parse(&format!("https://s3.{region}.backblazeb2.com")).unwrap();
            assert_eq!(url.s3_cluster(), cluster, "{region}");
        }
    }

    #[test]
    fn recognises_addresses_that_are_not_an_api() {
        use Serves::{Link, Method, Other, Page, S3};
        for (address, what) in [
            ("https://slack.com", None),
            ("https://slack.com/", None),
            ("https://www.slack.com", None),
            ("https://myteam.slack.com", None),
            ("https://myteam.enterprise.slack.com", None),
            ("https://app.enterprise.slack.com", None),
            ("https://slack-gov.com", None),
            ("https://agency.slack-gov.com", None),
            ("https://api.slack-gov.com", None),
            ("https://status.slack-gov.com", None),
            ("https://chat.example.com/archives/C0123456789", None),
            ("https://app.slack.com.example.com", None),
            ("https://notslack.com/messages", None),
            ("https://slack.com/api", None),
            ("https://slack.com/api/files.upload", None),
            ("https://myteam.slack.com/archives/C0123456789/p1700000000000000", Some(Link)),
            ("https://app.slack.com/client/T0123456789/C0123456789", Some(Link)),
            ("https://app.slack-gov.com/client/E0123456789", Some(Link)),
            ("https://app.slack.com", Some(Page)),
            ("https://app.slack-gov.com", Some(Page)),
            ("https://files.slack.com/files-pri/T0-F0/a.csv", Some(Other)),
            ("https://hooks.slack-gov.com", Some(Other)),
            ("https://api.slack.com/apps", Some(Page)),
            ("https://api.slack.com/api", Some(Page)),
            ("https://docs.slack.dev/reference", Some(Page)),
            ("https://status.slack.com", Some(Page)),
            ("https://my.slack.com", Some(Page)),
            ("https://slack.com/signin", Some(Page)),
            ("https://slack.com/api/chat.postMessage", Some(Method)),
            ("https://slack-gov.com/api/chat.postMessage/", Some(Method)),
            ("https://api.backblazeb2.com", None),
            ("https://api005.backblazeb2.com", None),
            ("https://files.backblazeb2.com", None),
            ("https://f05.backblazeb2.com", None),
            ("https://s3.eu-central-005.backblazeb2.com", Some(S3)),
            ("https://s3.backblazeb2.com", Some(S3)),
            ("https://f001.backblazeb2.com/file/nightly", Some(Other)),
            ("https://secure.backblaze.com/b2_buckets.htm", Some(Page)),
            ("https://f001.example.com", None),
        ] {
            assert_eq!(BaseUrl::parse(address).unwrap().non_api_url().map(|found| found.serves), what, "{address}");
        }
        let home = |address| {
            let address = BaseUrl::parse(address).unwrap();
            address.non_api_url().unwrap().api_address(&address)
        };
        assert_eq!(home("https://app.slack.com"), "https://slack.com");
        assert_eq!(home("https://docs.slack.dev"), "https://slack.com");
        assert_eq!(home("https://app.slack-gov.com"), "https://slack-gov.com");
        assert_eq!(home("https://f001.backblazeb2.com"), "https://api.backblazeb2.com");
        assert_eq!(home("https://www.backblaze.com"), "https://api.backblazeb2.com");
    }
}
