//! Rows: what is known of services, as the program uses it. `build.rs` writes them as constants, and a file that is read
//! at run time becomes the same.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::shape::Shape;

/// A row that others refer to by its name.
pub trait Named {
    /// What it is, in Rust.
    const TYPE: &'static str;
    /// Its name.
    fn id(&self) -> &'static str;
}

impl Named for Form {
    const TYPE: &'static str = "Form";
    fn id(&self) -> &'static str {
        self.id
    }
}

impl Named for Field {
    const TYPE: &'static str = "Field";
    fn id(&self) -> &'static str {
        self.id
    }
}

/// Writes the name of a row.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
pub fn reference<T: Named, S: Serializer>(row: &&'static T, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_newtype_struct(T::TYPE, row.id())
}

fn references<T: Named, S: Serializer>(rows: &&'static [&'static T], to: S) -> Result<S::Ok, S::Error> {
    struct Reference<T: 'static>(&'static T);
    impl<T: Named> Serialize for Reference<T> {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            reference(&self.0, to)
        }
    }
    to.collect_seq(rows.iter().map(|row| Reference(*row)))
}

/// Writes rows: whole into a document, and by their names into constants, where each has a constant of its own.
fn rows<T: Named + Serialize, S: Serializer>(rows: &&'static [&'static T], to: S) -> Result<S::Ok, S::Error> {
    if to.is_human_readable() { to.collect_seq(*rows) } else { references(rows, to) }
}

/// What is known about a service.
#[derive(Serialize, Debug)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
pub struct Service {
    /// The name of its file and of its page.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// The documentation of its credentials. Empty if only a scanner's list was read.
    pub docs: &'static str,
    /// The day on which somebody last compared the rows with their sources. It never changes a verdict.
    pub read: &'static str,
    /// The version that brought it. From the first published version on, a new one's findings are notes there and get
    /// their severity in the next minor version.
    pub since: &'static str,
    /// The forms of its values, the more specific first.
    #[serde(serialize_with = "rows")]
    pub forms: &'static [&'static Form],
    /// The words that name it in the names of variables and tables, longer ones first. Empty for a protocol.
    pub words: &'static [&'static str],
    /// Words directly before these that don't distinguish credentials: `CLOUDFLARE_R2_ACCESS_KEY_ID` is
    /// `R2_ACCESS_KEY_ID`.
    pub ignored_before: &'static [&'static str],
    /// How logs name it: its hosts, clients and programs, and words of its own.
    pub in_logs: &'static [&'static str],
    /// The names, after one of its words, that programs use for the address of another API.
    pub api: &'static [&'static str],
    /// The fields that hold its values.
    #[serde(serialize_with = "rows")]
    pub fields: &'static [&'static Field],
    /// The pairs of its profiles, the more usual first.
    pub pairs: &'static [Pair],
    /// What must hold among the values of one set.
    pub relations: &'static [Relation],
    /// True for a protocol: many services accept values under these names. Only a host next to a value decides, or a
    /// mistake for all of them.
    pub shared: bool,
    /// What its fields accept at certain hosts.
    pub at: &'static [HostRule],
    /// Its own hosts. The first row that matches counts.
    pub hosts: &'static [Host],
    /// The codes with which it refuses a request, sorted.
    pub refusals: &'static [Refusal],
    /// The texts in logs when its credentials don't work.
    pub errors: &'static [ErrorText],
}

/// A text with which a service, or a program that uses it, reports a rejected credential.
#[derive(Serialize, Debug)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
pub struct ErrorText {
    /// Alternative texts. Words match in order, ignoring case and punctuation; `*` stands for up to twelve words.
    pub texts: &'static [&'static str],
    /// Words, one of which must be in the surrounding text, because other services have the same text.
    pub context_words: &'static [&'static str],
    /// The fields that it is about, most likely first. Without fields and rules, it is not about a credential.
    #[serde(serialize_with = "references")]
    #[cfg_attr(all(test, feature = "cli"), schemars(with = "Vec<String>"))]
    pub about: &'static [&'static Field],
    /// The places of fields of other services that it is also about: their kinds and names.
    pub others: &'static [(&'static str, &'static str)],
    /// Words, one of which is in the names of the variables that it is about. Without fields, it is about all such.
    pub words: &'static [&'static str],
    /// The rules whose findings explain it, whatever their severity elsewhere. Without fields, they apply to any
    /// credential. Empty for all findings above notes.
    pub rules: &'static [&'static str],
    /// True if it repeats a part of an address or a path, which may be a piece of a credential. It is what the first `*`
    /// stands for, or else the next word.
    pub repeats: bool,
    /// True for a code with which the service refuses a request: the next step is what to do.
    pub is_code: bool,
    /// What it means.
    pub meaning: &'static str,
    /// What can't be told from the values, or what to do.
    pub next_step: &'static str,
    /// Where this was read.
    pub source: Source,
}

