//! Opens and locks the journal's file.

use std::fs::{File, TryLockError};
use std::path::Path;

use crate::code::Code;
use crate::file::{self, OwnError};
use crate::text;
use crate::upload::error::UploadError;

/// Returns an error about the journal.
pub fn unreadable(path: &Path, why: &str) -> UploadError {
    UploadError::new(Code::JournalUnreadable, format!("the journal {} {why}", text::file_or_path(path)))
}

/// Returns an error that suggests another file.
pub fn not_a_journal(path: &Path, why: &str) -> UploadError {
    unreadable(path, why).help("choose another file with --journal")
}

/// Opens or creates a journal, and locks it until it is closed. Its content is not changed.
pub fn open_locked(path: &Path) -> Result<File, UploadError> {
    let file = file::open_own(path).map_err(|error| {
        let refused = not_a_journal(path, &error.to_string());
        match error {
            OwnError::NotRegular("a symbolic link") => refused.help("pass the file itself with --journal"),
            OwnError::NoDirectory | OwnError::Io(_) => {
                refused.help("choose a writable file in an existing directory with --journal")
            }
            _ => refused,
        }
    })?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let message = format!("another run is using the journal {}", text::file_or_path(path));
            return Err(UploadError::new(Code::JournalLocked, message).help("wait for it to finish"));
        }
        Err(TryLockError::Error(error)) => {
            return Err(not_a_journal(path, &format!("can't be locked: {}", error.kind())));
        }
    }
    Ok(file)
}
