//! What would be done: data, and the one thing that can be done with it.

use super::diff::DiffLine;
use crate::file::{self, ReplaceError};
use crate::source::{MAX_FILE, ReadFile, Replaced, Stamp};

/// What can be fixed, and what can't.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Plan {
    /// The files that would change.
    pub files: Vec<FilePlan>,
    /// Findings of rules that have fixes, which have none all the same.
    pub refused: Vec<Refused>,
    /// Files that can't be changed, and why.
    pub blocked: Vec<(String, String)>,
}

/// What would change in one file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FilePlan {
    /// Its name as it is printed.
    pub name: String,
    /// What is fixed, in the order in which it was done.
    pub fixed: Vec<Fixed>,
    /// The change, masked.
    pub diff: Vec<DiffLine>,
    pub(super) file: ReadFile,
    /// Holds the new text.
    pub(super) replaced: Replaced,
}

/// A finding that is fixed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Fixed {
    /// The rule that found it.
    pub rule: &'static str,
    /// The path of its key.
    pub key: String,
    /// What is done about it.
    pub text: String,
}

/// A finding that is not fixed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Refused {
    /// The rule that found it.
    pub rule: &'static str,
    /// The path of its key.
    pub key: String,
    /// The name of the source where it was found.
    pub file: String,
    /// The same with its line.
    pub source: String,
    /// Why not.
    pub why: String,
}

impl FilePlan {
    /// Puts the new text in the place of the old one, in one step.
    ///
    /// # Errors
    /// If the file has changed since it was checked, is a link, or anything else is in the way; it is then untouched.
    pub fn write(&self) -> Result<(), ReplaceError> {
        let text = self.replaced.get(&self.file.path).unwrap_or_default();
        file::replace(&self.file.path, MAX_FILE, |old| Stamp::new(old) == self.file.stamp, &text)
    }
}
