//! From an error text in a log to the credentials here that it is about.
//!
//! A log is somebody else's text: it is searched for the words of rows, and nothing of it is repeated. What is said is in
//! the rows, and what is known of the credentials is what a search finds.

mod here;
mod log;
mod text;

use crate::finding::{Finding, Severity};
use crate::shorthand::words;
pub use here::{Credential, Here, Part};
pub use log::{LONGEST, Log};
pub use text::Row;
use text::{KnownHost, Match, Words};

/// The number of answers. A log can be full of texts.
const MOST: usize = 8;
/// The number of words of a log that may be a mere error text.
const ALONE: usize = 15;
/// The number of names in an answer.
const MOST_NAMES: usize = 6;
/// The number of credentials in an answer.
const MOST_CREDENTIALS: usize = 16;

words! {
    /// What the bytes of the credentials say about a text.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Decided {
        /// A value here can't work, and nothing else here could be meant.
        Cause = "cause",
        /// A value here can't work, or something is doubtful, but another may be meant.
        Likely = "likely",
        /// No credential is in the wrong place.
        Elsewhere = "not-a-credential",
        /// The credentials here may be right.
        Open = "open",
        /// There are no such credentials here.
        Absent = "not-here",
    }
    /// Returns the word used in every format.
    pub fn name;
}

/// What a text in a log is about.
#[derive(Debug)]
pub struct Answer<'h> {
    /// The row.
    pub row: Row,
    /// The text of the row that was found.
    pub text: &'static str,
    /// The line at which it was found last. `None` if the beginning of the log was not read.
    pub line: Option<usize>,
    /// The number of places.
    pub times: usize,
    /// The credentials here that it is about, those with findings first.
    pub credentials: Vec<(&'h Part, &'h Credential)>,
    /// The number of others.
    pub more: usize,
    /// What the bytes decide.
    pub decided: Decided,
    /// What explains it.
    pub findings: Vec<(&'h Part, &'h Finding)>,
    /// The names that are read, if there is none of them here.
    pub names: Vec<String>,
    /// Commands that say more.
    pub next: Vec<String>,
}

/// Credentials of a service whose host is in the log.
#[derive(Debug)]
pub struct AtHost<'h> {
    /// The host, as its row has it.
    pub host: &'static str,
    /// Whose it is.
    pub whose: &'static str,
    /// Its credentials here.
    pub credentials: Vec<(&'h Part, &'h Credential)>,
}

/// The answers.
#[derive(Debug)]
pub struct Why<'h> {
    /// The answers, the most certain first.
    pub answers: Vec<Answer<'h>>,
    /// The number of others.
    pub more: usize,
    /// If there is no answer: what is known of the hosts in the log.
    pub hosts: Vec<AtHost<'h>>,
}

/// Says what a log is about.
pub fn explain<'h>(log: &Log, here: &'h Here) -> Why<'h> {
    let words = Words::new(&log.text);
    let mut found = text::matches(&words, false);
    // A line of a log, without a word of whose it is: every service here that has such a text may be meant.
    let alone = found.is_empty() && words.len() <= ALONE && !log.text.contains("://");
    if alone {
        found = text::matches(&words, true);
    }
    // A mere status says nothing that the service's own text does not.
    let own: Vec<&str> = found.iter().filter(|one| one.row.error.hosts.is_empty()).map(|one| one.row.whose).collect();
    found.retain(|one| one.row.error.hosts.is_empty() || !own.contains(&one.row.whose));
    found.sort_by_key(|one| std::cmp::Reverse((one.at, one.words)));
    let answers = found.into_iter().map(|one| answer(one, &words, (log.cut, alone), here));
    let is_here = |answer: &Answer<'_>| !(answer.credentials.is_empty() || answer.row.whose.is_empty());
    let mut answers: Vec<Answer<'h>> = answers.filter(|answer| !alone || is_here(answer)).collect();
    answers.sort_by_key(|answer| answer.decided);
    let more = answers.len().saturating_sub(MOST);
    answers.truncate(MOST);
    let hosts = if answers.is_empty() { hosts(&log.text, here) } else { Vec::new() };
    Why { answers, more, hosts }
}

