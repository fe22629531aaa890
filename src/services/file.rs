//! A file of facts about a service: `src/services/NAME.toml`, or that of a user. `build.rs` reads these types, and so does
//! the program.

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::rows::{Class, Completeness, Pair, Protocol, Purpose, ReferenceScope, Serves, Source};

/// A value with its place in the file.
#[derive(Debug)]
pub struct Spanned<T>(toml::Spanned<T>);

impl<T> Spanned<T> {
    /// The value.
    pub fn get_ref(&self) -> &T {
        self.0.get_ref()
    }

    /// Its place.
    pub fn span(&self) -> std::ops::Range<usize> {
        self.0.span()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Spanned<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        toml::Spanned::deserialize(deserializer).map(Self)
    }
}

/// A name of this file, or `service/name` for one of another.
pub type Name = Spanned<String>;

/// The facts about a service.
#[derive(Deserialize)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ServiceFile {
    /// Its name for people.
    pub name: String,
    /// The documentation of its credentials. Empty if only a scanner's list was read.
    #[serde(default)]
    pub docs: String,
    /// The day on which somebody last compared the file with its sources. It never changes a verdict.
    #[serde(default = "first_day")]
    pub read: String,
    /// The version that brought it. From the first published version on, a new one's findings are notes there and get
    /// their severity in the next minor version.
    #[serde(default = "first_version")]
    pub since: String,
    /// The kind of its fields' profiles, if it is not the file's name.
    pub kind: Option<String>,
    /// Where it is among all services: those of the lowest number are tried first.
    #[serde(default)]
    #[allow(dead_code, reason = "build.rs sorts by it")]
    pub order: i8,
    /// The words that name it in the names of variables and tables, longer ones first. Empty for a protocol.
    #[serde(default)]
    pub words: Vec<Name>,
    /// Words directly before these that don't distinguish credentials: `CLOUDFLARE_R2_ACCESS_KEY_ID` is
    /// `R2_ACCESS_KEY_ID`.
    #[serde(default)]
    pub ignored_before: Vec<String>,
    /// How logs name it: its hosts, clients and programs, and words of its own.
    #[serde(default)]
    pub in_logs: Vec<String>,
    /// The names, after one of its words, that programs use for the address of another API.
    #[serde(default)]
    pub api: Vec<String>,
    /// True for a protocol: many services accept values under these names. Only a host next to a value decides, or a
    /// mistake for all of them.
    #[serde(default)]
    pub shared: bool,
    /// The service whose rules for hosts apply to its fields, too.
    pub at_as: Option<Name>,
    /// Where facts were read, by names that rows refer to.
    #[serde(default)]
    pub sources: Rows<Source>,
    /// What several forms have in common; not a form by itself.
    #[serde(default)]
    pub base: Rows<FormRow>,
    /// What its values are, the more specific first.
    #[serde(default)]
    pub form: Rows<FormRow>,
    /// Where its values stand.
    #[serde(default)]
    pub field: Rows<FieldRow>,
    /// The pairs of its profiles, the more usual first.
    #[serde(default)]
    pub pair: Vec<Pair>,
    /// What must hold among the values of one set.
    #[serde(default)]
    pub relation: Vec<Spanned<RelationRow>>,
    /// What its fields accept at certain hosts.
    #[serde(default)]
    pub at: Vec<Spanned<HostRuleRow>>,
    /// Its own hosts. The first row that matches counts.
    #[serde(default)]
    pub host: Vec<Spanned<HostRow>>,
    /// The codes with which it refuses a request, by the advice that they share.
    #[serde(default)]
    pub refusal: Vec<RefusalRow>,
    /// The texts in logs when its credentials don't work.
    #[serde(default)]
    pub error: Vec<Spanned<ErrorRow>>,
    /// What proves the rows.
    #[serde(default)]
    pub examples: ExamplesRow,
}

/// Right set-ups, which must have no finding, and each mistake that is reported. Only tests read them.
#[derive(Deserialize, Default)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ExamplesRow {
    /// Files, in the syntax of `tests/corpus/foreign/`: `=== PATH` begins one, `=> RULE SEVERITY LINE NAME` after it is a
    /// finding that it must have, and `--- TEXT` says where it comes from. The values of a file that ends in `.env` stand
    /// without quotes, because tests also read them in other syntaxes, from standard input and as variables.
    pub files: Option<Spanned<String>>,
}

fn first_day() -> String {
    "2026-11-21".to_owned()
}

fn first_version() -> String {
    "0.1.0".to_owned()
}

