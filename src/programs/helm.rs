//! Helm, which sets the values of any chart.

use super::{BLANK, Command, Program, Takes};
use crate::services::Source;

pub static PROGRAM: Program = Program {
    name: "helm",
    commands: &[Command { words: &["helm"], takes: Takes::Settings(&["set", "set-string"]) }],
    source: Source::Official("https://helm.sh/docs/intro/using_helm/#the-format-and-limitations-of---set"),
    ..BLANK
};
