//! The command-line tool of Backblaze B2.

use super::{BLANK, Command, Group, Mark, Program, Takes};
use crate::services::{Source, backblaze};

const PAIR: Takes = Takes::Words(&["applicationKeyId", "applicationKey"]);

/// Older versions spell the command with a hyphen or an underscore.
pub static PROGRAM: Program = Program {
    name: "b2",
    groups: &[Group {
        mark: Mark::Command,
        keys: &[
            ("applicationKeyId", &backblaze::ID_FIELD, backblaze::PLAIN),
            ("applicationKey", &backblaze::KEY_FIELD, backblaze::PLAIN),
        ],
    }],
    commands: &[
        Command { words: &["b2", "account", "authorize"], takes: PAIR },
        Command { words: &["b2", "authorize-account"], takes: PAIR },
        Command { words: &["b2", "authorize_account"], takes: PAIR },
    ],
    source: Source::Official("https://www.backblaze.com/docs/cloud-storage-account-authorize-command"),
    ..BLANK
};
