//! Opens and reads regular files, and opens files that the program appends to. All checks apply to the open file, and
//! nothing is changed before the caller has recognised its content.

use std::borrow::Borrow;
use std::fs::{File, OpenOptions};
use std::io;
use std::io::Read;
use std::path::Path;

use zeroize::Zeroizing;

/// Why a file was not opened or read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum FileError {
    /// There is no file at the path.
    NotFound,
    /// The path is a directory, a pipe, a socket or a device.
    NotRegular(&'static str),
    /// The file is larger than the limit, in bytes.
    TooLarge(u64),
    /// The file is not UTF-8 at this byte.
    NotUtf8(usize),
    /// The operating system returned an error of this kind.
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

/// Opens a regular file for reading. The type is checked on the open file, not on the path. A pipe without a writer
/// does not block.
///
/// # Errors
///
/// Returns an error if the file can't be opened or is not a regular file.
pub fn open_regular(path: &Path) -> Result<(File, std::fs::Metadata), FileError> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or(0));
    }
    let file = options.open(path).map_err(|error| {
        // Opening a socket fails, so its type must be read from the path.
        match std::fs::metadata(path).map(|meta| describe_type(&meta)) {
            Ok(Some(what)) => FileError::NotRegular(what),
            _ => error.into(),
        }
    })?;
    let meta = file.metadata()?;
    describe_type(&meta).map_or(Ok((file, meta)), |what| Err(FileError::NotRegular(what)))
}

/// Describes the type of a file. `None` for a regular file.
pub(super) fn describe_type(meta: &std::fs::Metadata) -> Option<&'static str> {
    #[cfg(unix)]
    use std::os::unix::fs::FileTypeExt;
    match meta.file_type() {
        kind if kind.is_file() => None,
        kind if kind.is_dir() => Some("a directory"),
        #[cfg(unix)]
        kind if kind.is_fifo() => Some("a named pipe"),
        #[cfg(unix)]
        kind if kind.is_socket() => Some("a socket"),
        _ => Some("a device"),
    }
}

/// An opened file's properties.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The metadata.
    pub meta: std::fs::Metadata,
    /// True if other users can read the file, and its mode could be changed.
    pub exposed: bool,
}

/// Returns `true` if users other than the owner can read a file, on a file system where modes can be changed. Containers
/// receive secrets on read-only or memory file systems, with modes that nobody chose.
#[cfg(unix)]
fn is_exposed(file: &File, meta: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    let own = meta.uid() == rustix::process::geteuid().as_raw();
    // Group permission is the usual way to share a file with a user who does not own it.
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

/// Returns `true` if a file is on `tmpfs` or `ramfs`. The numbers are from `linux/magic.h`.
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

/// Reads everything, or up to one byte more than `limit`. A buffer that grows leaves no copy of a secret behind.
///
/// # Errors
///
/// Returns an error if reading fails.
pub fn read_wiped(reader: impl Read, room: u64, limit: u64) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut bytes = Zeroizing::default();
    read_into(reader, room, limit, &mut bytes)?;
    Ok(bytes)
}

/// Does the same with a reused buffer.
fn read_into(reader: impl Read, room: u64, limit: u64, bytes: &mut Zeroizing<Vec<u8>>) -> io::Result<()> {
    let room = usize::try_from(room.min(limit)).unwrap_or(0) + 1;
    bytes.clear();
    if bytes.capacity() < room {
        // The old bytes are wiped in place.
        *bytes = Zeroizing::new(Vec::with_capacity(room));
    }
    let mut reader = reader.take(limit + 1);
    loop {
        if bytes.len() == bytes.capacity() {
            let mut larger = Zeroizing::new(Vec::with_capacity(bytes.capacity().max(1024) * 2));
            larger.extend_from_slice(bytes);
            *bytes = larger;
        }
        let start = bytes.len();
        // A reused larger buffer is not zero-filled up to its old length.
        let end = if start < room { room } else { bytes.capacity() }.min(start + 64 * 1024);
        bytes.resize(end, 0);
        let read = reader.read(&mut bytes[start..]);
        bytes.truncate(start + read.as_ref().map_or(0, |read| *read));
        match read {
            Ok(0) => return Ok(()),
            Err(error) if error.kind() != io::ErrorKind::Interrupted => return Err(error),
            _ => {}
        }
    }
}

/// Reads a regular file of at most `limit` bytes as UTF-8. The content is zeroized on drop.
///
/// # Errors
///
/// Returns an error if the file can't be opened or read, is too large, or is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> Result<(Zeroizing<String>, Opened), FileError> {
    read_utf8(open_regular(path)?, limit)
}

