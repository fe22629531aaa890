//! Checks files and variables independently. A credlint configuration is checked on its own; files of other programs
//! are read by the tables in `foreign`.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use zeroize::Zeroizing;

use super::check::{CheckOptions, Judged, check, check_part, compare_with_baseline};
use super::loaded::unused_services;
use super::report::{Report, SearchStats};
use super::tune::CheckedScope;
use crate::code::Code;
use crate::config::{self, ConfigError, Environment, LoadOptions, Loaded, PermittedHosts, Profile};
use crate::file::PathPattern;
use crate::file::{self, Repositories};
use crate::finding::{Finding, Severity};
use crate::foreign::{self, Candidate, FileType, SearchResult};
use crate::profile::{Assessment, assessments};
use crate::rules;
use crate::secret::Digest;
use crate::shorthand::{debug, lock, setters};
use crate::source::{self, PipeTexts, Problem, SourceId, SourceKind, Sources};
use crate::text;

#[cfg(test)]
thread_local! {
    /// Counts how often the settings of a project were loaded in this thread.
    static LOADED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The inputs and options of a search.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Search {
    /// The directory for relative paths and for the project configuration, whose levels and allows apply.
    pub directory: PathBuf,
    /// Files of other programs, in report order.
    pub files: Vec<Candidate>,
    /// credlint configurations.
    pub configurations: Vec<PathBuf>,
    /// A text that is not a file, and its type.
    pub(crate) text: Option<Text>,
    /// The variables of a process, if they are checked.
    pub environment: Option<Environment>,
    /// Dotenv files whose variables the process gets, unless it has them already.
    pub(crate) env_files: Vec<PathBuf>,
    /// Their contents, if they were read.
    pub(crate) pipes: PipeTexts,
    /// Variables that must be set and not empty.
    pub(crate) required: Vec<String>,
    /// The variable whose value was read from standard input.
    pub(crate) piped: Option<String>,
    /// The command that gets the variables, with its arguments.
    pub(crate) command: Vec<OsString>,
    /// The number of files that the configuration excludes.
    pub(crate) left_out: usize,
    /// The root of the repository, if it is not the nearest directory with `.git`.
    pub root: Option<PathBuf>,
    /// True if the search covers everything that the project's allows could be meant for, including the environment. An
    /// allow that matches no finding is then unused.
    pub everything: bool,
    /// Ignore the project configuration.
    pub isolated: bool,
    /// A file whose `[lint]` table nothing else can weaken.
    pub policy: Option<PathBuf>,
    /// Files whose `[lint]` tables apply instead of the project's.
    pub(crate) lint_files: Vec<PathBuf>,
    /// The hosts that may receive a credential that is found.
    pub(crate) permitted: PermittedHosts,
    /// Lists also what no rule judges: all values whose names say that they are credentials, and those with a piece of a log
    /// that has one of these digests.
    pub(crate) list: Option<Vec<Digest>>,
    /// If they have been loaded.
    settings: Arc<Mutex<Option<LintSettings>>>,
}

/// The settings of the project and the policy, and why the former can't be read.
type LintSettings = (Loaded, Vec<Problem>);

/// A text that is not a file.
#[derive(Clone)]
pub(crate) struct Text {
    pub(crate) text: Zeroizing<String>,
    pub(crate) file_type: FileType,
}

// The text may consist of secrets.
debug!(Text, |own| "Text(.., {:?})", own.file_type);

impl Search {
    /// Creates a search without inputs. Relative paths are relative to this directory.
    #[must_use]
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into(), ..Self::default() }
    }

    setters! {
        /// Checks these files of other programs.
        with_files(files: impl IntoIterator<Item = Candidate>) = files.into_iter().collect();

        /// Checks these credlint configurations, each on its own.
        with_configurations(configurations: impl IntoIterator<Item = impl Into<PathBuf>>) =
            configurations.into_iter().map(Into::into).collect();

        /// Checks these variables.
        with_environment(environment: Environment) = Some(environment);

        /// Sets the root of the repository, if it is not the nearest directory with `.git`.
        with_root(root: impl Into<PathBuf>) = Some(root.into());

        /// Sets whether to ignore the project configuration.
        with_isolated(isolated: bool);

        /// Reads a file whose `[lint]` and `[trust]` tables nothing else can weaken.
        with_policy(policy: impl Into<PathBuf>) = Some(policy.into());
    }

    /// Returns the name of a file for messages.
    fn shown_name(&self, path: &Path) -> String {
        text::file(path.strip_prefix(&self.directory).unwrap_or(path))
    }

    /// Checks a text that is not a file, as a file of this type.
    #[must_use]
    pub fn with_text(mut self, text: impl Into<String>, file_type: FileType) -> Self {
        self.text = Some(Text { text: Zeroizing::new(text.into()), file_type });
        self
    }
}

