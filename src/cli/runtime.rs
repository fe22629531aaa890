//! Creates tokio runtimes, and handles signals: three stop a command, and SIGXFSZ is caught so that it doesn't kill the
//! program. Offline commands never create one.

use std::sync::{Arc, OnceLock};
#[cfg(unix)]
use std::task::Poll;
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
    Ok(block_on_runtime(new()?, future))
}

/// Runs a future to completion on an existing runtime.
pub fn block_on_runtime<T>(runtime: Runtime, future: impl Future<Output = T>) -> T {
    let ended = runtime.block_on(future);
    // A pending name lookup must not delay the exit.
    runtime.shutdown_background();
    ended
}

/// The file descriptors that a runtime opens, including those that the first one opens for the process.
const OPEN: usize = 5;

/// Creates a single-threaded runtime, with the thread for what blocks, such as a name lookup: tokio panics where it
/// can't start the first one, and waits for it where it can't start another.
///
/// # Errors
///
/// Returns the reason if it can't be created.
pub fn new() -> Result<Runtime, String> {
    let runtime = without_thread()?;
    // The kernel may count a thread for a moment after it has ended, so two at once must be possible.
    std::thread::scope(|scope| {
        let start = || std::thread::Builder::new().spawn_scoped(scope, std::thread::park);
        let started = [start(), start()];
        started.iter().flatten().for_each(|thread| thread.thread().unpark());
        started.into_iter().collect::<Result<Vec<_>, _>>().map(drop)
    })
    .map_err(|error| format!("no thread could be started: {}", error.kind()))?;
    drop(runtime.spawn_blocking(|| {}));
    Ok(runtime)
}

/// How long a thread waits for more work: until the program ends.
const KEPT: Duration = Duration::from_secs(u32::MAX as u64);

fn without_thread() -> Result<Runtime, String> {
    // tokio panics if it can't open the descriptors for signals.
    if file::available(OPEN) < OPEN {
        return Err("the limit of open files is too low; raise it with `ulimit -n`".to_owned());
    }
    let mut builder = Builder::new_current_thread();
    let runtime = builder.enable_all().thread_keep_alive(KEPT).build();
    runtime.map_err(|error| format!("no runtime: {}", error.kind()))
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
        let runtime = without_thread()?;
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

/// The signals that stop a command, except those that are ignored: `nohup` ignores SIGHUP, and a shell SIGINT for what
/// it starts in the background.
#[cfg(unix)]
struct StopSignals {
    stops: Vec<(tokio::signal::unix::Signal, Exit)>,
    /// SIGXFSZ does not stop a command. Its default action would kill the program in the middle of a delivery when an
    /// output file hits the size limit. When it is caught, the write fails with an error that can be reported.
    _too_large: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl StopSignals {
    fn catch() -> std::io::Result<Self> {
        use rustix::process::Signal;
        use tokio::signal::unix::{SignalKind, signal};
        let catch = |caught: Signal| signal(SignalKind::from_raw(caught.as_raw()));
        let mut stops = Vec::new();
        for (stop, exit) in
            [(Signal::INT, Exit::Interrupted), (Signal::TERM, Exit::Terminated), (Signal::HUP, Exit::HungUp)]
        {
            // Only Linux says what is ignored, so elsewhere SIGHUP keeps its action.
            let known = cfg!(target_os = "linux") || stop != Signal::HUP;
            if known && !ignores(stop.as_raw()) {
                stops.push((catch(stop)?, exit));
            }
        }
        Ok(Self { stops, _too_large: catch(Signal::XFSZ)? })
    }

    async fn next(&mut self) -> Exit {
        std::future::poll_fn(|context| {
            let mut stopped =
                self.stops.iter_mut().filter_map(|(stop, exit)| stop.poll_recv(context).is_ready().then_some(*exit));
            stopped.next().map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }
}

/// Returns `true` if a signal is ignored, if the system can tell, as Linux can.
#[cfg(unix)]
fn ignores(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|signals| u64::from_str_radix(signals.trim(), 16).ok());
    ignored.is_some_and(|signals| signals & (1 << (signal - 1)) != 0)
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
