//! Parses JSON with `jsonc-parser` in strict mode, with spans, duplicate keys, and numbers as written.

use std::collections::BTreeSet;

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::errors::ParseErrorKind;
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, parse_to_ast};

use super::fault::{Fault, MAX_DEPTH, MAX_VALUES};
use super::parsed::Parsed;
use super::tree::{Entry, Node, Scalar, SourceId, Spot, Value, store};
use crate::secret::Vault;
use crate::text::Span;

const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

pub(super) fn parse(text: &str, source: SourceId, vault: &mut Vault) -> Result<Value, Fault> {
    match parse_to_ast(text, &CollectOptions::default(), &STRICT).map_err(|error| fault(&error))?.value {
        Some(value) => Tree { source, vault, strict: true }.build_value(value, 0),
        None => Err(Fault::syntax("the file is empty", Span::default())),
    }
}

/// Parses another program's file leniently. Duplicate keys are kept. It also returns the comments, each with whether it
/// stands alone on its line.
pub(super) fn parse_loosely(text: &str, source: SourceId, vault: &mut Vault) -> Result<Parsed, Fault> {
    check_separators(text)?;
    let collect = CollectOptions { comments: CommentCollectionStrategy::Separate, tokens: false };
    let parsed = parse_to_ast(text, &collect, &ParseOptions::default()).map_err(|error| fault(&error))?;
    // The parser lists each comment twice: after one token and before the next.
    let comments = parsed.comments.iter().flatten().flat_map(|(_, comments)| comments.iter());
    let spans: BTreeSet<Span> = comments.map(|comment| Span { start: comment.start(), end: comment.end() }).collect();
    let before = |at: usize| text[..at].trim_end_matches([' ', '\t']);
    let alone = |span: Span| before(span.start).is_empty() || before(span.start).ends_with('\n');
    let comments = spans.into_iter().map(|span| (span, alone(span))).collect();
    let root = parsed.value.map(|value| Tree { source, vault, strict: false }.build_value(value, 0));
    Ok(Parsed { roots: root.transpose()?.into_iter().collect(), comments, ..Parsed::default() })
}

/// Rejects a text with too many values before it is parsed, because each takes hundreds of bytes. No value has more
/// than two separators. Strings in other programs' files may have any number.
fn check_separators(text: &str) -> Result<(), Fault> {
    let (mut quoted, mut escaped) = (false, false);
    let separators = text.bytes().enumerate().filter(|&(_, byte)| {
        let separates = !quoted && b",[{".contains(&byte);
        quoted ^= byte == b'"' && !escaped;
        escaped = quoted && byte == b'\\' && !escaped;
        separates
    });
    match separators.map(|(at, _)| at).nth(2 * MAX_VALUES) {
        Some(at) => Err(Fault::too_many(Span { start: at, end: at + 1 })),
        None => Ok(()),
    }
}

fn fault(error: &jsonc_parser::errors::ParseError) -> Fault {
    let range = error.range();
    let span = Span { start: range.start, end: range.end };
    match error.kind() {
        ParseErrorKind::NestingDepthExceeded => Fault::too_deep(span),
        // The kind of value that was tried depends on the first bytes of what may be a secret.
        ParseErrorKind::UnexpectedWord
        | ParseErrorKind::UnexpectedToken
        | ParseErrorKind::ExpectedDigit
        | ParseErrorKind::ExpectedDigitFollowingNegativeSign
        | ParseErrorKind::ExpectedPlusMinusOrDigitInNumberLiteral
        | ParseErrorKind::BareDecimalPointNumbersNotAllowed
        | ParseErrorKind::HexadecimalNumbersNotAllowed
        | ParseErrorKind::NonFiniteNumbersNotAllowed
        | ParseErrorKind::UnaryPlusNumbersNotAllowed
        // The parser reports the end of a number before letters, which is inside a possible secret.
        | ParseErrorKind::ExpectedComma => {
            Fault::syntax("not a valid value; strings must be in double quotes", span)
        }
        kind => Fault::syntax(&kind.to_string().to_lowercase(), span),
    }
}

/// Builds a tree from the parsed document.
struct Tree<'a> {
    source: SourceId,
    vault: &'a mut Vault,
    /// True if duplicate keys are errors.
    strict: bool,
}

