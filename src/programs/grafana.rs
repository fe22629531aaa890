//! Grafana.

use super::{BLANK, Group, Mark, Program};
use crate::services::{Source, slack};

pub static PROGRAM: Program = Program {
    name: "Grafana",
    groups: &[Group {
        mark: Mark::Beside("type", "slack"),
        keys: &[("token", &slack::TOKEN_FIELD, ""), ("url", &slack::WEBHOOK_FIELD, "")],
    }],
    source: Source::Official(
        "https://grafana.com/docs/grafana/latest/alerting/set-up/provision-alerting-resources/file-provisioning/",
    ),
    ..BLANK
};