/// Checks files and variables. The options' profiles are not used: everything that is found is checked.
///
/// # Errors
///
/// Returns an error if the policy can't be read. A configuration that can't be read is a problem in the report, in
/// addition to the findings in other files.
pub fn search(search: &Search, options: &CheckOptions) -> Result<(Report, Vec<String>), ConfigError> {
    search_with_profiles(None, search, options)
}

/// Checks files and variables, and with them the chosen profiles of a layered configuration.
pub(crate) fn search_with_profiles(
    layered: Option<&Loaded>,
    search: &Search,
    options: &CheckOptions,
) -> Result<(Report, Vec<String>), ConfigError> {
    let found = search_examined(layered, search, options, None, |_, _| {})?;
    Ok((found.report, found.notices))
}

/// The outcome of a search.
#[derive(Debug)]
pub(crate) struct SearchOutcome {
    pub(crate) report: Report,
    pub(crate) notices: Vec<String>,
    /// The profiles in other programs' files and variables, which are the last ones of the report.
    pub(crate) loaded: Loaded,
}

/// Searches, and calls `examined` with the findings of each profile in other programs' files and variables before levels and
/// allows. Values that a service may be asked about are moved to `kept`, if there is one.
pub(crate) fn search_examined(
    layered: Option<&Loaded>,
    search: &Search,
    options: &CheckOptions,
    kept: Option<&foreign::KeptValues>,
    examined: impl FnMut(&Profile, &[Finding]),
) -> Result<SearchOutcome, ConfigError> {
    let mut notices = Vec::new();
    let kept_settings = lock(&search.settings).take();
    let (own, flaws) = match (layered, kept_settings) {
        (None, Some(loaded)) => loaded,
        (None, None) => load_lint_settings(search, own_sources(search))?,
        (Some(before), _) => load_lint_settings(search, before.sources.clone())?,
    };
    notices.extend(own.notices.clone());
    let part = CheckOptions { profiles: Vec::new(), ..options.clone() };
    let mut reports = Vec::new();
    let (mut sources, mut problems) = (own.sources.clone(), Vec::new());
    let repositories = &Repositories::default();
    let judged = Judged::default();
    let may_report = |profile: &Profile| judged.judge(profile);
    let names = &own.tuning.names.with(own.policy.as_ref().map(|policy| &policy.names));
    let known = names.names().filter(|name| foreign::field_under(name).is_some());
    notices.extend(
        known.map(|name| format!("`{}` is not used: credlint knows that name", source::shown_path(&["names", name]))),
    );
    let list = search.list.as_deref().or(options.list_values.then_some(&[]));
    let directory = &search.directory;
    let reading = foreign::ReadOptions { directory, repositories, names, kept, list, may_report: &may_report };
    let mut found = foreign::read(&search.files, reading, &mut sources);
    if let Some(Text { text, file_type }) = &search.text {
        let mut text = text.clone();
        found.add(foreign::read_stdin(&mut text, *file_type, reading, &mut sources));
    }
    if let Some(environment) = &search.environment {
        let process = foreign::Process {
            environment,
            env_files: &search.env_files,
            pipes: &search.pipes,
            required: &search.required,
            piped: search.piped.as_deref(),
            command: &search.command,
        };
        match foreign::read_environment(process, reading, &mut sources) {
            Ok(variables) => found.add(variables),
            Err(problem) => return Err(ConfigError { sources, ..ConfigError::from_problems(vec![problem]) }),
        }
    }
    let SearchResult { configurations: more, mut profiles, layers, files, variables, .. } = found;
    for profile in &mut profiles {
        profile.permitted = search.permitted.clone();
    }
    let SearchResult { secrets, unread, required, notices: said, refused, listed, .. } = found;
    notices.extend(said);
    let mut configurations: Vec<&PathBuf> = search.configurations.iter().chain(&more).collect();
    configurations.sort();
    let unknown = |rule: &str| rules::find(rule).is_none();
    let unknown_rule = own.tuning.levels.iter().any(|level| unknown(&level.rule))
        || own.tuning.allows.iter().any(|allow| allow.comment.is_none() && unknown(&allow.rule));
    if layered.is_none() && configurations.is_empty() && (unknown_rule || own.has_flawed_lint()) {
        notices.push(
            "values of the project's [lint] or [names] are invalid and not used: run `credlint check`".to_owned(),
        );
    }
    let project = project_file(search).and_then(|(path, _)| path.canonicalize().ok());
    let is_project = |path: &PathBuf| project.is_some() && path.canonicalize().ok() == project;
    // Its levels are unknown. If it is also checked, its own report says so.
    if !configurations.iter().any(|path| is_project(path)) {
        problems.extend(flaws);
    }
    let own_sources: Vec<SourceId> = own.layers.iter().filter_map(|layer| layer.source).collect();
    let mut loaded = Loaded::from_found(Loaded { sources: sources.clone(), ..own }, profiles, layers, secrets);
    (loaded.unread, loaded.required, loaded.listed) = (unread, required, listed);
    let left_out = search.left_out;
    let mut tally = SearchStats { files, variables, refused, left_out, ..SearchStats::default() };
    tally.count(&loaded);
    let (mut report, used) = check_part(&loaded, &part, &CheckedScope::default(), &judged, examined)?;
    // In the order of a file's lines, whatever rule found them. The order of variables would tell how their names compare,
    // also of one that is masked.
    report.findings.sort_by_key(|finding| {
        let at = finding.primary().map(|label| label.at)?;
        (sources.get(at.source).kind == SourceKind::File).then_some((at.source, at.span.start))
    });
    // The project's allows also apply to what was found.
    let used = used.into_iter().filter(|at| own_sources.first() == Some(&at.source)).map(|at| at.span).collect();
    let seen = CheckedScope { everything: search.everything, used };
    if let Some(layered) = layered {
        let mut checked = check(layered, options)?;
        without_policy(&mut checked, layered);
        without_repeated(&mut report, &checked, &own_sources);
        // A project may configure the linter alone.
        if !search.files.is_empty() {
            checked.problems.retain(|problem| problem.code != Code::NothingToCheck);
        }
        problems.append(&mut checked.problems);
        tally.files += checked.layers.iter().filter(|layer| layer.source.is_some()).count();
        tally.count(layered);
        tally.profiles = checked.profiles.len();
        reports.push(checked);
    }
    for path in configurations {
        let mut load = load_options(search);
        load.files = vec![path.clone()];
        tally.files += 1;
        match Loaded::load_after(&load, sources, Some(path)) {
            Ok(mut loaded) => {
                if config::is_foreign(path) {
                    loaded.distrust();
                }
                sources = loaded.sources.clone();
                tally.count(&loaded);
                let own = is_project(path);
                if loaded.tuning.services > 0 && !own && !search.lint_files.contains(path) {
                    let name = search.shown_name(path);
                    notices.push(format!(
                        "`services` of {name} is not used: only the project's own configuration adds services"
                    ));
                }
                let seen = if own { seen.clone() } else { CheckedScope::default() };
                let (mut checked, _) = check_part(&loaded, &part, &seen, &Judged::default(), |_, _| {})?;
                without_policy(&mut checked, &loaded);
                if own {
                    without_repeated(&mut report, &checked, &own_sources);
                }
                reports.push(checked);
            }
            Err(error) => {
                problems.extend(error.problems);
                sources = error.sources;
            }
        }
    }
    report.sources = sources;
    // Configurations come first, because the user named them.
    for before in reports.into_iter().rev() {
        report = merge_reports(before, report);
    }
    // A finding says the same in more detail.
    let said =
        report.findings.iter().any(|finding| finding.rule == "unread-file" && finding.severity == Severity::Error);
    if tally.files + tally.variables + tally.left_out == 0 && problems.is_empty() && !said {
        let problem = Problem::new(Code::NothingToCheck, "nothing was read, so nothing was checked");
        problems.push(problem.help(if tally.refused > 0 {
            "let this user read what is named, or run credlint as one who may"
        } else {
            "check the paths and patterns; --list shows the files that would be read, --no-ignore also those that git ignores"
        }));
    }
    report.problems = problems;
    report.search_stats = Some(tally);
    let looked_at = looked_at(search, &more, &report.sources);
    report.baseline = compare_with_baseline(&loaded, options, &report.findings, &report.sources, &looked_at);
    Ok(SearchOutcome { report, notices, loaded })
}

