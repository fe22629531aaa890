//! Reads a payload in chunks, ahead of the network, in a separate thread. Detects whether a file changes between its opening and its last byte.

use std::fs::{File, Metadata};
use std::io;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::SystemTime;

use bytes::Bytes;
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;
use zeroize::Zeroize;

use crate::code::Code;
use crate::file::{self, OffsetReader};
use crate::shorthand::lock;
use crate::source::Problem;
use crate::text;
use crate::upload::secrets::Scan;
use crate::upload::wire::ledger::SentBytes;

/// The size of one read. Measured: 64 KiB takes a third more time, 4 KiB twenty times as long; 1 MiB only needs more
/// memory.
pub const CHUNK: usize = 256 * 1024;
/// The number of chunks to read ahead while another one is sent.
const DEPTH: usize = 2;

/// The stack of a thread that reads: the default of 2 MiB would take that much of a limited address space for each file.
pub const STACK: usize = 256 * 1024;

/// Returns an empty buffer for `len` bytes. If there is no memory for it, only the file fails, not the program.
pub fn buffer(len: usize) -> Result<Vec<u8>, Problem> {
    let mut buffer = Vec::new();
    match buffer.try_reserve_exact(len) {
        Ok(()) => Ok(buffer),
        Err(_) => Err(Problem::new(Code::FileUnreadable, "there is not enough memory to read the file")
            .help("lower --concurrency, or raise the limit (`ulimit -v`)")),
    }
}

/// Returns a buffer of zeros for one read.
pub fn chunk() -> Result<Vec<u8>, Problem> {
    let mut chunk = buffer(CHUNK)?;
    chunk.resize(CHUNK, 0);
    Ok(chunk)
}

/// The checksum of what is read, if it is requested.
pub struct Checksum {
    hash: Option<Sha256>,
    ledger: SentBytes,
}

impl Checksum {
    pub fn new(enabled: bool, ledger: &SentBytes) -> Self {
        Self { hash: enabled.then(Sha256::new), ledger: ledger.clone() }
    }

    pub fn update(&mut self, bytes: &[u8]) {
        if let Some(hash) = &mut self.hash {
            hash.update(bytes);
        }
    }

    pub fn finish(&mut self) {
        if let Some(hash) = self.hash.take() {
            self.ledger.account().sha256 = Some(text::hex(&hash.finalize()));
        }
    }
}

pub fn unreadable_error(error: &io::Error) -> Problem {
    Problem::new(Code::FileUnreadable, format!("the file can't be read: {}", error.kind()))
}

/// A source of chunks.
pub trait PayloadSource: Read + Send + 'static {
    /// Checks the source after `read` bytes, before the last of them are sent.
    ///
    /// # Errors
    /// If the source has changed since it was opened.
    fn check(&self, read: u64) -> Result<(), Problem> {
        let _ = read;
        Ok(())
    }
}

/// Buffers to use again. A new one for each chunk takes half as long again: its pages are cleared, and wiped after it.
type Spare = Arc<Mutex<Vec<Vec<u8>>>>;

/// A chunk, whose buffer is spare when the network is done with it.
struct Pooled {
    buffer: Vec<u8>,
    filled: usize,
    spare: Spare,
}

impl AsRef<[u8]> for Pooled {
    fn as_ref(&self) -> &[u8] {
        &self.buffer[..self.filled]
    }
}

impl Drop for Pooled {
    fn drop(&mut self) {
        lock(&self.spare).push(std::mem::take(&mut self.buffer));
    }
}

/// Reads a source in chunks. A chunk is returned only after enough of what follows was searched that no secret can begin in
/// it, and the last one only if the source is unchanged.
pub struct Chunks<S> {
    source: S,
    scan: Scan,
    checksum: Checksum,
    spare: Spare,
    total: u64,
    /// The previous chunk, held back until the next one was searched.
    previous: Option<Bytes>,
    ended: bool,
}

impl<S: PayloadSource> Chunks<S> {
    pub fn new(source: S, scan: Scan, checksum: Checksum) -> Self {
        Self { source, scan, checksum, spare: Spare::default(), total: 0, previous: None, ended: false }
    }

