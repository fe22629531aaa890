//! A kind of profiles, as a row.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use super::field::{Field, Type};
use super::value::BaseUrl;

/// A kind of profiles: what one may say, what of it belongs together, and what can be done with it.
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
    /// The service that issues what is known of its credentials.
    pub hosted: Hosted,
}

impl Kind {
    /// The field of that name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The names of the fields.
    pub(crate) fn field_names(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.fields.iter().map(|field| field.name)
    }

    /// The fields that other programs call so, the likeliest first. `accountId`, `account-id` and `account_id` are one name.
    pub(crate) fn called(&self, word: &str) -> impl Iterator<Item = &'static Field> + use<> {
        let word = fold(word);
        self.fields.iter().filter(move |field| field.aliases.iter().any(|alias| fold(alias) == word))
    }

    /// A field as one half of a pair, with the other half.
    #[must_use]
    pub(crate) fn half(&self, field: &str) -> Option<(&'static PairField, &'static PairField)> {
        self.pairs.iter().find_map(|Pair { id, key }| match field {
            _ if field == id.field => Some((id, key)),
            _ if field == key.field => Some((key, id)),
            _ => None,
        })
    }

    /// What belongs in a field, to follow "set it to".
    #[must_use]
    pub(crate) fn wanted(&self, field: &Field) -> String {
        match (self.half(field.name), field.ty) {
            (Some((half, _)), _) => half.shown_as.to_owned(),
            (_, Type::Secret(_)) => with_article(field.about),
            (_, Type::Text) => "plain text".to_owned(),
            _ => format!("a value such as `{}`", field.example),
        }
    }

    /// The field that a half of a pair goes with.
    #[must_use]
    pub(crate) fn partner(&self, field: &str) -> Option<&'static str> {
        self.half(field).map(|(_, partner)| partner.field)
    }
}

/// The form in which names of other programs are compared.
fn fold(word: &str) -> String {
    word.chars().filter(|c| !matches!(c, '-' | '_')).map(|c| c.to_ascii_lowercase()).collect()
}

/// The beginning of a description, with an article.
fn with_article(about: &str) -> String {
    let short = about.split([';', ',']).next().unwrap_or(about);
    match short.split(' ').next() {
        Some("a" | "an" | "the") => short.to_owned(),
        _ => format!("the {short}"),
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kind({})", self.name)
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

/// Two fields that go together.
#[derive(Debug)]
#[non_exhaustive]
pub struct Pair {
    /// The public half.
    pub id: PairField,
    /// The secret half.
    pub key: PairField,
}

/// One half of a pair.
#[derive(Debug)]
#[non_exhaustive]
pub struct PairField {
    /// The field that holds it.
    pub field: &'static str,
    /// What it is called, with its article.
    pub noun: &'static str,
    /// What it is called where it can be copied from.
    pub shown_as: &'static str,
}

/// A service whose credentials are known by their forms.
#[derive(Debug)]
#[non_exhaustive]
pub struct Hosted {
    /// What it is called.
    pub name: &'static str,
    /// Whether an address is one of its own.
    pub is: fn(&BaseUrl) -> bool,
    /// Whether a profile without an address is for it.
    pub by_default: bool,
}

/// How a service is asked about a credential.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Probe {
    /// By the operations of the messaging service, with a token.
    Token,
    /// By the authorization of the storage service, with a pair.
    Pair,
    /// By `auth.test` of the messaging service, with each token of an app.
    App,
}
