//! The file of the journal, held by one run alone.

use std::fs::{File, TryLockError};
use std::path::Path;

use crate::code::Code;
use crate::file::{self, OwnError};
use crate::text;
use crate::upload::error::UploadError;

/// What is wrong with the journal of that name.
pub fn unreadable(path: &Path, why: &str) -> UploadError {
    UploadError::new(Code::JournalUnreadable, format!("the journal {} {why}", text::file_or_path(path)))
}

/// The same where another file is the way out.
pub fn not_a_journal(path: &Path, why: &str) -> UploadError {
    unreadable(path, why).help("choose another file with --journal")
}

/// Opens a journal, or makes one, and keeps every other run out of it until it is closed. What was there is not changed.
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
