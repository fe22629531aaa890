//! Profiles that are checked in one configuration, and the answers of the service about them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use credlint::{CheckOptions, Environment, LoadOptions, Severity, Verdict};

use super::asked::{Query, ask};
use crate::harness::Project;

/// The number of profiles in one configuration. Variables are searched one by one.
const BATCH_SIZE: usize = 100;

/// The results of the linter and the service for one profile.
pub struct Outcome {
    pub verdict: Verdict,
    pub findings: Vec<Found>,
    pub taken: bool,
}

impl Outcome {
    /// The rules with findings, in order.
    pub fn rules(&self) -> String {
        self.findings.iter().map(|found| found.rule).collect::<Vec<_>>().join(" ")
    }

    /// The rules with errors.
    pub fn errors(&self) -> impl Iterator<Item = &'static str> {
        self.findings.iter().filter(|found| found.severity == Severity::Error).map(|found| found.rule)
    }
}

pub struct Found {
    pub rule: &'static str,
    severity: Severity,
    /// The output for people.
    pub text: String,
}

#[derive(Default)]
pub struct Batch {
    text: String,
    variables: Vec<(String, String)>,
    questions: Vec<Query>,
}

impl Batch {
    /// Adds a profile with its values in variables, where secrets usually are.
    pub fn profile(&mut self, kind: &str, fields: &[(&str, String)], question: Query) {
        let _ = writeln!(self.text, "[{kind}.p{}]", self.questions.len());
        for (field, value) in fields {
            let name = format!("V{}", self.variables.len());
            let reference = format!("{{ env = '{name}' }}");
            let whole = if *field == "channels" { format!("[{reference}]") } else { reference };
            let _ = writeln!(self.text, "{field} = {whole}");
            self.variables.push((name, value.clone()));
        }
        self.questions.push(question);
    }

    pub fn is_full(&self) -> bool {
        self.questions.len() == BATCH_SIZE
    }

    /// Returns the results of the linter, and of the service at that address.
    pub fn run(self, base: &str) -> Vec<Outcome> {
        let project = Project::new().file("profiles.toml", &self.text);
        let environment: Environment = self.variables.into_iter().collect();
        let mut options = LoadOptions::new(project.path(), environment);
        options.files.push("profiles.toml".into());
        let loaded = credlint::load(&options).unwrap_or_else(|error| panic!("{error:?}\n{}", self.text));
        let report = credlint::check(&loaded, &CheckOptions::default()).unwrap();
        assert_eq!(report.profiles.len(), self.questions.len());
        let verdicts: BTreeMap<&str, Verdict> =
            report.profiles.iter().map(|(id, verdict)| (id.name.as_str(), *verdict)).collect();
        let mut found: BTreeMap<&str, Vec<Found>> = BTreeMap::new();
        for finding in &report.findings {
            let text = format!("{} {}", finding.message, finding.help);
            let name = &finding.profile.as_ref().unwrap().name;
            found.entry(name).or_default().push(Found { rule: finding.rule, severity: finding.severity, text });
        }
        let outcome = |(number, taken)| {
            let name = format!("p{number}");
            let findings = found.remove(name.as_str()).unwrap_or_default();
            Outcome { verdict: verdicts[name.as_str()], findings, taken }
        };
        ask(base, &self.questions).into_iter().enumerate().map(outcome).collect()
    }
}
