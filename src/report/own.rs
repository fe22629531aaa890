//! Recognises the program's own documents, which its next run replaces.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::lint::Verdict;

// The words of `src/words.toml`.
include!(concat!(env!("OUT_DIR"), "/words_own.rs"));

/// Returns `true` if a whole text is a document that this program wrote: it says so, and has no other key anywhere.
pub fn is_own_document(text: &str) -> bool {
    if serde_json::from_str::<OnlyOwnKeys>(text).is_err() {
        return false;
    }
    let Ok(document) = serde_json::from_str::<Value>(text) else { return false };
    let is_issue = |issue: &Value| issue["check_name"].is_string() && issue["fingerprint"].is_string();
    match &document {
        Value::Array(issues) => issues.iter().all(is_issue),
        Value::Object(_) => {
            let schema = document["schema"].as_str().is_some_and(|schema| schema.starts_with("credlint/"));
            schema || document["runs"][0]["tool"]["driver"]["name"] == env!("CARGO_PKG_NAME")
        }
        _ => false,
    }
}

/// A JSON value whose keys are all known. Repeated keys are examined, too.
struct OnlyOwnKeys;

impl<'de> Deserialize<'de> for OnlyOwnKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Examiner)
    }
}

/// Names of profiles with their verdicts.
#[derive(Deserialize)]
struct Verdicts(#[serde(deserialize_with = "verdicts")] ());

fn verdicts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    let all = std::collections::BTreeMap::<String, String>::deserialize(deserializer)?;
    let known = |word: &String| Verdict::ALL.iter().any(|verdict| verdict.name() == word);
    if all.values().all(known) { Ok(()) } else { Err(D::Error::custom("not a verdict")) }
}

struct Examiner;

impl<'de> Visitor<'de> for Examiner {
    type Value = OnlyOwnKeys;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a document")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OnlyOwnKeys, A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if !KEYS.contains(&key.as_str()) {
                return Err(A::Error::custom("another key"));
            }
            if key == "verdicts" {
                map.next_value::<Verdicts>()?;
            } else {
                map.next_value::<OnlyOwnKeys>()?;
            }
        }
        Ok(OnlyOwnKeys)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<OnlyOwnKeys, A::Error> {
        while list.next_element::<OnlyOwnKeys>()?.is_some() {}
        Ok(OnlyOwnKeys)
    }

    fn visit_unit<E>(self) -> Result<OnlyOwnKeys, E> {
        Ok(OnlyOwnKeys)
    }

    fn visit_bool<E>(self, _: bool) -> Result<OnlyOwnKeys, E> {
        Ok(OnlyOwnKeys)
    }

    fn visit_u64<E>(self, _: u64) -> Result<OnlyOwnKeys, E> {
        Ok(OnlyOwnKeys)
    }

    fn visit_str<E>(self, _: &str) -> Result<OnlyOwnKeys, E> {
        Ok(OnlyOwnKeys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Collects the names of properties in a JSON Schema.
    fn property_names(schema: &Value, names: &mut Vec<String>) {
        if let Some(properties) = schema["properties"].as_object() {
            names.extend(properties.keys().cloned());
        }
        match schema {
            Value::Array(list) => list.iter().for_each(|schema| property_names(schema, names)),
            Value::Object(table) => table.values().for_each(|schema| property_names(schema, names)),
            _ => {}
        }
    }

    #[test]
    fn every_key_of_a_report_is_known() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/schema/report-v1.json");
        let schema = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let mut names = Vec::new();
        property_names(&schema, &mut names);
        names.retain(|name| !KEYS.contains(&name.as_str()));
        assert!(names.is_empty(), "{names:?}");
    }

    #[test]
    fn recognises_whole_documents_without_other_keys() {
        for (text, own) in [
            ("[]", true),
            (r#"{"schema": "credlint/baseline/v1", "findings": [{"fingerprint": "a", "known": true}]}"#, true),
            (r#"[{"check_name": "a", "fingerprint": "b", "location": {"positions": {"begin": {"line": 1}}}}]"#, true),
            (
                r#"{"runs": [{"tool": {"driver": {"name": "credlint"}}, "properties": {"verdicts": {"a.b": "fits"}}}]}"#,
                true,
            ),
            (
                r#"{"runs": [{"tool": {"driver": {"name": "credlint"}}, "properties": {"verdicts": {"a.b": "x"}}}]}"#,
                false,
            ),
            (r#"{"runs": [{"tool": {"driver": {"name": "other"}}}]}"#, false),
            (r#"{"schema": "credlint/report/v1", "slack_token": "a"}"#, false),
            (r#"{"schema": "credlint/report/v1", "findings": {"slack_token": "a"}, "findings": []}"#, false),
            (r#"{"schema": "credlint/report/v1"} x"#, false),
            (r#"{"schema": "other/v1"}"#, false),
            (r#"[{"name": "a"}]"#, false),
            ("{}", false),
            ("1", false),
            ("", false),
        ] {
            assert_eq!(is_own_document(text), own, "{text}");
        }
    }
}
