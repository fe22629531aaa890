//! GoBackup.

use super::{ACCESS, BLANK, Group, Mark, Program};
use crate::services::Source;

pub static PROGRAM: Program = Program {
    name: "gobackup",
    groups: &[Group { mark: Mark::Holds("type", "b2"), keys: ACCESS }],
    source: Source::Official("https://gobackup.github.io/configuration/storages/b2"),
    ..BLANK
};
