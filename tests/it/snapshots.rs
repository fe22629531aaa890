//! Snapshots of everything that people read: every message of every rule by its cause, every help text, every problem,
//! and every format for one project. Other tests check the requirements; these only detect changes.
//!
//! `just snapshots` updates them, and a review reads the difference.

#[cfg(all(feature = "upload", feature = "sandbox"))]
mod commands;
mod found;
mod problems;
mod rules;
#[cfg(all(feature = "upload", feature = "sandbox"))]
mod verify;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::harness::{Project, Run};

/// The maximum width of the output, so few lines are wrapped.
const COLUMNS: &str = "120";

/// Findings that a short example has, but is not about.
const UNRELATED: [&str; 2] = ["malformed-address", "no-channels"];

/// The output for one rule or command, case by case.
struct Transcript {
    folder: &'static str,
    name: String,
    /// The rule that each case is about, if it is one.
    rule: Option<&'static str>,
    text: String,
}

impl Transcript {
    fn new(folder: &'static str, name: &str) -> Self {
        Self { folder, name: name.to_owned(), rule: None, text: String::new() }
    }

    /// Creates the output of a rule.
    fn for_rule(rule: &'static str) -> Self {
        Self { rule: Some(rule), ..Self::new("rules", rule) }
    }

    /// Creates the output of a rule for one of its causes.
    fn for_cause(rule: &'static str, cause: &str) -> Self {
        Self { name: format!("{rule}.{cause}"), ..Self::for_rule(rule) }
    }

    /// A check with a finding of the rule.
    fn check(self, what: &str, project: &Project, args: &[&str]) -> Self {
        self.add_check(what, project, args, true)
    }

    /// A check without one, and the reason.
    fn no_finding(self, what: &str, project: &Project, args: &[&str]) -> Self {
        self.add_check(what, project, args, false)
    }

    fn add_check(self, what: &str, project: &Project, args: &[&str], found: bool) -> Self {
        let beside = UNRELATED.iter().filter(|rule| self.rule.is_some_and(|own| own != **rule));
        let args: Vec<&str> = args.iter().copied().chain(beside.flat_map(|rule| ["-A", rule])).collect();
        // One run writes both, since there are a thousand.
        let report = project.dir.path().join("report.json");
        let option = format!("--report=json={}", report.display());
        let mut human = run(project, &[&["check", &option], &args[..]].concat());
        let text = plain(project, std::fs::read_to_string(report).unwrap());
        let document: Value = serde_json::from_str(&text).unwrap();
        // The same line in each output.
        let (more, rest): (Vec<&str>, Vec<&str>) = human
            .stderr
            .split_inclusive('\n')
            .partition(|line| line.starts_with("for details, run `credlint explain "));
        assert_eq!(more.len(), usize::from(human.stdout.contains('[')), "{what}: {}", human.stderr);
        human.stderr = rest.concat();
        if let Some(rule) = self.rule {
            let findings = document["findings"].as_array().unwrap();
            assert_eq!(findings.iter().any(|finding| finding["rule"] == rule), found, "{rule}: {what}\n{document:#}");
        }
        // Findings of other rules are kept as well.
        let picture = if found { shown(&human) } else { format!("exit {}\n", human.code) };
        self.add(what, &format!("{picture}{}", facts(&document)))
    }

    fn add(mut self, what: &str, text: &str) -> Self {
        self.text += &format!("## {what}\n\n{}\n\n", text.trim_end());
        self
    }

    /// Compares the output with the snapshot.
    fn keep(self) {
        keep(self.folder, &self.name, &self.text);
    }
}

fn run(project: &Project, args: &[&str]) -> Run {
    let mut command = project.command(args);
    command.env("COLUMNS", COLUMNS).env("NO_COLOR", "1");
    let run = Run::of(command);
    Run { code: run.code, stdout: plain(project, run.stdout), stderr: plain(project, run.stderr) }
}

/// A text without what differs from run to run.
fn plain(project: &Project, text: String) -> String {
    text.replace(project.dir.path().to_str().unwrap(), "<dir>")
}

/// The exit code of a run, and its output on each stream.
fn shown(run: &Run) -> String {
    let stream = |name: &str, text: &str| match text {
        "" => String::new(),
        text => format!("-- {name}\n{}\n", text.trim_end()),
    };
    format!("exit {}\n{}{}", run.code, stream("stderr", &run.stderr), stream("stdout", &run.stdout))
}

/// What the drawn output does not show: keys, exact places, and fingerprints.
fn facts(document: &Value) -> String {
    let word = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let mut out = String::from("-- facts\n");
    for finding in document["findings"].as_array().unwrap() {
        let profile = &finding["profile"];
        // It depends on the place, and no two runs have the same home directory.
        let print = match word(&finding["labels"][0]["source"]["name"]) {
            name if name.starts_with("<dir>") => "-".to_owned(),
            _ => word(&finding["fingerprint"]),
        };
        let (severity, rule) = (word(&finding["severity"]), word(&finding["rule"]));
        out += &format!("{severity} {rule} {}.{} {print}\n", word(&profile["kind"]), word(&profile["name"]));
        for label in finding["labels"].as_array().unwrap() {
            out += &format!("  {} at {}: {}\n", word(&label["key"]), place(label), word(&label["text"]));
        }
    }
    for problem in document["problems"].as_array().unwrap() {
        out += &format!("problem {}\n", word(&problem["code"]));
        for label in problem["labels"].as_array().into_iter().flatten() {
            out += &format!("  at {}: {}\n", place(label), word(&label["text"]));
        }
    }
    for profile in document["profiles"].as_array().unwrap() {
        out += &format!("{}.{} {}\n", word(&profile["kind"]), word(&profile["name"]), word(&profile["verdict"]));
    }
    out
}

fn place(label: &Value) -> String {
    let source = &label["source"];
    let name = format!("{} {}", source["kind"].as_str().unwrap(), source["name"].as_str().unwrap());
    let span = &label["span"];
    if span.is_null() {
        return name;
    }
    let end = |end: &str| format!("{}:{}+{}", span[end]["line"], span[end]["column"], span[end]["offset"]);
    format!("{name} {} to {}", end("start"), end("end"))
}

fn keep(folder: &str, name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path(directory().join(folder));
    settings.bind(|| insta::assert_snapshot!(name, text));
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/snapshots")
}

/// The names of the snapshots in a folder, without their causes.
fn snapshot_names(folder: &str) -> BTreeSet<String> {
    let entries = std::fs::read_dir(directory().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| {
            assert!(path.extension().is_some_and(|extension| extension == "snap"), "{}", path.display());
            path.file_name().unwrap().to_str().unwrap().split('.').next().unwrap().to_owned()
        })
        .collect()
}

/// A rule without a snapshot has unreviewed messages, and a snapshot without a rule is not compared with anything.
#[test]
fn rules_and_snapshots_correspond() {
    // A rule that judges no profile of a configuration has its messages in `found`.
    let ids: BTreeSet<String> = credlint::rules::ALL.iter().map(|rule| rule.meta().id.to_owned()).collect();
    assert_eq!(&snapshot_names("rules") | &snapshot_names("found"), ids);
    let live: BTreeSet<String> = credlint::rules::live::ALL.iter().map(|meta| meta.id.to_owned()).collect();
    assert_eq!(snapshot_names("verify"), live);
}
