//! A field of a profile, as a row.

use crate::form::Form;

/// A field of a profile.
#[derive(Debug)]
#[non_exhaustive]
pub struct Field {
    /// Its key.
    pub name: &'static str,
    /// What a value must look like, and what may be printed of it.
    pub ty: Type,
    /// What it is for.
    pub role: Role,
    /// Whether a profile is of no use without it.
    pub required: bool,
    /// Whether a profile that somebody begins with sets it.
    pub first: bool,
    /// One line on its meaning.
    pub about: &'static str,
    /// The forms that belong there. A value of a form that is not known may belong there, too.
    pub forms: &'static [Form],
    /// What other programs call it. These names are public.
    pub aliases: &'static [&'static str],
    /// What a value may look like; of a list, one element. A secret has none: it is not written out.
    pub example: &'static str,
}

impl Field {
    /// Whether it is one half of a credential.
    #[must_use]
    pub const fn is_credential(&self) -> bool {
        matches!(self.role, Role::Secret | Role::Identifier)
    }
}

/// What the value of a field must look like: it decides how a value is parsed, and what may be printed of it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Type {
    /// The address of a service.
    Url(Address),
    /// A public name: printed if it passes this.
    Id(fn(&str) -> Option<String>),
    /// A secret. Never printed.
    Secret(Secret),
    /// A list of channels; from the environment, a string split at commas.
    Channels,
    /// The path of a file, relative to the file that says it.
    Path,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Free text. Never printed.
    Text,
}

impl Type {
    /// Whether it is a list.
    #[must_use]
    pub const fn is_list(self) -> bool {
        matches!(self, Self::Channels)
    }
}

/// What an address is used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Address {
    /// credlint itself sends a credential there: an http or https URL.
    Api,
    /// Other programs use it: a URL, or a host alone, perhaps with a port.
    Endpoint,
}

/// What a secret is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Secret {
    /// An access token, sent in a header.
    Token,
    /// The secret half of a pair.
    Key,
    /// A URL that is a credential and its own destination.
    Webhook,
}

/// What a field is for, which decides how it is treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Role {
    /// A secret half of a credential. Never printed.
    Secret,
    /// A public half of a credential.
    Identifier,
    /// Where a secret is sent to, or who may pass for that place.
    Destination,
    /// Anything else.
    Plain,
}
