//! Where the bytes of a body come from.

use bytes::Bytes;
use tokio::sync::mpsc;

use crate::upload::error::UploadError;

/// Where the bytes of a payload come from while it is sent.
pub enum Feed {
    /// Read already.
    Whole(Option<Bytes>),
    /// Being read by a thread.
    Thread(mpsc::Receiver<FeedMessage>),
}

/// What a reader says.
pub enum FeedMessage {
    Chunk(Bytes),
    /// Everything was read, and the file is still what it was.
    End,
    Failed(UploadError),
}
