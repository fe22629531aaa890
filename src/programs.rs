//! Programs that read the credentials of many services under names of their own, as rows: data and no logic.

use crate::services::Source::{self, Example, Official};
use crate::services::{
    ERROR, ErrorText, Field, aws, backblaze, cloudflare, discord, gitlab, registry, s3_names, sentry, slack, smtp,
    telegram,
};

/// A program with its own names for credentials, which have no meaning elsewhere.
#[derive(Debug)]
#[non_exhaustive]
pub struct Program {
    /// Its name.
    pub name: &'static str,
    /// Its own files, which are read even if git ignores them.
    pub files: &'static [&'static str],
    /// How its groups are recognised, one of these. None for a program that reads the names of services.
    pub groups: &'static [Group],
    /// Names that other programs have for the same values, with the name that this one reads.
    pub instead: &'static [(&'static str, &'static str)],
    /// Its commands that take credentials.
    pub commands: &'static [Command],
    /// True if a group must have a complete pair, because the program reads it nowhere else.
    pub whole: bool,
    /// True if the names of services mean nothing in its groups.
    pub own_names: bool,
    /// What it says in a log when the credentials that it was given don't work.
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "only the command explains logs"))]
    pub errors: &'static [ErrorText],
    /// Where this was read.
    #[cfg_attr(not(test), expect(dead_code, reason = "documentation for people; a test requires it"))]
    pub source: Source,
}

/// A group of a program's file: how it is recognised, and the names in it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Group {
    /// How it is recognised.
    pub mark: Mark,
    /// The names in it.
    pub keys: &'static [Key],
}

/// A name, the field that it means, and the tuple that it goes together in.
pub type Key = (&'static str, &'static Field, &'static str);

/// A command in a script that takes credentials.
#[derive(Debug)]
#[non_exhaustive]
pub struct Command {
    /// The program and its subcommands.
    pub words: &'static [&'static str],
    /// What follows them.
    pub takes: Takes,
}

/// How a command takes credentials.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Takes {
    /// As words without flags, with these names in this order.
    Words(&'static [&'static str]),
    /// As the values of these flags.
    Flags(&'static [&'static str]),
    /// As `NAME=value`.
    Assignments,
    /// As `a.b=value,c=value`, the values of these flags.
    Settings(&'static [&'static str]),
    /// In an address with this beginning.
    Address(&'static str),
}

