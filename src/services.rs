//! What is known about each service: one file of facts for each in `services/`, which `build.rs` makes constants of.
//!
//! Each fact is here once, with its source. `form` recognises values by these rows; fields, names and messages refer to
//! them.

/// What is known about a service.
#[derive(Debug)]
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
    pub forms: &'static [&'static Form],
    /// The words that name it in the names of variables and tables, longer ones first. Empty for a protocol.
    pub words: &'static [&'static str],
    /// Words directly before these that don't distinguish credentials: `CLOUDFLARE_R2_ACCESS_KEY_ID` is
    /// `R2_ACCESS_KEY_ID`.
    pub ignored_before: &'static [&'static str],
    /// The names, after one of its words, that programs use for the address of another API.
    pub api: &'static [&'static str],
    /// The fields that hold its values.
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
#[derive(Debug)]
pub struct ErrorText {
    /// Alternative texts. Words match in order, ignoring case and punctuation; `*` stands for up to twelve words.
    pub texts: &'static [&'static str],
    /// Words, one of which must be in the surrounding text, because other services have the same text.
    pub context_words: &'static [&'static str],
    /// Hosts, one of which must be next to it, because the text is only a status.
    pub hosts: &'static [&'static str],
    /// The fields that it is about, most likely first. Without fields and rules, it is not about a credential.
    pub about: &'static [&'static Field],
    /// The places of fields of other services that it is also about: their kinds and names.
    pub others: &'static [(&'static str, &'static str)],
    /// The rules whose findings explain it, whatever their severity elsewhere. Without fields, they apply to any
    /// credential. Empty for all findings above notes.
    pub rules: &'static [&'static str],
    /// What it means.
    pub meaning: &'static str,
    /// What can't be told from the values, or what to do.
    pub next_step: &'static str,
    /// Where this was read.
    pub source: Source,
}

/// What a field accepts next to an address of these hosts.
#[derive(Debug)]
pub struct HostRule {
    /// `example.com`; `*.example.com` for those below it.
    pub hosts: &'static [&'static str],
    /// Whose hosts they are, for messages.
    pub whose: &'static str,
    /// The field.
    pub field: &'static Field,
    /// The forms that it accepts there.
    pub takes: &'static [&'static Form],
    /// Forms that are wrong there, although the forms alone don't tell whose values they are.
    pub refuses: &'static [&'static Form],
    /// Without a host, a value of these forms in the set implies this host.
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
#[derive(Debug)]
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Serves {
    /// The service's own API.
    Api,
    /// An API with Amazon S3's protocol. The `*` of its host stands for the region.
    S3,
    /// One method of the API; not used in rows.
    Method,
    /// A link to a channel or a message.
    Link,
    /// Pages for people.
    Page,
    /// Files, or messages.
    Other,
}

/// A code with which a service refuses a request: the code on the wire, what it means, and what to do. In the advice,
/// `{credential}`, `{address}`, `{operation}` and `{operations}` stand for those of the request, `{arguments}` for the advice
/// about the argument that the service names, and `{scope}` for the scope that is missing.
#[derive(Debug)]
pub struct Refusal(pub &'static str, pub &'static str, pub &'static str);

/// A place for a value.
#[derive(Debug)]
#[non_exhaustive] // a row that sets every field may end in `..FIELD`, as all others do
pub struct Field {
    /// The kind of its profile and the key there: `storage`, `application_key`. Without a kind, the field is only a
    /// hint.
    pub place: (&'static str, &'static str),
    /// The noun with its article.
    pub noun: &'static str,
    /// Where the service shows it, or how it is used, to follow "set it to".
    pub about: &'static str,
    /// What it is for, if that does not follow from its forms.
    purpose: Purpose,
    /// The forms that belong there: all that any known reader of its names accepts.
    pub takes: &'static [&'static Form],
    /// The names that mean it.
    pub names: &'static [Names],
    /// What people put there by mistake.
    pub mistakes: &'static [Mistake],
}

