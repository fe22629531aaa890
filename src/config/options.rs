//! The options for loading a configuration.

use std::path::{Path, PathBuf};

use super::environment::Environment;
use crate::source::Replaced;

/// What to load.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LoadOptions {
    /// The directory where discovery starts, and for relative paths.
    pub directory: PathBuf,
    /// Configuration files, low to high. If there are any, the user's and the project's are not read.
    pub files: Vec<PathBuf>,
    /// The variable that names them.
    pub(crate) files_from: Option<&'static str>,
    /// Dotenv files, low to high.
    pub env_files: Vec<PathBuf>,
    /// Read only the named files: no discovery, no `CREDLINT_X__Y` variables.
    pub isolated: bool,
    /// Assume that every reference resolves, without looking it up.
    pub no_resolve: bool,
    /// The environment.
    pub environment: Environment,
    /// The root of the repository, if it is not the nearest directory with `.git`. Fingerprints are relative to it, so
    /// they don't depend on the directory where a check starts.
    pub root: Option<PathBuf>,
    /// A file whose `[lint]` table nothing else can weaken.
    pub policy: Option<PathBuf>,
    /// Read nothing but whom the user and the policy trust.
    pub(crate) trust_only: bool,
    /// Texts that replace the content of files.
    pub(crate) replaced: Replaced,
}

impl LoadOptions {
    /// Creates the options of a command that is started in `directory`.
    #[must_use]
    pub fn new(directory: impl Into<PathBuf>, environment: Environment) -> Self {
        Self { directory: directory.into(), environment, ..Self::default() }
    }

    /// Reads these configuration files, low to high, instead of the user's and the project's.
    #[must_use]
    pub fn with_files(mut self, files: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        self.files = files.into_iter().map(Into::into).collect();
        self
    }

    /// Reads these dotenv files, low to high.
    #[must_use]
    pub fn with_env_files(mut self, files: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        self.env_files = files.into_iter().map(Into::into).collect();
        self
    }

    /// Sets whether to read only the named files.
    #[must_use]
    pub fn with_isolated(mut self, isolated: bool) -> Self {
        self.isolated = isolated;
        self
    }

    /// Sets whether to assume that references resolve.
    #[must_use]
    pub fn with_no_resolve(mut self, no_resolve: bool) -> Self {
        self.no_resolve = no_resolve;
        self
    }

    /// Sets the root of the repository.
    #[must_use]
    pub fn with_root(mut self, root: impl Into<PathBuf>) -> Self {
        self.root = Some(root.into());
        self
    }

    /// Sets a policy that nothing else can weaken.
    #[must_use]
    pub fn with_policy(mut self, policy: impl Into<PathBuf>) -> Self {
        self.policy = Some(policy.into());
        self
    }

    /// Returns the path of the directory in its repository.
    pub(crate) fn below(&self) -> PathBuf {
        let found = || self.directory.ancestors().find(|directory| directory.join(".git").exists());
        let root = self.root.as_deref().or_else(found);
        root.and_then(|root| self.directory.strip_prefix(root).ok()).map(Path::to_path_buf).unwrap_or_default()
    }

    /// Returns the files that were named.
    #[cfg(feature = "cli")]
    pub(crate) fn named(&self) -> impl Iterator<Item = PathBuf> {
        self.files.iter().chain(&self.env_files).chain(&self.policy).cloned()
    }
}
