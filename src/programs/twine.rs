//! Twine and other programs that publish to package indexes.

use super::{BLANK, Group, Mark, Program};
use crate::services::{Source, registry};

pub static PROGRAM: Program = Program {
    name: "twine",
    groups: &[Group {
        mark: Mark::File(".pypirc"),
        keys: &[
            ("repository", &registry::HOST_FIELD, ""),
            ("username", &registry::USER_FIELD, ""),
            ("password", &registry::PASSWORD_FIELD, ""),
        ],
    }],
    own_names: true,
    source: Source::Official("https://packaging.python.org/en/latest/specifications/pypirc/"),
    ..BLANK
};
