//! Finds which service refused a credential, by what a log has near the refusal: hosts, clients, names.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::local::LocalCredentials;
use super::text::{self, LogWords};
use super::{Credentials, LogFindings};
use crate::foreign;
use crate::form::{Placeholder, kind_of_server};
use crate::lint::inventory::Inventoried;
use crate::secret::{Digest, Piece};
use crate::services::{self, ErrorText, Service};
use crate::shorthand::words;

/// The maximum number of refusals, from the end of a log.
const MAX_REFUSALS: usize = 64;
/// The maximum number of hosts near refusals that are compared with the addresses here.
const MAX_HOSTS: usize = 8;
/// The number of lines around a refusal in which a host, a client or a name counts, and the same for a word.
const NEAR: usize = 12;
const NEAR_WORD: usize = 2;
/// The number of words that count as a line, because some logs have few line breaks.
const LINE: usize = 20;

// The words of `src/words.toml`.
include!(concat!(env!("OUT_DIR"), "/words_signals.rs"));

/// How many words may be between them.
const BETWEEN: usize = 4;
const BETWEEN_WEAK: usize = 3;
/// How many words of its line tell what a refusal is about.
const AROUND: usize = 24;

words! {
    /// What points to a service.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum SignKind {
        /// The name of a credential that is set here, or that programs read.
        Name = "name",
        /// A host of a service.
        Host = "host",
        /// A host in an address here.
        Address = "address",
        /// A program or its client.
        Client = "client",
        /// A word of a service.
        Word = "word",
    }
    /// Returns the word used in every format.
    pub fn name;
}

/// A line in which something was refused.
#[derive(Clone, Copy, Debug)]
pub struct Refusal {
    /// The position of its word.
    pub at: usize,
    /// What is there: a status or a word, and what it is about.
    text: [&'static str; 2],
}

const fn means(meaning: &'static str, next_step: &'static str) -> ErrorText {
    ErrorText { meaning, next_step, ..ErrorText::EMPTY }
}
static FORBIDDEN: ErrorText = means(
    "a request was refused: a credential is not accepted, or lacks a permission",
    "what the credential may do: its permissions, and for which account",
);
static MISSING: ErrorText = means(
    "no credential reached the program, or not all of one",
    "whether the variable reaches the program: a step, a container or `sudo` may drop it",
);
static EXPIRED: ErrorText = means("a credential has expired", "whether the program reads this one");
static REFUSED: ErrorText = means(
    "a credential was refused, or none was sent",
    "whether it was deleted or has expired, and whether the program reads this one",
);

impl Refusal {
    /// Returns what is there, for display.
    pub fn shown(self) -> String {
        let [first, second] = self.text;
        if second.is_empty() { first.to_owned() } else { format!("{first} … {second}") }
    }

    /// Returns what it means, as a row.
    pub fn row(self) -> &'static ErrorText {
        match self.text[0] {
            "403" | "e403" | "forbidden" => &FORBIDDEN,
            "expired" => &EXPIRED,
            "missing" | "unset" | "undefined" | "must" | "eneedauth" => &MISSING,
            _ => &REFUSED,
        }
    }
}

/// What points to a service near a refusal.
#[derive(Clone, Debug)]
pub struct Sign<'h> {
    /// The service.
    pub service: Option<&'static Service>,
    /// What points to it.
    pub kind: SignKind,
    /// The text of the row, or the name of a credential here.
    pub text: String,
    /// Its line. `None` if the beginning of the log was not read.
    pub line: Option<usize>,
    /// The credentials that it may be about.
    pub credentials: Credentials<'h>,
    pub(super) refusal: Refusal,
    /// How far apart they are, in lines.
    pub(super) distance: usize,
    at: usize,
}