impl ErrorText {
    /// A row that says nothing.
    pub const EMPTY: Self = Self {
        texts: &[],
        context_words: &[],
        about: &[],
        others: &[],
        words: &[],
        rules: &[],
        repeats: false,
        is_code: false,
        meaning: "",
        next_step: "",
        source: Source::Official(""),
    };
}

/// What a field accepts next to an address of these hosts.
#[derive(Serialize, Debug)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
pub struct HostRule {
    /// `example.com`; `*.example.com` for those below it.
    pub hosts: &'static [&'static str],
    /// Whose hosts they are, for messages.
    pub whose: &'static str,
    /// The field.
    #[serde(serialize_with = "reference")]
    #[cfg_attr(all(test, feature = "cli"), schemars(with = "String"))]
    pub field: &'static Field,
    /// The forms that it accepts there.
    #[serde(serialize_with = "references")]
    #[cfg_attr(all(test, feature = "cli"), schemars(with = "Vec<String>"))]
    pub takes: &'static [&'static Form],
    /// Forms that are wrong there, although the forms alone don't tell whose values they are.
    #[serde(serialize_with = "references")]
    #[cfg_attr(all(test, feature = "cli"), schemars(with = "Vec<String>"))]
    pub refuses: &'static [&'static Form],
    /// Without a host, a value of these forms in the set implies this host.
    #[serde(serialize_with = "references")]
    #[cfg_attr(all(test, feature = "cli"), schemars(with = "Vec<String>"))]
    pub beside: &'static [&'static Form],
    /// The words that it accepts there: a user name that is the same for everybody.
    pub words: &'static [&'static str],
    /// True if a value of unknown form is wrong, too.
    pub only: bool,
    /// The noun for the right value, with its article.
    pub noun: &'static str,
    /// How to repair it.
    pub repair: &'static str,
    /// The source; if it is only reports, a finding is a warning.
    pub source: Source,
}

/// Hosts of a service, and what they serve.
#[derive(Serialize, Debug)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
pub struct Host {
    /// `example.com`; `*.example.com` for those below it; a `?` is a digit.
    pub hosts: &'static [&'static str],
    /// The first words of the paths that the row is about. Empty for any path.
    pub under: &'static [&'static str],
    /// What is there.
    pub serves: Serves,
    /// The noun with its article. For an API, the noun for all other pages; empty if there are none.
    pub noun: &'static str,
    /// The address of the API, if it is one.
    pub home: &'static str,
    /// Where this was read.
    pub source: Source,
}

/// What a host serves.
#[derive(Serialize, Deserialize, Default, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Serves {
    /// The service's own API.
    Api,
    /// An API with Amazon S3's protocol. The `*` of its host stands for the region.
    S3,
    /// One method of the API; not used in rows.
    #[serde(skip_deserializing)]
    Method,
    /// A link to a channel or a message.
    Link,
    /// Pages for people.
    #[default]
    Page,
    /// Files, or messages.
    Other,
}

/// A code with which a service refuses a request. In the advice, `{credential}`, `{address}`, `{operation}` and
/// `{operations}` stand for those of the request, `{arguments}` for the advice about the argument that the service names,
/// and `{scope}` for the scope that is missing.
#[derive(Serialize, Debug)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
pub struct Refusal {
    /// The code on the wire.
    pub code: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// What to do.
    pub advice: &'static str,
}

/// A place for a value.
#[derive(Serialize, Debug)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
pub struct Field {
    /// The name, unique among all: `slack/bot_token`.
    pub id: &'static str,
    /// The kind of its profile and the key there: `storage`, `application_key`. Without a kind, the field is only a
    /// hint.
    pub place: (&'static str, &'static str),
    /// The noun with its article.
    pub noun: &'static str,
    /// Where the service shows it, or how it is used, to follow "set it to".
    pub about: &'static str,
    /// What it is for.
    pub purpose: Purpose,
    /// The forms that belong there: all that any known reader of its names accepts.
    #[serde(serialize_with = "references")]
    #[cfg_attr(all(test, feature = "cli"), schemars(with = "Vec<String>"))]
    pub takes: &'static [&'static Form],
    /// The names that mean it.
    pub names: &'static [Names],
    /// What people put there by mistake.
    pub mistakes: &'static [Mistake],
}