/// Reads a regular file, or a named pipe, which gives its content once, in the same way.
///
/// # Errors
///
/// As [`read_text`].
pub fn read_stream_text(path: &Path, limit: u64) -> Result<(Zeroizing<String>, Opened), FileError> {
    read_utf8(open_stream(path)?, limit)
}

fn read_utf8((file, meta): (File, std::fs::Metadata), limit: u64) -> Result<(Zeroizing<String>, Opened), FileError> {
    // A pipe gives its content to the reader only, so it is not exposed.
    let exposed = meta.is_file() && is_exposed(&file, &meta);
    // The reported size may be 0 (a /proc file) or change, so the limit applies to the bytes actually read.
    if meta.len() > limit {
        return Err(FileError::TooLarge(limit));
    }
    let mut bytes = read_wiped(file, meta.len(), limit)?;
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

/// The text of a file that any program may have written.
#[derive(Debug)]
pub struct AnyText {
    /// The text, up to the limit. Bytes that are not UTF-8 are replaced by U+FFFD.
    pub text: Zeroizing<String>,
    /// True if the file is longer.
    pub cut: bool,
}

/// Opens a regular file or, once it has a writer, a named pipe.
///
/// # Errors
///
/// Returns an error if the file can't be opened or is neither.
pub fn open_stream(path: &Path) -> Result<(File, std::fs::Metadata), FileError> {
    let is_pipe = |meta: &std::fs::Metadata| describe_type(meta) == Some("a named pipe");
    if !std::fs::metadata(path).is_ok_and(|meta| is_pipe(&meta)) {
        return open_regular(path);
    }
    let file = File::open(path)?;
    let meta = file.metadata()?;
    describe_type(&meta).filter(|_| !is_pipe(&meta)).map_or(Ok((file, meta)), |what| Err(FileError::NotRegular(what)))
}

/// Reads a regular file up to `limit` bytes, or a named pipe if `pipes` allows one: it waits for a writer. UTF-16 with a
/// byte order mark is decoded. The content is zeroized on drop. The buffer may be that of another text, and is used again
/// for this one: the memory for a file costs more than reading it.
///
/// # Errors
///
/// Returns an error if the file can't be opened or read.
pub fn read_any(path: &Path, limit: u64, buffer: &mut Zeroizing<Vec<u8>>, pipes: bool) -> Result<AnyText, FileError> {
    let (file, meta) = if pipes { open_stream(path)? } else { open_regular(path)? };
    read_into(file, meta.len(), limit, buffer)?;
    let mut bytes = std::mem::take(buffer);
    let cut = bytes.len() as u64 > limit;
    if cut {
        // An incomplete line may contain an incomplete value.
        let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        bytes.truncate(end);
    }
    Ok(AnyText { text: decoded(bytes), cut })
}

/// Decodes the text of any program. Invalid bytes are replaced by U+FFFD.
pub fn decoded(mut bytes: Zeroizing<Vec<u8>>) -> Zeroizing<String> {
    const REPLACED: char = char::REPLACEMENT_CHARACTER;
    let wide = |from: fn([u8; 2]) -> u16| {
        // A unit takes at most three bytes, so the text never moves.
        let mut text = Zeroizing::new(String::with_capacity(bytes.len() / 2 * 3));
        let units = bytes[2..].chunks_exact(2).map(|pair| from([pair[0], pair[1]]));
        char::decode_utf16(units).for_each(|unit| text.push(unit.unwrap_or(REPLACED)));
        text
    };
    // A shell reads ASCII after such a mark, and hardly any text in UTF-16 has so many pairs of ASCII in a row.
    let is_ascii = |pair: &[u8]| pair.iter().all(|byte| matches!(byte, b'\t'..=b'\r' | b' '..=b'~'));
    let has_ascii = || bytes[2..].windows(16).any(is_ascii) || bytes.len() < 18 && is_ascii(&bytes[2..]);
    match bytes[..] {
        [0xff, 0xfe, ..] if !has_ascii() => return wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] if !has_ascii() => return wide(u16::from_be_bytes),
        _ => {}
    }
    let bytes = match String::from_utf8(std::mem::take(&mut *bytes)) {
        Ok(text) => return Zeroizing::new(text),
        Err(error) => Zeroizing::new(error.into_bytes()),
    };
    let mut text = Zeroizing::new(String::with_capacity(bytes.len() * REPLACED.len_utf8()));
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push(REPLACED);
        }
    }
    text
}

