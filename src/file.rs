//! Files: opening one that is certain to be a regular file, reading it within a limit, and writing one whole or not at all.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// Writes a new file. Whatever stands at that path, a link among others, is left alone.
///
/// # Errors
/// If something stands there already, or it can't be written; a half written file is taken away again.
#[cfg(feature = "cli")]
pub fn create(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).inspect_err(|_| {
        // What went wrong first is what is reported.
        let _ = std::fs::remove_file(path);
    })
}

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

/// Writes a file whole or not at all: a reader sees the old one or the new one. A link at the path is refused, since it
/// could lead anywhere, and what it leads to is never touched. A file that is replaced passes its mode on; a new one
/// may be read by others.
///
/// # Errors
/// If the path holds anything but a regular file, or the file cannot be written. What was there then stays.
#[cfg(feature = "cli")]
pub fn write_atomically(path: &Path, text: &str) -> Result<(), FileError> {
    let there = replaceable(path)?;
    if path.file_name().is_none() {
        return Err(FileError::NotRegular("a directory"));
    }
    #[cfg(unix)]
    let permissions = {
        use std::os::unix::fs::PermissionsExt;
        Some(std::fs::Permissions::from_mode(there.map_or(0o644, |meta| meta.permissions().mode() & 0o777)))
    };
    #[cfg(not(unix))]
    let permissions = there.map(|meta| meta.permissions());
    let (file, draft) = Draft::beside(path)?;
    fill(file, text, permissions)?;
    Ok(draft.take_place(path)?)
}

/// Adds to the end of a regular file, which is made if there is none. A link is refused.
///
/// # Errors
/// If the path holds anything but a regular file, or the file cannot be written.
#[cfg(feature = "cli")]
pub fn append(path: &Path, text: &str) -> Result<(), FileError> {
    replaceable(path)?;
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.custom_flags(i32::try_from(flags.bits()).unwrap_or(0));
    }
    let mut file = options.open(path)?;
    match kind(&file.metadata()?) {
        Some(what) => Err(FileError::NotRegular(what)),
        None => Ok(file.write_all(text.as_bytes())?),
    }
}

/// What is known of the regular file at a path, if there is one.
#[cfg(feature = "cli")]
fn replaceable(path: &Path) -> Result<Option<std::fs::Metadata>, FileError> {
    match std::fs::symlink_metadata(path) {
        Ok(meta) if meta.file_type().is_symlink() => Err(FileError::NotRegular("a symbolic link")),
        Ok(meta) => match kind(&meta) {
            Some(what) => Err(FileError::NotRegular(what)),
            None => Ok(Some(meta)),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
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
    let (old, Opened { meta, .. }) = read_text(path, limit).map_err(ReplaceError::Read)?;
    if !is_known(&old) || !is_same(&named, &meta) {
        return Err(ReplaceError::Changed);
    }
    drop(old);
    let (file, draft) = Draft::beside(path)?;
    // The owner first: a change of owner takes bits off the mode.
    keep_owner(&file, &meta)?;
    fill(file, text, Some(meta.permissions()))?;
    // The moment between this look and the next line can't be closed, only be made short.
    if !is_same(&check_replaceable(path)?, &meta) {
        return Err(ReplaceError::Changed);
    }
    Ok(draft.take_place(path)?)
}

/// A new file in the directory of another one, since a file can't be renamed across file systems. It is removed if it
/// does not take the other's place.
struct Draft(PathBuf);

impl Draft {
    fn beside(path: &Path) -> io::Result<(File, Self)> {
        // Threads of one process write beside each other.
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let mut options = OpenOptions::new();
        // It fails if anything is there, a link included.
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            // It may hold secrets before it has the mode of the file that it replaces.
            options.mode(0o600);
        }
        loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let draft = path.with_file_name(format!(".credlint-{}-{number}.tmp", std::process::id()));
            match options.open(&draft) {
                Ok(file) => return Ok((file, Self(draft))),
                // Of a run that was killed and had the same number.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1000 => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn take_place(self, path: &Path) -> io::Result<()> {
        std::fs::rename(&self.0, path)?;
        std::mem::forget(self);
        // The new name outlives a power cut only once its directory is on the disk; not every file system can be asked.
        #[cfg(unix)]
        {
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let _ = File::open(parent).and_then(|directory| directory.sync_all());
        }
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // Nothing more can be done about one that can't be removed. Its name tells what it is.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Writes a draft whole. It gets its mode last: a write takes bits off it.
fn fill(mut file: File, text: &str, permissions: Option<std::fs::Permissions>) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    file.sync_all()
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

    #[cfg(feature = "cli")]
    #[test]
    fn a_file_is_written_whole_or_not_at_all() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("report");
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        write_atomically(&path, "one").unwrap();
        assert_eq!((std::fs::read_to_string(&path).unwrap().as_str(), mode(&path)), ("one", 0o644));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        write_atomically(&path, "two").unwrap();
        append(&path, "+").unwrap();
        assert_eq!((std::fs::read_to_string(&path).unwrap().as_str(), mode(&path)), ("two+", 0o640));
        // Neither a link nor what it leads to is touched.
        let link = dir.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(matches!(write_atomically(&link, "x"), Err(FileError::NotRegular("a symbolic link"))));
        assert!(matches!(append(&link, "x"), Err(FileError::NotRegular("a symbolic link"))));
        std::os::unix::fs::symlink("none", dir.path().join("dangling")).unwrap();
        assert!(matches!(write_atomically(&dir.path().join("dangling"), "x"), Err(FileError::NotRegular(_))));
        assert!(matches!(write_atomically(dir.path(), "x"), Err(FileError::NotRegular("a directory"))));
        assert!(matches!(write_atomically(Path::new("/dev/null"), "x"), Err(FileError::NotRegular("a device"))));
        assert!(matches!(write_atomically(&dir.path().join("no/report"), "x"), Err(FileError::NotFound)));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two+");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 3, "nothing is left behind");
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
}
