//! A field of a profile, as a row of the schema.

use crate::services::Form;

/// A field of a profile.
#[derive(Debug)]
#[non_exhaustive]
pub struct Field {
    /// Its key.
    pub name: &'static str,
    /// The type of its value, which decides what may be printed.
    pub ty: Type,
    /// The role.
    pub role: Role,
    /// True if a profile requires it.
    pub required: bool,
    /// True if the starter configuration sets it.
    pub first: bool,
    /// A one-line description.
    pub about: &'static str,
    /// The forms of its values. A value of unknown form may also be valid.
    pub forms: &'static [&'static Form],
    /// Names that other programs use for it, besides those of its service's row. These names are public.
    pub aliases: &'static [&'static str],
    /// An example value; for a list, an example element. Empty for secrets, which are not written literally.
    pub example: &'static str,
}

impl Field {
    /// Returns `true` if it is (part of) a credential.
    #[must_use]
    pub const fn is_credential(&self) -> bool {
        matches!(self.role, Role::Secret | Role::Identifier)
    }
}

/// The type of a field's value. It decides how a value is parsed, and what may be printed.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Type {
    /// The address of a service.
    Url(Address),
    /// A public identifier, printed if it passes this function.
    Id(fn(&str) -> Option<String>),
    /// A secret. Never printed.
    Secret(Secret),
    /// A list of channels; from the environment, a comma-separated string.
    Channels,
    /// The path of a file, relative to the file that sets it.
    Path,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Free text. Never printed.
    Text,
}

impl Type {
    /// Returns `true` for a list.
    #[must_use]
    pub const fn is_list(self) -> bool {
        matches!(self, Self::Channels)
    }
}

/// The use of an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Address {
    /// credlint sends a credential there: an http or https URL.
    Api,
    /// Other programs use it: a URL, or a host with an optional port.
    Endpoint,
}

/// The kind of a secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Secret {
    /// An access token, sent in a header.
    Token,
    /// The key of a pair.
    Key,
    /// A URL that is both a credential and its destination.
    Webhook,
}

/// The role of a field, which decides how it is treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Role {
    /// A secret, or the secret part of a credential. Never printed.
    Secret,
    /// The public part of a credential.
    Identifier,
    /// A destination for a secret, or an authority that can vouch for one.
    Destination,
    /// Anything else.
    Plain,
}
