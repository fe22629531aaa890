//! Resolves arguments and option variables. No file above this one sees clap's types.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::args::{Choice, ConfigArgs};
use crate::code::Code;
use crate::config::{self, ConfigError, Environment, LoadOptions};
use crate::lint::{self, Search};
use crate::report::place::Checkout;
use crate::source::{MAX_FILE, PipeTexts, Problem};

/// The environment and working directory of a command.
pub struct Settings {
    environment: Environment,
    directory: PathBuf,
    /// The contents of the files of `--env-file`.
    env_files: OnceCell<PipeTexts>,
}

impl Settings {
    pub fn new(environment: Environment) -> Result<Self, String> {
        let directory = std::env::current_dir()
            .map_err(|error| format!("the working directory can't be found: {}", error.kind()))?;
        Ok(Self { environment, directory, env_files: OnceCell::new() })
    }

    /// Reads the files of `--env-file` once, so that the command gets what is judged.
    fn read(&self, files: &[PathBuf]) -> PipeTexts {
        let paths = files.iter().map(|path| self.directory.join(path));
        self.env_files.get_or_init(|| PipeTexts::read(paths, MAX_FILE)).clone()
    }

    /// Returns the environment of this process, with the variables of dotenv files that it has not set.
    pub fn environment_with_dotenv(&self, files: &[PathBuf]) -> Result<Environment, ConfigError> {
        let above = self.environment.clone().with_dotenv_files((files, &self.read(files)), &self.directory);
        above.map_err(|(problem, sources)| ConfigError { sources, ..ConfigError::from_problems(vec![problem]) })
    }

    /// Returns the working directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns the options to load the configuration.
    pub fn load(&self, args: ConfigArgs) -> LoadOptions {
        let mut options = LoadOptions::new(&self.directory, self.environment.clone());
        options.files = self.files(&args);
        options.files_from = (args.config.is_empty() && !options.files.is_empty()).then_some("CREDLINT_CONFIG");
        options.pipes = self.read(&args.env_file);
        options.env_files = args.env_file;
        options.isolated = args.isolated;
        options.policy = args.policy;
        options.root = Some(self.checkout().root);
        options
    }

    /// Returns the configuration files to read: the arguments, or the path in the variable.
    pub fn files(&self, args: &ConfigArgs) -> Vec<PathBuf> {
        if !args.config.is_empty() || args.isolated {
            return args.config.clone();
        }
        // A path need not be valid UTF-8.
        let named = self.environment.get("CREDLINT_CONFIG").filter(|path| !path.is_empty());
        named.map(PathBuf::from).into_iter().collect()
    }

    /// Returns `true` if this directory has no configuration except the user's, and may be searched instead.
    pub fn is_unconfigured(&self) -> bool {
        self.may_be_searched() && !self.has_settings()
    }

    /// Returns the project's configuration, if nothing names another one, with the directory to search from: its own, unless
    /// that is the user's home or the root of everything.
    pub fn project(&self) -> Option<(PathBuf, PathBuf)> {
        let options = LoadOptions::new(&self.directory, Environment::default());
        let (file, _) = config::project_file(&options)?;
        let directory = file.parent()?.to_owned();
        let home = self.environment.get("HOME").is_some_and(|home| Path::new(home) == directory);
        (!home && directory.parent().is_some()).then_some((file, directory))
    }

    /// Returns `true` unless this directory is the user's home or the root of everything.
    pub fn may_be_searched(&self) -> bool {
        let home = self.environment.get("HOME").is_some_and(|home| Path::new(home) == self.directory);
        !home && self.directory.parent().is_some()
    }

    /// Returns `true` if there is a configuration besides the user's own.
    pub fn is_configured(&self, args: &ConfigArgs) -> bool {
        !self.files(args).is_empty() || self.has_settings()
    }

    fn has_settings(&self) -> bool {
        let options = LoadOptions::new(&self.directory, Environment::default());
        self.environment.has_settings() || config::has_project_file(&options)
    }

    /// Returns the environment of this process.
    pub const fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Returns the options of a search, without the files to search.
    pub fn search(&self, args: &ConfigArgs) -> Search {
        let mut search = Search::default();
        search.directory.clone_from(&self.directory);
        search.root = Some(self.checkout().root);
        search.pipes = self.read(&args.env_file);
        search.isolated = args.isolated;
        search.policy.clone_from(&args.policy);
        search
    }

