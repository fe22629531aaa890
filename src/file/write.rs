//! Writing a file whole or not at all.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

#[cfg(feature = "cli")]
use super::open::kind;
use super::open::{FileError, Opened, read_text};

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
    let (file, temporary) = Temporary::beside(path)?;
    fill(file, text, permissions)?;
    Ok(temporary.take_place(path)?)
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
    let (file, temporary) = Temporary::beside(path)?;
    // The owner first: a change of owner takes bits off the mode.
    keep_owner(&file, &meta)?;
    fill(file, text, Some(meta.permissions()))?;
    // The moment between this look and the next line can't be closed, only be made short.
    if !is_same(&check_replaceable(path)?, &meta) {
        return Err(ReplaceError::Changed);
    }
    Ok(temporary.take_place(path)?)
}

/// A new file in the directory of another one, since a file can't be renamed across file systems. It is removed if it
/// does not take the other's place.
struct Temporary(PathBuf);

impl Temporary {
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
            let temporary = path.with_file_name(format!(".credlint-{}-{number}.tmp", std::process::id()));
            match options.open(&temporary) {
                Ok(file) => return Ok((file, Self(temporary))),
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

impl Drop for Temporary {
    fn drop(&mut self) {
        // Nothing more can be done about one that can't be removed. Its name tells what it is.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Writes a temporary file whole. It gets its mode last: a write takes bits off it.
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
#[expect(clippy::unnecessary_wraps, reason = "on Unix it can fail")]
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
