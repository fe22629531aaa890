//! What is sent: a file that is certain to be a regular one and to stay as it is, or a stream.

use std::fs::{File, Metadata};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc as pool};
use std::time::SystemTime;

use bytes::Bytes;
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;

use super::receipt::UploadError;
use super::wire::ledger::Ledger;
use crate::file::{self, FileError};
use crate::text;

/// The size of one read. Measured: 64 KiB costs a third more time, 4 KiB twenty times more, 1 MiB only memory.
const CHUNK: usize = 256 * 1024;
/// Read ahead so many chunks while the network is busy with another.
const DEPTH: usize = 2;

/// The name under which a file is posted: not empty, no `/`, no control characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileName(String);

impl FileName {
    /// Checks a name.
    ///
    /// # Errors
    /// Code `file-name`, if it is none.
    pub fn new(name: impl Into<String>) -> Result<Self, UploadError> {
        let name = name.into();
        let flaw = if name.is_empty() {
            "it is empty"
        } else if name.contains('/') {
            "it holds a `/`"
        } else if name.chars().any(char::is_control) {
            "it holds a control character"
        } else if name == "." || name == ".." {
            "it names a directory"
        } else {
            return Ok(Self(name));
        };
        Err(bad_name(flaw))
    }

    /// The last part of a path.
    ///
    /// # Errors
    /// Code `file-name`, if the path has none, or one that is not UTF-8.
    pub fn from_path(path: &Path) -> Result<Self, UploadError> {
        let name = path.file_name().ok_or_else(|| bad_name("the path ends in none"))?;
        Self::new(name.to_str().ok_or_else(|| bad_name("it is not UTF-8"))?)
    }

    /// The name, to be sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn bad_name(flaw: &str) -> UploadError {
    UploadError::new("file-name", format!("the file can't be posted under its name: {flaw}"))
        .help("give it another one with --filename")
}

/// One file to send, opened; or a stream.
pub struct Payload {
    pub(super) name: FileName,
    source: Source,
}

enum Source {
    File {
        file: Arc<File>,
        state: State,
        /// Where it was opened; nothing for one without a name.
        path: Option<PathBuf>,
    },
    Stream(Box<dyn Read + Send>),
    /// A stream that was begun.
    Spent,
}

/// What must not change between the opening of a file and its last byte.
#[derive(Clone, Copy, PartialEq, Eq)]
struct State {
    /// Which file it is: device and number. Not known on every system.
    identity: Option<(u64, u64)>,
    len: u64,
    modified: Option<SystemTime>,
}

impl State {
    fn of(meta: &Metadata) -> Self {
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt;
            Some((meta.dev(), meta.ino()))
        };
        #[cfg(not(unix))]
        let identity = None;
        Self { identity, len: meta.len(), modified: meta.modified().ok() }
    }
}

impl std::fmt::Debug for Payload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Payload").field("name", &self.name).field("size", &self.size()).finish_non_exhaustive()
    }
}

impl Payload {
    /// Opens a regular file. From here on it must not change, nor another take its place, until it is sent.
    ///
    /// # Errors
    /// Codes `file-not-found`, `not-a-regular-file`, `file-unreadable`, `file-name`.
    pub fn open(path: &Path, name: Option<FileName>) -> Result<Self, UploadError> {
        let name = name.map_or_else(|| FileName::from_path(path), Ok);
        let (file, meta) = file::open_regular(path).map_err(|error| open_error(path, &error))?;
        Ok(Self {
            name: name?,
            source: Source::File { file: Arc::new(file), state: State::of(&meta), path: Some(path.to_owned()) },
        })
    }