/// Returns the identities of all files of a search, also of those without a credential.
fn looked_at(search: &Search, more: &[PathBuf], sources: &Sources) -> HashSet<String> {
    let files = search.files.iter().map(|candidate| &candidate.path).chain(&search.configurations).chain(more);
    let name = |path: &PathBuf| {
        let plain = file::normalize(path);
        plain.strip_prefix(&search.directory).unwrap_or(&plain).to_string_lossy().into_owned()
    };
    let all = sources.file_identities();
    files.map(|path| sources.identity_of(&name(path))).chain(all).collect()
}

/// Removes the flaws of the policy, which are reported once for the whole search.
fn without_policy(report: &mut Report, loaded: &Loaded) {
    let policy = loaded.policy_source;
    report.findings.retain(|finding| finding.primary().is_none_or(|label| Some(label.at.source) != policy));
}

/// Loads the `[lint]` tables of the project and the policy, or the latter alone, and why the former can't be read.
fn load_lint_settings(search: &Search, sources: Sources) -> Result<LintSettings, ConfigError> {
    #[cfg(test)]
    LOADED.with(|loaded| loaded.set(loaded.get() + 1));
    let mut load = load_options(search);
    load.files.clone_from(&search.lint_files);
    let project = project_file(search).filter(|_| load.files.is_empty());
    let foreign = project.as_ref().filter(|(_, foreign)| *foreign).map(|(path, _)| search.shown_name(path));
    load.files.extend(project.map(|(path, _)| path));
    match Loaded::load_after(&load, sources, None) {
        Ok(mut config) => {
            if let Some(name) = foreign {
                let unused = config.distrust();
                let unused = if unused.is_empty() { String::new() } else { format!("; {} not used", are(&unused)) };
                let message = format!(
                    "{name} belongs to another user: only what makes this check stricter is used, `fail_on` and raised levels{unused}"
                );
                config.notices.push(message);
            }
            config.notices.extend(unused_services(&config));
            Ok((config, Vec::new()))
        }
        Err(ConfigError { sources, problems, .. }) => {
            load.files.clear();
            let mut config = Loaded::load_after(&load, sources, None)?;
            // Another user can't stop a check.
            let Some(name) = foreign else { return Ok((config, problems)) };
            config.notices.push(format!("{name} belongs to another user and can't be read: nothing of it is used"));
            Ok((config, Vec::new()))
        }
    }
}