/// Finds the refusals in a log, the last one first.
pub fn refusals(words: &LogWords<'_>) -> Vec<Refusal> {
    let text = |at| {
        let word = words.get(at)?;
        let known = |list: &[&'static str]| list.iter().find(|known| **known == word).copied();
        known(ALONE)
            .or_else(|| known(STATUSES).filter(|_| is_status(words, at)))
            .map(|text| [text, ""])
            .or_else(|| Some([known(FLAWS)?, flawed(words, at, BETWEEN)?]))
            .or_else(|| Some([known(WEAK_FLAWS)?, flawed(words, at, BETWEEN_WEAK)?]))
    };
    let found = (0..words.len()).rev().filter_map(|at| Some(Refusal { at, text: text(at)? }));
    found.filter(|refusal| !is_other_matter(words, refusal.at)).take(MAX_REFUSALS).collect()
}

/// Returns `true` in a line of a test or of its source, and in one about a limit on requests.
fn is_other_matter(words: &LogWords<'_>, at: usize) -> bool {
    let line = words.line(at);
    let mut around = (at.saturating_sub(AROUND)..=at + AROUND).filter(|&other| words.line(other) == line);
    around.any(|other| match words.get(other) {
        Some("assertionerror" | "expect") => true,
        Some("rate") => words.get(other + 1).is_some_and(|next| next.starts_with("limit")),
        // Programs begin the lines of their errors with `›`, too.
        Some(_) => {
            let before = words.before(other);
            before.contains('●') || before.contains('›') && other > 0 && words.line(other - 1) == line
        }
        None => false,
    })
}

/// Returns `true` if a number is the status of an answer.
fn is_status(words: &LogWords<'_>, at: usize) -> bool {
    let word = words.get(at).unwrap_or_default();
    let before = at.checked_sub(1).and_then(|at| words.get(at)).unwrap_or_default();
    let behind = words.get(at + 1).unwrap_or_default();
    let line = words.line(at);
    // `POST https://api.example.com/v1/charges 401`, `Acme answered: 403`, and a log of a server: `"GET /x HTTP/1.1" 401 12`.
    let of_request = || {
        let ends = words.line(at + 1) != line || at + 1 == words.len();
        let requested = (at.saturating_sub(LINE)..at).any(|other| {
            words.line(other) == line && matches!(words.get(other), Some("http" | "https" | "get" | "post" | "put"))
        });
        words.before(at).ends_with([' ', '\t', '('])
            && (ends || behind.chars().all(|c| c.is_ascii_digit()))
            && (requested || ends && words.before(at) == ": ")
    };
    !word.starts_with(|c: char| c.is_ascii_digit())
        || BEFORE_STATUS.contains(&before) && (before.len() != 1 || is_version(words, at))
        || BEHIND_STATUS.contains(&behind)
        || of_request()
}

/// Returns `true` behind `HTTP/1.1` or `HTTP/2`.
fn is_version(words: &LogWords<'_>, at: usize) -> bool {
    (at.saturating_sub(3)..at).any(|at| words.get(at) == Some("http"))
}

/// Returns what a flaw is about, in its line: at most so many words from it.
fn flawed(words: &LogWords<'_>, at: usize, between: usize) -> Option<&'static str> {
    let line = words.line(at);
    let behind = at + 1..=at + between;
    let near = behind.chain((at.saturating_sub(between)..at).rev()).filter(|&other| words.line(other) == line);
    let is_weak = between < BETWEEN;
    let subject = |other: usize| {
        let word = words.get(other).filter(|_| !is_part(words, other, is_weak))?;
        let before = other.checked_sub(1).and_then(|before| words.get(before));
        let is_key = matches!(word, "key" | "keys") && before.is_some_and(|kind| KINDS_OF_KEY.contains(&kind));
        let counts = match word {
            // `login command failed` is about the command.
            "login" => other.abs_diff(at) == 1,
            "access" => other < at && words.get(at) == Some("denied"),
            // `no auth needed`
            "auth" => !is_weak,
            _ => true,
        };
        let known = SUBJECTS.iter().find(|known| **known == word && counts).copied();
        let (_, last) = word.rsplit_once('_').unwrap_or_default();
        let named = || LAST_WORDS.iter().find(|end| **end == last).copied();
        known.or_else(|| is_key.then_some("key")).or_else(named)
    };
    let parses = near.clone().any(|other| words.get(other).is_some_and(|word| PARSERS.contains(&word)));
    if parses || is_part(words, at, is_weak) { None } else { near.clone().find_map(subject) }
}

/// Returns `true` for a part of a path, a header, an option or code, which says nothing about a credential.
fn is_part(words: &LogWords<'_>, at: usize, is_weak: bool) -> bool {
    let word = |at: usize| words.get(at).unwrap_or_default();
    let (before, behind) = (words.before(at), words.before(at + 1));
    let is_in = |sign: char| before.ends_with(sign) && behind.starts_with(sign);
    // `user/password`
    let is_pair = at > 0 && ["user", "username", "login", "email", "id", "key", "token"].contains(&word(at - 1));
    // `credentials.json` has some.
    let is_data = ["json", "yaml", "yml", "env", "toml", "txt"].contains(&word(at + 1));
    let is_quoted = is_weak && (is_in('`') || behind == "-");
    is_in('-')
        || is_quoted
        || before.ends_with("::")
        || behind.starts_with("::")
        || before == "/" && !is_pair
        || behind == "/"
        || behind == "." && !is_data
}

/// Returns digests of the hosts near refusals: an address here may have one of them.
pub fn hosts(words: &LogWords<'_>, refusals: &[Refusal]) -> Vec<(usize, Digest)> {
    let room = NEAR * LINE / 2;
    let near = |refusal: &Refusal| {
        let line = words.line(refusal.at);
        let around = refusal.at.saturating_sub(room)..refusal.at + room;
        around.filter(move |&at| words.line(at).abs_diff(line) <= NEAR_WORD && words.before(at).ends_with("://"))
    };
    let mut found: Vec<(usize, Digest)> = Vec::new();
    for at in refusals.iter().flat_map(near).filter(|&at| words.host(at).len() > 3) {
        let digest = Digest::from_piece(words.host(at));
        if found.len() < MAX_HOSTS && !found.iter().any(|(_, known)| *known == digest) {
            found.push((at, digest));
        }
    }
    found
}

impl LogFindings<'_> {
    /// Finds what points to a service. Only what is near a refusal counts, unless `anywhere`. For each service, what is
    /// nearest; the nearest first.
    pub(super) fn signs<'h>(&self, refusals: &[Refusal], here: &'h LocalCredentials, anywhere: bool) -> Vec<Sign<'h>> {
        let nearest = Nearest { log: self, refusals, anywhere };
        let mut all: Vec<Sign<'h>> = Vec::new();
        for service in services::all() {
            for text in service.in_logs {
                let kind = kind_of(text);
                let counts = |at: &usize| kind != SignKind::Word || !is_in_name(&self.words, *at);
                let places: Vec<usize> = self.around.of(text).iter().copied().filter(counts).collect();
                all.extend(nearest.of(&places).filter_map(|at| nearest.sign(Some(service), kind, text, at)));
            }
        }
        for (word, (credentials, places)) in self.name_words(here) {
            let service = service_of(credentials[0].1);
            let signs = nearest.of(&places).filter_map(|at| nearest.sign(service, SignKind::Word, &word, at));
            all.extend(signs.min_by_key(|sign| sign.distance).map(|sign| Sign { credentials, ..sign }));
        }
        all.extend(nearest.names(here));
        for (at, digest) in &self.hosts {
            let has = |one: &Inventoried| self.piece(&[*digest], one).is_some_and(|how| how != Piece::Part);
            for (part, address) in here.all().filter(|(_, one)| has(one)) {
                let beside = part.credentials.iter().filter(|one| one.group == address.group).map(|one| (part, one));
                // A word in its name says little of whose a host is: `DOCKER_INFLUXDB_HOST`.
                let service = service_of(address).filter(|service| !service.shared || service.has_place(address.place));
                let sign = nearest.sign(service, SignKind::Address, &address.name, *at);
                all.extend(sign.map(|sign| Sign { credentials: beside.collect(), ..sign }));
            }
        }
        let mut found: Vec<Sign<'h>> = Vec::new();
        for sign in all {
            add(&mut found, sign);
        }
        // An ID or an address is refused for what goes with it.
        let is_address = |sign: &Sign<'_>, one: &Inventoried| sign.kind == SignKind::Address && sign.text == one.name;
        let is_open =
            |sign: &&mut Sign<'_>| !sign.credentials.iter().any(|(_, one)| one.secret && !is_address(sign, one));
        for sign in found.iter_mut().filter(is_open) {
            let (service, begin) = (sign.service, sign.credentials.first().and_then(|(_, one)| first_word(one)));
            let goes = |one: &Inventoried| {
                service.is_some_and(|service| is_of(service, one)) || begin.is_some() && first_word(one) == begin
            };
            let all: Credentials<'h> = here.all().filter(|(_, one)| goes(one)).collect();
            if !all.is_empty() {
                sign.credentials = all;
            }
        }
        // Several services may have a sign: it points to those with credentials here.
        let is_here = |sign: &Sign<'_>| !sign.credentials.is_empty();
        let taken: BTreeSet<usize> = found.iter().filter(|sign| is_here(sign)).map(|sign| sign.at).collect();
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        found.retain(|sign| if taken.contains(&sign.at) { is_here(sign) } else { seen.insert(sign.at) });
        found.sort_by_key(|sign| (sign.distance + usize::from(sign.kind == SignKind::Word), sign.kind));
        found
    }
}

