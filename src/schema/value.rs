//! Types of valid values. Rules and the client share them, so that the client rejects exactly what rules report.

mod address;
mod channel;
pub(crate) mod shown;
mod token;

use std::path::{Path, PathBuf};

use super::kind::{Address, Type};
use crate::shorthand::debug;
use crate::text::{self, is_url};
pub use address::BaseUrl;
pub(crate) use address::NonApiUrl;
pub use address::UrlFlaw;
pub(crate) use address::{is_localhost, is_loopback};
pub(crate) use channel::IN_PLACE_OF_NAME;
pub use channel::WorkspaceId;
pub use channel::{ChannelFlaw, ChannelId};
pub(crate) use shown::key_name;
pub use token::{BearerToken, TokenFlaw};

/// A value parsed by its field's type.
#[derive(Clone)]
pub enum Parsed {
    /// An address.
    Url(BaseUrl),
    /// One channel.
    Channel(ChannelId),
    /// A word from the field's choices.
    Word(&'static str),
    /// An identifier of the expected form.
    Id(String),
    /// The path of a file, relative to the working directory.
    Path(CaFile),
    /// A value that has no further structure.
    Opaque,
}

// A key that was pasted as an endpoint parses as a host. The printable part is kept separately.
debug!(Parsed, |_| "Parsed(..)");

/// Why a value is not valid for its field's type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// Not an address.
    Url(UrlFlaw),
    /// Not a channel.
    Channel(ChannelFlaw),
    /// Not one of the words.
    Word,
    /// An identifier of another form; it may still be valid.
    Id {
        /// What is wrong with its spelling, if it is a name.
        flaw: Option<NameFlaw>,
        /// It contains a lower-case letter, as names do and IDs of the messaging service don't.
        lower: bool,
    },
}

impl Type {
    /// Returns what may be printed of a value, or of a list's element. `None` if it must be masked.
    pub(crate) fn show(self, value: &str) -> Option<String> {
        match self {
            Self::Url(_) => shown::url(value),
            Self::Id(show) => show(value),
            Self::Channels => shown::channel(value),
            Self::Path => shown::path(value),
            Self::Choice(words) => words.contains(&value).then(|| value.to_owned()),
            Self::Secret(_) | Self::Text => None,
        }
    }

    /// Parses a value, or a list's element.
    pub(crate) fn parse(self, value: &str) -> Result<Parsed, Flaw> {
        match self {
            Self::Url(Address::Api) => BaseUrl::parse(value).map(Parsed::Url).map_err(Flaw::Url),
            Self::Url(Address::Endpoint) => BaseUrl::parse_endpoint(value).map(Parsed::Url).map_err(Flaw::Url),
            Self::Channels => ChannelId::parse(value).map(Parsed::Channel).map_err(Flaw::Channel),
            Self::Choice(words) => {
                words.iter().find(|word| **word == value).map(|word| Parsed::Word(word)).ok_or(Flaw::Word)
            }
            Self::Id(show) => show(value).map(Parsed::Id).ok_or_else(|| Flaw::Id {
                flaw: NameFlaw::find(value),
                lower: value.bytes().any(|byte| byte.is_ascii_lowercase()),
            }),
            Self::Path => Ok(Parsed::Path(CaFile::new(value))),
            Self::Secret(_) | Self::Text => Ok(Parsed::Opaque),
        }
    }
}

/// The path of a file with trusted CA certificates. It is opened when a connection needs it.
#[derive(Clone, PartialEq, Eq)]
pub struct CaFile(PathBuf);

impl CaFile {
    /// Creates the path; a relative one is relative to the working directory.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Returns the path for display. It could be a secret that was pasted there.
    pub fn shown(&self) -> String {
        text::path(&self.0)
    }
}

debug!(CaFile, |own| "CaFile({})", own.shown());

/// Why a name can't be a bucket's. The first variant that applies wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameFlaw {
    /// A URL with any scheme.
    Url,
    /// A `/`: a path, or a bucket with a path.
    Slash,
    /// A `.`: a domain, or a name that only other services accept.
    Dot,
    /// An `_`.
    Underscore,
    /// A character other than letters, digits and `-`.
    Character,
    /// Fewer than six characters.
    Short,
    /// More than 63 characters.
    Long,
    /// The prefix `b2-`, which the hosted storage service reserves.
    Reserved,
}

