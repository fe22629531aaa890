//! Finds which service refused a credential, by what a log has near the refusal: hosts, clients, names.

use std::collections::{BTreeSet, HashMap};

use super::local::{LocalCredential, LocalCredentials, ReadTogether};
use super::text::{self, LogWords, NearbyWords};
use crate::foreign;
use crate::secret::{Digest, Piece};
use crate::services::{self, Service};
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

/// Statuses with which a server refuses a credential, and words that mean the same alone.
const STATUSES: [&str; 5] = ["401", "403", "e401", "e403", "eneedauth"];
const ALONE: [&str; 18] = [
    "unauthorized", "unauthorised", "unauthenticated", "forbidden", "accessdenied", "accessdeniedexception",
    "authenticationerror", "authenticationexception", "authenticationfailed", "authenticationfailure",
    "authorizationerror", "authorizationexception", "autherror", "unauthorizedexception", "unauthorizederror",
    "invalidapikey", "invalidtoken", "invalidcredentials",
];

/// Words around the number of a status.
const BEFORE_STATUS: [&str; 17] = [
    "status", "code", "statuscode", "status_code", "http", "http_code", "error", "errorcode", "response", "returned",
    "got", "with", "1", "2", "0", "failed", "http_status",
];
const BEHIND_STATUS: [&str; 3] = ["unauthorized", "forbidden", "client"];

/// What may be wrong, and with what; they count together in a line.
const FLAWS: [&str; 25] = [
    "invalid", "incorrect", "wrong", "bad", "expired", "revoked", "missing", "malformed", "denied", "rejected",
    "refused", "failed", "failure", "unknown", "required", "unset", "undefined", "mismatch", "not", "no", "cannot",
    "unable", "unsupported", "could", "without",
];
const SUBJECTS: [&str; 19] = [
    "apikey", "api_key", "token", "credential", "credentials", "password", "secret", "authentication", "authenticate",
    "authenticated", "authorization", "authorized", "auth", "login", "signature", "dsn", "jwt", "access_token",
    "passphrase",
];
/// Words before `key` that make it a credential.
const KINDS_OF_KEY: [&str; 7] = ["api", "access", "secret", "private", "signing", "license", "account"];
/// How many words may be between them.
const BETWEEN: usize = 4;

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
    pub text: [&'static str; 2],
}

impl Refusal {
    /// Returns what is there, for display.
    pub fn shown(&self) -> String {
        let [first, second] = self.text;
        if second.is_empty() { first.to_owned() } else { format!("{first} … {second}") }
    }

    /// Returns what it means.
    pub fn meaning(&self) -> &'static str {
        match self.text[0] {
            "403" | "e403" | "forbidden" => {
                "a request was refused: a credential is not accepted, or lacks a permission"
            }
            "expired" => "a credential has expired",
            "missing" | "unset" | "undefined" | "eneedauth" => "no credential reached the program, or not all of one",
            _ => "a credential was refused, or none was sent",
        }
    }

    /// Returns what can't be told from the values.
    pub fn next_step(&self) -> &'static str {
        match self.text[0] {
            "403" | "e403" | "forbidden" => "what the credential may do: its permissions, and for which account",
            "missing" | "unset" | "undefined" | "eneedauth" => {
                "whether the variable reaches the program: a step, a container or `sudo` may drop it"
            }
            _ => "whether it was deleted or has expired, and whether the program reads this one",
        }
    }
}

/// What points to a service near a refusal.
#[derive(Clone, Debug)]
pub struct Signal<'h> {
    /// The service.
    pub service: Option<&'static Service>,
    /// What points to it.
    pub kind: SignKind,
    /// The text of the row, or the name of a credential here.
    pub text: String,
    /// The position of its word.
    pub at: usize,
    /// The refusal.
    pub refusal: Refusal,
    /// How far apart they are, in lines.
    pub distance: usize,
    /// The credentials here that it names.
    pub named: Vec<(&'h ReadTogether, &'h LocalCredential)>,
}

