//! The actions for GitHub: their steps, run with bash as the runner does.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use super::{MISTAKE, documents};
use crate::harness::{Project, Run};

/// One step of an action, with its outputs.
struct Step {
    run: Run,
    outputs: String,
}

impl Step {
    fn output(&self, name: &str) -> Option<&str> {
        self.outputs.lines().rev().find_map(|line| line.strip_prefix(name)?.strip_prefix('='))
    }
}

/// The directory of the runner's temporary files.
fn temporary(project: &Project) -> PathBuf {
    let path = project.dir.path().join("temp");
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// Runs the step with that ID. Expressions of inputs are replaced; other expressions are set by hand.
fn step(action: &str, id: &str, project: &Project, inputs: &[(&str, &str)]) -> Step {
    let action = documents(action).remove(0);
    let steps = action["runs"]["steps"].as_array().unwrap();
    let step = steps.iter().find(|step| step["id"] == id).unwrap();
    let (temp, script) = (temporary(project), project.dir.path().join("step.sh"));
    let outputs = project.dir.path().join("outputs");
    std::fs::write(&script, step["run"].as_str().unwrap()).unwrap();
    let _ = std::fs::remove_file(&outputs);
    let mut command = project.command(&[]);
    let envs: Vec<_> =
        command.get_envs().map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned))).collect();
    command = Command::new("bash");
    command.args(["--noprofile", "--norc", "-e", "-o", "pipefail"]).arg(&script).current_dir(project.path());
    command.env_clear().envs(envs.into_iter().filter_map(|(name, value)| Some((name, value?))));
    command.env("PATH", "/bin:/usr/bin").env("GITHUB_OUTPUT", &outputs);
    for (variable, expression) in step["env"].as_object().unwrap() {
        let expression = expression.as_str().unwrap();
        let inner = expression.strip_prefix("${{ inputs.").and_then(|rest| rest.strip_suffix(" }}"));
        let value = match inner {
            Some(input) => {
                let default = action["inputs"][input]["default"].as_str().unwrap_or_default();
                inputs.iter().find(|(name, _)| *name == input).map_or(default, |(_, value)| value).to_owned()
            }
            None if variable == "PROGRAM" => env!("CARGO_BIN_EXE_credlint").to_owned(),
            None => expression.replace("${{ runner.temp }}", temp.to_str().unwrap()),
        };
        assert!(!value.contains("${{"), "{variable}: {value}");
        command.env(variable, value);
    }
    let run = Run::of(command);
    Step { run, outputs: std::fs::read_to_string(outputs).unwrap_or_default() }
}

#[test]
fn a_repository_without_a_configuration_is_searched() {
    let project = Project::new().file("deploy/.env", MISTAKE).file("vendor/.env", MISTAKE);
    let ran = step("action.yml", "check", &project, &[]);
    assert_eq!(ran.run.code, 1, "{}", ran.run.stderr);
    assert!(ran.run.stdout.contains("::error file=deploy/.env,line=1"), "{}", ran.run.stdout);
    assert_eq!(
        (ran.output("findings"), ran.output("exit-code"), ran.output("sarif")),
        (Some("2"), Some("1"), Some(""))
    );
    let report = std::fs::read_to_string(ran.output("report").unwrap()).unwrap();
    assert!(report.starts_with("{\"schema\":\"credlint/report/v1\""), "{report}");
    // With exclusions, and with SARIF for code scanning.
    let inputs = [("exclude", "vendor/\n"), ("upload-sarif", "true"), ("format", "json")];
    let ran = step("action.yml", "check", &project, &inputs);
    assert_eq!(ran.output("findings"), Some("1"));
    assert!(std::fs::read_to_string(ran.output("sarif").unwrap()).unwrap().contains("\"2.1.0\""));
    // Variables of the step.
    let (name, value) = MISTAKE.trim_end().split_once('=').unwrap();
    let ran = step("action.yml", "check", &Project::new().env(name, value), &[("environment", "true")]);
    assert_eq!((ran.run.code, ran.output("findings")), (1, Some("1")), "{}", ran.run.stdout);
    assert_eq!(step("action.yml", "check", &Project::new(), &[]).run.code, 0);
}