/// Forms in a field where they are reported or documented as a mistake.
#[derive(Serialize, Debug)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
pub struct Mistake {
    /// The forms.
    #[serde(serialize_with = "references")]
    #[cfg_attr(all(test, feature = "cli"), schemars(with = "Vec<String>"))]
    pub forms: &'static [&'static Form],
    /// How to repair it.
    pub repair: &'static str,
    /// The source; if it is only reports, a finding is a warning.
    pub source: Source,
}

// One row for a field at some hosts, although several services may have it.
impl PartialEq for HostRule {
    fn eq(&self, other: &Self) -> bool {
        (self.field, self.hosts, self.whose, self.noun) == (other.field, other.hosts, other.whose, other.noun)
    }
}

impl Eq for HostRule {}

// The place identifies a field.
impl PartialEq for Field {
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place && self.noun == other.noun
    }
}

impl Eq for Field {}

/// Names for the same value.
#[derive(Serialize, Debug)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
pub struct Names {
    /// Upper-case words that follow the service's.
    pub words: &'static [&'static str],
    /// Names with the same tuple belong together: `B2_ACCOUNT_ID` with `B2_ACCOUNT_KEY`. Empty if nothing follows from
    /// the name.
    pub tuple: &'static str,
    /// What may precede the service's word. Empty for anything.
    pub allowed_prefixes: &'static [&'static str],
    /// Values of these forms mean something else under these names.
    #[serde(serialize_with = "references")]
    #[cfg_attr(all(test, feature = "cli"), schemars(with = "Vec<String>"))]
    pub unless: &'static [&'static Form],
    /// True if other words may be between the service's word and these, which are specific enough:
    /// `SLACK_ALERTS_BOT_TOKEN`.
    pub words_between: bool,
    /// In which references of a profile it has the same meaning.
    pub in_references: ReferenceScope,
    /// False if it means something else in a table that is named after the service.
    pub in_tables: bool,
    /// Where this was read.
    pub source: Source,
}

/// A text that lasts as long as the process.
type StaticStr = &'static str;

fn text<'de, D: Deserializer<'de>>(from: D) -> Result<StaticStr, D::Error> {
    Ok(String::deserialize(from)?.leak())
}

fn texts<'de, D: Deserializer<'de>>(from: D) -> Result<&'static [StaticStr], D::Error> {
    let texts = Vec::<String>::deserialize(from)?;
    Ok(texts.into_iter().map(|text| &*text.leak()).collect::<Vec<_>>().leak())
}

/// Two fields that form a key pair.
#[derive(Serialize, Deserialize, Clone, Copy, Debug)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// The ID.
    pub id: PairField,
    /// The key.
    pub key: PairField,
    /// The part `pair` of the forms that go together in it. Empty if no form tells.
    #[serde(default, deserialize_with = "text")]
    pub part: StaticStr,
    /// Fields of other pairs that may be set together with it.
    #[serde(default, deserialize_with = "texts")]
    pub beside: &'static [StaticStr],
    /// The protocol that does not accept it, although the service supports the protocol.
    pub not_for: Option<Protocol>,
    /// True if a new key keeps the ID of the previous key.
    #[serde(default)]
    pub keeps_id: bool,
}

/// One field of a key pair.
#[derive(Serialize, Deserialize, Clone, Copy, Debug)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PairField {
    /// The name of the field.
    #[serde(deserialize_with = "text")]
    pub field: StaticStr,
    /// The noun with its article.
    #[serde(deserialize_with = "text")]
    pub noun: StaticStr,
    /// The label under which the service shows it.
    #[serde(deserialize_with = "text")]
    pub shown_as: StaticStr,
}

/// In which references of a profile a name means the same as in other programs' files.
#[derive(Serialize, Deserialize, Default, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ReferenceScope {
    /// In none.
    #[default]
    Nowhere,
    /// In those with the service's word.
    Referred,
    /// Also in those without it: it is specific enough.
    Alone,
}