    /// Returns the next chunk; `None` at the end.
    fn next(&mut self) -> FeedMessage {
        while !self.ended {
            let spare = lock(&self.spare).pop();
            let (mut buffer, mut filled) = (spare.map_or_else(chunk, Ok)?, 0);
            // Read until no secret can begin in the previous chunk, or the source ends.
            while !self.ended && filled < self.scan.overlap().max(1) {
                let read = fill(&mut self.source, &mut buffer[filled..]).map_err(|error| unreadable_error(&error))?;
                // Without this, a terminal would be read again after its end.
                self.ended = read == 0;
                filled += read;
            }
            if let Err(error) = self.scan.search(&buffer[..filled]) {
                buffer.zeroize();
                return Err(error);
            }
            self.checksum.update(&buffer[..filled]);
            self.total += filled as u64;
            if self.ended {
                self.source.check(self.total)?;
                self.checksum.finish();
            }
            let chunk = Bytes::from_owner(Pooled { buffer, filled, spare: Arc::clone(&self.spare) });
            if let Some(chunk) = self.previous.replace(chunk) {
                return Ok(Some(chunk));
            }
        }
        Ok(self.previous.take().filter(|chunk| !chunk.is_empty()))
    }

    /// Continues in a separate thread. It is not one of the runtime's: a runtime waits for its threads when it is
    /// dropped, and a read from a terminal or a dead network drive may never return.
    ///
    /// # Errors
    /// Code `file-unreadable`, if no thread can be started.
    pub fn spawn(mut self) -> Result<mpsc::Receiver<FeedMessage>, Problem> {
        let (sender, receiver) = mpsc::channel(DEPTH);
        let pump = move || {
            loop {
                let message = self.next();
                let over = !matches!(message, Ok(Some(_)));
                // The receiver is gone if the upload was given up, so the result is ignored.
                if sender.blocking_send(message).is_err() || over {
                    return;
                }
            }
        };
        let spawned = std::thread::Builder::new().name("reader".to_owned()).stack_size(STACK).spawn(pump);
        spawned.map(|_| receiver).map_err(|error| {
            let message = format!("no thread could be started to read the file: {}", error.kind());
            Problem::new(Code::FileUnreadable, message)
        })
    }
}

/// The source of a payload's bytes while it is sent.
pub enum Feed {
    /// The whole payload, already read; `None` once it was taken.
    Whole(Option<Bytes>),
    /// Read ahead by a thread.
    Thread(mpsc::Receiver<FeedMessage>),
}

/// A chunk from a reader. `None` if everything was read, and the file has not changed.
pub type FeedMessage = Result<Option<Bytes>, Problem>;

impl Feed {
    /// Polls the next message.
    pub fn poll(&mut self, context: &mut Context<'_>) -> Poll<FeedMessage> {
        match self {
            Self::Whole(bytes) => Poll::Ready(Ok(bytes.take().filter(|bytes| !bytes.is_empty()))),
            Self::Thread(receiver) => {
                let incomplete = || Problem::new(Code::FileUnreadable, "the file could not be read to its end");
                receiver.poll_recv(context).map(|message| message.unwrap_or_else(|| Err(incomplete())))
            }
        }
    }
}

pub fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

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

/// A file to send, limited to the length that it had when it was opened.
pub struct Stamped {
    reader: io::Take<OffsetReader<Arc<File>>>,
    stamp: FileStamp,
    path: Option<PathBuf>,
}

impl Stamped {
    pub fn new(file: &Arc<File>, stamp: FileStamp, path: Option<PathBuf>) -> Self {
        Self { reader: OffsetReader::new(Arc::clone(file), 0).take(stamp.len), stamp, path }
    }
}

impl Read for Stamped {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }
}

impl PayloadSource for Stamped {
    fn check(&self, read: u64) -> Result<(), Problem> {
        check_unchanged(self.reader.get_ref().file(), &self.stamp, self.path.as_deref(), read)
    }
}

fn changed_error(how: &str) -> Problem {
    Problem::new(Code::FileChanged, format!("the file changed while it was sent: {how}; the service did not get it"))
        .help("send it again once whatever writes it has finished, or send a copy")
}

