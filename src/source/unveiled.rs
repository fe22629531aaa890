//! Builds the masked copy of another program's file: all values are hidden, and names that could be values.

use std::collections::{HashMap, HashSet};

use super::parsed::Parsed;
use super::tree::{Entry, Node, Value};
use crate::schema::value::key_name;
use crate::text::{Masked, Span};

/// Returns the masked copy. `words` is true for TOML, whose table names occur in several headers but only once in the
/// tree.
pub(super) fn mask(text: &str, parsed: &Parsed, words: bool) -> Masked {
    let mut spans = Spans { text, shown: parsed.marks.clone(), values: Vec::new(), names: HashMap::new() };
    parsed.roots.iter().for_each(|root| spans.value(root));
    let Spans { mut shown, mut values, names, .. } = spans;
    let names = || names.into_iter().filter_map(|(name, shown)| shown.then_some(name)).collect();
    shown.sort_unstable();
    values.sort_unstable();
    values.dedup();
    Masked::new(text, &shown, &values, &if words { names() } else { HashSet::new() })
}

struct Spans<'a> {
    text: &'a str,
    shown: Vec<Span>,
    values: Vec<Span>,
    /// The keys, and whether they may be shown: most files repeat theirs.
    names: HashMap<&'a str, bool>,
}

impl<'a> Spans<'a> {
    fn value(&mut self, value: &'a Value) {
        match &value.node {
            Node::Null | Node::Scalar(..) if value.at.span.start < value.at.span.end => self.values.push(value.at.span),
            Node::Null | Node::Scalar(..) => {}
            Node::List(items) => items.iter().for_each(|item| self.element(item)),
            Node::Conflict(items) => items.iter().for_each(|item| self.value(item)),
            Node::Table(entries) => entries.iter().for_each(|entry| self.entry(entry)),
        }
    }

    /// Handles `NAME=value` in a list, a container's variable with an upper-case name.
    fn element(&mut self, value: &'a Value) {
        let Span { start, end } = value.at.span;
        let raw = self.text.get(start..end).unwrap_or_default();
        let bare = raw.trim_start_matches(['"', '\'']);
        let name = bare.split_once('=').map_or("", |(name, _)| name);
        let variable = name.contains('_') && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
        if !matches!(value.node, Node::Scalar(..)) || !variable || key_name(name).is_none() {
            return self.value(value);
        }
        let name = Span { start: end - bare.len(), end: end - bare.len() + name.len() + 1 };
        self.shown.push(name);
        self.values.push(Span { start: name.end, end });
    }

    fn entry(&mut self, entry: &'a Entry) {
        let Span { start, end } = entry.at.span;
        if start < end {
            let raw = self.text.get(start..end).unwrap_or_default();
            // An escape could spell anything.
            let plain = super::parsed::unquoted(raw) == entry.key;
            if plain && *self.names.entry(&entry.key).or_insert_with(|| key_name(&entry.key).is_some()) {
                self.shown.push(entry.at.span);
            } else {
                self.values.push(entry.at.span);
            }
        }
        self.value(&entry.value);
    }
}
