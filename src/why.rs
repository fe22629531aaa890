//! Finds the credentials that an error text in a log is about.
//!
//! A log is untrusted text: it is searched for the words of rows, and no part of it is repeated. The explanations are
//! in the rows, and the facts about credentials are those that a search finds.

mod local;
mod log;
mod text;

use crate::finding::{Finding, Severity};
use crate::shorthand::words;
pub use local::{LocalCredential, LocalCredentials, ReadTogether};
pub use log::{LONGEST, Log};
pub use text::KnownText;
use text::{KnownHost, LogWords, Match};

/// The maximum number of answers.
const MAX_ANSWERS: usize = 8;
/// The maximum number of words in a log that may be a single error text.
const MAX_BARE_WORDS: usize = 15;
/// The maximum number of names in an answer.
const MAX_NAMES: usize = 6;
/// The maximum number of credentials in an answer.
const MAX_CREDENTIALS: usize = 16;

words! {
    /// What the credentials here tell about an error text.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Conclusion {
        /// A value here can't work, and no other one could be meant.
        Cause = "cause",
        /// A value here can't work or is doubtful, but another one may be meant.
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

/// The explanation of an error text in a log.
#[derive(Debug)]
pub struct Diagnosis<'h> {
    /// The row.
    pub row: KnownText,
    /// The text of the row that was found.
    pub text: &'static str,
    /// The line of the last match. `None` if the beginning of the log was not read.
    pub line: Option<usize>,
    /// The number of matches.
    pub times: usize,
    /// The credentials here that it is about, those with findings first.
    pub credentials: Vec<(&'h ReadTogether, &'h LocalCredential)>,
    /// The number of further ones.
    pub more: usize,
    /// The conclusion from the credentials.
    pub conclusion: Conclusion,
    /// The findings that explain it.
    pub findings: Vec<(&'h ReadTogether, &'h Finding)>,
    /// The names that programs read, if none of them is set here.
    pub names: Vec<String>,
    /// Commands for further information.
    pub next: Vec<String>,
}

/// Credentials of a service whose host is in the log.
#[derive(Debug)]
pub struct AtHost<'h> {
    /// The host, as in its row.
    pub host: &'static str,
    /// Whose it is.
    pub whose: &'static str,
    /// Its credentials here.
    pub credentials: Vec<(&'h ReadTogether, &'h LocalCredential)>,
}

/// The answers.
#[derive(Debug)]
pub struct Explanation<'h> {
    /// The answers, the most certain first.
    pub answers: Vec<Diagnosis<'h>>,
    /// The number of further ones.
    pub more: usize,
    /// If there is no answer: what is known about the hosts in the log.
    pub hosts: Vec<AtHost<'h>>,
}

/// Explains a log.
pub fn explain<'h>(log: &Log, here: &'h LocalCredentials) -> Explanation<'h> {
    let words = LogWords::new(&log.text);
    let mut found = text::matches(&words, false);
    // A single line that names no service: it may be about every service here with such a text.
    let alone = found.is_empty() && words.len() <= MAX_BARE_WORDS && !log.text.contains("://");
    if alone {
        found = text::matches(&words, true);
    }
    // A status adds nothing to the service's own text.
    let own: Vec<&str> = found.iter().filter(|one| one.row.error.hosts.is_empty()).map(|one| one.row.whose).collect();
    found.retain(|one| one.row.error.hosts.is_empty() || !own.contains(&one.row.whose));
    found.sort_by_key(|one| std::cmp::Reverse((one.at, one.words)));
    let answers = found.into_iter().map(|one| answer(one, &words, (log.cut, alone), here));
    let is_here = |answer: &Diagnosis<'_>| !(answer.credentials.is_empty() || answer.row.whose.is_empty());
    let mut answers: Vec<Diagnosis<'h>> = answers.filter(|answer| !alone || is_here(answer)).collect();
    // A project's texts don't crowd out others.
    answers.sort_by_key(|answer| (answer.conclusion, answer.row.is_own));
    let more = answers.len().saturating_sub(MAX_ANSWERS);
    answers.truncate(MAX_ANSWERS);
    let hosts = if answers.is_empty() { credentials_by_host(&log.text, here) } else { Vec::new() };
    Explanation { answers, more, hosts }
}

