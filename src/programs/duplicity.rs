//! duplicity.

use super::{BLANK, Command, Program, Takes};
use crate::services::Source;

pub static PROGRAM: Program = Program {
    name: "duplicity",
    commands: &[Command { words: &["duplicity"], takes: Takes::Address("b2://") }],
    source: Source::Official("https://duplicity.gitlab.io/stable/duplicity.1.html#url-format"),
    ..BLANK
};
