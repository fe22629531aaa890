//! Writes lines to the disk, in a thread of its own.

use std::fs::File;
use std::io;
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;

use tokio::sync::oneshot;

use crate::file;

/// A line to write, and whom to tell when it is on the disk; or the end. That has to be said: a request that was given up
/// may hold on to its entry until the runtime ends.
type WriteRequest = Option<(Vec<u8>, oneshot::Sender<bool>)>;

/// The thread; it ends with this.
#[derive(Debug)]
pub struct Writer {
    sender: LineSender,
    thread: Option<JoinHandle<()>>,
}

/// Where lines to write are handed in.
#[derive(Clone, Debug)]
pub struct LineSender(mpsc::Sender<WriteRequest>);

impl Writer {
    /// Begins to write behind the first `len` bytes of a file.
    pub fn start(file: Arc<File>, len: u64) -> io::Result<Self> {
        let (sender, requests) = mpsc::channel();
        let thread =
            std::thread::Builder::new().name("journal".to_owned()).spawn(move || write(file, len, &requests))?;
        Ok(Self { sender: LineSender(sender), thread: Some(thread) })
    }

    /// Where lines are handed in.
    pub fn sender(&self) -> LineSender {
        self.sender.clone()
    }
}

impl LineSender {
    /// Writes a line. True once it is on the disk.
    pub async fn write(&self, line: Vec<u8>) -> bool {
        let (told, written) = oneshot::channel();
        self.0.send(Some((line, told))).is_ok() && written.await == Ok(true)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // It has ended already if it can't be told.
        let _ = self.sender.0.send(None);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Writes what is asked for, as much at once as there is: one flush to the disk is for all of it. `len` is how much of
/// the file is whole lines: what was begun after that and failed is cut off, so that the next line begins a line.
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
            // Whoever is waiting is told by being dropped.
            return;
        }
        for (_, told) in batch {
            // Nobody listens any more once the upload was given up.
            let _ = told.send(written);
        }
    }
}
