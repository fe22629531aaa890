//! The actions for GitHub: their steps, run as the runner does.

use serde_json::Value;

use super::runner::Job;
use super::{MISTAKE, documents};
use crate::harness::{Project, Run};

/// A run of the action that checks.
struct Check {
    run: Run,
    outputs: Vec<(&'static str, String)>,
}

impl Check {
    fn output(&self, name: &str) -> &str {
        &self.outputs.iter().find(|(output, _)| *output == name).unwrap().1
    }
}

fn check(project: &Project, inputs: &[(&str, &str)]) -> Check {
    let mut job = Job::new("action.yml", project, inputs);
    let run = job.run(None).runs.remove("check").unwrap();
    let outputs = ["findings", "report", "sarif", "exit-code"].map(|name| (name, job.output(name)));
    Check { run, outputs: outputs.into() }
}

#[test]
fn a_repository_without_a_configuration_is_searched() {
    let project = Project::new().file("deploy/.env", MISTAKE).file("vendor/.env", MISTAKE);
    let ran = check(&project, &[]);
    assert_eq!(ran.run.code, 1, "{}", ran.run.stderr);
    assert!(ran.run.stdout.contains("::error file=deploy/.env,line=1"), "{}", ran.run.stdout);
    assert_eq!((ran.output("findings"), ran.output("exit-code"), ran.output("sarif")), ("2", "1", ""));
    let report = std::fs::read_to_string(ran.output("report")).unwrap();
    assert!(report.starts_with("{\"schema\":\"credlint/report/v1\""), "{report}");
    // With exclusions, and with SARIF for code scanning.
    let inputs = [("exclude", "vendor/\n"), ("upload-sarif", "true"), ("format", "json")];
    let ran = check(&project, &inputs);
    assert_eq!(ran.output("findings"), "1");
    assert!(std::fs::read_to_string(ran.output("sarif")).unwrap().contains("\"2.1.0\""));
    // Variables of the step.
    let (name, value) = MISTAKE.trim_end().split_once('=').unwrap();
    let ran = check(&Project::new().env(name, value), &[("environment", "true")]);
    assert_eq!((ran.run.code, ran.output("findings")), (1, "1"), "{}", ran.run.stdout);
    assert_eq!(check(&Project::new().file(".env", "A=b\n"), &[]).run.code, 0);
    assert_eq!(check(&Project::new(), &[]).run.code, 3);
}

#[test]
fn a_named_configuration_is_checked() {
    let text = "[storage.s]\naccount_id = 'a1'\napplication_key = { env = 'KEY' }\n";
    let project = Project::new().file("credlint.toml", text).file("other.toml", "[storage.s]\n");
    let inputs = [("format", "json"), ("config", "credlint.toml\r\nother.toml\n"), ("fail-on", "warning")];
    let ran = check(&project, &inputs);
    assert_eq!(ran.run.document()["layers"].as_array().unwrap().len(), 2, "{}", ran.run.stderr);
    assert_eq!(ran.run.document()["resolved"], false);
    let ran = check(&project, &[("format", "json"), ("resolve", "true")]);
    assert_eq!((ran.run.code, &ran.run.document()["resolved"]), (1, &Value::Bool(true)));
    let ran = check(&project, &[("profile", "s"), ("output", "report.txt")]);
    assert_eq!((ran.run.code, ran.run.stdout.as_str()), (1, ""), "{}", ran.run.stderr);
    assert!(project.path().join("report.txt").exists());
}

/// Options of `check` without an input: what a pipeline has no use for, and what another input says.
const WITHOUT_INPUT: [&str; 8] = ["color", "diff", "fix", "help", "list", "no-resolve", "only", "write-baseline"];

#[test]
fn every_check_option_is_an_action_input() {
    let help = Project::new().run(&["check", "--help"]).stdout;
    let options: Vec<&str> = help
        .lines()
        .filter_map(|line| line.trim_start().split_once("--"))
        .filter(|(short, _)| short.is_empty() || short.starts_with('-'))
        .map(|(_, rest)| rest.split([' ', ',', '.']).next().unwrap())
        .collect();
    assert!(options.len() > 20, "{options:?}");
    let action = documents("action.yml").remove(0);
    for option in options {
        let known = action["inputs"][option].is_object();
        assert!(known != WITHOUT_INPUT.contains(&option), "{option}");
    }
    // Each reaches the program.
    let checked = |inputs: &[(&str, &str)]| {
        let project = Project::new().file("a.env", MISTAKE).file("b.txt", MISTAKE).file("c.yaml", "a: b\n");
        let project = project.file("credlint.toml", "[lint]\n");
        let inputs = [&[("format", "concise")], inputs].concat();
        let ran = check(&project, &inputs);
        (ran.run.code, ran.output("findings").to_owned(), ran.run.stdout, ran.run.stderr)
    };
    let (code, findings, ..) = checked(&[]);
    assert_eq!((code, findings.as_str()), (1, "1"));
    for (inputs, code, findings) in [
        (&[("exit-zero", "true")][..], 0, "1"),
        (&[("warn", "wrong-credential")], 0, "1"),
        (&[("warn", "wrong-credential"), ("deny", "warnings")], 0, "1"),
        (&[("allow", "wrong-credential\r\n")], 0, "0"),
        (&[("include", "*.yaml")], 0, "0"),
        (&[("paths", "b.txt"), ("as", "env")], 1, "1"),
        (&[("isolated", "true"), ("no-allow", "true")], 1, "1"),
    ] {
        let (ended, found, _, stderr) = checked(inputs);
        assert_eq!((ended, found.as_str()), (code, findings), "{inputs:?}: {stderr}");
    }
    assert!(checked(&[("verbose", "true")]).3.contains("read: a.env as env"));
    assert!(checked(&[("quiet", "true"), ("allow", "wrong-credential")]).2.is_empty());
    let project = Project::new().file("a.env", MISTAKE);
    check(&project, &[("report", "json=one.json\nconcise=two.txt")]);
    assert!(project.path().join("one.json").exists() && project.path().join("two.txt").exists());
}

/// The inputs that together take more than one thing are checked as one, or refused.
#[test]
fn no_action_input_is_ignored() {
    // The recipe before a deploy: the variables, and the configuration with its references.
    let profile = "[messaging.reports]\nbase_url = \"https://chat.example.com\"\nwebhook_url = { env = \"HOOK\" }\n";
    let hook = "https://hooks.slack.com/services/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";
    let project = Project::new().file("credlint.toml", profile).env("HOOK", hook);
    let both = [("environment", "true"), ("resolve", "true")];
    let ran = check(&project, &both);
    assert!(ran.run.code == 1 && ran.run.stdout.contains("webhook-without-token"), "{}", ran.run.stdout);
    let project = project.env("SLACK_BOT_TOKEN", hook);
    let ran = check(&project, &both);
    let stdout = &ran.run.stdout;
    assert!(stdout.contains("webhook-without-token") && stdout.contains("wrong-credential"), "{stdout}");
    assert_eq!(check(&Project::new().env("A_TOKEN", "x"), &both).run.code, 3);
    for (inputs, named) in [
        (&[("resolve", "true"), ("paths", "a.env")][..], "resolve"),
        (&[("resolve", "yes")], "resolve"),
        (&[("environment", "True ")], "environment"),
        (&[("upload-sarif", "on")], "upload-sarif"),
        (&[("resolve", "true"), ("include", "*.env")], "--include"),
        (&[("resolve", "true"), ("exclude", "*.env")], "--exclude"),
        (&[("resolve", "true"), ("as", "env")], "--as"),
    ] {
        let ran = check(&project, inputs);
        assert_eq!(ran.run.code, 2, "{inputs:?}: {}", ran.run.stdout);
        assert!((ran.run.stdout + &ran.run.stderr).contains(named), "{inputs:?}");
    }
}

/// A log of a step that failed leads to what is wrong here.
#[test]
fn a_log_is_explained_instead_of_a_check() {
    let log = "Run ./deploy.sh\nError: This API call cannot be made with a publishable API key.\n";
    let key = "STRIPE_SECRET_KEY=pk_live_abcdefghijklmnopqrstuvwx\n";
    let project = Project::new().file("deploy.log", log).file("deploy/.env", key).file("other/.env", "A=b\n");
    let ran = check(&project, &[("why", "deploy.log")]);
    assert!(ran.run.code == 0 && ran.run.stdout.contains("the cause is: "), "{}{}", ran.run.stdout, ran.run.stderr);
    let ran = check(&project, &[("why", "deploy.log"), ("paths", "other"), ("format", "json")]);
    assert_eq!(ran.run.document()["answers"][0]["decided"], "not-here");
    let ran = check(&project, &[("why", "deploy.log"), ("env-file", "deploy/.env\n")]);
    assert!(ran.run.stdout.contains("the cause is: "), "{}", ran.run.stdout);
    for inputs in [("environment", "true"), ("fail-on", "error"), ("format", "sarif"), ("upload-sarif", "true")] {
        let ran = check(&project, &[("why", "deploy.log"), inputs]);
        assert!(ran.run.code == 2 && ran.run.stdout.contains("with why"), "{inputs:?}: {}", ran.run.stdout);
    }
    assert_eq!(check(&project, &[("why", "none.log")]).run.code, 2);
}

/// `upload-sarif` runs in the workspace, whatever the working directory is.
#[test]
fn the_sarif_report_is_where_it_is_uploaded_from() {
    for (sarif, directory) in [("credlint.sarif", "deploy"), ("out/credlint.sarif", "."), ("", "deploy")] {
        let project = Project::new().file("deploy/.env", MISTAKE).file("out/.keep", "");
        let inputs = [("sarif", sarif), ("upload-sarif", "true"), ("working-directory", directory)];
        let mut job = Job::new("action.yml", &project, &inputs);
        job.run(None);
        assert_eq!(job.output("exit-code"), "1");
        assert!(job.succeeded("upload-sarif"), "{sarif} {directory}");
        let named = job.output("sarif");
        assert!(named.starts_with('/') && std::fs::read_to_string(&named).unwrap().contains("\"2.1.0\""), "{named}");
    }
}

#[test]
fn action_inputs_are_not_executed() {
    let attack = "$(touch pwned)\n`touch pwned`\nx; touch pwned\n\"; touch pwned; \"\na b\n--config=/dev/null\n'; touch pwned; '";
    for file in ["action.yml", "upload/action.yml"] {
        let action = documents(file).remove(0);
        for input in action["inputs"].as_object().unwrap().keys() {
            let project = Project::new();
            let inputs = [(input.as_str(), attack), ("hosts", "h")];
            let runs = Job::new(file, &project, &inputs).run(None).runs.len();
            assert!(runs > 0 || input == "working-directory", "{file} {input}");
            assert!(!project.path().join("pwned").exists(), "{file} {input}");
        }
        // The runner replaces no expression in a shell script.
        for step in action["runs"]["steps"].as_array().unwrap() {
            assert!(!step["run"].as_str().unwrap_or_default().contains("${{"), "{step}");
        }
    }
}
