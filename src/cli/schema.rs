//! `credlint schema`

use super::exit::Exit;
use super::terminal::Terminal;
use crate::report::config_schema;
use crate::text::Markup;

pub fn run(terminal: &Terminal) -> Exit {
    terminal.data(&config_schema::write(), Markup::Json, Exit::Done)
}
