//! Builds the masked copy of a file that was parsed into a tree.

use std::collections::HashSet;

use super::tree::{Entry, Node, Value};
use crate::schema;
use crate::secret::Vault;
use crate::text::{Masked, Span};

pub(super) fn mask<'a>(text: &'a str, entries: &'a [Entry], vault: &'a Vault) -> Masked {
    let mut spans = Spans { text, vault, shown: Vec::new(), values: Vec::new(), words: HashSet::new() };
    spans.table(entries, &mut Vec::new());
    let Spans { mut shown, mut values, words, .. } = spans;
    shown.sort_unstable();
    values.sort_unstable();
    Masked::new(text, &shown, &values, &words)
}

/// Collects public ranges and ranges of values.
struct Spans<'a> {
    text: &'a str,
    vault: &'a Vault,
    shown: Vec<Span>,
    values: Vec<Span>,
    /// Public keys. A word outside every range is shown only if it is one of them.
    words: HashSet<&'a str>,
}

impl<'a> Spans<'a> {
    fn table(&mut self, entries: &'a [Entry], path: &mut Vec<&'a str>) {
        for entry in entries {
            path.push(&entry.key);
            if schema::is_public_key(path) && self.is_verbatim(entry.at.span, &entry.key) {
                self.shown.push(entry.at.span);
                self.words.insert(&entry.key);
            } else {
                self.values.push(entry.at.span);
            }
            self.value(&entry.value, path);
            path.pop();
        }
    }

    fn value(&mut self, value: &'a Value, path: &mut Vec<&'a str>) {
        match &value.node {
            Node::Null => self.shown.push(value.at.span),
            Node::Conflict(ways) => ways.iter().for_each(|way| self.value(way, path)),
            Node::Scalar(_, handle) => {
                let shown = self.vault.shown(*handle, |value| schema::show_at(path, value));
                if shown.is_some_and(|shown| self.is_verbatim(value.at.span, &shown)) {
                    self.shown.push(value.at.span);
                } else {
                    self.values.push(value.at.span);
                }
            }
            Node::List(items) => items.iter().for_each(|item| self.value(item, path)),
            Node::Table(entries) => self.table(entries, path),
        }
    }

    /// Returns `true` if a range, without quotes, equals what may be shown. An escape could spell anything.
    fn is_verbatim(&self, span: Span, shown: &str) -> bool {
        let raw = self.text.get(span.start..span.end).unwrap_or_default();
        let quoted = raw.get(1..raw.len().saturating_sub(1)).filter(|_| raw.starts_with(['"', '\'']));
        // An address is shown in normalised form: a lower-case host, no trailing slash.
        [Some(raw), quoted].into_iter().flatten().any(|raw| raw.trim_end_matches('/').eq_ignore_ascii_case(shown))
    }
}
