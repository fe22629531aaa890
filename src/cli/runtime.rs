//! The one place that makes a runtime: a check never has one.

/// Runs to the end, on this thread.
///
/// # Errors
/// Why there is no runtime.
pub fn block_on<T>(future: impl Future<Output = T>) -> Result<T, String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("no runtime: {}", error.kind()))?;
    let ended = runtime.block_on(future);
    // A look-up of a name that hangs must not hold up the end.
    runtime.shutdown_background();
    Ok(ended)
}
