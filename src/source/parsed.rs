//! What the readers of other programs' files have in common.

use super::spot::{SourceId, Spot};
use super::tree::{Entry, Node, Scalar, Value, store};
use crate::secret::Vault;
use crate::text::Span;

/// What a reader makes of a file of another program.
#[derive(Default)]
pub(super) struct Parsed {
    /// A tree for each document.
    pub(super) roots: Vec<Value>,
    /// Words and marks that belong to the format: they may be shown where they stand.
    pub(super) marks: Vec<Span>,
    /// Comments that no `#` begins, and whether nothing else stands on their line.
    pub(super) comments: Vec<(Span, bool)>,
}

impl Parsed {
    /// A single document of nothing but entries.
    pub(super) fn table(entries: Vec<Entry>, source: SourceId, end: usize) -> Self {
        Self { roots: vec![table(entries, source, Span { start: 0, end })], ..Self::default() }
    }
}

/// A table in its place.
pub(super) fn table(entries: Vec<Entry>, source: SourceId, span: Span) -> Value {
    Value::new(Node::Table(entries), Spot { source, span })
}

/// A piece of a text that is a key.
pub(super) fn key(text: &str, span: Span, source: SourceId) -> (String, Spot) {
    (unquoted(&text[span.start..span.end]).to_owned(), Spot { source, span })
}

/// A string in its place.
pub(super) fn string(value: std::borrow::Cow<'_, str>, span: Span, source: SourceId, vault: &mut Vault) -> Value {
    Value::new(Node::Scalar(Scalar::Text, store(value, vault)), Spot { source, span })
}

/// A text without the two quotes around it.
pub(super) fn unquoted(text: &str) -> &str {
    let inner = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

/// A range of a text without the white space at both ends.
pub(super) fn trimmed(text: &str, span: Span) -> Span {
    let raw = &text[span.start..span.end];
    let start = span.start + raw.len() - raw.trim_start().len();
    Span { start, end: start + raw.trim().len() }
}

/// Where each line of a text begins and ends, its end not counted.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Span> + '_ {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        Span { start, end: start + line.trim_end_matches(['\n', '\r']).len() }
    })
}

/// How long a value is before a comment: white space, and one of the `marks`.
pub(super) fn before_comment(value: &str, marks: &[char]) -> usize {
    let comment = value.char_indices().zip(value.chars().skip(1));
    let comment = comment.into_iter().find(|((_, c), next)| c.is_whitespace() && marks.contains(next));
    comment.map_or(value.len(), |((offset, _), _)| offset)
}
