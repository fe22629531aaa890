//! Finds the credentials that an error text in a log is about.
//!
//! A log is untrusted text: it is searched for the words of rows, and no part of it is repeated. The explanations are
//! in the rows, and the facts about credentials are those that a search finds.

mod local;
mod log;
mod signals;
mod text;

use crate::finding::{Finding, Severity};
use crate::schema::VARIABLE;
use crate::secret::{Digest, Piece};
use crate::services::{self, Purpose, Service};
use crate::shorthand::words;
pub use local::{LocalCredential, LocalCredentials, ReadTogether};
pub use log::{LONGEST, Log};
use signals::{Refusal, SignKind, Signal};
pub use text::KnownText;
use text::{LogWords, Match, NearbyWords};

/// The maximum number of answers.
const MAX_ANSWERS: usize = 8;
/// The maximum number of words in a log that may be a single error text.
const MAX_BARE_WORDS: usize = 15;
/// The maximum number of names in an answer.
const MAX_NAMES: usize = 6;
/// The maximum number of credentials in an answer.
const MAX_CREDENTIALS: usize = 16;
/// The number of lines around a text that is about no credential in which a refusal follows from it.
const NEAR_REASON: usize = 5;
/// The maximum number of services that a log may point to.
const MAX_SIGNALS: usize = 2;

words! {
    /// What the credentials here tell about an error text.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Conclusion {
        /// A value here can't work, and no other one could be meant.
        Cause = "cause",
        /// A value here can't work or is doubtful, but another one may be meant.
        Likely = "likely",
        /// It is about no credential.
        Elsewhere = "not-a-credential",
        /// The credentials here may be right.
        Open = "open",
        /// There are no such credentials here.
        Absent = "not-here",
    }
    /// Returns the word used in every format.
    pub fn name;
}

/// Credentials here, each with what was read together with it.
pub type Credentials<'h> = Vec<(&'h ReadTogether, &'h LocalCredential)>;

/// What in a log is explained.
#[derive(Clone, Debug)]
pub enum Cause<'h> {
    /// The text of a row, and which one of the row.
    Text(KnownText, &'static str),
    /// A refusal, and what near it points to a service or to a credential here.
    Refused(Refusal, Sign<'h>),
}

/// What points to a service.
#[derive(Clone, Debug)]
pub struct Sign<'h> {
    /// The service.
    pub service: Option<&'static Service>,
    /// What it is.
    pub kind: &'static str,
    /// A text of a row, or the name of a credential.
    pub text: String,
    /// Its line. `None` if the beginning of the log was not read.
    pub line: Option<usize>,
    /// The credentials that it may be about.
    pub credentials: Credentials<'h>,
}

impl Cause<'_> {
    /// Returns the service or program. Empty if it may be any.
    pub fn whose(&self) -> &'static str {
        match self {
            Self::Text(row, _) => row.whose,
            Self::Refused(_, sign) => sign.service.map_or("", |service| service.name),
        }
    }

    /// Returns what is in the log, for display.
    pub fn text(&self) -> String {
        match self {
            Self::Text(_, text) => (*text).to_owned(),
            Self::Refused(refusal, _) => refusal.shown(),
        }
    }

    /// Returns what it means.
    pub fn meaning(&self) -> &'static str {
        match self {
            Self::Text(row, _) => row.error.meaning,
            Self::Refused(refusal, _) => refusal.meaning(),
        }
    }

    /// Returns what can't be told from the values, or what to do.
    pub fn next_step(&self) -> &'static str {
        match self {
            Self::Text(row, _) => row.error.next_step,
            Self::Refused(refusal, _) => refusal.next_step(),
        }
    }

    /// Returns the documentation of the service.
    pub fn docs(&self) -> &'static str {
        match self {
            Self::Text(row, _) => row.docs,
            Self::Refused(_, sign) => sign.service.map_or("", |service| service.docs),
        }
    }
}

/// The explanation of an error text in a log.
#[derive(Debug)]
pub struct Diagnosis<'h> {
    /// What is explained.
    pub cause: Cause<'h>,
    /// The line of the last match. `None` if the beginning of the log was not read.
    pub line: Option<usize>,
    /// The number of matches.
    pub times: usize,
    /// The credentials here that it is about, those with findings first.
    pub credentials: Credentials<'h>,
    /// The number of further ones.
    pub more: usize,
    /// The conclusion from the credentials.
    pub conclusion: Conclusion,
    /// What the log repeats is this in the first of the credentials.
    pub piece: Option<Piece>,
    /// The findings that explain it.
    pub findings: Vec<(&'h ReadTogether, &'h Finding)>,
    /// The names that programs read, if none of them is set here.
    pub names: Vec<String>,
    /// Commands for further information.
    pub next: Vec<String>,
}

