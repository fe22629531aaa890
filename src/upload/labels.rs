//! What the files of a run are called where that is printed or written down: a file can be named after a secret.

use std::path::Path;
use std::sync::Arc;

use super::receipt::Receipt;
use super::secrets::OwnSecrets;
use super::wire::guard::Guard;
use crate::secret::MASK;
use crate::text;

/// Knows the secrets of the profile that sends.
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

    /// Whether a path holds a secret, or so much of one that it is not repeated.
    pub(crate) fn hide(&self, path: &Path) -> bool {
        let path = path.to_string_lossy();
        self.0.iter().any(|guard| guard.echo_together(&[&path]))
    }

    /// The path as it may be printed, of a file that is there.
    pub(crate) fn file(&self, path: &Path) -> String {
        if self.hide(path) { MASK.to_owned() } else { text::file(path) }
    }

    /// The receipt of this file without its name, if that is not to be repeated.
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
