//! What is known of each service, as rows: one file a service, which holds data and no logic.
//!
//! A fact stands here once, with its source. `form` recognises values by these rows; fields, names and messages refer to
//! them.

/// What is known of a service.
#[derive(Debug)]
#[non_exhaustive]
pub struct Service {
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
    pub forms: &'static [&'static Form],
    /// The words that name it in the names of variables and tables, longer ones first. Empty for a protocol.
    pub words: &'static [&'static str],
    /// Words before those that belong to no credential's own name: `MASTER_B2_KEY` and `B2_KEY_ID`.
    pub aside: &'static [&'static str],
    /// The names, behind one of its words, under which programs take the address of its API instead of its own.
    pub api: &'static [&'static str],
    /// Where its values stand. Those of one field's names are compared as words.
    pub fields: &'static [&'static Field],
    /// The pairs of its profiles, the more usual first.
    pub pairs: &'static [Pair],
    /// What must hold among the values of one set.
    pub relations: &'static [Relation],
    /// True for a protocol: many services take values under these names. Only a host beside a value decides, or a mistake
    /// that is one at any of them.
    pub shared: bool,
    /// What its fields take at certain hosts.
    pub at: &'static [At],
    /// Its own hosts. The first row that matches counts.
    pub hosts: &'static [Host],
    /// The codes with which it refuses a request, sorted.
    pub refusals: &'static [Refusal],
    /// What stands in a log when its credentials don't work.
    pub errors: &'static [ErrorText],
}

/// A text with which a service, or a program that uses it, says that it was refused.
#[derive(Debug)]
#[non_exhaustive]
pub struct ErrorText {
    /// The words that stay, in their order and without regard to case and punctuation; a `*` is up to twelve others. One of
    /// these texts.
    pub texts: &'static [&'static str],
    /// Words, one of which must be in the text around it: others have the same text.
    pub near: &'static [&'static str],
    /// Hosts, one of which must be next to it: the text is a mere status.
    pub hosts: &'static [&'static str],
    /// The fields that it is about, the likelier first. Without fields and rules, it is about no credential.
    pub about: &'static [&'static Field],
    /// The places of fields of other services that it is also about: their kinds and names.
    pub others: &'static [(&'static str, &'static str)],
    /// The rules whose findings explain it, whatever they weigh elsewhere. Without fields, for any credential: what is
    /// around a value breaks it anywhere. Empty for all that are no mere notes.
    pub rules: &'static [&'static str],
    /// What it says, in words.
    pub says: &'static str,
    /// What the bytes of the values don't tell, or what to do.
    pub open: &'static str,
    /// Where this was read.
    pub source: Source,
}

/// What a field takes beside an address of these hosts.
#[derive(Debug)]
#[non_exhaustive]
pub struct At {
    /// `example.com`; `*.example.com` for those below it.
    pub hosts: &'static [&'static str],
    /// Whose they are, for people.
    pub whose: &'static str,
    /// The field.
    pub field: &'static Field,
    /// The forms that it takes there.
    pub takes: &'static [&'static Form],
    /// Forms that are wrong there, although their rows alone don't tell whose values they are.
    pub refuses: &'static [&'static Form],
    /// Without a host, a value of these forms in the set says that it is for this one.
    pub beside: &'static [&'static Form],
    /// The words that it takes there: a user name that is the same for everybody.
    pub words: &'static [&'static str],
    /// True if a value of unknown form is wrong, too.
    pub only: bool,
    /// The noun of what belongs there, with its article.
    pub noun: &'static str,
    /// How to repair it.
    pub repair: &'static str,
    /// Where this was read: what only reports say is a warning.
    pub source: Source,
}

