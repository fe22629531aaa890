//! The keys of the JSON documents, as tables. They are generated from the schemas, against which every document of the
//! tests is validated; `UPDATE_DOCS=1 cargo test` writes them.

use std::path::Path;

use serde_json::{Map, Value};

/// The objects with a table of their own, and their plural.
const NAMED: &[(&str, &str)] = &[
    ("finding", "findings"),
    ("label", "labels"),
    ("place", "places"),
    ("problem", "problems"),
    ("profile", "profiles"),
    ("source", "sources"),
    ("span", "spans"),
    ("position", "positions"),
    ("upload", "uploads"),
];

/// A key of a document.
#[derive(PartialEq, Eq)]
struct Row {
    keys: Vec<String>,
    kind: String,
    meaning: String,
}

struct Schema(Value);

impl Schema {
    fn read(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema").join(name);
        Self(serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
    }

    fn at(&self, pointer: &str) -> &Value {
        self.0.pointer(pointer).unwrap_or_else(|| panic!("the schema has no {pointer}"))
    }

    /// Returns what a schema refers to, and its name if it has a table of its own.
    fn resolve<'a>(&'a self, node: &'a Value) -> (&'a Value, Option<&'static (&'static str, &'static str)>) {
        let Some(name) = node["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) else {
            return (node, None);
        };
        (self.at(&format!("/$defs/{name}")), NAMED.iter().find(|(known, _)| *known == name))
    }

    /// Adds the keys of an object, in the order in which the schema requires them.
    fn rows(&self, object: &Value, prefix: &str, rows: &mut Vec<Row>) {
        let empty = Map::new();
        let properties = object["properties"].as_object().unwrap_or(&empty);
        let required: Vec<&str> =
            object["required"].as_array().into_iter().flatten().map(|name| name.as_str().unwrap()).collect();
        let others = properties.keys().map(String::as_str).filter(|name| !required.contains(name));
        let own = required.iter().copied().filter(|name| properties.contains_key(*name));
        for name in own.chain(others) {
            let node = &properties[name];
            let (kind, inner) = self.kind(node);
            let meaning = [node, self.resolve(node).0].into_iter().find_map(|node| node["description"].as_str());
            let meaning = meaning.unwrap_or_else(|| panic!("{prefix}{name} has no description"));
            let said = |kind: &str| kind.starts_with('`') && kind.split(", ").all(|word| meaning.contains(word));
            let kind = if said(&kind) { "string".to_owned() } else { kind };
            let absent = if required.contains(&name) { "" } else { " May be absent." };
            let row = Row { keys: vec![format!("{prefix}{name}")], kind, meaning: format!("{meaning}{absent}") };
            match rows.last_mut() {
                // Its keys say enough.
                _ if row.kind == "object" && absent.is_empty() => {}
                Some(last) if last.kind == row.kind && last.meaning == row.meaning => last.keys.extend(row.keys),
                _ => rows.push(row),
            }
            if let Some((inner, path)) = inner.filter(|_| name != "live") {
                self.rows(inner, &format!("{prefix}{name}{path}."), rows);
            }
        }
    }

    /// Returns the type of a value in words, and the object in it whose keys follow.
    fn kind<'a>(&'a self, node: &'a Value) -> (String, Option<(&'a Value, &'static str)>) {
        let (found, named) = self.resolve(node);
        if let Some((name, _)) = named {
            return ((*name).to_owned(), None);
        }
        if let Some(options) = found["oneOf"].as_array() {
            let some = options.iter().find(|option| option["type"] != "null").unwrap();
            let (kind, inner) = self.kind(some);
            return (format!("{kind} or null"), inner);
        }
        if let Some(value) = found["const"].as_str() {
            return (format!("`{value}`"), None);
        }
        if let Some(values) = found["enum"].as_array() {
            let words: Vec<String> = values
                .iter()
                .map(|value| value.as_str().map_or_else(|| "null".to_owned(), |word| format!("`{word}`")))
                .collect();
            return (words.join(", "), None);
        }
        match &found["type"] {
            Value::Array(names) => {
                let (first, null) = (names[0].as_str().unwrap(), names[1] == "null");
                assert!(null && names.len() == 2, "{names:?}");
                let kind = if first == "array" { self.list(found).0 } else { first.to_owned() };
                (format!("{kind} or null"), None)
            }
            Value::String(name) if name == "array" => self.list(found),
            Value::String(name) if name == "object" => ("object".to_owned(), Some((found, ""))),
            other => (other.as_str().unwrap_or_else(|| panic!("{found} has no type")).to_owned(), None),
        }
    }

    fn list<'a>(&'a self, node: &'a Value) -> (String, Option<(&'a Value, &'static str)>) {
        let items = &node["items"];
        // A named object with more keys.
        if let Some(base) = items["allOf"].as_array() {
            let (_, named) = self.resolve(&base[0]);
            return (format!("array of {}", named.unwrap().1), Some((items, "[]")));
        }
        let (found, named) = self.resolve(items);
        match (named, found["type"].as_str()) {
            (Some((_, plural)), _) => (format!("array of {plural}"), None),
            (None, Some("object")) => ("array".to_owned(), Some((found, "[]"))),
            (None, kind) => (format!("array of {}s", kind.unwrap()), None),
        }
    }

    /// The table of the objects at these places, each with the name before its keys.
    fn table(&self, places: &[(&str, &str)]) -> String {
        let mut rows = Vec::new();
        for (pointer, prefix) in places {
            self.rows(self.at(pointer), prefix, &mut rows);
        }
        let mut table = String::from("| key | type | meaning |\n|---|---|---|\n");
        for Row { keys, kind, meaning } in rows {
            let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
            table += &format!("| {} | {kind} | {meaning} |\n", keys.join(", "));
        }
        table
    }
}

#[test]
fn the_tables_of_keys_match_the_schemas() {
    let report = Schema::read("report-v1.json");
    let upload = Schema::read("upload-v1.json");
    let profiles = Schema::read("profiles-v1.json");
    for (name, schema, places) in [
        ("report", &report, &[("", "")][..]),
        ("finding", &report, &[("/$defs/finding", "")]),
        ("label", &report, &[("/$defs/label", "")]),
        ("parts", &report, &[("/$defs/source", "source."), ("/$defs/span", "span."), ("/$defs/position", "position.")]),
        ("problem", &report, &[("/$defs/problem", "")]),
        ("live", &report, &[("/properties/profiles/items/properties/live/oneOf/1", "")]),
        ("upload", &upload, &[("", ""), ("/$defs/upload", "uploads[].")]),
        ("profiles", &profiles, &[("", "")]),
        ("rules", &Schema::read("rules-v1.json"), &[("", "")]),
    ] {
        super::compare_section("docs/json.md", name, &schema.table(places));
    }
    // The examples are documents, too.
    let page = std::fs::read_to_string(super::root("docs/json.md")).unwrap();
    let blocks = page.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    for (schema, block) in [&report, &upload].into_iter().zip(blocks) {
        let validator = crate::formats::validator(&crate::formats::strict(schema.0.clone()));
        let example: Value = serde_json::from_str(block).unwrap();
        assert!(validator.is_valid(&example), "{:?}", validator.validate(&example).err());
    }
    // What several documents have is the same.
    for part in ["label", "source", "span", "position", "problem"].map(|part| format!("/$defs/{part}")) {
        assert_eq!(report.at(&part), upload.at(&part), "{part}");
        assert_eq!(report.at(&part), profiles.at(&part), "{part}");
    }
}
