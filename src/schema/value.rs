//! Values that have been checked: what a rule complains about is what the client refuses, because both ask here.

use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret, SecretString};
use url::Url;

use crate::secret::{self, MASK};
use crate::text;

/// The address of a service: http or https, a host, perhaps a port and a path, and nothing else.
#[derive(Clone, PartialEq, Eq)]
pub struct BaseUrl(Url);

/// The hosts of the hosted service, with those below them. It retired `files.upload` on 2025-11-12:
/// https://docs.slack.dev/changelog/2024-04-a-better-way-to-upload-files-is-here-to-stay
const HOSTED: &[&str] = &["slack.com"];

/// What is wrong with an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum UrlFlaw {
    /// Holds white space, a control character or a backslash.
    Character,
    /// Is not an absolute http or https URL.
    NotHttp,
    /// Carries `user@` or `user:password@`.
    UserPart,
    /// Carries a `?query`.
    Query,
    /// Carries a `#fragment`.
    Fragment,
}

impl UrlFlaw {
    /// The flaw in words, to follow "the base URL".
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Character => "holds white space, a control character or a backslash",
            Self::NotHttp => "is not an http or https address with a host",
            Self::UserPart => "carries a user part (`user@` or `user:password@`)",
            Self::Query => "carries a query (`?…`)",
            Self::Fragment => "carries a fragment (`#…`)",
        }
    }
}

impl BaseUrl {
    /// Checks an address. What URL parsers quietly repair (line breaks, backslashes) is refused.
    ///
    /// # Errors
    /// The first flaw found.
    pub fn parse(value: &str) -> Result<Self, UrlFlaw> {
        if value.chars().any(|c| c.is_whitespace() || c.is_control() || c == '\\') {
            return Err(UrlFlaw::Character);
        }
        let url = Url::parse(value).map_err(|_| UrlFlaw::NotHttp)?;
        // `https:host` and `https:///host` are repaired by URL parsers, too.
        let exact = value.split_once("://").is_some_and(|(_, rest)| !rest.starts_with('/'));
        if !exact || !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            Err(UrlFlaw::NotHttp)
        } else if value.contains('@') {
            // Anywhere: a password with a slash in it would end the authority early.
            Err(UrlFlaw::UserPart)
        } else if url.query().is_some() {
            Err(UrlFlaw::Query)
        } else if url.fragment().is_some() {
            Err(UrlFlaw::Fragment)
        } else {
            Ok(Self(url))
        }
    }

    /// The address of an operation below this one.
    #[cfg(any(feature = "upload", test))]
    #[must_use]
    pub(crate) fn join(&self, path: &str) -> Url {
        let mut url = self.0.clone();
        url.set_path(&format!("{}/{path}", self.0.path().trim_end_matches('/')));
        url
    }

    /// Whether it is the hosted service, which has retired `files.upload`.
    #[must_use]
    pub fn is_hosted(&self) -> bool {
        self.0.host_str().is_some_and(|host| {
            HOSTED
                .iter()
                .any(|hosted| host == *hosted || host.strip_suffix(hosted).is_some_and(|rest| rest.ends_with('.')))
        })
    }

    /// The region, if this is the S3-compatible API of the hosted storage service: `s3.<region>.backblazeb2.com`.
    /// Source: <https://www.backblaze.com/docs/cloud-storage-s3-compatible-app-keys>.
    #[must_use]
    pub fn s3_region(&self) -> Option<&str> {
        let region = self.0.host_str()?.strip_prefix("s3.")?.strip_suffix(".backblazeb2.com")?;
        (!region.is_empty() && !region.contains('.')).then_some(region)
    }

    /// Whether this is an address of the hosted storage service.
    /// Source: <https://www.backblaze.com/apidocs/introduction-to-the-b2-native-api>.
    #[must_use]
    pub fn is_hosted_storage(&self) -> bool {
        let host = self.0.host_str().unwrap_or_default();
        host.strip_suffix("backblazeb2.com").is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    }

    /// Whether the connection is encrypted.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Whether the host is this machine, decided without asking DNS: `localhost`, `127.0.0.0/8` or `::1`.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        match self.0.host() {
            Some(url::Host::Domain(name)) => name == "localhost",
            Some(url::Host::Ipv4(address)) => address.is_loopback(),
            Some(url::Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        }
    }

    /// Whether the path already ends in what is added to it: `/api`, or the whole operation.
    #[must_use]
    pub fn repeats_api(&self) -> bool {
        let mut path = self.0.path().trim_end_matches('/');
        path = path.strip_suffix("/files.upload").unwrap_or(path);
        path.ends_with("/api")
    }

    /// Scheme, host and port, as they may be printed.
    #[must_use]
    pub fn origin(&self) -> String {
        let host = self.0.host_str().unwrap_or_default();
        let host = if host.split('.').any(text::opaque) { MASK } else { host };
        let port = self.0.port().map(|port| format!(":{port}")).unwrap_or_default();
        format!("{}://{host}{port}", self.0.scheme())
    }

    /// The origin, and the path if it is made of plain short words: the path of a webhook is a credential.
    #[must_use]
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

