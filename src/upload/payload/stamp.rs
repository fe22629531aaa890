//! Detects whether a file changes between its opening and its last byte.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::reader::{Source, unreadable};
use crate::code::Code;
use crate::file;
use crate::upload::error::UploadError;

/// The properties of a file that must not change between its opening and its last byte.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FileStamp {
    /// Device and inode; `None` if the system does not have them.
    pub identity: Option<(u64, u64)>,
    pub len: u64,
    pub modified: Option<SystemTime>,
}

impl FileStamp {
    pub fn from_meta(meta: &Metadata) -> Self {
        Self { identity: file::identity(meta), len: meta.len(), modified: meta.modified().ok() }
    }
}

/// Reads a file at an offset of its own, so that an abandoned attempt that still reads does not disturb the next one.
pub struct OffsetReader {
    file: Arc<File>,
    offset: u64,
}

impl OffsetReader {
    pub fn new(file: &Arc<File>) -> Self {
        Self { file: Arc::clone(file), offset: 0 }
    }
}

impl OffsetReader {
    /// Reads what is in the page cache, and fails with `WouldBlock` for anything else.
    #[cfg(target_os = "linux")]
    fn read_cached(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
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
            // This includes file systems and kernels without support. A real error shows up in the normal read that
            // follows.
            Err(_) => Err(io::ErrorKind::WouldBlock.into()),
        }
    }

    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_self, reason = "used on Linux")]
    fn read_cached(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::WouldBlock.into())
    }
}

impl Read for OffsetReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        let read = std::os::unix::fs::FileExt::read_at(&*self.file, buffer, self.offset)?;
        #[cfg(windows)]
        let read = std::os::windows::fs::FileExt::seek_read(&*self.file, buffer, self.offset)?;
        self.offset += read as u64;
        Ok(read)
    }
}

/// A file to send, limited to the length that it had when it was opened.
pub struct Stamped {
    reader: OffsetReader,
    stamp: FileStamp,
    path: Option<PathBuf>,
    left: u64,
    /// Read only what is in the page cache.
    cached_only: bool,
}

impl Stamped {
    pub fn new(file: &Arc<File>, stamp: FileStamp, path: Option<PathBuf>) -> Self {
        Self { reader: OffsetReader::new(file), stamp, path, left: stamp.len, cached_only: false }
    }

    /// Reads only what is in the page cache, where the system supports that, so a drive that does not respond blocks
    /// nothing.
    pub fn cached_only(self) -> Self {
        Self { cached_only: true, ..self }
    }
}

impl Read for Stamped {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let buffer = &mut buffer[..len];
        let read = if self.cached_only { self.reader.read_cached(buffer)? } else { self.reader.read(buffer)? };
        self.left -= read as u64;
        Ok(read)
    }
}

impl Source for Stamped {
    fn set_blocking(&mut self) {
        self.cached_only = false;
    }

    fn check(&self, read: u64) -> Result<(), UploadError> {
        unchanged(&self.reader.file, &self.stamp, self.path.as_deref(), read)
    }
}

fn changed(how: &str) -> UploadError {
    UploadError::new(
        Code::FileChanged,
        format!("the file changed while it was sent: {how}; the service did not get it"),
    )
    .help("send it again once whatever writes it has finished, or send a copy")
}

/// Checks that a file is unchanged after `read` bytes. This happens before the last of them are sent: without them, no
/// service treats the request as complete.
pub fn unchanged(file: &Arc<File>, stamp: &FileStamp, path: Option<&Path>, read: u64) -> Result<(), UploadError> {
    // A deleted file is still the one that was opened.
    let there = path.and_then(|path| std::fs::metadata(path).ok()).map(|meta| FileStamp::from_meta(&meta));
    let now = match there {
        Some(there) if there.identity == stamp.identity => there,
        _ => FileStamp::from_meta(&file.metadata().map_err(|error| unreadable(&error))?),
    };
    // Virtual files, such as those in `/proc`, claim to be empty and are not.
    let unexpected = stamp.len == 0 && has_data(file).map_err(|error| unreadable(&error))?;
    if read < stamp.len || now.len < stamp.len {
        Err(changed("it is shorter than before"))
    } else if now.len > stamp.len || unexpected {
        Err(changed("it is longer than before"))
    } else if now != *stamp {
        Err(changed("it was written to"))
    } else if there.is_some_and(|there| there.identity != stamp.identity) {
        Err(changed("another file has taken its place"))
    } else {
        Ok(())
    }
}

fn has_data(file: &Arc<File>) -> io::Result<bool> {
    Ok(OffsetReader::new(file).read(&mut [0])? > 0)
}
