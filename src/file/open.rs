//! Opening and reading what is certain to be a regular file.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use zeroize::Zeroizing;

/// Why a file was not opened or read.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileError {
    /// No file is at that path.
    NotFound,
    /// The path leads to a directory, a pipe, a socket or a device.
    NotRegular(&'static str),
    /// It is larger than the limit, in bytes.
    TooLarge(u64),
    /// It is not UTF-8 from this byte on.
    NotUtf8(usize),
    /// The operating system refused; only its kind is kept.
    Io(io::ErrorKind),
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::NotFound,
            kind => Self::Io(kind),
        }
    }
}

impl std::fmt::Display for FileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFound => f.write_str("no such file or directory"),
            Self::NotRegular(what) => write!(f, "it is {what}, not a regular file"),
            Self::TooLarge(limit) => write!(f, "it is larger than {} MiB", limit / (1024 * 1024)),
            Self::NotUtf8(offset) => write!(f, "it is not UTF-8 at byte {offset}"),
            Self::Io(kind) => write!(f, "{kind}"),
        }
    }
}

impl std::error::Error for FileError {}

/// Opens a regular file for reading. The kind is checked on what was opened, not on the path, and a pipe without a
/// writer does not block.
///
/// # Errors
/// If it cannot be opened, or is anything but a regular file.
pub fn open_regular(path: &Path) -> Result<(File, std::fs::Metadata), FileError> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or(0));
    }
    let file = options.open(path).map_err(|error| {
        // Opening a socket fails before its kind can be read from a descriptor.
        match std::fs::metadata(path).map(|meta| kind(&meta)) {
            Ok(Some(what)) => FileError::NotRegular(what),
            _ => error.into(),
        }
    })?;
    let meta = file.metadata()?;
    match kind(&meta) {
        Some(what) => Err(FileError::NotRegular(what)),
        None => Ok((file, meta)),
    }
}

/// What a file is, if it is not a regular one.
pub(super) fn kind(meta: &std::fs::Metadata) -> Option<&'static str> {
    let kind = meta.file_type();
    if kind.is_file() {
        return None;
    }
    if kind.is_dir() {
        return Some("a directory");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return Some("a named pipe");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
    }
    Some("a device")
}

/// What is known of a file that was opened.
#[derive(Clone, Debug)]
pub struct Opened {
    /// What the operating system says of it.
    pub meta: std::fs::Metadata,
    /// Other users can read it, and somebody could change that.
    pub exposed: bool,
}

/// Whether other users than its owner can read a file: its mode says so, and it lies where modes are anybody's to set.
/// A read-only or memory file system is how a container is handed its secrets, with modes that nobody chose.
#[cfg(unix)]
fn is_exposed(file: &File, meta: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    let own = meta.uid() == rustix::process::geteuid().as_raw();
    // A group is the way to hand a file to a user who does not own it.
    let shared = meta.mode() & 0o004 != 0 || (own && meta.mode() & 0o040 != 0);
    shared && !is_read_only(file) && !is_memory(file)
}

#[cfg(not(unix))]
fn is_exposed(_: &File, _: &std::fs::Metadata) -> bool {
    false
}

#[cfg(unix)]
fn is_read_only(file: &File) -> bool {
    rustix::fs::fstatvfs(file).is_ok_and(|system| system.f_flag.contains(rustix::fs::StatVfsMountFlags::RDONLY))
}

/// Whether a file is kept in memory: `tmpfs` or `ramfs`. The numbers are those of `linux/magic.h`.
#[cfg(any(target_os = "linux", target_os = "android"))]
#[allow(clippy::useless_conversion, reason = "the type of the number differs between machines")]
fn is_memory(file: &File) -> bool {
    let number = |system: rustix::fs::StatFs| i64::from(system.f_type) & 0xffff_ffff;
    rustix::fs::fstatfs(file).is_ok_and(|system| matches!(number(system), 0x0102_1994 | 0x8584_58f6))
}

#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
fn is_memory(_: &File) -> bool {
    false
}

/// Reads a regular file of at most `limit` bytes as UTF-8. What was read is zeroized when it is dropped.
///
/// # Errors
/// If it cannot be opened or read, is too large, or is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> Result<(Zeroizing<String>, Opened), FileError> {
    let (file, meta) = open_regular(path)?;
    let exposed = is_exposed(&file, &meta);
    // The size that is stated may be 0 (a /proc file) or change: the limit holds for what is really read.
    if meta.len() > limit {
        return Err(FileError::TooLarge(limit));
    }
    let room = usize::try_from(meta.len()).unwrap_or(0) + 1;
    // One allocation of the right size: a growing buffer would leave copies behind.
    let mut bytes = Zeroizing::new(Vec::with_capacity(room));
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(FileError::TooLarge(limit));
    }
    match String::from_utf8(std::mem::take(&mut *bytes)) {
        Ok(text) => Ok((Zeroizing::new(text), Opened { meta, exposed })),
        Err(error) => {
            let offset = error.utf8_error().valid_up_to();
            drop(Zeroizing::new(error.into_bytes()));
            Err(FileError::NotUtf8(offset))
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_are_opened() {
        let dir = tempfile::tempdir().unwrap();
        let fifo = dir.path().join("fifo");
        // The call is not in every Unix's library.
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        let socket = dir.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        for (path, what) in [
            (dir.path(), "a directory"),
            (fifo.as_path(), "a named pipe"),
            (socket.as_path(), "a socket"),
            (Path::new("/dev/null"), "a device"),
        ] {
            match open_regular(path) {
                Err(FileError::NotRegular(kind)) => assert_eq!(kind, what),
                other => panic!("{}: {other:?}", path.display()),
            }
        }
        assert!(matches!(open_regular(&dir.path().join("none")), Err(FileError::NotFound)));
    }

    #[test]
    fn a_file_is_exposed_by_its_mode_and_never_in_memory() {
        use std::os::unix::fs::PermissionsExt;
        let exposed = |directory: &Path, mode| {
            let path = directory.join("f");
            std::fs::write(&path, "x").unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            read_text(&path, 9).unwrap().1.exposed
        };
        // Where temporary files are in memory, a mode says nothing.
        let dir = tempfile::tempdir().unwrap();
        if !is_memory(&File::open(dir.path()).unwrap()) {
            assert!(exposed(dir.path(), 0o644) && exposed(dir.path(), 0o640) && exposed(dir.path(), 0o604));
        }
        assert!(!exposed(dir.path(), 0o600) && !exposed(dir.path(), 0o622));
        if let Ok(memory) = tempfile::tempdir_in("/dev/shm") {
            assert!(!exposed(memory.path(), 0o644) || !cfg!(target_os = "linux"));
        }
    }

    #[test]
    fn reading_has_a_limit_and_names_the_byte_that_is_not_text() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("f");
        std::fs::write(&path, b"abcd\xff").unwrap();
        assert!(matches!(read_text(&path, 4), Err(FileError::TooLarge(4))));
        assert!(matches!(read_text(&path, 5), Err(FileError::NotUtf8(4))));
        std::fs::write(&path, "abcd").unwrap();
        assert_eq!(*read_text(&path, 4).unwrap().0, "abcd");
    }
}
