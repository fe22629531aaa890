//! Finds the credentials that an error text in a log is about.
//!
//! A log is untrusted text: it is searched for the words of rows, and no part of it is repeated. The explanations are
//! in the rows, and the facts about credentials are those that a search finds.

mod local;
mod log;
mod signals;
mod text;

use std::collections::HashSet;

use crate::finding::{Finding, Severity};
use crate::form::kind_of_server;
use crate::lint::inventory::Inventoried;
use crate::schema::VARIABLE;
use crate::secret::{Digest, Piece};
use crate::services::{self, ErrorText, Purpose};
use crate::shorthand::words;
pub use local::{LocalCredentials, ReadTogether};
pub use log::{LONGEST, Log};
use signals::Refusal;
pub use signals::{Sign, SignKind};
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
pub type Credentials<'h> = Vec<(&'h ReadTogether, &'h Inventoried)>;

/// The explanation of an error text, or of a refusal, in a log.
#[derive(Debug)]
pub struct Diagnosis<'h> {
    /// The row of the text, or one about refusals.
    pub row: KnownText,
    /// What is in the log, in the words of the row.
    pub text: String,
    /// For a refusal: what near it points to a service or to a credential here.
    pub sign: Option<Sign<'h>>,
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
    pub refused: Option<(String, Option<usize>)>,
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
    pieces: Vec<Digest>,
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
        let repeats = found.iter().flat_map(|one| &one.repeats).copied();
        let pieces = repeats.chain(hosts.iter().map(|(_, digest)| *digest)).collect();
        Self { words, around, found, refusals, hosts, pieces, cut: log.cut, alone }
    }

    /// Returns digests of what the log repeats, which may be pieces of values.
    pub fn pieces(&self) -> &[Digest] {
        &self.pieces
    }

    /// Returns which of these pieces a value has, the most telling one.
    fn piece(&self, wanted: &[Digest], one: &Inventoried) -> Option<Piece> {
        let found = one.pieces.iter().filter(|(number, _)| wanted.contains(&self.pieces[*number]));
        found.map(|(_, piece)| *piece).min()
    }

    /// Explains it by the credentials here, which were compared with its pieces.
    pub fn explain<'h>(&self, here: &'h LocalCredentials) -> Explanation<'h> {
        let mut answers: Vec<_> = self.found.iter().map(|found| self.text_answer(found, here)).collect();
        answers.retain(|answer| !(self.alone && (answer.credentials.is_empty() || answer.row.whose.is_empty())));
        // A row says more than a refusal.
        if answers.iter().all(|answer| answer.conclusion == Conclusion::Elsewhere && answer.row.whose.is_empty()) {
            let told: Vec<usize> = answers.iter().filter_map(|answer| answer.line).collect();
            answers.extend(self.refusal_answers(here, &told));
        }
        // A project's texts don't crowd out others.
        answers.sort_by_key(|answer| (answer.conclusion, answer.row.is_own));
        let more = answers.len().saturating_sub(MAX_ANSWERS);
        answers.truncate(MAX_ANSWERS);
        let (mut refused, mut signs, mut doubtful) = (None, Vec::new(), Vec::new());
        if answers.is_empty() {
            refused = self.refusals.first().map(|refusal| (refusal.shown(), self.line(refusal.at)));
            signs = self.signs(&self.refusals, here, true);
            signs.truncate(MAX_ANSWERS);
            let is_doubtful = |one: &Inventoried| matches!(one.standing, "empty" | "wrong");
            let all = here.all().filter(|(_, one)| refused.is_some() && signs.is_empty() && is_doubtful(one));
            doubtful.extend(all.take(MAX_ANSWERS));
        }
        Explanation { answers, more, refused, signs, doubtful }
    }

    fn line(&self, at: usize) -> Option<usize> {
        (!self.cut).then(|| self.words.line(at) + 1)
    }

    /// Returns the words around a position: a log names there what its program reads.
    fn words_near(&self, at: usize) -> HashSet<&str> {
        (at.saturating_sub(text::NEAR_TEXT)..=at + text::NEAR_TEXT).filter_map(|at| self.words.get(at)).collect()
    }

    /// Returns the answers about refusals near which something points to a service or a credential.
    /// Those near these lines have a reason already.
    fn refusal_answers<'h>(&self, here: &'h LocalCredentials, told: &[usize]) -> Vec<Diagnosis<'h>> {
        let is_told = |at| told.iter().any(|line| line.abs_diff(self.words.line(at) + 1) <= NEAR_REASON);
        let refusals: Vec<Refusal> = self.refusals.iter().filter(|refusal| !is_told(refusal.at)).copied().collect();
        let mut near = self.signs(&refusals, here, false);
        let nearest = near.first().map_or(0, |sign| sign.distance);
        near.retain(|sign| sign.distance <= nearest + 1);
        // A word may be about anything; a host or a name next to it is not.
        let only_words = near.iter().all(|sign| sign.kind == SignKind::Word);
        near.retain(|sign| only_words || sign.kind != SignKind::Word);
        // The host of a service may be that of an address here, too.
        let mut told: HashSet<*const Inventoried> = HashSet::new();
        near.retain(|sign| {
            let is_new = !sign.credentials.iter().any(|(_, one)| told.contains(&std::ptr::from_ref(*one)));
            told.extend(sign.credentials.iter().map(|(_, one)| std::ptr::from_ref(*one)));
            is_new
        });
        near.truncate(MAX_SIGNALS);
        let is_sure = near.len() == 1 && !only_words && nearest <= 2;
        let answer = |mut sign: Sign<'h>| {
            let (whose, docs) = sign.service.map_or(("", ""), |service| (service.name, service.docs));
            let row = KnownText { whose, docs, error: sign.refusal.row(), is_own: false };
            // Of a name that many share, the log does not tell which one its program reads.
            let own = sign.service.filter(|service| !service.shared).map_or(&[][..], |service| service.fields);
            signals::keep_kind(&mut sign.credentials, kind_of_server(&sign.text));
            let fields = own.iter().filter(|field| field.is_secret() && is_credential(field));
            let at = sign.refusal.at;
            Diagnosis {
                line: self.line(at),
                credentials: std::mem::take(&mut sign.credentials),
                names: fields.filter_map(|field| text::first_name(field.place, &[])).take(MAX_NAMES).collect(),
                ..Diagnosis::new(row, sign.refusal.shown(), Some(sign))
            }
            .concluded(!is_sure, is_sure, &self.words_near(at))
        };
        near.into_iter().map(answer).collect()
    }

    /// Returns the answer about a row's text.
    fn text_answer<'h>(&self, found: &Match, here: &'h LocalCredentials) -> Diagnosis<'h> {
        let Match { row, text, at, times, .. } = *found;
        let error = row.error;
        let about = places(error);
        // An address next to them may make them another service's, but they are set anyway.
        let mut names: Vec<String> = about.iter().filter_map(|place| text::first_name(*place, error.words)).collect();
        if about.is_empty() {
            names.extend(error.words.first().map(|&word| word.to_owned()));
        }
        // If a value has it as its host, it is no part of another one's password.
        let piece = here.all().filter_map(|(_, one)| self.piece(&found.repeats, one)).min();
        // Values whose names only say that they are the service's.
        let service = services::all().iter().find(|service| service.name == row.whose);
        let is_beside = |one: &Inventoried| {
            let is_meant = one.standing != "empty" || signals::has_last_word(one);
            one.place.0 == VARIABLE.name && is_meant && service.is_some_and(|service| signals::is_of(service, one))
        };
        let is_meant = |both: &(&ReadTogether, &Inventoried)| match both.1 {
            one if piece.is_some() => self.piece(&found.repeats, one) == piece,
            one if !error.words.is_empty() && !error.words.iter().any(|word| signals::has_word(&one.words, word)) => {
                false
            }
            one if !about.is_empty() => {
                let is_named = names.contains(&one.name) || error.words.contains(&one.name.as_str());
                about.contains(&one.place) || is_named || is_beside(one)
            }
            _ => !error.words.is_empty() || !error.rules.is_empty() && explained(error.rules, both),
        };
        let mut credentials = here.all().filter(is_meant).collect();
        signals::keep_kind(&mut credentials, error.words.iter().find_map(|word| kind_of_server(word)));
        let sure = !(names.is_empty() && about.is_empty() && piece.is_none());
        let line = self.line(at);
        let mut answer =
            Diagnosis { line, times, credentials, piece, names, ..Diagnosis::new(row, text.to_owned(), None) }
                .concluded(self.alone, sure, &self.words_near(at));
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

