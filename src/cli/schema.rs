//! `credlint schema`

use super::exit::Exit;
use super::terminal::Terminal;
use crate::report::config_schema;

pub fn run(terminal: &Terminal) -> Exit {
    terminal.document(&config_schema::write(), Exit::Done)
}