/// Finds the refusals in a log, the last one first.
pub fn refusals(words: &LogWords<'_>) -> Vec<Refusal> {
    let known = |list: &[&'static str], word: &str| list.iter().find(|known| **known == word).copied();
    let mut found: Vec<Refusal> = Vec::new();
    for at in (0..words.len()).rev() {
        let word = words.get(at).unwrap_or_default();
        let text = known(&ALONE, word)
            .or_else(|| known(&STATUSES, word).filter(|_| is_status(words, at)))
            .map(|text| [text, ""])
            .or_else(|| Some([known(&FLAWS, word)?, flawed(words, at)?]));
        found.extend(text.map(|text| Refusal { at, text }));
        if found.len() == MAX_REFUSALS {
            break;
        }
    }
    found
}

/// Returns `true` if a number is the status of an answer.
fn is_status(words: &LogWords<'_>, at: usize) -> bool {
    let word = words.get(at).unwrap_or_default();
    let before = at.checked_sub(1).and_then(|at| words.get(at)).unwrap_or_default();
    let behind = words.get(at + 1).unwrap_or_default();
    let line = words.line(at);
    // `POST https://api.example.com/v1/charges 401`, and a log of a server: `"GET /x HTTP/1.1" 401 12`.
    let of_request = || {
        let ends = words.line(at + 1) != line || at + 1 == words.len();
        let requested = (at.saturating_sub(LINE)..at).any(|other| {
            words.line(other) == line && matches!(words.get(other), Some("http" | "https" | "get" | "post" | "put"))
        });
        words.before(at).ends_with([' ', '\t', '('])
            && (ends || behind.chars().all(|c| c.is_ascii_digit()))
            && requested
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

/// Returns what a flaw is about, in its line.
fn flawed(words: &LogWords<'_>, at: usize) -> Option<&'static str> {
    let line = words.line(at);
    let behind = at + 1..=at + BETWEEN;
    let near = behind.chain((at.saturating_sub(BETWEEN)..at).rev()).filter(|&other| words.line(other) == line);
    let subject = |other: usize| {
        let word = words.get(other)?;
        let before = other.checked_sub(1).and_then(|before| words.get(before));
        let is_key = matches!(word, "key" | "keys") && before.is_some_and(|kind| KINDS_OF_KEY.contains(&kind));
        // `login command failed` is about the command.
        let counts = word != "login" || other.abs_diff(at) == 1;
        let known = SUBJECTS.iter().find(|known| **known == word && counts).copied();
        // The name of a variable: `MY_APP_SECRET`.
        let (_, last) = word.rsplit_once('_').unwrap_or_default();
        let named =
            || ["token", "secret", "password", "key", "dsn", "credentials"].into_iter().find(|end| *end == last);
        known.or_else(|| is_key.then_some("key")).or_else(named)
    };
    // A parser reports tokens, too.
    let parses = || near.clone().any(|other| matches!(words.get(other), Some("unexpected" | "syntax")));
    near.clone().find_map(subject).filter(|_| !parses())
}

/// Returns digests of the hosts near refusals: an address here may have one of them.
pub fn hosts(words: &LogWords<'_>, refusals: &[Refusal]) -> Vec<(usize, Digest)> {
    let mut found: Vec<(usize, Digest)> = Vec::new();
    for refusal in refusals {
        let line = words.line(refusal.at);
        let near = (refusal.at.saturating_sub(NEAR * LINE / 2)..refusal.at + NEAR * LINE / 2)
            .filter(|&at| words.line(at).abs_diff(line) <= NEAR_WORD);
        for at in near.filter(|&at| words.before(at).ends_with("://")) {
            let host = words.host(at);
            let digest = Digest::from_piece(host);
            if host.len() > 3 && !found.iter().any(|(_, known)| *known == digest) {
                found.push((at, digest));
            }
        }
        if found.len() >= MAX_HOSTS {
            break;
        }
    }
    found.truncate(MAX_HOSTS);
    found
}

/// Finds what points to a service. Only what is near a refusal counts, unless `anywhere`. For each service, what is
/// nearest; the nearest first.
pub fn find<'h>(
    (words, around): (&LogWords<'_>, &NearbyWords),
    refusals: &[Refusal],
    (hosts, first): (&[(usize, Digest)], usize),
    here: &'h LocalCredentials,
    anywhere: bool,
) -> Vec<Signal<'h>> {
    let mut found = Vec::new();
    let nearest = Nearest { words, refusals, anywhere };
    for service in services::all() {
        for text in service.in_logs {
            for at in nearest.of(around.of(text)) {
                add(&mut found, nearest.signal(Some(service), kind_of(text), text, at));
            }
        }
    }
    for signal in nearest.names(here) {
        add(&mut found, Some(signal));
    }
    for (number, (at, _)) in hosts.iter().enumerate() {
        let has =
            |one: &LocalCredential| one.pieces.iter().any(|(of, how)| *of == first + number && *how != Piece::Part);
        for (part, address) in here.all().filter(|(_, one)| has(one)) {
            let beside = part.credentials.iter().filter(|one| one.group == address.group).map(|one| (part, one));
            let signal = nearest.signal(service_of(address), SignKind::Address, &address.name, *at);
            add(&mut found, signal.map(|signal| Signal { named: beside.collect(), ..signal }));
        }
    }
    // Several services may have a sign: it points to those with credentials here.
    let is_here = |signal: &Signal<'_>| {
        !signal.named.is_empty() || signal.service.is_some_and(|service| here.all().any(|(_, one)| is_of(service, one)))
    };
    let taken: BTreeSet<usize> = found.iter().filter(|signal| is_here(signal)).map(|signal| signal.at).collect();
    let mut seen: BTreeSet<usize> = BTreeSet::new();
    found.retain(|signal| if taken.contains(&signal.at) { is_here(signal) } else { seen.insert(signal.at) });
    found.sort_by_key(|signal| (signal.distance + usize::from(signal.kind == SignKind::Word), signal.kind));
    found
}

/// Adds a signal, unless one of the same service is nearer.
fn add<'h>(found: &mut Vec<Signal<'h>>, signal: Option<Signal<'h>>) {
    let Some(signal) = signal else { return };
    let same = |other: &&mut Signal<'h>| match (signal.service, other.service) {
        (Some(one), Some(other)) => std::ptr::eq(one, other),
        (None, None) => signal.text == other.text,
        _ => false,
    };
    match found.iter_mut().find(same) {
        Some(known) if (signal.distance, signal.kind) < (known.distance, known.kind) => *known = signal,
        Some(_) => {}
        None => found.push(signal),
    }
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
struct Nearest<'a, 't> {
    words: &'a LogWords<'t>,
    refusals: &'a [Refusal],
    anywhere: bool,
}

impl Nearest<'_, '_> {
    fn distance(&self, one: usize, other: usize) -> usize {
        self.words.line(one).abs_diff(self.words.line(other)).max(one.abs_diff(other) / LINE)
    }

    /// Returns the signal at a word, if it is near a refusal.
    fn signal<'h>(
        &self,
        service: Option<&'static Service>,
        kind: SignKind,
        text: &str,
        at: usize,
    ) -> Option<Signal<'h>> {
        let most = if kind == SignKind::Word { NEAR_WORD } else { NEAR };
        let near = self.refusals.iter().map(|refusal| (self.distance(at, refusal.at), refusal));
        let (distance, refusal) = near.min_by_key(|(distance, _)| *distance)?;
        let counts = distance <= most || self.anywhere && kind != SignKind::Word;
        let (text, refusal) = (text.to_owned(), *refusal);
        counts.then_some(Signal { service, kind, text, at, refusal, distance, named: Vec::new() })
    }

    /// Returns those of these positions, which are in order, that are next to a refusal.
    fn of<'p>(&'p self, places: &'p [usize]) -> impl Iterator<Item = usize> {
        let next_to = |refusal: &Refusal| {
            let behind = places.partition_point(|place| *place < refusal.at);
            [behind.checked_sub(1), Some(behind)].into_iter().flatten().filter_map(|at| places.get(at)).copied()
        };
        self.refusals.iter().flat_map(next_to)
    }

    /// Returns the signals of names near refusals: of the credentials here, and of those that programs read.
    fn names<'h>(&self, here: &'h LocalCredentials) -> Vec<Signal<'h>> {
        let local = local_names(here);
        let signal = |at: usize| {
            let word = self.words.get(at)?;
            if let Some(named) = local.get(word) {
                let first = named[0].1;
                let signal = self.signal(service_of(first), SignKind::Name, &first.name, at)?;
                return Some(Signal { named: named.clone(), ..signal });
            }
            let field = foreign::field_under(&word.to_ascii_uppercase()).filter(|_| word.contains('_'))?;
            let service = services::all().iter().find(|service| service.fields.contains(&field)).copied();
            self.signal(service, SignKind::Name, &text::first_name(field.place)?, at)
        };
        self.near().into_iter().filter_map(signal).collect()
    }

    /// Returns the positions of the words near refusals.
    fn near(&self) -> BTreeSet<usize> {
        let room = NEAR_WORD * LINE;
        let around = |refusal: &Refusal| refusal.at.saturating_sub(room)..(refusal.at + room).min(self.words.len());
        self.refusals.iter().flat_map(around).collect()
    }
}

