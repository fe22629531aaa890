//! The entry of one file in a journal.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::line::{Line, LineState};
use super::writer::LineSender;
use crate::code::Code;
use crate::upload::error::UploadError;
use crate::upload::receipt::Receipt;

/// The progress of a file between two steps.
#[derive(Clone, Copy, Debug)]
pub enum Stage<'a> {
    /// The first request is about to be sent. Nobody can see the file.
    Begun,
    /// There is an upload URL, with the file's ID, and the bytes are about to be sent. Nobody can see them.
    Ticket(Option<&'a str>),
    /// The file may be posted from now on. Includes its ID, if it has one, and the digest of the bytes sent.
    Posting(Option<&'a str>, Option<&'a str>),
}

/// The entry of one file in a journal.
#[derive(Clone, Debug)]
pub struct Entry {
    pub(super) line: Line,
    /// The file's ID, once it is known. Only a part of it may be printed.
    id: Arc<Mutex<Option<String>>>,
    sender: LineSender,
}

impl Entry {
    pub(super) fn new(line: Line, sender: LineSender) -> Self {
        Self { line, id: Arc::default(), sender }
    }

    /// Sets the file's name in the journal.
    pub(in crate::upload) fn named(mut self, file: String) -> Self {
        self.line.file = file;
        self
    }

    /// Returns the same entry with another line.
    pub(super) fn with_line(&self, line: Line) -> Self {
        Self { line, ..self.clone() }
    }

    async fn write(&self, line: Line) -> Result<(), UploadError> {
        let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        if let Ok(mut text) = serde_json::to_vec(&Line { time, ..line }) {
            text.push(b'\n');
            if self.sender.write(text).await {
                return Ok(());
            }
        }
        let message = "the journal can't be written, so nothing more was sent";
        Err(UploadError::new(Code::JournalUnwritable, message).help("free some disk space"))
    }

    /// Records a step before it is taken.
    pub(in crate::upload) async fn note(&self, stage: Stage<'_>) -> Result<(), UploadError> {
        let (state, file_id, sha256) = match stage {
            Stage::Begun => (LineState::Begun, None, None),
            Stage::Ticket(id) => (LineState::Ticket, id, None),
            Stage::Posting(id, sha256) => (LineState::Posting, id, sha256),
        };
        let file_id = file_id.map(str::to_owned);
        self.id().clone_from(&file_id);
        self.write(Line { state, file_id, sha256: sha256.map(str::to_owned), ..self.line.clone() }).await
    }

    fn id(&self) -> MutexGuard<'_, Option<String>> {
        self.id.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the result.
    ///
    /// # Errors
    ///
    /// Returns code `journal-unwritable`.
    pub async fn end(&self, receipt: &Receipt) -> Result<(), UploadError> {
        let Some(state) = LineState::from_status(receipt.status) else { return Ok(()) };
        let id = self.id().clone().or_else(|| self.line.file_id.clone());
        let line = Line {
            state,
            sha256: receipt.sha256.clone().or_else(|| self.line.sha256.clone()),
            file_id: id.or_else(|| receipt.file_id.clone()),
            error: receipt.error.as_ref().map(|error| error.code.to_string()),
            ..self.line.clone()
        };
        self.write(line).await
    }
}
