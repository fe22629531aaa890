//! Writes the schema, and compares the published one.

use serde_json::{Map, Value, json};

use super::{DOCUMENT, URL};
use crate::rules;
use crate::schema::{Field, Kind, POLICY_KEYS, Role, Type};

#[test]
fn the_published_schema_is_up_to_date() {
    // The kind of the unit tests is not published.
    let expected = document(Kind::all().iter().copied().filter(|kind| kind.name != "twilio"));
    #[expect(clippy::disallowed_methods, reason = "a switch for developers")]
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema/config-v1.json");
        std::fs::write(path, expected).unwrap();
    } else {
        assert!(DOCUMENT == expected, "docs/schema/config-v1.json is out of date: run `UPDATE_DOCS=1 cargo test`");
    }
    assert!(URL.ends_with("/docs/schema/config-v1.json"));
}

#[test]
fn describes_every_key_of_lint() {
    let schema: Value = serde_json::from_str(DOCUMENT).unwrap();
    assert_eq!(schema["$id"], URL);
    for key in POLICY_KEYS {
        assert!(schema["properties"]["lint"]["properties"][key].is_object(), "`lint.{key}` has no schema");
    }
}

/// Returns the schema of a configuration with these kinds, as a JSON document.
pub fn document<'k>(kinds: impl Iterator<Item = &'k Kind>) -> String {
    let mut properties: Map<String, Value> = kinds.map(|kind| (kind.name.to_owned(), profiles(kind))).collect();
    properties.insert("lint".to_owned(), lint());
    properties.insert("trust".to_owned(), trust());
    properties.insert("names".to_owned(), names());
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": URL,
        "title": "credlint",
        "description": "A configuration of credlint, in TOML, YAML or JSON.",
        "type": "object",
        "properties": properties,
        // Keys of other programs: editors, templates, SOPS.
        "patternProperties": { "^(\\$schema$|sops$|x-)": true },
        "additionalProperties": false,
        "$defs": definitions(),
    });
    // Indented, because people read it too.
    serde_json::to_string_pretty(&schema).unwrap() + "\n"
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

fn definitions() -> Value {
    let key = |description: &str, example: &str| json!({ "description": description, "type": "string", "minLength": 1, "examples": [example] });
    json!({
        "name": {
            "description": "the name of a profile",
            "pattern": "^[a-z0-9]+([-_][a-z0-9]+)*$",
            "maxLength": 64,
        },
        "reference": {
            "description": "a reference to a value: env or file",
            "type": "object",
            "properties": {
                "env": key("the environment variable that holds the value; an --env-file may set it", "REPORTS_TOKEN"),
                "file": key("the file that holds the value; the path is relative to this configuration", "/run/secrets/reports"),
            },
            "additionalProperties": false,
            "minProperties": 1,
            "maxProperties": 1,
        },
    })
}

/// Returns the schema of a kind's table of profiles.
fn profiles(kind: &Kind) -> Value {
    let fields: Map<String, Value> = kind.fields.iter().map(|each| (each.name.to_owned(), field(each))).collect();
    let mut profile = json!({
        "description": format!("a profile of the {kind} service"),
        "type": ["object", "null"],
        "properties": fields,
        "additionalProperties": false,
    });
    let misplaced = misplaced(kind);
    if let Some(profile) = profile.as_object_mut().filter(|_| !misplaced.is_empty()) {
        profile.insert("allOf".to_owned(), misplaced.into());
    }
    json!({
        "description": format!("profiles of the {kind} service, by name"),
        "type": ["object", "null"],
        "propertyNames": reference("name"),
        "additionalProperties": profile,
    })
}

/// Returns conditions that reject an ID together with the key of another pair. Each one names a single field, so that
/// an editor marks that field.
fn misplaced(kind: &Kind) -> Vec<Value> {
    let beside = kind.pairs.iter().flat_map(|own| {
        let others = kind.pairs.iter().filter(move |other| other.key.field != own.key.field);
        others.map(move |other| (own, other))
    });
    let wrong = beside.map(|(own, other)| {
        let set = json!({ "not": { "type": "null" } });
        let message = format!(
            "{} goes with {}, not with {}; {} goes with {}",
            other.id.field, other.key.field, own.key.field, own.key.field, own.id.field
        );
        json!({
            "if": {
                "type": "object",
                "required": [own.key.field, other.id.field],
                "properties": { own.key.field: set.clone(), other.id.field: set },
            },
            // Two editors show this description; others name the field that is not allowed.
            "then": { "description": message, "propertyNames": { "not": { "const": other.id.field }, "errorMessage": message } },
        })
    });
    wrong.collect()
}

