//! Records what was posted, for tests that check whether anything was posted twice.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;

use super::store;

/// The number of files and messages that are kept.
pub(super) const CAPACITY: usize = 100_000;

/// A message with its files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Message {
    /// When it was posted, as `seconds.microseconds`. Unique among the messages.
    pub ts: String,
    /// The channels that it was posted in; empty if the files stay private.
    pub channels: Vec<String>,
    /// The message that it replies to.
    pub thread_ts: Option<String>,
    /// The number of characters in the comment; the text itself is not kept.
    pub comment_length: usize,
    /// The files.
    pub files: Vec<Posted>,
}

/// A file of a message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Posted {
    /// The ID that the service assigned.
    pub id: String,
    /// The name that the client sent.
    pub name: String,
    /// The title, if it has one.
    pub title: Option<String>,
    /// Its length in bytes.
    pub size: u64,
    /// The SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
}

/// The latest 100,000 messages. Clones of this handle share them, including those that are posted later.
#[derive(Clone, Debug, Default)]
pub struct Ledger(Arc<Mutex<LedgerState>>);

#[derive(Debug, Default)]
struct LedgerState {
    messages: VecDeque<Message>,
    file: Option<File>,
}

impl Ledger {
    /// Creates a ledger. With a file, each message is appended to it as well, as one JSON object on one line.
    pub(super) fn open(file: Option<&Path>) -> io::Result<Self> {
        let file = file.map(store::open_ledger).transpose()?;
        Ok(Self(Arc::new(Mutex::new(LedgerState { messages: VecDeque::new(), file }))))
    }

    /// Returns the messages in the order in which they were posted.
    #[must_use]
    pub fn messages(&self) -> Vec<Message> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).messages.iter().cloned().collect()
    }

    pub(super) fn post(&self, message: Message) -> io::Result<()> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let written = match &mut state.file {
            None => Ok(()),
            // One write for each line, so that a concurrent reader sees only complete lines.
            Some(file) => file.write_all(format!("{}\n", serde_json::to_string(&message)?).as_bytes()),
        };
        if state.messages.len() == CAPACITY {
            state.messages.pop_front();
        }
        state.messages.push_back(message);
        written
    }
}
