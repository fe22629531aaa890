//! Parses TOML with the `toml` crate, with spans for every key segment and value.

use toml::de::{DeTable, DeValue};

use super::fault::{Fault, MAX_DEPTH};
use super::tree::{Entry, Node, Scalar, SourceId, Spot, Value, store};
use crate::code::Code;
use crate::secret::Vault;
use crate::text::Span;

include!(concat!(env!("OUT_DIR"), "/words_toml.rs"));

pub(super) fn parse(text: &str, source: SourceId, vault: &mut Vault) -> Result<Value, Fault> {
    let (table, errors) = DeTable::parse_recoverable(text);
    if let Some(error) = errors.first() {
        let span = error.span().map_or_else(Span::default, Span::from);
        // The expected alternatives are helpful only if there is a single punctuation mark.
        let (words, wanted) = error.message().split_once(", expected ").unwrap_or((error.message(), ""));
        return Err(match words {
            "duplicate key" => Fault {
                code: Code::DuplicateKey,
                message: "a key is set twice".to_owned(),
                labels: vec![(span, "set again here")],
            },
            "recursion limit" => Fault::too_deep(span),
            // The kind of value that was tried depends on the first bytes of what may be a secret.
            words if VALUES.iter().any(|value| words.contains(value)) => {
                Fault::syntax("not a valid value; strings must be quoted", span)
            }
            words if wanted.len() == 3 => Fault::syntax(&format!("{words}, expected {wanted}"), span),
            words => Fault::syntax(words, span),
        });
    }
    let at = Spot { source, span: table.span().into() };
    Ok(Value::new(entries(table.into_inner(), source, vault, 1)?, at))
}

fn entries(table: DeTable<'_>, source: SourceId, vault: &mut Vault, depth: usize) -> Result<Node, Fault> {
    let mut entries = Vec::with_capacity(table.len());
    for (key, value) in table {
        let at = Spot { source, span: key.span().into() };
        entries.push(Entry {
            key: key.into_inner().into_owned(),
            at,
            value: build_value(value, source, vault, depth)?,
        });
    }
    // The parser's map is sorted by name; sort by location, as people read.
    entries.sort_by_key(|entry| entry.at);
    Ok(Node::Table(entries))
}

fn build_value(
    value: toml::Spanned<DeValue<'_>>,
    source: SourceId,
    vault: &mut Vault,
    depth: usize,
) -> Result<Value, Fault> {
    let span = Span::from(value.span());
    if depth > MAX_DEPTH {
        return Err(Fault::too_deep(span));
    }
    let node = match value.into_inner() {
        DeValue::String(string) => Node::Scalar(Scalar::Text, store(string, vault)),
        DeValue::Integer(number) => Node::Scalar(Scalar::Number, vault.store(number.as_str())),
        DeValue::Float(number) => Node::Scalar(Scalar::Number, vault.store(number.as_str())),
        DeValue::Boolean(boolean) => Node::Scalar(Scalar::Boolean, vault.store(if boolean { "true" } else { "false" })),
        DeValue::Datetime(datetime) => Node::Scalar(Scalar::Date, vault.store(&datetime.to_string())),
        DeValue::Array(items) => Node::List(
            items.into_iter().map(|item| build_value(item, source, vault, depth + 1)).collect::<Result<_, _>>()?,
        ),
        DeValue::Table(table) => entries(table, source, vault, depth + 1)?,
    };
    Ok(Value::new(node, Spot { source, span }))
}

#[cfg(test)]
mod tests {
    use super::super::tree_text::parsed;

    #[test]
    fn keys_and_values_have_locations() {
        let text = "[messaging.reports]\ntoken = \"a\\u0062\" # c\n\"channels\" = ['C1', \"\"\"\nC2\"\"\"]\n[storage]\nb.bucket = 1_000\n";
        assert_eq!(
            parsed(super::parse, text),
            "{messaging<messaging>: {reports<reports>: {token<token>: Text(\"ab\" from \"\\\"a\\\\u0062\\\"\"), \
             channels<\"channels\">: [Text(\"C1\" from \"'C1'\"), Text(\"C2\" from \"\\\"\\\"\\\"\\nC2\\\"\\\"\\\"\")]}}, \
             storage<storage>: {b<b>: {bucket<bucket>: Number(\"1000\" from \"1_000\")}}}"
        );
        assert_eq!(parsed(super::parse, ""), "{}");
        assert_eq!(
            parsed(super::parse, "a = 1\r\nb = 1979-05-27\r\n"),
            "{a<a>: Number(\"1\" from \"1\"), b<b>: Date(\"1979-05-27\" from \"1979-05-27\")}"
        );
    }

    #[test]
    fn errors_have_a_location_and_quote_nothing() {
        assert!(parsed(super::parse, "a = 1\na = 2\n").starts_with("duplicate-key at [\"a\"]"));
        for text in [
            "token = \"xoxb-secret", "token = xoxb-secret\n", "xoxb-secret\n", "[xoxb-secret\n",
            "a = 2020-99-99xoxb-secret",
        ] {
            let fault = parsed(super::parse, text);
            let (_, message) = fault.split_once("]: ").unwrap();
            assert!(fault.starts_with("syntax at") && !message.contains("xoxb"), "{fault}");
        }
        for open in ["[", "{a="] {
            let deep = format!("a = {}", open.repeat(10_000));
            assert!(
                parsed(super::parse, &deep).starts_with("too-deep")
                    || parsed(super::parse, &deep).starts_with("syntax")
            );
        }
        let lists = |depth: usize| format!("a = {}{}", "[".repeat(depth), "]".repeat(depth));
        let tables = |depth: usize| format!("a{} = 1", ".a".repeat(depth));
        for deep in [lists, tables] {
            assert!(parsed(super::parse, &deep(super::MAX_DEPTH - 1)).starts_with('{'));
            for depth in [super::MAX_DEPTH + 1, 70] {
                assert!(parsed(super::parse, &deep(depth)).starts_with("too-deep"));
            }
        }
    }
}
