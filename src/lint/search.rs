//! The check of files and variables, each for itself: what a configuration of credlint says is judged by what stands in it,
//! and what other programs' files hold by the rows of `foreign`.

use std::path::PathBuf;

use super::check::{CheckOptions, check};
use super::loaded::Loaded;
use super::report::{Report, Tally};
use crate::config::{Config, ConfigError, Environment, LoadOptions};
use crate::finding::Severity;
use crate::foreign::{self, Candidate, Searched, Sort};
use crate::profile::{Standing, standings};

/// What to look through.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Search {
    /// What relative paths are relative to, and where the project's file is found that says what counts as what.
    pub directory: PathBuf,
    /// Files of other programs, in the order of the report.
    pub files: Vec<Candidate>,
    /// Configurations of credlint.
    pub configurations: Vec<PathBuf>,
    /// A text that is no file, and how to read it.
    pub text: Option<(String, Sort)>,
    /// The variables of a process, if they are to be looked through.
    pub environment: Option<Environment>,
    /// The root of its repository, if that is not the nearest directory with `.git`.
    pub root: Option<PathBuf>,
    /// Read no project's file for what it says of the linter.
    pub isolated: bool,
    /// A file with a table `[lint]` that nothing else can weaken.
    pub policy: Option<PathBuf>,
}

impl Search {
    /// Looks through nothing yet; relative paths are relative to this directory.
    #[must_use]
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into(), ..Self::default() }
    }

    /// Looks through these files of other programs.
    #[must_use]
    pub fn with_files(mut self, files: impl IntoIterator<Item = Candidate>) -> Self {
        self.files = files.into_iter().collect();
        self
    }

    /// Looks through these configurations of credlint, each for itself.
    #[must_use]
    pub fn with_configurations(mut self, files: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        self.configurations = files.into_iter().map(Into::into).collect();
        self
    }

    /// Looks through a text that is no file, read as a file of that sort is.
    #[must_use]
    pub fn with_text(mut self, text: impl Into<String>, sort: Sort) -> Self {
        self.text = Some((text.into(), sort));
        self
    }

    /// Looks through these variables.
    #[must_use]
    pub fn with_environment(mut self, environment: Environment) -> Self {
        self.environment = Some(environment);
        self
    }

    /// Says where the repository is, if that is not the nearest directory with `.git`.
    #[must_use]
    pub fn with_root(mut self, root: impl Into<PathBuf>) -> Self {
        self.root = Some(root.into());
        self
    }

    /// Reads no project's file for what it says of the linter, or does.
    #[must_use]
    pub fn with_isolated(mut self, isolated: bool) -> Self {
        self.isolated = isolated;
        self
    }

    /// Reads a file with tables `[lint]` and `[trust]` that nothing else can weaken.
    #[must_use]
    pub fn with_policy(mut self, policy: impl Into<PathBuf>) -> Self {
        self.policy = Some(policy.into());
        self
    }
}

