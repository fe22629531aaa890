//! The command-line program. All code is in the library.

use std::process::ExitCode;

/// Wipes all memory that is freed: a library that parses a value leaves copies, as `Url` and the HTTP client do.
#[global_allocator]
static MEMORY: zeroizing_alloc::ZeroAlloc<std::alloc::System> = zeroizing_alloc::ZeroAlloc(std::alloc::System);

fn main() -> ExitCode {
    credlint::cli::main()
}