/// Returns the patterns for files that the configuration excludes: the policy's, or else the project's. A configuration
/// that can't be read excludes nothing, and the search reports it.
pub(crate) fn excluded_patterns(search: &Search) -> Vec<PathPattern> {
    let Ok((config, flaws)) = load_lint_settings(search, own_sources(search)) else { return Vec::new() };
    let exclude = config.policy.as_ref().unwrap_or(&config.tuning).exclude.clone();
    // The search needs it, too.
    *lock(&search.settings) = Some((config, flaws));
    exclude
}

/// Returns the sources of a search before anything is read.
fn own_sources(search: &Search) -> Sources {
    load_options(search).sources()
}

/// `` `allow` and `exclude` are ``
fn are(names: &[String]) -> String {
    format!("{} {}", names.join(" and "), if names.len() == 1 { "is" } else { "are" })
}

/// Returns the project's configuration, whose levels and allows apply to what is found, and whether it belongs to another
/// user.
fn project_file(search: &Search) -> Option<(PathBuf, bool)> {
    let options = LoadOptions::new(&search.directory, Environment::default());
    config::project_file(&options).filter(|_| !search.isolated)
}

fn load_options(search: &Search) -> LoadOptions {
    let mut load = LoadOptions::new(&search.directory, Environment::default());
    (load.isolated, load.no_resolve, load.policy) = (true, true, search.policy.clone());
    load.root.clone_from(&search.root);
    load
}