/// The answers.
#[derive(Debug)]
pub struct Explanation<'h> {
    /// The answers, the most certain first.
    pub answers: Vec<Diagnosis<'h>>,
    /// The number of further ones.
    pub more: usize,
    /// If there is no answer: the last refusal in the log, and its line.
    pub refused: Option<(Refusal, Option<usize>)>,
    /// If there is no answer: what in a log with a refusal points to services, wherever it is.
    pub signs: Vec<Sign<'h>>,
    /// If nothing does: credentials here that are empty or wrong.
    pub doubtful: Credentials<'h>,
}

/// What is known of a log before the credentials here are read.
pub struct LogFindings<'l> {
    words: LogWords<'l>,
    around: NearbyWords,
    found: Vec<Match>,
    refusals: Vec<Refusal>,
    /// The hosts near refusals.
    hosts: Vec<(usize, Digest)>,
    cut: bool,
    /// A single line that names no service: it may be about every service here with such a text.
    alone: bool,
}

impl<'l> LogFindings<'l> {
    /// Searches a log.
    pub fn new(log: &'l Log) -> Self {
        let words = LogWords::new(&log.text);
        let around = NearbyWords::new(&words);
        let mut found = text::matches(&words, &around, false);
        let alone = found.is_empty() && words.len() <= MAX_BARE_WORDS && !log.text.contains("://");
        if alone {
            found = text::matches(&words, &around, true);
        }
        found.sort_by_key(|one| std::cmp::Reverse((one.at, one.words)));
        let refusals = signals::refusals(&words);
        let hosts = signals::hosts(&words, &refusals);
        Self { words, around, found, refusals, hosts, cut: log.cut, alone }
    }

    /// Returns digests of what the log repeats, which may be pieces of values: of its texts, then of the hosts near
    /// refusals.
    pub fn pieces(&self) -> Vec<Digest> {
        let repeats = self.found.iter().flat_map(|one| &one.repeats).copied();
        repeats.chain(self.hosts.iter().map(|(_, digest)| *digest)).collect()
    }

