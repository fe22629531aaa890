//! Lets the client read before the last bytes of a request go over a connection that was used before: its end, or an
//! unsolicited answer, may have reached this machine already.
//!
//! A request that goes in one write gives the turn before it is sent. A longer one gives it at its gate, when everything
//! but the last bytes has gone: while the others went, a connection may have ended.

use std::convert::Infallible;
use std::sync::Arc;

use tokio::sync::Notify;
use tokio::task::yield_now;

/// Lets every connection read what has reached this machine.
pub async fn read_turn() {
    // In the first yield the runtime learns what has arrived, in the second the connection reads it.
    yield_now().await;
    yield_now().await;
}

/// A turn that the body asks for, and that whoever waits for the answer gives.
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

    /// Gives it when it is asked for. Poll this after the answer: what is read in the turn is an answer, or the end of the
    /// connection.
    pub async fn give(&self) -> Infallible {
        self.asked.notified().await;
        read_turn().await;
        self.given.notify_one();
        std::future::pending().await
    }
}
