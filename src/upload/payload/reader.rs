//! Reads ahead of the network, in a thread of its own.

use std::io::{self, Read};
use std::sync::mpsc as pool;

use bytes::Bytes;
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;
use zeroize::Zeroize;

use super::scan::Scan;
use crate::code::Code;
use crate::text;
use crate::upload::error::UploadError;
use crate::upload::wire::feed::{Feed, FeedMessage};
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

/// A thread of our own, not one of the runtime: a runtime waits for its threads when it is dropped, and reading from
/// a terminal or a dead network drive may never return.
pub fn spawn(read: impl FnOnce(&mut Pump) -> Result<(), UploadError> + Send + 'static) -> Result<Feed, UploadError> {
    let (sender, receiver) = mpsc::channel(DEPTH);
    let (give_back, spare) = pool::channel();
    let mut pump = Pump { sender, give_back, spare };
    std::thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || {
            let message = match read(&mut pump) {
                Ok(()) => FeedMessage::End,
                Err(error) => FeedMessage::Failed(error),
            };
            // Nobody listens any more once the upload was given up.
            let _ = pump.sender.blocking_send(message);
        })
        .map_err(|error| {
            UploadError::new(
                Code::FileUnreadable,
                format!("no thread could be started to read the file: {}", error.kind()),
            )
        })?;
    Ok(Feed::Thread(receiver))
}

pub struct Pump {
    sender: mpsc::Sender<FeedMessage>,
    give_back: pool::Sender<Vec<u8>>,
    spare: pool::Receiver<Vec<u8>>,
}

impl Pump {
    /// Reads to the end in full chunks, each in a buffer that comes back when the network is done with it. A chunk goes
    /// only after so much of what follows was looked at that no secret begins in it, and the last one only if all is well.
    pub fn run(
        &mut self,
        reader: &mut impl Read,
        scan: &mut Scan,
        sum: &mut Sum,
        check: impl Fn(u64) -> Result<(), UploadError>,
    ) -> Result<(), UploadError> {
        let (mut total, mut last) = (0, None);
        loop {
            let mut buffer = self.spare.try_recv().unwrap_or_else(|_| vec![0; CHUNK]);
            let (mut filled, mut ended) = (0, false);
            while !ended && filled < scan.overlap().max(1) {
                let read = fill(reader, &mut buffer[filled..]).map_err(|error| unreadable(&error))?;
                // A terminal would be asked for more after its end.
                ended = read == 0;
                filled += read;
            }
            if let Err(error) = scan.look(&buffer[..filled]) {
                buffer.zeroize();
                return Err(error);
            }
            sum.add(&buffer[..filled]);
            total += filled as u64;
            if ended {
                check(total)?;
                sum.done();
            }
            if let Some(chunk) = last.take()
                && self.sender.blocking_send(FeedMessage::Chunk(chunk)).is_err()
            {
                // Given up; what is returned goes nowhere.
                return Ok(());
            }
            let chunk = Bytes::from_owner(Pooled { buffer, filled, give_back: self.give_back.clone() });
            if ended {
                if filled > 0 {
                    let _ = self.sender.blocking_send(FeedMessage::Chunk(chunk));
                }
                return Ok(());
            }
            last = Some(chunk);
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
