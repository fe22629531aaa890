//! `credlint completions`

use super::args::{Shell, documents};
use super::exit::Exit;
use super::terminal::Terminal;

pub fn run(shell: Shell, terminal: &Terminal) -> Exit {
    terminal.document(&documents::completions(shell), Exit::Done)
}
