//! Edits, and the proof that a new text has the same meaning as the old one, except for their changes.

use std::collections::HashMap;

use zeroize::Zeroizing;

use crate::secret::Vault;
use crate::source::{Entry, Node, Value};
use crate::text::Span;

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
