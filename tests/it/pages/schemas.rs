//! The examples on the page about output are documents, and the parts that documents share are the same.

use std::path::Path;

use serde_json::Value;

fn schema(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn documented_examples_match_the_schemas() {
    let page = std::fs::read_to_string(super::root("docs/output.md")).unwrap();
    let blocks: Vec<&str> = page.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(blocks.len(), 2);
    for (name, block) in ["report-v1.json", "upload-v1.json"].into_iter().zip(blocks) {
        let validator = crate::formats::validator(&crate::formats::strict(schema(name)));
        let example: Value = serde_json::from_str(block).unwrap();
        assert!(validator.is_valid(&example), "{:?}", validator.validate(&example).err());
    }
}

#[test]
fn documents_share_their_parts() {
    let [report, upload, profiles] = ["report-v1.json", "upload-v1.json", "profiles-v1.json"].map(schema);
    for part in ["label", "source", "span", "position", "problem"].map(|part| format!("/$defs/{part}")) {
        let part = part.as_str();
        assert!(report.pointer(part).is_some(), "{part}");
        assert_eq!(report.pointer(part), upload.pointer(part), "{part}");
        assert_eq!(report.pointer(part), profiles.pointer(part), "{part}");
    }
}