impl std::fmt::Debug for BaseUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BaseUrl({})", self.shown())
    }
}

/// The id of a channel or conversation. Ids are opaque: anything but what can't be sent as one.
#[derive(Clone, PartialEq, Eq)]
pub struct ChannelId(String);

/// What is wrong with a channel id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ChannelFlaw {
    /// No characters.
    Empty,
    /// A comma, which separates ids.
    Comma,
    /// White space or a control character.
    Whitespace,
    /// A URL.
    Url,
}

impl ChannelFlaw {
    /// The flaw in words, to follow "a channel".
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Empty => "is empty",
            Self::Comma => "holds a comma",
            Self::Whitespace => "holds white space or a control character",
            Self::Url => "is a URL",
        }
    }
}

impl ChannelId {
    /// Checks an id.
    ///
    /// # Errors
    /// The first flaw found.
    pub fn parse(value: &str) -> Result<Self, ChannelFlaw> {
        if value.is_empty() {
            Err(ChannelFlaw::Empty)
        } else if secret::is_url(value.trim()) {
            Err(ChannelFlaw::Url)
        } else if value.contains(',') {
            Err(ChannelFlaw::Comma)
        } else if value.chars().any(|c| c.is_whitespace() || c.is_control()) {
            Err(ChannelFlaw::Whitespace)
        } else {
            Ok(Self(value.to_owned()))
        }
    }

    /// Whether it is a name (`#general`, `@ann`) and not an id.
    #[must_use]
    pub fn is_name(&self) -> bool {
        self.0.starts_with(['#', '@'])
    }

    /// The id, to be sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The id as it may be printed.
    #[must_use]
    pub fn shown(&self) -> String {
        show_channel(&self.0).unwrap_or_else(|| MASK.to_owned())
    }
}

impl std::fmt::Debug for ChannelId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ChannelId({})", self.shown())
    }
}

/// An access token that can stand in an `Authorization` header.
#[derive(Clone, Debug)]
pub struct BearerToken(SecretString);

/// What is wrong with a token. Says nothing of its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TokenFlaw {
    /// No characters.
    Empty,
    /// A URL, such as that of a webhook.
    Url,
    /// White space, control or non-ASCII characters, or a pasted `Bearer `.
    Malformed,
}

impl BearerToken {
    /// Checks a token.
    ///
    /// # Errors
    /// The first flaw found.
    pub fn new(value: SecretString) -> Result<Self, TokenFlaw> {
        #[expect(
            clippy::disallowed_methods,
            reason = "checks that the token can stand in a header; keeps only the verdict"
        )]
        let text = value.expose_secret();
        if text.is_empty() {
            Err(TokenFlaw::Empty)
        } else if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            Err(TokenFlaw::Malformed)
        } else if secret::is_url(text) {
            Err(TokenFlaw::Url)
        } else {
            Ok(Self(value))
        }
    }

    /// The token, still wrapped.
    #[must_use]
    pub const fn secret(&self) -> &SecretString {
        &self.0
    }
}

/// The path of a file with certificates of authorities to trust. It is not opened before a connection needs it.
#[derive(Clone, PartialEq, Eq)]
pub struct CaFile(PathBuf);

impl CaFile {
    /// Any path; a relative one is relative to the working directory.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// The path, to open it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The path as it may be printed: anything could have been pasted in its place.
    #[must_use]
    pub fn shown(&self) -> String {
        text::path(&self.0)
    }
}

