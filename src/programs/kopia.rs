//! Kopia.

use super::{BLANK, Group, Mark, Program};
use crate::services::{Source, backblaze};

pub static PROGRAM: Program = Program {
    name: "kopia",
    groups: &[Group {
        mark: Mark::Beside("type", "b2"),
        keys: &[("keyID", &backblaze::ID_FIELD, backblaze::PLAIN), ("key", &backblaze::KEY_FIELD, backblaze::PLAIN)],
    }],
    source: Source::Official("https://kopia.io/docs/reference/command-line/common/repository-create-b2/"),
    ..BLANK
};
