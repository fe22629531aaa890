//! The cost of a file: limits apply in every format, and a report is no larger than what it shows.

use crate::harness::{Extent, Project, Run, extents};

const HEAD: &str = "[messaging.r]\nbase_url = 'https://h.example'\ntoken = { env = 'T' }\n";

#[test]
fn the_value_limit_is_the_same_in_every_format() {
    let many = |one: &str, between: &str| vec![one; 100_001].join(between);
    for (name, text) in [
        ("credlint.toml", format!("{HEAD}channels = [{}]\n", many("'C0123456789'", ","))),
        ("credlint.json", format!(r#"{{"messaging": {{"r": {{"channels": [{}]}}}}}}"#, many("\"C0123456789\"", ","))),
        ("credlint.yaml", format!("messaging:\n  r:\n    channels: [{}]\n", many("C0123456789", ","))),
    ] {
        let run = Project::new().file(name, text).run(&["check", "--format", "json"]);
        assert_eq!((run.code, run.document()["problems"][0]["code"].as_str()), (2, Some("too-many-values")), "{name}");
    }
    let variables: String = (0..100_001).map(|number| format!("OTHER_{number}=x\n")).collect();
    let run = Project::new().file("many.env", variables).run(&["check", "--env-file", "many.env"]);
    assert!(run.code == 2 && run.stderr.contains("too-many-values"), "{}", run.stderr);
    // Such a file is not shown at all, because that would require scanning it.
    assert!(run.stderr.contains("│ ********\n") && !run.stderr.contains("OTHER_"), "{}", run.stderr);
}

extents! {
    value_limit_of_other_programs_files_is_reported => prove_limit_of_files;
}

/// A file of another program is read up to the same limit, and a finding says that the rest was not read.
fn prove_limit_of_files(extent: Extent) {
    let lines = |between: &str, end: &str| {
        let line = |number: usize| format!("KEY_{number}{between}x{end}");
        format!("SLACK_TOKEN{between}x{end}{}", (0..100_001).map(line).collect::<String>())
    };
    let json = |value: &str| format!("{{\"SLACK_TOKEN\": [{}]}}", vec![value; 100_001].join(","));
    let files = [
        ("many.env", lines("=", "\n"), "`many.env` has more than 100,000 values, and only the first ones were read"),
        ("many.conf", format!("[s]\n{}", lines(" = ", "\n")), "only the first ones were read"),
        ("many.json", json("1"), "`many.json` was read line by line: more than 100,000 values"),
        // Nor is it parsed, which takes hundreds of bytes for each value.
        ("long.json", json("0,0,0,0,0"), "`long.json` was read line by line: more than 100,000 values"),
        ("empty.json", json("[[]]"), "`empty.json` was read line by line: more than 100,000 values"),
    ];
    for (_, (name, text, says)) in files.into_iter().enumerate().filter(|(number, _)| extent.takes(*number, 4)) {
        let (code, document) = Project::new().file(name, text).check(&[name]);
        let unread = document["findings"].as_array().unwrap().iter().find(|finding| finding["rule"] == "unread-file");
        let unread = unread.unwrap_or_else(|| panic!("{name}: {document}"));
        assert!(unread["message"].as_str().unwrap().contains(says), "{name}: {unread}");
        // The name of a file with credentials, or of any other.
        let grave = name == "many.env";
        assert_eq!((code, unread["severity"] == "error"), (i32::from(grave), grave), "{name}");
    }
    let text = "KEY=x\0".repeat(100_001);
    let project = Project::new().file("in", &text);
    let run = Run::of({
        let mut command = project.command(&["check", "--as", "env0", "-"]);
        command.stdin(std::fs::File::open(project.path().join("in")).unwrap());
        command
    });
    assert!(run.code == 1 && run.stdout.contains("only the first ones were read"), "{}", run.stdout);
    // Separators inside a string don't count.
    let text = format!("{{\"slack\": \"\\\"{}\", \"b\": \"x\"}}", ",[{".repeat(100_000));
    let run = Project::new().file("string.json", text).run(&["check", "string.json"]);
    assert!(run.code == 0 && run.stdout.contains("1 file read"), "{} {}", run.stdout, run.stderr);
}

#[test]
fn copies_of_long_keys_count_by_size() {
    let long = |number: usize| format!("{}{number}: 1", "k".repeat(1_000));
    let keys = (0..200).map(long).collect::<Vec<_>>().join(", ");
    let aliases: String = (0..100).map(|number| format!("b{number}: *a\n")).collect();
    let run = Project::new().file("credlint.yaml", format!("a: &a {{{keys}}}\n{aliases}")).run(&["check"]);
    assert!(run.code == 2 && run.stderr.contains("too-many-values"), "{}", run.stderr);
}

#[test]
fn a_long_line_is_cut_around_its_labels() {
    let profiles: Vec<String> = (0..300).map(|number| format!(r#""p{number}": {{"colour": 1}}"#)).collect();
    let text = format!(r#"{{"storage": {{{}}}}}"#, profiles.join(", "));
    let run = Project::new().file("credlint.json", &text).run(&["check"]);
    let longest = run.stdout.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(run.code == 1 && longest < 300, "{longest}");
    assert!(run.stdout.contains('…'), "{}", run.stdout);
    // Beyond the last column that an excerpt can count.
    let padding = (0..9_000).map(|number| format!(r#""q{number}": null"#)).collect::<Vec<_>>().join(", ");
    let text = format!(r#"{{"storage": {{{padding}, "x": {{"bucket": 17}}}}}}"#);
    let run = Project::new().file("credlint.json", &text).run(&["check", "--profile", "x"]);
    assert!(run.code == 1 && run.stdout.contains("\"bucket\": 17"), "{}", run.stdout);
}

#[test]
fn findings_beyond_a_thousand_are_counted_but_not_shown() {
    let text: String = (0..1_003).map(|number| format!("[storage.s{number}]\nbucket = 'nightly'\n")).collect();
    let run = Project::new().file("credlint.toml", &text).run(&["check"]);
    assert_eq!(run.stdout.matches("error[missing-key-pair]").count(), 1_000);
    assert!(run.stdout.contains("3 more findings not shown here"), "{}", &run.stdout[run.stdout.len() - 200..]);
    assert!(run.stdout.ends_with("1003 profiles checked: 1003 errors\n"));
    let json = Project::new().file("credlint.toml", &text).run(&["check", "--format", "json"]);
    assert_eq!(json.document()["findings"].as_array().unwrap().len(), 1_003);
}