    /// Standard input.
    ///
    /// # Errors
    /// Code `no-input`, if it was closed, or leads to `/dev/null`, which is the same once the program runs.
    pub fn stdin(name: FileName) -> Result<Self, UploadError> {
        #[cfg(unix)]
        {
            use rustix::fs::{FileType, fstat};
            use std::io::IsTerminal;
            let device =
                fstat(io::stdin()).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::CharacterDevice);
            if device && !io::stdin().is_terminal() {
                return Err(UploadError::new(
                    "no-input",
                    "there is nothing on standard input: it is closed or a device",
                )
                .help("pipe the content into it"));
            }
        }
        Ok(Self::stream(name, io::stdin()))
    }

    /// Anything that can be read to its end. Its length is not known beforehand, so the form is sent in chunks.
    #[must_use]
    pub fn stream(name: FileName, reader: impl Read + Send + 'static) -> Self {
        Self { name, source: Source::Stream(Box::new(reader)) }
    }

    /// Bytes to send, where that is known before they are read.
    #[must_use]
    pub const fn size(&self) -> Option<u64> {
        match &self.source {
            Source::File { state, .. } => Some(state.len),
            Source::Stream(_) | Source::Spent => None,
        }
    }

    /// Whether it can be sent once more.
    pub(super) const fn is_replayable(&self) -> bool {
        matches!(self.source, Source::File { .. })
    }

    /// When the file was last written to, in nanoseconds since 1970, if the system knows that.
    pub(super) fn modified(&self) -> Option<u128> {
        let Source::File { state, .. } = &self.source else { return None };
        Some(state.modified?.duration_since(SystemTime::UNIX_EPOCH).ok()?.as_nanos())
    }

    /// The SHA-256 of a file, in hexadecimal digits; nothing for a stream. Read by a thread, beside what else is sent.
    pub(super) async fn checksum(&self) -> Result<Option<String>, UploadError> {
        let Source::File { file, state, .. } = &self.source else { return Ok(None) };
        let mut reader = At { file: Arc::clone(file), offset: 0 }.take(state.len);
        let read = tokio::task::spawn_blocking(move || {
            let mut buffer = vec![0; CHUNK];
            let mut hash = Sha256::new();
            loop {
                match fill(&mut reader, &mut buffer)? {
                    0 => return Ok(text::hex(&hash.finalize())),
                    filled => hash.update(&buffer[..filled]),
                }
            }
        });
        let broken = |_| UploadError::new("file-unreadable", "reading the file broke off");
        read.await.map_err(broken)?.map(Some).map_err(|error: io::Error| unreadable(&error))
    }

    /// Starts to read from the beginning. A small file is read here and now, so that one that changed is found out
    /// before anything is sent; everything else by a thread of its own. With `checksum`, the ledger is told the
    /// SHA-256 before the last bytes go.
    pub(super) fn start(&mut self, ledger: &Ledger, checksum: bool) -> Result<Feed, UploadError> {
        let mut sum = Sum { hash: checksum.then(Sha256::new), ledger: ledger.clone() };
        match std::mem::replace(&mut self.source, Source::Spent) {
            Source::File { file, state, path } => {
                self.source = Source::File { file: Arc::clone(&file), state, path: path.clone() };
                let mut reader = At { file: Arc::clone(&file), offset: 0 }.take(state.len);
                if state.len <= CHUNK as u64 {
                    let mut bytes = Vec::with_capacity(usize::try_from(state.len).unwrap_or(CHUNK));
                    reader.read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
                    unchanged(&file, &state, path.as_deref(), bytes.len() as u64)?;
                    sum.add(&bytes);
                    sum.done();
                    return Ok(Feed::Whole(Some(bytes.into())));
                }
                spawn(move |pump| {
                    pump.run(&mut reader, &mut sum, |read| unchanged(&file, &state, path.as_deref(), read))
                })
            }
            Source::Stream(mut reader) => spawn(move |pump| pump.run(&mut reader, &mut sum, |_| Ok(()))),
            Source::Spent => Err(UploadError::new("file-unreadable", "the input can be read only once")),
        }
    }

    /// The same with a length: a stream is copied to a file that nobody else can see, which the system removes when
    /// the program ends, however it ends.
    ///
    /// Blocks until the stream is at its end.
    pub(super) fn spooled(self) -> Result<Self, UploadError> {
        let Source::Stream(mut reader) = self.source else { return Ok(self) };
        let broken = |error: io::Error| {
            UploadError::new("spool-failed", format!("the input could not be kept for sending: {}", error.kind()))
                .help("make room in the directory for temporary files, or set TMPDIR to one that is there and has room")
        };
        let mut file = tempfile::tempfile().map_err(broken)?;
        let mut buffer = vec![0; CHUNK];
        loop {
            match fill(&mut reader, &mut buffer).map_err(|error| unreadable(&error))? {
                0 => break,
                filled => file.write_all(&buffer[..filled]).map_err(broken)?,
            }
        }
        let state = State::of(&file.metadata().map_err(broken)?);
        Ok(Self { name: self.name, source: Source::File { file: Arc::new(file), state, path: None } })
    }
}

