//! Signals: two stop a command, and one must not.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::watch;

use super::exit::Exit;
use super::runtime;

/// How long a command may take to say where things stand. It may never get to it: who should read that may not.
const GRACE: Duration = Duration::from_millis(800);

/// Whether a signal has come that stops the command.
pub struct Signals {
    cancelled: watch::Receiver<bool>,
    stopped: Arc<OnceLock<Exit>>,
}

impl Signals {
    /// Watches from now on, in a thread of its own, until the program ends: whatever the command is blocked by, a signal
    /// ends it within a second.
    ///
    /// # Errors
    /// Why they can't be watched.
    pub fn watch() -> Result<Self, String> {
        let (cancel, cancelled) = watch::channel(false);
        let stopped = Arc::new(OnceLock::new());
        let runtime = runtime::new()?;
        let mut stops = {
            // They are caught from here on, not only once the thread runs.
            let _inside = runtime.enter();
            StopSignals::catch().map_err(|error| format!("signals can't be watched: {}", error.kind()))?
        };
        let set = Arc::clone(&stopped);
        let watch = move || {
            runtime.block_on(async {
                let exit = stops.next().await;
                let _ = set.set(exit);
                // The command has ended if nobody listens.
                let _ = cancel.send(true);
                tokio::select! {
                    () = tokio::time::sleep(GRACE) => {}
                    _ = stops.next() => {}
                }
                #[expect(
                    clippy::disallowed_methods,
                    reason = "main can't return while it is blocked, by a reader or a disk"
                )]
                std::process::exit(exit.code().into());
            });
        };
        let thread = std::thread::Builder::new().name("signals".to_owned()).spawn(watch);
        thread.map_err(|error| format!("signals can't be watched: {}", error.kind()))?;
        Ok(Self { cancelled, stopped })
    }

    /// Turns true when the command is to stop.
    pub fn cancelled(&self) -> watch::Receiver<bool> {
        self.cancelled.clone()
    }

    /// How to exit, if a signal has come.
    pub fn exit(&self) -> Option<Exit> {
        self.stopped.get().copied()
    }

    /// Waits for a signal, and tells how to exit after it.
    pub async fn stopped(&self) -> Exit {
        let mut cancelled = self.cancelled();
        if cancelled.wait_for(|&cancelled| cancelled).await.is_err() {
            std::future::pending::<()>().await;
        }
        self.exit().unwrap_or(Exit::Interrupted)
    }
}

/// The signals that stop a command.
#[cfg(unix)]
struct StopSignals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    /// Not one of them: it would kill the program amid a delivery because the file that it writes to may not grow.
    /// Caught, the write fails, and that can be told.
    _too_large: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl StopSignals {
    fn catch() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            _too_large: signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw()))?,
        })
    }

    async fn next(&mut self) -> Exit {
        tokio::select! {
            _ = self.interrupt.recv() => Exit::Interrupted,
            _ = self.terminate.recv() => Exit::Terminated,
        }
    }
}

#[cfg(not(unix))]
struct StopSignals;

#[cfg(not(unix))]
impl StopSignals {
    #[expect(clippy::unnecessary_wraps, reason = "other systems can fail here")]
    fn catch() -> std::io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) -> Exit {
        match tokio::signal::ctrl_c().await {
            Ok(()) => Exit::Interrupted,
            Err(_) => std::future::pending().await,
        }
    }
}
