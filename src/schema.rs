//! What a configuration may say: the kinds of profiles with their fields and pairs, as rows, and which keys and values
//! may be printed.
//!
//! This is the one table. The readers mask by it, the environment is split by it, rules and `verify` go by it, and near
//! misses are sought in it.

mod kinds;
pub mod method;
mod name;
#[cfg(test)]
pub(crate) mod third;
pub mod value;

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

pub use kinds::{MESSAGING, STORAGE};
pub use name::{ProfileId, fold, is_profile_name, name_flaw};
use value::shown;

use crate::text;

/// A kind of profiles: what one may say, what of it belongs together, and what can be done with it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Kind {
    /// The name of the table that holds its profiles.
    pub name: &'static str,
    /// What a first profile of it is called.
    pub first: &'static str,
    /// What its credential is called.
    pub credential: &'static str,
    /// The fields of a profile.
    pub fields: &'static [Field],
    /// The fields that go together: a profile has one whole pair. None for a credential in one piece.
    pub pairs: &'static [Pair],
    /// How its service is asked about a credential. `None` if it can't be.
    pub probe: Option<Probe>,
    /// Whether files are sent with it.
    pub sender: bool,
}

impl Kind {
    /// Every kind, in the order of their names.
    #[must_use]
    pub fn all() -> &'static [&'static Self] {
        kinds::ALL
    }

    /// The kind of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        Self::all().iter().copied().find(|kind| kind.name == name)
    }

    /// The names of every kind.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> + Clone {
        Self::all().iter().map(|kind| kind.name)
    }

    /// The field of that name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The names of the fields.
    pub(crate) fn field_names(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.fields.iter().map(|field| field.name)
    }

    /// A field as one half of a pair, with the other half.
    #[must_use]
    pub(crate) fn half(&self, field: &str) -> Option<(&'static Half, &'static Half)> {
        self.pairs.iter().find_map(|Pair { id, key }| match field {
            _ if field == id.field => Some((id, key)),
            _ if field == key.field => Some((key, id)),
            _ => None,
        })
    }

    /// The field that a half of a pair goes with.
    #[must_use]
    pub(crate) fn partner(&self, field: &str) -> Option<&'static str> {
        self.half(field).map(|(_, partner)| partner.field)
    }
}

// A kind is known by its name.
impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Kind {}

impl PartialOrd for Kind {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Kind {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name.cmp(other.name)
    }
}

impl Hash for Kind {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

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

/// Two fields that go together.
#[derive(Debug)]
#[non_exhaustive]
pub struct Pair {
    /// The public half.
    pub id: Half,
    /// The secret half.
    pub key: Half,
}

/// One half of a pair.
#[derive(Debug)]
#[non_exhaustive]
pub struct Half {
    /// The field that holds it.
    pub field: &'static str,
    /// What it is called, with its article.
    pub noun: &'static str,
    /// What it is called where it can be copied from.
    pub shown_as: &'static str,
}

/// How a service is asked about a credential.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Probe {
    /// By the operations of the messaging service, with a token.
    Token,
    /// By the authorization of the storage service, with a pair.
    Pair,
}

/// The keys of the `lint` table.
pub const LINT_KEYS: &[&str] = &["fail_on", "levels", "allow"];

/// The keys of an element of `lint.allow`.
pub const ALLOW_KEYS: &[&str] = &["rule", "profile", "reason"];

/// The keys that make a table a reference to a value that is kept elsewhere.
pub const REFERENCE_KEYS: &[&str] = &["env", "file"];

/// The tables at the top of a configuration.
pub fn top_keys() -> impl Iterator<Item = &'static str> + Clone {
    Kind::names().chain(["lint"])
}

/// Whether the last key of a path may be printed: it is a name that credlint knows, or so near to one that it can
/// only be a slip. Any other key could be a secret that was pasted in the wrong place.
#[must_use]
pub fn is_public_key(path: &[&str]) -> bool {
    match path {
        [top] => text::is_slip(top, top_keys()),
        ["lint", key] => text::is_slip(key, LINT_KEYS.iter().copied()),
        // Ids of rules have only small letters and dashes, and at least one dash.
        ["lint", "levels", rule] => shown::rule(rule).is_some(),
        ["lint", "allow", key] => text::is_slip(key, ALLOW_KEYS.iter().copied()),
        [kind, name] => Kind::find(kind).is_some() && is_profile_name(name),
        [kind, _, field] => Kind::find(kind).is_some_and(|kind| text::is_slip(field, kind.field_names())),
        [kind, _, _, key] => Kind::find(kind).is_some() && text::is_slip(key, REFERENCE_KEYS.iter().copied()),
        _ => false,
    }
}

/// What may be printed of the value at a path. `path` ends with the field, or with the key of a reference.
#[must_use]
pub fn show_at(path: &[&str], value: &str) -> Option<String> {
    match path {
        ["lint", "levels", _] => shown::level(value),
        ["lint", "allow", "rule"] => shown::rule(value),
        ["lint", "allow", "profile"] => name::shown(value),
        ["lint", "fail_on"] => shown::severity(value),
        [kind, _, field] => Kind::find(kind)?.field(field)?.ty.show(value),
        [kind, _, _, "env"] => Kind::find(kind).and_then(|_| shown::env_name(value)),
        [kind, _, _, "file"] => Kind::find(kind).and_then(|_| shown::path(value)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_whole() {
        assert!(Kind::all().is_sorted(), "profiles are listed by kind");
        for kind in Kind::all() {
            let mut halves = kind.pairs.iter().flat_map(|pair| [&pair.id, &pair.key]);
            assert!(halves.all(|half| kind.field(half.field).is_some_and(Field::is_credential)), "{kind}");
            for field in kind.fields {
                let secret = matches!(field.ty, Type::Secret(_));
                assert_eq!(field.role == Role::Secret, secret, "{kind}.{}", field.name);
                assert_eq!(field.example.is_empty(), secret, "{kind}.{}", field.name);
                let paired = kind.partner(field.name).is_some();
                assert!(field.role != Role::Identifier || paired, "{kind}.{}: an id goes with a key", field.name);
                assert!(secret || matches!(field.ty, Type::Text) || field.ty.show(field.example).is_some());
            }
        }
    }

    #[test]
    fn only_names_that_are_known_or_nearly_so_are_public() {
        for path in [
            &["messaging"][..],
            &["mesaging"],
            &["lint", "fail_on"],
            &["storage", "x", "aplication_key"],
            &["messaging", "x", "token", "env"],
        ] {
            assert!(is_public_key(path), "{path:?}");
        }
        for path in [
            &["hunter2"][..],
            &["messaging", "x", "hunter2"],
            &["messaging", "Xoxb"],
            &["other", "x"],
            &["storage", "b", "master_appl\u{1b}[2Jication_key"],
            &["storage", "b", "application_key_idS3cr"],
            &["messaging", "x", "token", "hunter2"],
            &[],
        ] {
            assert!(!is_public_key(path), "{path:?}");
        }
    }
}