/// Hosts of a service, and what they serve.
#[derive(Debug)]
#[non_exhaustive]
pub struct Host {
    /// `example.com`; `*.example.com` for those below it; a `?` is a digit.
    pub hosts: &'static [&'static str],
    /// The first words of the paths that the row is about. Empty for any path.
    pub under: &'static [&'static str],
    /// What is there.
    pub serves: Serves,
    /// The noun with its article. At an API it is that of all other pages; empty if there are none.
    pub noun: &'static str,
    /// The address of the API, if it is one.
    pub home: &'static str,
    /// Where this was read.
    pub source: Source,
}

/// What a host serves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Serves {
    /// The service's own API.
    Api,
    /// An API that speaks Amazon S3's protocol. The `*` of its host stands for the region.
    S3,
    /// One method of the API. No row says so.
    Method,
    /// A link to a channel or a message.
    Link,
    /// Pages for people.
    Page,
    /// Files, or messages.
    Other,
}

/// A code with which a service refuses a request: the code on the wire, what it means, and what to do. In the last one,
/// `{credential}`, `{address}`, `{operation}` and `{operations}` stand for those of the request.
#[derive(Debug)]
pub struct Refusal(pub &'static str, pub &'static str, pub &'static str);

/// Where a value *stands*.
#[derive(Debug)]
#[non_exhaustive]
pub struct Field {
    /// The kind of its profile and the key there: `storage`, `application_key`. Without a kind it only gives a hint.
    pub place: (&'static str, &'static str),
    /// The noun with its article.
    pub noun: &'static str,
    /// Where the service shows it, or how it is used, to follow "set it to".
    pub about: &'static str,
    /// What it is for, if its forms don't say it.
    purpose: Purpose,
    /// The forms that belong there: all that any known reader of its names takes.
    pub takes: &'static [&'static Form],
    /// The names that mean it.
    pub names: &'static [Names],
    /// What people put there by mistake.
    pub mistakes: &'static [Mistake],
}

/// Forms in a field where they are reported or documented as a mistake.
#[derive(Debug)]
#[non_exhaustive]
pub struct Mistake {
    /// The forms.
    pub forms: &'static [&'static Form],
    /// How to repair it.
    pub repair: &'static str,
    /// Where this was read: what only reports say is a warning.
    pub source: Source,
}

// One row for a field at a host.
impl PartialEq for At {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for At {}

// The place identifies a field; two of one purpose and noun take the same values.
impl PartialEq for Field {
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place && self.noun == other.noun
    }
}

impl Eq for Field {}

/// Names for the same value.
#[derive(Debug)]
#[non_exhaustive]
pub struct Names {
    /// Upper-case words that follow the service's.
    pub words: &'static [&'static str],
    /// Names of one tuple go together: `B2_ACCOUNT_ID` with `B2_ACCOUNT_KEY`. Empty if nothing follows from the name.
    pub tuple: &'static str,
    /// What may stand before the service's word. Empty for anything.
    pub behind: &'static [&'static str],
    /// Values of these forms mean something else under these names.
    pub unless: &'static [&'static Form],
    /// True if other words may stand between the service's and these, which are specific enough: `SLACK_ALERTS_BOT_TOKEN`.
    pub apart: bool,
    /// In which references of a profile it means the same.
    pub also: Also,
    /// False if it means something else in a table that is named after the service.
    pub within: bool,
    /// Where this was read.
    pub source: Source,
}

/// Two fields that form a key pair.
#[derive(Debug)]
#[non_exhaustive]
pub struct Pair {
    /// The ID.
    pub id: PairField,
    /// The key.
    pub key: PairField,
    /// The part `pair` of the forms that go together in it. Empty if no form tells.
    pub part: &'static str,
    /// Fields of other pairs that rightly stand beside it.
    pub beside: &'static [&'static str],
    /// The protocol that does not take it, although the service speaks it.
    pub not_for: Option<Protocol>,
    /// True if a new key has the ID of the key before.
    pub keeps_id: bool,
}

/// One field of a key pair.
#[derive(Debug)]
#[non_exhaustive]
pub struct PairField {
    /// The name of the field.
    pub field: &'static str,
    /// The noun with its article.
    pub noun: &'static str,
    /// The label under which the service shows it.
    pub shown_as: &'static str,
}