type NameWords<'h> = BTreeMap<String, (Credentials<'h>, Vec<usize>)>;

impl LogFindings<'_> {
    /// Finds the words with which names here begin: `netlify` for `NETLIFY_AUTH_TOKEN`. If rows say how logs name the
    /// service, only they count.
    fn name_words<'h>(&self, here: &'h LocalCredentials) -> NameWords<'h> {
        let mut known: NameWords<'h> = BTreeMap::new();
        for both in here.all() {
            if let Some(word) = first_word(both.1) {
                known.entry(word.to_owned()).or_default().0.push(both);
            }
        }
        for at in 0..self.words.len() {
            // `terraform-provider-acme_v2`, `acme_token.deploy`, `acmedb`.
            for part in self.words.get(at).unwrap_or_default().split('_') {
                match known.get_mut(part.strip_suffix("db").filter(|word| word.len() > 3).unwrap_or(part)) {
                    Some((_, places)) if !is_in_name(&self.words, at) || is_in_package(&self.words, at) => {
                        places.push(at);
                    }
                    _ => {}
                }
            }
        }
        let is_named = |one: &Inventoried| {
            service_of(one).is_some_and(|service| !service.in_logs.is_empty() && by_name(service, one))
        };
        known.retain(|_, (all, places)| !places.is_empty() && !is_named(all[0].1));
        known
    }
}

