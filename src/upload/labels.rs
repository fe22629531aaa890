//! Names of files for display and the journal. A file may be named after a secret.

use std::path::Path;
use std::sync::Arc;

use super::receipt::Receipt;
use super::secrets::OwnSecrets;
use super::wire::guard::Guard;
use crate::secret::MASK;
use crate::text;

/// Recognises the secrets of the profile.
#[derive(Clone, Default)]
pub(crate) struct FileLabels(Arc<[Guard]>);

impl std::fmt::Debug for FileLabels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FileLabels({})", self.0.len())
    }
}

impl FileLabels {
    pub(crate) fn new(secrets: &OwnSecrets) -> Self {
        Self(secrets.secrets().map(Guard::for_names).collect())
    }

    /// Returns `true` if a path contains a secret, or too much of one.
    pub(crate) fn hide(&self, path: &Path) -> bool {
        let path = path.to_string_lossy();
        self.0.iter().any(|guard| guard.echo_together(&[&path]))
    }

    /// Returns the path of an existing file for display.
    pub(crate) fn file(&self, path: &Path) -> String {
        if self.hide(path) { MASK.to_owned() } else { text::file(path) }
    }

    /// Returns a receipt without the file's name, if that must be hidden.
    pub(crate) fn mask(&self, path: &Path, mut receipt: Receipt) -> Receipt {
        if self.hide(path) {
            MASK.clone_into(&mut receipt.file);
            if let Some(error) = &mut receipt.error {
                error.message = error.message.replace(&text::file_or_path(path), MASK);
            }
        }
        receipt
    }
}
