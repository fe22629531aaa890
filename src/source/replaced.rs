//! Texts that replace the content of files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret, SecretString};
use zeroize::Zeroizing;

use crate::file::{FileError, Opened};

/// Texts that replace the content of files: the results of a fix, and what pipes gave.
#[derive(Clone, Debug, Default)]
pub struct Replaced {
    texts: HashMap<PathBuf, SecretString>,
    read: HashMap<PathBuf, Result<(SecretString, Opened), FileError>>,
}

impl Replaced {
    /// Replaces the content of a file.
    pub(crate) fn insert(&mut self, path: PathBuf, text: &str) {
        self.texts.insert(path, SecretString::from(text));
    }

    /// Reads those that are pipes, which give their content once.
    #[cfg(feature = "cli")]
    pub(crate) fn of_pipes(paths: impl Iterator<Item = PathBuf>, limit: u64) -> Self {
        let read = |path: PathBuf| {
            let read = crate::file::read_stream_text(&path, limit);
            let kept = read.map(|(text, opened)| (SecretString::from(text.as_str()), opened));
            (path, kept)
        };
        Self { texts: HashMap::new(), read: paths.filter(|path| !path.is_file()).map(read).collect() }
    }

    /// Returns what a pipe gave.
    pub(super) fn read(&self, path: &Path) -> Option<Result<(Zeroizing<String>, Opened), FileError>> {
        self.read.get(path).map(|read| read.clone().map(|(text, opened)| (exposed(&text), opened)))
    }

    /// Returns the replacement of a file's content.
    pub(crate) fn get(&self, path: &Path) -> Option<Zeroizing<String>> {
        self.texts.get(path).map(exposed)
    }
}

#[expect(clippy::disallowed_methods, reason = "a whole text on its way to a parser or back to its file")]
fn exposed(text: &SecretString) -> Zeroizing<String> {
    Zeroizing::new(text.expose_secret().to_owned())
}
