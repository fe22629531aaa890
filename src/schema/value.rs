//! Types of valid values. Rules and the client share them, so that the client rejects exactly what rules report.

mod address;
mod ca_file;
mod channel;
mod key;
mod name;
mod non_api_url;
pub(crate) mod shown;
mod token;
mod url_flaw;
#[cfg(feature = "upload")]
mod workspace;

pub use address::BaseUrl;
#[cfg(feature = "upload")]
pub(crate) use address::{is_localhost, is_loopback};
pub use ca_file::CaFile;
#[cfg(feature = "upload")]
pub(crate) use channel::IN_PLACE_OF_NAME;
pub use channel::{ChannelFlaw, ChannelId};
pub(crate) use key::key_name;
pub use name::NameFlaw;
pub(crate) use non_api_url::NonApiUrl;
pub use token::{BearerToken, TokenFlaw};
pub use url_flaw::UrlFlaw;
#[cfg(feature = "upload")]
pub use workspace::WorkspaceId;

use super::field::{Address, Type};

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

impl std::fmt::Debug for Parsed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A key that was pasted as an endpoint parses as a host. The printable part is kept separately.
        f.write_str("Parsed(..)")
    }
}

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

#[cfg(test)]
mod tests {
    use super::super::field::Secret;
    use super::*;

    /// Checks what each type prints and parses.
    #[test]
    fn every_type_shows_and_parses_valid_values() {
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
}