    /// Explains it by the credentials here, which were compared with its pieces.
    pub fn explain<'h>(&self, here: &'h LocalCredentials) -> Explanation<'h> {
        let mut first = 0;
        let mut answers: Vec<Diagnosis<'h>> = Vec::new();
        for found in &self.found {
            let pieces = first..first + found.repeats.len();
            first = pieces.end;
            answers.push(self.text_answer(found, pieces, here));
        }
        let is_here = |answer: &Diagnosis<'_>| !(answer.credentials.is_empty() || answer.cause.whose().is_empty());
        answers.retain(|answer| !self.alone || is_here(answer));
        // A row says more than a refusal.
        let told =
            |answer: &Diagnosis<'_>| answer.conclusion != Conclusion::Elsewhere || !answer.cause.whose().is_empty();
        if !answers.iter().any(told) {
            let told: Vec<usize> = answers.iter().filter_map(|answer| answer.line).collect();
            answers.extend(self.signalled(first, here, &told));
        }
        // A project's texts don't crowd out others.
        let is_own = |answer: &Diagnosis<'_>| matches!(&answer.cause, Cause::Text(row, _) if row.is_own);
        answers.sort_by_key(|answer| (answer.conclusion, is_own(answer)));
        let more = answers.len().saturating_sub(MAX_ANSWERS);
        answers.truncate(MAX_ANSWERS);
        let (mut refused, mut signs, mut doubtful) = (None, Vec::new(), Vec::new());
        if answers.is_empty() {
            refused = self.refusals.first().map(|refusal| (*refusal, self.line(refusal.at)));
            let anywhere = signals::find((&self.words, &self.around), &self.refusals, (&[], 0), here, true);
            signs.extend(anywhere.into_iter().take(MAX_ANSWERS).map(|signal| self.sign(signal, here)));
            let is_doubtful = |one: &LocalCredential| matches!(one.state, "empty" | "wrong");
            let all = here.all().filter(|(_, one)| refused.is_some() && signs.is_empty() && is_doubtful(one));
            doubtful.extend(all.take(MAX_ANSWERS));
        }
        Explanation { answers, more, refused, signs, doubtful }
    }

    fn line(&self, at: usize) -> Option<usize> {
        (!self.cut).then(|| self.words.line(at) + 1)
    }

    fn sign<'h>(&self, signal: Signal<'h>, here: &'h LocalCredentials) -> Sign<'h> {
        let Signal { service, kind, text, at, named, .. } = signal;
        let of = |service: &'static Service| here.all().filter(move |(_, one)| signals::is_of(service, one)).collect();
        let credentials = if named.is_empty() { service.map_or_else(Vec::new, of) } else { named };
        Sign { service, kind: kind.name(), text, line: self.line(at), credentials }
    }

    /// Returns the answers about refusals near which something points to a service or a credential.
    /// Those near these lines have a reason already.
    fn signalled<'h>(&self, first: usize, here: &'h LocalCredentials, told: &[usize]) -> Vec<Diagnosis<'h>> {
        let is_open =
            |refusal: &&Refusal| !told.iter().any(|line| line.abs_diff(self.words.line(refusal.at) + 1) <= NEAR_REASON);
        let refusals: Vec<Refusal> = self.refusals.iter().filter(is_open).copied().collect();
        let found = signals::find((&self.words, &self.around), &refusals, (&self.hosts, first), here, false);
        let Some(nearest) = found.first().map(|signal| signal.distance) else { return Vec::new() };
        let near: Vec<_> =
            found.into_iter().filter(|signal| signal.distance <= nearest + 1).take(MAX_SIGNALS).collect();
        let several = near.len() > 1;
        let answer = |signal: Signal<'h>| {
            let sure = !several && signal.kind != SignKind::Word && signal.distance <= 2;
            let (refusal, service) = (signal.refusal, signal.service);
            let sign = self.sign(signal, here);
            let credentials = sign.credentials.clone();
            let fields = service
                .into_iter()
                .flat_map(|service| service.fields)
                .filter(|field| field.is_secret() && is_credential(field))
                // Of a name that many share, the log does not tell which one its program reads.
                .filter(|_| service.is_some_and(|service| !service.shared));
            let mut names: Vec<String> = fields.filter_map(|field| text::first_name(field.place)).collect();
            names.truncate(MAX_NAMES);
            let conclude = Conclude { rules: &[], about: &[], alone: !sure, sure, names, piece: None };
            conclude.answer(Cause::Refused(refusal, sign), (self.line(refusal.at), 1), credentials)
        };
        near.into_iter().map(answer).collect()
    }

    /// Returns the answer about a row's text.
    fn text_answer<'h>(
        &self,
        found: &Match,
        pieces: std::ops::Range<usize>,
        here: &'h LocalCredentials,
    ) -> Diagnosis<'h> {
        let Match { row, text, at, times, .. } = *found;
        let error = row.error;
        let about: Vec<_> = error.about.iter().map(|field| field.place).chain(error.others.iter().copied()).collect();
        // An address next to them may make them another service's, but they are set anyway.
        let names: Vec<String> = about.iter().filter_map(|place| text::first_name(*place)).collect();
        let piece = |one: &LocalCredential| {
            one.pieces.iter().filter(|(number, _)| pieces.contains(number)).map(|(_, piece)| *piece).min()
        };
        // If a value has it as its host, it is no part of another one's password.
        let has_piece = here.all().filter_map(|(_, one)| piece(one)).min();
        // Values whose names only say that they are the service's.
        let service = services::all().iter().find(|service| service.name == row.whose);
        let is_beside = |one: &LocalCredential| {
            one.place.0 == VARIABLE.name && service.is_some_and(|service| signals::is_of(service, one))
        };
        let credentials: Credentials<'h> = match (&about[..], error.rules) {
            _ if has_piece.is_some() => here.all().filter(|(_, one)| piece(one) == has_piece).collect(),
            ([], []) => Vec::new(),
            ([], rules) => here.all().filter(|both| explained(rules, both)).collect(),
            _ => {
                let is_meant = |one: &LocalCredential| about.contains(&one.place) || names.contains(&one.name);
                here.all().filter(|(_, one)| is_meant(one) || is_beside(one)).collect()
            }
        };
        let rules = if has_piece.is_some() { &[] } else { error.rules };
        let sure = !about.is_empty() || has_piece.is_some();
        let conclude = Conclude { rules, about: &about, alone: self.alone, sure, names, piece: has_piece };
        let mut answer = conclude.answer(Cause::Text(row, text), (self.line(at), times), credentials);
        let is_wrong = |part: &ReadTogether| part.findings.iter().any(|finding| finding.severity == Severity::Error);
        if answer.conclusion == Conclusion::Elsewhere && here.parts.iter().any(is_wrong) {
            answer.next.push("credlint check . --environment".to_owned());
        }
        answer
    }
}

/// Returns `true` for a field of a credential, not of a switch, an address or a name.
const fn is_credential(field: &services::Field) -> bool {
    !matches!(field.purpose, Purpose::Other | Purpose::Endpoint | Purpose::Name)
}

/// Returns `true` if a finding explains an error: one of these rules, whatever its severity, or without rules any above
/// notes.
fn explains(rules: &[&str], finding: &Finding) -> bool {
    if rules.is_empty() { finding.severity > Severity::Note } else { rules.contains(&finding.rule) }
}