/// Returns the word with which the name of a credential begins, unless many begin with it.
fn first_word(one: &Inventoried) -> Option<&str> {
    let word = one.words.split('_').find(|word| !word.is_empty())?;
    let says = word.len() > 2 && !Placeholder::is_common_word(word) && !MANY.contains(&word);
    says.then_some(word)
}

/// Returns `true` for a part of the path of a package.
fn is_in_package(words: &LogWords<'_>, at: usize) -> bool {
    let joined = |&other: &usize| {
        words.line(other) == words.line(at) && !words.before(other + 1).contains([' ', '\t', '"', '\'', ',', '('])
    };
    let before = (at.saturating_sub(2 * NEAR)..at).rev().take_while(joined);
    before.filter_map(|other| words.get(other)).any(|word| PACKAGES.contains(&word))
}

/// Adds a sign, unless one of the same service is nearer.
fn add<'h>(found: &mut Vec<Sign<'h>>, sign: Sign<'h>) {
    let same = |other: &&mut Sign<'h>| match (sign.service, other.service) {
        (Some(one), Some(other)) => std::ptr::eq(one, other),
        (None, None) => sign.text == other.text,
        _ => false,
    };
    match found.iter_mut().find(same) {
        Some(known) if (sign.distance, sign.kind) < (known.distance, known.kind) => *known = sign,
        Some(_) => {}
        None => found.push(sign),
    }
}

