//! The credentials that a command would get here: where each is set, and what the rules find about it.

use std::collections::{HashMap, HashSet};

use crate::config::{Config, ConfigError, Listed, Place, Profile, Setting};
use crate::finding::{Finding, Severity};
use crate::lint::{self, CheckOptions, Loaded, Search, SearchOutcome};
use crate::profile::{Assessment, assessments};
use crate::rules::{self, Impact};
use crate::schema::VARIABLE;
use crate::secret::{Digest, Piece};
use crate::services::Form;
use crate::source::{SourceKind, Sources, Spot};

/// The maximum number of credentials that are compared with a log.
const MOST: usize = 10_000;

/// A credential, or a value that belongs to one.
#[derive(Debug)]
pub struct LocalCredential {
    /// The name under which it was set.
    pub name: String,
    /// Its words.
    pub(super) words: String,
    /// Its kind and field.
    pub place: (&'static str, &'static str),
    /// Values with the same number are set together.
    pub group: usize,
    /// Where it was set.
    pub at: Spot,
    /// Whether it fits: `recognised`, `wrong` and so on; `set` if it is not a credential.
    pub state: &'static str,
    /// True for a secret or an ID, and false for what goes with them.
    pub(super) secret: bool,
    /// Its form, if it is known.
    pub form: Option<&'static Form>,
    /// How it looks otherwise.
    pub looks: Option<String>,
    /// The pieces of the log that it has, by their numbers.
    pub pieces: Vec<(usize, Piece)>,
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
    /// True if this directory was searched, or others were named.
    pub searched: bool,
    /// Messages about what was not read.
    pub notices: Vec<String>,
}

impl LocalCredentials {
    /// Adds the profiles of a configuration.
    ///
    /// # Errors
    ///
    /// Returns the same errors as a check.
    pub fn add_configuration(&mut self, loaded: &Loaded, pieces: &[Digest]) -> Result<(), ConfigError> {
        let mut findings = Vec::new();
        let report = lint::check_examined(loaded, &CheckOptions::default(), |_, raw| findings.extend_from_slice(raw))?;
        self.files += report.layers.iter().filter(|layer| layer.source.is_some()).count();
        let mut listed = Listed::default();
        for setting in loaded.config.profiles.iter().flat_map(|profile| &profile.settings) {
            let found = setting.known().map(|known| loaded.config.vault.pieces(known.handle, pieces, false));
            listed.pieces.extend(found.into_iter().flatten().map(|(number, piece)| (setting.at, number, piece)));
        }
        self.add_findings(&loaded.config, &listed, findings, report.sources);
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
        let SearchOutcome { report, notices, loaded, listed } = found?;
        if let Some(tally) = report.search_stats {
            self.files += tally.files;
            self.variables += tally.variables;
        }
        self.notices.extend(notices);
        self.add_findings(&loaded.config, &listed, findings, report.sources);
        Ok(())
    }

    fn add_findings(&mut self, config: &Config, listed: &Listed, findings: Vec<Finding>, sources: Sources) {
        let mut part = ReadTogether { findings, sources, ..ReadTogether::default() };
        let mut pieces: HashMap<Spot, Vec<(usize, Piece)>> = HashMap::new();
        for &(at, number, piece) in &listed.pieces {
            pieces.entry(at).or_default().push((number, piece));
        }
        // The values of an example are not used.
        let used = |profile: &&Profile| profile.found.as_ref().is_none_or(|found| found.place != Place::Example);
        let all = config.profiles.iter().chain(&config.secrets).chain(&listed.profiles).filter(used);
        // A value with an oddity may be a profile of its own, too.
        let mut seen: HashSet<Spot> = HashSet::new();
        for (group, profile) in all.enumerate() {
            let repeated = profile.kind().name == VARIABLE.name && !seen.insert(profile.at);
            for (setting, element, assessment) in assessments(profile).filter(|_| !repeated) {
                if element.is_none() {
                    let mut credential = part.credential(group, profile, setting, assessment);
                    credential.pieces = pieces.get(&setting.at).cloned().unwrap_or_default();
                    seen.insert(setting.at);
                    part.credentials.push(credential);
                }
            }
        }
        self.parts.push(part);
    }

    /// Returns all of them, up to a limit, each with what was read together with it.
    pub fn all(&self) -> impl Iterator<Item = (&ReadTogether, &LocalCredential)> {
        self.parts.iter().flat_map(|part| part.credentials.iter().map(move |one| (part, one))).take(MOST)
    }
}

impl LocalCredential {
    /// Returns what it is, or how it looks.
    pub fn what(&self) -> Option<&str> {
        self.form.map(|form| form.noun).or(self.looks.as_deref())
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
        let findings: Vec<usize> = about.map(|(number, _)| number).collect();
        let wrong = findings.iter().any(|&at| self.findings[at].severity > Severity::Note);
        let (state, form, looks) = assessment.standing(profile, setting);
        let is_open = profile.kind().name == VARIABLE.name;
        // A note, as about a JSON document in a variable that may take one, does not make it wrong.
        let state = match state {
            _ if is_open && wrong => "wrong",
            "wrong" if is_open => "unjudged",
            state => state,
        };
        let of_npm = self.sources.get(setting.at.source).name.rsplit('/').next() == Some(".npmrc");
        LocalCredential {
            name: setting.name().to_owned(),
            // The names in npm's file don't say whose they are.
            words: super::signals::words_of(&format!("{}{}", if of_npm { "npmrc " } else { "" }, setting.name())),
            place: (profile.kind().name, setting.field.name),
            group,
            at: setting.at,
            state,
            secret: setting.field.is_credential() && !setting.facts().is_some_and(|facts| facts.url),
            form,
            looks,
            pieces: Vec::new(),
            findings,
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
