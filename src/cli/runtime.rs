//! The one place that makes a runtime: a check never has one.

use tokio::runtime::{Builder, Runtime};

use crate::file;

/// Runs to the end, on this thread.
///
/// # Errors
/// Why there is no runtime.
pub fn block_on<T>(future: impl Future<Output = T>) -> Result<T, String> {
    Ok(block_on_with(new()?, future))
}

/// The same on a runtime that is there.
pub fn block_on_with<T>(runtime: Runtime, future: impl Future<Output = T>) -> T {
    let ended = runtime.block_on(future);
    // A look-up of a name that hangs must not hold up the end.
    runtime.shutdown_background();
    ended
}

/// What a runtime opens, and what the first one opens for all of them.
const OPEN: usize = 5;

/// A runtime on the thread that uses it.
///
/// # Errors
/// Why there is none.
pub fn new() -> Result<Runtime, String> {
    // The runtime panics where it can't open what it needs for signals.
    if file::available(OPEN) < OPEN {
        return Err("the limit of open files is too low; raise it with `ulimit -n`".to_owned());
    }
    Builder::new_current_thread().enable_all().build().map_err(|error| format!("no runtime: {}", error.kind()))
}
