//! Handles signals: two stop a command, and SIGXFSZ is caught so that it doesn't kill the program.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::watch;

use super::exit::Exit;
use super::runtime;

/// How long a command may take to report its state after a signal. It may be blocked on a reader.
const GRACE: Duration = Duration::from_millis(800);

/// Records whether a signal has stopped the command.
pub struct Signals {
    cancelled: watch::Receiver<bool>,
    stopped: Arc<OnceLock<Exit>>,
}

impl Signals {
    /// Watches for signals on a separate thread until the program ends. A signal ends the program within a second, even
    /// if the command is blocked.
    ///
    /// # Errors
    ///
    /// Returns the reason if signals can't be watched.
    pub fn watch() -> Result<Self, String> {
        let (cancel, cancelled) = watch::channel(false);
        let stopped = Arc::new(OnceLock::new());
        let runtime = runtime::new()?;
        let mut stops = {
            // Register the handlers now, not when the thread starts.
            let _inside = runtime.enter();
            StopSignals::catch().map_err(|error| format!("signals can't be watched: {}", error.kind()))?
        };
        let set = Arc::clone(&stopped);
        let watch = move || {
            runtime.block_on(async {
                let exit = stops.next().await;
                let _ = set.set(exit);
                // Sending fails only if the command has already ended.
                let _ = cancel.send(true);
                tokio::select! {
                    () = tokio::time::sleep(GRACE) => {}
                    _ = stops.next() => {}
                }
                #[expect(clippy::disallowed_methods, reason = "main can't return while a reader or a disk blocks it")]
                std::process::exit(exit.code().into());
            });
        };
        let thread = std::thread::Builder::new().name("signals".to_owned()).spawn(watch);
        thread.map_err(|error| format!("signals can't be watched: {}", error.kind()))?;
        Ok(Self { cancelled, stopped })
    }

    /// Returns a channel that becomes true when the command should stop.
    pub fn cancelled(&self) -> watch::Receiver<bool> {
        self.cancelled.clone()
    }

    /// Returns the exit code, if a signal has arrived.
    pub fn exit(&self) -> Option<Exit> {
        self.stopped.get().copied()
    }

    /// Waits for a signal and returns its exit code.
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
    /// SIGXFSZ does not stop a command. Its default action would kill the program in the middle of a delivery when an
    /// output file hits the size limit. When it is caught, the write fails with an error that can be reported.
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
