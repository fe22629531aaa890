//! Lets the client read before the last bytes of a request are sent on a reused connection: a close or an unsolicited
//! answer may already have arrived.
//!
//! For a small request that may be repeated, this happens before it is sent. For any other it happens at its gate, when
//! everything but the last bytes was sent: the connection may have ended in the meantime.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use tokio::task::yield_now;

/// How long the gate stays closed at least. A service that is closing the connection when the first bytes arrive does so in
/// this time; one that has read them keeps it open. `benches/idle.py` has the figures. A timer would take one or two
/// milliseconds.
const REACTION: Duration = Duration::from_micros(200);

/// Lets every connection read what has arrived on this machine.
pub async fn let_connections_read() {
    // In the first yield the runtime learns what has arrived; in the second, the connection reads it.
    yield_now().await;
    yield_now().await;
}

/// A turn to read, which the body requests and the task that waits for the answer grants.
#[derive(Clone, Default)]
pub struct Turn {
    requested: Arc<Notify>,
    granted: Arc<Notify>,
}

impl Turn {
    /// Requests the turn, and waits until it is over.
    pub async fn wait(&self) {
        self.requested.notify_one();
        self.granted.notified().await;
    }

    /// Grants the turn when it is requested. In a `select!`, poll this after the answer: what is read in the turn is an
    /// answer, or the end of the connection.
    pub async fn grant(&self) -> Infallible {
        self.requested.notified().await;
        let begun = Instant::now();
        let_connections_read().await;
        while begun.elapsed() < REACTION {
            yield_now().await;
        }
        self.granted.notify_one();
        std::future::pending().await
    }
}
