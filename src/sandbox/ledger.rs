//! What was posted, for tests that ask whether anything was posted twice.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;

use super::store;

/// So many files and messages are remembered.
pub(super) const MEMORY: usize = 100_000;

/// A message, with what was posted in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Message {
    /// When it was posted, as `seconds.microseconds`. No two are the same.
    pub ts: String,
    /// Where it was posted. Empty, if the files stay private.
    pub channels: Vec<String>,
    /// The message that it answers.
    pub thread_ts: Option<String>,
    /// The characters of the comment; the text itself is not kept.
    pub comment_length: usize,
    /// The files.
    pub files: Vec<Posted>,
}

/// A file of a message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Posted {
    /// The id that the service gave it.
    pub id: String,
    /// The name that it came with.
    pub name: String,
    /// The title that it was given.
    pub title: Option<String>,
    /// Its length in bytes.
    pub size: u64,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
}

/// The messages so far, the latest 100,000 of them. A copy of this handle sees what is posted later, too.
#[derive(Clone, Debug, Default)]
pub struct Ledger(Arc<Mutex<Book>>);

#[derive(Debug, Default)]
struct Book {
    messages: VecDeque<Message>,
    file: Option<File>,
}

impl Ledger {
    /// A ledger that is written to this file as well, one JSON object on each line.
    pub(super) fn open(file: Option<&Path>) -> io::Result<Self> {
        let file = file.map(store::open_ledger).transpose()?;
        Ok(Self(Arc::new(Mutex::new(Book { messages: VecDeque::new(), file }))))
    }

    /// The messages, in the order in which they were posted.
    #[must_use]
    pub fn messages(&self) -> Vec<Message> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).messages.iter().cloned().collect()
    }

    pub(super) fn post(&self, message: Message) -> io::Result<()> {
        let mut book = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let written = match &mut book.file {
            None => Ok(()),
            // One write for each line: whoever reads it meanwhile sees whole lines.
            Some(file) => file.write_all(format!("{}\n", serde_json::to_string(&message)?).as_bytes()),
        };
        if book.messages.len() == MEMORY {
            book.messages.pop_front();
        }
        book.messages.push_back(message);
        written
    }
}