fn answer<'h>(found: Match, words: &Words<'_>, (cut, alone): (bool, bool), here: &'h Here) -> Answer<'h> {
    let Match { row, text, at, times, .. } = found;
    let error = row.error;
    let all = || here.parts.iter().flat_map(|part| part.credentials.iter().map(move |one| (part, one)));
    // What the row names explains it, whatever it weighs elsewhere.
    let explains = |finding: &Finding| match error.rules {
        [] => finding.severity > Severity::Note,
        rules => rules.contains(&finding.rule),
    };
    let explained =
        |(part, one): &(&'h Part, &'h Credential)| one.findings.iter().any(|&at| explains(&part.findings[at]));
    let about: Vec<_> = error.about.iter().map(|field| field.place).chain(error.others.iter().copied()).collect();
    // An address beside them may say that they are another service's: they are set all the same.
    let mut spelled: Vec<String> = about.iter().filter_map(|place| text::name(*place)).collect();
    let mut credentials: Vec<_> = match (&about[..], error.rules) {
        ([], []) => Vec::new(),
        ([], _) => all().filter(explained).collect(),
        _ => all().filter(|(_, one)| about.contains(&one.place) || spelled.contains(&one.name)).collect(),
    };
    // Those that explain it first, then by what the row names first.
    let rank = |one: &Credential| about.iter().position(|place| *place == one.place).unwrap_or(usize::MAX);
    credentials.sort_by_key(|both| (!explained(both), rank(both.1)));
    let mut findings: Vec<(&Part, &Finding)> = Vec::new();
    for (part, one) in &credentials {
        for finding in one.findings.iter().map(|&at| &part.findings[at]).filter(|finding| explains(finding)) {
            if !findings.iter().any(|(_, known)| *known == finding) {
                findings.push((part, finding));
            }
        }
    }
    findings.sort_by_key(|(_, finding)| std::cmp::Reverse(finding.severity));
    let decided = match (&credentials[..], &findings[..]) {
        (_, [_, ..]) if alone => Decided::Likely,
        ([], _) if about.is_empty() && error.rules.is_empty() => Decided::Elsewhere,
        ([], _) => Decided::Absent,
        (_, []) => Decided::Open,
        _ if is_certain((&about, error.rules), &credentials) => Decided::Cause,
        _ => Decided::Likely,
    };
    spelled.dedup();
    spelled.truncate(if decided == Decided::Absent { MOST_NAMES } else { 0 });
    let next = next(decided, &findings, &credentials);
    let more = credentials.len().saturating_sub(MOST_CREDENTIALS);
    credentials.truncate(MOST_CREDENTIALS);
    let line = (!cut).then(|| words.line(at) + 1);
    Answer { row, text, line, times, credentials, more, decided, findings, names: spelled, next }
}

/// Returns `true` if what was set together in one place can't work, and no other place here has the same.
fn is_certain((about, rules): (&[(&str, &str)], &[&str]), credentials: &[(&Part, &Credential)]) -> bool {
    let decides = |finding: &Finding| match rules {
        [] => finding.severity == Severity::Error,
        rules => rules.contains(&finding.rule),
    };
    let same = |(part, one): &(&Part, &Credential), (other, two): &(&Part, &Credential)| {
        std::ptr::eq(*part, *other) && one.group == two.group
    };
    let is_wrong = |(part, one): &&(&Part, &Credential)| one.findings.iter().any(|&at| decides(&part.findings[at]));
    let wrong: Vec<_> = credentials.iter().filter(is_wrong).collect();
    // A row about any credential does not say which one failed.
    let Some(first) = wrong.first().filter(|_| !about.is_empty()) else { return false };
    let rival = |both: &&(&Part, &Credential)| both.1.place == first.1.place && !same(both, first);
    wrong.iter().all(|both| same(both, first)) && !credentials.iter().any(|both| rival(&both))
}

/// Returns commands that say more. None of them has a word of the log in it.
fn next(decided: Decided, findings: &[(&Part, &Finding)], credentials: &[(&Part, &Credential)]) -> Vec<String> {
    let mut next: Vec<String> = Vec::new();
    for (_, finding) in findings.iter().take(2) {
        let command = format!("credlint explain {}", finding.rule);
        if !next.contains(&command) {
            next.push(command);
        }
    }
    if decided == Decided::Open {
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

/// Lists the credentials here of the services whose hosts are in a log.
fn hosts<'h>(text: &str, here: &'h Here) -> Vec<AtHost<'h>> {
    let of = |(host, whose, kinds): KnownHost| {
        let all = here.parts.iter().flat_map(|part| part.credentials.iter().map(move |one| (part, one)));
        let credentials = all.filter(|(_, one)| kinds.contains(&one.place.0)).take(MOST_CREDENTIALS).collect();
        AtHost { host, whose, credentials }
    };
    text::hosts(text).into_iter().map(of).take(MOST).collect()
}
