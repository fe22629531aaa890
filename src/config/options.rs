//! What is asked of a load.

use std::path::{Path, PathBuf};

use super::environment::Environment;
use crate::source::Replaced;

/// What to load, and from where.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LoadOptions {
    /// Where discovery starts, and what relative paths are relative to.
    pub directory: PathBuf,
    /// Configuration files, low to high. If there are any, the user's and the project's are not read.
    pub files: Vec<PathBuf>,
    /// Dotenv files, low to high.
    pub env_files: Vec<PathBuf>,
    /// Read only what is named: no discovery, no `CREDLINT_X__Y` variables.
    pub isolated: bool,
    /// Treat every reference as present and opaque.
    pub no_resolve: bool,
    /// The environment.
    pub environment: Environment,
    /// The root of the repository that `directory` is in, if that is not the nearest one with `.git`: fingerprints are the same
    /// wherever below it a check starts.
    pub root: Option<PathBuf>,
    /// A file with a table `[lint]` that nothing else can weaken.
    pub policy: Option<PathBuf>,
    /// Texts to read in place of what files hold.
    pub(crate) replaced: Replaced,
}

impl LoadOptions {
    /// What a command that is started in `directory` loads.
    #[must_use]
    pub fn new(directory: impl Into<PathBuf>, environment: Environment) -> Self {
        Self { directory: directory.into(), environment, ..Self::default() }
    }

    /// Reads these configuration files, low to high, in place of the user's and the project's.
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

    /// Reads only what is named, or what is found as well.
    #[must_use]
    pub fn with_isolated(mut self, isolated: bool) -> Self {
        self.isolated = isolated;
        self
    }

    /// Takes every reference as present without looking it up, or looks it up.
    #[must_use]
    pub fn with_no_resolve(mut self, no_resolve: bool) -> Self {
        self.no_resolve = no_resolve;
        self
    }

    /// Takes this for the root of the repository.
    #[must_use]
    pub fn with_root(mut self, root: impl Into<PathBuf>) -> Self {
        self.root = Some(root.into());
        self
    }

    /// Holds the configuration to a policy that nothing else can weaken.
    #[must_use]
    pub fn with_policy(mut self, policy: impl Into<PathBuf>) -> Self {
        self.policy = Some(policy.into());
        self
    }

    /// Where the directory is in its repository.
    pub(crate) fn below(&self) -> PathBuf {
        let found = || self.directory.ancestors().find(|directory| directory.join(".git").exists());
        let root = self.root.as_deref().or_else(found);
        root.and_then(|root| self.directory.strip_prefix(root).ok()).map(Path::to_path_buf).unwrap_or_default()
    }

    /// The files that are named to be read.
    #[cfg(feature = "cli")]
    pub(crate) fn named(&self) -> impl Iterator<Item = PathBuf> {
        self.files.iter().chain(&self.env_files).chain(&self.policy).cloned()
    }
}