fn explained(rules: &[&str], (part, one): &(&ReadTogether, &Inventoried)) -> bool {
    one.findings.iter().any(|&at| explains(rules, &part.findings[at]))
}

/// Returns the places of the fields that a row is about, most likely first.
fn places(error: &ErrorText) -> Vec<(&'static str, &'static str)> {
    error.about.iter().map(|field| field.place).chain(error.others.iter().copied()).collect()
}

impl<'h> Diagnosis<'h> {
    fn new(row: KnownText, text: String, sign: Option<Sign<'h>>) -> Self {
        let (credentials, findings, names, next) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let conclusion = Conclusion::Open;
        let (line, times, more, piece) = (None, 1, 0, None);
        Self { row, text, sign, line, times, credentials, more, conclusion, piece, findings, names, next }
    }

    /// Adds what its credentials tell. Another service may be meant if it is `alone`; it is `sure` if it tells which
    /// credentials failed.
    fn concluded(mut self, alone: bool, sure: bool, near: &HashSet<&str>) -> Self {
        let rules = if self.piece.is_some() { &[] } else { self.row.error.rules };
        let about = places(self.row.error);
        // Credentials with explaining findings come first, then those that the log names, then in the order of the row.
        let is_named =
            |one: &Inventoried| signals::has_last_word(one) && near.contains(one.name.to_ascii_lowercase().as_str());
        let rank = |one: &Inventoried| about.iter().position(|place| *place == one.place).unwrap_or(usize::MAX);
        self.credentials.sort_by_key(|both| (!explained(rules, both), !is_named(both.1), rank(both.1)));
        for (part, one) in &self.credentials {
            let own = one.findings.iter().map(|&at| &part.findings[at]);
            for finding in own.filter(|finding| explains(rules, finding)) {
                if !self.findings.iter().any(|(_, known)| *known == finding) {
                    self.findings.push((part, finding));
                }
            }
        }
        self.findings.sort_by_key(|(_, finding)| std::cmp::Reverse(finding.severity));
        let decides = !self.findings.is_empty();
        if !decides {
            // Notes decide nothing, but say what is wrong.
            let wrong = self.credentials.iter().filter(|(_, one)| one.standing == "wrong");
            let notes = wrong.flat_map(|(part, one)| one.findings.iter().map(|&at| (*part, &part.findings[at])));
            self.findings.extend(notes.take(MAX_ANSWERS));
        }
        let is_any = about.is_empty() && rules.is_empty() && self.row.error.words.is_empty() && self.sign.is_none();
        self.conclusion = match &self.credentials[..] {
            _ if decides && alone => Conclusion::Likely,
            [] if is_any => Conclusion::Elsewhere,
            [] => Conclusion::Absent,
            [_] if self.piece == Some(Piece::Part) => Conclusion::Cause,
            _ if !decides && self.piece == Some(Piece::Part) => Conclusion::Likely,
            _ if !decides => Conclusion::Open,
            _ if sure && is_certain(rules, &self.credentials) => Conclusion::Cause,
            _ => Conclusion::Likely,
        };
        self.names.dedup();
        self.names.truncate(if self.conclusion == Conclusion::Absent { MAX_NAMES } else { 0 });
        self.next = next_commands(self.conclusion, &self.findings, &self.credentials);
        self.more = self.credentials.len().saturating_sub(MAX_CREDENTIALS);
        self.credentials.truncate(MAX_CREDENTIALS);
        self
    }
}