/// Why a file can't be appended to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OwnError {
    /// The path is a link, or not a regular file.
    NotRegular(&'static str),
    /// Its directory is behind a symbolic link in the repository.
    Linked,
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
            Self::Linked => f.write_str("is behind a symbolic link in the repository"),
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
    if path.parent().is_some_and(super::is_linked) {
        return Err(OwnError::Linked);
    }
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
    let file = options.open(path).map_err(|error| open_error(path, &error))?;
    let meta = file.metadata().map_err(|error| OwnError::Io(error.kind()))?;
    match describe_type(&meta) {
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
#[cfg(unix)]
pub fn write_after(mut file: &File, _len: u64, text: &[u8]) -> io::Result<()> {
    io::Write::write_all(&mut file, text)
}

/// Does the same on Windows, where a file opened for appending can't be truncated.
#[cfg(windows)]
pub fn write_after(file: &File, len: u64, text: &[u8]) -> io::Result<()> {
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

/// Reads a file at an offset of its own, independent of the position of the file.
pub struct OffsetReader<F> {
    file: F,
    offset: u64,
}

impl<F: Borrow<File>> OffsetReader<F> {
    pub fn new(file: F, offset: u64) -> Self {
        Self { file, offset }
    }

    pub fn file(&self) -> &File {
        self.file.borrow()
    }
}

impl<F: Borrow<File>> Read for OffsetReader<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let file = self.file.borrow();
        #[cfg(unix)]
        let read = std::os::unix::fs::FileExt::read_at(file, buffer, self.offset)?;
        #[cfg(windows)]
        let read = std::os::windows::fs::FileExt::seek_read(file, buffer, self.offset)?;
        self.offset += read as u64;
        Ok(read)
    }
}

/// Moves to the end of such a file before writing.
///
/// # Errors
///
/// Returns an error if the operating system does.
pub fn seek_to_end(file: &mut File) -> io::Result<()> {
    io::Seek::seek(file, io::SeekFrom::End(0)).map(|_| ())
}

/// Returns why the file could not be opened. The path is examined only for the message.
fn open_error(path: &Path, error: &io::Error) -> OwnError {
    match path.symlink_metadata() {
        Ok(meta) if meta.is_symlink() => OwnError::NotRegular("a symbolic link"),
        Ok(meta) => describe_type(&meta).map_or(OwnError::Io(error.kind()), OwnError::NotRegular),
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
    fn opens_only_regular_files() {
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
    fn file_is_exposed_by_mode_unless_in_memory() {
        use std::os::unix::fs::PermissionsExt;
        let exposed = |directory: &Path, mode| {
            let path = directory.join("f");
            std::fs::write(&path, "x").unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            read_text(&path, 9).unwrap().1.exposed
        };
        // If temporary files are in memory, modes are ignored.
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
    fn decodes_any_text_without_reallocation() {
        for (bytes, text) in [
            (&b"a\xc3\xa9"[..], "a\u{e9}"),
            (b"a\xffb\xc3", "a\u{fffd}b\u{fffd}"),
            (b"\xff\xfea\0\xe9\0", "a\u{e9}"),
            (b"\xfe\xff\x20\xac\xd8\x00\0", "\u{20ac}\u{fffd}"),
            (b"", ""),
        ] {
            let decoded = decoded(Zeroizing::new(bytes.to_vec()));
            assert_eq!(*decoded, text);
        }
        let long = vec![b'x'; 100_000];
        assert_eq!(*read_wiped(&long[..], 0, 200_000).unwrap(), long);
        assert_eq!(read_wiped(&long[..], 0, 99_999).unwrap().len(), 100_000);
        assert_eq!(read_wiped(&long[..], 9, 10).unwrap().len(), 11);
    }

    #[test]
    fn limits_size_and_reports_invalid_utf8() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("f");
        std::fs::write(&path, b"abcd\xff").unwrap();
        assert!(matches!(read_text(&path, 4), Err(FileError::TooLarge(4))));
        assert!(matches!(read_text(&path, 5), Err(FileError::NotUtf8(4))));
        std::fs::write(&path, "abcd").unwrap();
        assert_eq!(*read_text(&path, 4).unwrap().0, "abcd");
    }

    #[test]
    fn opens_only_own_regular_files_unchanged() {
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

#[cfg(test)]
mod additions {
    use super::*;
    use std::io::{Read, Seek, SeekFrom};

    #[test]
    fn appends_after_truncation() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        let mut file = open_own(&path).unwrap();
        write_after(&file, 0, b"one\ntw").unwrap();
        file.set_len(4).unwrap();
        // The read position does not affect where it is written.
        let mut begin = [0; 2];
        file.seek(SeekFrom::Start(0)).unwrap();
        file.read_exact(&mut begin).unwrap();
        write_after(&file, 4, b"two\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\ntwo\n");
        drop(file);
        let file = open_own(&path).unwrap();
        write_after(&file, 8, b"three\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\ntwo\nthree\n");
    }
}
