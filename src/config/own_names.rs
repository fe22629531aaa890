//! `[names]`: names of a project's own, and the field of a service that each means.

use std::collections::BTreeMap;

use aho_corasick::AhoCorasick;

use super::flaws::Flaws;
use crate::secret::Handle;
use crate::services::{self, Field};
use crate::shorthand::debug;
use crate::source::{self, Entry, Node, Reader};
use crate::text;

/// Names that no row knows, with the fields that they mean.
#[derive(Clone, Default)]
pub struct OwnNames {
    /// By their words in capitals.
    pub(super) fields: BTreeMap<String, &'static Field>,
    /// Finds texts that may have one of them.
    finder: Option<AhoCorasick>,
}

// A name could be a credential.
debug!(OwnNames, |own| "OwnNames({})", own.fields.len());

impl OwnNames {
    pub(super) fn new(fields: BTreeMap<String, &'static Field>) -> Self {
        let spellings =
            fields.keys().flat_map(|name| ["", "_", "-", ".", " "].map(|between| name.replace('_', between)));
        let finder = AhoCorasick::builder().ascii_case_insensitive(true).build(spellings).ok();
        Self { finder: finder.filter(|_| !fields.is_empty()), fields }
    }

    /// Adds those of a table.
    pub(super) fn add(&mut self, table: &Entry, reader: &Reader<'_>, flaws: &mut Flaws) {
        let entries = match &table.value.node {
            Node::Table(entries) => entries.as_slice(),
            Node::Null => &[],
            node => {
                flaws.add_mistyped("names".to_owned(), table.at, node.describe(), "a table of names and fields");
                &[]
            }
        };
        let read = |entry: &Entry| {
            let key = source::shown_path(&["names", &entry.key]);
            let known = |text: &str| field(text).map(|field| field.id.to_owned());
            let field = |handle: Handle| field(&reader.vault.shown(handle, known)?);
            let field = flaws.read_text(&entry.value, (key, entry.at), FIELD, field)?;
            Some((folded(&entry.key), field))
        };
        let set = entries.iter().filter(|entry| !matches!(entry.value.node, Node::Null));
        *self = Self::new(std::mem::take(&mut self.fields).into_iter().chain(set.filter_map(read)).collect());
    }

    /// Returns the field that a name means.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        if self.fields.is_empty() { None } else { self.fields.get(&folded(name)).copied() }
    }

    /// Returns these names and others, which win.
    pub(crate) fn with(&self, others: Option<&Self>) -> Self {
        let all = self.fields.iter().chain(others.into_iter().flat_map(|others| &others.fields));
        Self::new(all.map(|(name, field)| (name.clone(), *field)).collect())
    }

    /// Returns the names, by their words in capitals.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.keys().map(String::as_str)
    }

    /// Returns `true` if a text may have one of the names.
    pub fn are_in(&self, text: &[u8]) -> bool {
        self.finder.as_ref().is_some_and(|finder| finder.is_match(text))
    }
}

const FIELD: &str = "a field that `credlint services --format json` lists, such as `stripe/secret_key`";

/// Returns a field by its id.
fn field(id: &str) -> Option<&'static Field> {
    services::all().iter().flat_map(|service| service.fields).copied().find(|field| field.id == id)
}

fn folded(name: &str) -> String {
    text::words(name).join("_").to_uppercase()
}
