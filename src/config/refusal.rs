//! References that are not followed.

use std::path::{Path, PathBuf};

/// Why a reference is not followed, and what to do about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refusal {
    pub why: &'static str,
    pub help: &'static str,
}

/// A file, if it is below a directory. A link may lead anywhere, and so what it leads to is looked at, and to be opened.
/// One that is not there is told as such.
pub(super) fn below(directory: &Path, file: &Path) -> Option<PathBuf> {
    match (file.canonicalize(), directory.canonicalize()) {
        (Ok(real), Ok(directory)) => real.starts_with(&directory).then_some(real),
        (Err(_), _) => Some(file.to_path_buf()),
        _ => None,
    }
}
