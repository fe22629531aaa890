//! Kopia.

use super::{BLANK, Command, Group, Mark, Program, Takes};
use crate::services::{Source, backblaze};

const PAIR: Takes = Takes::Flags(&["key-id", "key"]);

pub static PROGRAM: Program = Program {
    name: "kopia",
    groups: &[
        Group {
            mark: Mark::Beside("type", "b2"),
            keys: &[
                ("keyID", &backblaze::ID_FIELD, backblaze::PLAIN),
                ("key", &backblaze::KEY_FIELD, backblaze::PLAIN),
            ],
        },
        Group {
            mark: Mark::Command,
            keys: &[
                ("key-id", &backblaze::ID_FIELD, backblaze::PLAIN),
                ("key", &backblaze::KEY_FIELD, backblaze::PLAIN),
            ],
        },
    ],
    commands: &[
        Command { words: &["kopia", "repository", "create", "b2"], takes: PAIR },
        Command { words: &["kopia", "repository", "connect", "b2"], takes: PAIR },
    ],
    source: Source::Official("https://kopia.io/docs/reference/command-line/common/repository-create-b2/"),
    ..BLANK
};