/// What must hold among the values of one set.
#[derive(Serialize, Debug)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// Both values have this part, and it must be equal.
    Agree {
        /// The part.
        part: &'static str,
        /// Its noun: "mode".
        noun: &'static str,
        /// The words that may be printed of it.
        words: &'static [&'static str],
        /// The fields.
        #[serde(serialize_with = "references")]
        #[cfg_attr(all(test, feature = "cli"), schemars(with = "Vec<String>"))]
        fields: &'static [&'static Field],
        /// The advice.
        advice: &'static str,
        /// Where this was read.
        source: Source,
    },
    /// Both values have this part, and it must not be equal: a bot does not write to itself.
    Differ {
        /// The part.
        part: &'static str,
        /// The field with the part.
        #[serde(serialize_with = "reference")]
        #[cfg_attr(all(test, feature = "cli"), schemars(with = "String"))]
        field: &'static Field,
        /// The field that holds nothing else.
        #[serde(serialize_with = "reference")]
        #[cfg_attr(all(test, feature = "cli"), schemars(with = "String"))]
        other: &'static Field,
        /// What the other field contains, with its article, to precede "in `NAME`".
        noun: &'static str,
        /// How to repair it.
        advice: &'static str,
        /// The source; if it is only reports, a finding is a warning.
        source: Source,
    },
    /// A value of this form needs another field set.
    Needs {
        /// The form.
        #[serde(serialize_with = "reference")]
        #[cfg_attr(all(test, feature = "cli"), schemars(with = "String"))]
        form: &'static Form,
        /// The field.
        #[serde(serialize_with = "reference")]
        #[cfg_attr(all(test, feature = "cli"), schemars(with = "String"))]
        field: &'static Field,
        /// True if nothing works without it: then it is reported as missing in a process.
        whole: bool,
        /// The advice.
        advice: &'static str,
        /// Where this was read.
        source: Source,
    },
    /// The values of these fields are made with that of another field.
    Made {
        /// How.
        how: Derivation,
        /// The fields.
        #[serde(serialize_with = "references")]
        #[cfg_attr(all(test, feature = "cli"), schemars(with = "Vec<String>"))]
        fields: &'static [&'static Field],
        /// The field of the value that they are made with.
        #[serde(serialize_with = "reference")]
        #[cfg_attr(all(test, feature = "cli"), schemars(with = "String"))]
        with: &'static Field,
        /// The advice.
        advice: &'static str,
        /// The source; if it is only reports, a finding is a warning.
        source: Source,
    },
    /// A value of one of these forms is wrong in a field if another field is set.
    Beside {
        /// The forms.
        #[serde(serialize_with = "references")]
        #[cfg_attr(all(test, feature = "cli"), schemars(with = "Vec<String>"))]
        forms: &'static [&'static Form],
        /// The field.
        #[serde(serialize_with = "reference")]
        #[cfg_attr(all(test, feature = "cli"), schemars(with = "String"))]
        field: &'static Field,
        /// The other field. It counts if its value has a form that belongs there.
        #[serde(serialize_with = "reference")]
        #[cfg_attr(all(test, feature = "cli"), schemars(with = "String"))]
        beside: &'static Field,
        /// The words of the other field's value that count, instead of its forms: those of a flag.
        words: &'static [&'static str],
        /// The part that the value must have, with its word.
        holding: Option<(&'static str, &'static str)>,
        /// What the other field implies, to follow its name: "goes with a key".
        noun: &'static str,
        /// The advice.
        advice: &'static str,
        /// The source; if it is only reports, a finding is a warning.
        source: Source,
    },
}

/// How one value is made with another one.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Derivation {
    /// It is a JWT that is signed with the other one, by HS256.
    Signed,
    /// It is the SHA-256 of the other one, in hex.
    Sha256,
}

/// What a value *is*, by its bytes.
#[derive(Serialize, Debug)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
pub struct Form {
    /// The name, unique among all: `slack/bot-token`.
    pub id: &'static str,
    /// The noun with its article.
    pub noun: &'static str,
    /// The patterns for the whole value; one of them must match.
    pub patterns: &'static [Pattern],
    /// How its values look, as `samples` fills them.
    pub samples: &'static [&'static str],
    /// Texts that never occur after its literal prefix, such as a second token.
    pub without: &'static [&'static str],
    /// Classes of which it has at least one character: a word in capitals is not an ID.
    pub with: &'static [Class],
    /// Who issues it.
    pub issued_by: Issuer,
    /// True if a random value hardly ever looks like this.
    pub certain: bool,
    /// True if it may be printed.
    pub public: bool,
    /// What it is for.
    pub purpose: Purpose,
    /// The protocol that many services share, if it is a credential of one.
    pub protocol: Option<Protocol>,
    /// Parts that every such value has, in addition to those that its pattern captures.
    pub parts: &'static [(&'static str, &'static str)],
    /// Describes its prefix, for labels.
    pub looks: &'static str,
    /// What goes with it, or how it is used. May be empty.
    pub advice: &'static str,
    /// The noun in messages about pairs, if it differs.
    pub in_pair: &'static str,
    /// The keys for which it is not documented whether they are issued with this ID.
    #[serde(serialize_with = "references")]
    #[cfg_attr(all(test, feature = "cli"), schemars(with = "Vec<String>"))]
    pub unsaid_with: &'static [&'static Form],
    /// What a value of this form lacks for a field.
    pub completeness: Completeness,
    /// The minimum number of characters. A shorter value of the form was not issued like this.
    pub shortest: usize,
    /// True if its values have several lines or spaces, as JSON and PEM do.
    pub spaced: bool,
    /// True for any other address at the hosts, which may contain another value.
    pub rest: bool,
    /// True if it expires within hours, so that a copy in a file soon becomes useless.
    pub expires: bool,
    /// True for a secret that also belongs in browsers and apps, because its use is limited in another way.
    pub in_browsers: bool,
    /// Names that programs use for it, each with the programs.
    pub called: &'static [(&'static str, &'static str)],
    /// Where this was read.
    pub source: Source,
}

