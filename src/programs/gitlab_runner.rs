//! GitLab Runner.

use super::{BLANK, Group, Mark, Program};
use crate::services::{Source, gitlab};

/// Its `config.toml` has a table for each runner.
pub static PROGRAM: Program = Program {
    name: "GitLab Runner",
    groups: &[Group { mark: Mark::In("runners"), keys: &[("token", &gitlab::RUNNER_TOKEN_FIELD, "")] }],
    own_names: true,
    source: Source::Official("https://docs.gitlab.com/runner/configuration/advanced-configuration/"),
    ..BLANK
};
