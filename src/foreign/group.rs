//! Groups entries: a section, a table, a container's environment, the data of a Secret. Credentials are matched within
//! one group only, because nearby values often belong to something else.

use std::path::Path;

use zeroize::Zeroizing;

use super::file_type::FileType;
use crate::secret::{Handle, Vault};
use crate::source::{Dialect, Entry, Node, Scalar, Spot, Value, read_within};
use crate::text::Span;

/// Entries of the same section, table or environment.
pub(super) struct Group {
    /// The keys that lead to the group.
    pub(super) path: Vec<String>,
    pub(super) items: Vec<Item>,
    /// Items beside the group: the `type` of a storage, the `uses` of a step.
    pub(super) siblings: Vec<Item>,
    /// The name and the syntax of the file that it is in, if that stands in another one.
    pub(super) within: Option<(String, Dialect)>,
}

/// A name with its value.
#[derive(Clone)]
pub(super) struct Item {
    pub(super) name: String,
    /// The location of the name.
    pub(super) at: Spot,
    pub(super) value: Handle,
    pub(super) how: Encoding,
}

/// How the text of an item encodes its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Encoding {
    /// Literally.
    Plain,
    /// In base64, as in the `data` of a Kubernetes Secret.
    Base64,
    /// As the name under which another document has it: the `key` of a `secretKeyRef`.
    Reference,
}

impl Group {
    /// Returns the last item with a name, ignoring case. The last one wins if a name occurs twice.
    pub(super) fn get(&self, name: &str) -> Option<&Item> {
        self.items.iter().rev().find(|item| item.name.eq_ignore_ascii_case(name))
    }

    /// Returns `true` if an item beside the group has this value.
    pub(super) fn has_sibling(&self, name: &str, word: &str, vault: &Vault) -> bool {
        let mut named = self.siblings.iter().filter(|item| item.name.eq_ignore_ascii_case(name));
        named.any(|item| value_matches(vault, item.value, |text| text.eq_ignore_ascii_case(word)))
    }

    /// Returns `true` if an item of the group has this value.
    pub(super) fn is(&self, name: &str, word: &str, vault: &Vault) -> bool {
        self.get(name).is_some_and(|item| value_matches(vault, item.value, |text| text.eq_ignore_ascii_case(word)))
    }
}

/// Returns `true` if a value passes a test.
pub(super) fn value_matches(vault: &Vault, handle: Handle, test: impl FnOnce(&str) -> bool) -> bool {
    vault.shown(handle, |text| test(text).then(String::new)).is_some()
}

/// Returns the groups of a document.
pub(super) fn groups(root: &Value, vault: &mut Vault) -> Vec<Group> {
    let mut finder = Finder { vault, path: Vec::new(), found: Vec::new(), files: Vec::new() };
    finder.visit(root, &[], Data::Plain);
    finder.found
}

/// What the values of a table are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Data {
    /// Settings.
    Plain,
    /// Texts and files: the `data` of a ConfigMap, the `stringData` of a Secret.
    Texts,
    /// The same in base64: the `data` of a Secret.
    Encoded,
}

/// How many files may be in one another.
const DEEPEST: usize = 2;

struct Finder<'v> {
    vault: &'v mut Vault,
    path: Vec<String>,
    found: Vec<Group>,
    /// The files inside the one that is read, with their syntaxes, the outer one first.
    files: Vec<(String, Dialect)>,
}

