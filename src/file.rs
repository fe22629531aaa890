//! Files: opening one that is certain to be a regular file, reading it within a limit, and putting another text in its
//! place.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

/// Why a file was not opened or read.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileError {
    /// There is nothing at that path.
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
            Self::NotFound => f.write_str("there is no such file"),
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
fn kind(meta: &std::fs::Metadata) -> Option<&'static str> {
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

/// Reads a regular file of at most `limit` bytes as UTF-8. What was read is zeroized when it is dropped.
///
/// # Errors
/// If it cannot be opened or read, is too large, or is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> Result<(Zeroizing<String>, std::fs::Metadata), FileError> {
    let (file, meta) = open_regular(path)?;
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
        Ok(text) => Ok((Zeroizing::new(text), meta)),
        Err(error) => {
            let offset = error.utf8_error().valid_up_to();
            drop(Zeroizing::new(error.into_bytes()));
            Err(FileError::NotUtf8(offset))
        }
    }
}

/// Why a file was left as it is.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReplaceError {
    /// The path is a symbolic link.
    Link,
    /// The file has other names, which would keep the old text.
    Names,
    /// Nobody may write to it.
    ReadOnly,
    /// It isn't what was read before.
    Changed,
    /// The new file can't be given to the owner of the old one.
    Owner,
    /// It can't be read.
    Read(FileError),
    /// The operating system refused; only its kind is kept.
    Io(io::ErrorKind),
}

impl From<io::Error> for ReplaceError {
    fn from(error: io::Error) -> Self {
        Self::Io(error.kind())
    }
}

impl std::fmt::Display for ReplaceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Link => f.write_str("it is a symbolic link; name the file that it leads to"),
            Self::Names => f.write_str("it has other names (hard links), which would keep the old text"),
            Self::ReadOnly => f.write_str("it is read-only"),
            Self::Changed => f.write_str("it has changed since it was checked"),
            Self::Owner => f.write_str("it could not keep its owner"),
            Self::Read(error) => write!(f, "it can't be read: {error}"),
            Self::Io(kind) => write!(f, "{kind}"),
        }
    }
}

impl std::error::Error for ReplaceError {}

/// Whether a file can be replaced at all, as far as that shows without trying.
///
/// # Errors
/// If it is a link, has other names, or is read-only.
pub fn check_replaceable(path: &Path) -> Result<std::fs::Metadata, ReplaceError> {
    let meta = path.symlink_metadata()?;
    if meta.file_type().is_symlink() {
        return Err(ReplaceError::Link);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if meta.nlink() > 1 {
            return Err(ReplaceError::Names);
        }
    }
    if meta.permissions().readonly() { Err(ReplaceError::ReadOnly) } else { Ok(meta) }
}

/// Puts `text` in the place of a file in one step: whoever reads it sees the old text or the new one, whole. Mode and
/// owner are kept. `is_known` is asked whether the file still holds what it did.
///
/// # Errors
/// If anything is in the way; the file is then untouched, and nothing is left beside it.
pub fn replace(path: &Path, limit: u64, is_known: impl Fn(&str) -> bool, text: &str) -> Result<(), ReplaceError> {
    let named = check_replaceable(path)?;
    let (old, meta) = read_text(path, limit).map_err(ReplaceError::Read)?;
    if !is_known(&old) || !is_same(&named, &meta) {
        return Err(ReplaceError::Changed);
    }
    drop(old);
    let (mut file, draft) = Draft::beside(path)?;
    file.write_all(text.as_bytes())?;
    // The owner first: a change of owner takes bits off the mode.
    keep_owner(&file, &meta)?;
    file.set_permissions(meta.permissions())?;
    file.sync_all()?;
    drop(file);
    // The moment between this look and the next line can't be closed, only be made short.
    if !is_same(&check_replaceable(path)?, &meta) {
        return Err(ReplaceError::Changed);
    }
    std::fs::rename(&draft.0, path)?;
    std::mem::forget(draft);
    // The text is in its place; that the directory remembers after a power cut is all that this adds.
    if let Some(directory) = path.parent().and_then(|parent| File::open(parent).ok()) {
        let _ = directory.sync_all();
    }
    Ok(())
}

/// A file beside another one that is removed if it does not take its place.
struct Draft(PathBuf);

impl Draft {
    fn beside(path: &Path) -> io::Result<(File, Self)> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            // It holds secrets before it has the mode of the file that it replaces.
            options.mode(0o600);
        }
        for number in 0..100_u32 {
            let draft = path.with_file_name(format!(".credlint-{}-{number}.tmp", std::process::id()));
            match options.open(&draft) {
                Ok(file) => return Ok((file, Self(draft))),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // Nothing more can be done about one that can't be removed.
        let _ = std::fs::remove_file(&self.0);
    }
}

#[cfg(unix)]
fn keep_owner(file: &File, old: &std::fs::Metadata) -> Result<(), ReplaceError> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let new = file.metadata()?;
    if (new.uid(), new.gid()) == (old.uid(), old.gid()) {
        return Ok(());
    }
    fchown(file, Some(old.uid()), Some(old.gid())).map_err(|_| ReplaceError::Owner)
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &std::fs::Metadata) -> Result<(), ReplaceError> {
    Ok(())
}

/// Whether two looks saw one file in one state.
fn is_same(one: &std::fs::Metadata, other: &std::fs::Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if (one.dev(), one.ino(), one.ctime(), one.ctime_nsec())
            != (other.dev(), other.ino(), other.ctime(), other.ctime_nsec())
        {
            return false;
        }
    }
    one.len() == other.len() && one.modified().ok() == other.modified().ok()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("f");
        let names = || std::fs::read_dir(dir.path()).unwrap().count();
        std::fs::write(&path, "old").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        replace(&path, 9, |old| old == "old", "new").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o7777, 0o640);
        assert!(matches!(replace(&path, 9, |old| old == "old", "x"), Err(ReplaceError::Changed)));
        // Somebody writes while we do.
        let meddle = |_: &str| std::fs::write(&path, "other").is_ok();
        assert!(matches!(replace(&path, 9, meddle, "x"), Err(ReplaceError::Changed)));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "other");
        assert_eq!(names(), 1);
        let link = dir.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(matches!(replace(&link, 9, |_| true, "x"), Err(ReplaceError::Link)));
        std::fs::hard_link(&path, dir.path().join("twin")).unwrap();
        assert!(matches!(replace(&path, 9, |_| true, "x"), Err(ReplaceError::Names)));
        std::fs::remove_file(dir.path().join("twin")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o440)).unwrap();
        assert!(matches!(replace(&path, 9, |_| true, "x"), Err(ReplaceError::ReadOnly)));
        assert_eq!((std::fs::read_to_string(&path).unwrap().as_str(), names()), ("other", 2));
    }

    #[test]
    fn only_regular_files_are_opened() {
        let dir = tempfile::tempdir().unwrap();
        let fifo = dir.path().join("fifo");
        rustix::fs::mkfifoat(rustix::fs::CWD, &fifo, rustix::fs::Mode::RUSR).unwrap();
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
