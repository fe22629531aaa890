//! The payload of an upload: a regular file that must not change while it is sent, or a stream, which may block for any
//! time.

pub(super) mod reader;

use std::fs::File;
use std::io;
use std::io::{Cursor, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use reader::{
    CHUNK, Checksum, Chunks, Feed, FileStamp, PayloadSource, Stamped, buffer, check_unchanged, chunk, fill,
    unreadable_error,
};
use sha2::{Digest, Sha256};
use tokio::sync::{oneshot, watch};
use zeroize::Zeroize;

use super::post::FileName;
use super::secrets::Scan;
use super::settings::Settings;
use super::wire::call::cancelled;
use super::wire::ledger::SentBytes;
use crate::code::Code;
use crate::file::{self, FileError, FileSet, OffsetReader};
use crate::secret::MASK;
use crate::source::Problem;
use crate::text;

/// An opened file, or a stream, to send.
pub struct Payload {
    pub(super) name: FileName,
    input: Input,
}

enum Input {
    File {
        file: Arc<File>,
        stamp: FileStamp,
        /// The path that was opened; `None` for an unnamed temporary file.
        path: Option<PathBuf>,
    },
    Stream(Box<dyn Read + Send>),
    /// A stream that was already read.
    Consumed,
}

impl std::fmt::Debug for Payload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Payload").field("name", &self.name).field("size", &self.size()).finish_non_exhaustive()
    }
}

impl Payload {
    /// Opens a regular file. Until it is sent, it must not change, and no other file may take its place.
    ///
    /// # Errors
    /// Codes `file-not-found`, `not-a-regular-file`, `file-unreadable`, `file-name`.
    pub fn open(path: &Path, name: Option<FileName>) -> Result<Self, Problem> {
        let name = name.map_or_else(|| FileName::from_path(path), Ok);
        let (file, meta) = file::open_regular(path).map_err(|error| open_error(path, &error))?;
        Ok(Self {
            name: name?,
            input: Input::File {
                file: Arc::new(file),
                stamp: FileStamp::from_meta(&meta),
                path: Some(path.to_owned()),
            },
        })
    }

    /// Returns a stream in place of a file that has content although its size is 0, as files in `/proc` have.
    pub(super) fn measured(self) -> Result<Self, Problem> {
        let Input::File { file, stamp: FileStamp { len: 0, .. }, .. } = &self.input else { return Ok(self) };
        let mut reader = OffsetReader::new(Arc::clone(file), 0);
        let mut first = [0];
        if reader.read(&mut first).map_err(|error| unreadable_error(&error))? == 0 {
            return Ok(self);
        }
        Ok(Self::stream(self.name, Cursor::new(first).chain(reader)))
    }