fn explained(rules: &[&str], (part, one): &(&ReadTogether, &LocalCredential)) -> bool {
    one.findings.iter().any(|&at| explains(rules, &part.findings[at]))
}

/// How the credentials that an error is about decide it.
struct Conclude<'a> {
    /// The rules that explain it.
    rules: &'static [&'static str],
    /// The places of the fields that it is about, most likely first.
    about: &'a [(&'static str, &'static str)],
    /// True if another service may be meant.
    alone: bool,
    /// True if it tells which credentials failed.
    sure: bool,
    /// The names that programs read.
    names: Vec<String>,
    /// What the log repeats is this in a value.
    piece: Option<Piece>,
}

impl Conclude<'_> {
    fn answer<'h>(
        self,
        cause: Cause<'h>,
        (line, times): (Option<usize>, usize),
        mut credentials: Credentials<'h>,
    ) -> Diagnosis<'h> {
        // Credentials with explaining findings come first, then in the order of the row.
        let rank =
            |one: &LocalCredential| self.about.iter().position(|place| *place == one.place).unwrap_or(usize::MAX);
        credentials.sort_by_key(|both| (!explained(self.rules, both), rank(both.1)));
        let mut findings: Vec<(&ReadTogether, &Finding)> = Vec::new();
        for (part, one) in &credentials {
            let own = one.findings.iter().map(|&at| &part.findings[at]);
            for finding in own.filter(|finding| explains(self.rules, finding)) {
                if !findings.iter().any(|(_, known)| *known == finding) {
                    findings.push((part, finding));
                }
            }
        }
        findings.sort_by_key(|(_, finding)| std::cmp::Reverse(finding.severity));
        let is_known = matches!(&cause, Cause::Text(row, _) if row.error.about.is_empty() && row.error.others.is_empty() && row.error.rules.is_empty());
        let conclusion = match (&credentials[..], &findings[..]) {
            (_, [_, ..]) if self.alone => Conclusion::Likely,
            ([], _) if is_known => Conclusion::Elsewhere,
            ([], _) => Conclusion::Absent,
            ([_], _) if self.piece == Some(Piece::Part) => Conclusion::Cause,
            (_, []) if self.piece == Some(Piece::Part) => Conclusion::Likely,
            (_, []) => Conclusion::Open,
            _ if self.is_certain(&credentials) => Conclusion::Cause,
            _ => Conclusion::Likely,
        };
        let mut names = self.names;
        names.dedup();
        names.truncate(if conclusion == Conclusion::Absent { MAX_NAMES } else { 0 });
        let next = next_commands(conclusion, &findings, &credentials);
        let more = credentials.len().saturating_sub(MAX_CREDENTIALS);
        credentials.truncate(MAX_CREDENTIALS);
        let piece = self.piece;
        Diagnosis { cause, line, times, credentials, more, conclusion, piece, findings, names, next }
    }

    /// Returns `true` if the values that are set together in one place can't work, and no other place has such values.
    fn is_certain(&self, credentials: &[(&ReadTogether, &LocalCredential)]) -> bool {
        let decides = |finding: &Finding| match self.rules {
            [] => finding.severity == Severity::Error,
            rules => rules.contains(&finding.rule),
        };
        let same = |(part, one): &(&ReadTogether, &LocalCredential),
                    (other, two): &(&ReadTogether, &LocalCredential)| {
            std::ptr::eq(*part, *other) && one.group == two.group
        };
        let is_wrong = |(part, one): &&(&ReadTogether, &LocalCredential)| {
            one.findings.iter().any(|&at| decides(&part.findings[at]))
        };
        let wrong: Vec<_> = credentials.iter().filter(is_wrong).collect();
        // A row about any credential does not tell which one failed.
        let Some(first) = wrong.first().filter(|_| self.sure) else { return false };
        let rival = |both: &&(&ReadTogether, &LocalCredential)| both.1.place == first.1.place && !same(both, first);
        wrong.iter().all(|both| same(both, first)) && !credentials.iter().any(|both| rival(&both))
    }
}

/// Returns commands for further information. They contain no word of the log.
fn next_commands(
    decided: Conclusion,
    findings: &[(&ReadTogether, &Finding)],
    credentials: &[(&ReadTogether, &LocalCredential)],
) -> Vec<String> {
    let mut next: Vec<String> = Vec::new();
    for (_, finding) in findings.iter().take(2) {
        let command = format!("credlint explain {}", finding.rule);
        if !next.contains(&command) {
            next.push(command);
        }
    }
    if decided == Conclusion::Open {
        let mut able = credentials.iter().filter(|(_, one)| one.can_ask);
        next.extend(able.next().map(|(_, one)| {
            let what = if one.declared {
                ""
            } else if one.variable {
                " --environment"
            } else {
                " ."
            };
            format!("credlint verify{what}")
        }));
    }
    next
}
