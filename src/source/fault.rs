//! Parser errors that quote nothing from the input, and the reasons why a source can't be used.

use super::start::start_of_value;
use super::tree::{SourceId, Spot};
use crate::code::Code;
use crate::text::{self, Span};

/// The maximum nesting depth of tables and lists.
pub(super) const MAX_DEPTH: usize = 64;
/// The maximum number of values in a file, including tables and lists. A value counts once for each YAML alias that
/// repeats it.
pub(super) const MAX_VALUES: usize = 100_000;

/// A parser error. The message is ours or was sanitized by [`without_quoted_text`], because parsers quote their input.
pub(crate) struct Fault {
    pub(super) code: Code,
    pub(super) message: String,
    pub(super) labels: Vec<(Span, &'static str)>,
}

impl Fault {
    pub(super) fn syntax(message: &str, span: Span) -> Self {
        Self { code: Code::Syntax, message: without_quoted_text(message), labels: vec![(span, "here")] }
    }

    pub(super) fn duplicate(first: Span, second: Span) -> Self {
        let labels = vec![(second, "set again here"), (first, "first set here")];
        Self { code: Code::DuplicateKey, message: "a key is set twice".to_owned(), labels }
    }

    pub(super) fn too_many(span: Span) -> Self {
        let message = "more than 100,000 values, counting each use of an alias".to_owned();
        Self { code: Code::TooManyValues, message, labels: vec![(span, "here")] }
    }

    pub(super) fn too_deep(span: Span) -> Self {
        let message = format!("nested more than {MAX_DEPTH} levels deep");
        Self { code: Code::TooDeep, message, labels: vec![(span, "here")] }
    }
}

/// Why a source can't be used, or why an upload failed or is uncertain. It contains only credlint's own words, and text that
/// passed a validator.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Problem {
    /// The code for scripts: credlint's own (`file-changed`), or one of the service's (`invalid_auth`).
    pub code: Code,
    /// The message.
    pub message: String,
    /// The advice, if there is any.
    pub help: Option<String>,
    /// The locations; the first one is primary.
    pub labels: Vec<(Spot, String)>,
}

impl Problem {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), help: None, labels: Vec::new() }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn at(mut self, spot: Spot, text: impl Into<String>) -> Self {
        self.labels.push((spot, text.into()));
        self
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}

/// Removes everything that a parser may have quoted from its message.
fn without_quoted_text(message: &str) -> String {
    let mut quoted = None;
    let mut out = String::new();
    for word in message.split_inclusive(' ') {
        let opens = word.chars().find(|c| "\"'`".contains(*c));
        match (quoted, opens) {
            // A single quoted punctuation mark is from the parser, not from the file.
            (None, Some(quote)) if word.matches(quote).count() >= 2 && !word.chars().any(char::is_alphanumeric) => {
                out.push_str(word);
            }
            (None, Some(quote)) => {
                out.push_str("… ");
                quoted = (word.matches(quote).count() == 1).then_some(quote);
            }
            (None, None) if text::may_be_credential(word) => out.push_str("… "),
            (None, None) => out.push_str(word),
            (Some(quote), _) if word.contains(quote) => quoted = None,
            (Some(_), _) => {}
        }
    }
    text::printable(out.trim_end())
}

pub(super) fn into_problem(fault: Fault, format: &str, name: &str, id: SourceId, text: &str) -> Problem {
    let message = match fault.code {
        Code::Syntax => format!("{name} is not valid {format}: {}", fault.message),
        _ => format!("{name}: {}", fault.message),
    };
    let mut problem = Problem::new(fault.code, message);
    problem.help = match fault.code {
        Code::DuplicateKey => Some("keep one of the two".to_owned()),
        Code::Syntax if format != "dotenv" => {
            Some("correct the line; `credlint init -o -` prints a valid example".to_owned())
        }
        _ => None,
    };
    for (span, label) in fault.labels {
        let start = (fault.code == Code::Syntax).then(|| start_of_value(format, text, span.start));
        let span = start.map_or(span, |start| Span { start, end: start });
        problem = problem.at(Spot { source: id, span: at_least_one_character(span, text) }, label);
    }
    problem
}

/// Extends an empty range, which can't be underlined, to the next character, or to the previous one at the end of a
/// line.
fn at_least_one_character(span: Span, text: &str) -> Span {
    if span.start < span.end {
        return span;
    }
    let after = text.get(span.start..).and_then(|rest| rest.chars().next()).filter(|c| !c.is_whitespace());
    let before = text.get(..span.start).and_then(|rest| rest.trim_end().chars().next_back());
    match (after, before) {
        (Some(c), _) => Span { start: span.start, end: span.start + c.len_utf8() },
        (None, Some(c)) => {
            let end = text.get(..span.start).map_or(span.start, |rest| rest.trim_end().len());
            Span { start: end - c.len_utf8(), end }
        }
        (None, None) => span,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extends_empty_range_to_a_character() {
        for (text, start, shown) in [(": 1\n: 2\n", 4, ":"), ("a = \n", 4, "="), ("é", 0, "é"), ("\n", 0, "")] {
            let Span { start, end } = at_least_one_character(Span { start, end: start }, text);
            assert_eq!(&text[start..end], shown, "{text:?}");
        }
    }

    #[test]
    fn removes_quoted_text_from_parser_messages() {
        assert_eq!(without_quoted_text("missing value, expected `=`"), "missing value, expected `=`");
        assert_eq!(without_quoted_text("unknown anchor 'xoxb-1 and more' found"), "unknown anchor … found");
        assert_eq!(without_quoted_text("bad `hunter2` here"), "bad … here");
        assert_eq!(without_quoted_text("unexpected K0014pbwo1zxcIVMnqS"), "unexpected …");
    }
}
