//! Recognises credlint configurations by their names or their content.

use crate::schema::{self, Field, Kind};
use crate::source::{Dialect, Entry, Node, Value};

/// Returns `true` if a file is a credlint configuration by its name.
pub(super) fn has_configuration_name(path: &std::path::Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| matches!(name, "credlint.toml" | "credlint.yaml" | "credlint.yml" | "credlint.json"))
}

/// Returns `true` if a text may be a configuration, so that its tables are worth examining.
pub(super) fn may_be_configuration(text: &str, dialect: Dialect) -> bool {
    let starts = |kind: &str| text.match_indices(kind).any(|(at, _)| may_begin_table(text.as_bytes(), at));
    let of_kind = |kind: &&Kind| starts(kind.name) && credentials(kind).any(|field| text.contains(field));
    matches!(dialect, Dialect::Toml | Dialect::Yaml | Dialect::Json) && Kind::all().iter().any(of_kind)
}

/// Returns `true` if a table may begin at a location.
pub(super) fn may_begin_table(text: &[u8], at: usize) -> bool {
    at == 0 || matches!(text[at - 1], b'\n' | b'[' | b'"' | b'\'' | b'{' | 0xbf)
}

/// Returns `true` if a document is a configuration: one of its profiles has a credential, and no top-level key belongs
/// to another program. Many programs have a table `storage`, `messaging` or `lint`.
pub(super) fn is_configuration(roots: &[Value]) -> bool {
    let [Value { node: Node::Table(entries), .. }] = roots else { return false };
    entries.iter().all(|entry| schema::is_top_key(&entry.key)) && entries.iter().any(has_credential)
}

fn has_credential(entry: &Entry) -> bool {
    let Some(kind) = Kind::find(&entry.key) else { return false };
    let mut fields = entry.value.entries().iter().flat_map(|profile| profile.value.entries());
    fields.any(|field| credentials(kind).any(|name| name == field.key))
}

/// Returns `true` if a TOML text that can't be parsed was meant as a configuration: it has only tables of a
/// configuration, and one of them is a profile with a credential.
pub(super) fn is_broken_configuration(text: &str, dialect: Dialect) -> bool {
    let (mut profile, mut found): (Option<&Kind>, bool) = (None, false);
    for line in text.lines().map(str::trim_start) {
        if let Some(header) = line.strip_prefix('[') {
            let mut keys = header.trim_start_matches('[').split(['.', ']']).map(str::trim);
            let top = keys.next().unwrap_or_default();
            if !schema::is_top_key(top) {
                return false;
            }
            profile = Kind::find(top).filter(|_| keys.next().is_some_and(|name| !name.is_empty()));
        } else if let (Some(kind), Some((key, _))) = (profile, line.split_once('=')) {
            found |= credentials(kind).any(|name| name == key.trim());
        }
    }
    found && dialect == Dialect::Toml
}

/// Returns the names of the fields of a kind that hold credentials.
fn credentials(kind: &Kind) -> impl Iterator<Item = &'static str> {
    kind.fields.iter().filter(|field| Field::is_credential(field)).map(|field| field.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_broken_configuration_by_profile_with_credential() {
        for (text, is) in [
            ("[messaging.a]\ntoken = 'x\n", true),
            ("[storage.a]\napplication_key_id = 'x\napplication_key = 'x'\n", true),
            ("[storage.a]\napplication_key = 'x'\n[other]\na = 'x\n", false),
            ("[storage]\napplication_key = 'x\n", false),
            ("[storage.a]\nbucket = 'x\n", false),
        ] {
            assert_eq!(is_broken_configuration(text, Dialect::Toml), is, "{text}");
        }
    }
}
