//! Reads a payload in chunks: in the sender, as long as that does not block, or ahead of the network in a separate
//! thread.

use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;
use zeroize::Zeroize;

use super::scan::Scan;
use crate::code::Code;
use crate::text;
use crate::upload::error::UploadError;
use crate::upload::wire::feed::{Feed, FeedMessage, InlineReader};
use crate::upload::wire::ledger::Ledger;

/// The size of one read. Measured: 64 KiB takes a third more time, 4 KiB twenty times as long; 1 MiB only takes more
/// memory.
pub const CHUNK: usize = 256 * 1024;
/// The number of chunks to read ahead while another one is sent.
const DEPTH: usize = 2;

/// The stack of a thread that reads: the default of 2 MiB would take that much of a limited address space for each file.
pub const STACK: usize = 256 * 1024;

/// Returns an empty buffer for `len` bytes. If there is no memory for it, the file fails, and not the program.
pub fn buffer(len: usize) -> Result<Vec<u8>, UploadError> {
    let mut buffer = Vec::new();
    match buffer.try_reserve_exact(len) {
        Ok(()) => Ok(buffer),
        Err(_) => Err(UploadError::new(Code::FileUnreadable, "there is not enough memory to read the file")
            .help("lower --concurrency, or raise the limit (`ulimit -v`)")),
    }
}

/// Returns a buffer of zeros for one read.
pub fn chunk() -> Result<Vec<u8>, UploadError> {
    let mut chunk = buffer(CHUNK)?;
    chunk.resize(CHUNK, 0);
    Ok(chunk)
}

/// The checksum of what is read, if it is requested.
pub struct Checksum {
    hash: Option<Sha256>,
    ledger: Ledger,
}

