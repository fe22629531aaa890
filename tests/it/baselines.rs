//! Baselines and reports in the tree that is searched: what they say, what a run does with its own earlier ones, and where
//! none is written.

use serde_json::{Value, json};

use crate::harness::Project;

const HOOK: &str = "https://hooks.slack.com/services/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";
const BOT: &str = "xoxb-2401712083-4830127566123-qZ7mKp2RtVx9Lw4Ns6Yb8Dh3";

fn deployment(value: &str) -> String {
    format!("kind: Deployment\nspec:\n  containers:\n  - env:\n    - name: SLACK_BOT_TOKEN\n      value: {value}\n")
}

fn project() -> Project {
    Project::new().file("a.env", format!("SLACK_BOT_TOKEN={HOOK}\n")).file("b/c.yaml", deployment(HOOK))
}

#[test]
fn a_run_replaces_its_own_documents_in_the_tree() {
    let project = project();
    let outputs = [
        &["--write-baseline", "known.json"][..],
        &["--report", "gitlab=quality.json", "--report", "sarif=log.json"],
        &["--format", "json", "--output", "b/report.json"],
    ];
    for args in outputs.into_iter().chain(outputs) {
        let run = project.run(&[&["check", "."], args].concat());
        assert_eq!(run.code, 1, "{args:?}: {}", run.stderr);
    }
    let files = project.check(&["."]).1["read"]["files"].clone();
    assert_eq!(files, json!(6));
    // A file with anything else is an input.
    let text = std::fs::read_to_string(project.path().join("known.json")).unwrap();
    for changed in [text.replacen('{', "{\"slack_bot_token\": \"a\", ", 1), format!("{text}[")] {
        project.file_again("known.json", &changed);
        let run = project.run(&["check", ".", "--write-baseline", "known.json"]);
        assert!(run.code == 2 && run.stderr.contains("an input of this check"), "{}", run.stderr);
    }
}

#[test]
fn no_document_is_written_where_git_or_the_configuration_is() {
    let project = project().file(".gitignore", "x\n");
    for file in ["credlint.json", "b/credlint.toml", ".gitignore", ".git/config"] {
        for args in [["--output", file], ["--report", &format!("json={file}")], ["--write-baseline", file]] {
            let run = project.run(&[&["check", "a.env"][..], &args].concat());
            assert!(run.code == 2 && run.stderr.contains("choose another file"), "{args:?} {}", run.stderr);
        }
    }
    assert_eq!(std::fs::read_to_string(project.path().join(".gitignore")).unwrap(), "x\n");
    assert!(!project.path().join("credlint.json").exists());
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_linked_directory_of_the_repository() {
    let project = project();
    let outside = project.dir.path().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::os::unix::fs::symlink(&outside, project.path().join("reports")).unwrap();
    let runs = [
        &["check", "a.env", "--output", "reports/a.json"][..],
        &["check", "a.env", "--report", "json=reports/a.json"],
        &["check", "a.env", "--write-baseline", "reports/a.json"],
        &["init", "--output", "reports/a.toml"],
    ];
    for args in runs {
        let run = project.run(args);
        assert!(
            run.code == 2 && run.stderr.contains("behind a symbolic link in the repository"),
            "{args:?} {}",
            run.stderr
        );
    }
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);
    // A link of the user's own.
    std::os::unix::fs::symlink(&outside, project.dir.path().join("own")).unwrap();
    assert_eq!(project.run(&["check", "a.env", "--output", "../own/a.json"]).code, 1);
}