/// In which references of a profile a name means the same as in other programs' files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Also {
    /// In none.
    Nowhere,
    /// In those with the service's word.
    Referred,
    /// In those without it, too: it is specific enough.
    Alone,
}

/// What must hold among the values of one set.
#[derive(Debug)]
#[non_exhaustive]
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
        field: &'static Field,
        /// The field that holds nothing else.
        other: &'static Field,
        /// What stands in the other field, with its article, to precede "in `NAME`".
        noun: &'static str,
        /// How to repair it.
        repair: &'static str,
        /// Where this was read: what only reports say is a warning.
        source: Source,
    },
    /// A value of this form needs another field set.
    Needs {
        /// The form.
        form: &'static Form,
        /// The field.
        field: &'static Field,
        /// True if nothing can work without it: then it is missed in a process also if nothing sets it.
        whole: bool,
        /// The advice.
        advice: &'static str,
        /// Where this was read.
        source: Source,
    },
    /// A value of one of these forms is wrong in a field while another field is set.
    Beside {
        /// The forms.
        forms: &'static [&'static Form],
        /// The field.
        field: &'static Field,
        /// The other field. It counts if its value has a form that belongs there.
        beside: &'static Field,
        /// What the other field shows, to follow its name: "goes with a key".
        noun: &'static str,
        /// The advice.
        advice: &'static str,
        /// Where this was read: what only reports say is a warning.
        source: Source,
    },
}

/// What a value *is*, by its bytes.
#[derive(Debug)]
#[non_exhaustive]
pub struct Form {
    /// The name, unique among all: `slack/bot-token`.
    pub id: &'static str,
    /// The noun with its article.
    pub noun: &'static str,
    /// What the whole value looks like: one of these.
    pub patterns: &'static [Pattern],
    /// What stands nowhere behind its literal beginning: a second token.
    pub without: &'static [&'static str],
    /// What it has at least one of: a word in capitals is no ID.
    pub with: &'static [Class],
    /// Who issues it.
    pub issued_by: Issuer,
    /// True if a chance value hardly ever looks like this.
    pub certain: bool,
    /// True if it may be printed.
    pub public: bool,
    /// What it is for.
    pub purpose: Purpose,
    /// The protocol that many services share, if it is a credential of one.
    pub protocol: Option<Protocol>,
    /// What every such value says, besides what its pattern captures.
    pub parts: &'static [(&'static str, &'static str)],
    /// What its beginning looks like, for labels.
    pub looks: &'static str,
    /// What goes with it, or how it is used. Empty if nothing needs to be said.
    pub advice: &'static str,
    /// The noun among the values of several pairs, if another is needed there.
    pub in_pair: &'static str,
    /// The keys of which nobody says whether they are issued with this ID.
    pub unsaid_with: &'static [&'static Form],
    /// What is missing of what belongs in a field.
    pub cut: Cut,
    /// The least number of characters. A shorter value of the form is none that was issued.
    pub shortest: usize,
    /// True if its values have several lines or blanks, as JSON and PEM have.
    pub spaced: bool,
    /// True for whatever else is at the hosts: a value with something more inside may be that.
    pub rest: bool,
    /// True if it ends within hours, so that a copy in a file is useless soon.
    pub expires: bool,
    /// True for a secret that also belongs in browsers and apps, where something else than its secrecy limits its use.
    pub in_browsers: bool,
    /// Names that programs have for it, each with the programs.
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

/// What a whole value looks like.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Pattern {
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
        /// What stands in it: a key, with its value or `*` for any. A string, a number, or the first string of a list.
        has: &'static [(&'static str, &'static str)],
        /// Keys whose values are parts of the value, each with the part's name.
        parts: &'static [(&'static str, &'static str)],
    },
}

/// A class of characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Class {
    /// `0` to `9`.
    Digit,
    /// `a` to `z`.
    Lower,
    /// `A` to `Z`.
    Upper,
}

