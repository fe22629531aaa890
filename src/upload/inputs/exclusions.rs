//! What a directory or a pattern does not stand for.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use glob::Pattern;

use crate::file::FileSet;
use crate::upload::shard::Shard;

/// What to leave out of directories and patterns.
#[derive(Clone, Debug, Default)]
pub struct Exclusions {
    pub(super) own: FileSet,
    pub(super) secret: FileSet,
    shard: Option<(Shard, PathBuf)>,
    exclude: Vec<Exclude>,
}

impl Exclusions {
    /// Nothing but files with variables.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Also files of the run itself: its configuration, which may hold a token, and its journal, which grows.
    #[must_use]
    pub fn with_own(mut self, own: impl IntoIterator<Item = PathBuf>) -> Self {
        self.own = FileSet::new(own);
        self
    }

    /// Also files that hold a secret.
    #[must_use]
    pub fn with_secret(mut self, secret: FileSet) -> Self {
        self.secret = secret;
        self
    }

    /// Also what these patterns match.
    #[must_use]
    pub fn with_excluded(mut self, exclude: Vec<Exclude>) -> Self {
        self.exclude = exclude;
        self
    }

    /// Also what is in another share, by its path relative to a directory.
    #[must_use]
    pub fn with_shard(mut self, shard: Option<Shard>, directory: PathBuf) -> Self {
        self.shard = shard.map(|shard| (shard, directory));
        self
    }

    /// Whether a file is in another share.
    pub(super) fn is_elsewhere(&self, path: &Path) -> bool {
        self.shard.as_ref().is_some_and(|(shard, directory)| !shard.takes(path, directory))
    }

    /// Whether a path is excluded, by its name or as it is written below the directory.
    pub(super) fn excludes(&self, path: &Path) -> bool {
        self.exclude.iter().any(|exclude| exclude.matches(path))
    }
}

/// A pattern for what to leave out.
#[derive(Clone)]
pub struct Exclude(Pattern);

impl std::fmt::Debug for Exclude {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A word of the command line may be anything.
        f.write_str("Exclude(..)")
    }
}

impl Exclude {
    /// Reads a pattern.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn new(pattern: &str) -> Result<Self, &'static str> {
        // A directory is meant by its name, with or without the slash.
        Pattern::new(pattern.strip_suffix('/').unwrap_or(pattern)).map(Self).map_err(|error| error.msg)
    }

    fn matches(&self, path: &Path) -> bool {
        let matches = |text: &OsStr| self.0.matches(&text.to_string_lossy());
        matches(path.as_os_str()) || path.file_name().is_some_and(matches)
    }
}

/// Whether a file holds variables, by its name: `.env`, `.env.local`, `prod.env`.
pub(super) fn holds_variables(path: &Path) -> bool {
    path.file_name().is_some_and(|name| {
        let name = name.as_encoded_bytes();
        name.starts_with(b".env") || name.ends_with(b".env")
    })
}
