//! A kind of profile and its fields, as rows of the schema.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::services::{self, Form, Mistake, Pair, PairField, Service};
use crate::shorthand::debug;

/// A kind of profile, with its fields, its pairs and its uses.
pub struct Kind {
    /// The name of the table with its profiles.
    pub name: &'static str,
    /// The name of the profile in the starter configuration.
    pub first: &'static str,
    /// The noun for its credential.
    pub credential: &'static str,
    /// The fields of a profile.
    pub fields: &'static [Field],
    /// The pairs of fields, of which a profile has one. Empty if the credential is a single value.
    pub pairs: &'static [Pair],
    /// True if the values of its fields are compared with each other, and its rows have every form that the service issues
    /// for them. Of other kinds, each value is judged in its field.
    pub judged_together: bool,
    /// How its credential is verified. `None` if it can't be.
    pub probe: Option<Probe>,
    /// True if files can be sent with it.
    pub sender: bool,
    /// The service whose rows have its fields.
    pub service: Option<&'static Service>,
    /// True if a profile without an address uses its service's own hosts.
    pub hosted_by_default: bool,
}

impl Kind {
    /// Returns the field with a name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Returns the names of the fields.
    pub(crate) fn field_names(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.fields.iter().map(|field| field.name)
    }

    /// Returns the fields for which other programs use this name, most likely first. `accountId`, `account-id` and
    /// `account_id` are the same name.
    pub(crate) fn fields_by_alias(&self, word: &str) -> impl Iterator<Item = &'static Field> + use<> {
        let (word, service) = (fold(word), self.service);
        let word_of_own = word.clone();
        let listed = move |field: &&Field| {
            let mut names = field.row.into_iter().flat_map(|row| row.names).flat_map(|names| names.words);
            names.any(|name| {
                let name = fold(name);
                word == name || service.is_some_and(|service| service.words.iter().any(|own| word == fold(own) + &name))
            }) || field.aliases.iter().any(|alias| fold(alias) == word)
        };
        // A field's own name in another spelling does not mean another field.
        let own = self.fields.iter().find(|field| fold(field.name) == word_of_own);
        self.fields.iter().filter(move |field| listed(field) && own.is_none_or(|own| own.name == field.name))
    }

    /// Returns `true` if the names of its fields tell which pair a value is of, so that values are grouped by them.
    pub(crate) fn has_named_pairs(&self) -> bool {
        let mut names = self.fields.iter().filter_map(|field| field.row).flat_map(|row| row.names);
        names.any(|names| !names.tuple.is_empty())
    }

    /// Returns `true` if the forms of values tell which pair they belong to.
    pub(crate) fn tells_pairs_apart(&self) -> bool {
        self.pairs.iter().any(|pair| !pair.part.is_empty())
    }

    /// Returns the pair's part that a field holds, and its counterpart.
    pub(crate) fn pair_field(&self, field: &str) -> Option<(&'static PairField, &'static PairField)> {
        self.pairs.iter().find_map(|Pair { id, key, .. }| match field {
            _ if field == id.field => Some((id, key)),
            _ if field == key.field => Some((key, id)),
            _ => None,
        })
    }

    /// Describes the value of a field, to follow "set it to".
    pub(crate) fn describe_value(&self, field: &Field) -> String {
        match (self.pair_field(field.name), field.ty) {
            (Some((half, _)), _) => half.shown_as.to_owned(),
            (_, Type::Id(_)) if field.example.is_empty() => with_article(field.about()),
            (_, Type::Secret(_)) => with_article(field.about()),
            (_, Type::Text) => "plain text".to_owned(),
            _ => format!("a value such as `{}`", field.example),
        }
    }

    /// Returns the other field of a pair.
    pub(crate) fn partner(&self, field: &str) -> Option<&'static str> {
        self.pair_field(field).map(|(_, partner)| partner.field)
    }
}

/// Normalises names of other programs for comparison.
fn fold(word: &str) -> String {
    word.chars().filter(|c| !matches!(c, '-' | '_')).map(|c| c.to_ascii_lowercase()).collect()
}

/// Adds an article to the start of a description.
pub(crate) fn with_article(about: &str) -> String {
    let short = about.split([';', ',']).next().unwrap_or(about);
    match short.split(' ').next() {
        Some("a" | "an" | "the") => short.to_owned(),
        _ => format!("the {short}"),
    }
}

debug!(Kind, |own| "Kind({})", own.name);

// The name identifies a kind.
impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Kind {}

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

/// How a credential is verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Probe {
    /// With methods of the messaging service that take a token.
    Token,
    /// With the storage service's authorization of a key pair.
    Pair,
    /// With `auth.test` of the messaging service, for each token of an app.
    App,
}

/// A field of a profile.
#[derive(Debug)]
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
    /// Its row, if its service has one.
    pub row: Option<&'static services::Field>,
    /// A one-line description in place of the row's.
    pub(super) own_about: &'static str,
    /// The forms of its values in place of the row's.
    pub(super) own_takes: &'static [&'static Form],
    /// Names that other programs use for it, besides those of its service's row. These names are public.
    pub aliases: &'static [&'static str],
    /// An example value; for a list, an example element. Empty for secrets, which are not written literally.
    pub example: &'static str,
}

impl Field {
    /// Returns `true` if it is (part of) a credential.
    pub const fn is_credential(&self) -> bool {
        matches!(self.role, Role::Secret | Role::Identifier)
    }

    /// Returns a one-line description.
    pub fn about(&self) -> &'static str {
        self.row.filter(|_| self.own_about.is_empty()).map_or(self.own_about, |row| row.about)
    }

    /// Returns the forms of its values. A value of unknown form may also be valid.
    pub fn forms(&self) -> &'static [&'static Form] {
        self.row.filter(|_| self.own_takes.is_empty()).map_or(self.own_takes, |row| row.takes)
    }

    /// Returns what its row says about a form that is a mistake there.
    pub fn mistake(&self, form: &'static Form) -> Option<&'static Mistake> {
        self.row?.mistakes.iter().find(|mistake| mistake.forms.contains(&form))
    }
}

/// The type of a field's value. It decides how a value is parsed, and what may be printed.
#[derive(Clone, Copy, Debug)]
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
    pub const fn is_list(self) -> bool {
        matches!(self, Self::Channels)
    }
}

/// The use of an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Address {
    /// credlint sends a credential there: an http or https URL.
    Api,
    /// Other programs use it: a URL, or a host with an optional port.
    Endpoint,
}

/// The kind of a secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
