//! What must not change about a file from its opening to its last byte.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use super::reader::unreadable;
use crate::code::Code;
use crate::file;
use crate::upload::error::UploadError;

/// What must not change between the opening of a file and its last byte.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FileStamp {
    /// Which file it is: device and number. Not known on every system.
    pub identity: Option<(u64, u64)>,
    pub len: u64,
    pub modified: Option<SystemTime>,
}

impl FileStamp {
    pub fn from_meta(meta: &Metadata) -> Self {
        Self { identity: file::identity(meta), len: meta.len(), modified: meta.modified().ok() }
    }
}

/// Reads a file from a place of its own, so that a try that was given up and is still reading disturbs nobody.
pub struct At {
    file: Arc<File>,
    offset: u64,
}

impl At {
    pub fn beginning(file: &Arc<File>) -> Self {
        Self { file: Arc::clone(file), offset: 0 }
    }
}

impl Read for At {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        let read = std::os::unix::fs::FileExt::read_at(&*self.file, buffer, self.offset)?;
        #[cfg(windows)]
        let read = std::os::windows::fs::FileExt::seek_read(&*self.file, buffer, self.offset)?;
        self.offset += read as u64;
        Ok(read)
    }
}

fn changed(how: &str) -> UploadError {
    UploadError::new(
        Code::FileChanged,
        format!("the file changed while it was sent: {how}; the service did not get it"),
    )
    .help("send it again once whatever writes it has finished, or send a copy")
}

/// Looks at a file again after `read` bytes. Asked before the last of them are sent: without these, no service takes
/// the request for complete.
pub fn unchanged(file: &Arc<File>, state: &FileStamp, path: Option<&Path>, read: u64) -> Result<(), UploadError> {
    // One that is gone is still what was meant.
    let there = path.and_then(|path| std::fs::metadata(path).ok()).map(|meta| FileStamp::from_meta(&meta));
    let now = match there {
        Some(there) if there.identity == state.identity => there,
        _ => FileStamp::from_meta(&file.metadata().map_err(|error| unreadable(&error))?),
    };
    // Only a file that the system makes up says that it is empty and is not.
    let beyond = state.len == 0 && beyond(file).map_err(|error| unreadable(&error))?;
    if read < state.len || now.len < state.len {
        Err(changed("it is shorter than before"))
    } else if now.len > state.len || beyond {
        Err(changed("it is longer than before"))
    } else if now != *state {
        Err(changed("it was written to"))
    } else if there.is_some_and(|there| there.identity != state.identity) {
        Err(changed("another file has taken its place"))
    } else {
        Ok(())
    }
}

fn beyond(file: &Arc<File>) -> io::Result<bool> {
    Ok(At::beginning(file).read(&mut [0])? > 0)
}
