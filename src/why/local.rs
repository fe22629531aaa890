//! The credentials that a command would get here: where each is set, and what the rules find about it.

use crate::config::{Config, ConfigError, Place, Profile, Setting};
use crate::finding::Finding;
use crate::lint::{self, CheckOptions, Loaded, Search, SearchOutcome};
use crate::profile::{Assessment, assessments};
use crate::rules::{self, Impact};
use crate::source::{SourceKind, Sources, Spot};

/// A credential, or a value that belongs to one.
#[derive(Debug)]
pub struct LocalCredential {
    /// The name under which it was set.
    pub name: String,
    /// Its kind and field.
    pub place: (&'static str, &'static str),
    /// Values with the same number are set together.
    pub group: usize,
    /// Where it was set.
    pub at: Spot,
    /// Whether it fits: `recognised`, `wrong` and so on; `set` if it is not a credential.
    pub state: &'static str,
    /// What it is, if its form is known.
    pub what: Option<&'static str>,
    /// The indexes of its findings in its part.
    pub findings: Vec<usize>,
    /// True if the service can be asked about it.
    pub can_ask: bool,
    /// True if it is in a configuration.
    pub declared: bool,
    /// True if it is a process variable.
    pub variable: bool,
}

/// What was read together: the configuration, or files and variables.
#[derive(Debug, Default)]
pub struct ReadTogether {
    /// The credentials, in the order of their profiles.
    pub credentials: Vec<LocalCredential>,
    /// The findings before levels and allows: an allowed one may be the cause.
    pub findings: Vec<Finding>,
    /// The sources that the locations refer to.
    pub sources: Sources,
}

/// All parts.
#[derive(Debug, Default)]
pub struct LocalCredentials {
    /// The parts, the configuration first.
    pub parts: Vec<ReadTogether>,
    /// The number of files that were read.
    pub files: usize,
    /// The number of variables that were read.
    pub variables: usize,
    /// Messages about what was not read.
    pub notices: Vec<String>,
}

impl LocalCredentials {
    /// Adds the profiles of a configuration.
    ///
    /// # Errors
    ///
    /// Returns the same errors as a check.
    pub fn add_configuration(&mut self, loaded: &Loaded) -> Result<(), ConfigError> {
        let mut findings = Vec::new();
        let report = lint::check_examined(loaded, &CheckOptions::default(), |_, raw| findings.extend_from_slice(raw))?;
        self.files += report.layers.iter().filter(|layer| layer.source.is_some()).count();
        self.add_findings(&loaded.config, findings, report.sources);
        Ok(())
    }

    /// Adds what a search finds.
    ///
    /// # Errors
    ///
    /// Returns the same errors as a search.
    pub fn add_search(&mut self, search: &Search) -> Result<(), ConfigError> {
        let mut findings = Vec::new();
        let found = lint::search_examined(None, search, &CheckOptions::default(), None, |_, raw| {
            findings.extend_from_slice(raw);
        });
        let SearchOutcome { report, notices, loaded } = found?;
        if let Some(tally) = report.search_stats {
            self.files += tally.files;
            self.variables += tally.variables;
        }
        self.notices.extend(notices);
        self.add_findings(&loaded.config, findings, report.sources);
        Ok(())
    }

    fn add_findings(&mut self, config: &Config, findings: Vec<Finding>, sources: Sources) {
        let mut part = ReadTogether { findings, sources, ..ReadTogether::default() };
        // The values of an example are not used.
        let used = |profile: &&Profile| profile.found.as_ref().is_none_or(|found| found.place != Place::Example);
        for (group, profile) in config.profiles.iter().enumerate().filter(|(_, profile)| used(profile)) {
            for (setting, element, assessment) in assessments(profile) {
                if element.is_none() {
                    let credential = part.credential(group, profile, setting, assessment);
                    part.credentials.push(credential);
                }
            }
        }
        self.parts.push(part);
    }
}

impl ReadTogether {
    fn credential(
        &self,
        group: usize,
        profile: &Profile,
        setting: &Setting,
        assessment: Assessment,
    ) -> LocalCredential {
        let own = setting.elements.iter().flat_map(|element| [Some(element.at), element.found]);
        let own: Vec<Spot> = own.chain([Some(setting.at), setting.found]).flatten().collect();
        let about =
            |finding: &Finding| finding.labels.iter().any(|label| own.contains(&label.at)) && is_about_fit(finding);
        let about = self.findings.iter().enumerate().filter(|(_, finding)| about(finding));
        LocalCredential {
            name: setting.name().to_owned(),
            place: (profile.kind().name, setting.field.name),
            group,
            at: setting.at,
            state: assessment.name().unwrap_or("set"),
            what: setting.credential_form().map(|form| form.noun),
            findings: about.map(|(number, _)| number).collect(),
            can_ask: profile.kind().probe.is_some(),
            declared: profile.is_declared(),
            variable: self.sources.get(setting.at.source).kind == SourceKind::Environment,
        }
    }
}

/// Returns `true` if a finding says that a credential does not work, or may not work.
fn is_about_fit(finding: &Finding) -> bool {
    let impact = rules::meta(finding.rule).map(|meta| meta.impact);
    matches!(impact, Some(Impact::Unfit | Impact::Doubtful | Impact::SentElsewhere | Impact::None))
}
