//! Names of credentials in other programs' variables and keys, as rows. `B2_APPLICATION_KEY_ID`,
//! `b2-application-key-id` and `b2ApplicationKeyId` are the same name. A name may be misleading: restic's
//! `B2_ACCOUNT_ID` takes a keyID.

use crate::text;

/// The kind of value that a name takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ValueKind {
    /// The ID of a storage key. Names of the same family form a pair.
    Id(Family),
    /// A storage key.
    Key(Family),
    /// The ID beside a secret key, the key beside a keyID.
    AccessKey,
    /// The address of the storage service.
    Endpoint,
    /// An access token of the messaging service, for a bot or user.
    Token,
    /// A bot token.
    BotToken,
    /// An app-level token.
    AppToken,
    /// An incoming webhook.
    Webhook,
    /// The secret that an app verifies requests with.
    SigningSecret,
}

/// The words that both names of a pair share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Family {
    /// `…_ACCOUNT_ID` and `…_ACCOUNT_KEY`.
    Account,
    /// `…_APPLICATION_KEY_ID` and `…_APPLICATION_KEY`.
    Application,
    /// `…_APP_KEY_ID` and `…_APP_KEY`.
    App,
    /// `…_KEY_ID` and `…_KEY`.
    Plain,
    /// `…_ACCESS_KEY_ID` and `…_SECRET_ACCESS_KEY`.
    Access,
    /// `…_MASTER_KEY_ID` and `…_MASTER_KEY`.
    Master,
}

/// Names for the same kind of value.
struct Row {
    names: &'static [&'static str],
    means: ValueKind,
    #[cfg_attr(not(test), expect(dead_code, reason = "documentation for people; a test requires it"))]
    source: &'static str,
}

const SLACK: &str = "https://docs.slack.dev/authentication/tokens";
const B2: &str = "https://github.com/Backblaze/B2_Command_Line_Tool";
const RESTIC: &str = "https://restic.readthedocs.io/en/stable/030_preparing_a_new_repo.html#backblaze-b2";

/// Names of the messaging service's credentials. Words before them form a prefix; an environment may follow.
const SERVICE: &[Row] = &[
    Row {
        names: &[
            "SLACK_WEBHOOK",
            "SLACK_WEBHOOK_URL",
            "SLACK_WEBHOOK_URI",
            "SLACK_WEB_HOOK",
            "SLACK_WEB_HOOK_URL",
            "SLACK_HOOK",
            "SLACK_HOOK_URL",
            "SLACK_INCOMING_WEBHOOK",
            "SLACK_INCOMING_WEBHOOK_URL",
        ],
        means: ValueKind::Webhook,
        source: "https://github.com/rtCamp/action-slack-notify",
    },
    // Alertmanager's global webhook.
    Row {
        names: &["SLACK_API_URL"],
        means: ValueKind::Webhook,
        source: "https://prometheus.io/docs/alerting/latest/configuration/#file-layout-and-global-settings",
    },
    Row {
        names: &["SLACK_BOT_TOKEN", "SLACK_BOT_USER_OAUTH_TOKEN", "SLACK_BOT_OAUTH_TOKEN", "SLACK_BOT_USER_TOKEN"],
        means: ValueKind::BotToken,
        source: "https://docs.slack.dev/tools/bolt-js/getting-started",
    },
    Row {
        names: &[
            "SLACK_TOKEN",
            "SLACK_API_TOKEN",
            "SLACK_ACCESS_TOKEN",
            "SLACK_OAUTH_TOKEN",
            "SLACK_OAUTH_ACCESS_TOKEN",
            "SLACK_USER_TOKEN",
            "SLACK_AUTH_TOKEN",
        ],
        means: ValueKind::Token,
        source: SLACK,
    },
    Row {
        names: &["SLACK_APP_TOKEN", "SLACK_APP_LEVEL_TOKEN", "SLACK_XAPP_TOKEN"],
        means: ValueKind::AppToken,
        source: "https://docs.slack.dev/tools/bolt-js/getting-started",
    },
    Row { names: &["SLACK_SIGNING_SECRET"], means: ValueKind::SigningSecret, source: SLACK },
];

/// Spellings of the storage service's name.
const BRANDS: &[&str] = &["BACKBLAZE_B2", "B2_BACKBLAZE", "BACKBLAZEB2", "BACKBLAZE", "B2"];

