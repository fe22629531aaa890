//! A turn of the client to read, before the last bytes of a request go over a connection that was used before: its end,
//! or an answer to nothing that was asked, may have reached this machine already.

use std::convert::Infallible;
use std::sync::Arc;

use tokio::sync::Notify;
use tokio::task::yield_now;

/// Is asked for by the body, and given by whoever waits for the answer.
#[derive(Clone, Default)]
pub struct Turn {
    asked: Arc<Notify>,
    given: Arc<Notify>,
}

impl Turn {
    /// Asks for the turn, and waits until it is over.
    pub async fn wait(&self) {
        self.asked.notify_one();
        self.given.notified().await;
    }

    /// Gives it, when it is asked for. To be waited for beside the answer, and after it: what is read in the turn is an
    /// answer, or the end of the connection.
    pub async fn give(&self) -> Infallible {
        self.asked.notified().await;
        // In the first yield the system tells what has come, in the second the connection reads it.
        yield_now().await;
        yield_now().await;
        self.given.notify_one();
        std::future::pending().await
    }
}
