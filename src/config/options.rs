//! The options for loading a configuration.

use std::path::{Path, PathBuf};

use super::environment::Environment;
use crate::shorthand::setters;
use crate::source::{PipeTexts, Sources};

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
    /// Read only the `[trust]` tables of the user and the policy.
    pub(crate) trust_only: bool,
    /// Texts that replace the content of files.
    pub(crate) pipes: PipeTexts,
}

impl LoadOptions {
    /// Creates the options of a command that is started in `directory`.
    #[must_use]
    pub fn new(directory: impl Into<PathBuf>, environment: Environment) -> Self {
        Self { directory: directory.into(), environment, ..Self::default() }
    }

    setters! {
        /// Reads these configuration files, low to high, instead of the user's and the project's.
        with_files(files: impl IntoIterator<Item = impl Into<PathBuf>>) = files.into_iter().map(Into::into).collect();

        /// Reads these dotenv files, low to high.
        with_env_files(env_files: impl IntoIterator<Item = impl Into<PathBuf>>) =
            env_files.into_iter().map(Into::into).collect();

        /// Sets whether to read only the named files.
        with_isolated(isolated: bool);

        /// Sets whether to assume that references resolve.
        with_no_resolve(no_resolve: bool);

        /// Sets the root of the repository.
        with_root(root: impl Into<PathBuf>) = Some(root.into());

        /// Sets a policy that nothing else can weaken.
        with_policy(policy: impl Into<PathBuf>) = Some(policy.into());
    }

    /// Returns an empty list of the sources that are read with these options.
    pub(crate) fn sources(&self) -> Sources {
        let found = || self.directory.ancestors().find(|directory| directory.join(".git").exists());
        let root = self.root.as_deref().or_else(found);
        let below = root.and_then(|root| self.directory.strip_prefix(root).ok()).unwrap_or(Path::new(""));
        Sources::in_directory(&self.directory, below)
    }

    /// Returns the files that were named.
    pub(crate) fn named_files(&self) -> impl Iterator<Item = PathBuf> {
        self.files.iter().chain(&self.env_files).chain(&self.policy).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fingerprints are the same wherever a check starts.
    #[test]
    fn root_is_nearest_repository_unless_given() {
        let root = tempfile::tempdir().unwrap();
        let inner = root.path().join("a/b");
        std::fs::create_dir_all(&inner).unwrap();
        let options = LoadOptions::new(&inner, Environment::default());
        std::fs::create_dir(root.path().join("a/.git")).unwrap();
        assert_eq!(options.sources().identity_of("c"), "b/c");
        assert_eq!(options.with_root(root.path()).sources().identity_of("c"), "a/b/c");
    }

    /// Reports must not overwrite them.
    #[cfg(feature = "cli")]
    #[test]
    fn named_files_are_inputs() {
        let options = LoadOptions::default().with_files(["a"]).with_env_files(["b"]).with_policy("c");
        assert_eq!(options.named_files().collect::<Vec<_>>(), ["a", "b", "c"].map(PathBuf::from));
    }
}
