//! Benji.

use super::{BLANK, Group, Mark, Program};
use crate::services::{Source, backblaze};

pub static PROGRAM: Program = Program {
    name: "benji",
    groups: &[Group {
        mark: Mark::Beside("module", "b2"),
        keys: &[
            ("accountId", &backblaze::ID_FIELD, backblaze::PLAIN),
            ("applicationKey", &backblaze::KEY_FIELD, backblaze::PLAIN),
        ],
    }],
    source: Source::Official("https://github.com/elemental-lf/benji/issues/58"),
    ..BLANK
};
