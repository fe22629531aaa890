//! Collects unknown keys and type errors.

use super::setting::{Mistyped, Unknown, UnknownKind};
use crate::schema::Kind;
use crate::secret::Handle;
use crate::source::{Node, Scalar, Spot, Value};
use crate::text;

/// Unknown keys and type errors.
#[derive(Default)]
pub(super) struct Flaws {
    pub(super) unknown: Vec<Unknown>,
    pub(super) mistyped: Vec<Mistyped>,
}

impl Flaws {
    /// Adds an unknown key.
    pub(super) fn add_unknown(&mut self, key: String, at: Spot, word: &str, expected: Vec<&'static str>) {
        self.add_alias(UnknownKind::Field, (key, at), word, expected, Vec::new());
    }

    /// Adds an unknown key of a profile, with the fields for which other programs use this name.
    pub(super) fn add_foreign(&mut self, key: String, at: Spot, word: &str, kind: &Kind) {
        let called = kind.fields_by_alias(word).map(|field| field.name).collect();
        self.add_alias(UnknownKind::Field, (key, at), word, kind.field_names().collect(), called);
    }

    /// Adds an unknown key or table, with those that it may mean.
    pub(super) fn add_alias(
        &mut self,
        what: UnknownKind,
        (key, at): (String, Spot),
        word: &str,
        expected: Vec<&'static str>,
        called: Vec<&'static str>,
    ) {
        let meant = called.first().copied().or_else(|| text::nearest(word, expected.iter().copied()));
        let suggestion = meant.map(str::to_owned);
        self.unknown.push(Unknown { suggestion, meant, aliases: called, expected, ..Unknown::new(what, key, at) });
    }

    /// Adds a field outside a profile, or a profile in the wrong place.
    pub(super) fn add_misplaced(&mut self, what: UnknownKind, key: String, at: Spot, meant: String) {
        self.unknown.push(Unknown { suggestion: Some(meant), ..Unknown::new(what, key, at) });
    }

    pub(super) fn add_mistyped(&mut self, key: String, at: Spot, found: &'static str, expected: impl Into<String>) {
        self.mistyped.push(Mistyped { key, at, found, expected: expected.into() });
    }

    /// Reads a string with `read`. Reports a string that it rejects, and a value that is not a string.
    pub(super) fn read_text<T>(
        &mut self,
        value: &Value,
        (key, at): (String, Spot),
        expected: &str,
        read: impl FnOnce(Handle) -> Option<T>,
    ) -> Option<T> {
        let (found, read) = match value.node {
            Node::Scalar(Scalar::Text, handle) => ("a different string", read(handle)),
            ref node => (node.describe(), None),
        };
        if read.is_none() {
            self.add_mistyped(key, at, found, expected);
        }
        read
    }
}