#[test]
fn a_named_configuration_is_checked() {
    let text = "[storage.s]\naccount_id = 'a1'\napplication_key = { env = 'KEY' }\n";
    let project = Project::new().file("credlint.toml", text).file("other.toml", "[storage.s]\n");
    let inputs = [("format", "json"), ("config", "credlint.toml\r\nother.toml\n"), ("fail-on", "warning")];
    let ran = step("action.yml", "check", &project, &inputs);
    assert_eq!(ran.run.document()["layers"].as_array().unwrap().len(), 2, "{}", ran.run.stderr);
    assert_eq!(ran.run.document()["resolved"], false);
    let ran = step("action.yml", "check", &project, &[("format", "json"), ("resolve", "true")]);
    assert_eq!((ran.run.code, &ran.run.document()["resolved"]), (1, &Value::Bool(true)));
    let ran = step("action.yml", "check", &project, &[("profile", "s"), ("output", "report.txt")]);
    assert_eq!((ran.run.code, ran.run.stdout.as_str()), (1, ""), "{}", ran.run.stderr);
    assert!(project.path().join("report.txt").exists());
}

/// Options of `check` without an input: what a pipeline has no use for, and what another input says.
const WITHOUT_INPUT: [&str; 7] = ["color", "diff", "fix", "help", "list", "no-resolve", "write-baseline"];

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
    let check = |inputs: &[(&str, &str)]| {
        let project = Project::new().file("a.env", MISTAKE).file("b.txt", MISTAKE).file("credlint.toml", "[lint]\n");
        let inputs = [&[("format", "concise")], inputs].concat();
        let ran = step("action.yml", "check", &project, &inputs);
        (ran.run.code, ran.output("findings").unwrap().to_owned(), ran.run.stdout, ran.run.stderr)
    };
    let (code, findings, ..) = check(&[]);
    assert_eq!((code, findings.as_str()), (1, "1"));
    for (inputs, code, findings) in [
        (&[("exit-zero", "true")][..], 0, "1"),
        (&[("warn", "webhook-as-token")], 0, "1"),
        (&[("warn", "webhook-as-token"), ("deny", "warnings")], 0, "1"),
        (&[("allow", "webhook-as-token\r\n")], 0, "0"),
        (&[("include", "*.yaml")], 0, "0"),
        (&[("paths", "b.txt"), ("as", "env")], 1, "1"),
        (&[("isolated", "true"), ("no-allow", "true")], 1, "1"),
    ] {
        let (ended, found, _, stderr) = check(inputs);
        assert_eq!((ended, found.as_str()), (code, findings), "{inputs:?}: {stderr}");
    }
    assert!(check(&[("verbose", "true")]).3.contains("read: a.env as env"));
    assert!(check(&[("quiet", "true"), ("allow", "webhook-as-token")]).2.is_empty());
    let project = Project::new().file("a.env", MISTAKE);
    step("action.yml", "check", &project, &[("report", "junit=one.xml\nconcise=two.txt")]);
    assert!(project.path().join("one.xml").exists() && project.path().join("two.txt").exists());
}

#[test]
fn action_inputs_are_not_executed() {
    for (file, id) in [("action.yml", "check"), ("upload/action.yml", "journal"), ("upload/action.yml", "upload")] {
        let action = documents(file).remove(0);
        for input in action["inputs"].as_object().unwrap().keys() {
            for attack in
                ["$(touch pwned)", "`touch pwned`", "x; touch pwned", "\"; touch pwned; \"", "a b\n--config=/dev/null"]
            {
                let project = Project::new();
                step(file, id, &project, &[("hosts", "h"), (input, attack)]);
                assert!(!project.path().join("pwned").exists(), "{file} {input}: {attack}");
            }
        }
        // The runner replaces no expression in a shell script.
        for step in action["runs"]["steps"].as_array().unwrap() {
            assert!(!step["run"].as_str().unwrap_or_default().contains("${{"), "{step}");
        }
    }
}

