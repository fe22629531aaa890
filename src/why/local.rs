//! The credentials that a command would get here: where each is set, and what the rules find about it.

use crate::config::{ConfigError, Loaded, Setting};
use crate::finding::Finding;
use crate::lint::inventory::{self, Inventoried};
use crate::lint::{self, CheckOptions, Search, SearchOutcome};
use crate::rules::{self, Impact};
use crate::secret::Digest;
use crate::source::Sources;

/// The maximum number of credentials that are compared with a log.
const MOST: usize = 10_000;

/// What was read together: the configuration, or files and variables.
#[derive(Debug, Default)]
pub struct ReadTogether {
    /// The credentials, in the order of their profiles.
    pub credentials: Vec<Inventoried>,
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
    pub fn add_configuration(&mut self, mut loaded: Loaded, pieces: &[Digest]) -> Result<(), ConfigError> {
        let mut findings = Vec::new();
        let report = lint::check_examined(&loaded, &CheckOptions::default(), |_, raw| findings.extend_from_slice(raw))?;
        self.files += report.layers.iter().filter(|layer| layer.source.is_some()).count();
        let known = |setting: &Setting| Some((setting.at, loaded.vault.pieces(setting.known()?.handle, pieces, false)));
        let found = loaded.profiles.iter().flat_map(|profile| &profile.settings).filter_map(known);
        let found = found.flat_map(|(at, all)| all.into_iter().map(move |(number, piece)| (at, number, piece)));
        loaded.listed.pieces = found.collect();
        self.add_findings(&loaded, findings, report.sources);
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
        self.add_findings(&loaded, findings, report.sources);
        Ok(())
    }

    fn add_findings(&mut self, config: &Loaded, findings: Vec<Finding>, sources: Sources) {
        let about = findings.iter().enumerate().filter(|(_, finding)| is_about_fit(finding));
        let credentials = inventory::list(config, about, false);
        self.parts.push(ReadTogether { credentials, findings, sources });
    }

    /// Returns all of them, up to a limit, each with what was read together with it.
    pub fn all(&self) -> impl Iterator<Item = (&ReadTogether, &Inventoried)> {
        self.parts.iter().flat_map(|part| part.credentials.iter().map(move |one| (part, one))).take(MOST)
    }
}

/// Returns `true` if a finding says that a credential does not work, or may not work.
fn is_about_fit(finding: &Finding) -> bool {
    let impact = rules::meta(finding.rule).map(|meta| meta.impact);
    matches!(impact, Some(Impact::Unfit | Impact::Doubtful | Impact::SentElsewhere | Impact::None))
}