impl Checksum {
    pub fn new(enabled: bool, ledger: &Ledger) -> Self {
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

pub fn unreadable(error: &io::Error) -> UploadError {
    UploadError::new(Code::FileUnreadable, format!("the file can't be read: {}", error.kind()))
}

/// A source of chunks.
pub trait Source: Read + Send + 'static {
    /// Makes reads block from now on.
    fn set_blocking(&mut self);

    /// Checks the source after `read` bytes, before the last of them are sent.
    ///
    /// # Errors
    /// If the source has changed since it was opened.
    fn check(&self, read: u64) -> Result<(), UploadError>;
}

/// Reads a source in chunks, each in a buffer that is reused when the network is done with it. A chunk is returned only
/// after enough of what follows was searched that no secret can begin in it, and the last one only if the source is
/// unchanged.
pub struct Chunks<S> {
    source: S,
    scan: Scan,
    checksum: Checksum,
    spare: Spare,
    /// The chunk that is being read.
    buffer: Vec<u8>,
    filled: usize,
    total: u64,
    /// The previous chunk, held back until the next one was searched.
    previous: Option<Bytes>,
    ended: bool,
}

/// Buffers to reuse.
type Spare = Arc<Mutex<Vec<Vec<u8>>>>;

fn spare(buffers: &Spare) -> std::sync::MutexGuard<'_, Vec<Vec<u8>>> {
    buffers.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<S: Source> Chunks<S> {
    pub fn new(source: S, scan: Scan, checksum: Checksum) -> Self {
        let (spare, buffer) = (Spare::default(), Vec::new());
        Self { source, scan, checksum, spare, buffer, filled: 0, total: 0, previous: None, ended: false }
    }

    /// Returns the next chunk, or the end; `None` if reading would block.
    fn next(&mut self) -> Option<FeedMessage> {
        match self.read() {
            Ok(Some(chunk)) => Some(FeedMessage::Chunk(chunk)),
            Ok(None) => Some(FeedMessage::End),
            Err(None) => None,
            Err(Some(error)) => Some(FeedMessage::Failed(error)),
        }
    }

    fn read(&mut self) -> Result<Option<Bytes>, Option<UploadError>> {
        while !self.ended {
            self.fill()?;
            let filled = std::mem::take(&mut self.filled);
            let mut buffer = std::mem::take(&mut self.buffer);
            if let Err(error) = self.scan.search(&buffer[..filled]) {
                buffer.zeroize();
                return Err(Some(error));
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

    /// Reads until no secret can begin in the previous chunk, or the source ends.
    fn fill(&mut self) -> Result<(), Option<UploadError>> {
        if self.buffer.is_empty() {
            let spare = spare(&self.spare).pop();
            self.buffer = spare.map_or_else(chunk, Ok)?;
        }
        while !self.ended && self.filled < self.scan.overlap().max(1) {
            let read = match fill(&mut self.source, &mut self.buffer[self.filled..]) {
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Err(None),
                Err(error) => return Err(Some(unreadable(&error))),
            };
            // Without this, a terminal would be read again after its end.
            self.ended = read == 0;
            self.filled += read;
        }
        Ok(())
    }

    /// Continues in a separate thread. It is not one of the runtime's: a runtime waits for its threads when it is
    /// dropped, and a read from a terminal or a dead network drive may never return.
    ///
    /// # Errors
    /// Code `file-unreadable`, if no thread can be started.
    pub fn spawn(mut self) -> Result<mpsc::Receiver<FeedMessage>, UploadError> {
        let (sender, receiver) = mpsc::channel(DEPTH);
        self.source.set_blocking();
        let pump = move || {
            loop {
                let message = self.next().unwrap_or(FeedMessage::Failed(unreadable(&io::ErrorKind::WouldBlock.into())));
                let over = !matches!(message, FeedMessage::Chunk(_));
                // The receiver is gone if the upload was given up, so the result is ignored.
                if sender.blocking_send(message).is_err() || over {
                    return;
                }
            }
        };
        let spawned = std::thread::Builder::new().name("reader".to_owned()).stack_size(STACK).spawn(pump);
        spawned.map(|_| receiver).map_err(|error| {
            let message = format!("no thread could be started to read the file: {}", error.kind());
            UploadError::new(Code::FileUnreadable, message)
        })
    }
}

impl<S: Source + Sync> InlineReader for Chunks<S> {
    fn next(&mut self) -> Option<FeedMessage> {
        Chunks::next(self)
    }

    fn into_thread(self: Box<Self>) -> Result<Feed, UploadError> {
        self.spawn().map(Feed::Thread)
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
        spare(&self.spare).push(std::mem::take(&mut self.buffer));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::upload::secrets::OwnSecrets;

    /// Provides the first `available` bytes without blocking. The rest blocks, which must not happen on the thread that
    /// created it.
    struct Slow {
        bytes: Vec<u8>,
        at: usize,
        available: usize,
        blocking: Arc<AtomicBool>,
        sender: std::thread::ThreadId,
    }

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let blocking = self.blocking.load(Ordering::Relaxed);
            assert!(!blocking || std::thread::current().id() != self.sender, "the sender blocks");
            let end = if blocking { self.bytes.len() } else { self.available };
            if self.at == end && end < self.bytes.len() {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            // Never a whole chunk, like a pipe.
            let len = (end - self.at).min(buffer.len()).min(100_000);
            buffer[..len].copy_from_slice(&self.bytes[self.at..self.at + len]);
            self.at += len;
            Ok(len)
        }
    }

    impl Source for Slow {
        fn set_blocking(&mut self) {
            self.blocking.store(true, Ordering::Relaxed);
        }

        fn check(&self, read: u64) -> Result<(), UploadError> {
            assert_eq!(read, self.bytes.len() as u64);
            Ok(())
        }
    }

    const SECRET: &str = "xoxb-4815162342-QwErTyUiOpAsDfGh";

    /// Returns what was read, the code of an error, and whether reading had to block.
    fn read(bytes: &[u8], available: usize) -> (Vec<u8>, Option<Code>, bool) {
        let blocking = Arc::new(AtomicBool::new(false));
        let sender = std::thread::current().id();
        let source = Slow { bytes: bytes.to_vec(), at: 0, available, blocking: Arc::clone(&blocking), sender };
        let scan = Scan::new(&OwnSecrets::new([("token", SECRET.into())]));
        let mut chunks = Chunks::new(source, scan, Checksum::new(false, &Ledger::new(None, None)));
        let mut sent = Vec::new();
        let mut take = |message| match message {
            FeedMessage::Chunk(chunk) => {
                sent.extend_from_slice(&chunk);
                None
            }
            FeedMessage::End => Some(None),
            FeedMessage::Failed(error) => Some(Some(error.code)),
        };
        let ended = loop {
            match chunks.next().map(&mut take) {
                Some(Some(ended)) => break ended,
                Some(None) => {}
                None => {
                    let mut thread = chunks.spawn().unwrap();
                    break std::iter::from_fn(|| thread.blocking_recv()).find_map(take).unwrap();
                }
            }
        };
        (sent, ended, blocking.load(Ordering::Relaxed))
    }

    #[test]
    fn without_memory_a_file_fails_and_not_the_program() {
        for len in [usize::MAX, isize::MAX as usize] {
            let error = buffer(len).unwrap_err();
            assert!(error.code == Code::FileUnreadable && error.message.contains("memory"), "{error}");
        }
        assert!(buffer(9).unwrap().is_empty() && chunk().unwrap() == vec![0; CHUNK]);
    }

    #[test]
    fn what_is_not_at_hand_is_read_by_a_thread_and_nothing_is_lost() {
        let bytes: Vec<u8> = (0..1_000_000_u32).map(|number| (number % 251) as u8).collect();
        for available in [0, 1, 10, 99_999, 100_000, 350_001, 999_999, 1_000_000] {
            let (sent, ended, waited) = read(&bytes, available);
            assert!(
                sent == bytes && ended.is_none() && waited == (available < bytes.len()),
                "{available}: {}",
                sent.len()
            );
        }
        assert_eq!(read(b"", 0), (Vec::new(), None, false));
    }

    #[test]
    fn a_secret_is_found_where_the_one_stops_and_the_other_goes_on() {
        let mut bytes = vec![b'x'; 600_000];
        bytes[350_000..350_000 + SECRET.len()].copy_from_slice(SECRET.as_bytes());
        for available in [350_000, 350_001, 350_010, 350_000 + SECRET.len() - 1, 600_000] {
            let (sent, ended, _) = read(&bytes, available);
            assert_eq!(ended, Some(Code::OwnSecret), "{available}");
            assert!(sent.len() <= 350_000 && sent.iter().all(|&byte| byte == b'x'), "{available}");
        }
    }
}
