//! Heroku's command-line tool, which sets variables.

use super::{BLANK, Command, Program, Takes};
use crate::services::Source;

pub static PROGRAM: Program = Program {
    name: "heroku",
    commands: &[
        Command { words: &["heroku", "config:set"], takes: Takes::Assignments },
        Command { words: &["heroku", "config:add"], takes: Takes::Assignments },
    ],
    source: Source::Official("https://github.com/heroku/cli/blob/main/docs/config.md"),
    ..BLANK
};
