//! Properties of every input, tried with made-up ones: masking prints no byte of a secret, no bytes make a reader
//! panic, and a finding stays the same when lines move.

use std::path::Path;

use credlint::{CheckOptions, Environment, LoadOptions};
use proptest::prelude::*;

use crate::harness::Project;

/// Reads a text as configuration, and returns everything that the library shows of it.
fn shown(directory: &Path, name: &str, text: &[u8]) -> String {
    std::fs::write(directory.join(name), text).unwrap();
    let mut options = LoadOptions::new(directory, Environment::default());
    options.isolated = true;
    let path = directory.join(name);
    if Path::new(name).extension().is_some_and(|extension| extension == "env") {
        options.env_files.push(path);
    } else {
        options.files.push(path);
    }
    match credlint::load(&options) {
        Ok(loaded) => {
            let report = credlint::check(&loaded, &CheckOptions::default()).unwrap();
            format!("{loaded:?}{report:?}{}", report.to_json())
        }
        Err(error) => format!("{error:?}{error}{}", error.to_json()),
    }
}

fn project() -> tempfile::TempDir {
    tempfile::Builder::new().prefix("properties-").tempdir().unwrap()
}

/// The files that are tried in turn.
const NAMES: [&str; 4] = ["credlint.toml", "credlint.yaml", "credlint.json", "x.env"];

/// A piece of a document: structure, known names, and holes for the secret.
fn piece() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "[messaging.r]\n", "[storage.s]\n", "messaging:\n  r:\n", "    ", "token", "base_url", "channels",
        "application_key", "account_id", "webhook_url", "initial_comment", " = ", ": ", "\"", "'", "'''", "\"\"\"",
        "\n", "\r\n", "# ", "#", "{ env = ", "{ file = ", " }", "[", "]", ", ", "{\"messaging\": {\"r\": {", "}}}",
        "&a ", "*a", "<<: ", ">-\n", "|\n", "\u{feff}", "\t", "https://h.example/", "user:", "@h.example", "é", "\\",
        "\\u0041", "CREDLINT_MESSAGING__R__TOKEN=", "CREDLINT_STORAGE__S__", "export ", "lint", "C0123456789", "0",
        "-", "?", "!x ", "\u{0}", "\u{1b}[31m",
    ]);
    prop_oneof![4 => known.prop_map(str::to_owned), 3 => Just("§".to_owned()), 1 => "\\PC{0,6}"]
}

/// A complete document that parses, with the secret in one or more places.
fn document() -> impl Strategy<Value = (usize, String)> {
    let field =
        prop::sample::select(vec!["token", "webhook_url", "initial_comment", "base_url", "upload_method", "tokn", "§"]);
    let value = prop::sample::select(vec![
        "§", "x §", "§ x", "https://u:§@h.example", "https://h.example/§", "C0123456789", "",
    ]);
    let comment = prop::sample::select(vec!["", " # §", " #§", " # a § b"]);
    (0..3_usize, prop::collection::btree_map(field, (value, comment), 1..6)).prop_map(|(format, fields)| {
        let lines = fields.iter().map(|(field, (value, comment))| match format {
            0 => format!("\"{field}\" = \"{value}\"{comment}\n"),
            1 => format!("    \"{field}\": \"{value}\"{comment}\n"),
            _ => format!("\"{field}\": \"{value}\""),
        });
        let lines: Vec<String> = lines.collect();
        let text = match format {
            0 => format!("[messaging.r]\n{}", lines.concat()),
            1 => format!("messaging:\n  r:\n{}", lines.concat()),
            _ => format!("{{\"messaging\": {{\"r\": {{{}}}}}}}", lines.join(", ")),
        };
        (format, text)
    })
}

/// Fails if the text contains six characters of the secret. The secret consists of letters that no other word has.
fn assert_hidden(secret: &str, text: &str, what: &str) -> Result<(), TestCaseError> {
    for start in 0..=secret.len() - 6 {
        let part = &secret[start..start + 6];
        prop_assert!(!text.contains(part), "{part} of a secret in the output for {what:?}:\n{text}");
    }
    Ok(())
}

/// Random letters and digits, long enough not to look like a word.
const SECRET: &str = "[QXZ][0-9][qxzjQXZJ0-9]{14,40}";

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let project = project();
        for name in NAMES {
            shown(project.path(), name, &bytes);
        }
    }

    #[test]
    fn invalid_documents_reveal_no_secret(secret in SECRET, pieces in prop::collection::vec(piece(), 0..30)) {
        let project = project();
        let text = pieces.concat().replace('§', &secret);
        for name in NAMES {
            let shown = shown(project.path(), name, text.as_bytes());
            assert_hidden(&secret, &shown, &text)?;
        }
    }

    #[test]
    fn valid_documents_reveal_no_secret(secret in SECRET, (format, text) in document()) {
        let project = project();
        let text = text.replace('§', &secret);
        let shown = shown(project.path(), NAMES[format], text.as_bytes());
        assert_hidden(&secret, &shown, &text)?;
    }

    #[test]
    fn fingerprints_survive_moved_lines(before in 0..4_usize, between in 0..4_usize, swap in any::<bool>()) {
        let fingerprints = |text: &str| {
            let project = project();
            std::fs::write(project.path().join("credlint.toml"), text).unwrap();
            let mut options = LoadOptions::new(project.path(), Environment::default());
            options.files.push("credlint.toml".into());
            let report = credlint::check(&credlint::load(&options).unwrap(), &CheckOptions::default()).unwrap();
            let document: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
            let mut all: Vec<String> = document["findings"].as_array().unwrap().iter().map(|finding| finding["fingerprint"].to_string()).collect();
            all.sort();
            all
        };
        let (one, two) = ("[messaging.r]\ntokn = 'x'\nchannels = ['#a', '#a']\n", "[storage.s]\naccount_id = 'a'\napplication_key = 'b'\n");
        let (first, second) = if swap { (two, one) } else { (one, two) };
        let moved = format!("{}{first}{}{second}", "# a line\n".repeat(before), "\n# more\n".repeat(between));
        prop_assert_eq!(fingerprints(&format!("{one}{two}")), fingerprints(&moved));
    }
}

proptest! {
    // Each case starts the program.
    #![proptest_config(ProptestConfig { cases: 30, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn source_excerpts_reveal_no_secret(secret in SECRET, (format, text) in document()) {
        let text = text.replace('§', &secret);
        let project = Project::new().file(NAMES[format], &text);
        let run = project.run(&["--color", "always", "check", "--fail-on", "warning"]);
        prop_assert!([0, 1, 2].contains(&run.code), "{}", run.stderr);
        assert_hidden(&secret, &run.stdout, &text)?;
        assert_hidden(&secret, &run.stderr, &text)?;
    }
}