/// How a group of a program is recognised.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Mark {
    /// A section of a file with this program's name that has this key and value.
    Section(&'static str, &'static str),
    /// A group that has this key and value.
    Holds(&'static str, &'static str),
    /// A group with this key and value beside it.
    Beside(&'static str, &'static str),
    /// A group with a value beside it that starts like this.
    Begins(&'static str, &'static str),
    /// A file of this name.
    File(&'static str),
    /// An element of a list with this name, or a table.
    In(&'static str),
    /// What one of its commands takes.
    Command,
}

/// A row without facts, to be completed.
const BLANK: Program = Program {
    name: "",
    files: &[],
    groups: &[],
    instead: &[],
    commands: &[],
    whole: false,
    own_names: false,
    errors: &[],
    source: Official(""),
};

/// The names of an S3-style pair, where the service is known.
const ACCESS: &[Key] = &[
    ("access_key_id", &backblaze::ID_FIELD, backblaze::ACCESS),
    ("secret_access_key", &backblaze::KEY_FIELD, backblaze::ACCESS),
];

/// rclone.
pub static RCLONE: Program = Program {
    name: "rclone",
    files: &["rclone.conf", ".rclone.conf"],
    groups: &[
        Group {
            mark: Mark::Section("type", "b2"),
            keys: &[
                ("account", &backblaze::ID_FIELD, backblaze::PLAIN),
                ("key", &backblaze::KEY_FIELD, backblaze::PLAIN),
            ],
        },
        // Whatever the section is called: <https://rclone.org/s3/>.
        Group {
            mark: Mark::Section("type", "s3"),
            keys: &[
                ("access_key_id", &s3_names::ID_FIELD, ""),
                ("secret_access_key", &s3_names::KEY_FIELD, ""),
                ("endpoint", &s3_names::ENDPOINT_FIELD, ""),
            ],
        },
    ],
    // What people write for its `account` and `key`.
    instead: &[
        ("account_id", "account"),
        ("key_id", "account"),
        ("application_key_id", "account"),
        ("account_key", "key"),
        ("application_key", "key"),
    ],
    whole: true,
    source: Official("https://rclone.org/b2/"),
    errors: &[ErrorText {
        texts: &["Unknown 401 (401 unauthorized)"],
        near: &["b2", "backblazeb2", "rclone"],
        about: &[&backblaze::ID_FIELD, &backblaze::KEY_FIELD, &backblaze::MASTER_ID_FIELD],
        says: "the remote refused its account and key",
        open: "whether the key was deleted",
        source: Example("https://github.com/rclone/rclone/issues/2513"),
        ..ERROR
    }],
    ..BLANK
};

/// restic. With the native API it reads two names only; the tuple of the first is that of `B2_ACCOUNT_KEY`.
pub static RESTIC: Program = Program {
    name: "restic",
    instead: &[("id", "B2_ACCOUNT_ID"), ("key", "B2_ACCOUNT_KEY")],
    source: Official("https://restic.readthedocs.io/en/stable/030_preparing_a_new_repo.html#backblaze-b2"),
    errors: &[ErrorText {
        texts: &["wrong password or no key found"],
        says: "the storage was reached, and the password of the repository is another one",
        open: "use the password with which the repository was made; no credential of the storage is wrong",
        source: Example("https://github.com/restic/restic/issues/917"),
        ..ERROR
    }],
    ..BLANK
};

const KOPIA_PAIR: Takes = Takes::Flags(&["key-id", "key"]);

const B2_PAIR: Takes = Takes::Words(&["applicationKeyId", "applicationKey"]);

const NETRC: &[Key] = &[("host", &registry::HOST_FIELD, ""), ("password", &registry::PASSWORD_FIELD, "")];

/// All programs.
pub static PROGRAMS: &[&Program] = &[
    &RCLONE,
    &Program {
        name: "kopia",
        groups: &[
            Group {
                mark: Mark::Beside("type", "b2"),
                keys: &[
                    ("keyID", &backblaze::ID_FIELD, backblaze::PLAIN),
                    ("key", &backblaze::KEY_FIELD, backblaze::PLAIN),
                ],
            },
            Group {
                mark: Mark::Command,
                keys: &[
                    ("key-id", &backblaze::ID_FIELD, backblaze::PLAIN),
                    ("key", &backblaze::KEY_FIELD, backblaze::PLAIN),
                ],
            },
        ],
        commands: &[
            Command { words: &["kopia", "repository", "create", "b2"], takes: KOPIA_PAIR },
            Command { words: &["kopia", "repository", "connect", "b2"], takes: KOPIA_PAIR },
        ],
        source: Official("https://kopia.io/docs/reference/command-line/common/repository-create-b2/"),
        ..BLANK
    },
    &Program {
        name: "gobackup",
        groups: &[Group { mark: Mark::Holds("type", "b2"), keys: ACCESS }],
        source: Official("https://gobackup.github.io/configuration/storages/b2"),
        ..BLANK
    },
    &Program {
        name: "benji",
        groups: &[Group {
            mark: Mark::Beside("module", "b2"),
            keys: &[
                ("accountId", &backblaze::ID_FIELD, backblaze::PLAIN),
                ("applicationKey", &backblaze::KEY_FIELD, backblaze::PLAIN),
            ],
        }],
        source: Official("https://github.com/elemental-lf/benji/issues/58"),
        ..BLANK
    },
    // Slack's own action for workflows.
    &Program {
        name: "slack-github-action",
        groups: &[Group {
            mark: Mark::Begins("uses", "slackapi/slack-github-action"),
            keys: &[("token", &slack::TOKEN_FIELD, ""), ("webhook", &slack::WEBHOOK_FIELD, "")],
        }],
        source: Official("https://github.com/slackapi/slack-github-action"),
        ..BLANK
    },
    &Program {
        name: "Grafana",
        groups: &[Group {
            mark: Mark::Beside("type", "slack"),
            keys: &[("token", &slack::TOKEN_FIELD, ""), ("url", &slack::WEBHOOK_FIELD, "")],
        }],
        source: Official(
            "https://grafana.com/docs/grafana/latest/alerting/set-up/provision-alerting-resources/file-provisioning/",
        ),
        ..BLANK
    },
    // `app_token` is an access token. The webhook's address may also be that of the API, with a token in a header.
    &Program {
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
        source: Official("https://prometheus.io/docs/alerting/latest/configuration/#slack_config"),
        errors: &[ErrorText {
            texts: &[
                "unexpected status code 404: no_service", "unexpected status code 404: no_active_hooks",
                "unexpected status code 403: invalid_token",
            ],
            near: &["slack"],
            about: &[&slack::WEBHOOK_FIELD],
            says: "Slack refused the address in `api_url`",
            open: "whether the webhook was removed",
            source: Example("https://github.com/prometheus/alertmanager/issues/3727"),
            ..ERROR
        }],
        ..BLANK
    },
    &Program {
        name: "litestream",
        files: &["litestream.yml"],
        source: Official("https://litestream.io/reference/config/"),
        ..BLANK
    },
    &RESTIC,
    // autorestic, which runs restic.
    &Program {
        name: "autorestic",
        files: &[".autorestic.yml", ".autorestic.yaml"],
        source: Official("https://autorestic.vercel.app/backend/available"),
        ..BLANK
    },
    // The command-line tool of Backblaze B2.
    // Older versions spell the command with a hyphen or an underscore.
    &Program {
        name: "b2",
        groups: &[Group {
            mark: Mark::Command,
            keys: &[
                ("applicationKeyId", &backblaze::ID_FIELD, backblaze::PLAIN),
                ("applicationKey", &backblaze::KEY_FIELD, backblaze::PLAIN),
            ],
        }],
        commands: &[
            Command { words: &["b2", "account", "authorize"], takes: B2_PAIR },
            Command { words: &["b2", "authorize-account"], takes: B2_PAIR },
            Command { words: &["b2", "authorize_account"], takes: B2_PAIR },
        ],
        source: Official("https://www.backblaze.com/docs/cloud-storage-account-authorize-command"),
        ..BLANK
    },
    &Program {
        name: "duplicity",
        commands: &[Command { words: &["duplicity"], takes: Takes::Address("b2://") }],
        source: Official("https://duplicity.gitlab.io/stable/duplicity.1.html#url-format"),
        ..BLANK
    },
    // Helm, which sets the values of any chart.
    &Program {
        name: "helm",
        commands: &[Command { words: &["helm"], takes: Takes::Settings(&["set", "set-string"]) }],
        source: Official("https://helm.sh/docs/intro/using_helm/#the-format-and-limitations-of---set"),
        ..BLANK
    },
    // Heroku's command-line tool, which sets variables.
    &Program {
        name: "heroku",
        commands: &[
            Command { words: &["heroku", "config:set"], takes: Takes::Assignments },
            Command { words: &["heroku", "config:add"], takes: Takes::Assignments },
        ],
        source: Official("https://github.com/heroku/cli/blob/main/docs/config.md"),
        ..BLANK
    },
    &Program {
        name: "Robusta",
        groups: &[Group { mark: Mark::In("slack_sink"), keys: &[("api_key", &slack::TOKEN_FIELD, "")] }],
        source: Official("https://docs.robusta.dev/master/configuration/sinks/slack.html"),
        ..BLANK
    },
    // GitLab's runner.
    // Its `config.toml` has a table for each runner.
    &Program {
        name: "GitLab Runner",
        groups: &[Group { mark: Mark::In("runners"), keys: &[("token", &gitlab::RUNNER_TOKEN_FIELD, "")] }],
        own_names: true,
        source: Official("https://docs.gitlab.com/runner/configuration/advanced-configuration/"),
        ..BLANK
    },
    // It sends the secret as an API token.
    &Program {
        name: "ddns-go",
        files: &[".ddns_go_config.yaml"],
        groups: &[Group {
            mark: Mark::Holds("name", "cloudflare"),
            keys: &[("secret", &cloudflare::API_TOKEN_FIELD, "")],
        }],
        own_names: true,
        source: Official("https://github.com/jeessy2/ddns-go/blob/master/dns/cloudflare.go"),
        ..BLANK
    },
    // sentry-cli, and the plugins that write its file of properties.
    &Program {
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
        source: Official("https://docs.sentry.io/cli/configuration/"),
        ..BLANK
    },
    // The AWS CLI and the SDKs: their shared file of credentials.
    &Program {
        name: "aws",
        groups: &[Group {
            mark: Mark::File("credentials"),
            keys: &[
                ("aws_access_key_id", &aws::ID_FIELD, ""),
                ("aws_secret_access_key", &aws::KEY_FIELD, ""),
                ("aws_session_token", &aws::SESSION_FIELD, ""),
                ("endpoint_url", &aws::ENDPOINT_FIELD, ""),
            ],
        }],
        source: Official("https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html"),
        ..BLANK
    },
    // npm and what reads its file.
    &Program {
        name: "npm",
        groups: &[Group {
            mark: Mark::File(".npmrc"),
            keys: &[("host", &registry::HOST_FIELD, ""), ("_authToken", &registry::PASSWORD_FIELD, "")],
        }],
        own_names: true,
        source: Official("https://docs.npmjs.com/cli/configuring-npm/npmrc"),
        ..BLANK
    },
    // What reads `.netrc`: git, curl, pip, Go and many others.
    &Program {
        name: "netrc",
        groups: &[Group { mark: Mark::File(".netrc"), keys: NETRC }, Group { mark: Mark::File("_netrc"), keys: NETRC }],
        own_names: true,
        source: Official("https://everything.curl.dev/usingcurl/netrc.html"),
        ..BLANK
    },
    // Twine and what else publishes to package indexes.
    &Program {
        name: "twine",
        groups: &[Group {
            mark: Mark::File(".pypirc"),
            keys: &[
                ("repository", &registry::HOST_FIELD, ""),
                ("username", &registry::USER_FIELD, ""),
                ("password", &registry::PASSWORD_FIELD, ""),
            ],
        }],
        own_names: true,
        source: Official("https://packaging.python.org/en/latest/specifications/pypirc/"),
        ..BLANK
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_has_a_source_and_says_something() {
        for program in PROGRAMS {
            assert!(program.source.place().starts_with("https://"), "{}", program.name);
            let said = program.groups.iter().all(|group| !group.keys.is_empty());
            let named = !(program.files.is_empty() && program.instead.is_empty() && program.commands.is_empty());
            assert!(said && (named || !program.groups.is_empty()), "{}", program.name);
        }
    }

    #[test]
    fn every_program_is_named_on_the_page() {
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/searching.md")).unwrap();
        let missing = PROGRAMS.iter().filter(|program| !page.to_lowercase().contains(&program.name.to_lowercase()));
        let missing: Vec<_> = missing.map(|program| program.name).collect();
        assert!(missing.is_empty(), "docs/searching.md does not name {missing:?}");
    }
}