/// Forms in a field where they are reported or documented as a mistake.
#[derive(Debug)]
pub struct Mistake {
    /// The forms.
    pub forms: &'static [&'static Form],
    /// How to repair it.
    pub repair: &'static str,
    /// The source; if it is only reports, a finding is a warning.
    pub source: Source,
}

// One row for a field at a host.
impl PartialEq for HostRule {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
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
#[derive(Debug)]
pub struct Names {
    /// Upper-case words that follow the service's.
    pub words: &'static [&'static str],
    /// Names with the same tuple belong together: `B2_ACCOUNT_ID` with `B2_ACCOUNT_KEY`. Empty if nothing follows from
    /// the name.
    pub tuple: &'static str,
    /// What may precede the service's word. Empty for anything.
    pub allowed_prefixes: &'static [&'static str],
    /// Values of these forms mean something else under these names.
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

/// Two fields that form a key pair.
#[derive(Debug)]
pub struct Pair {
    /// The ID.
    pub id: PairField,
    /// The key.
    pub key: PairField,
    /// The part `pair` of the forms that go together in it. Empty if no form tells.
    pub part: &'static str,
    /// Fields of other pairs that may be set together with it.
    pub beside: &'static [&'static str],
    /// The protocol that does not accept it, although the service supports the protocol.
    pub not_for: Option<Protocol>,
    /// True if a new key keeps the ID of the previous key.
    pub keeps_id: bool,
}

/// One field of a key pair.
#[derive(Debug)]
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
pub enum ReferenceScope {
    /// In none.
    Nowhere,
    /// In those with the service's word.
    Referred,
    /// Also in those without it: it is specific enough.
    Alone,
}

/// What must hold among the values of one set.
#[derive(Debug)]
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
        form: &'static Form,
        /// The field.
        field: &'static Field,
        /// True if nothing works without it: then it is reported as missing in a process.
        whole: bool,
        /// The advice.
        advice: &'static str,
        /// Where this was read.
        source: Source,
    },
    /// A value of one of these forms is wrong in a field if another field is set.
    Beside {
        /// The forms.
        forms: &'static [&'static Form],
        /// The field.
        field: &'static Field,
        /// The other field. It counts if its value has a form that belongs there.
        beside: &'static Field,
        /// What the other field implies, to follow its name: "goes with a key".
        noun: &'static str,
        /// The advice.
        advice: &'static str,
        /// The source; if it is only reports, a finding is a warning.
        source: Source,
    },
}

/// What a value *is*, by its bytes.
#[derive(Debug)]
pub struct Form {
    /// The name, unique among all: `slack/bot-token`.
    pub id: &'static str,
    /// The noun with its article.
    pub noun: &'static str,
    /// The patterns for the whole value; one of them must match.
    pub patterns: &'static [Pattern],
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
#[derive(Clone, Copy, Debug)]
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
        /// The required keys, each with its value or `*` for any. A value is a string, a number, or the first string of
        /// a list.
        has: &'static [(&'static str, &'static str)],
        /// Keys whose values are parts of the value, each with the part's name.
        parts: &'static [(&'static str, &'static str)],
    },
}

/// A class of characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
    Other,
}

/// What a value lacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completeness {
    /// Nothing.
    Whole,
    /// A part that some programs add themselves.
    Piece,
    /// A part that can't be added.
    Short,
}

/// A protocol that many services share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// Amazon S3's: an access key ID and a secret access key.
    S3,
    /// The messages of Slack's incoming webhooks.
    SlackWebhook,
}

/// The source of a fact, and how reliable it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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

impl Field {
    /// Returns what it is for.
    pub const fn purpose(&self) -> Purpose {
        match (self.purpose, self.takes) {
            (Purpose::Other, [form, ..]) => form.purpose,
            (purpose, _) => purpose,
        }
    }

