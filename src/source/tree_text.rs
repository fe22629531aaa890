//! Formats trees as text, for tests of the readers.

use super::fault::Fault;
use super::tree::{Entry, Node, SourceId, Value};
use crate::secret::Vault;
use crate::text::Span;

/// Formats a tree: `{key@line:column: value}`.
pub(super) fn tree_text(value: &Value, text: &str, vault: &Vault) -> String {
    let raw = |span: Span| text[span.start..span.end].to_owned();
    match &value.node {
        Node::Null => "null".to_owned(),
        #[expect(clippy::disallowed_methods, reason = "a test looks at made-up values")]
        Node::Scalar(ty, handle) => format!("{ty:?}({:?} from {:?})", vault.open(*handle), raw(value.at.span)),
        Node::List(items) => {
            format!("[{}]", items.iter().map(|item| tree_text(item, text, vault)).collect::<Vec<_>>().join(", "))
        }
        Node::Conflict(_) => "conflict".to_owned(),
        Node::Table(entries) => {
            let entry = |entry: &Entry| {
                format!("{}<{}>: {}", entry.key, raw(entry.at.span), tree_text(&entry.value, text, vault))
            };
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}

type Parse = fn(&str, SourceId, &mut Vault) -> Result<Value, Fault>;

pub(super) fn parsed(parse: Parse, text: &str) -> String {
    let mut vault = Vault::default();
    match parse(text, SourceId(0), &mut vault) {
        Ok(value) => tree_text(&value, text, &vault),
        Err(fault) => {
            let at = fault.labels.iter().map(|(span, _)| text.get(span.start..span.end).unwrap_or("?").to_owned());
            format!("{} at {:?}: {}", fault.code, at.collect::<Vec<_>>(), fault.message)
        }
    }
}

/// Formats the trees of another program's file.
pub(super) fn documents_text(
    text: &str,
    parse: impl Fn(&str, SourceId, &mut Vault) -> super::parsed::Parsed,
) -> String {
    let mut vault = Vault::default();
    let parsed = parse(text, SourceId(0), &mut vault);
    parsed.roots.iter().map(|root| tree_text(root, text, &vault)).collect::<Vec<_>>().join(" --- ")
}
