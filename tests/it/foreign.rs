//! Realistic files of other programs: mistakes, which must have the right finding, and files that work or can't be
//! judged, which must have none.
//!
//! A file below `tests/corpus/foreign/` contains many: `=== PATH` begins one, and `=> RULE SEVERITY LINE NAME` after it
//! states an expected finding. Values are forms that are filled anew for each seed, as in `corpus.rs`; `«ID»` and
//! similar marks stand for whole values, and `⟦…⟧` is base64-encoded.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::corpus::Maker;
use crate::harness::{Extent, Project, extents};
use crate::search::base64;

/// Whole values.
const FORMS: &[(&str, &str)] = &[
    ("«ID»", "005{9*1}{h*11}000000000{9*1}"),
    ("«ID4»", "004{9*1}{h*11}000000000{9*1}"),
    ("«KEY»", "K005{b*27}"),
    // Without characters that a URL would have to encode.
    ("«KEYX»", "K005{x*27}"),
    ("«ACCOUNT»", "{9*1}{h*11}"),
    ("«MASTER»", "005{h*39}"),
    ("«BUCKETID»", "{h*24}"),
    ("«BOT»", "xoxb-{9*12}-{9*13}-{x*24}"),
    ("«USER»", "xoxp-{9*12}-{9*12}-{9*12}-{h*32}"),
    ("«APP»", "xapp-1-A{X*10}-{9*13}-{h*64}"),
    ("«HOOK»", "https://hooks.slack.com/services/T{X*8}/B{X*10}/{x*24}"),
    ("«HEX»", "{h*32}"),
];

/// One file and its expected findings.
pub struct Case {
    pub place: String,
    pub path: String,
    pub text: String,
    /// Rule, severity, line and name.
    pub expected: Vec<[String; 4]>,
}

/// The cases of a folder of the corpus, or the examples in the files of services.
pub fn cases(folder: &str, seed: u64) -> Vec<Case> {
    let services = folder == "services";
    let directory = if services { "src/services".into() } else { format!("tests/corpus/{folder}") };
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
    let mut files: Vec<_> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut cases: Vec<Case> = Vec::new();
    // The template of `just new-service` is no service.
    let wanted = if services { "toml" } else { "txt" };
    files.retain(|file| file.extension().is_some_and(|end| end == wanted) && !file.ends_with("template.toml"));
    for file in &files {
        let mut maker = Maker::new(seed);
        let text = std::fs::read_to_string(file).unwrap();
        let mut lines = (1..).zip(text.lines());
        // The text before the first file is for readers, or for the program.
        if services {
            lines.find(|(_, line)| *line == "files = '''");
        }
        let name = file.file_name().unwrap().display().to_string();
        for (line, text) in lines.take_while(|(_, line)| *line != "'''") {
            if let Some(path) = text.strip_prefix("=== ") {
                let place = format!("{name}:{line}");
                cases.push(Case { place, path: path.to_owned(), text: String::new(), expected: Vec::new() });
                continue;
            }
            let Some(case) = cases.last_mut().filter(|case| case.place.starts_with(&format!("{name}:"))) else {
                continue;
            };
            if text.starts_with("--- ") {
                continue;
            }
            if let Some(expected) = text.strip_prefix("=> ") {
                let words: Vec<String> = expected.split(' ').map(str::to_owned).collect();
                case.expected
                    .push(words.try_into().unwrap_or_else(|_| panic!("{}: RULE SEVERITY LINE NAME", case.place)));
            } else {
                case.text += &filled(text, &mut maker);
                case.text += "\n";
            }
        }
    }
    cases
}

/// A line with values.
fn filled(line: &str, maker: &mut Maker) -> String {
    let line = FORMS.iter().fold(line.to_owned(), |line, (name, form)| line.replace(name, form));
    let mut line = maker.fill(&line).replace("␍", "\r").replace("␉", "\t");
    while let Some((start, end)) = line.find('⟦').zip(line.find('⟧')) {
        let encoded = base64(&line.as_bytes()[start + '⟦'.len_utf8()..end]);
        line.replace_range(start..end + '⟧'.len_utf8(), &encoded);
    }
    line
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
        for finding in document["findings"].as_array().unwrap() {
            let word = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
            let label = &finding["labels"][0];
            let source = word(&label["source"]["name"]);
            let (index, _) = source.strip_prefix("case-").unwrap().split_once('/').unwrap();
            let message = word(&finding["message"]);
            let name = message.split('`').nth(1).unwrap_or_default().to_owned();
            let line = label["span"]["start"]["line"].to_string();
            let found = found.entry(index.parse().unwrap()).or_default();
            found.push([word(&finding["rule"]), word(&finding["severity"]), line, name]);
        }
        for (index, case) in cases.iter().enumerate() {
            let found = found.remove(&index).unwrap_or_default();
            let notes = case.expected.is_empty() && found.iter().all(|found| found[1] == "note");
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
