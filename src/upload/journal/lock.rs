//! The file of the journal, held by one run alone.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use crate::code::Code;
use crate::text;
use crate::upload::error::UploadError;

/// What is wrong with the journal of that name.
pub fn unreadable(path: &Path, why: &str) -> UploadError {
    UploadError::new(Code::JournalUnreadable, format!("the journal {} {why}", text::file_or_path(path)))
}

/// The same where another file is the way out.
pub fn not_a_journal(path: &Path, why: &str) -> UploadError {
    unreadable(path, why).help("name another file with --journal")
}

/// Opens a journal, or makes one, and keeps every other run out of it until it is closed.
pub fn open_locked(path: &Path) -> Result<File, UploadError> {
    if path.symlink_metadata().is_ok_and(|meta| !meta.is_file()) {
        return Err(not_a_journal(path, "is not a regular file"));
    }
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path).map_err(|error| {
        unreadable(path, &format!("can't be opened: {}", error.kind()))
            .help("its directory has to be there, and be yours to write to")
    })?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let message = format!("another run is using the journal {}", text::file_or_path(path));
            return Err(UploadError::new(Code::JournalLocked, message).help("wait for it to end"));
        }
        Err(TryLockError::Error(error)) => {
            return Err(unreadable(path, &format!("can't be locked: {}", error.kind())));
        }
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // One that is somebody else's to set is as private as they want it.
        let _ = file.set_permissions(std::fs::Permissions::from_mode(0o600));
    }
    Ok(file)
}