// The id identifies a form.
impl PartialEq for Form {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Form {}

/// A pattern for a whole value.
#[derive(Serialize, Clone, Copy, Debug)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
pub struct Pattern {
    /// What it says.
    pub expression: Expression,
    /// What can be checked without compiling it.
    pub shape: Shape,
}

/// What a pattern says.
#[derive(Serialize, Clone, Copy, Debug)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Expression {
    /// A regular expression of ASCII, for the whole value. A named group is a part of it.
    Text(&'static str),
    /// An address over http or https.
    Address {
        /// The hosts: `example.com`, `*.example.com` for those below it, `*` for any; `<project>.example.com` for one label
        /// that is a part of the value.
        hosts: &'static [&'static str],
        /// A regular expression for the path, without the first slash and without empty segments.
        path: &'static str,
    },
    /// A value with JSON in it. The group `json` of the regular expression is the JSON itself, or base64 of it, with either
    /// alphabet: `(?<json>eyJ[0-9A-Za-z_-]+)`.
    Json {
        /// A regular expression of ASCII, for the whole value.
        text: &'static str,
        /// The required keys, each with its value or `*` for any. A value is a string, a number, or the first string of
        /// a list.
        has: &'static [(&'static str, &'static str)],
        /// Keys whose values are parts of the value, each with the part's name.
        parts: &'static [(&'static str, &'static str)],
    },
}

/// A class of characters.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// `0` to `9`.
    Digit,
    /// `a` to `z`.
    Lower,
    /// `A` to `Z`.
    Upper,
}

/// Who issues a form.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Issuer {
    /// This service alone.
    This,
    /// This service and these others.
    Several(&'static [&'static str]),
    /// Many: nothing follows from the form alone.
    Many,
}

/// What a form is for, in the sets of its service.
#[derive(Serialize, Deserialize, Default, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// The ID of a pair.
    Id,
    /// The key of a pair.
    Key,
    /// A token that calls the service's methods.
    AccessToken,
    /// Another kind of token.
    OtherToken,
    /// An address that accepts messages, or a part of one.
    Webhook,
    /// The ID and the key of a pair in one value.
    Pair,
    /// Either the ID or the key of a pair: the other one's name tells which.
    Half,
    /// The address that a pair is used at.
    Endpoint,
    /// The path of a file with a credential. Some programs also accept the content.
    Path,
    /// A value that each program reads in its own way: an address, a path or the content. Only mistakes are reported.
    Any,
    /// A name that is not a credential, such as an organization's.
    Name,
    /// Anything else.
    #[default]
    Other,
}

/// What a value lacks.
#[derive(Serialize, Deserialize, Default, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Completeness {
    /// Nothing.
    #[default]
    Whole,
    /// A part that some programs add themselves.
    Piece,
    /// A part that can't be added.
    Short,
}

/// A protocol that many services share.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// Amazon S3's: an access key ID and a secret access key.
    S3,
    /// The messages of Slack's incoming webhooks.
    SlackWebhook,
}

/// The source of a fact, and how reliable it is.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(all(test, feature = "cli"), derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The service's own documentation or code.
    Official(#[serde(deserialize_with = "text")] StaticStr),
    /// Published examples and reports.
    Example(#[serde(deserialize_with = "text")] StaticStr),
    /// The list of a secret scanner.
    Scanner(#[serde(deserialize_with = "text")] StaticStr),
    /// Reports of a mistake that is right for some reader: a note.
    Unsure(#[serde(deserialize_with = "text")] StaticStr),
}

impl Source {
    /// Returns `true` for what the service itself says.
    pub const fn is_official(self) -> bool {
        matches!(self, Self::Official(_))
    }

    /// Returns the address or title.
    pub const fn place(self) -> &'static str {
        match self {
            Self::Official(place) | Self::Example(place) | Self::Scanner(place) | Self::Unsure(place) => place,
        }
    }
}
