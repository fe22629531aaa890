//! The README and the examples show the output of the program.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::harness::Run;
use crate::pages::compare_section;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs the program at the top of the checkout.
fn run(args: &[&str], env: &[(&str, &str)]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_credlint"));
    command.args(args).current_dir(root()).env_clear().envs(env.iter().copied()).env("COLUMNS", "100");
    command.stdin(Stdio::null());
    Run::of(command)
}

fn console(command: &str, output: &str) -> String {
    format!("```console\n$ {command}\n{}\n```\n", output.trim_end())
}

/// The quick start, exactly as in the README.
#[test]
fn the_quick_start_runs() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let line =
        readme.lines().find_map(|line| line.strip_prefix("$ ").filter(|line| line.starts_with("cargo run"))).unwrap();
    let args: Vec<&str> = line.strip_prefix("cargo run -q -- ").unwrap().split(' ').collect();
    let run = run(&args, &[]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let justfile = std::fs::read_to_string(root().join("justfile")).unwrap();
    assert!(justfile.contains(line), "`just quickstart` runs another command");
    // Its receipt, with … for what differs from run to run.
    let (receipt, rest) = run.stdout.split_once(" in ").unwrap();
    assert!(rest.contains(", file F"), "{rest}");
    let shown = format!("{receipt} in … ms, file F…\n");
    assert!(run.stderr.contains("sending 1 file to the sandbox at http://127.0.0.1:"), "{}", run.stderr);
    compare_section("README.md", "receipt", &console(line, &shown));
}

/// Runs the command in the first comment of an example.
fn run_comment(example: &str, more: &[&str]) -> Run {
    let text = std::fs::read_to_string(root().join(example)).unwrap();
    let command = text.lines().find_map(|line| line.strip_prefix("#   credlint ")).unwrap();
    run(&[&command.split(' ').collect::<Vec<_>>(), more].concat(), &[])
}

#[test]
fn the_passing_example_passes() {
    let run = run_comment("examples/passes.toml", &["--fail-on", "warning"]);
    assert_eq!(
        (run.code, run.stdout.as_str()),
        (0, "3 profiles checked: every credential fits; nothing else was looked at\n"),
        "{}",
        run.stderr
    );
}

#[test]
fn the_incomplete_example_has_its_one_mistake() {
    let document = run_comment("examples/backups.toml", &["--format", "json"]).document();
    assert_eq!(document["findings"].as_array().unwrap().len(), 1, "{document}");
    assert_eq!(document["findings"][0]["rule"], "incomplete-key-pair");
}

#[test]
fn each_example_mistake_is_reported_only_by_the_rule_in_its_name() {
    let document = run_comment("examples/mistakes.toml", &["--format", "json"]).document();
    let findings: Vec<(&str, &str)> = document["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| (finding["profile"]["name"].as_str().unwrap(), finding["rule"].as_str().unwrap()))
        .collect();
    for (profile, rule) in &findings {
        assert_eq!(profile, rule, "each mistake has one finding");
    }
    let mut missing: Vec<&str> = credlint::rules::ALL.iter().map(|rule| rule.meta().id).collect();
    missing.retain(|id| !findings.iter().any(|(_, rule)| rule == id));
    // The other rules need a user configuration, the mode of a file, which a checkout does not preserve, or are not about a profile; and some are about other programs' files.
    let others = [
        "name-not-read", "incomplete-credentials", "exposed-credential", "redirected-credential",
        "readable-secret-file", "unread-file", "unused-allow", "allow-without-reason",
    ];
    assert_eq!(missing, others);
}

/// The anchors of a page: its headings, in the spelling of GitHub.
fn anchors(text: &str) -> Vec<String> {
    let mut code = false;
    let headings = text.lines().filter(|line| {
        code ^= line.starts_with("```");
        !code && line.starts_with('#')
    });
    let spelt = |heading: &str| -> String {
        let text = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = text.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(spelt).collect()
}

/// Links to files of the project, and to headings in them, are valid.
#[test]
fn links_are_valid() {
    let top = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md", "SECURITY.md"];
    let mut pages: Vec<_> = top.map(|name| root().join(name)).into();
    for directory in ["docs", "docs/recipes", "docs/rules", "docs/uploading", "docs/verify"] {
        let entries = std::fs::read_dir(root().join(directory)).unwrap();
        pages.extend(
            entries
                .map(|entry| entry.unwrap().path())
                .filter(|path| path.extension().is_some_and(|found| found == "md")),
        );
    }
    let (mut count, mut faults) = (0, Vec::new());
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        for (at, _) in text.match_indices("](") {
            let target = text[at + 2..].split(')').next().unwrap();
            if target.contains("://") {
                continue;
            }
            let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
            let path = if path.is_empty() { page.clone() } else { page.parent().unwrap().join(path) };
            let led = match anchor {
                None => path.exists(),
                Some(anchor) => {
                    count += 1;
                    std::fs::read_to_string(&path).is_ok_and(|text| anchors(&text).iter().any(|found| found == anchor))
                }
            };
            if !led {
                faults.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 20, "{count} links to headings");
}
