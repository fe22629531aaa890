//! The entry of one file in a journal, its lines, and the thread that writes them to the disk.

use std::fs::File;
use std::io;
use std::sync::{Arc, Mutex, mpsc};
use std::thread::JoinHandle;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use crate::code::Code;
use crate::file;
use crate::shorthand::lock;
use crate::source::Problem;
use crate::upload::receipt::{Receipt, Status};

/// The entry of one file in a journal.
#[derive(Clone, Debug)]
pub struct Entry {
    pub(super) line: JournalLine,
    /// The file's ID, once it is known. Only a part of it may be printed.
    id: Arc<Mutex<Option<String>>>,
    sender: mpsc::Sender<WriteRequest>,
}

impl Entry {
    pub(super) fn new(line: JournalLine, writer: &Writer) -> Self {
        Self { line, id: Arc::default(), sender: writer.sender.clone() }
    }

    /// Sets the file's name in the journal.
    pub(in crate::upload) fn named(mut self, file: String) -> Self {
        self.line.file = file;
        self
    }

    /// Returns the same entry with another line.
    pub(super) fn with_line(&self, line: JournalLine) -> Self {
        Self { line, ..self.clone() }
    }

    async fn write(&self, line: JournalLine) -> Result<(), Problem> {
        let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        if let Ok(mut text) = serde_json::to_vec(&JournalLine { time, ..line }) {
            text.push(b'\n');
            let (told, written) = oneshot::channel();
            if self.sender.send(Some((text, told))).is_ok() && written.await == Ok(true) {
                return Ok(());
            }
        }
        let message = "the journal can't be written, so nothing more was sent";
        Err(Problem::new(Code::JournalUnwritable, message).help("free some disk space"))
    }

    /// Records a step before it is taken, with the file's ID, if it has one, and the digest of the bytes sent.
    pub(in crate::upload) async fn record(
        &self,
        state: LineState,
        file_id: Option<&str>,
        sha256: Option<&str>,
    ) -> Result<(), Problem> {
        let file_id = file_id.map(str::to_owned);
        lock(&self.id).clone_from(&file_id);
        self.write(JournalLine { state, file_id, sha256: sha256.map(str::to_owned), ..self.line.clone() }).await
    }

    /// Records the result.
    ///
    /// # Errors
    ///
    /// Returns code `journal-unwritable`.
    pub async fn record_result(&self, receipt: &Receipt) -> Result<(), Problem> {
        let Some(state) = LineState::from_status(receipt.status) else { return Ok(()) };
        let id = lock(&self.id).clone().or_else(|| self.line.file_id.clone());
        let line = JournalLine {
            state,
            sha256: receipt.sha256.clone().or_else(|| self.line.sha256.clone()),
            file_id: id.or_else(|| receipt.file_id.clone()),
            error: receipt.error.as_ref().map(|error| error.code.to_string()),
            ..self.line.clone()
        };
        self.write(line).await
    }
}

/// The schema name.
pub const SCHEMA: &str = "credlint/journal/v1";

/// The common prefix of all versions' schema names.
pub const FAMILY: &str = "credlint/journal/";

/// A line of the journal. A line with an unknown field or word is an error, because it may say that the file was
/// posted.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct JournalLine {
    pub schema: String,
    /// The time, in seconds since 1970.
    pub time: u64,
    /// A digest of the file and its destination.
    pub key: String,
    /// The file's name, for people.
    pub file: String,
    pub state: LineState,
    pub size: Option<u64>,
    /// The modification time, in nanoseconds since 1970.
    pub modified: Option<u64>,
    pub sha256: Option<String>,
    pub file_id: Option<String>,
    /// The error code, unless it was delivered.
    pub error: Option<String>,
    /// The share of the files that the run sends, if it is one of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// A digest of the snippet type and the alternative text, which the service gets before the bytes, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent_as: Option<String>,
}

/// The progress of a file when the line was written.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum LineState {
    /// The first request is about to be sent. Nobody can see the file.
    Begun,
    /// There is an upload URL, and the bytes are about to be sent. Nobody can see them.
    Ticket,
    /// The file may be posted from now on.
    Posting,
    Delivered,
    Accepted,
    Failed,
    Uncertain,
}

impl LineState {
    /// Returns the state for a receipt's status. `None` if nothing was sent.
    pub const fn from_status(status: Status) -> Option<Self> {
        match status {
            Status::Delivered => Some(Self::Delivered),
            Status::Accepted => Some(Self::Accepted),
            Status::Failed => Some(Self::Failed),
            Status::Uncertain => Some(Self::Uncertain),
            Status::Skipped | Status::Refused | Status::Rehearsed => None,
        }
    }

    /// Returns `true` if the file was delivered.
    pub const fn is_delivered(self) -> bool {
        matches!(self, Self::Delivered | Self::Accepted)
    }

    /// Returns `true` if the file may have been posted.
    pub const fn is_uncertain(self) -> bool {
        matches!(self, Self::Posting | Self::Uncertain)
    }
}

/// A line, and a channel that is signalled when it is on the disk. `None` ends the thread: it can't wait for the
/// senders, because an abandoned request may keep its entry until the runtime ends.
type WriteRequest = Option<(Vec<u8>, oneshot::Sender<bool>)>;

/// The writer thread, which ends when this is dropped.
#[derive(Debug)]
pub struct Writer {
    sender: mpsc::Sender<WriteRequest>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts to write after the first `len` bytes of a file.
    pub fn start(file: Arc<File>, len: u64) -> io::Result<Self> {
        let (sender, requests) = mpsc::channel();
        let thread =
            std::thread::Builder::new().name("journal".to_owned()).spawn(move || write(file, len, &requests))?;
        Ok(Self { sender, thread: Some(thread) })
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Sending fails only if the thread has already ended.
        let _ = self.sender.send(None);
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
        let written = file::write_after(&file, len, &text).and_then(|()| file.sync_data()).is_ok();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_states() {
        for (state, word) in
            [(LineState::Begun, "begun"), (LineState::Posting, "posting"), (LineState::Failed, "failed")]
        {
            assert_eq!(serde_json::to_string(&state).unwrap(), format!("{word:?}"));
            assert_eq!(serde_json::from_str::<LineState>(&format!("{word:?}")).unwrap(), state);
        }
        assert!(serde_json::from_str::<LineState>("\"invented\"").is_err());
    }

    #[test]
    fn maps_statuses_to_journal_states() {
        for status in [Status::Delivered, Status::Accepted, Status::Failed, Status::Uncertain] {
            let state = LineState::from_status(status).unwrap();
            assert_eq!(serde_json::to_string(&state).unwrap(), format!("{:?}", status.as_str()));
        }
    }
}