/// Returns `true` if the values that are set together in one place can't work, and no other place has such values.
fn is_certain(rules: &[&str], credentials: &[(&ReadTogether, &Inventoried)]) -> bool {
    let decides = |finding: &Finding| {
        if rules.is_empty() { finding.severity == Severity::Error } else { rules.contains(&finding.rule) }
    };
    let set = |(part, one): &(&ReadTogether, &Inventoried)| (std::ptr::from_ref(*part), one.group);
    let is_wrong =
        |(part, one): &&(&ReadTogether, &Inventoried)| one.findings.iter().any(|&at| decides(&part.findings[at]));
    let mut wrong = credentials.iter().filter(is_wrong);
    let Some(first) = wrong.next() else { return false };
    let is_rival = |both: &(&ReadTogether, &Inventoried)| both.1.place == first.1.place && set(both) != set(first);
    // What is not set here was not refused, if something else may have been.
    let is_unset = |one: &Inventoried| one.standing == "unread";
    let may_be_meant = |both: &(&ReadTogether, &Inventoried)| set(both) != set(first) && !is_unset(both.1);
    let is_absent = is_unset(first.1) && credentials.iter().any(may_be_meant);
    wrong.all(|both| set(both) == set(first)) && !credentials.iter().any(is_rival) && !is_absent
}

/// Returns commands for further information. They contain no word of the log.
fn next_commands(
    decided: Conclusion,
    findings: &[(&ReadTogether, &Finding)],
    credentials: &[(&ReadTogether, &Inventoried)],
) -> Vec<String> {
    let mut next: Vec<String> =
        findings.iter().take(2).map(|(_, finding)| format!("credlint explain {}", finding.rule)).collect();
    next.dedup();
    let able = credentials.iter().find(|(_, one)| one.can_ask && decided == Conclusion::Open);
    next.extend(able.map(|(_, one)| match (one.profile.is_some(), one.variable) {
        (true, _) => "credlint verify".to_owned(),
        (_, true) => "credlint verify --environment".to_owned(),
        _ => "credlint verify .".to_owned(),
    }));
    next
}
