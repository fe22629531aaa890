//! What a rule says where a part of its condition makes the difference: the sentence and the advice.

use crate::harness::Project;

const TOKEN: &str = "xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx";
const HOOK: &str = "https://hooks.slack.com/services/T01ABCDEF/B01ABCDEF/abcdefghijklmnopqrstuvwx";
const KEY: &str = "K005abcdefghijklmnopqrstuvwxyz1";
const ID: &str = "0051a2b3c4d5e6f0000000001";
const OTHER_ID: &str = "0041a2b3c4d5e6f0000000002";
const ACCOUNT: &str = "1a2b3c4d5e6f";
const BUCKET: &str = "85644d98debc657d880b0e1e";

/// A table, the values of the variables that it names, and for each finding its message and a part of its advice.
type Row<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a [(&'a str, &'a str)]);

/// Compares the messages about each table.
fn said(rows: &[Row<'_>]) {
    said_by("credlint.toml", &[], rows);
}

/// Compares the messages about each text in a file of this name.
fn said_by(name: &str, args: &[&str], rows: &[Row<'_>]) {
    for (text, values, wanted) in rows {
        let project =
            values.iter().fold(Project::new().file(name, text), |project, (name, value)| project.env(name, *value));
        let (_, document) = project.check(args);
        let findings = document["findings"].as_array().unwrap();
        let found: Vec<_> = findings.iter().map(|one| one["message"].as_str().unwrap()).collect();
        assert_eq!(found, wanted.iter().map(|(message, _)| *message).collect::<Vec<_>>(), "{text}");
        for (finding, (_, help)) in findings.iter().zip(*wanted) {
            assert!(finding["help"].as_str().unwrap().contains(help), "{text}: {finding}");
        }
    }
}

#[test]
fn messages_about_crossed_names() {
    said(&[
        // Of a value that is judged, its form says more than a name.
        (
            "[storage.x]\naccount_id = { env = \"A\" }\nmaster_application_key = { env = \"A\" }\n",
            &[("A", BUCKET)],
            &[("`account_id` of `storage.x` holds a bucket ID, not a keyID", "the account ID of 12 hex digits")],
        ),
        (
            "[messaging.x]\nbase_url = \"https://h.example\"\nchannels = [\"C0123456789\"]\ntoken = { env = \"B2_KEY_ID\" }\n",
            &[("B2_KEY_ID", "of-no-known-form")],
            &[(
                "`messaging.x.token` reads `B2_KEY_ID`, which is named like a keyID",
                "point `token` at the access token",
            )],
        ),
        // A name of a service without profiles tells nothing.
        (
            "[messaging.x]\nbase_url = \"https://h.example\"\nchannels = [\"C0123456789\"]\ntoken = { env = \"SENDGRID_API_KEY\" }\n",
            &[("SENDGRID_API_KEY", "of-no-known-form")],
            &[],
        ),
        (
            "[storage.x]\naccount_id = { env = \"X\" }\nmaster_application_key = { env = \"B2_KEY_ID\" }\n",
            &[("X", "of-no-known-form"), ("B2_KEY_ID", "of-none-either")],
            &[(
                "`storage.x.master_application_key` reads `B2_KEY_ID`, which is named like a keyID",
                "point `master_application_key` at the master application key",
            )],
        ),
        // Only one of the two is crossed.
        (
            "[storage.x]\naccount_id = { env = \"PROD_ID\" }\nmaster_application_key = { env = \"STAGING_KEY_ID\" }\n",
            &[("PROD_ID", "of-no-known-form"), ("STAGING_KEY_ID", "of-none-either")],
            &[(
                "`storage.x.master_application_key` reads `STAGING_KEY_ID`, which is named like a keyID",
                "if `STAGING_KEY_ID` holds the right value, rename it",
            )],
        ),
    ]);
}

/// Without looking at any value.
#[test]
fn messages_about_names_alone() {
    let pair = "application_key_id = { env = \"A\" }\napplication_key = { env = \"B\" }";
    let storage = |fields: &str| format!("[storage.x]\n{fields}\n");
    let messaging = |field: &str| {
        format!(
            "[messaging.x]\nbase_url = \"https://h.example\"\nchannels = [\"C0123456789\"]\ntoken = {{ env = \"T\" }}\n{field} = {{ env = \"SLACK_BOT_TOKEN\" }}\n"
        )
    };
    said_by(
        "credlint.toml",
        &["--no-resolve"],
        &[
            // Names of environments say nothing about what belongs together.
            (
                &storage("application_key_id = { env = \"PROD_KEY_ID\" }\napplication_key = { env = \"STAGING_KEY\" }"),
                &[],
                &[],
            ),
            // What is not secret may be anywhere, but a secret may not be everywhere.
            (&storage(&format!("{pair}\nbucket = {{ env = \"B2_KEY_ID\" }}")), &[], &[]),
            (
                &storage(&format!("{pair}\nbucket = {{ env = \"B2_APPLICATION_KEY\" }}")),
                &[],
                &[(
                    "`storage.x.bucket` reads `B2_APPLICATION_KEY`, which is named like a key",
                    "point `bucket` at a value such as `nightly`",
                )],
            ),
            (
                &messaging("workspace"),
                &[],
                &[(
                    "`messaging.x.workspace` reads `SLACK_BOT_TOKEN`, which is named like an access token",
                    "point `workspace` at a value such as `T0123456789`",
                )],
            ),
            (&messaging("ca_file"), &[], &[]),
            (&storage(&format!("{pair}\nendpoint = {{ env = \"B2_KEY_ID\" }}")), &[], &[]),
            (
                &storage(&format!("{pair}\nendpoint = {{ env = \"MASTER_KEY\" }}")),
                &[],
                &[(
                    "`storage.x.endpoint` reads `MASTER_KEY`, which is named like a key",
                    "point `endpoint` at a value such as `https://s3.eu-central-005.example.com`",
                )],
            ),
            (&messaging("upload_method"), &[], &[]),
            // Whether two values are equal is not known.
            (
                &storage(&format!("{pair}\naccount_id = {{ env = \"C\" }}")),
                &[],
                &[(
                    "`storage.x` has a complete key pair, `application_key_id` and `application_key`, plus a stray `account_id`",
                    "remove `account_id`",
                )],
            ),
        ],
    );
}

#[test]
fn messages_about_ids_and_keys_without_pair() {
    let mixed = "[storage.x]\nmaster_application_key = { env = \"A\" }\napplication_key = { env = \"B\" }\n";
    let ids = "[storage.x]\naccount_id = { env = \"A\" }\napplication_key_id = { env = \"B\" }\n";
    let pair = "[storage.x]\napplication_key_id = { env = \"A\" }\napplication_key = { env = \"B\" }\n";
    let s3 = "endpoint = \"https://s3.us-west-005.backblazeb2.com\"\n";
    let both = "set `application_key_id` to the keyID shown on the console's page Application Keys";
    said(&[
        (
            mixed,
            &[("A", "of-no-known-form"), ("B", ACCOUNT)],
            &[(
                "`storage.x` has the master application key and its ID in fields that are not a pair",
                "rename `application_key` to `account_id`",
            )],
        ),
        (
            ids,
            &[("A", KEY), ("B", KEY)],
            &[("`application_key_id` and `account_id` of `storage.x` are not a key pair", both)],
        ),
        (
            ids,
            &[("A", ACCOUNT), ("B", ACCOUNT)],
            &[(
                "`application_key_id` and `account_id` of `storage.x` are not a key pair",
                "set `master_application_key` to the master application key, and remove `application_key_id`",
            )],
        ),
        (
            ids,
            &[("A", ID), ("B", OTHER_ID)],
            &[(
                "`application_key_id` and `account_id` of `storage.x` are not a key pair",
                "set `application_key` to the applicationKey shown when the key was created, and remove `account_id`",
            )],
        ),
        // The S3-compatible API takes one of the two pairs.
        (
            &format!("{pair}{s3}"),
            &[("A", KEY), ("B", ID)],
            &[("the ID and the key of `storage.x` are swapped", "swap the two: `application_key_id` takes")],
        ),
        (
            &format!("{pair}{s3}")
                .replace("application_key_id", "account_id")
                .replace("application_key ", "master_application_key "),
            &[("A", KEY), ("B", ID)],
            &[(
                "the ID and the key of `storage.x` are swapped and in the fields of another pair",
                "rename `master_application_key` to `application_key_id`, and rename `account_id` to `application_key`",
            )],
        ),
    ]);
}

#[test]
fn messages_about_values_in_wrong_fields() {
    let hook = "[messaging.x]\nbase_url = \"https://slack.com\"\nchannels = [\"C0123456789\"]\ntoken = { env = \"T\" }\nwebhook_url = { env = \"A\" }\n";
    let bot = "[app.x]\nbot_token = { env = \"A\" }\n";
    said(&[
        (
            &format!(
                "[storage.x]\napplication_key_id = \"{ID}\"\napplication_key = {{ env = \"A\" }}\nendpoint = \"{ID}\"\n"
            ),
            &[("A", KEY)],
            &[(
                "`storage.x.endpoint` holds a keyID",
                "it belongs in `application_key_id`; set `endpoint` to a value such as",
            )],
        ),
        (
            "[storage.x]\naccount_id = { env = \"A\" }\nmaster_application_key = { env = \"B\" }\n",
            &[("A", ACCOUNT), ("B", &format!("{ID}:{KEY}"))],
            &[(
                "`storage.x.master_application_key` holds a keyID and a key, joined by a colon",
                "put the part before the colon into the ID field",
            )],
        ),
        (
            &format!("[storage.x]\napplication_key_id = \"{ID}\"\napplication_key = {{ env = \"A\" }}\n"),
            &[("A", "of-no-known-form")],
            &[(
                "`storage.x.application_key` does not look like any key that Backblaze B2 issues",
                "not to the name of the key",
            )],
        ),
        (
            hook,
            &[("T", TOKEN), ("A", "of-no-known-form")],
            &[(
                "`messaging.x.webhook_url` does not look like any webhook URL that Slack issues",
                "which begins with `https://hooks.slack.com/services/`",
            )],
        ),
        (
            "[app.x]\nbot_token = { env = \"A\" }\napp_token = { env = \"B\" }\nsigning_secret = { env = \"C\" }\n",
            &[("A", "of-no-known-form"), ("B", "of-none-either"), ("C", TOKEN)],
            &[
                ("`app.x.bot_token` does not look like any token that Slack issues", "which begins with `xoxb-`"),
                ("`app.x.app_token` does not look like any token that Slack issues", "which begins with `xapp-`"),
                ("`app.x.signing_secret` holds a bot token", "(32 hex digits) under Basic Information of the app"),
            ],
        ),
        (
            hook,
            &[("T", HOOK), ("A", TOKEN)],
            &[(
                "`token` of `messaging.x` is a webhook URL, not a token",
                "swap the two: `token` takes the access token, and `webhook_url` takes the URL",
            )],
        ),
        // One mistake explains two fields, but not a third one.
        (
            &format!("{hook}workspace = \"{TOKEN}\"\n"),
            &[("T", HOOK), ("A", TOKEN)],
            &[
                (
                    "`messaging.x.workspace` holds a bot token",
                    "it belongs in `token`; set `workspace` to a value such as",
                ),
                ("`token` of `messaging.x` is a webhook URL, not a token", "swap the two"),
            ],
        ),
        (
            hook,
            &[("T", HOOK), ("A", KEY)],
            &[
                ("`token` of `messaging.x` is a webhook URL, not a token", "move the URL to `webhook_url`"),
                (
                    "`messaging.x.webhook_url` holds an application key",
                    "set `webhook_url` to the URL of an incoming webhook",
                ),
            ],
        ),
        (
            &format!("{hook}workspace = \"c0123456789\"\n"),
            &[("T", TOKEN), ("A", HOOK)],
            &[(
                "the `workspace` of `messaging.x` is a name, not a workspace ID",
                "set `workspace` to the ID that begins with",
            )],
        ),
        (
            &hook
                .replace("\"C0123456789\"", "\"#general\"")
                .replace("webhook_url = { env = \"A\" }", "upload_method = \"files.upload\""),
            &[("T", TOKEN)],
            &[
                ("`messaging.x` lists a channel by name, not by ID", "use the channel ID"),
                ("`messaging.x` uses `files.upload`, which Slack has retired", "set `upload_method` to `external`"),
            ],
        ),
        // A webhook is one with a password, too.
        (
            &format!(
                "[storage.x]\napplication_key_id = \"{ID}\"\napplication_key = {{ env = \"A\" }}\nendpoint = \"{}\"\n",
                HOOK.replacen("//", "//u:p@", 1)
            ),
            &[("A", KEY)],
            &[("the `endpoint` of `storage.x` is a webhook URL", "set `endpoint` to the address of the API")],
        ),
        (
            bot,
            &[("A", "xoxb-")],
            &[("`app.x.bot_token` holds the beginning of a credential alone", "what fills in the rest had none")],
        ),
        (
            bot,
            &[("A", HOOK)],
            &[("`bot_token` of `app.x` is a webhook URL, not a token", "set `bot_token` to the token itself")],
        ),
        (
            bot,
            &[("A", &HOOK["https://".len()..])],
            &[("`bot_token` of `app.x` is a webhook URL, not a token", "set `bot_token` to the token itself")],
        ),
        (
            bot,
            &[("A", &HOOK["https://hooks.slack.com".len()..])],
            &[("`bot_token` of `app.x` is part of a webhook URL, not a token", "set `bot_token` to the token itself")],
        ),
    ]);
}

/// In a table, an unknown rule is an unknown field; in a comment, the allow says it.
#[test]
fn messages_about_allows_for_unknown_rules() {
    let missing = ("`storage.x` has no credentials", "set `application_key_id` and `application_key`");
    said(&[
        (
            "[storage.x]\n[[lint.allow]]\nrule = \"no-chanels\"\nreason = \"x\"\nprofile = \"storage.x\"\n",
            &[],
            &[missing, ("unknown rule `no-chanels` in `lint.allow`", "did you mean `no-channels`?")],
        ),
        (
            "[storage.x] # credlint: allow(no-chanels) reason\n",
            &[],
            &[missing, ("this allow for `no-chanels` matches no finding", "unknown rule; did you mean `no-channels`?")],
        ),
        // The words of an id name the rule whose page has them in a heading, whatever id is spelt alike.
        (
            "[storage.x]\n[lint.levels]\nswapped-key-pair = \"off\"\n",
            &[],
            &[missing, ("unknown rule `swapped-key-pair` in `lint.levels`", "did you mean `wrong-credential`?")],
        ),
    ]);
    for (id, rule) in [
        ("cluster-mismatch", "mixed-credentials"),
        ("mixed-key-values", "mixed-credentials"),
        ("malformed-bucket", "malformed-address"),
        ("missing-base-url", "malformed-address"),
        ("channel-name", "malformed-channel"),
        ("duplicate-channel", "malformed-channel"),
        ("expiring-token", "literal-secret"),
        ("webhook-as-token", "wrong-credential"),
        ("not-a-key-id", "wrong-credential"),
        ("application-key-as-master-key", "wrong-credential"),
    ] {
        let run = Project::new().file("credlint.toml", "[storage.x]\n").run(&["check", "-A", id]);
        let meant = format!("did you mean `{rule}`?");
        assert!(run.code == 2 && run.stderr.contains(&meant), "{id}: {}", run.stderr);
    }
}

/// Only an ID names a channel in the newer method, and at the hosted service.
#[test]
fn messages_about_channels_by_name() {
    for (host, method, severity) in [
        ("slack.com", "files.upload", "error"),
        ("slack.com", "external", "error"),
        ("chat.example.com", "external", "error"),
        ("chat.example.com", "files.upload", "warning"),
    ] {
        let text = format!(
            "[messaging.x]\nbase_url = \"https://{host}\"\nchannels = [\"#general\"]\ntoken = {{ env = \"T\" }}\nupload_method = \"{method}\"\n"
        );
        let (_, document) = Project::new().file("credlint.toml", text).env("T", TOKEN).check(&[]);
        let finding = &document["findings"][0];
        assert_eq!(
            (&finding["rule"], &finding["severity"]),
            (&"malformed-channel".into(), &severity.into()),
            "{document}"
        );
    }
}

#[test]
fn messages_about_malformed_values() {
    let hook = "[messaging.x]\nbase_url = \"https://chat.example.com\"\nchannels = [\"C0123456789\"]\ntoken = { env = \"T\" }\nwebhook_url = { env = \"A\" }\n";
    let token =
        "[messaging.x]\nbase_url = \"https://slack.com\"\nchannels = [\"C0123456789\"]\ntoken = { env = \"A\" }\n";
    said(&[
        (
            hook,
            &[("T", TOKEN), ("A", &HOOK["https://".len()..])],
            &[("`messaging.x.webhook_url` has no `https://` before it", "with its scheme")],
        ),
        (
            hook,
            &[("T", TOKEN), ("A", &HOOK["https://hooks.slack.com".len()..])],
            &[(
                "`messaging.x.webhook_url` is only part of a webhook URL",
                "set `webhook_url` to the whole URL, which begins with `https://hooks.slack.com/services/`",
            )],
        ),
        (
            token,
            &[("A", &TOKEN.to_uppercase())],
            &[("`messaging.x.token` has the wrong case: credentials are case-sensitive", "spreadsheets and forms")],
        ),
        (
            token,
            // More than is looked into.
            &[("A", &format!("Bearer {}", "of-no-known-form".repeat(500)))],
            &[("`messaging.x.token` begins with `Bearer `", "credlint adds it to the header itself")],
        ),
        (
            token,
            &[("A", "aB cDeFgH12aB cDeFgH12")],
            &[("`messaging.x.token` is repeated twice in a row", "set `token` to the value alone, once")],
        ),
        (
            "[storage.x]\napplication_key_id = { env = \"A\" }\napplication_key = { env = \"B\" }\n",
            &[("A", ID), ("B", "K005aBcDeFgHiJkLmNoPqRsTuVwXy")],
            &[(
                "`storage.x.application_key` begins like a known credential but has the wrong length",
                "part of it is missing, or something was pasted twice",
            )],
        ),
        (token, &[("A", "xoxb-1-a")], &[("`messaging.x.token` is too short to be a token", "part of it is missing")]),
    ]);
}

/// Of variables that other programs read.
#[test]
fn messages_about_values_under_foreign_names() {
    let joined = format!("B2_APPLICATION_KEY={ID}:{KEY}\n");
    let holds = "`B2_APPLICATION_KEY` holds a keyID and a key, joined by a colon";
    said_by(
        ".env",
        &[".env"],
        &[
            (&joined, &[], &[(holds, "put the part before the colon into the ID field")]),
            (&format!("B2_APPLICATION_KEY_ID={ID}\n{joined}"), &[], &[(holds, "the part after it into the key field")]),
            (
                &format!("SLACK_BOT_TOKEN={}\n", &HOOK["https://hooks.slack.com".len()..]),
                &[],
                &[(
                    "`SLACK_BOT_TOKEN` is part of a webhook URL, not a token",
                    "set `SLACK_BOT_TOKEN` to the Bot User OAuth Token, and put the URL under a name of its own",
                )],
            ),
            (
                "GITHUB_TOKEN=ghp_aB3dE5gH7j\n",
                &[],
                &[("`GITHUB_TOKEN` begins like a known credential, and is too short for one", "part of it is missing")],
            ),
            // Some programs are made for session tokens, and a list of channels may be of another service.
            (&format!("SLACK_TOKEN={}\n", TOKEN.replace("xoxb", "xoxs")), &[], &[]),
            (&format!("SLACK_BOT_TOKEN={TOKEN}\nSLACK_CHANNEL_ID={KEY}\n"), &[], &[]),
        ],
    );
    // Only a note, unless another part of a pair is set.
    let severity = |text: &str| Project::new().file(".env", text).check(&[".env"]).1["findings"][0]["severity"].clone();
    assert_eq!(
        [&joined, &format!("B2_APPLICATION_KEY_ID={ID}\n{joined}")].map(|text| severity(text)),
        ["note", "error"]
    );
}

#[test]
fn messages_about_references_in_environment() {
    for (value, message, help) in [
        (
            "op://vault/item/field", "a 1Password reference, not the value itself",
            "let 1Password resolve it before the command starts",
        ),
        (
            "ENC[AES256_GCM,data:abcd,iv:xx,tag:yy,type:str]", "a value that is still encrypted with SOPS",
            "decrypt it with SOPS before `SLACK_BOT_TOKEN` is set",
        ),
        ("/run/secrets/token", "a file path, not the content of the file", "or use the variable that takes a path"),
        ("{{ slack_token }}", "a template that was not rendered", "render the template that sets `SLACK_BOT_TOKEN`"),
        ("${TOKEN}", "an unexpanded shell variable", "nothing expands it here"),
    ] {
        let message = format!("`SLACK_BOT_TOKEN` holds {message}");
        said_by("none.txt", &["--environment"], &[("", &[("SLACK_BOT_TOKEN", value)], &[(&message, help)])]);
    }
    // Where the reader is not known, it may expand what is nothing else.
    said_by("none.txt", &["--environment"], &[("", &[("APP_PASSWORD", "op://vault/item/field")], &[])]);
    // A reference in a variable is not expanded, although Spring expands addresses in files.
    let (_, document) = Project::new().env("DATABASE_URL", "op://vault/item/field").check(&["--environment"]);
    assert_eq!(document["findings"][0]["severity"], "error");
}

/// What starts the process has not replaced them, and what reads the file may.
#[test]
fn references_by_scheme_are_expanded_in_files_only() {
    for (value, message, severity) in [
        ("env://SLACK", "a variable name, not its value", "error"),
        ("azure://vault/secret", "an Azure Key Vault reference, not the value itself", "error"),
        ("berglas://bucket/secret", "a Berglas reference, not the value itself", "error"),
        ("file:///run/secrets/x", "a file path, not the content of the file", "note"),
    ] {
        let (_, document) = Project::new().env("SLACK_BOT_TOKEN", value).check(&["--environment"]);
        let findings = document["findings"].as_array().unwrap();
        assert_eq!(findings.len(), 1, "{document}");
        assert_eq!(findings[0]["rule"], "unexpanded-reference", "{document}");
        assert_eq!(findings[0]["message"], format!("`SLACK_BOT_TOKEN` holds {message}"));
        assert_eq!(findings[0]["severity"], severity, "{document}");
        for (file, text) in [
            (".env", "SLACK_BOT_TOKEN=§\n"),
            ("a.sh", "export SLACK_BOT_TOKEN=§\n"),
            ("a.yaml", "slack_bot_token: §\n"),
            ("a.json", "{\"slack_bot_token\": \"§\"}"),
            ("compose.yaml", "services:\n  a:\n    environment:\n      SLACK_BOT_TOKEN: §\n"),
            ("secret.yaml", "kind: Secret\nstringData:\n  SLACK_BOT_TOKEN: §\n"),
        ] {
            assert_eq!(Project::new().file(file, text.replace('§', value)).rules(&[file]), [""; 0], "{file}");
        }
    }
}

/// A random password may have the first letter of an ID, whose letters are all capitals.
#[test]
fn password_with_a_line_break_does_not_have_the_wrong_case() {
    let (mut project, mut values) = (Project::new(), 0);
    for first in ['T', 'C', 'G', 'D', 't', 'c', 'g', 'd'] {
        for rest in ["k8Qw2Zx9Lm4R", "K8QW2ZX9LM4R", "k8qw2zx9lm4r", "k8Qw2Zx9Lm4Rt7Yb1Nc5Vd3H"] {
            for end in ["\n", "\r\n", " ", ""] {
                values += usize::from(!end.is_empty());
                project = project.env(&format!("A{values}{}_PASSWORD", end.len()), format!("{first}{rest}{end}"));
            }
        }
    }
    let (_, document) = project.check(&["--environment"]);
    let findings = document["findings"].as_array().unwrap();
    assert_eq!(findings.len(), values);
    for finding in findings {
        let message = finding["message"].as_str().unwrap();
        assert!(message.ends_with("a space or a line break") || message.ends_with("a carriage return"), "{message}");
    }
    let warnings = findings.iter().filter(|finding| finding["severity"] == "warning").count();
    assert_eq!(warnings * 3, values * 2, "a space may be part of a password");
}

/// In a workflow, the value itself would be there for everybody to read.
#[test]
fn messages_about_references_in_workflows() {
    let step = "jobs:\n  a:\n    steps:\n      - uses: slackapi/slack-github-action@v2\n        with:\n          token: SLACK_BOT_TOKEN\n";
    let help = "set `token` to `${{ secrets.NAME }}`: a workflow expands nothing else";
    let name = ".github/workflows/notify.yml";
    said_by(
        name,
        &[name],
        &[
            (step, &[], &[("`token` holds a variable name, not its value", help)]),
            (&step.replace(": SLACK", ": $SLACK"), &[], &[("`token` holds an unexpanded shell variable", help)]),
            (
                &step.replace("SLACK_BOT_TOKEN", "secrets.TOKEN"),
                &[],
                &[("`token` holds an unexpanded workflow expression", help)],
            ),
            (&step.replace("SLACK_BOT_TOKEN", "${{ secrets.TOKEN }}"), &[], &[]),
            (
                &step.replace("SLACK_BOT_TOKEN", "/run/secrets/token"),
                &[],
                &[("`token` holds a file path, not the content of the file", help)],
            ),
        ],
    );
}
