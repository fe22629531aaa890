//! Values that have been checked: what a rule complains about is what the client refuses, because both ask here.

mod address;
mod ca_file;
mod channel;
pub(crate) mod shown;
mod token;
#[cfg(feature = "upload")]
mod workspace;

pub use address::{BaseUrl, UrlFlaw};
pub use ca_file::CaFile;
pub use channel::{ChannelFlaw, ChannelId};
pub use token::{BearerToken, TokenFlaw};
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
    Id,
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
            Self::Id(show) => show(value).map(Parsed::Id).ok_or(Flaw::Id),
            Self::Path => Ok(Parsed::Path(CaFile::new(value))),
            Self::Secret(_) | Self::Text => Ok(Parsed::Opaque),
        }
    }
}