/// Returns the credentials here by their names in lower case. A name of one common word says nothing.
fn local_names(here: &LocalCredentials) -> HashMap<String, Vec<(&ReadTogether, &LocalCredential)>> {
    const COMMON: [&str; 12] = [
        "token", "password", "secret", "key", "user", "username", "login", "account", "auth", "credentials", "pass",
        "url",
    ];
    let mut names: HashMap<String, Vec<_>> = HashMap::new();
    for (part, one) in here.all() {
        let name = one.name.to_ascii_lowercase();
        if name.len() > 3 && !COMMON.contains(&name.as_str()) {
            names.entry(name).or_default().push((part, one));
        }
    }
    names
}

/// Returns the service of a credential.
fn service_of(one: &LocalCredential) -> Option<&'static Service> {
    services::all().iter().find(|service| is_of(service, one)).copied()
}

/// Returns `true` if a credential is a service's: by its field, its form, or a word in its name.
pub fn is_of(service: &'static Service, one: &LocalCredential) -> bool {
    // `TWINE_PASSWORD` is a password of a registry, but of one of them.
    let words = format!("_{}_", crate::text::words(&one.name).join("_"));
    let elsewhere = |other: &&'static Service| {
        let own = |word: &&str| words.contains(&format!("_{word}_")) && !other.in_logs.contains(word);
        let own_word = service.words.iter().map(|word| word.to_ascii_lowercase()).any(|word| own(&word.as_str()));
        !other.shared && by_name(other, &one.name) && !own_word
    };
    let is_elsewhere = || service.shared && services::built_in().iter().any(&elsewhere);
    let of_many = || services::all().iter().any(|other| other.shared && other.has_place(one.place));
    let is_open = one.place.0 == crate::schema::VARIABLE.name || !service.shared && of_many();
    service.has_place(one.place) && !is_elsewhere() || by_form(service, one) || is_open && by_name(service, &one.name)
}

fn by_form(service: &'static Service, one: &LocalCredential) -> bool {
    one.form.is_some_and(|form| form.identifies_issuer() && std::ptr::eq(form.service(), service))
}

/// Returns `true` if a name has a word of a service: `hftoken`, `GCP_SA_KEY`.
fn by_name(service: &'static Service, name: &str) -> bool {
    let words = crate::text::words(name);
    let joined = words.join("_");
    let is_word = |word: &str| {
        let word = word.to_ascii_lowercase().replace([' ', '-'], "_");
        let inside = format!("_{joined}_").contains(&format!("_{word}_"));
        inside || ["token", "key", "secret", "apikey", "password"].iter().any(|end| joined == format!("{word}{end}"))
    };
    let own = service
        .words
        .iter()
        .chain(service.in_logs)
        .chain([&service.name])
        .filter(|word| !word.contains(['.', ' ', '/']));
    own.copied().any(is_word)
}