/// Words that follow the service's name.
const STORAGE: &[Row] = &[
    Row {
        names: &["ACCOUNT_ID", "ACCOUNTID", "ACCT_ID", "ACCOUNT"],
        means: ValueKind::Id(Family::Account),
        source: RESTIC,
    },
    Row { names: &["ACCOUNT_KEY", "ACCOUNTKEY"], means: ValueKind::Key(Family::Account), source: RESTIC },
    Row {
        names: &["APPLICATION_KEY_ID", "APPLICATION_KEYID", "APPLICATION_ID"],
        means: ValueKind::Id(Family::Application),
        source: B2,
    },
    Row {
        names: &["APPLICATION_KEY", "APPLICATION_KEY_SECRET"],
        means: ValueKind::Key(Family::Application),
        source: B2,
    },
    // duplicati's `--b2-accountid` and `--b2-applicationkey`.
    Row {
        names: &["APPLICATIONKEY"],
        means: ValueKind::Key(Family::Account),
        source: "https://github.com/duplicati/duplicati/pull/3348",
    },
    Row {
        names: &["APP_KEY_ID", "APPKEY_ID", "APP_ID", "APPLICATION_API_KEY_ID"],
        means: ValueKind::Id(Family::App),
        source: "https://github.com/jakejarvis/backblaze-b2-action",
    },
    Row {
        names: &["APP_KEY", "APPKEY", "APP_SECRET", "APP_KEY_SECRET"],
        means: ValueKind::Key(Family::App),
        source: "https://github.com/jakejarvis/backblaze-b2-action",
    },
    Row { names: &["KEY_ID", "KEYID", "API_KEY_ID"], means: ValueKind::Id(Family::Plain), source: B2 },
    Row { names: &["KEY", "API_KEY", "KEY_SECRET"], means: ValueKind::Key(Family::Plain), source: B2 },
    // The S3-compatible API's names, as litestream and others use them.
    Row {
        names: &["ACCESS_KEY_ID", "ACCESS_ID"],
        means: ValueKind::Id(Family::Access),
        source: "https://www.backblaze.com/docs/cloud-storage-s3-compatible-app-keys",
    },
    Row {
        names: &["ACCESS_KEY", "ACCESSKEY"],
        means: ValueKind::AccessKey,
        source: "https://www.backblaze.com/docs/cloud-storage-s3-compatible-app-keys",
    },
    Row {
        names: &["SECRET_ACCESS_KEY", "SECRET_KEY", "ACCESS_KEY_SECRET"],
        means: ValueKind::Key(Family::Access),
        source: "https://www.backblaze.com/docs/cloud-storage-s3-compatible-app-keys",
    },
    Row {
        names: &["MASTER_KEY_ID", "MASTER_APPLICATION_KEY_ID"],
        means: ValueKind::Id(Family::Master),
        source: "https://github.com/backblaze-labs/b2-mcp",
    },
    Row {
        names: &["MASTER_KEY", "MASTER_APPLICATION_KEY"],
        means: ValueKind::Key(Family::Master),
        source: "https://github.com/backblaze-labs/b2-mcp",
    },
    Row {
        names: &["ENDPOINT", "S3_ENDPOINT", "ENDPOINT_URL"],
        means: ValueKind::Endpoint,
        source: "https://www.backblaze.com/docs/cloud-storage-s3-compatible-api",
    },
];

/// duplicacy's names: `DUPLICACY_B2_ID` and `DUPLICACY_B2_KEY`, or `b2_id` and `b2_key` in its preferences. Source:
/// <https://forum.duplicacy.com/t/passwords-credentials-and-environment-variables/1094>.
const DUPLICACY: &str = "B2_ID";

/// Names of S3-style pairs, which don't identify the service.
const S3: &[Row] = &[
    Row {
        names: &["ACCESS_KEY_ID", "ACCESSKEYID", "ACCESS_KEY"],
        means: ValueKind::Id(Family::Access),
        source: "https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-envvars.html",
    },
    Row {
        names: &["SECRET_ACCESS_KEY", "SECRETACCESSKEY", "SECRET_KEY"],
        means: ValueKind::Key(Family::Access),
        source: "https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-envvars.html",
    },
];

/// Words after a name that distinguish several credentials. Any other suffix makes it a different name: `…_FILE` takes
/// a path.
const SUFFIXES: &[&str] = &[
    "PROD",
    "PRODUCTION",
    "PRD",
    "LIVE",
    "STAGING",
    "STAGE",
    "STG",
    "DEV",
    "DEVELOPMENT",
    "TEST",
    "TESTING",
    "QA",
    "SANDBOX",
    "LOCAL",
    "CI",
    "OLD",
    "NEW",
    "PRIMARY",
    "SECONDARY",
    "DEFAULT",
    "BACKUP",
    "BACKUPS",
];

