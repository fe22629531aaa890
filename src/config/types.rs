//! Reports values of the wrong type in every layer, and unknown keys of references and `[lint]`.

use super::flaws::Flaws;
use super::setting::join_with_or;
use crate::schema::{self, Field, Type};
use crate::secret::{MASK, Vault};
use crate::source::{self, Entry, Node, Scalar, Spot};
use crate::text;

const TEXT: &str = "a string, `{ env = \"NAME\" }` or `{ file = \"PATH\" }`";

/// Checks a field as one layer sets it. `file` is true for a file, false for variables; `key` formats the path, which is
/// needed only for errors.
pub(super) fn check_field(
    field: &Field,
    key: &dyn Fn() -> String,
    Entry { at, value, .. }: &Entry,
    file: bool,
    vault: &Vault,
    flaws: &mut Flaws,
) {
    let expected = if field.ty.is_list() { "a list of strings" } else { TEXT };
    match (&value.node, field.ty) {
        (Node::Conflict(_), _) => {}
        (Node::Scalar(Scalar::Text, handle), Type::Choice(words)) => {
            let known = vault.shown(*handle, |word| field.ty.show(word)).is_some();
            if !known && !vault.is_empty(*handle) {
                flaws.add_mistyped(key(), *at, "a different string", join_with_or(words));
            }
        }
        // Only a variable may give a list as a single string.
        (Node::Scalar(Scalar::Text, _), ty) if !ty.is_list() || !file => {}
        (Node::Table(keys), _) => check_reference(key, *at, keys, expected, flaws),
        (Node::List(items), ty) if ty.is_list() => {
            for (index, item) in items.iter().enumerate() {
                let key = || format!("{}[{index}]", key());
                match &item.node {
                    Node::Scalar(Scalar::Text, _) => {}
                    Node::Table(keys) => check_reference(&key, item.at, keys, "a string", flaws),
                    node => flaws.add_mistyped(key(), item.at, node.describe(), "a string"),
                }
            }
        }
        (node, _) => flaws.add_mistyped(key(), *at, node.describe(), expected),
    }
}

fn check_reference(whole: &dyn Fn() -> String, at: Spot, keys: &[Entry], expected: &str, flaws: &mut Flaws) {
    let known = schema::REFERENCE_KEYS;
    for entry in keys {
        let key = || {
            let public = text::is_typo(&entry.key, known.iter().copied()) || text::is_plain_name(&entry.key);
            let shown = if public { &entry.key } else { MASK };
            format!("{}.{shown}", whole())
        };
        if !known.contains(&entry.key.as_str()) {
            flaws.add_unknown(key(), entry.at, &entry.key, known.to_vec());
        } else if !matches!(entry.value.node, Node::Scalar(Scalar::Text, _)) {
            flaws.add_mistyped(key(), entry.at, entry.value.node.describe(), "a string");
        }
    }
    if keys.is_empty() {
        flaws.add_mistyped(whole(), at, "an empty table", expected);
    }
}

/// Reports unknown keys of `[lint]`; `tuning` reads the others.
pub(super) fn check_lint(entry: &Entry, known: &[&'static str], flaws: &mut Flaws) {
    let keys = match &entry.value.node {
        Node::Table(keys) => keys,
        Node::Null => return,
        node => return flaws.add_mistyped("lint".to_owned(), entry.at, node.describe(), "a table"),
    };
    for entry in keys {
        match (entry.key.as_str(), &entry.value.node) {
            ("allow", Node::List(allows)) => {
                for (index, allow) in allows.iter().enumerate() {
                    for entry in
                        allow.entries().iter().filter(|entry| !schema::ALLOW_KEYS.contains(&entry.key.as_str()))
                    {
                        let shown = source::shown_key(&["lint", "allow", &entry.key]);
                        let key = format!("lint.allow[{index}].{shown}");
                        flaws.add_unknown(key, entry.at, &entry.key, schema::ALLOW_KEYS.to_vec());
                    }
                }
            }
            (key, _) if known.contains(&key) => {}
            (other, _) => {
                let key = source::shown_path(&["lint", other]);
                flaws.add_unknown(key, entry.at, other, known.to_vec());
            }
        }
    }
}
