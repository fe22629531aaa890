//! The source of a body's bytes.

use bytes::Bytes;
use tokio::sync::mpsc;

use crate::upload::error::UploadError;

/// The source of a payload's bytes while it is sent.
pub enum Feed {
    /// The whole payload, already read; `None` once it was taken.
    Whole(Option<Bytes>),
    /// Read by the sender, between two writes.
    Inline(Box<dyn InlineReader>),
    /// Read ahead by a thread.
    Thread(mpsc::Receiver<FeedMessage>),
}

/// A reader that the sender calls directly, as long as that does not block.
pub trait InlineReader: Send + Sync {
    /// Returns the next message; `None` if reading would block.
    fn next(&mut self) -> Option<FeedMessage>;

    /// Moves the reader to a thread, where it may block.
    ///
    /// # Errors
    /// If no thread can be started.
    fn into_thread(self: Box<Self>) -> Result<Feed, UploadError>;
}

/// A message from a reader.
pub enum FeedMessage {
    Chunk(Bytes),
    /// Everything was read, and the file has not changed.
    End,
    Failed(UploadError),
}
