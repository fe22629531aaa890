//! Texts that replace the content of files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret, SecretString};
use zeroize::Zeroizing;

/// Texts that replace the content of files: the results of a fix.
#[derive(Clone, Debug, Default)]
pub struct Replaced(HashMap<PathBuf, SecretString>);

impl Replaced {
    /// Replaces the content of a file.
    pub(crate) fn insert(&mut self, path: PathBuf, text: &str) {
        self.0.insert(path, SecretString::from(text));
    }

    /// Returns the replacement of a file's content.
    pub(crate) fn get(&self, path: &Path) -> Option<Zeroizing<String>> {
        #[expect(clippy::disallowed_methods, reason = "a whole text on its way to a parser or back to its file")]
        self.0.get(path).map(|text| Zeroizing::new(text.expose_secret().to_owned()))
    }
}