/// Reads a file from a place of its own, so that a try that was given up and is still reading disturbs nobody.
struct At {
    file: Arc<File>,
    offset: u64,
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

/// The checksum of what is read, if one was asked for.
struct Sum {
    hash: Option<Sha256>,
    ledger: Ledger,
}

impl Sum {
    fn add(&mut self, bytes: &[u8]) {
        if let Some(hash) = &mut self.hash {
            hash.update(bytes);
        }
    }

    fn done(&mut self) {
        if let Some(hash) = self.hash.take() {
            self.ledger.account().sha256 = Some(text::hex(&hash.finalize()));
        }
    }
}

fn open_error(path: &Path, error: &FileError) -> UploadError {
    let pattern = path.as_os_str().as_encoded_bytes().iter().any(|byte| b"*?[".contains(byte));
    let path = text::file_or_path(path);
    match error {
        FileError::NotFound if pattern => UploadError::new("no-match", format!("the pattern {path} matches no file")),
        FileError::NotFound => UploadError::new("file-not-found", format!("{path}: there is no such file")),
        FileError::NotRegular(what) => {
            let error = UploadError::new("not-a-regular-file", format!("{path} is {what}, not a regular file"));
            match *what {
                "a directory" => {
                    error.help("there is no file in it that could be sent: hidden ones and links are left out")
                }
                "a named pipe" => error.help("send a pipe through standard input: `-` with --filename"),
                _ => error,
            }
        }
        other => UploadError::new("file-unreadable", format!("{path} can't be read: {other}")),
    }
}

fn unreadable(error: &io::Error) -> UploadError {
    UploadError::new("file-unreadable", format!("the file can't be read: {}", error.kind()))
}

fn changed(how: &str) -> UploadError {
    UploadError::new("file-changed", format!("the file changed while it was sent: {how}; the service did not get it"))
        .help("send it again once whatever writes it has finished, or send a copy")
}

/// Looks at a file again after `read` bytes. Asked before the last of them are sent: without these, no service takes
/// the request for complete.
fn unchanged(file: &Arc<File>, state: &State, path: Option<&Path>, read: u64) -> Result<(), UploadError> {
    // One that is gone is still what was meant.
    let there = path.and_then(|path| std::fs::metadata(path).ok()).map(|meta| State::of(&meta));
    let now = match there {
        Some(there) if there.identity == state.identity => there,
        _ => State::of(&file.metadata().map_err(|error| unreadable(&error))?),
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
    Ok(At { file: Arc::clone(file), offset: 0 }.read(&mut [0])? > 0)
}

/// Where the bytes of a payload come from while it is sent.
pub(super) enum Feed {
    /// Read already.
    Whole(Option<Bytes>),
    /// Being read by a thread.
    Thread(mpsc::Receiver<Message>),
}

pub(super) enum Message {
    Chunk(Bytes),
    /// Everything was read, and the file is still what it was.
    End,
    Failed(UploadError),
}

/// A thread of our own, not one of the runtime: a runtime waits for its threads when it is dropped, and reading from
/// a terminal or a dead network drive may never return.
fn spawn(read: impl FnOnce(&mut Pump) -> Result<(), UploadError> + Send + 'static) -> Result<Feed, UploadError> {
    let (sender, receiver) = mpsc::channel(DEPTH);
    let (give_back, spare) = pool::channel();
    let mut pump = Pump { sender, give_back, spare };
    std::thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || {
            let message = match read(&mut pump) {
                Ok(()) => Message::End,
                Err(error) => Message::Failed(error),
            };
            // Nobody listens any more once the upload was given up.
            let _ = pump.sender.blocking_send(message);
        })
        .map_err(|error| {
            UploadError::new(
                "file-unreadable",
                format!("no thread could be started to read the file: {}", error.kind()),
            )
        })?;
    Ok(Feed::Thread(receiver))
}

struct Pump {
    sender: mpsc::Sender<Message>,
    give_back: pool::Sender<Vec<u8>>,
    spare: pool::Receiver<Vec<u8>>,
}

impl Pump {
    /// Reads to the end in full chunks, each in a buffer that comes back when the network is done with it. The last
    /// chunk goes only if all is well.
    fn run(
        &mut self,
        reader: &mut impl Read,
        sum: &mut Sum,
        check: impl Fn(u64) -> Result<(), UploadError>,
    ) -> Result<(), UploadError> {
        let (mut total, mut last) = (0, None);
        loop {
            let mut buffer = self.spare.try_recv().unwrap_or_else(|_| vec![0; CHUNK]);
            let filled = fill(reader, &mut buffer).map_err(|error| unreadable(&error))?;
            sum.add(&buffer[..filled]);
            total += filled as u64;
            if filled == 0 {
                check(total)?;
                sum.done();
            }
            if let Some(chunk) = last.take()
                && self.sender.blocking_send(Message::Chunk(chunk)).is_err()
            {
                // Given up; what is returned goes nowhere.
                return Ok(());
            }
            if filled == 0 {
                return Ok(());
            }
            last = Some(Bytes::from_owner(Pooled { buffer, filled, give_back: self.give_back.clone() }));
        }
    }
}

fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

struct Pooled {
    buffer: Vec<u8>,
    filled: usize,
    give_back: pool::Sender<Vec<u8>>,
}

impl AsRef<[u8]> for Pooled {
    fn as_ref(&self) -> &[u8] {
        &self.buffer[..self.filled]
    }
}

impl Drop for Pooled {
    fn drop(&mut self) {
        let _ = self.give_back.send(std::mem::take(&mut self.buffer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(mut payload: Payload) -> Result<Feed, UploadError> {
        payload.start(&Ledger::new(None, None), false)
    }

    #[test]
    fn names() {
        for name in ["report.csv", "a\"b\\c%22;d", "日本.csv", "-", "...", " "] {
            assert_eq!(FileName::new(name).unwrap().as_str(), name);
        }
        for name in ["", "a/b", "a\r\nX: 1", "a\0", "\u{7f}", ".", ".."] {
            assert_eq!(FileName::new(name).unwrap_err().code, "file-name", "{name:?}");
        }
        assert_eq!(FileName::from_path("/tmp/x/report.csv".as_ref()).unwrap().as_str(), "report.csv");
        assert!(FileName::from_path("/".as_ref()).is_err());
        use std::os::unix::ffi::OsStrExt;
        let latin = Path::new(std::ffi::OsStr::from_bytes(b"caf\xe9.csv"));
        assert!(FileName::from_path(latin).unwrap_err().help.unwrap().contains("--filename"));
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
            assert!(error.code == "file-changed" && error.message.contains(word), "{error}");
        }
        let payload = open();
        let later = SystemTime::now() + std::time::Duration::from_secs(7);
        File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
        assert_eq!(start(payload).err().unwrap().code, "file-changed");
        let payload = open();
        std::fs::write(dir.path().join("g"), "0123456789").unwrap();
        std::fs::rename(dir.path().join("g"), &path).unwrap();
        let error = start(payload).err().unwrap();
        assert!(error.code == "file-changed" && error.message.contains("taken its place"), "{error}");
        // What is gone was meant all the same.
        let payload = open();
        std::fs::remove_file(&path).unwrap();
        assert!(start(payload).is_ok());
    }

    #[test]
    fn a_file_that_says_it_is_empty_and_is_not_is_found_out() {
        if let Ok(payload) = Payload::open("/proc/self/status".as_ref(), None) {
            assert_eq!(start(payload).err().unwrap().code, "file-changed");
        }
    }
}