    /// Returns the forms that have another meaning under some of its names.
    pub fn unless(&self) -> &'static [&'static Form] {
        self.names.iter().map(|names| names.unless).find(|unless| !unless.is_empty()).unwrap_or_default()
    }

    /// Returns `true` unless everything that belongs there may be printed.
    pub fn is_secret(&self) -> bool {
        self.takes.is_empty() || self.takes.iter().any(|form| !form.public)
    }
}

impl Pair {
    /// Returns `true` if the S3-compatible API takes it.
    pub fn is_accepted_by_s3(&self) -> bool {
        !self.is_rejected_by_s3()
    }

    /// Returns `true` if the S3-compatible API does not take it.
    pub fn is_rejected_by_s3(&self) -> bool {
        self.not_for == Some(Protocol::S3)
    }
}

impl Host {
    /// Returns `true` if the row is about this host.
    pub fn has(&self, host: &str) -> bool {
        self.hosts.iter().any(|known| wildcard_part(known, host).is_some())
    }

    /// Returns the part of a host that `*` matches, if it is a single label.
    pub fn label<'a>(&self, host: &'a str) -> Option<&'a str> {
        let found = self.hosts.iter().find_map(|known| wildcard_part(known, host))?;
        (!found.is_empty() && !found.contains('.')).then_some(found)
    }
}

/// Returns the part of a host that the `*` of a row matches; an empty string without `*`. `None` if the host does not
/// match.
pub fn wildcard_part<'a>(known: &str, host: &'a str) -> Option<&'a str> {
    if let Some((before, behind)) = known.split_once('*') {
        return host.strip_prefix(before)?.strip_suffix(behind);
    }
    let same = |(known, byte): (u8, u8)| known == byte || known == b'?' && byte.is_ascii_digit();
    (known.len() == host.len() && known.bytes().zip(host.bytes()).all(same)).then_some("")
}

impl Service {
    /// Returns the word that identifies it in names: the shortest of its name, or of all.
    pub fn word(&self) -> &'static str {
        let name = self.name.to_uppercase().replace(' ', "_");
        // `DATABASE` of databases, `B2` of Backblaze B2.
        let own = self.words.iter().rev().find(|word| name.starts_with(**word) || name.ends_with(**word));
        own.or(self.words.last()).copied().unwrap_or_default()
    }

    /// Returns the complete variable names of a row.
    pub fn variable_names(&self, names: &'static Names) -> impl Iterator<Item = String> {
        let word = self.word();
        names.words.iter().map(move |name| if word.is_empty() { (*name).to_owned() } else { format!("{word}_{name}") })
    }

    /// Returns the row about an address. `path` has no slash at its beginning.
    pub fn host(&self, host: &str, path: &str) -> Option<&'static Host> {
        let first = path.split('/').next().unwrap_or_default();
        self.hosts.iter().find(|row| row.has(host) && (row.under.is_empty() || row.under.contains(&first)))
    }

    /// Returns `true` if it serves its API at a host.
    pub fn has_api_at(&self, host: &str) -> bool {
        self.hosts.iter().any(|row| row.serves == Serves::Api && row.has(host))
    }

    /// Returns the address of the API for somebody who has an address at this host.
    pub fn api_address(&self, host: &str) -> &'static str {
        let mut apis = self.hosts.iter().filter(|row| row.serves == Serves::Api);
        let first = apis.clone().next();
        apis.find(|row| row.has(host)).or(first).map_or("", |row| row.home)
    }
}