/// What is left of a lost runner: a mark that the attempt began, and its journal unless that was lost.
#[cfg(all(feature = "upload", feature = "sandbox"))]
fn simulate_lost_runner(project: &Project, attempt: usize, journal: bool) {
    let (journals, artifacts) = (temporary(project).join("credlint-journals"), project.dir.path().join("artifacts"));
    let named = |end: &str| artifacts.join(format!("credlint-journal-job-0-upload-attempt-{attempt}{end}"));
    std::fs::create_dir_all(named("-begun")).unwrap();
    std::fs::rename(journals.join("upload.begun"), named("-begun").join("upload.begun")).unwrap();
    if journal {
        std::fs::create_dir_all(named("")).unwrap();
        std::fs::rename(journals.join("upload.jsonl"), named("").join("upload.jsonl")).unwrap();
    }
    std::fs::remove_dir_all(journals).unwrap();
}

/// Mimics `actions/download-artifact` with a pattern: each artifact gets its own directory, except a single one.
#[cfg(all(feature = "upload", feature = "sandbox"))]
fn download_artifact(project: &Project) {
    let journals = temporary(project).join("credlint-journals/upload");
    let all: Vec<_> = std::fs::read_dir(project.dir.path().join("artifacts")).unwrap().map(Result::unwrap).collect();
    for artifact in &all {
        let to = if all.len() == 1 { journals.clone() } else { journals.join(artifact.file_name()) };
        std::fs::create_dir_all(&to).unwrap();
        for file in std::fs::read_dir(artifact.path()).unwrap().map(Result::unwrap) {
            std::fs::copy(file.path(), to.join(file.file_name())).unwrap();
        }
    }
}

/// The runner of the first attempt was lost while it sent: only the mark of its beginning is left.
#[cfg(all(feature = "upload", feature = "sandbox"))]
#[test]
fn a_lost_runner_is_detected() {
    let inputs = [("profile", "reports"), ("files", "many\n"), ("hosts", "127.0.0.1")];
    let file = "upload/action.yml";
    let (project, _service) = crate::upload::many(3, "external", &[]);
    assert_eq!(step(file, "journal", &project, &inputs).run.code, 0);
    assert_eq!(step(file, "upload", &project, &inputs).run.code, 0);
    simulate_lost_runner(&project, 1, false);
    download_artifact(&project);
    let second = step(file, "journal", &project, &inputs);
    assert_eq!((second.run.code, second.output("uncertain")), (4, Some("true")), "{}", second.run.stdout);
    // Someone looked in the channel, and confirms it.
    let again = [&inputs[..], &[("retry-uncertain", "true")]].concat();
    assert_eq!(step(file, "journal", &project, &again).run.code, 0);
    assert_eq!(step(file, "upload", &project, &again).run.code, 0);
    simulate_lost_runner(&project, 2, true);
    // From here the journal resumes it.
    download_artifact(&project);
    assert_eq!(step(file, "journal", &project, &inputs).run.code, 0);
    assert_eq!(step(file, "upload", &project, &inputs).run.code, 0);
    assert_eq!(crate::upload::messages(&project).len(), 6);
}

