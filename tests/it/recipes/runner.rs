//! A runner of GitHub: the steps of an action with bash, its expressions, and the artifacts of a run.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use super::documents;
use crate::harness::{Project, Run};

/// One attempt of a job with one step, an action of this repository.
pub struct Job<'a> {
    action: Value,
    project: &'a Project,
    inputs: &'a [(&'a str, &'a str)],
    /// The ID of the job.
    pub id: &'a str,
    pub attempt: usize,
    /// By the expression, such as `steps.check.outputs.findings`.
    values: BTreeMap<String, String>,
    /// The steps with an ID that ran.
    pub runs: BTreeMap<String, Run>,
}

impl<'a> Job<'a> {
    pub fn new(action: &str, project: &'a Project, inputs: &'a [(&'a str, &'a str)]) -> Self {
        let mut values = BTreeMap::new();
        values.insert("steps.install.outputs.program".to_owned(), env!("CARGO_BIN_EXE_credlint").to_owned());
        let action = documents(action).remove(0);
        Self { action, project, inputs, id: "job", attempt: 1, values, runs: BTreeMap::new() }
    }

    /// The directory of temporary files, which each job finds empty.
    fn temporary(&self) -> PathBuf {
        self.project.dir.path().join("temp")
    }

    fn artifacts(&self) -> PathBuf {
        self.project.dir.path().join("artifacts")
    }

    /// Whether the step with this ID, or the last one that uses the action with this name, succeeded.
    pub fn succeeded(&self, id: &str) -> bool {
        self.values.get(&format!("steps.{id}.outcome")).is_some_and(|outcome| outcome == "success")
    }

    /// Runs the job up to the step with this ID, where the runner is lost, or to its end.
    pub fn run(&mut self, lost: Option<&str>) -> &mut Self {
        let _ = std::fs::remove_dir_all(self.temporary());
        let steps = self.action["runs"]["steps"].as_array().unwrap().clone();
        let mut failed = false;
        for step in &steps {
            let id = step["id"].as_str();
            let runs = step["if"]
                .as_str()
                .map_or(!failed, |condition| (!failed || condition.contains("always()")) && self.holds(condition));
            if runs && id != Some("install") {
                let ok = self.step(step);
                failed |= !ok;
                let outcome = if ok { "success" } else { "failure" };
                let uses = step["uses"].as_str().and_then(|uses| uses.split('@').next()?.rsplit('/').next());
                let name = id.or(uses).unwrap();
                self.values.insert(format!("steps.{name}.outcome"), outcome.to_owned());
            }
            if lost.is_some() && id == lost {
                break;
            }
        }
        self
    }

    /// Runs only the step with this ID.
    #[cfg(all(feature = "upload", feature = "sandbox"))]
    pub fn only(&mut self, id: &str) -> &mut Self {
        let steps = self.action["runs"]["steps"].as_array().unwrap().clone();
        self.step(steps.iter().find(|step| step["id"] == id).unwrap());
        self
    }

    /// Returns whether it succeeds.
    fn step(&mut self, step: &Value) -> bool {
        match step["uses"].as_str().map(|uses| uses.split('@').next().unwrap()) {
            None => self.script(step),
            Some("actions/upload-artifact") => self.keep(&step["with"]),
            Some("actions/download-artifact") => self.fetch(&step["with"]),
            // It runs in the workspace, whatever the directory of the step before.
            Some("github/codeql-action/upload-sarif") => {
                self.project.path().join(self.text(&step["with"]["sarif_file"])).exists()
            }
            Some(other) => panic!("{other}"),
        }
    }

