//! restic.

use super::{BLANK, Program};
use crate::services::{ERROR, ErrorText, Source};

/// With the native API it reads only two names; both have the tuple of `B2_ACCOUNT_KEY`.
pub static PROGRAM: Program = Program {
    name: "restic",
    instead: &[("id", "B2_ACCOUNT_ID"), ("key", "B2_ACCOUNT_KEY")],
    source: Source::Official("https://restic.readthedocs.io/en/stable/030_preparing_a_new_repo.html#backblaze-b2"),
    errors: ERRORS,
    ..BLANK
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[ErrorText {
    texts: &["wrong password or no key found"],
    says: "the storage was reached, and the password of the repository is another one",
    open: "use the password with which the repository was made; no credential of the storage is wrong",
    source: Source::Example("https://github.com/restic/restic/issues/917"),
    ..ERROR
}];