/// Who issues a form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Issuer {
    /// This service alone.
    This,
    /// This service and these others.
    Several(&'static [&'static str]),
    /// Many: nothing follows from the form alone.
    Many,
}

/// What a form is for, in the sets of its service.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Purpose {
    /// The public half of a pair.
    Id,
    /// The secret half of a pair.
    Key,
    /// A token that calls the service's methods.
    AccessToken,
    /// Another kind of token.
    OtherToken,
    /// An address that takes messages, or a part of one.
    Webhook,
    /// Both halves of a pair in one value.
    Pair,
    /// Either half: the other half's name tells which.
    Half,
    /// The address that a pair is used at.
    Endpoint,
    /// The path of a file with a credential. Some programs take the content, too.
    Path,
    /// What each program reads in its own way: an address, a path or the content. Only mistakes are told.
    Any,
    /// A name that is no credential: that of an organization.
    Name,
    /// Anything else.
    Other,
}

/// What is missing of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Cut {
    /// Nothing.
    Whole,
    /// What some programs add themselves.
    Piece,
    /// What nobody can add.
    Short,
}

/// A protocol that many services share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Protocol {
    /// Amazon S3's: an access key ID and a secret access key.
    S3,
    /// The messages of Slack's incoming webhooks.
    SlackWebhook,
}

/// Where a fact was read, and what that is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Source {
    /// The service's own documentation or code.
    Official(&'static str),
    /// Published examples and reports.
    Example(&'static str),
    /// The list of a secret scanner.
    Scanner(&'static str),
    /// Reports of a mistake that is right for some reader: a note.
    Unsure(&'static str),
}

impl Source {
    /// Returns `true` for what the service itself says.
    #[must_use]
    pub const fn is_official(self) -> bool {
        matches!(self, Self::Official(_))
    }

    /// Returns the address or title.
    #[must_use]
    pub const fn place(self) -> &'static str {
        match self {
            Self::Official(place) | Self::Example(place) | Self::Scanner(place) | Self::Unsure(place) => place,
        }
    }
}

/// Rows without facts, to be completed.
const BLANK: Service = Service {
    name: "",
    docs: "",
    read: "2026-11-21",
    since: "0.1.0",
    forms: &[],
    words: &[],
    aside: &[],
    api: &[],
    fields: &[],
    pairs: &[],
    relations: &[],
    shared: false,
    at: &[],
    hosts: &[],
    refusals: &[],
    errors: &[],
};

/// The row of a text without facts. Programs have such rows, too.
pub const ERROR: ErrorText = ErrorText {
    texts: &[],
    near: &[],
    hosts: &[],
    about: &[],
    others: &[],
    rules: &[],
    says: "",
    open: "",
    source: Source::Official(""),
};

/// How clients write the status of an answer that refuses a credential.
const UNAUTHORIZED: &[&str] = &[
    "401 Unauthorized", "401 Client Error", "HTTP 401", "HTTP/1.1 401", "HTTP/2 401", "status 401", "status code 401",
    "status_code 401", "response code 401", "error 401", "code 401", "returned 401", "responded with 401",
];

const AT: At = At {
    hosts: &[],
    whose: "",
    field: &NO_FIELD,
    takes: &[],
    refuses: &[],
    beside: &[],
    words: &[],
    only: false,
    noun: "",
    repair: "",
    source: Source::Official(""),
};

static NO_FIELD: Field = FIELD;

const HOST: Host =
    Host { hosts: &[], under: &[], serves: Serves::Page, noun: "", home: "", source: Source::Official("") };

const FIELD: Field =
    Field { place: ("", ""), noun: "", about: "", purpose: Purpose::Other, takes: &[], names: &[], mistakes: &[] };

const FORM: Form = Form {
    id: "",
    noun: "",
    patterns: &[],
    without: &[],
    with: &[],
    issued_by: Issuer::This,
    certain: true,
    public: false,
    purpose: Purpose::Other,
    protocol: None,
    parts: &[],
    looks: "",
    advice: "",
    in_pair: "",
    unsaid_with: &[],
    cut: Cut::Whole,
    shortest: 0,
    spaced: false,
    rest: false,
    expires: false,
    in_browsers: false,
    called: &[],
    source: Source::Official(""),
};

/// A secret scanner's list, for forms that the issuer does not document.
const GITLEAKS: Source = Source::Scanner("https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml");
/// Two other lists, for forms that are missing from that one.
const TRUFFLEHOG: Source = Source::Scanner("https://github.com/trufflesecurity/trufflehog/tree/main/pkg/detectors");
const KINGFISHER: Source = Source::Scanner("https://github.com/mongodb/kingfisher/tree/main/data/rules");

/// Returns the names of the services whose credentials are recognised by their names, sorted.
#[cfg(feature = "cli")]
pub fn known() -> Vec<&'static str> {
    let named = SERVICES.iter().filter(|service| !service.words.is_empty() && !service.fields.is_empty());
    let mut names: Vec<&str> = named.map(|service| service.name).collect();
    names.sort_unstable();
    names
}

/// What the files of rows are written in.
mod prelude {
    pub(super) use super::Pattern::{Address, Json, Text};
    pub(super) use super::Source::{Example, Official, Scanner, Unsure};
    pub(super) use super::{
        AT, Also, At, BLANK, Class, Cut, ERROR, ErrorText, FIELD, FORM, Field, Form, GITLEAKS, HOST, Host, Issuer,
        KINGFISHER, Mistake, Names, Pair, PairField, Protocol, Purpose, Refusal, Relation, Serves, Service, Source,
        TRUFFLEHOG, UNAUTHORIZED,
    };
}

impl Names {
    /// Names that follow the service's word, and nothing else.
    const fn of(words: &'static [&'static str], source: Source) -> Self {
        let (behind, unless): (&[_], &[_]) = (&[], &[]);
        Self { words, tuple: "", behind, unless, apart: false, also: Also::Nowhere, within: true, source }
    }

    /// Names that are specific enough for other words before them.
    const fn apart(words: &'static [&'static str], source: Source) -> Self {
        Self { apart: true, ..Self::of(words, source) }
    }
}

