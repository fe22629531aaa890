//! restic.

use super::{BLANK, Program};
use crate::services::Source;

/// With the native API it reads two names only; the tuple of the first is that of `B2_ACCOUNT_KEY`.
pub static PROGRAM: Program = Program {
    name: "restic",
    instead: &[("id", "B2_ACCOUNT_ID"), ("key", "B2_ACCOUNT_KEY")],
    source: Source::Official("https://restic.readthedocs.io/en/stable/030_preparing_a_new_repo.html#backblaze-b2"),
    ..BLANK
};
