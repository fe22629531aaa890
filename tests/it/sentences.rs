//! What a rule says where a part of its condition makes the difference: the sentence, the advice and the exit code of `check`.

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

/// Compares what is said of each table.
fn said(rows: &[Row<'_>]) {
    for (text, values, wanted) in rows {
        let project = Project::new().file("credlint.toml", text);
        let project = values.iter().fold(project, |project, (name, value)| project.env(name, *value));
        let (_, document) = project.check(&[]);
        let findings = document["findings"].as_array().unwrap();
        let found: Vec<_> = findings.iter().map(|one| one["message"].as_str().unwrap()).collect();
        assert_eq!(found, wanted.iter().map(|(message, _)| *message).collect::<Vec<_>>(), "{text}");
        for (finding, (_, help)) in findings.iter().zip(*wanted) {
            assert!(finding["help"].as_str().unwrap().contains(help), "{text}: {finding}");
        }
    }
}

#[test]
fn of_names_that_cross() {
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
        (
            "[storage.x]\naccount_id = { env = \"X\" }\nmaster_application_key = { env = \"B2_KEY_ID\" }\n",
            &[("X", "of-no-known-form"), ("B2_KEY_ID", "of-none-either")],
            &[(
                "`storage.x.master_application_key` reads `B2_KEY_ID`, which is named like a keyID",
                "point `master_application_key` at the master application key",
            )],
        ),
        // Only one of the two is crossed, so the environments they are named for do not matter.
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

#[test]
fn of_halves_that_make_no_pair() {
    let mixed = "[storage.x]\nmaster_application_key = { env = \"A\" }\napplication_key = { env = \"B\" }\n";
    let ids = "[storage.x]\naccount_id = { env = \"A\" }\napplication_key_id = { env = \"B\" }\n";
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
            &[("`application_key_id` and `account_id` of `storage.x` hold the same value", both)],
        ),
        (
            ids,
            &[("A", ACCOUNT), ("B", ACCOUNT)],
            &[(
                "`application_key_id` and `account_id` of `storage.x` hold the same value",
                "remove `application_key_id` and add `master_application_key`",
            )],
        ),
        (ids, &[("A", ID), ("B", OTHER_ID)], &[("`storage.x` has two IDs but no key", both)]),
    ]);
}

#[test]
fn of_values_in_fields_of_other_uses() {
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

#[test]
fn of_malformed_values() {
    let hook = format!(
        "[messaging.x]\nbase_url = \"https://chat.example.com\"\nchannels = [\"C0123456789\"]\ntoken = {{ env = \"T\" }}\nwebhook_url = {{ env = \"A\" }}\n"
    );
    let token =
        "[messaging.x]\nbase_url = \"https://slack.com\"\nchannels = [\"C0123456789\"]\ntoken = { env = \"A\" }\n";
    said(&[
        (
            &hook,
            &[("T", TOKEN), ("A", &HOOK["https://".len()..])],
            &[("`messaging.x.webhook_url` has no `https://` before it", "with its scheme")],
        ),
        (
            &hook,
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
        (token, &[("A", "xoxb-1-a")], &[("`messaging.x.token` is too short to be a token", "part of it is missing")]),
    ]);
}
