//! Writes both schemas, and compares the published ones.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use crate::services::file::{Cited, PatternRow, PatternTable, Rows, ServiceFile, Spanned, Texts};
use crate::services::{self, Service, Shape, Source};

/// Describes a type that is not derived: its name, and its schema.
macro_rules! described {
    ($([$($of:ident)?] $type:ty, $name:literal, $generator:ident => $schema:expr;)+) => { $(
        impl$(<$of: JsonSchema>)? JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }
            fn inline_schema() -> bool {
                true
            }
            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    )+ };
}

described! {
    [T] Spanned<T>, "Spanned", generator => generator.subschema_for::<T>();
    [T] Rows<T>, "Rows", generator => {
        let row = generator.subschema_for::<T>();
        json_schema!({ "type": "object", "additionalProperties": row })
    };
    [] Texts, "Texts", generator => {
        let list = generator.subschema_for::<Vec<String>>();
        json_schema!({ "anyOf": [{ "type": "string" }, list] })
    };
    [] Cited, "Cited", generator => {
        let source = generator.subschema_for::<Source>();
        json_schema!({ "anyOf": [{ "type": "string", "description": "The name of a source." }, source] })
    };
    [] PatternRow, "Pattern", generator => {
        let table = generator.subschema_for::<PatternTable>();
        json_schema!({ "anyOf": [{ "type": "string", "description": "A regular expression of ASCII for the whole value. A named group is a part of it." }, table] })
    };
    [] Shape, "Shape", _generator => json_schema!({
        "type": "object",
        "required": ["prefix", "shortest", "longest"],
        "properties": {
            "prefix": { "description": "How every value begins.", "type": "string" },
            "shortest": { "description": "The least number of bytes.", "type": "integer" },
            "longest": { "description": "The greatest number of bytes; null without a limit.", "type": ["integer", "null"] },
        },
    });
}

/// Writes a schema with a name and a description.
fn document(name: &str, title: &str, description: &str, schema: Schema) -> String {
    let mut schema = Value::from(schema);
    let id = format!("https://github.com/credlint/credlint/blob/main/docs/schema/{name}");
    let mut all = json!({ "$schema": schema["$schema"], "$id": id, "title": title, "description": description });
    if let (Some(all), Some(schema)) = (all.as_object_mut(), schema.as_object_mut()) {
        schema.retain(|key, _| !["$schema", "title", "description"].contains(&key.as_str()));
        all.append(schema);
    }
    serde_json::to_string_pretty(&all).unwrap() + "\n"
}

#[test]
fn the_published_schemas_of_services_are_up_to_date() {
    let file = SchemaSettings::draft2020_12().for_deserialize().into_generator().into_root_schema_for::<ServiceFile>();
    let mut rows = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let service = rows.subschema_for::<Service>();
    let mut definitions = Value::Object(rows.take_definitions(true));
    let parts =
        definitions.as_object_mut().into_iter().flat_map(|all| all.values_mut()).filter_map(Value::as_object_mut);
    for part in parts {
        // What is written has all its keys, and may gain others.
        part.remove("additionalProperties");
        let properties = part.get_mut("properties").and_then(Value::as_object_mut).into_iter();
        for property in properties.flat_map(|all| all.values_mut()).filter_map(Value::as_object_mut) {
            property.remove("default");
        }
    }
    let list = json_schema!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "required": ["schema", "tool", "services"],
        "properties": {
            "schema": { "description": "The name of this schema.", "const": "credlint/services/v1" },
            "tool": {
                "description": "The program that wrote this.",
                "type": "object",
                "required": ["name", "version"],
                "properties": {
                    "name": { "description": "Its name.", "const": "credlint" },
                    "version": { "description": "Its version.", "type": "string" },
                },
            },
            "services": { "description": "The services.", "type": "array", "items": service },
        },
        "$defs": definitions,
    });
    for (name, title, description, schema) in [
        ("service-v1.json", "credlint: a service", "A file of facts about a service, in TOML.", file),
        (
            "services-v1.json",
            "credlint/services/v1",
            "What `services --format json` prints: what is known of all services, or of the one that was asked for, with the day \
             on which somebody read the sources of each. It may gain keys, and never loses or retypes one.",
            list,
        ),
    ] {
        let expected = document(name, title, description, schema);
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema").join(name);
        #[expect(clippy::disallowed_methods, reason = "a switch for developers")]
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(&path, &expected).unwrap();
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(found == expected, "docs/schema/{name} is out of date: run `UPDATE_DOCS=1 cargo test`");
    }
}

/// Editors accept what the program reads.
#[test]
fn the_files_and_the_document_have_their_schemas() {
    let schema: Value = serde_json::from_str(super::DOCUMENT).unwrap();
    let file = jsonschema::validator_for(&schema).unwrap();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for service in services::all() {
        let text = std::fs::read_to_string(root.join(format!("src/services/{}.toml", service.id))).unwrap();
        let rows = serde_json::to_value(toml::from_str::<toml::Table>(&text).unwrap()).unwrap();
        let wrong: Vec<String> =
            file.iter_errors(&rows).map(|error| format!("{error} at {}", error.instance_path())).collect();
        assert!(wrong.is_empty(), "{}: {wrong:?}", service.id);
    }
    assert!(!file.is_valid(&json!({ "name": "Acme", "nown": "x" })) && !file.is_valid(&json!({ "name": 1 })));
    let schema = std::fs::read_to_string(root.join("docs/schema/services-v1.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let document: Value = serde_json::from_str(&crate::report::json_v1::services(services::all())).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let wrong: Vec<String> = validator.iter_errors(&document).map(|error| error.instance_path().to_string()).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(document["services"].as_array().unwrap().len(), services::all().len());
}
