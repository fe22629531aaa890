//! Writes lines to the disk on a separate thread.

use std::fs::File;
use std::io;
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;

use tokio::sync::oneshot;

use crate::file;

/// A line, and a channel that is signalled when it is on the disk. `None` ends the thread: it can't wait for the
/// senders, because an abandoned request may keep its entry until the runtime ends.
type WriteRequest = Option<(Vec<u8>, oneshot::Sender<bool>)>;

/// The writer thread, which ends when this is dropped.
#[derive(Debug)]
pub struct Writer {
    sender: LineSender,
    thread: Option<JoinHandle<()>>,
}

/// Queues lines.
#[derive(Clone, Debug)]
pub struct LineSender(mpsc::Sender<WriteRequest>);

impl Writer {
    /// Starts to write after the first `len` bytes of a file.
    pub fn start(file: Arc<File>, len: u64) -> io::Result<Self> {
        let (sender, requests) = mpsc::channel();
        let thread =
            std::thread::Builder::new().name("journal".to_owned()).spawn(move || write(file, len, &requests))?;
        Ok(Self { sender: LineSender(sender), thread: Some(thread) })
    }

    /// Returns a handle to queue lines.
    pub fn sender(&self) -> LineSender {
        self.sender.clone()
    }
}

impl LineSender {
    /// Writes a line. Returns `true` once it is on the disk.
    pub async fn write(&self, line: Vec<u8>) -> bool {
        let (told, written) = oneshot::channel();
        self.0.send(Some((line, told))).is_ok() && written.await == Ok(true)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Sending fails only if the thread has already ended.
        let _ = self.sender.0.send(None);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Writes queued lines in batches, with one sync for each batch. `len` is the length of complete lines: a failed write
/// after it is truncated, so that the next line starts on its own.
fn write(file: Arc<File>, mut len: u64, requests: &mpsc::Receiver<WriteRequest>) {
    let mut ended = false;
    while let (false, Ok(Some(first))) = (ended, requests.recv()) {
        let mut batch = vec![first];
        for request in requests.try_iter() {
            match request {
                Some(request) => batch.push(request),
                None => ended = true,
            }
        }
        let text: Vec<u8> = batch.iter().flat_map(|(line, _)| line.iter().copied()).collect();
        let written = file::add(&file, len, &text).and_then(|()| file.sync_data()).is_ok();
        if written {
            len += text.len() as u64;
        } else if file.set_len(len).is_err() {
            // Dropping the channels tells the waiting senders.
            return;
        }
        for (_, told) in batch {
            // The upload may have been abandoned.
            let _ = told.send(written);
        }
    }
}