impl std::fmt::Debug for CaFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "CaFile({})", self.shown())
    }
}

/// The id of a workspace or an organisation of the messaging service.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkspaceId(String);

impl WorkspaceId {
    /// Checks an id: `T` or `E`, then capitals and digits. The shape of the ids of conversations is
    /// `^[CGDZ][A-Z0-9]{8,}$` (<https://github.com/slackapi/bolt-js/issues/2115>); those of workspaces (`T`) and
    /// organisations (`E`) differ in the first letter.
    #[must_use]
    pub fn parse(value: &str) -> Option<Self> {
        show_workspace(value).map(Self)
    }

    /// The id, which may be printed.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

pub(crate) fn show_workspace(value: &str) -> Option<String> {
    let shape = value.starts_with(['T', 'E'])
        && (9..=21).contains(&value.len())
        && value.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    shape.then(|| value.to_owned())
}

pub(crate) fn show_nothing(_: &str) -> Option<String> {
    None
}

pub(crate) fn show_url(value: &str) -> Option<String> {
    BaseUrl::parse(value).ok().map(|url| url.shown())
}

/// Ids as the hosted service forms them (`C`, `G`, `D` conversations, `U`, `W` users, `Z`), and plain `#names`.
/// The forms are those of the hosted service's own check, as quoted in
/// https://github.com/slackapi/bolt-js/issues/2115. Other ids are accepted and sent, but not printed.
pub(crate) fn show_channel(value: &str) -> Option<String> {
    let id = value.starts_with(['C', 'D', 'G', 'U', 'W', 'Z'])
        && (3..=21).contains(&value.len())
        && value.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    let name = value.strip_prefix(['#', '@']).is_some_and(|name| {
        (1..=21).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
            && !text::opaque(name)
    });
    (id || name).then(|| value.to_owned())
}

pub(crate) fn show_method(value: &str) -> Option<String> {
    super::UPLOAD_METHODS.contains(&value).then(|| value.to_owned())
}

pub(crate) fn show_severity(value: &str) -> Option<String> {
    ["error", "warning"].contains(&value).then(|| value.to_owned())
}

pub(crate) fn show_level(value: &str) -> Option<String> {
    ["off", "note", "warning", "error"].contains(&value).then(|| value.to_owned())
}

/// What is spelled as the id of a rule: words of small letters, joined by dashes.
pub(crate) fn show_rule(value: &str) -> Option<String> {
    let word = |word: &str| (1..=16).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let shape = (2..=6).contains(&value.split('-').count()) && value.split('-').all(word);
    shape.then(|| value.to_owned())
}

pub(crate) fn show_profile(value: &str) -> Option<String> {
    // A lone word could be a password.
    let (kind, name) = value.split_once('.')?;
    (super::Kind::find(kind).is_some() && super::is_profile_name(name)).then(|| value.to_owned())
}

/// A reason is a sentence for people; a word in it that could be a credential is masked.
pub(crate) fn show_reason(value: &str) -> Option<String> {
    let word = |word: &str| {
        let inner = word.trim_matches(|c: char| ".,;:!?()\"'".contains(c));
        let plain = inner.chars().all(|c| c.is_alphanumeric() || "-_/#.'&+".contains(c)) && !text::opaque(inner);
        if plain { word.to_owned() } else { MASK.to_owned() }
    };
    let words: Vec<String> = value.split_whitespace().take(64).map(word).collect();
    match words.len() {
        0 => None,
        // One word is no sentence, and could be a password.
        1 => Some(MASK.to_owned()),
        _ => Some(words.join(" ")),
    }
}

/// The shape of [`secret::KeyShape::KeyId`], whatever its serial.
pub(crate) fn show_key_id(value: &str) -> Option<String> {
    let shape =
        value.len() == 25 && value.bytes().take(3).all(|byte| byte.is_ascii_digit()) && secret::is_lower_hex(value);
    shape.then(|| value.to_owned())
}

/// The shape of [`secret::KeyShape::AccountId`].
pub(crate) fn show_account_id(value: &str) -> Option<String> {
    (value.len() == 12 && secret::is_lower_hex(value)).then(|| value.to_owned())
}

pub(crate) fn show_bucket(value: &str) -> Option<String> {
    let shape = (1..=63).contains(&value.len())
        && value.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    (shape && !text::opaque(value)).then(|| value.to_owned())
}

/// Names of variables as people write them; a token pasted in their place is not one.
pub(crate) fn show_env_name(value: &str) -> Option<String> {
    // A lone word in small letters could be a password.
    let upper = !value.bytes().any(|byte| byte.is_ascii_lowercase());
    let shape = value.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && value.len() <= 128
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && (upper || value.contains('_'));
    (shape && !text::opaque(value)).then(|| value.to_owned())
}

pub(crate) fn show_path(value: &str) -> Option<String> {
    let part = |part: &str| {
        part.len() <= 64 && !text::opaque(part) && part.chars().all(|c| c.is_ascii_alphanumeric() || "-_. ".contains(c))
    };
    // A path has a separator or an extension; a lone word could be a password.
    (value.contains(['/', '.']) && value.split('/').all(part) && !text::opaque_path(value)).then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_urls() {
        for (value, flaw) in [
            ("https://chat.example.com", None),
            ("http://127.0.0.1:8080/base/", None),
            ("https://[::1]/", None),
            ("chat.example.com", Some(UrlFlaw::NotHttp)),
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
        let url = |value| BaseUrl::parse(value).unwrap();
        assert_eq!(
            url("https://h.example/base/").join("api/files.upload").as_str(),
            "https://h.example/base/api/files.upload"
        );
        assert!(
            url("http://localhost:1").is_loopback()
                && url("http://127.9.9.9").is_loopback()
                && url("http://[::1]").is_loopback()
        );
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
            assert_eq!(url(address).is_hosted_storage(), hosted, "{address}");
        }
        assert!(!url("https://h.example/apis").repeats_api() && !url("https://api.example").repeats_api());
    }

    #[test]
    fn an_address_is_printed_without_what_could_be_a_credential() {
        assert_eq!(
            show_url("https://chat.example.com:8443/team-a/").as_deref(),
            Some("https://chat.example.com:8443/team-a")
        );
        assert_eq!(
            show_url("https://hooks.example.com/services/T0AB/B0CD/xYz9").as_deref(),
            Some("https://hooks.example.com/********")
        );
        assert_eq!(show_url("https://xoxb-1-2/x").as_deref(), Some("https://********/x"));
        assert_eq!(show_url("https://user:pass@chat.example.com"), None);
        assert_eq!(
            format!("{:?}", BaseUrl::parse("https://h.example/A1").unwrap()),
            "BaseUrl(https://h.example/********)"
        );
    }

    #[test]
    fn channels() {
        for (value, flaw) in [
            ("C0123456789", None),
            ("#general", None),
            ("", Some(ChannelFlaw::Empty)),
            ("C1,C2", Some(ChannelFlaw::Comma)),
            ("C1 ", Some(ChannelFlaw::Whitespace)),
            ("https://h.example/a,b", Some(ChannelFlaw::Url)),
        ] {
            assert_eq!(ChannelId::parse(value).err(), flaw, "{value:?}");
        }
        assert_eq!(show_channel("#general").as_deref(), Some("#general"));
        assert_eq!(show_channel("xoxb-1-2"), None);
        assert_eq!(format!("{:?}", ChannelId::parse("hunter2").unwrap()), "ChannelId(********)");
    }

    #[test]
    fn workspaces() {
        for (value, valid) in [
            ("T0123456789", true),
            ("E01234567", true),
            ("T0123456", false),
            ("t0123456789", false),
            ("C0123456789", false),
            ("T0123456789-x", false),
            ("TABCDEFGHIJKLMNOPQRSTUVWXYZ", false),
            ("", false),
        ] {
            assert_eq!(WorkspaceId::parse(value).is_some(), valid, "{value:?}");
        }
    }

    #[test]
    fn names_and_paths() {
        assert!(
            show_env_name("REPORTS_TOKEN").is_some()
                && show_env_name("xoxb-1").is_none()
                && show_env_name("K0014PBWO1ZXCIVMNQ").is_none()
        );
        assert!(show_path("/run/secrets/reports").is_some() && show_path("./key.txt").is_some());
        assert!(
            show_path("hunter2").is_none()
                && show_path("https://hooks.example.com/x").is_none()
                && show_path("K0014pbwo1zx/O3s").is_none()
        );
    }

    #[test]
    fn tokens() {
        let flaw = |value: &str| BearerToken::new(SecretString::from(value)).err();
        assert_eq!(flaw("xoxb-1"), None);
        assert_eq!(flaw(""), Some(TokenFlaw::Empty));
        assert_eq!(flaw("https://hooks.example.com/x"), Some(TokenFlaw::Url));
        assert_eq!(flaw("Bearer x"), Some(TokenFlaw::Malformed));
        assert_eq!(flaw("é"), Some(TokenFlaw::Malformed));
    }

    /// Which values a field's validator lets out, and which not.
    fn shows(show: fn(&str) -> Option<String>, shown: &[&str], hidden: &[&str]) {
        for value in shown {
            assert_eq!(show(value).as_deref(), Some(*value));
        }
        for value in hidden {
            assert_eq!(show(value), None, "{value}");
        }
    }

    #[test]
    fn ids_are_shown_in_the_forms_that_they_are_given_in() {
        let of = |first: &str, len: usize| format!("{first}{}", "0".repeat(len - first.len()));
        let [workspace, organisation, short, long] = [of("T", 9), of("E", 21), of("T", 8), of("T", 22)];
        shows(
            show_workspace,
            &[&workspace, &organisation],
            &[&short, &long, "C01234567", "T0123456x", "T0123456-", "T"],
        );
        assert_eq!(WorkspaceId::parse("T0123456789").unwrap().as_str(), "T0123456789");
        let (channel, short, long) = (of("C", 21), of("C", 2), of("C", 22));
        let (name, long_name) = (format!("#{}", "a".repeat(21)), format!("#{}", "a".repeat(22)));
        shows(
            show_channel,
            &[&channel, "C01", "D01", "G01", "U01", "W01", "Z01", "#a", "@a", "#a-b", &name],
            &[
                &short,
                &long,
                "A0123456789",
                "C01234567x9",
                "C0123-56789",
                "c0123456789",
                "",
                "#",
                "@",
                "#A",
                "#a1",
                "#a_b",
                &long_name,
                "general",
                "#xoxb-a",
            ],
        );
        shows(
            show_key_id,
            &["0051a2b3c4d5e6f0000000001", "0051a2b3c4d5e6f0000000000"],
            &[
                "0051a2b3c4d5e6f000000000",
                "0051a2b3c4d5e6f00000000011",
                "a051a2b3c4d5e6f0000000001",
                "00a1a2b3c4d5e6f0000000001",
                "0051A2b3c4d5e6f0000000001",
                "0051a2b3c4d5e6g0000000001",
            ],
        );
        shows(show_account_id, &["1a2b3c4d5e6f"], &["1a2b3c4d5e6", "1a2b3c4d5e6f1", "1A2b3c4d5e6f", "1a2b3c4d5e6g"]);
    }

    #[test]
    fn names_are_shown_unless_they_could_be_something_else() {
        let (bucket, long_bucket) = ("abc-".repeat(15) + "abc", "abc-".repeat(16));
        shows(
            show_bucket,
            &["a", "nightly", "nightly-2", &bucket],
            &["", &long_bucket, "Nightly", "a.b", "a_b", "xoxb-1", "k0051a2b3c4d5e6f"],
        );
        let (variable, long_variable) = ("A_".repeat(64), "A_".repeat(64) + "A");
        shows(
            show_env_name,
            &["T", "_", "_A", "REPORTS_TOKEN", "reports_token", "Reports_Token", "T2", &variable],
            &[
                "",
                "2T",
                "token",
                "Token",
                "REPORTS-TOKEN",
                "REPORTS TOKEN",
                &long_variable,
                "xoxb_1",
                "K0014PBWO1ZXCIVMNQ",
                "É",
            ],
        );
        let (part, long_part) = (format!("a/{}", "a b-".repeat(16)), format!("a/{}a", "a b-".repeat(16)));
        shows(
            show_path,
            &["a/b", "a.b", "/", ".", "../a b/c_d-e.txt", "/run/secrets/reports", &part],
            &[
                "",
                "a",
                "hunter2",
                "a/é",
                "a/b:c",
                &long_part,
                "a/xoxb-1",
                "a/b?c",
                "https://h.example",
                "K0014pbwo1zx/O3s",
            ],
        );
        shows(
            show_profile,
            &["messaging.reports", "storage.a-b"],
            &["reports", "other.reports", "messaging.", "messaging.A", ".a", "messaging.xoxb-1"],
        );
        let (word, long_word) = (format!("a-{}", "b".repeat(16)), format!("a-{}", "b".repeat(17)));
        shows(
            show_rule,
            &["a-b", "no-channels", "a-b-c-d-e-f", &word],
            &["", "a", "a-", "-a", "a--b", "a-b-c-d-e-f-g", "A-b", "a-b1", "a_b", &long_word],
        );
        shows(show_method, &["files.upload", "external"], &["", "files", "External", "files.upload "]);
        shows(show_severity, &["error", "warning"], &["", "note", "off", "Error"]);
        shows(show_level, &["error", "warning", "note", "off"], &["", "fatal", "Error"]);
        shows(show_nothing, &[], &["", "a", "error"]);
    }

    #[test]
    fn a_reason_is_shown_word_by_word() {
        for (reason, shown) in [
            ("", None),
            ("  ", None),
            ("hunter2", Some(MASK.to_owned())),
            ("by hand", Some("by hand".to_owned())),
            ("  by \t hand\n", Some("by hand".to_owned())),
            ("see #12, a/b_c-d (it's 100% done).", Some(format!("see #12, a/b_c-d (it's {MASK} done)."))),
            ("by xoxb-1", Some(format!("by {MASK}"))),
            ("by (xoxb-1)", Some(format!("by {MASK}"))),
            ("by a=b", Some(format!("by {MASK}"))),
            ("R&D 1+1 o'clock Größe", Some("R&D 1+1 o'clock Größe".to_owned())),
        ] {
            assert_eq!(show_reason(reason), shown, "{reason:?}");
        }
        assert_eq!(show_reason(&"a ".repeat(70)).unwrap().split(' ').count(), 64);
    }

    #[test]
    fn what_is_known_of_an_address() {
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
            assert_eq!(url(address).is_hosted(), hosted, "{address}");
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
            ("http://a.localhost", false),
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
    fn what_is_wrong_with_a_channel_or_a_token() {
        for (value, flaw) in [
            ("C0\t1", Some(ChannelFlaw::Whitespace)),
            ("C0\u{7}1", Some(ChannelFlaw::Whitespace)),
            (" https://h.example ", Some(ChannelFlaw::Url)),
            ("C1, C2", Some(ChannelFlaw::Comma)),
            ("@ann", None),
        ] {
            assert_eq!(ChannelId::parse(value).err(), flaw, "{value:?}");
        }
        let id = |value: &str| ChannelId::parse(value).unwrap();
        assert!(id("#general").is_name() && id("@ann").is_name() && !id("C0123456789").is_name());
        assert_eq!(
            (id("hunter2").as_str(), id("hunter2").shown(), id("C01").shown()),
            ("hunter2", MASK.to_owned(), "C01".to_owned())
        );
        let flaw = |value: &str| BearerToken::new(SecretString::from(value)).err();
        for value in ["a b", "a\n", "a\u{7f}", "\u{7}"] {
            assert_eq!(flaw(value), Some(TokenFlaw::Malformed), "{value:?}");
        }
        assert_eq!((flaw("!"), flaw("~")), (None, None));
        let token = BearerToken::new(SecretString::from("xoxb-1")).unwrap();
        assert_eq!(format!("{token:?} {:?}", token.secret()).matches("xoxb").count(), 0);
    }

    #[test]
    fn a_path_of_certificates_is_shown_like_any_other() {
        let file = CaFile::new("certificates/authority.pem");
        assert_eq!(
            (file.path(), file.shown().as_str()),
            (Path::new("certificates/authority.pem"), "certificates/authority.pem")
        );
        assert_eq!(format!("{file:?}"), "CaFile(certificates/authority.pem)");
        assert_eq!(format!("{:?}", CaFile::new("xoxb-1")), "CaFile(********)");
    }
}
