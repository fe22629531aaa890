//! Robusta.

use super::{BLANK, Group, Mark, Program};
use crate::services::{Source, slack};

pub static PROGRAM: Program = Program {
    name: "Robusta",
    groups: &[Group { mark: Mark::In("slack_sink"), keys: &[("api_key", &slack::TOKEN_FIELD, "")] }],
    source: Source::Official("https://docs.robusta.dev/master/configuration/sinks/slack.html"),
    ..BLANK
};