/// The meaning of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Meaning {
    pub(super) means: ValueKind,
    /// The rest of the name. Names with the same stem belong together.
    pub(super) stem: String,
}

/// Returns the meaning of a name for the two services. `None` if it has none, or is ambiguous.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    let (words, suffix) = split(name);
    let whole = words.join("_");
    messaging(&whole, &suffix).or_else(|| storage(&words, &whole, &suffix))
}

/// Returns the meaning of a name in a table that is named after a service: `slack.token` means the same as
/// `SLACK_TOKEN`.
pub(super) fn within(table: &str, name: &str) -> Option<Meaning> {
    let (mut table, own) = (text::words(table), text::words(name));
    // The table may have the service's own address as well as a webhook's, and short names are ambiguous: `b2.key`.
    let brand = table.last().is_some_and(|word| ["slack", "b2", "backblaze", "backblazeb2"].contains(&word.as_str()));
    let short = own.len() < 2 && table.last().is_some_and(|word| word != "slack");
    let address = own.last().is_some_and(|word| word == "endpoint") || own == ["api", "url"];
    if !brand || short || address {
        return None;
    }
    table.extend(own);
    meaning(&table.join("_")).filter(|found| found.means != ValueKind::Endpoint)
}

fn messaging(whole: &str, suffix: &str) -> Option<Meaning> {
    SERVICE.iter().find_map(|row| {
        let prefix = row.names.iter().find_map(|name| before(whole, name))?;
        Some(Meaning { means: row.means, stem: stem(prefix, suffix) })
    })
}

fn storage(words: &[String], whole: &str, suffix: &str) -> Option<Meaning> {
    let duplicacy = |prefix: &&str| prefix.is_empty() || prefix.starts_with("DUPLICACY");
    if let Some(prefix) = before(whole, DUPLICACY).filter(duplicacy) {
        return Some(Meaning { means: ValueKind::Id(Family::Plain), stem: stem(prefix, suffix) });
    }
    // The first brand counts: the words after it tell the ID from the key.
    (0..words.len()).find_map(|at| {
        let rest = words[at..].join("_");
        let behind = BRANDS.iter().find_map(|brand| rest.strip_prefix(brand)?.strip_prefix('_'))?;
        let prefix = words[..at].join("_");
        // rclone's remote is part of the name, and has a type of its own.
        if prefix.starts_with("RCLONE_CONFIG") {
            return None;
        }
        let row = STORAGE.iter().find(|row| row.names.contains(&behind))?;
        let prefix = prefix.strip_suffix("MASTER").unwrap_or(&prefix).trim_end_matches('_');
        Some(Meaning { means: row.means, stem: stem(prefix, suffix) })
    })
}

/// Returns the meaning of a name in an S3-style pair, for any service.
pub(super) fn s3(name: &str) -> Option<Meaning> {
    let (words, suffix) = split(name);
    let whole = words.join("_");
    let found = S3.iter().filter_map(|row| {
        let prefix = row.names.iter().find_map(|name| before(&whole, name))?;
        Some((prefix, row.means))
    });
    // `SECRET_ACCESS_KEY` also ends in `ACCESS_KEY`.
    let (prefix, means) = found.min_by_key(|(prefix, _)| prefix.len())?;
    Some(Meaning { means, stem: stem(prefix, &suffix) })
}

/// Splits rclone's `RCLONE_CONFIG_REMOTE_OPTION` into remote and option. Source:
/// <https://rclone.org/docs/#config-file>.
pub(super) fn rclone(name: &str) -> Option<(&str, &str)> {
    let rest = name.strip_prefix("RCLONE_CONFIG_")?;
    ["_TYPE", "_ACCOUNT", "_KEY", "_ACCESS_KEY_ID", "_SECRET_ACCESS_KEY", "_ENDPOINT"]
        .iter()
        .filter_map(|option| Some((rest.strip_suffix(option)?, &option[1..])))
        // `…_SECRET_ACCESS_KEY` also ends in `_KEY`.
        .min_by_key(|(remote, _)| remote.len())
}

/// Returns what precedes a name at the end of another.
fn before<'a>(whole: &'a str, name: &str) -> Option<&'a str> {
    let rest = whole.strip_suffix(name)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_suffix('_') }
}

fn stem(prefix: &str, suffix: &str) -> String {
    [prefix, suffix].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_").to_lowercase()
}

