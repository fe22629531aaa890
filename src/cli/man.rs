//! `credlint man`

use super::args::documents;
use super::exit::Exit;
use super::terminal::Terminal;

pub fn run(command: Option<&str>, terminal: &Terminal) -> Exit {
    match documents::manual(command) {
        Some(page) => terminal.document(&page, Exit::Done),
        // An unknown word could be a secret, so it is not repeated.
        None => terminal.fail(Exit::Usage, "unknown command; run `credlint --help` for a list"),
    }
}