/// Looks through files and variables.
///
/// # Errors
/// If the policy can't be read. A configuration that can't be is a problem of the report, beside what was found elsewhere.
pub fn search(search: &Search, options: &CheckOptions) -> Result<(Report, Vec<String>), ConfigError> {
    let mut notices = Vec::new();
    let own = own(search, &mut notices)?;
    let part = CheckOptions { baseline: None, profiles: Vec::new(), ..options.clone() };
    let mut reports = Vec::new();
    let (mut sources, mut problems) = (own.sources.clone(), Vec::new());
    let mut tally = Tally::default();
    for path in &search.configurations {
        let mut load = load(search);
        load.files = vec![path.clone()];
        tally.files += 1;
        match Config::load_after(&load, sources, Some(path)) {
            Ok(config) => {
                sources = config.sources.clone();
                tally.recognised += recognised(&config);
                let report = check(&Loaded { config }, &part)?;
                reports.push(report);
            }
            Err(error) => {
                problems.extend(error.problems);
                sources = error.sources;
            }
        }
    }
    let mut found = foreign::read(&search.files, &search.directory, &mut sources);
    if let Some((text, sort)) = &search.text {
        let mut text = zeroize::Zeroizing::new(text.clone());
        add(&mut found, foreign::text("<stdin>", &mut text, *sort, &search.directory, &mut sources));
    }
    if let Some(environment) = &search.environment {
        add(&mut found, foreign::environment(environment, &search.directory, &mut sources));
    }
    let Searched { profiles, layers, files, variables, secrets, notices: unread } = found;
    notices.extend(unread);
    let config = Config::of_found(Config { sources, ..own }, profiles, layers, secrets);
    tally = Tally { files: tally.files + files, variables, recognised: tally.recognised + recognised(&config) };
    let loaded = Loaded { config };
    let mut report = check(&loaded, &part)?;
    // The configurations come first: they were named for it.
    for before in reports.into_iter().rev() {
        report = joined(before, report);
    }
    select(&mut report, &options.profiles);
    report.problems = problems;
    report.tally = Some(tally);
    let config = &loaded.config;
    let counts = config.policy.as_ref().is_none_or(|policy| policy.baseline.is_some());
    let known = options.baseline.as_ref().filter(|_| counts);
    report.baseline = known.map(|baseline| baseline.compare(&report.findings, &report.sources));
    Ok((report, notices))
}

/// What the project and the policy say of the linter.
fn own(search: &Search, notices: &mut Vec<String>) -> Result<Config, ConfigError> {
    let mut load = load(search);
    let project = Config::project_file(&LoadOptions::new(&search.directory, Environment::default()));
    load.files.extend(project.filter(|_| !search.isolated));
    if load.files.is_empty() {
        return Config::load(&load);
    }
    Config::load(&load).or_else(|_| {
        notices.push("the project's [lint] table is not used: the file that holds it can't be read".to_owned());
        load.files.clear();
        Config::load(&load)
    })
}

fn load(search: &Search) -> LoadOptions {
    let mut load = LoadOptions::new(&search.directory, Environment::default());
    (load.isolated, load.no_resolve, load.policy) = (true, true, search.policy.clone());
    load.root.clone_from(&search.root);
    load
}

fn add(searched: &mut Searched, more: Searched) {
    searched.profiles.extend(more.profiles);
    searched.layers.extend(more.layers);
    searched.secrets.extend(more.secrets);
    searched.notices.extend(more.notices);
    searched.files += more.files;
    searched.variables += more.variables;
}

/// How many credentials have a form that belongs where they stand.
fn recognised(config: &Config) -> usize {
    let all = config.profiles.iter().flat_map(standings);
    all.filter(|(.., standing)| matches!(standing, Standing::Recognised(_))).count()
}

/// Two reports as one. The sources of the later one are those of both.
fn joined(before: Report, after: Report) -> Report {
    Report {
        resolved: before.resolved && after.resolved,
        layers: before.layers.into_iter().chain(after.layers).collect(),
        profiles: before.profiles.into_iter().chain(after.profiles).collect(),
        not_looked_up: before.not_looked_up + after.not_looked_up,
        findings: before.findings.into_iter().chain(after.findings).collect(),
        fail_on: Severity::min(before.fail_on, after.fail_on),
        allowed: before.allowed.into_iter().chain(after.allowed).collect(),
        anchors: before.anchors.into_iter().chain(after.anchors).collect(),
        problems: Vec::new(),
        ..after
    }
}

/// Keeps the profiles of these names, if there are any names.
fn select(report: &mut Report, names: &[String]) {
    if names.is_empty() {
        return;
    }
    let wanted = |id: &crate::schema::ProfileId| names.iter().any(|name| id.is_called(name));
    report.profiles.retain(|(id, _)| wanted(id));
    report.findings.retain(|finding| finding.profile.as_ref().is_some_and(wanted));
    report.allowed.retain(|allowed| allowed.finding.profile.as_ref().is_some_and(wanted));
}
