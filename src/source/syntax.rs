//! The syntax of a file.

use std::path::Path;

use super::fault::{Fault, MAX_VALUES};
use super::tree::{SourceId, Value};
use super::{json, toml, yaml};
use crate::code::Code;
use crate::secret::Vault;
use crate::shorthand::words;
use crate::text::Span;

words! {
    /// Formats of configuration files.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Format {
        Toml = "TOML",
        Yaml = "YAML",
        Json = "JSON",
    }

    pub(super) fn name;
}

impl Format {
    /// File extensions of a configuration, in search order.
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
                check_value_count(text, b"=,[{")?;
                check_key_parts(text)?;
                toml::parse(text, source, vault)?
            }
            Self::Json => {
                check_value_count(text, b",[{")?;
                json::parse(text, source, vault)?
            }
        };
        check_size(value)
    }
}

/// Rejects a tree with too many values.
pub(super) fn check_size(value: Value) -> Result<Value, Fault> {
    if value.size().0 > MAX_VALUES { Err(Fault::too_many(value.at.span)) } else { Ok(value) }
}

/// Rejects a text with too many values before it is parsed, because the parser needs a hundred bytes for each. All
/// values but one have such a mark before or after them.
pub(super) fn check_value_count(text: &str, marks: &[u8]) -> Result<(), Fault> {
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

/// Rejects TOML with too many parts of dotted keys and headers, because each may be a table of a kilobyte.
fn check_key_parts(text: &str) -> Result<(), Fault> {
    let (mut parts, mut run) = (0, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'.' => run += 1,
            b'=' | b']' => parts += std::mem::take(&mut run),
            b'\n' | b',' | b'{' | b'[' => run = 0,
            _ => {}
        }
        if parts > MAX_VALUES {
            return Err(Fault::too_many(Span { start: at, end: at + 1 }));
        }
    }
    Ok(())
}

/// The syntax of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Syntax {
    Tree(Format),
    Dotenv,
}

impl Syntax {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Tree(format) => format.name(),
            Self::Dotenv => "dotenv",
        }
    }
}

/// Replaces a byte order mark by spaces of the same length, so that offsets stay.
pub(super) fn blank_byte_order_mark(text: &mut String) {
    if text.starts_with('\u{feff}') {
        text.replace_range(..3, "   ");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limit_of_values_is_exact() {
        // Tables and lists count, and so does a separator without a value.
        for (format, open, item, values) in
            [(Format::Toml, "a = [", "0,", 2), (Format::Json, "[0", ",0", 2), (Format::Yaml, "[", "0,", 1)]
        {
            let parse = |count: usize| {
                let text = format!("{open}{}]", item.repeat(count));
                format.parse(&text, SourceId(0), &mut Vault::default()).err().map(|fault| fault.code)
            };
            assert_eq!(parse(MAX_VALUES - values), None, "{format:?}");
            assert_eq!(parse(MAX_VALUES - values + 1), Some(Code::TooManyValues), "{format:?}");
        }
    }

    #[test]
    fn rejects_too_many_separators_before_parsing() {
        let fault = |count: usize| check_value_count(&"a,".repeat(count), b",").err();
        assert!(fault(2 * MAX_VALUES).is_none());
        let labels = fault(2 * MAX_VALUES + 1).unwrap().labels;
        assert_eq!(labels[0].0, Span { start: 4 * MAX_VALUES + 1, end: 4 * MAX_VALUES + 2 });
    }
}
