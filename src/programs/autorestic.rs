//! autorestic, which runs restic.

use super::{BLANK, Program};
use crate::services::Source;

pub static PROGRAM: Program = Program {
    name: "autorestic",
    files: &[".autorestic.yml", ".autorestic.yaml"],
    source: Source::Official("https://autorestic.vercel.app/backend/available"),
    ..BLANK
};