impl Finder<'_> {
    fn visit(&mut self, value: &Value, siblings: &[Entry], data: Data) {
        match &value.node {
            Node::Table(entries) => self.table(entries, siblings, data),
            Node::List(values) => self.list(values, siblings),
            Node::Conflict(values) => values.iter().for_each(|value| self.visit(value, siblings, data)),
            Node::Null | Node::Scalar(..) => {}
        }
    }

    fn table(&mut self, entries: &[Entry], siblings: &[Entry], data: Data) {
        let how = if data == Data::Encoded { Encoding::Base64 } else { Encoding::Plain };
        let item = |entry: &Entry| {
            let plain = text(&entry.value).map(|value| (value, how));
            let (value, how) = plain.or_else(|| Some((selected(&entry.value)?, Encoding::Reference)))?;
            Some(Item { name: entry.key.clone(), at: entry.at, value, how })
        };
        self.push(entries.iter().filter_map(item).collect(), siblings);
        let kind = entries.iter().find(|entry| entry.key == "kind").and_then(|entry| text(&entry.value));
        let is = |word: &str| kind.is_some_and(|kind| value_matches(self.vault, kind, |kind| kind == word));
        let (secret, map) = (is("Secret"), is("ConfigMap"));
        for entry in entries {
            // Encrypted values can't be checked.
            if entry.key == "encryptedData" || entry.key == "sops" {
                continue;
            }
            self.path.push(entry.key.clone());
            let inner = match entry.key.as_str() {
                "data" if secret => Data::Encoded,
                "stringData" if secret => Data::Texts,
                "data" if map => Data::Texts,
                _ => Data::Plain,
            };
            self.visit(&entry.value, entries, inner);
            self.file(entry, data);
            self.path.pop();
        }
    }

    /// Reads a file that stands in a value: by its name, or by what stands in it where values are files.
    fn file(&mut self, entry: &Entry, data: Data) {
        let Some(handle) = text(&entry.value).filter(|_| self.files.len() < DEEPEST) else { return };
        let named = FileType::from_path(Path::new(&entry.key)).filter(|_| entry.key.contains('.'));
        let script = matches!(entry.key.as_str(), "run" | "script");
        if named.is_none() && data == Data::Plain && !script {
            return;
        }
        let decoded = (data == Data::Encoded).then(|| crate::form::decode_base64(self.open(handle))).flatten();
        let text =
            Zeroizing::new(decoded.map_or_else(|| self.open(handle).to_owned(), |mut text| std::mem::take(&mut *text)));
        // A single line is a value.
        if !text.trim().contains('\n') {
            return;
        }
        let dialect = match named {
            Some(named) => named.dialect,
            None if script => Dialect::Assignments,
            None => FileType::of_text(&text).dialect,
        };
        self.files.push((entry.key.clone(), dialect));
        for root in read_within(&text, dialect, entry.at, self.vault) {
            self.visit(&root, &[], Data::Plain);
        }
        self.files.pop();
    }

    fn list(&mut self, values: &[Value], siblings: &[Entry]) {
        let named: Vec<Item> = values.iter().filter_map(|value| self.named(value)).collect();
        let assigned: Vec<Item> = values.iter().filter_map(|value| self.assigned(value)).collect();
        let whole = !named.is_empty() && named.len() * 2 > values.len();
        self.push(named, siblings);
        self.push(assigned, siblings);
        for (index, value) in values.iter().enumerate().filter(|_| !whole) {
            let last = self.path.pop();
            self.path.push(format!("{}[{index}]", last.clone().unwrap_or_default()));
            self.visit(value, siblings, Data::Plain);
            self.path.pop();
            self.path.extend(last);
        }
    }

    fn push(&mut self, items: Vec<Item>, siblings: &[Entry]) {
        if !items.is_empty() {
            let siblings = siblings.iter().filter_map(|entry| {
                let value = text(&entry.value)?;
                Some(Item { name: entry.key.clone(), at: entry.at, value, how: Encoding::Plain })
            });
            let (path, within) = (self.path.clone(), self.files.last().cloned());
            self.found.push(Group { path, items, siblings: siblings.collect(), within });
        }
    }

    /// Returns a variable of a container: `name` with `value`, or with `valueFrom` and the key of a Secret.
    fn named(&mut self, value: &Value) -> Option<Item> {
        let Node::Table(entries) = &value.node else { return None };
        // duplicati uses `Name` and `Value`.
        let find =
            |entries: &'_ [Entry], name: &str| entries.iter().position(|entry| entry.key.eq_ignore_ascii_case(name));
        let name = &entries[find(entries, "name")?];
        let text_of = |entries: &[Entry], name: &str| {
            let entry = &entries[find(entries, name)?];
            text(&entry.value)
        };
        let (handle, how) = match text_of(entries, "value") {
            Some(handle) => (handle, Encoding::Plain),
            None => {
                let Node::Table(from) = &entries[find(entries, "valueFrom")?].value.node else { return None };
                let Node::Table(reference) = &from[find(from, "secretKeyRef")?].value.node else { return None };
                (text_of(reference, "key")?, Encoding::Reference)
            }
        };
        let name_handle = text(&name.value)?;
        let at = name.value.at;
        Some(Item { name: self.name(name_handle)?, at, value: handle, how })
    }

    /// Returns `NAME=value` from a list element, as in compose files. Quotes are part of the value.
    fn assigned(&mut self, value: &Value) -> Option<Item> {
        let handle = text(value)?;
        let whole = Zeroizing::new(self.open(handle).to_owned());
        let (name, rest) = whole.split_once('=')?;
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return None;
        }
        let stored = self.vault.store(rest);
        // In a quoted element, the name starts after the quote.
        let Span { start, end } = value.at.span;
        let quote = usize::from(end - start > whole.len());
        let at = Span { start: start + quote, end: (start + quote + name.len()).min(end) };
        let at = Spot { span: at, ..value.at };
        Some(Item { name: name.to_owned(), at, value: stored, how: Encoding::Plain })
    }

    fn name(&self, handle: Handle) -> Option<String> {
        let name = self.open(handle);
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        (!name.is_empty() && name.len() <= 128 && name.chars().all(plain)).then(|| name.to_owned())
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "a variable's name that is given as a value, NAME=value, and files in values"
    )]
    fn open(&self, handle: Handle) -> &str {
        self.vault.open(handle)
    }
}

/// Returns the key of a Secret from a plain reference, as in k8up's `accountIDSecretRef`.
fn selected(value: &Value) -> Option<Handle> {
    let Node::Table(entries) = &value.node else { return None };
    let get = |name: &str| entries.iter().find(|entry| entry.key == name).and_then(|entry| text(&entry.value));
    let known = entries.iter().all(|entry| matches!(entry.key.as_str(), "name" | "key" | "optional"));
    get("name").and_then(|_| get("key")).filter(|_| known)
}

/// Returns the text of a scalar.
fn text(value: &Value) -> Option<Handle> {
    match value.node {
        Node::Scalar(Scalar::Text | Scalar::Number, handle) => Some(handle),
        _ => None,
    }
}