/// Splits a name into upper-case words, and the suffix that distinguishes several credentials.
fn split(name: &str) -> (Vec<String>, String) {
    let mut words: Vec<String> = text::words(name).into_iter().map(|word| word.to_uppercase()).collect();
    let tells = |word: &String| SUFFIXES.contains(&word.as_str()) || word.bytes().all(|byte| byte.is_ascii_digit());
    let end = words.iter().rposition(|word| !tells(word)).map_or(0, |last| last + 1);
    let suffix = words.split_off(end);
    (words, suffix.join("_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn means(name: &str) -> Option<(ValueKind, String)> {
        meaning(name).map(|found| (found.means, found.stem))
    }

    #[test]
    fn names_are_recognised_in_every_spelling() {
        for (name, what, stem) in [
            ("B2_APPLICATION_KEY_ID", ValueKind::Id(Family::Application), ""),
            ("b2-application-key", ValueKind::Key(Family::Application), ""),
            ("b2ApplicationKeyId", ValueKind::Id(Family::Application), ""),
            ("PROD_B2_ACCOUNT_ID", ValueKind::Id(Family::Account), "prod"),
            ("B2_ACCOUNT_KEY_STAGING", ValueKind::Key(Family::Account), "staging"),
            ("MY_BACKBLAZE_B2_KEY", ValueKind::Key(Family::Plain), "my"),
            ("BACKBLAZE_SECRET_ACCESS_KEY", ValueKind::Key(Family::Access), ""),
            ("RCLONE_B2_ACCOUNT", ValueKind::Id(Family::Account), "rclone"),
            ("DUPLICACY_B2_ID", ValueKind::Id(Family::Plain), "duplicacy"),
            ("b2_id", ValueKind::Id(Family::Plain), ""),
            ("B2_MASTER_KEY_ID", ValueKind::Id(Family::Master), ""),
            ("SLACK_BOT_TOKEN", ValueKind::BotToken, ""),
            ("slackBotToken", ValueKind::BotToken, ""),
            ("ALERTS_SLACK_WEBHOOK_URL_PROD", ValueKind::Webhook, "alerts_prod"),
            ("SLACK_TOKEN_2", ValueKind::Token, "2"),
        ] {
            assert_eq!(means(name), Some((what, stem.to_owned())), "{name}");
        }
        for name in [
            "SLACK_BOT_TOKEN_FILE",
            "SLACK_WEBHOOK_ENABLED",
            "SLACKBOT_NAME",
            "B2_BUCKET",
            "B2B_KEY",
            "RCLONE_CONFIG_B2_KEY",
            "SLACK_TOKEN_NAME",
            "SLACK_CHANNEL",
            "KEY",
            "",
        ] {
            assert_eq!(means(name), None, "{name}");
        }
    }

    #[test]
    fn a_tables_name_identifies_the_service() {
        for (table, name, what) in [
            ("slack", "token", ValueKind::Token),
            ("socketSlack", "appToken", ValueKind::AppToken),
            ("slack", "webhook-url", ValueKind::Webhook),
            ("b2", "accountID", ValueKind::Id(Family::Account)),
            ("backblaze", "application_key", ValueKind::Key(Family::Application)),
        ] {
            assert_eq!(within(table, name).map(|found| found.means), Some(what), "{table}.{name}");
        }
        for (table, name) in [
            ("slack", "api_url"),
            ("slack", "url"),
            ("slackbot", "token"),
            ("b2", "key"),
            ("b2", "account"),
            ("b2", "s3_endpoint"),
            ("app", "token"),
            ("", "token"),
        ] {
            assert_eq!(within(table, name), None, "{table}.{name}");
        }
    }

    #[test]
    fn remotes_of_rclone_have_their_options() {
        assert_eq!(rclone("RCLONE_CONFIG_MY_B2_KEY"), Some(("MY_B2", "KEY")));
        assert_eq!(rclone("RCLONE_CONFIG_X_SECRET_ACCESS_KEY"), Some(("X", "SECRET_ACCESS_KEY")));
        assert_eq!(rclone("RCLONE_CONFIG_PASS"), None);
    }

    #[test]
    fn every_row_has_a_source() {
        for row in SERVICE.iter().chain(STORAGE).chain(S3) {
            assert!(row.source.starts_with("https://") && !row.names.is_empty());
        }
        for (name, what) in [
            ("AWS_ACCESS_KEY_ID", ValueKind::Id(Family::Access)),
            ("aws_access_key", ValueKind::Id(Family::Access)),
            ("AWS_SECRET_ACCESS_KEY", ValueKind::Key(Family::Access)),
            ("awsSecretKey", ValueKind::Key(Family::Access)),
        ] {
            let found = s3(name).map(|found| (found.means, found.stem));
            assert_eq!(found, Some((what, "aws".to_owned())), "{name}");
        }
    }
}