impl Tree<'_> {
    fn build_value(&mut self, value: ast::Value<'_>, depth: usize) -> Result<Value, Fault> {
        let source = self.source;
        let range = value.range();
        let span = Span { start: range.start, end: range.end };
        if depth > MAX_DEPTH {
            return Err(Fault::too_deep(span));
        }
        let node = match value {
            ast::Value::NullKeyword(_) => Node::Null,
            ast::Value::StringLit(string) => Node::Scalar(Scalar::Text, store(string.value, self.vault)),
            ast::Value::NumberLit(number) => Node::Scalar(Scalar::Number, self.vault.store(number.value)),
            ast::Value::BooleanLit(boolean) => {
                Node::Scalar(Scalar::Boolean, self.vault.store(if boolean.value { "true" } else { "false" }))
            }
            ast::Value::Array(array) => {
                let items = array.elements.into_iter().map(|item| self.build_value(item, depth + 1));
                Node::List(items.collect::<Result<_, _>>()?)
            }
            ast::Value::Object(object) => {
                let mut seen = std::collections::HashMap::new();
                let mut entries = Vec::with_capacity(object.properties.len());
                for property in object.properties {
                    let range = property.name.range();
                    let span = Span { start: range.start, end: range.end };
                    let key = property.name.into_string();
                    if self.strict
                        && let Some(first) = seen.insert(key.clone(), span)
                    {
                        return Err(Fault::duplicate(first, span));
                    }
                    let value = self.build_value(property.value, depth + 1)?;
                    entries.push(Entry { key, at: Spot { source, span }, value });
                }
                Node::Table(entries)
            }
        };
        Ok(Value::new(node, Spot { source, span }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree_text::parsed;

    #[test]
    fn keys_and_values_have_locations() {
        let text = r#"{"messaging": {"r": {"token": "aéb", "channels": ["C1", null], "n": 4532e1, "t": true}}}"#;
        assert_eq!(
            parsed(super::parse, text),
            "{messaging<\"messaging\">: {r<\"r\">: {token<\"token\">: Text(\"aéb\" from \"\\\"aéb\\\"\"), channels<\"channels\">: \
             [Text(\"C1\" from \"\\\"C1\\\"\"), null], n<\"n\">: Number(\"4532e1\" from \"4532e1\"), t<\"t\">: Boolean(\"true\" from \"true\")}}}"
        );
    }

    #[test]
    fn rejects_extensions_without_quoting_input() {
        assert!(
            parsed(super::parse, r#"{"a": 1, "a": 2}"#).starts_with("duplicate-key at [\"\\\"a\\\"\", \"\\\"a\\\"\"]")
        );
        for text in [
            "", "{\"token\": \"xoxb-secret", "{token: 1}", "{\"a\": 1,}", "{\"a\": 'xoxb-secret'}", "{\"a\": xoxb}",
            "// xoxb\n{}", "{} {}", "{\"a\": 0x1}",
        ] {
            let fault = parsed(super::parse, text);
            let (_, message) = fault.split_once("]: ").unwrap();
            assert!(fault.starts_with("syntax at") && !message.contains("xoxb"), "{fault}");
        }
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let deep = format!("{}1{}", open.repeat(70), close.repeat(70));
            assert!(parsed(super::parse, &deep).starts_with("too-deep"));
        }
        assert!(parsed(super::parse, &"[".repeat(100_000)).starts_with("too-deep"));
    }

    /// A text with too many separators is not parsed.
    #[test]
    fn locates_first_separator_over_limit() {
        let many = |count: usize| format!("[\"\\\",\", \"\"{}]", ",0".repeat(count));
        // Two separators precede them.
        let count = 2 * super::MAX_VALUES - 2;
        assert!(super::check_separators(&many(count)).is_ok());
        let text = many(count + 1);
        let fault = super::check_separators(&text).err().unwrap();
        assert_eq!(fault.labels[0].0, super::Span { start: text.len() - 3, end: text.len() - 2 });
    }

    #[test]
    fn reads_other_programs_json_leniently() {
        let loose = |text: &str| {
            let mut vault = crate::secret::Vault::default();
            let read = super::parse_loosely(text, super::SourceId(0), &mut vault);
            let super::Parsed { mut roots, comments, .. } = read.unwrap_or_else(|fault| panic!("{}", fault.message));
            let root =
                roots.pop().map(|root| super::super::tree_text::tree_text(&root, text, &vault)).unwrap_or_default();
            let comments = comments.iter().map(|(span, alone)| format!("{} {alone}", &text[span.start..span.end]));
            format!("{root}; {}", comments.collect::<Vec<_>>().join(", "))
        };
        assert_eq!(
            loose("// a\n{\"a\": 1, /* b */ 'a': \"x\",} // c"),
            "{a<\"a\">: Number(\"1\" from \"1\"), a<'a'>: Text(\"x\" from \"\\\"x\\\"\")}; // a true, /* b */ false, // c false"
        );
        assert_eq!(loose(""), "; ");
    }
}