    fn script(&mut self, step: &Value) -> bool {
        std::fs::create_dir_all(self.temporary()).unwrap();
        let (script, outputs) = (self.project.dir.path().join("step.sh"), self.project.dir.path().join("outputs"));
        std::fs::write(&script, step["run"].as_str().unwrap()).unwrap();
        std::fs::write(&outputs, "").unwrap();
        let directory = self.project.path().join(self.text(&step["working-directory"]));
        if !directory.is_dir() {
            return false;
        }
        let base = self.project.command(&[]);
        let mut command = Command::new("bash");
        command.args(["--noprofile", "--norc", "-e", "-o", "pipefail"]).arg(&script);
        command.current_dir(directory);
        command.env_clear().envs(base.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.env("PATH", "/bin:/usr/bin").env("GITHUB_OUTPUT", &outputs);
        for (variable, value) in step["env"].as_object().unwrap() {
            command.env(variable, self.text(value));
        }
        let run = Run::of(command);
        let (id, ok) = (step["id"].as_str().unwrap(), run.code == 0);
        for line in std::fs::read_to_string(outputs).unwrap().lines() {
            let (name, value) = line.split_once('=').unwrap();
            self.values.insert(format!("steps.{id}.outputs.{name}"), value.to_owned());
        }
        self.runs.insert(id.to_owned(), run);
        ok
    }

    /// `actions/upload-artifact` of one file: a name is used once in a run.
    fn keep(&self, with: &Value) -> bool {
        assert_eq!(with["if-no-files-found"], "error");
        let (file, to) = (PathBuf::from(self.text(&with["path"])), self.artifacts().join(self.text(&with["name"])));
        if to.exists() || !file.is_file() {
            return false;
        }
        std::fs::create_dir_all(&to).unwrap();
        std::fs::copy(&file, to.join(file.file_name().unwrap())).unwrap();
        true
    }

    /// `actions/download-artifact`: finds names by a pattern with braces, and puts all files into one directory.
    fn fetch(&self, with: &Value) -> bool {
        assert_eq!(with["merge-multiple"], "true");
        let (pattern, to) = (self.text(&with["pattern"]), PathBuf::from(self.text(&with["path"])));
        let names = pattern.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(&pattern);
        assert!(names.contains(',') && !names.contains(['*', '?', '[', '!', '{']), "{pattern}");
        std::fs::create_dir_all(&to).unwrap();
        for from in names.split(',').map(|name| self.artifacts().join(name)).filter(|from| from.exists()) {
            for file in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
                std::fs::copy(file.path(), to.join(file.file_name())).unwrap();
            }
        }
        true
    }

    /// Writes an artifact of some other job.
    #[cfg(all(feature = "upload", feature = "sandbox"))]
    pub fn plant(project: &Project, artifact: &str, file: &str, text: &str) {
        let directory = project.dir.path().join("artifacts").join(artifact);
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::write(directory.join(file), text).unwrap();
    }

    /// The text with the values of its expressions.
    fn text(&self, text: &Value) -> String {
        let mut parts = text.as_str().unwrap_or_default().split("${{ ");
        let mut replaced = parts.next().unwrap().to_owned();
        for part in parts {
            let (expression, rest) = part.split_once(" }}").unwrap();
            replaced += &self.value(expression);
            replaced += rest;
        }
        replaced
    }

    fn value(&self, expression: &str) -> String {
        if let Some(name) = expression.strip_prefix("inputs.") {
            let default = self.action["inputs"][name]["default"].as_str().unwrap_or_default();
            return self.inputs.iter().find(|(input, _)| *input == name).map_or(default, |(_, value)| value).to_owned();
        }
        match expression {
            "runner.temp" => self.temporary().to_str().unwrap().to_owned(),
            "github.job" => self.id.to_owned(),
            "github.run_attempt" => self.attempt.to_string(),
            "strategy.job-index" => "0".to_owned(),
            _ if expression.starts_with("steps.") => self.values.get(expression).cloned().unwrap_or_default(),
            _ => panic!("{expression}"),
        }
    }

    /// Whether a condition holds: comparisons with `&&`, and with `||` in brackets.
    fn holds(&self, condition: &str) -> bool {
        condition.split(" && ").filter(|part| *part != "always()").all(|part| {
            part.trim_matches(['(', ')']).split(" || ").any(|comparison| {
                let (value, wanted) = comparison.rsplit_once(' ').unwrap();
                let (value, operator) = value.rsplit_once(' ').unwrap();
                (self.value(value) == wanted.trim_matches('\'')) == (operator == "==")
            })
        })
    }

    /// The name of the artifact that keeps the journal.
    #[cfg(all(feature = "upload", feature = "sandbox"))]
    pub fn artifact_name(&self) -> String {
        self.value("steps.inputs.outputs.name")
    }

    /// An output of the action.
    pub fn output(&self, name: &str) -> String {
        let value = self.action["outputs"][name]["value"].as_str().unwrap();
        let alternatives = value.trim_start_matches("${{ ").trim_end_matches(" }}").split(" || ");
        alternatives.map(|expression| self.value(expression)).find(|value| !value.is_empty()).unwrap_or_default()
    }
}