impl SearchStats {
    /// Counts the credentials of a configuration, or of files and variables.
    fn count(&mut self, config: &Loaded) {
        for (.., assessment) in config.profiles.iter().flat_map(assessments) {
            match assessment {
                Assessment::Recognised(_) => self.recognised += 1,
                Assessment::Unjudged | Assessment::Unrecognised(_) => self.unknown += 1,
                Assessment::Empty => self.empty += 1,
                _ => {}
            }
        }
    }
}

/// Removes findings about the project's files that its own report also has, because the files were read for both. A
/// report about chosen profiles may lack them.
fn without_repeated(found: &mut Report, project: &Report, files: &[SourceId]) {
    let place = |finding: &Finding| finding.primary().map(|label| label.at.span);
    let is_said =
        |one: &Finding| project.findings.iter().any(|other| place(one) == place(other) && one.rule == other.rule);
    let is_own = |one: &Finding| one.primary().is_some_and(|label| files.contains(&label.at.source));
    found.findings.retain(|one| !is_own(one) || !is_said(one));
}

/// Merges two reports. The later report's sources include those of the earlier one.
fn merge_reports(before: Report, after: Report) -> Report {
    Report {
        resolved: before.resolved || after.resolved,
        layers: before.layers.into_iter().chain(after.layers).collect(),
        profiles: before.profiles.into_iter().chain(after.profiles).collect(),
        not_looked_up: before.not_looked_up + after.not_looked_up,
        weakened: before.weakened + after.weakened,
        off: before.off + after.off,
        findings: before.findings.into_iter().chain(after.findings).collect(),
        fail_on: Severity::min(before.fail_on, after.fail_on),
        allowed: before.allowed.into_iter().chain(after.allowed).collect(),
        anchors: before.anchors.into_iter().chain(after.anchors).collect(),
        values: before.values.into_iter().chain(after.values).reduce(|before, after| [before, after].concat()),
        ..after
    }
}

#[cfg(all(test, feature = "cli"))]
mod tests {
    use super::super::check::EXAMINED;
    use super::*;

    #[test]
    fn search_loads_settings_and_judges_each_profile_once() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        std::fs::write(at("credlint.toml"), "[lint]\nexclude = ['b.env']\n").unwrap();
        std::fs::write(at("a.env"), "SLACK_BOT_TOKEN=xoxb-2401712083-4830127566123-qZ7mKp2RtVx9Lw4Ns6Yb8Dh3\n")
            .unwrap();
        let file_type = FileType::named("env").unwrap();
        let search = Search::new(directory.path()).with_files([Candidate::new(at("a.env"), file_type)]);
        assert_eq!(excluded_patterns(&search).len(), 1);
        let (report, _) = super::search(&search, &CheckOptions::default()).unwrap();
        assert_eq!((report.profiles.len(), report.findings.len()), (1, 0));
        assert_eq!((LOADED.get(), EXAMINED.get()), (1, 1));
    }
}
