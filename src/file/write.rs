//! Writes files atomically.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use super::open::{FileError, describe_type};

/// Creates a file. An existing file or link is not touched.
///
/// # Errors
///
/// Returns an error if something exists at the path, or the file can't be written. An incomplete file is removed.
pub fn create(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).inspect_err(|_| {
        // Report the first error.
        let _ = std::fs::remove_file(path);
    })
}

/// Writes a file atomically: readers see the old or the new content. A link is refused, because it could lead anywhere.
/// A replaced file keeps its mode; a new file may be readable by others.
///
/// # Errors
///
/// Returns an error if the path is not a regular file, or the file can't be written. The old file is kept in that case.
#[cfg(feature = "cli")]
pub fn write_atomically(path: &Path, text: &str) -> Result<(), FileError> {
    let there = replaceable(path)?;
    if path.file_name().is_none() {
        return Err(FileError::NotRegular("a directory"));
    }
    // A rename can't cross file systems, so the new file is in the same directory. Until it replaces the old one, only its
    // owner can read it, and it is removed if anything fails.
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".credlint-").suffix(".tmp").tempfile_in(directory)?;
    file.write_all(text.as_bytes())?;
    // The mode is set last, because writing clears bits of it.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = there.map_or(0o644, |meta| meta.permissions().mode() & 0o777);
        file.as_file().set_permissions(std::fs::Permissions::from_mode(mode))?;
    }
    #[cfg(not(unix))]
    if let Some(meta) = there {
        file.as_file().set_permissions(meta.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    // The rename is durable only after its directory is synced. Not every file system supports that.
    #[cfg(unix)]
    {
        let _ = File::open(directory).and_then(|directory| directory.sync_all());
    }
    Ok(())
}

/// Appends to a regular file, and creates it if necessary. A link is refused.
///
/// # Errors
///
/// Returns an error if the path is not a regular file, or the file can't be written.
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
    match describe_type(&file.metadata()?) {
        Some(what) => Err(FileError::NotRegular(what)),
        None => Ok(file.write_all(text.as_bytes())?),
    }
}

/// Returns the metadata of the regular file at a path. `None` if there is no file.
fn replaceable(path: &Path) -> Result<Option<std::fs::Metadata>, FileError> {
    match std::fs::symlink_metadata(path) {
        Ok(meta) if meta.file_type().is_symlink() => Err(FileError::NotRegular("a symbolic link")),
        Ok(meta) => describe_type(&meta).map_or(Ok(Some(meta)), |what| Err(FileError::NotRegular(what))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Creates a file that no other user can read.
///
/// # Errors
///
/// Returns an error if anything exists at the path, including a link, or the file can't be created.
pub fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(all(test, unix, feature = "cli"))]
mod tests {
    use super::*;

    #[test]
    fn writes_atomically() {
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
        // Neither the link nor its target is changed.
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
}
