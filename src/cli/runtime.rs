//! The one place that makes a runtime: a check never has one.

use tokio::runtime::{Builder, Runtime};

/// Runs to the end, on this thread.
///
/// # Errors
/// Why there is no runtime.
pub fn block_on<T>(future: impl Future<Output = T>) -> Result<T, String> {
    let runtime = new()?;
    let ended = runtime.block_on(future);
    // A look-up of a name that hangs must not hold up the end.
    runtime.shutdown_background();
    Ok(ended)
}

/// A runtime on the thread that uses it.
///
/// # Errors
/// Why there is none.
pub fn new() -> Result<Runtime, String> {
    Builder::new_current_thread().enable_all().build().map_err(|error| format!("no runtime: {}", error.kind()))
}
