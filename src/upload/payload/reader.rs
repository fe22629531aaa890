//! Reads what is sent, in pieces: where it is sent as long as that takes no time, or ahead of the network in a thread of its
//! own.

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
use crate::upload::wire::feed::{Feed, FeedMessage, Here};
use crate::upload::wire::ledger::Ledger;

/// The size of one read. Measured: 64 KiB costs a third more time, 4 KiB twenty times more, 1 MiB only memory.
pub const CHUNK: usize = 256 * 1024;
/// Read ahead so many chunks while the network is busy with another.
const DEPTH: usize = 2;

/// The checksum of what is read, if one was asked for.
pub struct Sum {
    hash: Option<Sha256>,
    ledger: Ledger,
}

impl Sum {
    pub fn new(checksum: bool, ledger: &Ledger) -> Self {
        Self { hash: checksum.then(Sha256::new), ledger: ledger.clone() }
    }

    pub fn add(&mut self, bytes: &[u8]) {
        if let Some(hash) = &mut self.hash {
            hash.update(bytes);
        }
    }

    pub fn done(&mut self) {
        if let Some(hash) = self.hash.take() {
            self.ledger.account().sha256 = Some(text::hex(&hash.finalize()));
        }
    }
}

pub fn unreadable(error: &io::Error) -> UploadError {
    UploadError::new(Code::FileUnreadable, format!("the file can't be read: {}", error.kind()))
}

/// What chunks are read from.
pub trait Source: Read + Send + 'static {
    /// From here on waits for what is not there yet.
    fn wait(&mut self);

    /// Whether what was read, so many bytes, is what was meant. Asked before the last of them go.
    ///
    /// # Errors
    /// Why it is not.
    fn check(&self, read: u64) -> Result<(), UploadError>;
}

/// Reads to the end in full chunks, each in a buffer that comes back when the network is done with it. A chunk goes only
/// after so much of what follows was looked at that no secret begins in it, and the last one only if all is well.
pub struct Chunks<S> {
    source: S,
    scan: Scan,
    sum: Sum,
    spare: Spare,
    /// What is being read, so far.
    buffer: Vec<u8>,
    filled: usize,
    total: u64,
    /// Waits for its successor.
    last: Option<Bytes>,
    ended: bool,
}

/// Buffers to use again.
type Spare = Arc<Mutex<Vec<Vec<u8>>>>;

fn spare(buffers: &Spare) -> std::sync::MutexGuard<'_, Vec<Vec<u8>>> {
    buffers.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<S: Source> Chunks<S> {
    pub fn new(source: S, scan: Scan, sum: Sum) -> Self {
        let (spare, buffer) = (Spare::default(), Vec::new());
        Self { source, scan, sum, spare, buffer, filled: 0, total: 0, last: None, ended: false }
    }

    /// The next chunk, or the end. `None` if that takes time, of a source that does not wait.
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
            if let Err(error) = self.scan.look(&buffer[..filled]) {
                buffer.zeroize();
                return Err(Some(error));
            }
            self.sum.add(&buffer[..filled]);
            self.total += filled as u64;
            if self.ended {
                self.source.check(self.total)?;
                self.sum.done();
            }
            let chunk = Bytes::from_owner(Pooled { buffer, filled, spare: Arc::clone(&self.spare) });
            if let Some(chunk) = self.last.replace(chunk) {
                return Ok(Some(chunk));
            }
        }
        Ok(self.last.take().filter(|chunk| !chunk.is_empty()))
    }

    /// Reads until there is so much that no secret begins in the chunk before, or the end is reached.
    fn fill(&mut self) -> Result<(), Option<UploadError>> {
        if self.buffer.is_empty() {
            self.buffer = spare(&self.spare).pop().unwrap_or_else(|| vec![0; CHUNK]);
        }
        while !self.ended && self.filled < self.scan.overlap().max(1) {
            let read = match fill(&mut self.source, &mut self.buffer[self.filled..]) {
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Err(None),
                Err(error) => return Err(Some(unreadable(&error))),
            };
            // A terminal would be asked for more after its end.
            self.ended = read == 0;
            self.filled += read;
        }
        Ok(())
    }

    /// Reads in a thread of our own, not one of the runtime: a runtime waits for its threads when it is dropped, and reading
    /// from a terminal or a dead network drive may never return.
    ///
    /// # Errors
    /// Code `file-unreadable`, if no thread can be started.
    pub fn spawn(mut self) -> Result<mpsc::Receiver<FeedMessage>, UploadError> {
        let (sender, receiver) = mpsc::channel(DEPTH);
        self.source.wait();
        let pump = move || {
            loop {
                let message = self.next().unwrap_or(FeedMessage::Failed(unreadable(&io::ErrorKind::WouldBlock.into())));
                let over = !matches!(message, FeedMessage::Chunk(_));
                // Nobody listens any more once the upload was given up; what is returned goes nowhere.
                if sender.blocking_send(message).is_err() || over {
                    return;
                }
            }
        };
        let spawned = std::thread::Builder::new().name("reader".to_owned()).spawn(pump);
        spawned.map(|_| receiver).map_err(|error| {
            let message = format!("no thread could be started to read the file: {}", error.kind());
            UploadError::new(Code::FileUnreadable, message)
        })
    }
}