    /// Creates a payload from standard input.
    ///
    /// # Errors
    /// Code `no-input`, if it was closed, or is `/dev/null`, which looks the same once the program runs.
    pub fn stdin(name: FileName) -> Result<Self, Problem> {
        #[cfg(unix)]
        {
            use rustix::fs::{FileType, fstat};
            use std::io::IsTerminal;
            let device =
                fstat(io::stdin()).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::CharacterDevice);
            if device && !io::stdin().is_terminal() {
                return Err(Problem::new(Code::NoInput, "standard input is closed or a device")
                    .help("pipe the content into it"));
            }
        }
        Ok(Self::stream(name, io::stdin()))
    }

    /// Creates a payload from a reader. Its length is not known beforehand, so the form is sent in chunks.
    #[must_use]
    pub fn stream(name: FileName, reader: impl Read + Send + 'static) -> Self {
        Self { name, input: Input::Stream(Box::new(reader)) }
    }

    const fn stamp(&self) -> Option<&FileStamp> {
        if let Input::File { stamp, .. } = &self.input { Some(stamp) } else { None }
    }

    /// Returns the number of bytes to send; `None` if it is not known.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        Some(self.stamp()?.len)
    }

    /// Returns `true` if the payload is one of `files`.
    pub(super) fn is_one_of(&self, files: &FileSet) -> bool {
        match &self.input {
            Input::File { stamp, path: Some(path), .. } => files.contains_opened(path, stamp.identity),
            _ => false,
        }
    }

    /// Returns the device and inode of a file.
    pub(super) fn identity(&self) -> Option<(u64, u64)> {
        self.stamp()?.identity
    }

    /// Returns `true` if the payload can be sent again.
    pub(super) const fn is_replayable(&self) -> bool {
        self.stamp().is_some()
    }

    /// Returns when the file was last modified, in nanoseconds since 1970, if the system knows that.
    pub(super) fn modified(&self) -> Option<u128> {
        Some(self.stamp()?.modified?.duration_since(SystemTime::UNIX_EPOCH).ok()?.as_nanos())
    }

    /// Returns the SHA-256 of a file in hexadecimal; `None` for a stream. A thread reads the file, so other files can
    /// be sent meanwhile.
    pub(super) async fn checksum(&self) -> Result<Option<String>, Problem> {
        let Input::File { file, stamp, .. } = &self.input else { return Ok(None) };
        let mut reader = OffsetReader::new(Arc::clone(file), 0).take(stamp.len);
        let read = tokio::task::spawn_blocking(move || {
            let mut buffer = chunk()?;
            let mut hash = Sha256::new();
            loop {
                match fill(&mut reader, &mut buffer).map_err(|error| unreadable_error(&error))? {
                    0 => return Ok(text::hex(&hash.finalize())),
                    filled => hash.update(&buffer[..filled]),
                }
            }
        });
        let broken = |_| Problem::new(Code::FileUnreadable, "the file could not be read to its end");
        read.await.map_err(broken)?.map(Some)
    }

    /// Starts reading from the beginning. A small file is read at once, so a change is found before any of it is sent.
    /// Anything else is read by a thread while it is sent.
    ///
    /// With a checksum, the ledger gets the SHA-256 before the last bytes are sent. A payload that contains a secret of
    /// the profile fails with code `own-secret` before a byte of the secret is sent.
    pub(super) fn start(&mut self, ledger: &SentBytes, settings: &Settings) -> Result<Feed, Problem> {
        let (mut checksum, mut scan) = (Checksum::new(settings.checksum, ledger), Scan::new(&settings.own_secrets));
        match std::mem::replace(&mut self.input, Input::Consumed) {
            Input::File { file, stamp, path } => {
                self.input = Input::File { file: Arc::clone(&file), stamp, path: path.clone() };
                if stamp.len <= CHUNK as u64 {
                    let mut reader = OffsetReader::new(&*file, 0).take(stamp.len);
                    let mut bytes = buffer(usize::try_from(stamp.len).unwrap_or(CHUNK))?;
                    reader.read_to_end(&mut bytes).map_err(|error| unreadable_error(&error))?;
                    check_unchanged(&file, &stamp, path.as_deref(), bytes.len() as u64)?;
                    if let Err(error) = scan.search(&bytes) {
                        bytes.zeroize();
                        return Err(error);
                    }
                    checksum.update(&bytes);
                    checksum.finish();
                    return Ok(Feed::Whole(Some(bytes.into())));
                }
                Chunks::new(Stamped::new(&file, stamp, path), scan, checksum).spawn().map(Feed::Thread)
            }
            Input::Stream(reader) => Chunks::new(reader, scan, checksum).spawn().map(Feed::Thread),
            Input::Consumed => Err(Problem::new(Code::FileUnreadable, "the input can be read only once")),
        }
    }
}

/// A stream, which has nothing to compare with at the end.
impl PayloadSource for Box<dyn Read + Send> {}

fn open_error(at: &Path, error: &FileError) -> Problem {
    let path = text::file_to_send(at);
    match error {
        FileError::NotFound => {
            let error = Problem::new(Code::NoSuchFile, format!("{path}: no such file or directory"));
            match unexpanded(&at.to_string_lossy()) {
                Some(help) if path != MASK => error.help(help),
                _ => error,
            }
        }
        FileError::NotRegular(what) => {
            if let ("a directory", Err(error)) = (*what, std::fs::read_dir(at)) {
                let message = format!("the directory {path} can't be read: {}", error.kind());
                return Problem::new(Code::FileUnreadable, message)
                    .help("let this user read it, or leave it out with --exclude");
            }
            if *what == "a directory" && file::is_linked(at) {
                let message = format!("the directory {path} is behind a symbolic link");
                return Problem::new(Code::NotARegularFile, message).help(
                    "name the directory that it leads to: a change to the repository can add or redirect such a link",
                );
            }
            let error = Problem::new(Code::NotARegularFile, format!("{path} is {what}, not a regular file"));
            match *what {
                "a directory" => {
                    error.help("the directory has no files to upload; hidden files and symbolic links are skipped")
                }
                "a named pipe" => error.help("read the pipe through standard input: `-` with --filename"),
                _ => error,
            }
        }
        other => Problem::new(Code::FileUnreadable, format!("{path} can't be read: {other}")),
    }
}

