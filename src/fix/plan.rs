//! The plan of a fix: plain data, and a method to write it.

use super::diff::DiffLine;
use crate::file::{self, ReplaceError};
use crate::source::{MAX_FILE, ReadFile, Replaced, Stamp};

/// What can be fixed, and what can't.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Plan {
    /// The files that would change.
    pub files: Vec<FilePlan>,
    /// Findings that can't be fixed although their rule has a fix.
    pub refused: Vec<Refused>,
    /// Files that can't be changed, with reasons.
    pub blocked: Vec<(String, String)>,
}

/// The changes to one file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FilePlan {
    /// The file's name for display.
    pub name: String,
    /// The fixes, in the order in which they are applied.
    pub fixed: Vec<Fixed>,
    /// The masked diff.
    pub diff: Vec<DiffLine>,
    pub(super) file: ReadFile,
    /// Holds the new text.
    pub(super) replaced: Replaced,
}

/// A finding that is fixed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Fixed {
    /// The rule that reported it.
    pub rule: &'static str,
    /// The path of its key.
    pub key: String,
    /// The description of the fix.
    pub text: String,
}

/// A finding that is not fixed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Refused {
    /// The rule that reported it.
    pub rule: &'static str,
    /// The path of its key.
    pub key: String,
    /// The name of the source.
    pub file: String,
    /// The name of the source, with the line.
    pub source: String,
    /// The reason.
    pub why: String,
}

impl FilePlan {
    /// Atomically replaces the file with the new text.
    ///
    /// # Errors
    ///
    /// Returns an error if the file has changed since the check, is a link, or can't be written. The file is then
    /// unchanged.
    pub fn write(&self) -> Result<(), ReplaceError> {
        let text = self.replaced.get(&self.file.path).unwrap_or_default();
        file::replace(&self.file.path, MAX_FILE, |old| Stamp::new(old) == self.file.stamp, &text)
    }
}