#[test]
fn a_baseline_can_be_reviewed_and_refreshed() {
    let project = project();
    assert_eq!(project.run(&["check", ".", "--write-baseline", "known.json"]).code, 1);
    let known =
        || serde_json::from_str::<Value>(&std::fs::read_to_string(project.path().join("known.json")).unwrap()).unwrap();
    let first = &known()["findings"][0];
    assert_eq!((&first["path"], &first["name"]), (&json!("a.env"), &json!("SLACK_BOT_TOKEN")));
    assert!(first["message"].as_str().unwrap().contains("`SLACK_BOT_TOKEN` is a webhook URL"), "{first}");
    project.file_again("a.env", format!("SLACK_BOT_TOKEN={BOT}\n"));
    let run = project.run(&["check", ".", "--baseline", "known.json", "--write-baseline", "known.json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(known()["findings"].as_array().unwrap().len(), 1);
    // Anybody could have written its texts.
    let own =
        std::fs::read_to_string(project.path().join("known.json")).unwrap().replace("SLACK_BOT_TOKEN", "xoxb-hidden");
    project.file_again("known.json", own).file_again("b/c.yaml", deployment(BOT));
    let run = project.run(&["check", ".", "--baseline", "known.json", "--format", "json"]);
    assert!(run.code == 0 && !run.stdout.contains("hidden") && run.stdout.contains("\"gone\":[{"), "{}", run.stdout);
}

#[test]
fn only_findings_of_files_that_were_looked_at_are_gone() {
    let project = project();
    project.run(&["check", ".", "--write-baseline", "known.json"]);
    let gone = |args: &[&str]| {
        let document = project.check(&[args, &["--baseline", "known.json"]].concat()).1;
        document["baseline"]["gone"].as_array().unwrap().len()
    };
    assert_eq!((gone(&["a.env"]), gone(&["b"]), gone(&["."])), (0, 0, 0));
    project.file_again("a.env", "A=1\n").file_again("b/c.yaml", "a: 1\n");
    assert_eq!((gone(&["a.env"]), gone(&["b"]), gone(&["."])), (1, 1, 2));
    // From another directory of the repository, and of a file that was removed.
    let mut command = project.command(&["check", "--format", "json", "c.yaml", "--baseline", "../known.json"]);
    command.current_dir(project.path().join("b"));
    assert_eq!(crate::harness::Run::of(command).document()["baseline"]["gone"].as_array().unwrap().len(), 1);
    std::fs::remove_file(project.path().join("a.env")).unwrap();
    assert_eq!(gone(&["b"]), 2);
}

#[test]
fn a_finding_stays_known_when_other_resources_and_elements_are_put_above() {
    let project = Project::new().file("x.yaml", deployment(HOOK));
    project.run(&["check", "x.yaml", "--write-baseline", "known.json"]);
    let code =
        |text: &str| project.file_again("x.yaml", text).run(&["check", "x.yaml", "--baseline", "known.json"]).code;
    assert_eq!(code(&format!("{}---\n{}", deployment(BOT), deployment(HOOK))), 0);
    let above = "    - name: A\n      value: b\n";
    assert_eq!(code(&deployment(HOOK).replacen("  - env:\n", &format!("  - env:\n{above}"), 1)), 0);
    assert_eq!(code(&deployment(HOOK).replacen("  - env:\n", &format!("  - env: []\n  - env:\n{above}"), 1)), 0);
    // A second one is new.
    assert_eq!(code(&format!("{}---\n{}", deployment(HOOK), deployment(HOOK))), 1);
}

#[test]
fn one_value_of_an_anchor_is_one_finding() {
    let text = format!(
        "x-env: &e\n  SLACK_BOT_TOKEN: {HOOK}\nservices:\n  a:\n    environment:\n      <<: *e\n  b:\n    environment:\n      <<: *e\n"
    );
    assert_eq!(Project::new().file("compose.yml", &text).rules(&["compose.yml"]), ["wrong-credential"]);
    let twice = format!("a:\n  SLACK_BOT_TOKEN: {HOOK}\nb:\n  SLACK_BOT_TOKEN: {HOOK}\n");
    assert_eq!(Project::new().file("a.yaml", &twice).rules(&["a.yaml"]).len(), 2);
}

/// A backtracking matcher would take longer than the age of the world.
#[test]
fn patterns_of_a_project_are_bounded() {
    let name = "a".repeat(60);
    let long = format!("{}b/x.env", "*a".repeat(28));
    let file = format!("{name}/x.env");
    let project = Project::new().file(&file, format!("SLACK_BOT_TOKEN={HOOK}\n"));
    let list = |count: usize| format!("[lint]\nexclude = [{}]\n", "\"b\", ".repeat(count));
    let allows = |count: usize, pattern: &str| {
        format!("[[lint.allow]]\nrule = \"wrong-credential\"\nreason = \"a test\"\npath = \"{pattern}\"\n")
            .repeat(count)
    };
    for (lint, mistyped) in [
        (format!("[lint]\nexclude = [\"{long}\"]\n"), 0),
        (allows(1, &long), 0),
        (format!("[lint]\nexclude = [\"{}\"]\n", "a".repeat(1025)), 1),
        (list(1000), 0),
        (list(1001), 1),
        (allows(1000, "b"), 0),
        (allows(1001, "b"), 1),
    ] {
        let document = project.file_again("credlint.toml", &lint).check(&["."]).1;
        let rules: Vec<&str> =
            document["findings"].as_array().unwrap().iter().map(|found| found["rule"].as_str().unwrap()).collect();
        assert_eq!(rules.iter().filter(|rule| **rule == "wrong-type").count(), mistyped, "{rules:?}");
        assert!(rules.contains(&"wrong-credential"), "{rules:?}");
    }
}