impl PairField {
    const fn of(field: &'static str, noun: &'static str, shown_as: &'static str) -> Self {
        Self { field, noun, shown_as }
    }
}

impl Field {
    /// Returns what it is for.
    #[must_use]
    pub const fn purpose(&self) -> Purpose {
        match (self.purpose, self.takes) {
            (Purpose::Other, [form, ..]) => form.purpose,
            (purpose, _) => purpose,
        }
    }

    /// Returns the forms that mean something else under some of its names.
    #[must_use]
    pub fn unless(&self) -> &'static [&'static Form] {
        self.names.iter().map(|names| names.unless).find(|unless| !unless.is_empty()).unwrap_or_default()
    }

    /// Returns `true` unless everything that belongs there may be printed.
    #[must_use]
    pub fn is_secret(&self) -> bool {
        self.takes.is_empty() || self.takes.iter().any(|form| !form.public)
    }
}

impl Pair {
    const fn of(id: PairField, key: PairField) -> Self {
        Self { id, key, part: "", beside: &[], not_for: None, keeps_id: false }
    }

    /// Returns `true` if the S3-compatible API takes it.
    #[must_use]
    pub fn is_taken_by_s3(&self) -> bool {
        !self.is_refused_by_s3()
    }

    /// Returns `true` if the S3-compatible API does not take it.
    #[must_use]
    pub fn is_refused_by_s3(&self) -> bool {
        self.not_for == Some(Protocol::S3)
    }
}

impl Host {
    /// Returns `true` if the row is about this host.
    #[must_use]
    pub fn has(&self, host: &str) -> bool {
        self.hosts.iter().any(|known| in_place_of_star(known, host).is_some())
    }