#[cfg(all(feature = "upload", feature = "sandbox"))]
#[test]
fn a_repeated_attempt_resumes_the_previous_one() {
    let inputs = [("profile", "reports"), ("files", "many\n"), ("hosts", "127.0.0.1")];
    let file = "upload/action.yml";
    let (project, _service) = crate::upload::many(3, "external", &["--fail", "files.completeUploadExternal=lost,1"]);
    let mut ended = Vec::new();
    for attempt in 1..=3 {
        assert_eq!(step(file, "journal", &project, &inputs).run.code, 0);
        let ran = step(file, "upload", &project, &inputs);
        let result: Value = serde_json::from_str(ran.output("result").unwrap()).unwrap();
        assert_eq!(result["schema"], "credlint/upload/v1");
        assert_eq!(ran.output("uncertain"), Some(if ran.run.code == 4 { "true" } else { "false" }));
        let link =
            result["uploads"].as_array().unwrap().iter().filter(|upload| upload["permalink"].is_string()).count();
        ended.push((attempt, ran.run.code, link));
        // Nothing is posted twice, in any attempt.
        let mut names = crate::upload::messages(&project).concat();
        names.sort();
        names.dedup();
        assert_eq!(crate::upload::messages(&project).len(), names.len(), "{attempt}");
        simulate_lost_runner(&project, attempt, true);
        download_artifact(&project);
    }
    assert_eq!(crate::upload::messages(&project).len(), 3, "{ended:?}");
    // Its journal is lost: nothing is sent.
    assert_eq!(step(file, "journal", &project, &inputs).run.code, 0);
    simulate_lost_runner(&project, 4, false);
    download_artifact(&project);
    let lost = step(file, "journal", &project, &inputs);
    assert_eq!((lost.run.code, lost.output("uncertain")), (4, Some("true")), "{}", lost.run.stdout);
    let again = [&inputs[..], &[("retry-uncertain", "true")]].concat();
    assert_eq!(step(file, "journal", &project, &again).run.code, 0);
    // Neither without the hosts that may get the credential.
    assert_eq!(step(file, "journal", &project, &[("profile", "reports")]).run.code, 2);
}

#[cfg(all(feature = "upload", feature = "sandbox"))]
#[test]
fn an_uncertain_upload_is_reported() {
    let (project, _service) = crate::upload::many(1, "files.upload", &["--fail", "files.upload=lost,1"]);
    let inputs = [("profile", "reports"), ("files", "many"), ("hosts", "127.0.0.1")];
    assert_eq!(step("upload/action.yml", "journal", &project, &inputs).run.code, 0);
    let ran = step("upload/action.yml", "upload", &project, &inputs);
    assert_eq!((ran.run.code, ran.output("exit-code"), ran.output("uncertain")), (4, Some("4"), Some("true")));
    assert!(ran.run.stdout.contains("::error title=credlint::a file may have been posted"), "{}", ran.run.stdout);
}

/// The jobs of a matrix: each sends its share, with a journal of its own.
#[cfg(all(feature = "upload", feature = "sandbox"))]
#[test]
fn jobs_of_a_matrix_send_every_file_once() {
    let (project, _service) = crate::upload::many(12, "external", &[]);
    // One is run again where it left its journal.
    for (share, again) in [("1/3", false), ("2/3", false), ("3/3", false), ("2/3", true)] {
        let (journal, options) = (share.replace('/', "-of-"), "--retries=0\n--fail-fast\n");
        let inputs = [("profile", "reports"), ("files", "many"), ("hosts", "127.0.0.1"), ("shard", share)];
        let inputs = [&inputs[..], &[("options", options), ("journal", &journal)]].concat();
        assert!(again || step("upload/action.yml", "journal", &project, &inputs).run.code == 0);
        let ran = step("upload/action.yml", "upload", &project, &inputs);
        assert_eq!(ran.run.code, 0, "{}{}", ran.run.stdout, ran.run.stderr);
    }
    assert_eq!(crate::upload::messages(&project).len(), 12);
    let inputs = [("profile", "reports"), ("files", "many"), ("hosts", "127.0.0.1"), ("options", "--no-such")];
    assert_eq!(step("upload/action.yml", "upload", &project, &inputs).run.code, 2);
}
