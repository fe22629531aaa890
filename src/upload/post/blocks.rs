//! Blocks, which a message has in place of a text: JSON, whose form is checked before anything is sent.

use std::path::Path;

use secrecy::SecretString;
use serde_json::Value;

use crate::code::Code;
use crate::file;
use crate::source::Problem;
use crate::text;

/// The size limit of a file of blocks. The service documents none.
const LIMIT: u64 = 256 * 1024;

/// The maximum number of blocks of a message. Source: <https://docs.slack.dev/reference/block-kit/blocks>.
const MOST: usize = 50;

/// Blocks that are posted in place of a text. Never printed.
#[derive(Clone, Debug)]
pub struct Blocks(SecretString);

impl Blocks {
    /// Reads a file with a JSON array of blocks, or an object with such an array as `blocks`, as Block Kit Builder copies
    /// it.
    ///
    /// # Errors
    ///
    /// Returns code `blocks`.
    pub fn read(path: &Path) -> Result<Self, Problem> {
        let shown = text::file_or_path(path);
        let (text, _) = file::read_text(path, LIMIT)
            .map_err(|error| flawed(&format!("the blocks can't be read from {shown}: {error}")))?;
        Self::parse(&text)
    }

    /// Parses a JSON array of blocks, or an object with such an array as `blocks`.
    ///
    /// # Errors
    ///
    /// Returns code `blocks`.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        // The parser's own message would quote the text, and its column tells whether a secret there begins like `true`.
        let document: Value = serde_json::from_str(text)
            .map_err(|error| flawed(&format!("the blocks are not JSON: see line {}", error.line())))?;
        let blocks = document.get("blocks").unwrap_or(&document);
        check(blocks).map_err(|flaw| flawed(&flaw))?;
        // Written anew: no escape hides a secret.
        Ok(Self(blocks.to_string().into()))
    }

    /// Returns the JSON to send.
    pub(super) const fn json(&self) -> &SecretString {
        &self.0
    }
}

fn flawed(message: &str) -> Problem {
    let help = "write a JSON array of 1 to 50 blocks, each an object with a `type`, such as Block Kit Builder copies";
    Problem::new(Code::Blocks, message).help(help)
}

fn check(blocks: &Value) -> Result<(), String> {
    let Some(blocks) = blocks.as_array() else { return Err("the blocks are no JSON array".to_owned()) };
    if !(1..=MOST).contains(&blocks.len()) {
        return Err(format!("a message has 1 to {MOST} blocks, and these are {}", blocks.len()));
    }
    let has_type = |block: &Value| block["type"].as_str().is_some_and(|word| !word.is_empty());
    match blocks.iter().position(|block| !has_type(block)) {
        Some(index) => Err(format!("block {} is no object with a `type`", index + 1)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::disallowed_methods, reason = "made-up blocks")]
    fn parsed(text: &str) -> Result<String, String> {
        let blocks = Blocks::parse(text).map_err(|error| error.message)?;
        assert!(!format!("{blocks:?}").contains("divider"));
        Ok(secrecy::ExposeSecret::expose_secret(blocks.json()).to_owned())
    }

    #[test]
    fn parses_blocks() {
        let divider = r#"[{"type":"divider"}]"#;
        for text in [divider, r#" [ { "type" : "divi\u0064er" } ] "#, r#"{"blocks": [{"type": "divider"}], "x": 1}"#] {
            assert_eq!(parsed(text).as_deref(), Ok(divider), "{text}");
        }
        let many = |number| format!("[{}]", vec![r#"{"type":"divider"}"#; number].join(","));
        assert_eq!(parsed(&many(50)), Ok(many(50)));
        for (text, flaw) in [
            ("", "not JSON: see line 1"),
            ("[{\n\"type\": xoxb-1}]", "not JSON: see line 2"),
            ("[]", "and these are 0"),
            (&many(51), "and these are 51"),
            ("{}", "no JSON array"),
            (r#"{"type": "divider"}"#, "no JSON array"),
            (r#"{"blocks": {"type": "divider"}}"#, "no JSON array"),
            (r#"[{"type": "divider"}, {"text": "x"}]"#, "block 2 is no object"),
            (r#"[{"type": ""}]"#, "block 1 is no object"),
            (r#"["divider"]"#, "block 1 is no object"),
        ] {
            let error = parsed(text).unwrap_err();
            assert!(error.contains(flaw), "{text}: {error}");
        }
    }
}
