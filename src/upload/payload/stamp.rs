//! What must not change about a file from its opening to its last byte.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::reader::{Source, unreadable};
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

impl At {
    /// Reads what is in the page cache; what is not would block.
    #[cfg(target_os = "linux")]
    fn read_at_hand(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        use rustix::io::{Errno, ReadWriteFlags, preadv2};
        if buffer.is_empty() {
            return Ok(0);
        }
        match preadv2(&*self.file, &mut [io::IoSliceMut::new(buffer)], self.offset, ReadWriteFlags::NOWAIT) {
            Ok(read) => {
                self.offset += read as u64;
                Ok(read)
            }
            Err(Errno::INTR) => Err(io::ErrorKind::Interrupted.into()),
            // Also where the file system or the kernel knows no such reading; an error shows when it is read as usual.
            Err(_) => Err(io::ErrorKind::WouldBlock.into()),
        }
    }

    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_self, reason = "on Linux it is read")]
    fn read_at_hand(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::WouldBlock.into())
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

/// A file that is sent: its first bytes, as many as it had when it was opened.
pub struct Stamped {
    at: At,
    stamp: FileStamp,
    path: Option<PathBuf>,
    left: u64,
    /// Reads only what the system has at hand.
    at_hand: bool,
}

impl Stamped {
    pub fn new(file: &Arc<File>, stamp: FileStamp, path: Option<PathBuf>) -> Self {
        Self { at: At::beginning(file), stamp, path, left: stamp.len, at_hand: false }
    }

    /// Reads only what the system has at hand, where it can tell that: a drive that does not answer holds up nothing.
    pub fn at_hand(self) -> Self {
        Self { at_hand: true, ..self }
    }
}

impl Read for Stamped {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let buffer = &mut buffer[..len];
        let read = if self.at_hand { self.at.read_at_hand(buffer)? } else { self.at.read(buffer)? };
        self.left -= read as u64;
        Ok(read)
    }
}

impl Source for Stamped {
    fn wait(&mut self) {
        self.at_hand = false;
    }

    fn check(&self, read: u64) -> Result<(), UploadError> {
        unchanged(&self.at.file, &self.stamp, self.path.as_deref(), read)
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
