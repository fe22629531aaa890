//! rclone.

use super::{BLANK, Group, Mark, Program};
use crate::services::{Source, backblaze};

pub static PROGRAM: Program = Program {
    name: "rclone",
    files: &["rclone.conf", ".rclone.conf"],
    groups: &[Group {
        mark: Mark::Section("type", "b2"),
        keys: &[("account", &backblaze::ID_FIELD, backblaze::PLAIN), ("key", &backblaze::KEY_FIELD, backblaze::PLAIN)],
    }],
    // What people write for its `account` and `key`.
    instead: &[
        ("account_id", "account"),
        ("key_id", "account"),
        ("application_key_id", "account"),
        ("account_key", "key"),
        ("application_key", "key"),
    ],
    whole: true,
    source: Source::Official("https://rclone.org/b2/"),
    ..BLANK
};
