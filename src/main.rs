//! The command-line program. All code is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    credlint::cli::main()
}
