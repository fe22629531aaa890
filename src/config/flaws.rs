//! Collects unknown keys and type errors.

use super::setting::{Mistyped, Unknown, UnknownKind};
use crate::schema::Kind;
use crate::source::Spot;
use crate::text;

/// Unknown keys and type errors.
#[derive(Default)]
pub(super) struct Flaws {
    pub(super) unknown: Vec<Unknown>,
    pub(super) mistyped: Vec<Mistyped>,
}

impl Flaws {
    /// Adds an unknown key.
    pub(super) fn unknown(&mut self, key: String, at: Spot, word: &str, expected: Vec<&'static str>) {
        self.unknown_key(UnknownKind::Field, key, at, word, expected);
    }

    /// Adds an unknown table.
    pub(super) fn unknown_table(&mut self, key: String, at: Spot, word: &str, expected: Vec<&'static str>) {
        self.unknown_key(UnknownKind::Table, key, at, word, expected);
    }

    fn unknown_key(&mut self, what: UnknownKind, key: String, at: Spot, word: &str, expected: Vec<&'static str>) {
        let meant = text::nearest(word, expected.iter().copied());
        let suggestion = meant.map(str::to_owned);
        self.unknown.push(Unknown { key, at, suggestion, meant, called: Vec::new(), expected, what });
    }

    /// Adds an unknown key, with the fields that other programs call so.
    pub(super) fn foreign(&mut self, key: String, at: Spot, word: &str, kind: &Kind) {
        let called: Vec<_> = kind.called(word).map(|field| field.name).collect();
        let Some(&meant) = called.first() else {
            return self.unknown(key, at, word, kind.field_names().collect());
        };
        let (suggestion, expected) = (Some(meant.to_owned()), kind.field_names().collect());
        let what = UnknownKind::Field;
        self.unknown.push(Unknown { key, at, suggestion, meant: Some(meant), called, expected, what });
    }

    /// Adds a field outside a profile, or a profile in the wrong place.
    pub(super) fn misplaced(&mut self, what: UnknownKind, key: String, at: Spot, meant: String) {
        let (called, expected) = (Vec::new(), Vec::new());
        self.unknown.push(Unknown { key, at, suggestion: Some(meant), meant: None, called, expected, what });
    }

    pub(super) fn mistyped(&mut self, key: String, at: Spot, found: &'static str, expected: impl Into<String>) {
        self.mistyped.push(Mistyped { key, at, found, expected: expected.into() });
    }
}
