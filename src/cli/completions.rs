//! `credlint completions`

use super::args::{self, Shell};
use super::exit::Exit;
use super::terminal::Terminal;

pub fn run(shell: Shell, terminal: &Terminal) -> Exit {
    terminal.document(&args::completions(shell), Exit::Done)
}
