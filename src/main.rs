//! The command-line program. All code is in the library, but for what must run before Rust's runtime.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Wipes all memory that is freed: a library that parses a value leaves copies, as `Url` and the HTTP client do.
#[global_allocator]
static MEMORY: zeroizing_alloc::ZeroAlloc<std::alloc::System> = zeroizing_alloc::ZeroAlloc(std::alloc::System);

/// True if this process was started with SIGPIPE ignored. The runtime ignores it before `main`, so only an earlier look
/// can tell.
static IGNORES_PIPE: AtomicBool = AtomicBool::new(false);

#[cfg(target_os = "linux")]
#[ctor::ctor]
fn before_main() {
    IGNORES_PIPE.store(credlint::cli::ignores_pipe(), Ordering::Relaxed);
}

fn main() -> ExitCode {
    credlint::cli::main(IGNORES_PIPE.load(Ordering::Relaxed))
}