/// Returns `true` for a part of a path, a header or the name of a package or a region: `x-slack-id`, `grafana/7.3`. The
/// package of a service in a trace names it.
fn is_in_name(words: &LogWords<'_>, at: usize) -> bool {
    let is_package = at > 0 && words.get(at - 1).is_some_and(|before| PACKAGES.contains(&before));
    let behind = words.before(at + 1);
    !is_package && (words.before(at).ends_with(['-', '/', '@']) || behind == "-" || behind == "/")
}

/// Returns what a text of a row is.
fn kind_of(text: &str) -> SignKind {
    let is_package = [".js", ".py", ".auth"].iter().any(|end| text.ends_with(end));
    match text.contains([' ', '/', '-', '_', '.']) {
        true if text.contains('.') && !text.contains(['/', ' ']) && !is_package => SignKind::Host,
        true => SignKind::Client,
        false => SignKind::Word,
    }
}

/// What is near the refusals of a log.
struct Nearest<'a, 'l> {
    log: &'a LogFindings<'l>,
    refusals: &'a [Refusal],
    anywhere: bool,
}

impl Nearest<'_, '_> {
    fn distance(&self, one: usize, other: usize) -> usize {
        let words = &self.log.words;
        words.line(one).abs_diff(words.line(other)).max(one.abs_diff(other) / LINE)
    }

    /// Returns the sign at a word, if it is near a refusal.
    fn sign<'h>(&self, service: Option<&'static Service>, kind: SignKind, text: &str, at: usize) -> Option<Sign<'h>> {
        let most = match kind {
            // What an address begins with names its service only in a refusal's own line.
            SignKind::Word if self.log.words.before(at + 1).starts_with("://") => 0,
            SignKind::Word => NEAR_WORD,
            _ => NEAR,
        };
        let near = self.refusals.iter().map(|refusal| (self.distance(at, refusal.at), *refusal));
        let (distance, refusal) = near.min_by_key(|(distance, _)| *distance)?;
        // The word of a row may be about anything.
        let is_of_row = kind == SignKind::Word && service.is_some_and(|service| !service.in_logs.is_empty());
        let counts = distance <= most || self.anywhere && !is_of_row;
        let (text, line, credentials) = (text.to_owned(), self.log.line(at), Vec::new());
        counts.then_some(Sign { service, kind, text, line, credentials, refusal, distance, at })
    }

    /// Returns those of these positions, which are in order, that are next to a refusal.
    fn of<'p>(&'p self, places: &'p [usize]) -> impl Iterator<Item = usize> {
        let next_to = |refusal: &Refusal| {
            let behind = places.partition_point(|place| *place < refusal.at);
            [behind.checked_sub(1), Some(behind)].into_iter().flatten().filter_map(|at| places.get(at)).copied()
        };
        self.refusals.iter().flat_map(next_to)
    }

    /// Returns the signs of names near refusals: of the credentials here, and of those that programs read.
    fn names<'h>(&self, here: &'h LocalCredentials) -> Vec<Sign<'h>> {
        let (words, room) = (&self.log.words, NEAR_WORD * LINE);
        let local = local_names(here);
        let sign = |at: usize| {
            let word = words.get(at)?;
            if let Some(named) = local.get(word) {
                let first = named[0].1;
                let sign = self.sign(service_of(first), SignKind::Name, &first.name, at)?;
                return Some(Sign { credentials: named.clone(), ..sign });
            }
            let field = foreign::field_under(&word.to_ascii_uppercase()).filter(|_| word.contains('_'))?;
            let service = services::all().iter().find(|service| service.fields.contains(&field)).copied();
            self.sign(service, SignKind::Name, &text::first_name(field.place, &[])?, at)
        };
        let around = |refusal: &Refusal| refusal.at.saturating_sub(room)..(refusal.at + room).min(words.len());
        let near: BTreeSet<usize> = self.refusals.iter().flat_map(around).collect();
        near.into_iter().filter_map(sign).collect()
    }
}

