//! The tree that every format is parsed into. Each key and value has a location: a source and a byte range.

use std::borrow::Cow;

use zeroize::Zeroize;

use crate::schema;
use crate::secret::{Handle, Vault};
use crate::text::Span;

/// Identifies a source in [`Sources`](super::Sources).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourceId(pub(super) usize);

/// The kind of a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SourceKind {
    /// A file, named by its path.
    File,
    /// An environment variable, by its real name.
    Environment,
}

/// A location in a source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spot {
    /// The source.
    pub source: SourceId,
    /// The range of bytes.
    pub span: Span,
}

/// A value with its location.
#[derive(Clone)]
pub struct Value {
    /// The content.
    pub node: Node,
    /// The location.
    pub at: Spot,
    /// The location of the alias or merge key that inserts it here. Few values have one, and there are many values.
    pub via: Option<Box<Spot>>,
}

impl Value {
    pub(super) fn new(node: Node, at: Spot) -> Self {
        Self { node, at, via: None }
    }

    /// Returns the entries of a table. Other values have none.
    pub(crate) fn entries(&self) -> &[Entry] {
        if let Node::Table(entries) = &self.node { entries } else { &[] }
    }

    /// Returns the elements of a list. Other values have none.
    pub(crate) fn elements(&self) -> &[Self] {
        if let Node::List(values) = &self.node { values } else { &[] }
    }

    /// Returns the values in a table or list, and those of a field that is set twice.
    fn children(&self) -> impl Iterator<Item = &Self> {
        let ways: &[Self] = if let Node::Conflict(ways) = &self.node { ways } else { self.elements() };
        ways.iter().chain(self.entries().iter().map(|entry| &entry.value))
    }

    /// Returns `true` if a key or a value of this tree passes a test.
    pub(crate) fn has(&self, key: &impl Fn(&str) -> bool, value: &impl Fn(&Self) -> bool) -> bool {
        let of_key = |entry: &Entry| key(&entry.key);
        value(self) || self.entries().iter().any(of_key) || self.children().any(|child| child.has(key, value))
    }

    /// Returns `true` if anything is set in this tree.
    pub(crate) fn is_any_set(&self) -> bool {
        self.has(&|_| false, &|value| matches!(value.node, Node::Scalar(..)))
    }

    /// Returns the number of values in this tree, and the number of bytes of its keys.
    pub(super) fn size(&self) -> (usize, usize) {
        let keys = self.entries().iter().map(|entry| entry.key.len()).sum();
        self.children().map(Self::size).fold((1, keys), |all, more| (all.0 + more.0, all.1 + more.1))
    }
}

/// The content of a value.
#[derive(Clone)]
pub enum Node {
    /// YAML `~` or JSON `null`: as if the key were absent.
    Null,
    /// A string, number, boolean or date.
    Scalar(Scalar, Handle),
    /// A list.
    List(Vec<Value>),
    /// A table, with entries in text order.
    Table(Vec<Entry>),
    /// A field that is set twice in the same layer: `…__TOKEN` and `…__TOKEN_FILE`.
    Conflict(Vec<Value>),
}

/// The types of scalars.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// A string. Plain scalars in YAML, dotenv files and the environment are always strings.
    Text,
    /// A number in TOML or JSON.
    Number,
    /// `true` or `false` in TOML or JSON.
    Boolean,
    /// A date or time in TOML.
    Date,
}

impl Node {
    /// Returns the type with its article.
    pub const fn describe(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Scalar(Scalar::Text, _) => "a string",
            Self::Scalar(Scalar::Number, _) => "a number",
            Self::Scalar(Scalar::Boolean, _) => "a boolean",
            Self::Scalar(Scalar::Date, _) => "a date or time",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Conflict(_) => "two values",
        }
    }
}

/// A key with its value.
#[derive(Clone)]
pub struct Entry {
    /// The key. It may be a secret that was pasted in the wrong place: print it with [`shown_key`] only.
    pub key: String,
    /// The location of the key.
    pub at: Spot,
    /// The value.
    pub value: Value,
}

/// Returns a key for display.
pub fn shown_key(path: &[&str]) -> String {
    if schema::is_public_key(path) {
        path.last().copied().unwrap_or_default().to_owned()
    } else {
        crate::secret::MASK.to_owned()
    }
}

/// Returns the path of a key for display: `messaging.reports.token`.
pub fn shown_path(path: &[&str]) -> String {
    (1..=path.len()).map(|length| shown_key(&path[..length])).collect::<Vec<_>>().join(".")
}

/// Stores a value in the vault. A copy that the parser made while unescaping is zeroized.
pub(super) fn store(value: Cow<'_, str>, vault: &mut Vault) -> Handle {
    let handle = vault.store(&value);
    if let Cow::Owned(mut copy) = value {
        copy.zeroize();
    }
    handle
}