    /// Returns what stands in the place of the `*`, if that is a single label.
    #[must_use]
    pub fn label<'a>(&self, host: &'a str) -> Option<&'a str> {
        let found = self.hosts.iter().find_map(|known| in_place_of_star(known, host))?;
        (!found.is_empty() && !found.contains('.')).then_some(found)
    }
}

/// Returns what stands in the place of the `*` of a host's row, or nothing if the row has none. `None` for another host.
pub fn in_place_of_star<'a>(known: &str, host: &'a str) -> Option<&'a str> {
    if let Some((before, behind)) = known.split_once('*') {
        return host.strip_prefix(before)?.strip_suffix(behind);
    }
    let same = |(known, byte): (u8, u8)| known == byte || known == b'?' && byte.is_ascii_digit();
    (known.len() == host.len() && known.bytes().zip(host.bytes()).all(same)).then_some("")
}

impl Service {
    /// Returns the word that stands for it in names: the shortest of its name, or of all.
    #[must_use]
    pub fn word(&self) -> &'static str {
        let name = self.name.to_uppercase().replace(' ', "_");
        // `DATABASE` of databases, `B2` of Backblaze B2.
        let own = self.words.iter().rev().find(|word| name.starts_with(**word) || name.ends_with(**word));
        own.or(self.words.last()).copied().unwrap_or_default()
    }

    /// Returns the variables of a row, whole.
    pub fn spelled(&self, names: &'static Names) -> impl Iterator<Item = String> {
        let word = self.word();
        names.words.iter().map(move |name| if word.is_empty() { (*name).to_owned() } else { format!("{word}_{name}") })
    }

    /// Returns the name of its page: that of its forms, or its own in lower case.
    #[must_use]
    pub fn id(&self) -> String {
        let form = self.forms.first().and_then(|form| form.id.split('/').next());
        form.map_or_else(|| self.name.to_lowercase().replace(' ', "-"), str::to_owned)
    }

    /// Returns the row about an address. `path` has no slash at its beginning.
    #[must_use]
    pub fn host(&self, host: &str, path: &str) -> Option<&'static Host> {
        let first = path.split('/').next().unwrap_or_default();
        self.hosts.iter().find(|row| row.has(host) && (row.under.is_empty() || row.under.contains(&first)))
    }

    /// Returns `true` if it serves its API at a host.
    #[must_use]
    pub fn is_at(&self, host: &str) -> bool {
        self.hosts.iter().any(|row| row.serves == Serves::Api && row.has(host))
    }

    /// Returns the address of the API for somebody who has an address at this host.
    #[must_use]
    pub fn home(&self, host: &str) -> &'static str {
        let mut apis = self.hosts.iter().filter(|row| row.serves == Serves::Api);
        let first = apis.clone().next();
        apis.find(|row| row.has(host)).or(first).map_or("", |row| row.home)
    }
}

impl Form {
    /// What every form says.
    const fn of(id: &'static str, noun: &'static str, patterns: &'static [Pattern], source: Source) -> Self {
        Self { id, noun, patterns, source, ..FORM }
    }

