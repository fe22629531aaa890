//! Creates tokio runtimes, and handles signals: two stop a command, and SIGXFSZ is caught so that it doesn't kill the
//! program. Offline commands never create one.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

use super::exit::Exit;
use crate::file;

/// Runs a future to completion on this thread.
///
/// # Errors
///
/// Returns the reason if no runtime can be created.
pub fn block_on<T>(future: impl Future<Output = T>) -> Result<T, String> {
    Ok(block_on_with(new()?, future))
}

/// Runs a future to completion on an existing runtime.
pub fn block_on_with<T>(runtime: Runtime, future: impl Future<Output = T>) -> T {
    let ended = runtime.block_on(future);
    // A pending name lookup must not delay the exit.
    runtime.shutdown_background();
    ended
}

/// The file descriptors that a runtime opens, including those that the first one opens for the process.
const OPEN: usize = 5;

/// Creates a single-threaded runtime.
///
/// # Errors
///
/// Returns the reason if it can't be created.
pub fn new() -> Result<Runtime, String> {
    // tokio panics if it can't open the descriptors for signals.
    if file::available(OPEN) < OPEN {
        return Err("the limit of open files is too low; raise it with `ulimit -n`".to_owned());
    }
    Builder::new_current_thread().enable_all().build().map_err(|error| format!("no runtime: {}", error.kind()))
}

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
        let runtime = new()?;
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
