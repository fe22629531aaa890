//! Litestream.

use super::{BLANK, Program};
use crate::services::Source;

pub static PROGRAM: Program = Program {
    name: "litestream",
    files: &["litestream.yml"],
    source: Source::Official("https://litestream.io/reference/config/"),
    ..BLANK
};
