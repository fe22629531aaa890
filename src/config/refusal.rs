//! References that may not be resolved.

use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

/// Why a reference may not be resolved, and what to do about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refusal {
    pub why: &'static str,
    pub help: &'static str,
}

/// Returns the real path of a file if it is below a directory, so that a link can't lead out of it. A file that can't be
/// opened is reported then; any other file without a real path, such as one whose real path is too long, is refused.
pub(super) fn below(directory: &Path, file: &Path) -> Option<PathBuf> {
    match (file.canonicalize(), directory.canonicalize()) {
        (Ok(real), Ok(directory)) => real.starts_with(&directory).then_some(real),
        (Err(error), _) if unopenable(&error) => Some(file.to_path_buf()),
        _ => None,
    }
}

fn unopenable(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::PermissionDenied)
}
