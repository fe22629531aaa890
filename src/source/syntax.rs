//! How a file is read: as one of the formats or as dotenv, and again if it is to be changed.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::fault::{Fault, MAX_VALUES};
use super::spot::{SourceId, Spot};
use super::tree::{Entry, Node, Scalar, Value};
use super::variables::Variable;
use super::{dotenv, json, toml, yaml};
use crate::code::Code;
use crate::secret::Vault;
use crate::text::Span;

/// The formats of configuration files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Toml,
    Yaml,
    Json,
}

impl Format {
    /// The extensions in which a configuration is sought, in the order of search.
    pub const EXTENSIONS: [&str; 4] = ["toml", "yaml", "yml", "json"];

    pub(super) fn from_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "toml" => Some(Self::Toml),
            "yaml" | "yml" => Some(Self::Yaml),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    pub(super) fn parse(self, text: &str, source: SourceId, vault: &mut Vault) -> Result<Value, Fault> {
        let value = match self {
            Self::Yaml => return yaml::parse(text, source, vault),
            Self::Toml => {
                few(text, b"=,[{")?;
                toml::parse(text, source, vault)?
            }
            Self::Json => {
                few(text, b",[{")?;
                json::parse(text, source, vault)?
            }
        };
        counted(value)
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Toml => "TOML",
            Self::Yaml => "YAML",
            Self::Json => "JSON",
        }
    }
}

/// Refuses more values than any configuration has.
pub(super) fn counted(value: Value) -> Result<Value, Fault> {
    if value.count() > MAX_VALUES { Err(Fault::too_many(value.at.span)) } else { Ok(value) }
}

/// Refuses a text with more values than any configuration before it is parsed: its parser takes a hundred bytes for each.
/// Every value but one has such a mark before or after it.
pub(super) fn few(text: &str, marks: &[u8]) -> Result<(), Fault> {
    let mut places = text.bytes().enumerate().filter(|(_, byte)| marks.contains(byte)).map(|(at, _)| at);
    match places.nth(2 * MAX_VALUES) {
        Some(at) => Err(Fault {
            code: Code::TooManyValues,
            message: format!("more than {} separators, too many for a configuration", 2 * MAX_VALUES),
            labels: vec![(Span { start: at, end: at + 1 }, "here")],
        }),
        None => Ok(()),
    }
}

/// How a file is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Syntax {
    Tree(Format),
    Dotenv,
}

impl std::fmt::Debug for ReadFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The name of a file may be a token that was pasted there; the source has it as it may be printed.
        write!(f, "ReadFile({:?})", self.syntax)
    }
}

impl ReadFile {
    /// Whether it is a dotenv file.
    pub(crate) fn is_dotenv(&self) -> bool {
        self.syntax == Syntax::Dotenv
    }

    /// Reads a text as this file is read; the variables of a dotenv file as one table. `None` if it is malformed.
    pub(crate) fn parse(&self, text: &str, source: SourceId, vault: &mut Vault) -> Option<Value> {
        let mut text = Zeroizing::new(text.to_owned());
        if self.syntax != Syntax::Tree(Format::Yaml) {
            blank_mark(&mut text);
        }
        match self.syntax {
            Syntax::Tree(format) => format.parse(&text, source, vault).ok(),
            Syntax::Dotenv => {
                let entry = |Variable { name, at, value, value_at }: Variable| {
                    let value = Value::new(Node::Scalar(Scalar::Text, value), value_at);
                    Entry { key: name, at, value }
                };
                let entries = dotenv::parse(&text, source, vault).ok()?.into_iter().map(entry).collect();
                Some(Value::new(Node::Table(entries), Spot { source, span: Span { start: 0, end: text.len() } }))
            }
        }
    }
}

/// A file as it was when it was read, for who wants to change it later.
#[derive(Clone)]
pub(crate) struct ReadFile {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// What it held.
    pub(crate) stamp: Stamp,
    pub(super) syntax: Syntax,
}

/// What a text is compared by after it is gone.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp([u8; 32]);

impl Stamp {
    /// That of a text.
    pub(crate) fn new(text: &str) -> Self {
        Self(Sha256::digest(text).into())
    }
}

impl std::fmt::Debug for Stamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A hash of a short secret could be searched for.
        f.write_str("Stamp(..)")
    }
}

/// Puts spaces of the same length in place of a byte order mark: offsets stay.
pub(super) fn blank_mark(text: &mut String) {
    if text.starts_with('\u{feff}') {
        text.replace_range(..3, "   ");
    }
}
