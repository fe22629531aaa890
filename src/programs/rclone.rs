//! rclone.

use super::{BLANK, Group, Mark, Program};
use crate::services::{ERROR, ErrorText, Source, backblaze, s3_names};

pub static PROGRAM: Program = Program {
    name: "rclone",
    files: &["rclone.conf", ".rclone.conf"],
    groups: &[
        Group {
            mark: Mark::Section("type", "b2"),
            keys: &[
                ("account", &backblaze::ID_FIELD, backblaze::PLAIN),
                ("key", &backblaze::KEY_FIELD, backblaze::PLAIN),
            ],
        },
        // Sections with any name: <https://rclone.org/s3/>.
        Group {
            mark: Mark::Section("type", "s3"),
            keys: &[
                ("access_key_id", &s3_names::ID_FIELD, ""),
                ("secret_access_key", &s3_names::KEY_FIELD, ""),
                ("endpoint", &s3_names::ENDPOINT_FIELD, ""),
            ],
        },
    ],
    // Names that people use for its `account` and `key`.
    instead: &[
        ("account_id", "account"),
        ("key_id", "account"),
        ("application_key_id", "account"),
        ("account_key", "key"),
        ("application_key", "key"),
    ],
    whole: true,
    source: Source::Official("https://rclone.org/b2/"),
    errors: ERRORS,
    ..BLANK
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[ErrorText {
    texts: &["Unknown 401 (401 unauthorized)"],
    near: &["b2", "backblazeb2", "rclone"],
    about: &[&backblaze::ID_FIELD, &backblaze::KEY_FIELD, &backblaze::MASTER_ID_FIELD],
    says: "the remote refused its account and key",
    open: "whether the key was deleted",
    source: Source::Example("https://github.com/rclone/rclone/issues/2513"),
    ..ERROR
}];
