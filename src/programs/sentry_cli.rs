//! sentry-cli, and the plugins that write its properties file.

use super::{BLANK, Group, Mark, Program};
use crate::services::{Source, sentry};

pub static PROGRAM: Program = Program {
    name: "sentry-cli",
    groups: &[Group {
        mark: Mark::File("sentry.properties"),
        keys: &[
            ("auth.token", &sentry::AUTH_TOKEN_FIELD, ""),
            ("auth.dsn", &sentry::DSN_FIELD, ""),
            ("dsn", &sentry::DSN_FIELD, ""),
            ("defaults.org", &sentry::ORG_FIELD, ""),
            ("defaults.url", &sentry::URL_FIELD, ""),
        ],
    }],
    source: Source::Official("https://docs.sentry.io/cli/configuration/"),
    ..BLANK
};