/// A source, or the name of one.
pub enum Cited {
    /// A name in `sources`.
    Name(String),
    /// The source itself.
    Source(Source),
}

/// What a value *is*, by its bytes.
#[derive(Deserialize, Default)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct FormRow {
    /// The form or base from which all facts come that are not said here.
    pub like: Option<Name>,
    /// The noun with its article.
    pub noun: Option<String>,
    /// The patterns for the whole value; one of them must match.
    pub patterns: Option<Vec<Spanned<PatternRow>>>,
    /// How its values look. `{x*24}` are 24 characters of a class: `9` digits without 0, `h` and `H` hex digits, `l` small
    /// letters, `C` capitals, `w` small letters and digits, `X` capitals and digits, `x` letters and digits, `u` also `-` and
    /// `_`, `b` also `+` and `/`; `{guid}` is a UUID. No value is anybody's.
    pub sample: Option<Texts>,
    /// Texts that never occur after its literal prefix, such as a second token.
    pub without: Option<Vec<String>>,
    /// Classes of which it has at least one character: a word in capitals is not an ID.
    pub with: Option<Vec<Class>>,
    /// Who issues it, if it is not this service alone: the names of others, or `many`.
    pub issued_by: Option<Texts>,
    /// False if a random value may look like this.
    pub certain: Option<bool>,
    /// True if it may be printed.
    pub public: Option<bool>,
    /// What it is for.
    pub purpose: Option<Purpose>,
    /// The protocol that many services share, if it is a credential of one.
    pub protocol: Option<Protocol>,
    /// Parts that every such value has, in addition to those that its pattern captures.
    pub parts: Option<Rows<String>>,
    /// Describes its prefix, for labels.
    pub looks: Option<String>,
    /// What goes with it, or how it is used.
    pub advice: Option<String>,
    /// The noun in messages about pairs, if it differs.
    pub in_pair: Option<String>,
    /// The keys for which it is not documented whether they are issued with this ID.
    pub unsaid_with: Option<Vec<Name>>,
    /// What a value of this form lacks for a field.
    pub completeness: Option<Completeness>,
    /// The minimum number of characters. A shorter value of the form was not issued like this.
    pub shortest: Option<usize>,
    /// True if its values have several lines or spaces, as JSON and PEM do.
    pub spaced: Option<bool>,
    /// True for any other address at the hosts, which may contain another value.
    pub rest: Option<bool>,
    /// True if it expires within hours, so that a copy in a file soon becomes useless.
    pub expires: Option<bool>,
    /// True for a secret that also belongs in browsers and apps, because its use is limited in another way.
    pub in_browsers: Option<bool>,
    /// Names that programs use for it, each with the programs.
    pub called: Option<Vec<(String, String)>>,
    /// Where this was read.
    pub source: Option<Spanned<Cited>>,
}

/// A pattern for a whole value.
pub enum PatternRow {
    /// A regular expression of ASCII. A named group is a part of the value.
    Text(String),
    /// An address, or a value with JSON in it.
    Table(PatternTable),
}

/// An address, if it has `hosts`; a value with JSON in it, if it has `text`.
#[derive(Deserialize, Default)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct PatternTable {
    /// The hosts: `example.com`, `*.example.com` for those below it, `*` for any; `<project>.example.com` for one label
    /// that is a part of the value.
    pub hosts: Vec<String>,
    /// A regular expression for the path, without the first slash and without empty segments.
    pub path: String,
    /// A regular expression of ASCII, for the whole value. Its group `json` is JSON, or base64 of it.
    pub text: String,
    /// The required keys of the JSON, each with its value or `*` for any. A value is a string, a number, or the first
    /// string of a list.
    pub has: Rows<String>,
    /// Keys whose values are parts of the value, each with the part's name.
    pub parts: Rows<String>,
}

/// A place for a value.
#[derive(Deserialize, Default)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct FieldRow {
    /// The kind of its profile, if it is not that of the file.
    pub kind: Option<String>,
    /// True if no profile has it: it only says what a name means.
    pub hint: bool,
    /// The noun with its article. In a user's file that of its first form, if it is left out.
    pub noun: String,
    /// Where the service shows it, or how it is used, to follow "set it to".
    pub about: String,
    /// What it is for, if that does not follow from its forms.
    pub purpose: Purpose,
    /// The forms that belong there: all that any known reader of its names accepts.
    pub takes: Vec<Name>,
    /// The names that mean it.
    pub names: Vec<Spanned<NamesRow>>,
    /// What people put there by mistake.
    pub mistake: Vec<Spanned<MistakeRow>>,
}