/// Explains a name that a shell or a CI system was to change, and has not.
fn unexpanded(path: &str) -> Option<String> {
    let variable = |(start, end): (&str, Option<char>)| {
        let (_, rest) = path.split_once(start)?;
        let len = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let name = rest.get(..len).filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))?;
        let ends = end.is_none_or(|end| rest[len..].starts_with(end));
        ends.then(|| format!("{start}{name}{}", end.map(String::from).unwrap_or_default()))
    };
    let forms = [("${", Some('}')), ("$(", Some(')')), ("%", Some('%')), ("$env:", None), ("$", None)];
    if let Some(found) = forms.into_iter().find_map(variable) {
        return Some(format!(
            "`{}` was not replaced by its value: write it outside single quotes, and set it",
            text::printable(&found)
        ));
    }
    let quoted = path.starts_with(['"', '\'']) || path.ends_with(['"', '\'']);
    quoted.then(|| "the quotes are part of the name: remove them".to_owned())
}

/// The size of the first read: the capacity of a pipe.
const FIRST: usize = 64 * 1024;

/// Waits for the first bytes of standard input. If it ends before them, a program has probably failed, and nothing is
/// sent.
pub(super) async fn await_stdin(name: FileName, mut cancel: Option<watch::Receiver<bool>>) -> Result<Payload, Problem> {
    // Fail early if there is no standard input.
    Payload::stdin(name.clone())?;
    let first = in_thread("input", &mut cancel, || read_first(&mut io::stdin())).await;
    let first = first
        .map_err(|kind| Problem::new(Code::FileUnreadable, format!("standard input can't be read: {kind}")))?
        .ok_or_else(|| Problem::new(Code::Interrupted, "interrupted before standard input had any data"))?;
    if first.is_empty() {
        return Err(Problem::new(Code::EmptyInput, "standard input is empty, so nothing was sent")
            .help("check the program that writes to the pipe; to send an empty file, add --allow-empty"));
    }
    Ok(Payload::stream(name, Cursor::new(first).chain(io::stdin())))
}

fn read_first(reader: &mut impl Read) -> Result<Vec<u8>, ErrorKind> {
    let mut buffer = vec![0; FIRST];
    let read = fill(reader, &mut buffer).map_err(|error| error.kind())?;
    buffer.truncate(read);
    Ok(buffer)
}

/// Gives a stream a length: copies it to an unnamed temporary file, which the system removes when the program ends for
/// any reason. `None` if the upload was cancelled.
pub(super) async fn with_length(
    payload: Payload,
    cancel: &mut Option<watch::Receiver<bool>>,
) -> Result<Option<Payload>, Problem> {
    let Payload { name, input: Input::Stream(reader) } = payload else { return Ok(Some(payload)) };
    let input = in_thread("spool", cancel, move || Ok(spool(reader))).await;
    let failed = |_| Problem::new(Code::SpoolFailed, "the input could not be kept for sending");
    Ok(input.map_err(failed)?.transpose()?.map(|input| Payload { name, input }))
}

fn spool(mut reader: Box<dyn Read + Send>) -> Result<Input, Problem> {
    let broken = |error: io::Error| {
        Problem::new(Code::SpoolFailed, format!("the input could not be kept for sending: {}", error.kind())).help(
            "free some space in the directory for temporary files, or set TMPDIR to a directory with enough space",
        )
    };
    let mut file = tempfile::tempfile().map_err(broken)?;
    let mut buffer = chunk()?;
    loop {
        match fill(&mut reader, &mut buffer).map_err(|error| unreadable_error(&error))? {
            0 => break,
            filled => file.write_all(&buffer[..filled]).map_err(broken)?,
        }
    }
    let stamp = FileStamp::from_meta(&file.metadata().map_err(broken)?);
    Ok(Input::File { file: Arc::new(file), stamp, path: None })
}

