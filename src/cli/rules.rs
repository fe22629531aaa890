//! `credlint rules`

use std::fmt::Write;

use super::args::{ListFormat, RulesArgs};
use super::exit::Exit;
use super::terminal::Terminal;
use crate::report::rules_v1;
use crate::rules;
use crate::text::Markup;

pub fn run(args: &RulesArgs, terminal: &Terminal) -> Exit {
    if args.format == ListFormat::Json {
        return terminal.data(&rules_v1::write(), Markup::Json, Exit::Done);
    }
    let width = rules::ALL.iter().map(|rule| rule.meta().id.len()).max().unwrap_or(0);
    let mut out = String::new();
    for rule in rules::ALL {
        let meta = rule.meta();
        // Writing to a string can't fail.
        let _ = writeln!(out, "{:width$}  {:7}  {:9}  {}", meta.id, meta.severity.name(), meta.scope, meta.summary);
    }
    terminal.document(&out, Exit::Done)
}
