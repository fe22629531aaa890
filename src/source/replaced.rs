//! Texts to read in place of what files hold.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret, SecretString};
use zeroize::Zeroizing;

/// Texts to read in place of what files hold: what a fix would make of them.
#[derive(Clone, Debug, Default)]
pub struct Replaced(HashMap<PathBuf, SecretString>);

impl Replaced {
    /// Reads this text from now on.
    pub(crate) fn insert(&mut self, path: PathBuf, text: &str) {
        self.0.insert(path, SecretString::from(text));
    }

    /// The text to read, if there is one.
    pub(crate) fn get(&self, path: &Path) -> Option<Zeroizing<String>> {
        #[expect(clippy::disallowed_methods, reason = "a whole text on its way to a parser or back to its file")]
        self.0.get(path).map(|text| Zeroizing::new(text.expose_secret().to_owned()))
    }
}