/// Runs a task that may block forever in a separate thread: a runtime waits for its own threads on exit. `None` if the
/// upload was cancelled.
async fn in_thread<T: Send + 'static>(
    name: &str,
    cancel: &mut Option<watch::Receiver<bool>>,
    work: impl FnOnce() -> Result<T, ErrorKind> + Send + 'static,
) -> Result<Option<T>, ErrorKind> {
    let (sender, receiver) = oneshot::channel();
    let work = move || {
        // The upload may have been abandoned.
        let _ = sender.send(work());
    };
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map_err(|error| error.kind())?;
    tokio::select! {
        biased;
        () = cancelled(cancel) => Ok(None),
        done = receiver => done.unwrap_or(Err(ErrorKind::Other)).map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(mut payload: Payload) -> Result<Feed, Problem> {
        payload.start(&SentBytes::new(None, None), &Settings::default())
    }

    #[test]
    fn a_variable_or_a_quote_in_a_name_is_named() {
        for (path, word) in [
            ("build/${VERSION}.apk", "`${VERSION}`"),
            ("build/$VERSION.apk", "`$VERSION`"),
            ("$(Build.Id)/x", ""),
            ("$(BUILD_ID)/x", "`$(BUILD_ID)`"),
            ("%TEMP%\\x.csv", "`%TEMP%`"),
            ("$env:TEMP\\x.csv", "`$env:TEMP`"),
            ("\"report.csv\"", "quotes"),
            ("'report.csv'", "quotes"),
            ("100%.csv", ""),
            ("50% of 100%.csv", ""),
            ("5$.csv", ""),
            ("it's.csv", ""),
        ] {
            let help = unexpanded(path).unwrap_or_default();
            assert!(help.contains(word) && help.is_empty() == word.is_empty(), "{path}: {help}");
        }
    }

    #[test]
    fn a_small_file_that_changed_since_it_was_opened_is_not_sent() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("f");
        let open = || {
            std::fs::write(&path, "0123456789").unwrap();
            Payload::open(&path, None).unwrap()
        };
        for (change, word) in [("012345", "shorter"), ("0123456789a", "longer")] {
            let payload = open();
            std::fs::write(&path, change).unwrap();
            let Err(error) = start(payload) else { panic!("{word}") };
            assert!(error.code == Code::FileChanged && error.message.contains(word), "{error}");
        }
        let payload = open();
        let later = SystemTime::now() + std::time::Duration::from_secs(7);
        File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
        assert_eq!(start(payload).err().unwrap().code, Code::FileChanged);
        let payload = open();
        std::fs::write(dir.path().join("g"), "0123456789").unwrap();
        std::fs::rename(dir.path().join("g"), &path).unwrap();
        let error = start(payload).err().unwrap();
        assert!(error.code == Code::FileChanged && error.message.contains("taken its place"), "{error}");
        // A deleted file can still be sent.
        let payload = open();
        std::fs::remove_file(&path).unwrap();
        assert!(start(payload).is_ok());
    }

    #[test]
    fn detects_data_in_file_of_size_zero() {
        if let Ok(payload) = Payload::open("/proc/self/status".as_ref(), None) {
            assert_eq!(start(payload).err().unwrap().code, Code::FileChanged);
        }
    }

    #[test]
    fn validates_file_names() {
        for name in ["report.csv", "a\"b\\c%22;d", "日本.csv", "-", "...", " "] {
            assert_eq!(FileName::new(name).unwrap().as_str(), name);
        }
        for name in ["", "a/b", "a\r\nX: 1", "a\0", "\u{7f}", ".", ".."] {
            assert_eq!(FileName::new(name).unwrap_err().code, Code::FileName, "{name:?}");
        }
        assert_eq!(FileName::from_path("/tmp/x/report.csv".as_ref()).unwrap().as_str(), "report.csv");
        assert!(FileName::from_path("/".as_ref()).is_err());
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            let latin = Path::new(std::ffi::OsStr::from_bytes(b"caf\xe9.csv"));
            assert!(FileName::from_path(latin).unwrap_err().help.unwrap().contains("--filename"));
        }
    }
}
