//! `credlint rules`

use std::fmt::Write;

use super::exit::Exit;
use super::terminal::Terminal;
use crate::rules;

pub fn run(terminal: &Terminal) -> Exit {
    let width = rules::ALL.iter().map(|rule| rule.meta().id.len()).max().unwrap_or(0);
    let mut out = String::new();
    for rule in rules::ALL {
        let meta = rule.meta();
        // Writing to a string can't fail.
        let _ = writeln!(out, "{:width$}  {:7}  {:9}  {}", meta.id, meta.severity.name(), meta.scope, meta.summary);
    }
    terminal.document(&out, Exit::Done)
}