/// Returns the credentials here by their names in lower case. A name of one common word says nothing.
fn local_names(here: &LocalCredentials) -> HashMap<String, Credentials<'_>> {
    let mut names: HashMap<String, Credentials<'_>> = HashMap::new();
    for both in here.all() {
        names.entry(both.1.name.to_ascii_lowercase()).or_default().push(both);
    }
    names.retain(|name, _| name.len() > 3 && !Placeholder::is_common_word(name));
    names
}

/// Keeps the credentials of the kind of server that a text is about, if there are any: no address of MongoDB for a text of
/// PostgreSQL.
pub(super) fn keep_kind(all: &mut Credentials<'_>, wanted: Option<&str>) {
    let kind = |one: &Inventoried| one.scheme.or_else(|| one.words.split('_').find_map(kind_of_server));
    let is = |one: &Inventoried| wanted.is_none() || kind(one).is_none_or(|kind| Some(kind) == wanted);
    if all.iter().any(|(_, one)| is(one)) {
        all.retain(|(_, one)| is(one));
    }
}

/// Returns the service of a credential.
fn service_of(one: &Inventoried) -> Option<&'static Service> {
    services::all().iter().find(|service| is_of(service, one)).copied()
}

/// Returns `true` if a credential is a service's: by its field, its form, or a word in its name.
pub fn is_of(service: &'static Service, one: &Inventoried) -> bool {
    // `TWINE_PASSWORD` is a password of a registry, but of one of them.
    let elsewhere = |other: &&'static Service| {
        let own = |word: String| has_word(&one.words, &word) && !other.in_logs.contains(&word.as_str());
        let is_own = || service.words.iter().map(|word| word.to_ascii_lowercase()).any(own);
        !other.shared && by_name(other, one) && !is_own()
    };
    let is_elsewhere = || service.shared && services::built_in().iter().any(&elsewhere);
    let of_many = || services::all().iter().any(|other| other.shared && other.has_place(one.place));
    let is_open = one.place.0 == crate::schema::VARIABLE.name || !service.shared && of_many();
    service.has_place(one.place) && !is_elsewhere() || by_form(service, one) || is_open && by_name(service, one)
}

fn by_form(service: &'static Service, one: &Inventoried) -> bool {
    one.form.is_some_and(|form| form.identifies_issuer() && std::ptr::eq(form.service(), service))
}

fn by_name(service: &'static Service, one: &Inventoried) -> bool {
    // `docker login` is a command of `docker`.
    let word =
        |text: &&'static str| ["login", "push"].into_iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text);
    let mut own = service.words.iter().chain(service.in_logs).chain([&service.name]).map(|text| word(text).trim());
    own.any(|word| !word.contains(['.', ' ', '/']) && has_word(&one.words, word))
}

/// Returns `true` if the words of a name have this one: `hftoken`, `GCP_SA_KEY`.
pub fn has_word(words: &str, word: &str) -> bool {
    let word = format!("_{}", word.to_ascii_lowercase().replace([' ', '-'], "_"));
    let rest = words.strip_prefix(&word).unwrap_or_default();
    matches!(rest, "token_" | "key_" | "secret_" | "apikey_" | "password_") || words.contains(&format!("{word}_"))
}

/// Returns `true` for the name of a credential, not of its passphrase: `GITLAB_PASSWORD`.
pub fn has_last_word(one: &Inventoried) -> bool {
    LAST_WORDS.iter().any(|last| one.words.trim_end_matches('_').ends_with(last))
}