fn answer<'h>(
    found: Match,
    words: &LogWords<'_>,
    (cut, alone): (bool, bool),
    here: &'h LocalCredentials,
) -> Diagnosis<'h> {
    let Match { row, text, at, times, .. } = found;
    let error = row.error;
    let all = || here.parts.iter().flat_map(|part| part.credentials.iter().map(move |one| (part, one)));
    // The row's rules explain it, whatever their severity.
    let explains = |finding: &Finding| match error.rules {
        [] => finding.severity > Severity::Note,
        rules => rules.contains(&finding.rule),
    };
    let explained = |(part, one): &(&'h ReadTogether, &'h LocalCredential)| {
        one.findings.iter().any(|&at| explains(&part.findings[at]))
    };
    let about: Vec<_> = error.about.iter().map(|field| field.place).chain(error.others.iter().copied()).collect();
    // An address next to them may make them another service's, but they are set anyway.
    let mut spelled: Vec<String> = about.iter().filter_map(|place| text::first_name(*place)).collect();
    let mut credentials: Vec<_> = match (&about[..], error.rules) {
        ([], []) => Vec::new(),
        ([], _) => all().filter(explained).collect(),
        _ => all().filter(|(_, one)| about.contains(&one.place) || spelled.contains(&one.name)).collect(),
    };
    // Credentials with explaining findings come first, then in the order of the row.
    let rank = |one: &LocalCredential| about.iter().position(|place| *place == one.place).unwrap_or(usize::MAX);
    credentials.sort_by_key(|both| (!explained(both), rank(both.1)));
    let mut findings: Vec<(&ReadTogether, &Finding)> = Vec::new();
    for (part, one) in &credentials {
        for finding in one.findings.iter().map(|&at| &part.findings[at]).filter(|finding| explains(finding)) {
            if !findings.iter().any(|(_, known)| *known == finding) {
                findings.push((part, finding));
            }
        }
    }
    findings.sort_by_key(|(_, finding)| std::cmp::Reverse(finding.severity));
    let decided = match (&credentials[..], &findings[..]) {
        (_, [_, ..]) if alone => Conclusion::Likely,
        ([], _) if about.is_empty() && error.rules.is_empty() => Conclusion::Elsewhere,
        ([], _) => Conclusion::Absent,
        (_, []) => Conclusion::Open,
        _ if is_certain((&about, error.rules), &credentials) => Conclusion::Cause,
        _ => Conclusion::Likely,
    };
    spelled.dedup();
    spelled.truncate(if decided == Conclusion::Absent { MAX_NAMES } else { 0 });
    let next = next_commands(decided, &findings, &credentials);
    let more = credentials.len().saturating_sub(MAX_CREDENTIALS);
    credentials.truncate(MAX_CREDENTIALS);
    let line = (!cut).then(|| words.line(at) + 1);
    Diagnosis { row, text, line, times, credentials, more, conclusion: decided, findings, names: spelled, next }
}

/// Returns `true` if the values that are set together in one place can't work, and no other place has such values.
fn is_certain((about, rules): (&[(&str, &str)], &[&str]), credentials: &[(&ReadTogether, &LocalCredential)]) -> bool {
    let decides = |finding: &Finding| match rules {
        [] => finding.severity == Severity::Error,
        rules => rules.contains(&finding.rule),
    };
    let same = |(part, one): &(&ReadTogether, &LocalCredential), (other, two): &(&ReadTogether, &LocalCredential)| {
        std::ptr::eq(*part, *other) && one.group == two.group
    };
    let is_wrong =
        |(part, one): &&(&ReadTogether, &LocalCredential)| one.findings.iter().any(|&at| decides(&part.findings[at]));
    let wrong: Vec<_> = credentials.iter().filter(is_wrong).collect();
    // A row about any credential does not tell which one failed.
    let Some(first) = wrong.first().filter(|_| !about.is_empty()) else { return false };
    let rival = |both: &&(&ReadTogether, &LocalCredential)| both.1.place == first.1.place && !same(both, first);
    wrong.iter().all(|both| same(both, first)) && !credentials.iter().any(|both| rival(&both))
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

/// Lists the credentials here of the services whose hosts are in a log.
fn credentials_by_host<'h>(text: &str, here: &'h LocalCredentials) -> Vec<AtHost<'h>> {
    let of = |(host, whose, kinds): KnownHost| {
        let all = here.parts.iter().flat_map(|part| part.credentials.iter().map(move |one| (part, one)));
        let credentials = all.filter(|(_, one)| kinds.contains(&one.place.0)).take(MAX_CREDENTIALS).collect();
        AtHost { host, whose, credentials }
    };
    text::known_hosts(text).into_iter().map(of).take(MAX_ANSWERS).collect()
}