impl NameFlaw {
    /// Returns the first flaw of a name.
    pub(crate) fn find(value: &str) -> Option<Self> {
        Some(match value {
            _ if is_url(value.trim()) => Self::Url,
            _ if !text::is_word_of(value, "-_./") => Self::Character,
            _ if value.contains('/') => Self::Slash,
            _ if value.contains('.') => Self::Dot,
            _ if value.contains('_') => Self::Underscore,
            _ if value.len() < 6 => Self::Short,
            _ if value.len() > 63 => Self::Long,
            _ if value.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("b2-")) => Self::Reserved,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::kind::Secret;

    /// Checks what each type prints and parses.
    #[test]
    fn each_type_shows_and_parses_valid_values() {
        let word = Type::Choice(&["files.upload", "external"]);
        let id = Type::Id(shown::bucket);
        for (ty, value, shown, read) in [
            (Type::Url(Address::Api), "https://h.example/a", Some("https://h.example/a"), Ok("url")),
            (Type::Url(Address::Api), "h.example", None, Err(Flaw::Url(UrlFlaw::NoScheme))),
            (Type::Url(Address::Endpoint), "https://h.example", Some("https://h.example"), Ok("url")),
            (Type::Url(Address::Endpoint), "h.example:9000", None, Ok("url")),
            (Type::Url(Address::Endpoint), "https://a@h.example", None, Err(Flaw::Url(UrlFlaw::UserPart))),
            (id, "nightly", Some("nightly"), Ok("id")),
            (id, "Nightly", None, Err(Flaw::Id { flaw: None, lower: true })),
            (id, "A.B", None, Err(Flaw::Id { flaw: Some(NameFlaw::Dot), lower: false })),
            (Type::Channels, "C0123456789", Some("C0123456789"), Ok("channel")),
            (Type::Channels, "general", None, Ok("channel")),
            (Type::Channels, "a b", None, Err(Flaw::Channel(ChannelFlaw::Whitespace))),
            (Type::Path, "a/b.pem", Some("a/b.pem"), Ok("path")),
            (Type::Path, "hunter2", None, Ok("path")),
            (word, "external", Some("external"), Ok("external")),
            (word, "files.upload", Some("files.upload"), Ok("files.upload")),
            (word, "files", None, Err(Flaw::Word)),
            (Type::Secret(Secret::Token), "external", None, Ok("opaque")),
            (Type::Secret(Secret::Key), "external", None, Ok("opaque")),
            (Type::Secret(Secret::Webhook), "https://h.example", None, Ok("opaque")),
            (Type::Text, "external", None, Ok("opaque")),
        ] {
            assert_eq!(ty.show(value).as_deref(), shown, "{ty:?} {value}");
            let found = ty.parse(value).map(|parsed| match parsed {
                Parsed::Url(_) => "url",
                Parsed::Channel(_) => "channel",
                Parsed::Word(word) => word,
                Parsed::Id(_) => "id",
                Parsed::Path(_) => "path",
                Parsed::Opaque => "opaque",
            });
            assert_eq!(found, read, "{ty:?} {value}");
        }
        assert_eq!(format!("{:?}", Type::Path.parse("hunter2").unwrap()), "Parsed(..)");
    }

    #[test]
    fn shows_ca_file_like_any_path() {
        let file = CaFile::new("certificates/authority.pem");
        assert_eq!(
            (file.path(), file.shown().as_str()),
            (Path::new("certificates/authority.pem"), "certificates/authority.pem")
        );
        assert_eq!(format!("{file:?}"), "CaFile(certificates/authority.pem)");
        assert_eq!(format!("{:?}", CaFile::new("xoxb-1")), "CaFile(********)");
    }

    #[test]
    fn finds_flaws_of_bucket_names() {
        use NameFlaw::{Character, Dot, Long, Reserved, Short, Slash, Underscore, Url};
        let (longest, longer) = ("a".repeat(63), "a".repeat(64));
        for (value, flaw) in [
            ("nightly", None),
            ("Nightly-2026", None),
            ("85644d98debc657d880b0e1e", None),
            ("abcdef", None),
            ("b2nightly", None),
            (&longest, None),
            (&longer, Some(Long)),
            ("abcde", Some(Short)),
            ("b2-nightly", Some(Reserved)),
            ("B2-nightly", Some(Reserved)),
            ("s3://nightly", Some(Url)),
            ("b2://nightly/reports", Some(Url)),
            ("nightly/reports", Some(Slash)),
            ("nightly.example.com", Some(Dot)),
            ("nightly_reports", Some(Underscore)),
            ("nightly reports", Some(Character)),
            ("nächtlich", Some(Character)),
            ("a_b/c.d", Some(Slash)),
        ] {
            assert_eq!(NameFlaw::find(value), flaw, "{value:?}");
        }
    }
}