/// Names for the same value.
#[derive(Deserialize)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NamesRow {
    /// Upper-case words that follow the service's.
    pub words: Vec<String>,
    /// Names with the same tuple belong together: `B2_ACCOUNT_ID` with `B2_ACCOUNT_KEY`. Empty if nothing follows from
    /// the name.
    #[serde(default)]
    pub tuple: String,
    /// What may precede the service's word. Empty for anything.
    #[serde(default)]
    pub allowed_prefixes: Vec<String>,
    /// Values of these forms mean something else under these names.
    #[serde(default)]
    pub unless: Vec<Name>,
    /// True if other words may be between the service's word and these, which are specific enough:
    /// `SLACK_ALERTS_BOT_TOKEN`.
    #[serde(default)]
    pub words_between: bool,
    /// In which references of a profile it has the same meaning.
    #[serde(default)]
    pub in_references: ReferenceScope,
    /// False if it means something else in a table that is named after the service.
    #[serde(default = "yes")]
    pub in_tables: bool,
    /// Where this was read.
    pub source: Option<Spanned<Cited>>,
}

fn yes() -> bool {
    true
}

/// Forms in a field where they are reported or documented as a mistake.
#[derive(Deserialize)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MistakeRow {
    /// The forms.
    pub forms: Vec<Name>,
    /// How to repair it.
    pub repair: String,
    /// The source; if it is only reports, a finding is a warning.
    pub source: Option<Spanned<Cited>>,
}

/// What must hold among the values of one set. One of `agree`, `differ`, `needs` and `beside` says which relation it is.
#[derive(Deserialize, Default)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct RelationRow {
    /// The part that must be equal in the values of `fields`.
    pub agree: Option<String>,
    /// The part of `field` that must not be the value of `other`: a bot does not write to itself.
    pub differ: Option<String>,
    /// The field that a value of `form` needs.
    pub needs: Option<Name>,
    /// The field next to which a value of `forms` is wrong in `field`. It counts if its value has a form that belongs
    /// there.
    pub beside: Option<Name>,
    /// The field of the secret that signs the values of `fields`, JWTs with HS256.
    pub signed_by: Option<Name>,
    /// The field whose SHA-256, in hex, is the value of `fields`.
    pub sha256_of: Option<Name>,
    /// The form that needs a field.
    pub form: Option<Name>,
    /// The forms that are wrong.
    pub forms: Vec<Name>,
    /// The noun of the part; what `other` contains, with its article, to precede "in `NAME`"; what `beside` implies, to
    /// follow its name: "goes with a key".
    pub noun: String,
    /// The words that may be printed of the part; for `beside`, the words of its value that count, instead of its forms.
    pub words: Vec<String>,
    /// For `beside`: a part that the value must have, with its word, such as a mode.
    pub holding: Option<(String, String)>,
    /// The fields that agree, or that are made with another one.
    pub fields: Vec<Name>,
    /// The field.
    pub field: Option<Name>,
    /// The field that holds nothing else.
    pub other: Option<Name>,
    /// True if nothing works without it: then it is reported as missing in a process.
    pub whole: bool,
    /// The advice.
    pub advice: String,
    /// The source; if it is only reports, a finding is a warning.
    pub source: Option<Spanned<Cited>>,
}

/// What a field accepts next to an address of these hosts.
#[derive(Deserialize)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HostRuleRow {
    /// `example.com`; `*.example.com` for those below it.
    pub hosts: Vec<String>,
    /// Whose hosts they are, for messages.
    pub whose: String,
    /// The field.
    pub field: Name,
    /// The forms that it accepts there.
    #[serde(default)]
    pub takes: Vec<Name>,
    /// Forms that are wrong there, although the forms alone don't tell whose values they are.
    #[serde(default)]
    pub refuses: Vec<Name>,
    /// Without a host, a value of these forms in the set implies this host.
    #[serde(default)]
    pub beside: Vec<Name>,
    /// The words that it accepts there: a user name that is the same for everybody.
    #[serde(default)]
    pub words: Vec<String>,
    /// True if a value of unknown form is wrong, too.
    #[serde(default)]
    pub only: bool,
    /// The noun for the right value, with its article.
    #[serde(default)]
    pub noun: String,
    /// How to repair it.
    #[serde(default)]
    pub repair: String,
    /// The source; if it is only reports, a finding is a warning.
    pub source: Option<Spanned<Cited>>,
}

