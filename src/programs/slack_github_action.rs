//! Slack's own action for workflows.

use super::{BLANK, Group, Mark, Program};
use crate::services::{Source, slack};

pub static PROGRAM: Program = Program {
    name: "slack-github-action",
    groups: &[Group {
        mark: Mark::Begins("uses", "slackapi/slack-github-action"),
        keys: &[("token", &slack::TOKEN_FIELD, ""), ("webhook", &slack::WEBHOOK_FIELD, "")],
    }],
    source: Source::Official("https://github.com/slackapi/slack-github-action"),
    ..BLANK
};