    /// Returns the service whose row it is.
    #[must_use]
    pub fn service(&self) -> &'static Service {
        let own = |service: &&&'static Service| service.forms.contains(&self);
        SERVICES.iter().find(own).copied().unwrap_or(SERVICES[0])
    }

    /// Returns who issues it, if that is known.
    #[must_use]
    pub fn issuers(&self) -> Option<String> {
        let own = self.service().name;
        match self.issued_by {
            // Whoever makes a private key.
            _ if own.is_empty() => None,
            Issuer::This => Some(own.to_owned()),
            Issuer::Several(others) => Some([&[own], others].concat().join(" or ")),
            Issuer::Many => None,
        }
    }

    /// Returns `true` for a credential, or part of one, that must not be printed.
    #[must_use]
    pub const fn is_secret(&self) -> bool {
        !self.public
    }

    /// Returns `true` for a secret that browsers must not get.
    #[must_use]
    pub fn is_exposed(&self) -> bool {
        self.certain && self.is_secret() && !self.in_browsers
    }

    /// Returns `true` if the form alone tells whose value it is, or that it is of one of a few.
    #[must_use]
    pub fn is_told(&self) -> bool {
        self.certain && self.issued_by != Issuer::Many
    }

    /// Returns `true` if its values are addresses, of any scheme.
    #[must_use]
    pub fn is_address(&self) -> bool {
        let is = |pattern: &Pattern| match pattern {
            Pattern::Address { .. } => true,
            Pattern::Text(text) | Pattern::Json { text, .. } => text.contains("://"),
        };
        self.patterns.iter().any(is)
    }

    /// Returns `true` for the key of a pair.
    #[must_use]
    pub fn is_key(&self) -> bool {
        self.purpose == Purpose::Key
    }

    /// Returns `true` for the ID of a pair.
    #[must_use]
    pub fn is_id(&self) -> bool {
        self.purpose == Purpose::Id
    }

    /// Returns `true` for a token that may call the service's methods.
    #[must_use]
    pub fn is_access_token(&self) -> bool {
        self.purpose == Purpose::AccessToken
    }

    /// Returns `true` for a token that does not call the service's methods.
    #[must_use]
    pub fn is_other_token(&self) -> bool {
        self.purpose == Purpose::OtherToken
    }

    /// Returns `true` for a part of what belongs in a field.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.cut != Cut::Whole
    }

    /// Returns `true` for both halves of a pair in one value.
    #[must_use]
    pub fn is_whole_pair(&self) -> bool {
        self.purpose == Purpose::Pair
    }

    /// Returns the pair that it is always a half of.
    #[must_use]
    pub fn pair(&self) -> Option<&'static str> {
        self.parts.iter().find(|(name, _)| *name == "pair").map(|(_, pair)| *pair)
    }

    /// Returns `true` for a webhook or part of one.
    #[must_use]
    pub fn is_webhook(&self) -> bool {
        self.purpose == Purpose::Webhook
    }
}

pub mod age;
pub mod anthropic;
pub mod atlassian;
pub mod auth0;
pub mod aws;
pub mod azure;
pub mod backblaze;
pub mod brevo;
pub mod buildkite;
pub mod circleci;
pub mod clerk;
pub mod cloudflare;
pub mod cloudflared;
pub mod crates_io;
pub mod database;
pub mod databricks;
pub mod datadog;
pub mod digitalocean;
pub mod discord;
pub mod docker;
pub mod doppler;
pub mod dynatrace;
pub mod figma;
pub mod fly;
pub mod github;
pub mod gitlab;
pub mod google;
pub mod grafana;
pub mod groq;
pub mod hcp_terraform;
pub mod heroku;
pub mod hugging_face;
pub mod langsmith;
pub mod linear;
pub mod mailgun;
pub mod many;
pub mod mapbox;
pub mod mattermost;
pub mod new_relic;
pub mod notion;
pub mod npm;
pub mod one_password;
pub mod openai;
pub mod openrouter;
pub mod planetscale;
pub mod posthog;
pub mod postman;
pub mod pulumi;
pub mod pypi;
pub mod r2;
pub mod rails;
pub mod registry;
pub mod replicate;
pub mod resend;
pub mod rubygems;
pub mod s3;
pub mod s3_names;
pub mod scaleway;
pub mod sendgrid;
pub mod sentry;
pub mod shopify;
pub mod slack;
pub mod smtp;
pub mod spaces;
pub mod square;
pub mod stripe;
pub mod supabase;
pub mod tailscale;
pub mod teams;
pub mod telegram;
pub mod tigris;
pub mod twilio;
pub mod upstash;
pub mod vault;

// What `just new-service` copies, compiled here.
#[cfg(test)]
mod template;

macro_rules! services {
    ($($name:ident),+ $(,)?) => {
        /// All services.
        pub static SERVICES: &[&Service] = &[$(&$name::SERVICE),+];
    };
}

