//! Alertmanager.

use super::{BLANK, Group, Mark, Program};
use crate::services::{ERROR, ErrorText, Source, discord, slack, smtp, telegram};

/// `app_token` is an access token. The webhook's address may also be the API's, with a token in a header.
pub static PROGRAM: Program = Program {
    name: "Alertmanager",
    files: &["alertmanager.yml", "alertmanager.yaml"],
    groups: &[
        Group {
            mark: Mark::In("slack_configs"),
            keys: &[("api_url", &slack::WEBHOOK_FIELD, ""), ("app_token", &slack::TOKEN_FIELD, "")],
        },
        // The global table, recognised by other keys that only it has.
        Group {
            mark: Mark::In("global"),
            keys: &[
                ("slack_api_url", &slack::WEBHOOK_FIELD, ""),
                ("slack_app_token", &slack::TOKEN_FIELD, ""),
                ("smtp_smarthost", &smtp::HOST_FIELD, ""),
                ("smtp_auth_username", &smtp::USER_FIELD, ""),
                ("smtp_auth_password", &smtp::PASSWORD_FIELD, ""),
            ],
        },
        Group {
            mark: Mark::In("email_configs"),
            keys: &[
                ("smarthost", &smtp::HOST_FIELD, ""),
                ("auth_username", &smtp::USER_FIELD, ""),
                ("auth_password", &smtp::PASSWORD_FIELD, ""),
            ],
        },
        Group { mark: Mark::In("telegram_configs"), keys: &[("bot_token", &telegram::BOT_TOKEN_FIELD, "")] },
        Group { mark: Mark::In("discord_configs"), keys: &[("webhook_url", &discord::WEBHOOK_FIELD, "")] },
    ],
    own_names: true,
    source: Source::Official("https://prometheus.io/docs/alerting/latest/configuration/#slack_config"),
    errors: ERRORS,
    ..BLANK
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[ErrorText {
    texts: &[
        "unexpected status code 404: no_service", "unexpected status code 404: no_active_hooks",
        "unexpected status code 403: invalid_token",
    ],
    near: &["slack"],
    about: &[&slack::WEBHOOK_FIELD],
    says: "Slack refused the address in `api_url`",
    open: "whether the webhook was removed",
    source: Source::Example("https://github.com/prometheus/alertmanager/issues/3727"),
    ..ERROR
}];
