//! Realistic files of other programs: mistakes, which must have the right finding, and files that work or can't be
//! judged, which must have none.
//!
//! A file below `tests/corpus/foreign/` contains many: `=== PATH` begins one, and `=> RULE SEVERITY LINE NAME` after it
//! states an expected finding. Values are forms that are filled anew for each seed, as in `corpus.rs`; `«ID»` and
//! similar marks stand for whole values, and `⟦…⟧` is base64-encoded.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use credlint::examples::{self, Case};

use crate::harness::{Extent, Project, extents};

/// The cases of a folder of the corpus, or the examples in the files of services.
pub fn cases(folder: &str, seed: u64) -> Vec<Case> {
    let services = folder == "services";
    let directory = if services { "src/services".into() } else { format!("tests/corpus/{folder}") };
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
    let mut files: Vec<_> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    // The template of `just new-service` is no service.
    let wanted = if services { "toml" } else { "txt" };
    files.retain(|file| file.extension().is_some_and(|end| end == wanted) && !file.ends_with("template.toml"));
    let read = |file: &std::path::PathBuf| {
        let (name, text) = (file.file_name().unwrap().display().to_string(), std::fs::read_to_string(file).unwrap());
        if services { examples::cases_of_service(&name, &text, seed) } else { examples::cases(&name, 1, &text, seed) }
    };
    files.iter().flat_map(|file| read(file).unwrap()).collect()
}

extents! {
    files_of_other_programs_have_exactly_the_expected_findings => compare;
}

/// The result must not depend on the values, so all of it takes several.
fn compare(extent: Extent) {
    let (mut wrong, mut mistakes, mut innocent) = (Vec::new(), 0, 0);
    let seeds = if extent == Extent::All { 1..=3 } else { 1..=1 };
    for seed in seeds {
        let cases: Vec<Case> = ["foreign", "services"].iter().flat_map(|folder| cases(folder, seed)).collect();
        let mut project = Project::new().outside_repository();
        for (index, case) in cases.iter().enumerate() {
            project = project.file(&format!("case-{index}/{}", case.path), &case.text);
        }
        let (_, document) = project.check(&["."]);
        // No findings in a file that is not read prove nothing.
        let list = project.run(&["check", ".", "--list"]).stdout;
        let read: BTreeSet<&str> = list.lines().filter_map(|line| Some(line.split_once('\t')?.1)).collect();
        let paths = cases.iter().enumerate().map(|(index, case)| (case, format!("case-{index}/{}", case.path)));
        let unread: Vec<_> = paths.filter(|(_, path)| !read.contains(&**path)).map(|(case, _)| &case.place).collect();
        assert!(unread.is_empty(), "not read: {unread:?}");
        assert_eq!(document["read"]["files"], cases.len());
        assert_eq!(document["problems"].as_array().map_or(0, Vec::len), 0, "{}", document["problems"]);
        let mut found: BTreeMap<usize, Vec<[String; 4]>> = BTreeMap::new();
        for (source, mut finding) in examples::in_document(&document) {
            let (index, path) = source.strip_prefix("case-").unwrap().split_once('/').unwrap();
            if finding[3] == source {
                path.clone_into(&mut finding[3]);
            }
            found.entry(index.parse().unwrap()).or_default().push(finding);
        }
        for (index, case) in cases.iter().enumerate() {
            let found = found.remove(&index).unwrap_or_default();
            // An example of a service says only what rejects it.
            let notes = case.place.contains(".toml:") && found.iter().all(|found| found[1] == "note");
            let notes = notes && case.expected.is_empty();
            if found != case.expected && !notes {
                wrong.push(format!(
                    "{} {}, seed {seed}:\n  found    {found:?}\n  expected {:?}\n{}",
                    case.place, case.path, case.expected, case.text
                ));
            }
            *if case.expected.is_empty() { &mut innocent } else { &mut mistakes } += 1;
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), mistakes + innocent, wrong.join("\n"));
    assert!(mistakes >= 40 && innocent >= mistakes, "{mistakes} mistakes and {innocent} innocent files");
}
