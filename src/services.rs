//! What is known about each service: one file of facts for each in `services/`, which `build.rs` makes constants of.
//!
//! Whoever goes through all services asks for [`all`], which may include those of files that are read at run time.
//!
//! Each fact is here once, with its source. `form` recognises values by these rows; fields, names and messages refer to
//! them.

#[cfg(feature = "cli")]
pub mod file;
#[cfg(feature = "cli")]
pub mod resolve;
mod rows;
#[cfg(feature = "cli")]
pub mod sample;
mod shape;

pub use rows::{
    Class, Completeness, Derivation, ErrorText, Expression, Field, Form, Host, HostRule, Issuer, Mistake, Names, Pair,
    PairField, Pattern, Protocol, Purpose, ReferenceScope, Refusal, Relation, Serves, Service, Source, reference,
};
pub use shape::Shape;
pub use shape::{beginnings, steps};

use std::path::PathBuf;
use std::sync::OnceLock;

/// The services of this process.
struct Catalogue {
    /// The built-in ones first.
    all: &'static [&'static Service],
    /// The number of built-in ones.
    built_in: usize,
    /// The files of the others.
    files: Vec<PathBuf>,
}

/// The services, once somebody has asked for all of them.
static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();

/// Returns all services.
pub fn all() -> &'static [&'static Service] {
    let built_in = || Catalogue { all: SERVICES, built_in: SERVICES.len(), files: Vec::new() };
    CATALOGUE.get_or_init(built_in).all
}

/// Returns the services whose rows may be asked about any value.
pub fn built_in() -> &'static [&'static Service] {
    CATALOGUE.get().map_or(SERVICES, |catalogue| &catalogue.all[..catalogue.built_in])
}

/// Returns the services of the project, whose rows are asked only about values in their own fields.
pub fn own() -> &'static [&'static Service] {
    CATALOGUE.get().map_or(&[], |catalogue| &catalogue.all[catalogue.built_in..])
}

/// Returns the forms that only fields of this service have: those of a project's service.
pub fn own_forms(service: &'static Service) -> &'static [&'static Form] {
    if own().iter().any(|own| std::ptr::eq(*own, service)) { service.forms } else { &[] }
}

/// Returns the forms of the project's service that has this field.
pub fn own_forms_in(field: &Field) -> &'static [&'static Form] {
    own().iter().find(|service| service.fields.contains(&field)).map_or(&[], |service| service.forms)
}

/// Returns the files of the project's services.
pub fn own_files() -> &'static [PathBuf] {
    CATALOGUE.get().map_or(&[], |catalogue| &catalogue.files)
}

/// Replaces the built-in services for the rest of the process. Returns `false` if somebody has already asked for them, since
/// values are compared with what was read from them.
pub fn replace_all(services: Vec<&'static Service>) -> bool {
    let built_in = services.len();
    CATALOGUE.set(Catalogue { all: services.leak(), built_in, files: Vec::new() }).is_ok()
}

/// Adds services of the project, from these files, for the rest of the process. Returns `false` if somebody has already asked
/// for all services.
pub fn add_own(services: Vec<Service>, files: Vec<PathBuf>) -> bool {
    let own = services.into_iter().map(|service| &*Box::leak(Box::new(service)));
    let all: Vec<&'static Service> = SERVICES.iter().copied().chain(own).collect();
    CATALOGUE.set(Catalogue { all: all.leak(), built_in: SERVICES.len(), files }).is_ok()
}

impl Field {
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
    /// Returns `true` if a place, with the kind's name and the field's, is one of its fields.
    pub fn has_place(&self, place: (&str, &str)) -> bool {
        self.fields.iter().any(|field| field.place == place)
    }

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
        all().iter().find(own).copied().unwrap_or(SERVICES[0])
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
        let is = |pattern: &Pattern| match pattern.expression {
            Expression::Address { .. } => true,
            Expression::Text(text) | Expression::Json { text, .. } => text.contains("://"),
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
        assert!(
            addresses.clone().any(|form| matches!(form.patterns, [Pattern { expression: Expression::Text(_), .. }]))
        );
    }

    /// What the build does not refuse.
    #[test]
    fn rows_are_of_this_version() {
        let own = version(env!("CARGO_PKG_VERSION"));
        for service in all() {
            assert!(version(service.since) <= own, "{}: no version to come", service.name);
            // Rules describe incomplete values as parts of a webhook's address.
            assert!(service.forms.iter().all(|form| !form.is_partial() || form.is_webhook()), "{}", service.name);
        }
    }

