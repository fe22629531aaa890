//! The view of a file that fixes work on: its raw text, and the locations of keys and values; edits, and the proof that a
//! new text has the same meaning as the old one, except for their changes.

use std::collections::HashMap;

use zeroize::Zeroizing;

use crate::secret::Vault;
use crate::source::{Entry, Node, Scalar, Value};
use crate::text::Span;

/// Why a finding can't be fixed.
pub(super) type Refusal = &'static str;

pub(super) const ESCAPED: Refusal = "it is written with escapes or in several parts";
pub(super) const ALIASED: Refusal = "it comes from an alias or a merge key";
pub(super) const UNPROVEN: Refusal = "the change would affect other values in the file";

/// A parsed file.
pub(super) struct View<'a> {
    text: &'a str,
    vault: &'a Vault,
    pub(super) is_dotenv: bool,
    keys: HashMap<Span, Slot<'a>>,
    /// How often each value occurs: an alias repeats it.
    values: HashMap<Span, usize>,
}

/// A key in its table.
pub(super) struct Slot<'a> {
    pub(super) entry: &'a Entry,
    pub(super) table: &'a [Entry],
    pub(super) depth: usize,
    times: usize,
}

impl<'a> View<'a> {
    pub(super) fn new(text: &'a str, root: &'a Value, vault: &'a Vault, is_dotenv: bool) -> Self {
        let mut view = Self { text, vault, is_dotenv, keys: HashMap::new(), values: HashMap::new() };
        view.index(root, 0);
        view
    }

    fn index(&mut self, value: &'a Value, depth: usize) {
        *self.values.entry(value.at.span).or_insert(0) += 1;
        match &value.node {
            Node::Table(table) => {
                for entry in table {
                    let slot = Slot { entry, table, depth, times: 0 };
                    self.keys.entry(entry.at.span).or_insert(slot).times += 1;
                    self.index(&entry.value, depth + 1);
                }
            }
            Node::List(items) => items.iter().for_each(|item| self.index(item, depth + 1)),
            _ => {}
        }
    }

    /// Returns the first key of the table that contains a key. It identifies the table.
    pub(super) fn first_beside(&self, key: Span) -> Option<Span> {
        Some(self.keys.get(&key)?.table.first()?.at.span)
    }

    /// Returns the key at a location, unless its table occurs twice.
    pub(super) fn slot(&self, key: Span) -> Result<&Slot<'a>, Refusal> {
        let slot = self.keys.get(&key).ok_or(UNPROVEN)?;
        if slot.times > 1 { Err(ALIASED) } else { Ok(slot) }
    }

    /// Returns the string value of a key, if it is literal and not used elsewhere.
    pub(super) fn leaf(&self, key: Span) -> Result<&'a Value, Refusal> {
        let value = &self.slot(key)?.entry.value;
        if !matches!(value.node, Node::Scalar(Scalar::Text, _)) {
            return Err("it is not a plain string");
        }
        self.own(key, value)
    }

    /// Returns a value that directly follows its key.
    pub(super) fn own(&self, key: Span, value: &'a Value) -> Result<&'a Value, Refusal> {
        let once = self.values.get(&value.at.span) == Some(&1);
        let there = value.at.span.start >= key.end && value.via.is_none() && value.at.span.end <= self.text.len();
        if once && there { Ok(value) } else { Err(ALIASED) }
    }

    pub(super) fn raw(&self, span: Span) -> &'a str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    /// Returns a range without its quotes.
    pub(super) fn inner(&self, span: Span) -> Span {
        let raw = self.raw(span);
        for quote in ["\"\"\"", "'''", "\"", "'"] {
            if raw.len() >= 2 * quote.len() && raw.starts_with(quote) && raw.ends_with(quote) {
                return Span { start: span.start + quote.len(), end: span.end - quote.len() };
            }
        }
        span
    }

    /// Returns the string value of a key: as it is parsed, where it is without its quotes, and what it says.
    pub(super) fn text(&self, key: Span) -> Result<(&'a Value, Span, &'a str), Refusal> {
        let value = self.leaf(key)?;
        Ok((value, self.inner(value.at.span), self.decoded(value)))
    }

    pub(super) fn decoded(&self, value: &Value) -> &'a str {
        decoded(value, self.vault)
    }

    /// Returns the comma between two elements, ignoring comments.
    pub(super) fn comma(&self, gap: Span) -> Option<usize> {
        let mut comment = false;
        self.raw(gap).char_indices().find_map(|(offset, c)| {
            comment = (comment || c == '#') && c != '\n';
            (c == ',' && !comment).then_some(gap.start + offset)
        })
    }

    pub(super) fn rest_of_line(&self, at: usize) -> &'a str {
        self.text[at..].split('\n').next().unwrap_or_default()
    }

    pub(super) fn line_before(&self, at: usize) -> &'a str {
        self.text[..at].rsplit('\n').next().unwrap_or_default()
    }

    /// Extends a range by the space that its removal would leave: whole lines, or trailing blanks.
    pub(super) fn room(&self, span: Span) -> Span {
        self.lines(span).unwrap_or_else(|| {
            let rest = &self.text[span.end..];
            Span { start: span.start, end: span.end + (rest.len() - rest.trim_start_matches([' ', '\t']).len()) }
        })
    }

    /// Returns the whole lines of a range. `None` if they contain anything else.
    fn lines(&self, span: Span) -> Option<Span> {
        let (before, rest) = (self.line_before(span.start), self.rest_of_line(span.end));
        if !before.trim().is_empty() || !rest.trim().is_empty() {
            return None;
        }
        let (start, end) = (span.start - before.len(), span.end + rest.len());
        if end < self.text.len() {
            return Some(Span { start, end: end + 1 });
        }
        // The last line has no line break, so remove the one before it.
        Some(Span { start: self.text[..start].trim_end_matches(['\n', '\r']).len(), end })
    }
}

