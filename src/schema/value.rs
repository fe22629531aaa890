//! Values that have been checked: what a rule complains about is what the client refuses, because both ask here.

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
pub(crate) use address::is_localhost;
pub use ca_file::CaFile;
pub use channel::{ChannelFlaw, ChannelId};
pub(crate) use key::key_name;
pub use name::NameFlaw;
pub(crate) use non_api_url::NonApiUrl;
pub use token::{BearerToken, TokenFlaw};
pub use url_flaw::UrlFlaw;
#[cfg(feature = "upload")]
pub use workspace::WorkspaceId;

use super::field::{Address, Type};

/// A value as its field's type reads it.
#[derive(Clone)]
pub enum Parsed {
    /// An address.
    Url(BaseUrl),
    /// One channel.
    Channel(ChannelId),
    /// One of the words of the field.
    Word(&'static str),
    /// A public name of the form that belongs there.
    Id(String),
    /// The path of a file, relative to the working directory.
    Path(CaFile),
    /// Nothing that a type could read.
    Opaque,
}

impl std::fmt::Debug for Parsed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A key that was pasted into an endpoint reads as a host; what may be printed is kept beside it.
        f.write_str("Parsed(..)")
    }
}

/// Why a value is not what its field's type reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// Not an address.
    Url(UrlFlaw),
    /// Not a channel.
    Channel(ChannelFlaw),
    /// None of the words.
    Word,
    /// A name of another form; it may be right all the same.
    Id {
        /// What is wrong with its spelling, if it is a name.
        flaw: Option<NameFlaw>,
        /// It holds a small letter, as names do and ids of the messaging service don't.
        lower: bool,
    },
}

impl Type {
    /// What may be printed of a value; of a list, of one element. `None` if nothing.
    #[must_use]
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

    /// Reads a value; of a list, one element.
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

    /// What each type lets out of a value, and how it reads it.
    #[test]
    fn every_type_shows_and_reads_what_has_its_form() {
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
