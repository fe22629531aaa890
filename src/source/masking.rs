//! Builds the masked copy of a file that was parsed into a tree.

use std::collections::{HashMap, HashSet};

use super::parsed::Parsed;
use super::tree::{Entry, Node, Value};
use crate::schema::{self, value::key_name};
use crate::secret::Vault;
use crate::text::{Masked, Span};

/// Returns the masked copy of a configuration, which shows public values.
pub(super) fn mask<'a>(text: &'a str, entries: &'a [Entry], vault: &'a Vault) -> Masked {
    let (shown, values, names) = (Vec::new(), Vec::new(), HashMap::new());
    let mut spans = Spans { text, vault: Some(vault), shown, values, names, hidden: &[] };
    spans.table(entries, &mut Vec::new());
    spans.masked(true)
}

/// Returns the masked copy of another program's file: all values are hidden, and names that could be values. `words` is true
/// for TOML, whose table names occur in several headers but only once in the tree.
pub(super) fn mask_all(text: &str, parsed: &Parsed, words: bool) -> Masked {
    let (shown, values, names) = (parsed.marks.clone(), Vec::new(), HashMap::new());
    let mut spans = Spans { text, vault: None, shown, values, names, hidden: &parsed.hidden };
    parsed.roots.iter().for_each(|root| spans.value(root, &mut Vec::new()));
    spans.masked(words)
}

/// Collects public ranges and ranges of values.
struct Spans<'a> {
    text: &'a str,
    /// The values of a configuration. `None` if all values are hidden.
    vault: Option<&'a Vault>,
    shown: Vec<Span>,
    values: Vec<Span>,
    /// Keys, and whether they may be shown: most files repeat theirs.
    names: HashMap<&'a str, bool>,
    /// Where nothing is shown.
    hidden: &'a [Span],
}

impl<'a> Spans<'a> {
    /// A word outside every range is shown only if it is a public key, and `words` is true.
    fn masked(self, words: bool) -> Masked {
        let Self { text, mut shown, mut values, names, hidden, .. } = self;
        let words: HashSet<&str> =
            names.into_iter().filter_map(|(name, shown)| (shown && words).then_some(name)).collect();
        // One range may begin in another.
        let is_hidden = |span: &Span| {
            let before = hidden.partition_point(|part| part.start <= span.start);
            hidden[..before].iter().rev().take(8).any(|part| span.start < part.end)
        };
        values.extend(shown.extract_if(.., |span| is_hidden(span)));
        shown.sort_unstable();
        values.sort_unstable();
        values.dedup();
        Masked::new(text, &shown, &values, &words)
    }

    fn add_span(&mut self, span: Span, shown: bool) {
        if shown { &mut self.shown } else { &mut self.values }.push(span);
    }

    fn table(&mut self, entries: &'a [Entry], path: &mut Vec<&'a str>) {
        for entry in entries {
            path.push(&entry.key);
            let plain = self.is_verbatim(entry.at.span, &entry.key);
            let shown = plain
                && match self.vault {
                    Some(_) if !schema::is_public_key(path) => false,
                    Some(_) => *self.names.entry(&entry.key).or_insert(true),
                    None => *self.names.entry(&entry.key).or_insert_with(|| key_name(&entry.key).is_some()),
                };
            self.add_span(entry.at.span, shown);
            self.value(&entry.value, path);
            path.pop();
        }
    }

    fn value(&mut self, value: &'a Value, path: &mut Vec<&'a str>) {
        match &value.node {
            // The value of an unknown tag is also null.
            Node::Null => self.add_span(value.at.span, self.vault.is_some()),
            Node::Scalar(_, handle) => {
                let shown = self.vault.and_then(|vault| vault.shown(*handle, |value| schema::shown_value(path, value)));
                self.add_span(value.at.span, shown.is_some_and(|shown| self.is_verbatim(value.at.span, &shown)));
            }
            Node::List(items) if self.vault.is_none() => {
                for item in items {
                    self.add_container_variable(item, path);
                }
            }
            Node::List(items) | Node::Conflict(items) => items.iter().for_each(|item| self.value(item, path)),
            Node::Table(entries) => self.table(entries, path),
        }
    }

    /// Handles `NAME=value` in a list, a container's variable with an upper-case name.
    fn add_container_variable(&mut self, value: &'a Value, path: &mut Vec<&'a str>) {
        let Span { start, end } = value.at.span;
        let raw = self.text.get(start..end).unwrap_or_default();
        let bare = raw.trim_start_matches(['"', '\'']);
        let name = bare.split_once('=').map_or("", |(name, _)| name);
        let variable = name.contains('_') && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
        if !matches!(value.node, Node::Scalar(..)) || !variable || key_name(name).is_none() {
            return self.value(value, path);
        }
        let name = Span { start: end - bare.len(), end: end - bare.len() + name.len() + 1 };
        self.add_span(name, true);
        self.add_span(Span { start: name.end, end }, false);
    }

    /// Returns `true` if a range, without quotes, equals what may be shown. An escape could spell anything.
    fn is_verbatim(&self, span: Span, shown: &str) -> bool {
        let raw = self.text.get(span.start..span.end).unwrap_or_default();
        let quoted = raw.get(1..raw.len().saturating_sub(1)).filter(|_| raw.starts_with(['"', '\'']));
        // An address is shown in normalised form: a lower-case host, no trailing slash.
        [Some(raw), quoted].into_iter().flatten().any(|raw| raw.trim_end_matches('/').eq_ignore_ascii_case(shown))
    }
}