/// Returns the schema of a field: a literal value or a reference. Null counts as unset. A condition distinguishes the
/// two forms, so that an error is reported for the form that was used, not as "matches neither".
fn field(field: &Field) -> Value {
    let examples = if field.role == Role::Secret { Vec::new() } else { vec![field.example] };
    let mut schema = match field.ty {
        Type::Choice(words) => {
            let words: Vec<Value> = words.iter().map(|&word| word.into()).chain([Value::Null]).collect();
            or_reference(&["string", "null"], &json!({ "enum": words }))
        }
        ty if ty.is_list() => {
            let items = or_reference(&["string"], &json!({}));
            or_reference(&["array", "null"], &json!({ "items": items }))
        }
        _ => or_reference(&["string", "null"], &json!({})),
    };
    let examples: Vec<Value> = match field.ty {
        ty if ty.is_list() => examples.iter().map(|example| json!([example])).collect(),
        _ => examples.iter().map(|&example| example.into()).collect(),
    };
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("description".to_owned(), field.about().into());
        if !examples.is_empty() {
            schema.insert("examples".to_owned(), examples.into());
        }
    }
    schema
}

/// Accepts one of these types with further constraints, or a reference.
fn or_reference(types: &[&str], rest: &Value) -> Value {
    let types: Vec<&str> = types.iter().copied().chain(["object"]).collect();
    let is_object = json!({ "type": "object" });
    json!({ "type": types, "if": is_object, "then": reference("reference"), "else": rest })
}

/// Returns the schema of `[trust]`: hosts that may receive a credential, and references that may be resolved.
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
            "override": { "description": "false forbids CREDLINT_OVERRIDE", "type": "boolean", "default": true },
        },
        "additionalProperties": false,
    })
}

/// Returns the schema of `[names]`.
fn names() -> Value {
    json!({
        "description": "names of the project's own, with the fields of services that they mean; only in a project's configuration or a policy",
        "type": ["object", "null"],
        "additionalProperties": {
            "type": ["string", "null"],
            "pattern": "^[a-z0-9-]+/[a-z0-9_]+$",
            "examples": ["stripe/secret_key"],
        },
    })
}

/// Returns the schema of `[lint]`.
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
                    "path": {
                        "description": "the files, as a pattern for paths from the root of the repository; default: all files",
                        "type": "string",
                        "examples": ["deploy/*.env"],
                    },
                    "variable": {
                        "description": "the variable or key; default: all",
                        "type": "string",
                        "examples": ["REPORTS_TOKEN"],
                    },
                    "until": {
                        "description": "the last day on which it counts, in UTC; in TOML also a date without quotes",
                        "type": "string",
                        "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
                        "examples": ["2026-12-31"],
                    },
                    "reason": { "description": "why the finding is accepted", "type": "string", "minLength": 1 },
                },
                "required": ["rule", "reason"],
                "additionalProperties": false,
            },
        }),
        "exclude" => json!({
            "description": "files that no search reads, as patterns for paths from the root of the repository",
            "type": ["array", "null"],
            "items": { "type": "string", "minLength": 1, "examples": ["vendor/"] },
        }),
        "services" => json!({
            "description": "files with services of the project's own, relative to this file",
            "type": ["array", "null"],
            "items": { "type": "string", "minLength": 1, "examples": ["acme.toml"] },
        }),
        "baseline" => json!({
            "description": "only in a policy: the baseline to use, relative to the policy",
            "type": ["string", "null"],
            "minLength": 1,
            "examples": ["known.json"],
        }),
        // Accept keys that are newer than this schema.
        _ => json!(true),
    };
    json!({
        "description": "settings of the check; never read from the environment",
        "type": ["object", "null"],
        "properties": POLICY_KEYS.iter().map(|&name| (name.to_owned(), key(name))).collect::<Map<_, _>>(),
        "additionalProperties": false,
    })
}
