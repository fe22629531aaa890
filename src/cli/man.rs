//! `credlint man`

use super::args::documents;
use super::exit::Exit;
use super::terminal::Terminal;

pub fn run(command: Option<&str>, terminal: &Terminal) -> Exit {
    match documents::manual(command) {
        Some(page) => terminal.document(&page, Exit::Done),
        // What is not a command could be anything, so it is not repeated.
        None => terminal.fail(Exit::Usage, "unknown command; run `credlint --help` for a list"),
    }
}