/// Checks that a file is unchanged after `read` bytes. This happens before the last of them are sent: without them, no
/// service treats the request as complete.
pub fn check_unchanged(file: &File, stamp: &FileStamp, path: Option<&Path>, read: u64) -> Result<(), Problem> {
    // A deleted file is still the one that was opened.
    let there = path.and_then(|path| std::fs::metadata(path).ok()).map(|meta| FileStamp::from_meta(&meta));
    let now = match there {
        Some(there) if there.identity == stamp.identity => there,
        _ => FileStamp::from_meta(&file.metadata().map_err(|error| unreadable_error(&error))?),
    };
    // Virtual files, such as those in `/proc`, claim to be empty and are not.
    let unexpected = stamp.len == 0 && has_data(file).map_err(|error| unreadable_error(&error))?;
    if read < stamp.len || now.len < stamp.len {
        Err(changed_error("it is shorter than before"))
    } else if now.len > stamp.len || unexpected {
        Err(changed_error("it is longer than before"))
    } else if now != *stamp {
        Err(changed_error("it was written to"))
    } else if there.is_some_and(|there| there.identity != stamp.identity) {
        Err(changed_error("another file has taken its place"))
    } else {
        Ok(())
    }
}

fn has_data(file: &File) -> io::Result<bool> {
    Ok(OffsetReader::new(file, 0).read(&mut [0])? > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::upload::secrets::OwnSecrets;

    /// Never fills a chunk, like a pipe.
    struct Pipe(io::Cursor<Vec<u8>>);

    impl Read for Pipe {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let len = buffer.len().min(100_000);
            self.0.read(&mut buffer[..len])
        }
    }

    impl PayloadSource for Pipe {
        fn check(&self, read: u64) -> Result<(), Problem> {
            assert_eq!(read, self.0.get_ref().len() as u64);
            Ok(())
        }
    }

    const SECRET: &str = "xoxb-4815162342-QwErTyUiOpAsDfGh";

    /// Returns what was read, and the code of an error.
    fn read(bytes: &[u8]) -> (Vec<u8>, Option<Code>) {
        let scan = Scan::new(&OwnSecrets::new([("token", SECRET.into())]));
        let source = Pipe(io::Cursor::new(bytes.to_vec()));
        let mut thread = Chunks::new(source, scan, Checksum::new(false, &SentBytes::new(None, None))).spawn().unwrap();
        let mut sent = Vec::new();
        loop {
            match thread.blocking_recv().unwrap() {
                Ok(Some(chunk)) => sent.extend_from_slice(&chunk),
                Ok(None) => return (sent, None),
                Err(error) => return (sent, Some(error.code)),
            }
        }
    }

    #[test]
    fn lack_of_memory_fails_only_the_file() {
        for len in [usize::MAX, isize::MAX as usize] {
            let error = buffer(len).unwrap_err();
            assert!(error.code == Code::FileUnreadable && error.message.contains("memory"), "{error}");
        }
        assert!(buffer(9).unwrap().is_empty() && chunk().unwrap() == vec![0; CHUNK]);
    }

    #[test]
    fn nothing_is_lost_between_two_reads() {
        let bytes: Vec<u8> = (0..1_000_000_u32).map(|number| (number % 251) as u8).collect();
        for len in [0, 1, 99_999, 100_000, CHUNK, CHUNK + 1, 1_000_000] {
            assert!(read(&bytes[..len]) == (bytes[..len].to_vec(), None), "{len}");
        }
    }

    #[test]
    fn a_secret_is_found_between_two_reads() {
        for at in [0, 99_999, 100_000 - SECRET.len(), 100_000, CHUNK - 1, CHUNK, 599_968] {
            let mut bytes = vec![b'x'; 600_000];
            bytes[at..at + SECRET.len()].copy_from_slice(SECRET.as_bytes());
            let (sent, ended) = read(&bytes);
            assert_eq!(ended, Some(Code::OwnSecret), "{at}");
            assert!(sent.len() <= at && sent.iter().all(|&byte| byte == b'x'), "{at}");
        }
    }
}