services! {
    slack, backblaze, age, anthropic, atlassian, auth0, aws, azure, brevo, buildkite, circleci, clerk, cloudflare, cloudflared, crates_io, database, databricks, datadog, digitalocean, discord, docker, doppler, dynatrace, figma, fly, github, gitlab, google, grafana, groq, hcp_terraform, heroku, hugging_face, langsmith, linear, mailgun, mapbox, mattermost, new_relic, notion, npm, one_password, openai, openrouter, planetscale, posthog, postman, pulumi, pypi, r2, rails, registry, replicate, resend, rubygems, s3, s3_names, scaleway, sendgrid, sentry, shopify, smtp, spaces, square, stripe, supabase, tailscale, teams, telegram, tigris, twilio, upstash, vault, many,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Vec<u32> {
        text.split('.').map(|number| number.parse().expect("a number")).collect()
    }

    #[test]
    fn a_row_of_hosts_has_stars_and_digits() {
        for (known, host, found) in [
            ("api.*.example", "api.eu.example", Some("eu")),
            ("api.*.example", "api.example", None),
            ("f00?.example", "f007.example", Some("")),
            ("f00?.example", "f00x.example", None),
            ("f00?.example", "f0077.example", None),
            ("fab.example", "f1b.example", None),
        ] {
            assert_eq!(in_place_of_star(known, host), found, "{known} {host}");
        }
    }

    #[test]
    fn a_form_knows_its_issuers_and_whether_it_is_an_address() {
        assert_eq!(slack::BOT_TOKEN.issuers().as_deref(), Some("Slack"));
        assert_eq!((many::PRIVATE_KEY.issuers(), many::HEX_32.issuers()), (None, None));
        assert!(slack::WEBHOOK.is_address() && !slack::BOT_TOKEN.is_address());
        let addresses = SERVICES.iter().flat_map(|service| service.forms).filter(|form| form.is_address());
        assert!(addresses.clone().any(|form| matches!(form.patterns, [Pattern::Text(_)])));
    }

    #[test]
    fn rows_are_whole() {
        let own = version(env!("CARGO_PKG_VERSION"));
        for service in SERVICES.iter().copied().chain([&template::SERVICE]) {
            let name = service.name;
            assert!(version(service.since) <= own, "{name}: no version to come");
            assert!(service.words.is_sorted_by_key(|word| std::cmp::Reverse(word.len())), "{name}: longer words first");
            // Rules call what is cut a part of a webhook's address.
            assert!(service.forms.iter().all(|form| !form.is_cut() || form.is_webhook()), "{name}");
            for field in service.fields {
                assert!(!field.noun.is_empty() && !field.names.is_empty(), "{name}: {field:?}");
                let places = service.fields.iter().filter(|other| other.place == field.place);
                assert!(field.place.0.is_empty() || places.count() == 1, "{name}: {:?}", field.place);
                assert_eq!(field.place.0.is_empty(), field.about.is_empty(), "{name}: {}", field.noun);
                for names in field.names {
                    assert!(names.source.place().starts_with("https://"), "{name}: {:?}", names.words);
                    let shouted = |word: &&str| {
                        word.bytes().all(|byte| byte.is_ascii_uppercase() || b"_0123456789".contains(&byte))
                    };
                    assert!(names.words.iter().all(shouted), "{name}: {:?}", names.words);
                }
                let said = |mistake: &Mistake| {
                    !mistake.repair.is_empty() && !mistake.forms.iter().any(|form| field.takes.contains(form))
                };
                assert!(field.mistakes.iter().all(said), "{name}: {}", field.noun);
            }
            for host in service.hosts {
                assert_eq!(host.serves == Serves::Api, host.home.starts_with("https://"), "{name}: {:?}", host.hosts);
                assert!(host.source.place().starts_with("https://"), "{name}: {:?}", host.hosts);
            }
            assert!(service.refusals.is_sorted_by_key(|Refusal(code, ..)| code), "{name}: sorted by code");
        }
    }
}