/// The intended change to a key or value.
pub(super) enum Change {
    Value(Zeroizing<String>),
    Key(String),
    Gone,
}

/// A range, and what replaces it.
pub(super) type Piece = (Span, Zeroizing<String>);

/// What a repair does: the ranges to replace, and the changes of meaning.
pub(super) struct Edit {
    pub(super) pieces: Vec<Piece>,
    pub(super) changes: Vec<(Span, Change)>,
    /// The description of the change.
    pub(super) text: String,
}

impl Edit {
    /// Creates the edit that removes a range from a value, and keeps the rest.
    pub(super) fn cut(value: &Value, range: Span, rest: &str, text: String) -> Self {
        let change = Change::Value(Zeroizing::new(rest.to_owned()));
        Self { pieces: vec![removal(range)], changes: vec![(value.at.span, change)], text }
    }
}

/// Returns the piece that removes a range.
pub(super) fn removal(span: Span) -> Piece {
    (span, Zeroizing::default())
}

/// Returns the value of a scalar.
pub(super) fn decoded<'v>(value: &Value, vault: &'v Vault) -> &'v str {
    match value.node {
        #[expect(clippy::disallowed_methods, reason = "compares the old text with the new one; prints nothing")]
        Node::Scalar(_, handle) => vault.open(handle),
        _ => "",
    }
}

/// Compares two trees: the new tree must equal the old one with the changes applied.
pub(super) struct Proof<'p> {
    pub(super) old: &'p Vault,
    pub(super) new: &'p Vault,
    pub(super) changes: HashMap<Span, &'p Change>,
}

impl Proof<'_> {
    pub(super) fn same(&self, old: &Value, new: &Value) -> bool {
        let stays = |value: &&Value| !matches!(self.changes.get(&value.at.span), Some(Change::Gone));
        match (&old.node, &new.node) {
            (Node::Null, Node::Null) => true,
            (Node::Scalar(one, _), Node::Scalar(other, _)) => {
                let expected = match self.changes.get(&old.at.span) {
                    Some(Change::Value(value)) => value.as_str(),
                    _ => decoded(old, self.old),
                };
                one == other && expected == decoded(new, self.new)
            }
            (Node::List(one), Node::List(other)) => {
                let one: Vec<&Value> = one.iter().filter(stays).collect();
                one.len() == other.len() && one.into_iter().zip(other).all(|(old, new)| self.same(old, new))
            }
            (Node::Table(one), Node::Table(other)) => {
                let entry = |old: &Entry, new: &Entry| {
                    let expected = match self.changes.get(&old.at.span) {
                        Some(Change::Key(name)) => name,
                        _ => &old.key,
                    };
                    *expected == new.key && self.same(&old.value, &new.value)
                };
                one.len() == other.len() && one.iter().zip(other).all(|(old, new)| entry(old, new))
            }
            _ => false,
        }
    }
}
