//! References that may not be resolved.

use std::path::{Path, PathBuf};

/// Why a reference may not be resolved, and what to do about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refusal {
    pub why: &'static str,
    pub help: &'static str,
}

/// Returns the real path of a file if it is below a directory, so that a link can't lead out of it. A missing file is
/// reported when it is opened.
pub(super) fn below(directory: &Path, file: &Path) -> Option<PathBuf> {
    match (file.canonicalize(), directory.canonicalize()) {
        (Ok(real), Ok(directory)) => real.starts_with(&directory).then_some(real),
        (Err(_), _) => Some(file.to_path_buf()),
        _ => None,
    }
}
