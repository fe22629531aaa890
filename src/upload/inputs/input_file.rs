//! Finds files in directories and by patterns. Links are not followed, so all files are inside.

use std::path::{Component, Path, PathBuf};

use glob::{MatchOptions, Pattern};
use walkdir::{DirEntry, WalkDir};

use crate::file;

/// A file that was named or found. Found files have an identity.
#[derive(Debug)]
pub struct InputFile {
    pub path: PathBuf,
    pub identity: Option<(u64, u64)>,
    /// The size; 0 if it is unknown.
    pub len: u64,
}

impl InputFile {
    /// Creates an entry for a named file, wherever it leads.
    pub fn named(path: &Path, len: u64) -> Self {
        Self { path: path.to_owned(), identity: None, len }
    }

    /// Creates an entry for an unreadable directory. It fails with the reason when it is opened.
    fn closed(error: &walkdir::Error) -> Option<Self> {
        Some(Self::named(error.path()?, 0))
    }

    fn entry(entry: DirEntry) -> Self {
        let meta = entry.metadata().ok();
        let (identity, len) = (meta.as_ref().and_then(file::identity), meta.map_or(0, |meta| meta.len()));
        Self { path: entry.into_path(), identity, len }
    }
}

/// Returns all regular files below a directory, sorted by name. Unreadable directories are included, and fail when they
/// are opened.
pub fn below(directory: &Path, mut wanted: impl FnMut(&Path) -> bool) -> Vec<InputFile> {
    let wanted = |entry: &DirEntry| entry.depth() == 0 || !is_hidden(entry) && wanted(entry.path());
    let entries = WalkDir::new(directory).sort_by_file_name().into_iter().filter_entry(wanted);
    entries
        .filter_map(|entry| match entry {
            Ok(entry) => entry.file_type().is_file().then(|| InputFile::entry(entry)),
            Err(error) => InputFile::closed(&error),
        })
        .collect()
}

fn is_denied(error: &walkdir::Error) -> bool {
    error.io_error().is_some_and(|error| error.kind() == std::io::ErrorKind::PermissionDenied)
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().first() == Some(&b'.')
}

fn is_pattern(component: &Component<'_>) -> bool {
    matches!(component, Component::Normal(part) if part.to_str().is_none_or(|part| part.contains(['*', '?', '['])))
}

/// Returns the path before the first wildcard.
pub fn named_part(pattern: &Path) -> PathBuf {
    pattern.components().take_while(|component| !is_pattern(component)).collect()
}

/// Returns the regular files that match a pattern, and unreadable directories on the way. The path before the first
/// `*`, `?` or `[` was named and may contain links outside of the repository; the rest may contain none.
pub fn matches(pattern: &Path) -> Vec<InputFile> {
    // A Windows path prefix may contain a question mark.
    let named = named_part(pattern);
    let rest: PathBuf = pattern.components().skip_while(|component| !is_pattern(component)).collect();
    let parts = rest.iter().map(|part| Pattern::new(part.to_str().unwrap_or_default())).collect::<Result<Vec<_>, _>>();
    // An invalid pattern is a file's name that doesn't exist. A pattern for directories matches no files.
    let (Ok(parts), Ok(whole)) = (parts, Pattern::new(rest.to_str().unwrap_or_default())) else { return Vec::new() };
    if rest.ends_with("**") || file::is_linked(&named) {
        return Vec::new();
    }
    let visible =
        MatchOptions { require_literal_separator: true, require_literal_leading_dot: true, ..MatchOptions::default() };
    let any_depth = parts.iter().position(|part| part.as_str() == "**");
    let root = if named.as_os_str().is_empty() { Path::new(".") } else { &named };
    // `*` also matches an empty string, so hidden files need a separate check.
    let shows = |part: &Pattern, entry: &DirEntry| !is_hidden(entry) || part.as_str().starts_with('.');
    // Skip directories in which nothing can match.
    let leads_on = |entry: &DirEntry| match entry.depth() {
        0 => true,
        depth if depth <= any_depth.unwrap_or(parts.len()) => {
            let part = &parts[depth - 1];
            shows(part, entry) && entry.file_name().to_str().is_some_and(|name| part.matches_with(name, visible))
        }
        _ => parts.iter().any(|part| shows(part, entry)),
    };
    let depth = if any_depth.is_some() { usize::MAX } else { parts.len() };
    let entries = WalkDir::new(root).min_depth(1).max_depth(depth).sort_by_file_name().into_iter();
    entries
        .filter_entry(leads_on)
        .filter_map(|entry| match entry {
            Ok(entry) => {
                let path = entry.path().strip_prefix(root).unwrap_or(entry.path());
                let matches = entry.file_type().is_file()
                    && parts.last().is_some_and(|part| shows(part, &entry))
                    && whole.matches_path_with(path, visible);
                matches.then(|| InputFile::entry(entry))
            }
            Err(error) => InputFile::closed(&error).filter(|_| is_denied(&error)),
        })
        .map(|found| {
            let path = found.path.strip_prefix(root).map_or_else(|_| found.path.clone(), |path| named.join(path));
            InputFile { path, ..found }
        })
        .collect()
}
