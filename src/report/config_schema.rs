//! The JSON Schema (2020-12) of a configuration, from the table of fields and the list of rules.

use serde_json::{Map, Value, json};

use crate::rules;
use crate::schema::{Field, Kind, POLICY_KEYS, Role, Type};

/// The schema as one JSON document.
#[must_use]
pub fn write() -> String {
    let mut properties: Map<String, Value> =
        Kind::all().iter().map(|kind| (kind.name.to_owned(), profiles(kind))).collect();
    properties.insert("lint".to_owned(), lint());
    properties.insert("trust".to_owned(), trust());
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": format!("{}/schema/config/v1", env!("CARGO_PKG_REPOSITORY")),
        "title": "credlint",
        "description": "A configuration of credlint, in TOML, YAML or JSON.",
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "$defs": definitions(),
    });
    // For people to read, too. Nothing that is written here can fail.
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

fn definitions() -> Value {
    let key = |key: &str, description: &str, example: &str| {
        json!({
            "description": description,
            "type": "object",
            "properties": { key: { "description": description, "type": "string", "minLength": 1, "examples": [example] } },
            "required": [key],
            "additionalProperties": false,
        })
    };
    json!({
        "name": {
            "description": "the name of a profile",
            "pattern": "^[a-z0-9]+([-_][a-z0-9]+)*$",
            "maxLength": 64,
        },
        "env": key("env", "read from this environment variable, or from an --env-file", "REPORTS_TOKEN"),
        "file": key("file", "read from this file; the path is relative to the configuration file", "/run/secrets/reports"),
    })
}

/// A table of profiles.
fn profiles(kind: &Kind) -> Value {
    let fields: Map<String, Value> = kind.fields.iter().map(|each| (each.name.to_owned(), field(each))).collect();
    json!({
        "description": format!("profiles of the {kind} service, by name"),
        "type": ["object", "null"],
        "propertyNames": reference("name"),
        "additionalProperties": { "type": ["object", "null"], "properties": fields, "additionalProperties": false },
    })
}

/// A value that is written out, or a reference to one. Null is as if the key were not there.
fn field(field: &Field) -> Value {
    let examples = if field.role == Role::Secret { Vec::new() } else { vec![field.example] };
    let literal = match field.ty {
        Type::Choice(words) => json!({ "type": "string", "enum": words }),
        ty if ty.is_list() => {
            let item = json!({ "type": "string", "examples": examples });
            json!({ "type": "array", "items": { "oneOf": [item, reference("env"), reference("file")] } })
        }
        _ => json!({ "type": "string", "examples": examples }),
    };
    json!({
        "description": field.about,
        "oneOf": [literal, reference("env"), reference("file"), { "type": "null" }],
    })
}

/// The hosts that may get a credential, and the references that are followed.
fn trust() -> Value {
    json!({
        "description": "only in the user configuration or a policy: the hosts that may receive a credential, and the references that may be followed",
        "type": ["object", "null"],
        "properties": {
            "hosts": {
                "description": "hosts, or *. and a domain for every host below it",
                "type": "array",
                "items": { "type": "string", "examples": ["chat.example.com"] },
            },
            "references": {
                "description": "env:NAME and file:PATH, with * for any characters but /",
                "type": "array",
                "items": { "type": "string", "pattern": "^(env|file):.", "examples": ["env:CI_*", "file:/run/secrets/*"] },
            },
        },
        "additionalProperties": false,
    })
}

/// The settings of the linter itself.
fn lint() -> Value {
    let ids: Vec<&str> = rules::ALL.iter().map(|rule| rule.meta().id).collect();
    let levels: Map<String, Value> = rules::ALL
        .iter()
        .map(|rule| rule.meta())
        .map(|meta| {
            let level = json!({ "description": meta.summary, "enum": ["off", "note", "warning", "error"], "default": meta.severity.name() });
            (meta.id.to_owned(), level)
        })
        .collect();
    let key = |key: &str| match key {
        "fail_on" => json!({
            "description": "a check fails on findings of this severity or higher",
            "enum": ["error", "warning", null],
            "default": "error",
        }),
        "levels" => json!({
            "description": "the severity of the findings of a rule; off turns the rule off",
            "type": ["object", "null"],
            "properties": levels.clone(),
            "additionalProperties": false,
        }),
        "allow" => json!({
            "description": "accepted findings, each with a reason",
            "type": ["array", "null"],
            "items": {
                "type": "object",
                "properties": {
                    "rule": { "description": "the ID of the rule", "enum": ids.clone() },
                    "profile": {
                        "description": "the profile, such as messaging.reports; default: all profiles",
                        "type": "string",
                        "examples": ["messaging.reports"],
                    },
                    "reason": { "description": "why the finding is accepted", "type": "string", "minLength": 1 },
                },
                "required": ["rule", "reason"],
                "additionalProperties": false,
            },
        }),
        "baseline" => json!({
            "description": "only in a policy: the baseline to use, relative to the policy",
            "type": ["string", "null"],
            "minLength": 1,
            "examples": ["known.json"],
        }),
        // A key that is newer than this page is not judged.
        _ => json!(true),
    };
    json!({
        "description": "settings of the check; never read from the environment",
        "type": ["object", "null"],
        "properties": POLICY_KEYS.iter().map(|&name| (name.to_owned(), key(name))).collect::<Map<_, _>>(),
        "additionalProperties": false,
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_key_of_lint_is_described() {
        let schema: serde_json::Value = serde_json::from_str(&super::write()).unwrap();
        for key in crate::schema::POLICY_KEYS {
            assert!(schema["properties"]["lint"]["properties"][key].is_object(), "`lint.{key}` has no schema");
        }
    }
}
