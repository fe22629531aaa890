//! Comments that allow findings.

use crate::schema::value::shown;
use crate::text::{LineIndex, Span};

/// A comment that allows a finding: `# credlint: allow(rule) reason`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Allowance {
    /// The id of the rule, if it is spelled like one.
    pub rule: String,
    /// The reason for display; empty if none is given.
    pub reason: String,
    /// The location of the comment.
    pub span: Span,
    /// The line that it applies to, from 1: its own, or the next if it stands alone.
    pub line: usize,
    /// Why it allows nothing, if so.
    pub inert: Option<Inert>,
}

/// Why a comment that was meant to allow a finding does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Inert {
    /// It is no comment in this syntax.
    NotAComment,
    /// It says it in other words, as other linters do: `ignore`, `disable`.
    OtherWords,
}

/// What other linters call an allow, and an allow without a rule.
const OTHER_WORDS: [&str; 6] = ["ignore", "disable", "skip", "nolint", "noqa", "allow"];

/// Parses the given comments: their ranges, and whether each stands alone on its line.
pub(super) fn from_comments(text: &str, comments: &[(Span, bool)], lines: &LineIndex) -> Vec<Allowance> {
    let inert = inert_comments(text, comments);
    let all = comments.iter().map(|&(span, alone)| (span, alone, false));
    let comments = all.chain(inert.into_iter().map(|span| (span, false, true))).filter_map(|(span, alone, inert)| {
        let comment = text.get(span.start..span.end)?.trim_start_matches(MARKS).trim_start();
        let rem = comment.get(..4).filter(|word| word.eq_ignore_ascii_case("rem "));
        let comment = comment[rem.map_or(0, str::len)..].trim_start().trim_end_matches("-->").trim_end_matches("*/");
        let said = comment.strip_prefix("credlint:")?.trim_start();
        let line = lines.position(span.start).line + usize::from(alone);
        let allow = || said.strip_prefix("allow")?.trim_start().strip_prefix('(')?.split_once(')');
        let Some((rules, reason)) = allow() else {
            let word = OTHER_WORDS.into_iter().find(|word| said.starts_with(word))?;
            return Some(("".split(','), word.to_owned(), span, line, Some(Inert::OtherWords)));
        };
        let reason = shown::reason(reason).unwrap_or_default();
        Some((rules.split(','), reason, span, line, inert.then_some(Inert::NotAComment)))
    });
    comments
        .flat_map(|(rules, reason, span, line, inert)| {
            let rule = |rule: &str| shown::rule(rule.trim()).unwrap_or_default();
            let of_rule = move |id| Allowance { rule: rule(id), reason: reason.clone(), span, line, inert };
            rules.map(of_rule).collect::<Vec<_>>()
        })
        .collect()
}

/// The characters with which comments begin in some syntax.
const MARKS: [char; 10] = ['#', ';', '/', '*', '!', '-', '<', '>', ':', '%'];

/// Returns what was meant as a comment and is none here, such as `//` in a dotenv file: up to the end of its line.
fn inert_comments(text: &str, comments: &[(Span, bool)]) -> Vec<Span> {
    let places = text.match_indices("credlint:").filter_map(|(at, _)| {
        let before = text[..at].trim_end_matches([' ', '\t']);
        let start = before.trim_end_matches(MARKS).len();
        let begins = text[..start].chars().next_back().is_none_or(char::is_whitespace);
        let end = at + text[at..].find(['\n', '\r']).unwrap_or(text.len() - at);
        let span = Span { start, end };
        (start < before.len() && begins).then_some(span)
    });
    let mut sorted: Vec<Span> = comments.iter().map(|(span, _)| *span).collect();
    sorted.sort_unstable_by_key(|span| span.start);
    let known = |span: &Span| {
        let next = sorted.partition_point(|comment| comment.start < span.end);
        next > 0 && sorted[next - 1].end > span.start
    };
    places.filter(|span| !known(span)).collect()
}
