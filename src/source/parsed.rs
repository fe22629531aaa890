//! Shared code of the readers for other programs' files.

use super::tree::{Entry, Node, Scalar, SourceId, Spot, Value, store};
use crate::secret::Vault;
use crate::text::Span;

/// The result of reading another program's file.
#[derive(Default)]
pub(super) struct Parsed {
    /// A tree for each document.
    pub(super) roots: Vec<Value>,
    /// Words and punctuation of the syntax, which may be shown at these locations.
    pub(super) marks: Vec<Span>,
    /// Comments that don't start with `#`, and whether each stands alone on its line.
    pub(super) comments: Vec<(Span, bool)>,
    /// Where what looks like a name may be part of a value, so that it is not shown; in order.
    pub(super) hidden: Vec<Span>,
    /// True if there are too many values, and the last ones were not read.
    pub(super) cut: bool,
}

impl Parsed {
    /// Creates a single document that has only entries.
    pub(super) fn table(entries: Vec<Entry>, source: SourceId, end: usize) -> Self {
        Self { roots: vec![table(entries, source, Span { start: 0, end })], ..Self::default() }
    }
}

/// Creates a table.
pub(super) fn table(entries: Vec<Entry>, source: SourceId, span: Span) -> Value {
    Value::new(Node::Table(entries), Spot { source, span })
}

/// Returns the key in a range of the text.
pub(super) fn key(text: &str, span: Span, source: SourceId) -> (String, Spot) {
    (unquoted(&text[span.start..span.end]).to_owned(), Spot { source, span })
}

/// Creates a string.
pub(super) fn string(value: std::borrow::Cow<'_, str>, span: Span, source: SourceId, vault: &mut Vault) -> Value {
    Value::new(Node::Scalar(Scalar::Text, store(value, vault)), Spot { source, span })
}

/// Removes the quotes around a text.
pub(super) fn unquoted(text: &str) -> &str {
    let inner = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

/// Trims whitespace from a range.
pub(super) fn trimmed(text: &str, span: Span) -> Span {
    let raw = &text[span.start..span.end];
    let start = span.start + raw.len() - raw.trim_start().len();
    Span { start, end: start + raw.trim().len() }
}

/// Returns the range of each line, without its line break.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Span> + '_ {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        Span { start, end: start + line.trim_end_matches(['\n', '\r']).len() }
    })
}

/// Returns the length of a value before a comment, which starts with whitespace and one of `marks`.
pub(super) fn length_before_comment(value: &str, marks: &[char]) -> usize {
    let comment = value.char_indices().zip(value.chars().skip(1));
    let comment = comment.into_iter().find(|((_, c), next)| c.is_whitespace() && marks.contains(next));
    comment.map_or(value.len(), |((offset, _), _)| offset)
}

/// Returns the offset of the closing quote in the text after the opening one.
pub(super) fn closing_quote(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    text.find(|c| {
        let closes = c == quote && !escaped;
        escaped = c == '\\' && quote == '"' && !escaped;
        closes
    })
}
