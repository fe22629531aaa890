//! Creates tokio runtimes. Offline commands never create one.

use tokio::runtime::{Builder, Runtime};

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
