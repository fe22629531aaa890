//! Trees: what every format is read into. Each key and value knows its place.

use std::borrow::Cow;

use zeroize::Zeroize;

use super::spot::Spot;
use crate::schema;
use crate::secret::{Handle, Vault};

/// A value in its place.
#[derive(Clone)]
pub struct Value {
    /// What it is.
    pub node: Node,
    /// Where it stands.
    pub at: Spot,
    /// Where an alias or a merge key brought it in, if it stands elsewhere.
    pub via: Option<Spot>,
}

impl Value {
    pub(super) fn new(node: Node, at: Spot) -> Self {
        Self { node, at, via: None }
    }
}

impl Value {
    /// How many values it is, with all below it.
    pub(super) fn count(&self) -> usize {
        1 + match &self.node {
            Node::Null | Node::Scalar(..) => 0,
            Node::List(items) | Node::Conflict(items) => items.iter().map(Self::count).sum(),
            Node::Table(entries) => entries.iter().map(|entry| entry.value.count()).sum(),
        }
    }
}

/// The shapes of a value.
#[derive(Clone)]
pub enum Node {
    /// YAML `~` or JSON `null`: as if the key were not there.
    Null,
    /// Anything that is written in one piece.
    Scalar(Scalar, Handle),
    /// A list.
    List(Vec<Value>),
    /// A table, its entries in the order of the text.
    Table(Vec<Entry>),
    /// One field said in two ways by one layer: `…__TOKEN` and `…__TOKEN_FILE`.
    Conflict(Vec<Value>),
}

/// The types of scalars.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// A string. Every plain scalar of YAML, dotenv and the environment is one.
    Text,
    /// A number of TOML or JSON.
    Number,
    /// `true` or `false` in TOML or JSON.
    Boolean,
    /// A date or time of TOML.
    Date,
}

impl Node {
    /// The type in words, with its article.
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
    /// The key. It may be a secret that was pasted in the wrong place: print it through [`shown_key`] only.
    pub key: String,
    /// Where the key stands.
    pub at: Spot,
    /// Its value.
    pub value: Value,
}

/// A key as it may be printed.
pub fn shown_key(path: &[&str]) -> String {
    if schema::is_public_key(path) {
        path.last().copied().unwrap_or_default().to_owned()
    } else {
        crate::secret::MASK.to_owned()
    }
}

/// A key path as it may be printed: `messaging.reports.token`.
pub fn shown_path(path: &[&str]) -> String {
    (1..=path.len()).map(|length| shown_key(&path[..length])).collect::<Vec<_>>().join(".")
}

/// Puts a value into the vault. A copy that the parser made to unescape it is zeroized.
pub(super) fn store(value: Cow<'_, str>, vault: &mut Vault) -> Handle {
    let handle = vault.store(&value);
    if let Cow::Owned(mut copy) = value {
        copy.zeroize();
    }
    handle
}
