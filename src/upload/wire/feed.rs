//! Where the bytes of a body come from.

use bytes::Bytes;
use tokio::sync::mpsc;

use crate::upload::error::UploadError;

/// Where the bytes of a payload come from while it is sent.
pub enum Feed {
    /// Read already.
    Whole(Option<Bytes>),
    /// Read where it is sent.
    Here(Box<dyn Here>),
    /// Being read by a thread.
    Thread(mpsc::Receiver<FeedMessage>),
}

/// What is read where it is sent, as long as that takes no time.
pub trait Here: Send + Sync {
    /// What comes next. `None` if it has to be waited for.
    fn next(&mut self) -> Option<FeedMessage>;

    /// The rest, from where it may be waited for.
    ///
    /// # Errors
    /// Why it can't be read there.
    fn elsewhere(self: Box<Self>) -> Result<Feed, UploadError>;
}

/// What a reader says.
pub enum FeedMessage {
    Chunk(Bytes),
    /// Everything was read, and the file is still what it was.
    End,
    Failed(UploadError),
}