impl<S: Source + Sync> Here for Chunks<S> {
    fn next(&mut self) -> Option<FeedMessage> {
        Chunks::next(self)
    }

    fn elsewhere(self: Box<Self>) -> Result<Feed, UploadError> {
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

    /// Has so much at hand; for the rest it has to wait, which it must not do on the thread that it was made on.
    struct Slow {
        bytes: Vec<u8>,
        at: usize,
        at_hand: usize,
        waits: Arc<AtomicBool>,
        here: std::thread::ThreadId,
    }

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let waits = self.waits.load(Ordering::Relaxed);
            assert!(!waits || std::thread::current().id() != self.here, "it waits where it is sent");
            let end = if waits { self.bytes.len() } else { self.at_hand };
            if self.at == end && end < self.bytes.len() {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            // Never a whole chunk, as a pipe gives it.
            let len = (end - self.at).min(buffer.len()).min(100_000);
            buffer[..len].copy_from_slice(&self.bytes[self.at..self.at + len]);
            self.at += len;
            Ok(len)
        }
    }

    impl Source for Slow {
        fn wait(&mut self) {
            self.waits.store(true, Ordering::Relaxed);
        }

        fn check(&self, read: u64) -> Result<(), UploadError> {
            assert_eq!(read, self.bytes.len() as u64);
            Ok(())
        }
    }

    const SECRET: &str = "xoxb-4815162342-QwErTyUiOpAsDfGh";

    /// What is read, and why it ended; with whether it had to wait.
    fn read(bytes: &[u8], at_hand: usize) -> (Vec<u8>, Option<Code>, bool) {
        let waits = Arc::new(AtomicBool::new(false));
        let here = std::thread::current().id();
        let source = Slow { bytes: bytes.to_vec(), at: 0, at_hand, waits: Arc::clone(&waits), here };
        let scan = Scan::new(&OwnSecrets::new([("token", SECRET.into())]));
        let mut chunks = Chunks::new(source, scan, Sum::new(false, &Ledger::new(None, None)));
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
        (sent, ended, waits.load(Ordering::Relaxed))
    }

    #[test]
    fn what_is_not_at_hand_is_read_by_a_thread_and_nothing_is_lost() {
        let bytes: Vec<u8> = (0..1_000_000_u32).map(|number| (number % 251) as u8).collect();
        for at_hand in [0, 1, 10, 99_999, 100_000, 350_001, 999_999, 1_000_000] {
            let (sent, ended, waited) = read(&bytes, at_hand);
            assert!(sent == bytes && ended.is_none() && waited == (at_hand < bytes.len()), "{at_hand}: {}", sent.len());
        }
        assert_eq!(read(b"", 0), (Vec::new(), None, false));
    }

    #[test]
    fn a_secret_is_found_where_the_one_stops_and_the_other_goes_on() {
        let mut bytes = vec![b'x'; 600_000];
        bytes[350_000..350_000 + SECRET.len()].copy_from_slice(SECRET.as_bytes());
        for at_hand in [350_000, 350_001, 350_010, 350_000 + SECRET.len() - 1, 600_000] {
            let (sent, ended, _) = read(&bytes, at_hand);
            assert_eq!(ended, Some(Code::OwnSecret), "{at_hand}");
            assert!(sent.len() <= 350_000 && sent.iter().all(|&byte| byte == b'x'), "{at_hand}");
        }
    }
}
