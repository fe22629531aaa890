//! Walks directories. Links are not followed, and no ignore file applies.

use std::io;
use std::path::Path;

pub use ignore::{DirEntry, WalkBuilder};

/// Returns a walk of everything below a directory.
pub fn walk(directory: &Path) -> WalkBuilder {
    let mut builder = WalkBuilder::new(directory);
    builder.standard_filters(false).follow_links(false);
    builder
}

/// Returns `true` for a directory.
pub fn is_directory(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir())
}

/// Returns the path and the cause of an error.
pub fn unread(error: &ignore::Error) -> Option<(&Path, Option<io::ErrorKind>)> {
    match error {
        ignore::Error::WithPath { path, err } => Some((path, err.io_error().map(io::Error::kind))),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => unread(err),
        _ => None,
    }
}
