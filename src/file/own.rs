//! Opens a file that the program appends to. All checks apply to the open file, and nothing is changed before the
//! caller has recognised its content.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use super::open::kind;

/// Why a file can't be appended to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OwnError {
    /// The path is a link, or not a regular file.
    NotRegular(&'static str),
    /// The file belongs to a user other than this one or root.
    Foreign,
    /// The directory does not exist.
    NoDirectory,
    /// The operating system returned an error of this kind.
    Io(io::ErrorKind),
}

impl std::fmt::Display for OwnError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotRegular(what) => write!(f, "is {what}, not a regular file"),
            Self::Foreign => f.write_str("belongs to another user"),
            Self::NoDirectory => f.write_str("can't be created: its directory does not exist"),
            Self::Io(kind) => write!(f, "can't be opened: {kind}"),
        }
    }
}

/// Opens a regular file to read and append, or creates one that only its owner can read. Links are not followed, pipes
/// don't block, and an existing file keeps its mode.
///
/// # Errors
///
/// Returns an error if the path is a link, not a regular file or another user's file, or if it can't be opened.
pub fn open_own(path: &Path) -> Result<File, OwnError> {
    let mut options = OpenOptions::new();
    options.read(true).create(true);
    // On Windows, a file opened for appending can't be truncated.
    if cfg!(windows) {
        options.write(true)
    } else {
        options.append(true)
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
        options.mode(0o600).custom_flags(i32::try_from(flags.bits()).unwrap_or(0));
    }
    #[cfg(not(unix))]
    if path.is_symlink() {
        return Err(OwnError::NotRegular("a symbolic link"));
    }
    let file = options.open(path).map_err(|error| refused(path, &error))?;
    let meta = file.metadata().map_err(|error| OwnError::Io(error.kind()))?;
    match kind(&meta) {
        Some(what) => Err(OwnError::NotRegular(what)),
        None if is_foreign(&meta) => Err(OwnError::Foreign),
        None => Ok(file),
    }
}

/// Writes after the first `len` bytes of such a file, independent of the read position.
///
/// # Errors
///
/// Returns an error if the operating system does.
#[cfg(all(unix, feature = "upload"))]
pub fn add(mut file: &File, _len: u64, text: &[u8]) -> io::Result<()> {
    io::Write::write_all(&mut file, text)
}

/// Does the same on Windows, where a file opened for appending can't be truncated.
#[cfg(all(windows, feature = "upload"))]
pub fn add(file: &File, len: u64, text: &[u8]) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    let mut done = 0;
    while done < text.len() {
        match file.seek_write(&text[done..], len + done as u64) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(more) => done += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Moves to the end of such a file before writing.
///
/// # Errors
///
/// Returns an error if the operating system does.
#[cfg(feature = "sandbox")]
pub fn to_end(file: &mut File) -> io::Result<()> {
    io::Seek::seek(file, io::SeekFrom::End(0)).map(|_| ())
}

/// Returns why the file could not be opened. The path is examined only for the message.
fn refused(path: &Path, error: &io::Error) -> OwnError {
    match path.symlink_metadata() {
        Ok(meta) if meta.is_symlink() => OwnError::NotRegular("a symbolic link"),
        Ok(meta) => kind(&meta).map_or(OwnError::Io(error.kind()), OwnError::NotRegular),
        Err(_) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            OwnError::NoDirectory
        }
        Err(_) => OwnError::Io(error.kind()),
    }
}

#[cfg(unix)]
fn is_foreign(meta: &std::fs::Metadata) -> bool {
    let owner = std::os::unix::fs::MetadataExt::uid(meta);
    owner != rustix::process::geteuid().as_raw() && owner != 0
}

#[cfg(not(unix))]
fn is_foreign(_: &std::fs::Metadata) -> bool {
    false
}

/// Removes all permissions of other users. A file of root keeps the mode that root set.
pub fn make_private(file: &File) {
    #[cfg(unix)]
    {
        let _ = file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600));
    }
    #[cfg(not(unix))]
    let _ = file;
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_an_own_regular_file_is_opened_and_it_is_unchanged() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::write(at("there"), "text").unwrap();
        std::fs::set_permissions(at("there"), PermissionsExt::from_mode(0o755)).unwrap();
        std::os::unix::fs::symlink("there", at("link")).unwrap();
        std::os::unix::fs::symlink("none", at("dangling")).unwrap();
        // The call is not in every Unix's library.
        assert!(std::process::Command::new("mkfifo").args(["-m", "600"]).arg(at("fifo")).status().unwrap().success());
        let _listener = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        for (path, what) in [
            (at("link"), "a symbolic link"),
            (at("dangling"), "a symbolic link"),
            (at("fifo"), "a named pipe"),
            (at("socket"), "a socket"),
            (at(""), "a directory"),
            ("/dev/null".into(), "a device"),
        ] {
            assert_eq!(open_own(&path).unwrap_err(), OwnError::NotRegular(what), "{}", path.display());
        }
        assert_eq!(open_own(&at("no/file")).unwrap_err(), OwnError::NoDirectory);
        let mode = |name: &str| at(name).metadata().unwrap().permissions().mode() & 0o777;
        let there = open_own(&at("there")).unwrap();
        drop(open_own(&at("new")).unwrap());
        assert_eq!((mode("there"), mode("new"), at("none").exists()), (0o755, 0o600, false));
        make_private(&there);
        assert_eq!((mode("there"), std::fs::read_to_string(at("there")).unwrap().as_str()), (0o600, "text"));
        // A file of another user, if the test may create one.
        if std::os::unix::fs::chown(at("there"), Some(12_345), None).is_ok() {
            assert_eq!(open_own(&at("there")).unwrap_err(), OwnError::Foreign);
        }
    }
}

#[cfg(all(test, feature = "upload"))]
mod additions {
    use std::io::{Read, Seek, SeekFrom};

    use super::*;

    #[test]
    fn text_is_appended_after_a_truncation() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        let mut file = open_own(&path).unwrap();
        add(&file, 0, b"one\ntw").unwrap();
        file.set_len(4).unwrap();
        // The read position does not affect where it is written.
        let mut begin = [0; 2];
        file.seek(SeekFrom::Start(0)).unwrap();
        file.read_exact(&mut begin).unwrap();
        add(&file, 4, b"two\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\ntwo\n");
        drop(file);
        let file = open_own(&path).unwrap();
        add(&file, 8, b"three\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\ntwo\nthree\n");
    }
}
