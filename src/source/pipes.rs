//! The texts of dotenv files that were read once: what is judged is what a command gets, and a pipe gives its content
//! only once.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret, SecretString};
use zeroize::Zeroizing;

use crate::file::{FileError, Opened};

/// The texts of files that were read beforehand, by their paths.
#[derive(Clone, Debug, Default)]
pub struct PipeTexts(HashMap<PathBuf, Result<(SecretString, Opened), FileError>>);

impl PipeTexts {
    /// Reads files and pipes.
    pub(crate) fn read(paths: impl Iterator<Item = PathBuf>, limit: u64) -> Self {
        let read = |path: PathBuf| {
            let read = crate::file::read_stream_text(&path, limit);
            let kept = read.map(|(text, opened)| (SecretString::from(text.as_str()), opened));
            (path, kept)
        };
        Self(paths.map(read).collect())
    }

    /// Returns the text of a file. `None` if it was not read.
    #[expect(clippy::disallowed_methods, reason = "a whole text on its way to a parser")]
    pub(super) fn get(&self, path: &Path) -> Option<Result<(Zeroizing<String>, Opened), FileError>> {
        let exposed = |text: SecretString| Zeroizing::new(text.expose_secret().to_owned());
        self.0.get(path).map(|read| read.clone().map(|(text, opened)| (exposed(text), opened)))
    }
}