    /// The message is that of the build.
    #[test]
    #[cfg(feature = "cli")]
    fn a_mistake_in_a_file_is_named_with_its_line() {
        let form = "[form.key]\nnoun = 'a key'\npatterns = ['k_[0-9]{9}']\nsample = 'k_{9*9}'\n";
        let field = "[field.key]\ntakes = ['key']\nnames = [{ words = ['KEY'] }]\n";
        let mistake = "[[field.key.mistake]]\nforms = ['key']\nrepair = 'x'\n";
        let error = "[[error]]\ntexts = ['x']\nmeaning = 'y'\n";
        for (rows, message) in [
            (form.to_owned() + field, ""),
            (form.replace("noun", "nown"), "3: unknown field `nown`, expected one of"),
            (form.replace("'a key'", "1"), "3: invalid type: integer `1`, expected a string"),
            (form.replace("noun = 'a key'\n", ""), "2: a form needs `noun`"),
            (form.replace("patterns", "like"), "4: invalid type: sequence"),
            (form.replace("sample = 'k_{9*9}'\n", ""), "2: a form needs `sample`"),
            (form.replace("k_[", "(["), "4: not a regular expression: unclosed group"),
            (form.replace("k_[", "é"), "4: a pattern is ASCII"),
            (form.replace("'k_[0-9]{9}'", "{ path = 'x' }"), "4: a pattern has `hosts`"),
            (form.to_owned() + "issued_by = 'one'\n", "2: `issued_by` is a list of services, or"),
            (form.to_owned() + "like = 'other'\n", "6: there is no form or base `other`"),
            (form.to_owned() + "unsaid_with = ['key']\n", "6: `acme/key` refers to itself"),
            (form.to_owned() + "source = 'docs'\n", "6: there is no source `docs`"),
            (form.to_owned() + "source = 'many/docs'\n", "6: there is no source `many/docs`"),
            (format!("{form}[sources]\ndocs = {{ official = 'x' }}\n"), "7: nothing refers to `docs`"),
            (field.to_owned(), "3: there is no form `key`"),
            (field.replace("'key'", "'slack/other'"), "3: there is no form `slack/other`"),
            (field.replace("'key'", "'slack/bot-token'"), ""),
            (
                form.to_owned() + &field.replace("'KEY'", "'Key'"),
                "8: `Key` has other characters than capitals, digits and `_`",
            ),
            (field.replace("takes = ['key']", "about = 'the key'"), "2: a field needs `noun` and `names`"),
            (form.to_owned() + field + mistake, "9: the field takes `acme/key`, so it is no mistake"),
            (form.to_owned() + &field.replace("takes", "hint = true\nabout = 'x'\ntakes"), "6: a field says where"),
            (format!("words = ['acme']\n{form}"), "2: `acme` has other characters than capitals, digits and `_`"),
            (format!("words = ['ACME', 'STRIPE']\n{form}"), "2: `STRIPE` is a word of Stripe"),
            ("words = 'ACME'\n".to_owned(), "2: invalid type: string \"ACME\", expected a list"),
            ("[[relation]]\nagree = 'mode'\n".to_owned(), "2: no form of these fields has the part `mode`"),
            (error.replace("['x']", "'own'"), "3: invalid type: string \"own\", expected a list"),
            (error.to_owned() + "about = ['key']", "5: there is no field `key`"),
            (error.to_owned() + "others = ['key']", "5: the place of a field is `kind/field`"),
            (error.to_owned() + "others = ['messaging/key']", "5: there is no such field"),
            (error.to_owned() + "others = ['messaging/token']", ""),
            ("[[relation]]\nagree = 'mode'\nneeds = 'x'\n".to_owned(), "2: a relation has one of"),
            ("[[relation]]\nneeds = 'x'\n".to_owned(), "2: this relation needs `form`"),
            ("[[host]]\nhosts = ['x']\nserves = 'api'\n".to_owned(), "2: an API, and nothing else, has a `home`"),
            ("at_as = 'other'\n".to_owned(), "2: there is no service `other`"),
            ("at_as = 'aws'\n".to_owned(), ""),
        ] {
            // The lines are those without `words`.
            let (words, more) = if rows.starts_with("words") { ("", 0) } else { ("words = ['ACME']\n", 1) };
            let text = format!("{words}name = \"Acme\"\n{rows}");
            let file = resolve::File::parse("acme.toml".to_owned(), "acme".to_owned(), &text, true);
            let found = file.and_then(|file| resolve::resolve(&file, SERVICES, SHARED)).err().unwrap_or_default();
            let expected = message.split_once(": ").map(|(line, said)| {
                let line = line.parse::<usize>().unwrap() + more;
                format!("acme.toml:{line}: {said}")
            });
            let expected = expected.unwrap_or_default();
            assert!(found.starts_with(&expected) && found.is_empty() == message.is_empty(), "{rows}\n{found}");
        }
    }
}