    /// Adds the services that the configuration and the policy name, before any value is examined. A search has no
    /// `--config`, so only the project's own file counts there.
    pub fn load_services(&self, args: &ConfigArgs, configured: bool) -> Result<(), ConfigError> {
        let mut options = LoadOptions::new(&self.directory, self.environment.clone());
        options.files = if configured { self.files(args) } else { Vec::new() };
        options.isolated = args.isolated;
        options.policy.clone_from(&args.policy);
        options.root = Some(self.checkout().root);
        lint::load_services(&options)
    }

    /// Adds the services of the project, for a command without options for its configuration.
    pub fn load_services_here(&self) -> Result<(), ConfigError> {
        self.load_services(&ConfigArgs::default(), true)
    }

    /// Returns the options to load a single configuration file.
    pub fn load_alone(&self, path: &Path) -> LoadOptions {
        let options = LoadOptions::new(&self.directory, Environment::default());
        options.with_files([path]).with_isolated(true).with_no_resolve(true)
    }

    /// Returns the options to load the policy, and nothing else.
    pub fn load_policy(&self, args: &ConfigArgs) -> LoadOptions {
        let policy = args.policy.clone();
        LoadOptions { isolated: true, policy, ..LoadOptions::new(&self.directory, Environment::default()) }
    }

    /// Returns the options to load only the `[trust]` tables of the user and the policy.
    #[cfg(feature = "upload")]
    pub fn load_trust(&self, args: &ConfigArgs) -> LoadOptions {
        let mut options = LoadOptions::new(&self.directory, self.environment.clone());
        (options.trust_only, options.no_resolve) = (true, true);
        (options.isolated, options.policy) = (args.isolated, args.policy.clone());
        options
    }

    /// Returns the profiles to check: the arguments, or the comma-separated list in the variable.
    pub fn profiles(&self, given: Vec<String>) -> Result<Vec<String>, String> {
        if !given.is_empty() {
            return Ok(given);
        }
        let named = self.option("CREDLINT_PROFILE")?.unwrap_or_default();
        Ok(named.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect())
    }

    /// Adds where the name of an unknown profile comes from, if no argument names it.
    pub fn with_origin(mut error: ConfigError, is_given: bool) -> ConfigError {
        let chosen = |problem: &&mut Problem| matches!(problem.code, Code::UnknownProfile | Code::AmbiguousProfile);
        for problem in error.problems.iter_mut().filter(chosen).filter(|_| !is_given) {
            problem.message += " (`CREDLINT_PROFILE` names it)";
        }
        error
    }

    /// Returns the format of the output: the argument, or the variable.
    pub fn format<F: Choice>(&self, given: Option<F>) -> Result<F, String> {
        match (given, self.option("CREDLINT_FORMAT")?) {
            (Some(format), _) => Ok(format),
            (None, None) => Ok(F::default()),
            (None, Some(name)) => F::named(name)
                .ok_or_else(|| format!("CREDLINT_FORMAT: unknown format; expected one of {}", F::names().join(", "))),
        }
    }

    /// Returns the repository that is checked. It is the one that the CI service names, if it contains this directory;
    /// otherwise the nearest parent directory with `.git`; otherwise this directory.
    pub fn checkout(&self) -> Checkout {
        let stated = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"].into_iter().filter_map(|name| self.environment.get(name));
        let mut stated = stated.filter_map(|root| std::fs::canonicalize(root).ok());
        let root = stated.find(|root| self.directory.starts_with(root));
        let checkout = Checkout::new(&self.directory);
        match root {
            Some(root) => checkout.with_root(root),
            None => checkout,
        }
    }

    /// Returns the job summary file of a GitHub workflow.
    pub fn step_summary(&self) -> Option<PathBuf> {
        self.environment.get("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()).map(PathBuf::from)
    }

    /// Returns the time that decides whether an allow has expired, if it is not the present, as in
    /// <https://reproducible-builds.org/specs/source-date-epoch/>.
    pub fn now(&self) -> Option<SystemTime> {
        let seconds = self.environment.get("SOURCE_DATE_EPOCH")?.to_str()?.parse().ok()?;
        SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
    }

    /// Returns the value of a variable that stands for an option. An empty value counts as unset.
    fn option(&self, name: &str) -> Result<Option<&str>, String> {
        let Some(value) = self.environment.get(name).filter(|value| !value.is_empty()) else { return Ok(None) };
        value.to_str().map(Some).ok_or_else(|| format!("the value of the environment variable {name} is not UTF-8"))
    }
}