/// Hosts of a service, and what they serve.
#[derive(Deserialize)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HostRow {
    /// `example.com`; `*.example.com` for those below it; a `?` is a digit.
    pub hosts: Vec<String>,
    /// The first words of the paths that the row is about. Empty for any path.
    #[serde(default)]
    pub under: Vec<String>,
    /// What is there.
    #[serde(default)]
    pub serves: Serves,
    /// The noun with its article. For an API, the noun for all other pages; empty if there are none.
    #[serde(default)]
    pub noun: String,
    /// The address of the API, if it is one.
    #[serde(default)]
    pub home: String,
    /// Where this was read.
    pub source: Option<Spanned<Cited>>,
}

/// Codes with which a service refuses a request. In the advice, `{credential}`, `{address}`, `{operation}` and
/// `{operations}` stand for those of the request, `{arguments}` for the advice about the argument that the service names,
/// and `{scope}` for the scope that is missing.
#[derive(Deserialize)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RefusalRow {
    /// What to do.
    pub advice: String,
    /// The fields that the codes are about. Without fields, they are not about a credential.
    #[serde(default)]
    pub about: Vec<Name>,
    /// The codes on the wire, each with what it means.
    pub codes: Rows<String>,
}

/// A text with which a service, or a program that uses it, reports a rejected credential.
#[derive(Deserialize)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ErrorRow {
    /// Alternative texts. Words match in order, ignoring case and punctuation; `*` stands for up to twelve words.
    pub texts: Spanned<Vec<String>>,
    /// Words, one of which must be in the surrounding text, because other services have the same text.
    #[serde(default)]
    pub context_words: Vec<String>,
    /// The fields that it is about, most likely first. Without fields and rules, it is not about a credential.
    #[serde(default)]
    pub about: Vec<Name>,
    /// The places of fields of other services that it is also about: `kind/field`.
    #[serde(default)]
    pub others: Vec<Name>,
    /// Words, one of which is in the names of the variables that it is about: only Redis's own for a text of Redis.
    #[serde(default)]
    pub words: Vec<String>,
    /// The rules whose findings explain it, whatever their severity elsewhere. Without fields, they apply to any
    /// credential. Empty for all findings above notes.
    #[serde(default)]
    pub rules: Vec<String>,
    /// True if it repeats a part of an address or a path, which may be a piece of a credential. It is what the first `*`
    /// stands for, or else the next word.
    #[serde(default)]
    pub repeats: bool,
    /// What it means.
    pub meaning: String,
    /// What can't be told from the values, or what to do.
    #[serde(default)]
    pub next_step: String,
    /// Where this was read.
    pub source: Option<Spanned<Cited>>,
}

/// A list of texts, or a single word.
#[derive(Debug)]
pub enum Texts {
    /// The word.
    Word(String),
    /// The list.
    List(Vec<String>),
}

/// A table whose order matters.
pub struct Rows<T>(pub Vec<(Name, T)>);

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// Reads what is either a text, a list or a table.
macro_rules! either {
    ($type:ty, $expected:literal, $text:expr $(, $visit:ident($access:ident: $trait:ident) $value:expr)?) => {
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Either;
                impl<'de> Visitor<'de> for Either {
                    type Value = $type;
                    fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        out.write_str($expected)
                    }
                    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
                        Ok($text(text.to_owned()))
                    }
                    $(fn $visit<A: $trait<'de>>(self, $access: A) -> Result<Self::Value, A::Error> { $value })?
                }
                deserializer.deserialize_any(Either)
            }
        }
    };
}

either!(Cited, "a source or the name of one", Cited::Name, visit_map(table: MapAccess) {
    Source::deserialize(serde::de::value::MapAccessDeserializer::new(table)).map(Cited::Source)
});
either!(PatternRow, "a regular expression or a table", PatternRow::Text, visit_map(table: MapAccess) {
    PatternTable::deserialize(serde::de::value::MapAccessDeserializer::new(table)).map(PatternRow::Table)
});
either!(Texts, "a list of texts or a word", Texts::Word, visit_seq(list: SeqAccess) {
    Vec::deserialize(serde::de::value::SeqAccessDeserializer::new(list)).map(Texts::List)
});

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Rows<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Ordered<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Ordered<T> {
            type Value = Rows<T>;
            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str("a table")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<Rows<T>, A::Error> {
                let mut rows = Vec::new();
                while let Some(row) = table.next_entry::<Name, T>()? {
                    rows.push(row);
                }
                rows.sort_by_key(|(name, _)| name.span().start);
                Ok(Rows(rows))
            }
        }
        deserializer.deserialize_map(Ordered(std::marker::PhantomData))
    }
}
