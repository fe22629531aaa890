//! Files that directories and patterns don't include.

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
    /// Excludes only dotenv files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Also excludes files of the run itself: the configuration, which may have a token, and the journal, which grows.
    #[must_use]
    pub fn with_own(mut self, own: impl IntoIterator<Item = PathBuf>) -> Self {
        self.own = FileSet::new(own);
        self
    }

    /// Also excludes files with secrets.
    #[must_use]
    pub fn with_secret(mut self, secret: FileSet) -> Self {
        self.secret = secret;
        self
    }

    /// Also excludes what these patterns match.
    #[must_use]
    pub fn with_excluded(mut self, exclude: Vec<Exclude>) -> Self {
        self.exclude = exclude;
        self
    }

    /// Also excludes files in other shares, by their paths relative to a directory.
    #[must_use]
    pub fn with_shard(mut self, shard: Option<Shard>, directory: PathBuf) -> Self {
        self.shard = shard.map(|shard| (shard, directory));
        self
    }

    /// Returns `true` if a file is in another share.
    pub(super) fn is_elsewhere(&self, path: &Path) -> bool {
        self.shard.as_ref().is_some_and(|(shard, directory)| !shard.takes(path, directory))
    }

    /// Returns `true` if a path is excluded, by its name or its path below the directory.
    pub(super) fn excludes(&self, path: &Path) -> bool {
        self.exclude.iter().any(|exclude| exclude.matches(path))
    }
}

/// An exclude pattern.
#[derive(Clone)]
pub struct Exclude(Pattern);

impl std::fmt::Debug for Exclude {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A word of the command line could be a secret.
        f.write_str("Exclude(..)")
    }
}

impl Exclude {
    /// Parses a pattern.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with it.
    pub fn new(pattern: &str) -> Result<Self, &'static str> {
        // A trailing slash is optional for a directory.
        Pattern::new(pattern.strip_suffix('/').unwrap_or(pattern)).map(Self).map_err(|error| error.msg)
    }

    fn matches(&self, path: &Path) -> bool {
        let matches = |text: &OsStr| self.0.matches(&text.to_string_lossy());
        matches(path.as_os_str()) || path.file_name().is_some_and(matches)
    }
}

/// Returns `true` for a dotenv file by its name: `.env`, `.env.local`, `prod.env`.
pub(super) fn holds_variables(path: &Path) -> bool {
    path.file_name().is_some_and(|name| {
        let name = name.as_encoded_bytes();
        name.starts_with(b".env") || name.ends_with(b".env")
    })
}