impl Form {
    /// Returns the service whose row it is.
    pub fn service(&self) -> &'static Service {
        let own = |service: &&&'static Service| service.forms.contains(&self);
        SERVICES.iter().find(own).copied().unwrap_or(SERVICES[0])
    }

    /// Returns who issues it, if that is known.
    pub fn issuers(&self) -> Option<String> {
        let own = self.service().name;
        match self.issued_by {
            // Anybody can create a private key.
            _ if own.is_empty() => None,
            Issuer::This => Some(own.to_owned()),
            Issuer::Several(others) => Some([&[own], others].concat().join(" or ")),
            Issuer::Many => None,
        }
    }

    /// Returns `true` for a credential, or part of one, that must not be printed.
    pub const fn is_secret(&self) -> bool {
        !self.public
    }

    /// Returns `true` for a secret that browsers must not get.
    pub fn must_not_reach_browsers(&self) -> bool {
        self.certain && self.is_secret() && !self.in_browsers
    }

    /// Returns `true` if the form alone tells which service, or which of a few services, issued the value.
    pub fn identifies_issuer(&self) -> bool {
        self.certain && self.issued_by != Issuer::Many
    }

    /// Returns `true` if its values are addresses, of any scheme.
    pub fn is_address(&self) -> bool {
        let is = |pattern: &Pattern| match pattern {
            Pattern::Address { .. } => true,
            Pattern::Text(text) | Pattern::Json { text, .. } => text.contains("://"),
        };
        self.patterns.iter().any(is)
    }

    /// Returns `true` for the key of a pair.
    pub fn is_key(&self) -> bool {
        self.purpose == Purpose::Key
    }

    /// Returns `true` for the ID of a pair.
    pub fn is_id(&self) -> bool {
        self.purpose == Purpose::Id
    }

    /// Returns `true` for a token that may call the service's methods.
    pub fn is_access_token(&self) -> bool {
        self.purpose == Purpose::AccessToken
    }

    /// Returns `true` for an incomplete value.
    pub fn is_partial(&self) -> bool {
        self.completeness != Completeness::Whole
    }

    /// Returns `true` for the ID and the key of a pair in one value.
    pub fn is_complete_pair(&self) -> bool {
        self.purpose == Purpose::Pair
    }

    /// Returns the pair that it always belongs to.
    pub fn pair(&self) -> Option<&'static str> {
        self.parts.iter().find(|(name, _)| *name == "pair").map(|(_, pair)| *pair)
    }

    /// Returns `true` for a webhook or part of one.
    pub fn is_webhook(&self) -> bool {
        self.purpose == Purpose::Webhook
    }
}

include!(concat!(env!("OUT_DIR"), "/services.rs"));

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Vec<u32> {
        text.split('.').map(|number| number.parse().expect("a number")).collect()
    }

    #[test]
    fn hosts_match_stars_and_digits() {
        for (known, host, found) in [
            ("api.*.example", "api.eu.example", Some("eu")),
            ("api.*.example", "api.example", None),
            ("f00?.example", "f007.example", Some("")),
            ("f00?.example", "f00x.example", None),
            ("f00?.example", "f0077.example", None),
            ("fab.example", "f1b.example", None),
        ] {
            assert_eq!(wildcard_part(known, host), found, "{known} {host}");
        }
    }

    #[test]
    fn form_knows_issuers_and_addresses() {
        assert_eq!(slack::BOT_TOKEN.issuers().as_deref(), Some("Slack"));
        assert_eq!((many::PRIVATE_KEY.issuers(), many::HEX_32.issuers()), (None, None));
        assert!(slack::WEBHOOK.is_address() && !slack::BOT_TOKEN.is_address());
        let addresses = SERVICES.iter().flat_map(|service| service.forms).filter(|form| form.is_address());
        assert!(addresses.clone().any(|form| matches!(form.patterns, [Pattern::Text(_)])));
    }

    #[test]
    fn rows_are_complete() {
        let own = version(env!("CARGO_PKG_VERSION"));
        for service in SERVICES.iter().copied().chain([&template::SERVICE]) {
            let name = service.name;
            assert!(version(service.since) <= own, "{name}: no version to come");
            assert!(service.words.is_sorted_by_key(|word| std::cmp::Reverse(word.len())), "{name}: longer words first");
            // Rules describe incomplete values as parts of a webhook's address.
            assert!(service.forms.iter().all(|form| !form.is_partial() || form.is_webhook()), "{name}");
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
