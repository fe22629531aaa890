//! `check` as people run it: one mistake, one finding, at the right place, with the right exit code.

use serde_json::json;

use crate::harness::{Project, Run};

const TOKEN: &str = "xoxb-0000000000-0000000000-abcdefghijkl";

fn reports(extra: &str) -> String {
    format!("[messaging.reports]\nbase_url = \"https://chat.example.com\"\nchannels = [\"C0123456789\"]\n{extra}\n")
}

#[test]
fn a_configuration_without_findings_exits_0() {
    let run = Project::new().file("credlint.toml", reports("token = { env = \"T\" }")).env("T", TOKEN).run(&["check"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "1 profile checked: every credential fits\n"));
    assert_eq!(run.stderr, "read: credlint.toml\n");
}

#[test]
fn each_mistake_gives_one_finding() {
    let storage = |fields: &str| format!("[storage.x]\n{fields}\n");
    let app = |fields: &str| format!("[app.x]\n{fields}\n");
    let (i, k, a) = (
        "application_key_id = \"0051a2b3c4d5e6f0000000001\"", "application_key = { env = \"V\" }",
        "account_id = \"1a2b3c4d5e6f\"",
    );
    let w = "application_key = { env = \"W\" }";
    for (text, rule) in [
        (reports("webhook_url = { env = \"HOOK\" }"), "webhook-without-token"),
        (reports(""), "missing-token"),
        (reports("token = { env = \"HOOK\" }"), "wrong-credential"),
        (reports("token = { env = \"BEARER\" }"), "malformed-credential"),
        (reports("token = { env = \"NEWLINE\" }"), "malformed-credential"),
        (reports("token = { env = \"EMPTY\" }"), "empty-credential"),
        (reports("token = { env = \"EMPTY\" }\nwebhook_url = { env = \"HOOK\" }"), "empty-credential"),
        (reports("token = { env = \"PLACEHOLDER\" }"), "placeholder-credential"),
        (reports("token = { env = \"NOT_SET\" }"), "unresolved-reference"),
        (reports("token = { file = \"none.txt\" }"), "unresolved-reference"),
        (reports("token = { env = \"T\", file = \"x\" }"), "conflicting-reference"),
        (reports("token = 17"), "wrong-type"),
        (reports("token = {}"), "wrong-type"),
        (reports("token = { env = 3 }"), "wrong-type"),
        (reports("token = [\"x\"]"), "wrong-type"),
        (reports("token = { env = \"T\" }\nupload_method = \"ftp\""), "wrong-type"),
        (reports("tokn = { env = \"T\" }"), "unknown-field"),
        (reports("token = { env = \"T\" }\ncolour = \"red\""), "unknown-field"),
        (reports("token = { env = \"T\", vault = \"x\" }"), "unknown-field"),
        (reports("token = { vault = \"x\" }"), "unknown-field"),
        (reports("token = { env = \"T\" }") + "[mesaging.other]\ntoken = 1\n", "unknown-field"),
        (reports("token = { env = \"T\" }") + "[lint]\nfail_at = 1\n", "unknown-field"),
        ("messaging = 3\n".to_owned(), "wrong-type"),
        ("[messaging]\nreports = 3\n".to_owned(), "wrong-type"),
        (storage(k), "incomplete-key-pair"),
        (storage("aplication_key = { env = \"T\" }"), "unknown-field"),
        (storage(&format!("{k}\n{a}")), "mixed-key-pair"),
        (storage(&format!("{i}\napplication_key = {{ env = \"EMPTY\" }}")), "empty-credential"),
        (storage("bucket = \"nightly\""), "missing-key-pair"),
        (storage(""), "missing-key-pair"),
        (storage(&format!("{i}\n{k}\n{a}")), "two-key-pairs"),
        (storage(&format!("{i}\n{k}\nendpoint = \"http://user:pw@s3.example.com\"")), "malformed-address"),
        (storage(&format!("{i}\n{k}\napi_url = \"http://user:pw@s3.example.com\"")), "malformed-address"),
        (reports("bot_token = { env = \"T\" }"), "unknown-field"),
        (storage(&format!("{k}\naccessKeyId = \"x\"")), "unknown-field"),
        (storage(&format!("{a}\nkey = {{ env = \"V\" }}")), "unknown-field"),
        (reports("token = { env = \"MY_WEBHOOK_URL\" }"), "crossed-reference"),
        (storage(&format!("{i}\n{w}\napi_url = \"https://f001.backblazeb2.com\"")), "malformed-address"),
        (storage(&format!("{i}\n{w}\nbucket = \"nightly.example.com\"")), "malformed-address"),
        (
            reports("token = { env = \"T\" }").replace("https://chat.example.com", "https://app.slack.com"),
            "malformed-address",
        ),
        (
            reports("token = { env = \"T\" }\nworkspace = \"myteam\"").replace("chat.example.com", "slack.com"),
            "malformed-address",
        ),
        (reports("token = { env = \"APP\" }"), "wrong-credential"),
        (reports("token = { env = \"APP\" }\nwebhook_url = { env = \"HOOK\" }"), "wrong-credential"),
        (reports("token = { env = \"APP_PADDED\" }"), "malformed-credential"),
        (reports("token = { env = \"APP_BEARER\" }"), "malformed-credential"),
        (
            reports("token = { env = \"T\" }\nupload_method = \"files.upload\"")
                .replace("chat.example.com", "example.slack.com"),
            "retired-upload-method",
        ),
        (app("bot_token = { env = \"APP\" }\napp_token = { env = \"T\" }"), "wrong-credential"),
        (app("bot_token = { env = \"HEX\" }\nsigning_secret = { env = \"T\" }"), "wrong-credential"),
        (app("app_token = { env = \"T\" }"), "wrong-credential"),
        (app(""), "missing-token"),
        (app("bot_token = { env = \"EMPTY\" }"), "empty-credential"),
        (app("bot_token = { env = \"NOT_SET\" }"), "unresolved-reference"),
        (app("bot_token = { env = \"HOOK\" }"), "wrong-credential"),
        (app("bot_tokn = { env = \"T\" }"), "unknown-field"),
        (app("bot_token = { env = \"T\" }\napi_url = \"https://slack.com/api\""), "malformed-address"),
        (app("bot_token = { env = \"T\" }\napi_url = \"http://slack.com\""), "insecure-base-url"),
    ] {
        let project = Project::new()
            .file("credlint.toml", &text)
            .env("HEX", "0123456789abcdef0123456789abcdef")
            .env("T", TOKEN)
            .env("V", "of-no-known-form")
            .env("MY_WEBHOOK_URL", "of-no-known-form")
            .env("W", "K005abcdefghijklmnopqrstuvwxyz1")
            .env("HOOK", "https://hooks.example.com/services/T0/B0/x")
            .env("BEARER", format!("Bearer {TOKEN}"))
            .env("EMPTY", "")
            .env("PLACEHOLDER", "<your token>")
            .env("NEWLINE", format!("{TOKEN}\n"))
            .env("APP", "xapp-1-A0000000000-0000000000-abcdefghijkl")
            .env("APP_PADDED", "xapp-1-A0000000000-0000000000-abcdefghijkl ")
            .env("APP_BEARER", "Bearer xapp-1-A0000000000-0000000000-abcdefghijkl");
        assert_eq!(project.rules(&[]), [rule], "{text}");
        let code = project.run(&["check", "--fail-on", "warning"]).code;
        assert_eq!(code, 1, "{text}");
    }
}

/// Several rules could report one value. Only one does, unless fixing its finding would leave the other mistake.
#[test]
fn overlapping_rules_report_one_finding_per_mistake() {
    let messaging = |fields: &str| format!("[messaging.r]\n{fields}\n");
    let at = |url: &str, rest: &str| {
        format!(
            "[messaging.r]\ntoken = {{ env = \"T\" }}\nbase_url = \"{url}\"\nchannels = [\"C0123456789\"]\n{rest}\n"
        )
    };
    let to = |channels: &str| {
        format!("[messaging.r]\ntoken = {{ env = \"T\" }}\nbase_url = \"https://h.example\"\nchannels = {channels}\n")
    };
    let pair = |id: &str, key: &str| {
        format!("[storage.x]\napplication_key_id = {{ env = \"{id}\" }}\napplication_key = {{ env = \"{key}\" }}\n")
    };
    let retired = "upload_method = \"files.upload\"";
    for (text, rules) in [
        // The address.
        (at("http://u:p@h.example/api", ""), &["malformed-address"][..]),
        (at("ftp://h.example/api", ""), &["malformed-address"]),
        (at("changeme", ""), &["malformed-address"]),
        (at("", ""), &["malformed-address"]),
        (at("http://h.example/api", ""), &["malformed-address", "insecure-base-url"]),
        (at("https://slack.com/api", retired), &["malformed-address", "retired-upload-method"]),
        (at("http://slack.com", retired), &["insecure-base-url", "retired-upload-method"]),
        (at("https://api.slack.com/api", ""), &["malformed-address"]),
        (at("https://slack.com/api/files.upload", ""), &["malformed-address"]),
        (at("https://slack.com/api/chat.postMessage", ""), &["malformed-address"]),
        (at("https://discord.com/api/webhooks/0/abcdef?wait=true", ""), &["malformed-address"]),
        (at("${BASE_URL}", ""), &["unexpanded-reference"]),
        (at("https://slack.com", "workspace = \"xoxb-0000000000-0000000000-abcdefghijkl\""), &["foreign-credential"]),
        (at("https://slack.com", "workspace = { env = \"NOT_SET\" }"), &["unresolved-reference"]),
        (at("https://slack.com", "workspace = \"${TEAM_ID}\""), &["unexpanded-reference"]),
        (
            at("https://slack.com", "").replace("C0123456789", "xoxb-0000000000-0000000000-abcdefghijkl"),
            &["foreign-credential"],
        ),
        (at("https://slack.com", "").replace("C0123456789", "${CHANNEL_ID}"), &["unexpanded-reference"]),
        // The channels.
        (to("[\"\"]"), &["malformed-channel"]),
        (to("[\"#a b\"]"), &["malformed-channel"]),
        (to("[\"a b\", \"a b\"]"), &["malformed-channel", "malformed-channel"]),
        (to("[]"), &["no-channels"]),
        (to("{ env = \"EMPTY\" }"), &["no-channels"]),
        (to("[{ env = \"NOT_SET\" }]"), &["unresolved-reference"]),
        (to("[\"#a\", \"#a\"]"), &["malformed-channel", "malformed-channel", "malformed-channel"]),
        // The token.
        (reports("token = { env = \"BEARER_HOOK\" }"), &["malformed-credential"]),
        (reports("token = { env = \"CHANGE\" }\nwebhook_url = { env = \"HOOK\" }"), &["placeholder-credential"]),
        (reports("token = { env = \"HOOK\" }\nwebhook_url = { env = \"T\" }"), &["wrong-credential"]),
        (reports("webhook_url = { env = \"EMPTY\" }"), &["empty-credential"]),
        (reports("webhook_url = { env = \"NOT_SET\" }"), &["webhook-without-token", "unresolved-reference"]),
        (reports("webhook_url = { env = \"CHANGE\" }"), &["webhook-without-token", "placeholder-credential"]),
        // A key is never a webhook, on any server.
        (reports("token = { env = \"T\" }\nwebhook_url = { env = \"KEY\" }"), &["foreign-credential"]),
        (reports("token = \"changeme\""), &["placeholder-credential"]),
        (reports("token = \"\""), &["empty-credential"]),
        (reports("token = \"Bearer x-1\""), &["malformed-credential", "literal-secret"]),
        (reports("token = \"xapp-1-A0-0-abc\""), &["wrong-credential", "literal-secret"]),
        (
            messaging("chanels = [\"C1\"]\nbase_url = \"https://h.example\"\ntoken = { env = \"T\" }"),
            &["unknown-field"],
        ),
        // The pair.
        (pair("CHANGE", "KEY"), &["placeholder-credential"]),
        (pair("ID", "KEY") + "bucket = \"K005abcdefghijklmnopqrstuvwxyz1\"\n", &["foreign-credential"]),
        (pair("ID", "KEY") + "bucket = \"{{ bucket }}\"\n", &["unexpanded-reference"]),
        (pair("ID", "KEY") + "bucket = { env = \"NOT_SET\" }\n", &["unresolved-reference"]),
        (pair("ID", "KEY") + "endpoint = \"https://f001.backblazeb2.com\"\n", &[]),
        (pair("ID", "KEY") + "endpoint = \"https://discord.com/api/webhooks/0/abcdef\"\n", &["malformed-address"]),
        (pair("ID", "CHANGE"), &["placeholder-credential"]),
        (pair("ONES", "KEY"), &["mixed-credentials"]),
        (pair("BUCKET", "KEY"), &["wrong-credential"]),
        (pair("KEY", "KEY"), &["wrong-credential"]),
        (pair("ID", "ID"), &["wrong-credential"]),
        (pair("ID", "PADDED"), &["malformed-credential"]),
        (pair("PADDED", "KEY"), &["malformed-credential"]),
        (pair("NOT_SET", "KEY"), &["unresolved-reference"]),
        (pair("EMPTY", "KEY"), &["empty-credential"]),
        (pair("EMPTY", "KEY").replace("application_key_id", "account_id"), &["empty-credential"]),
        (pair("BUCKET", "KEY").replace("application_key_id", "account_id"), &["mixed-key-pair"]),
        (
            pair("CHANGE", "KEY").replace("application_key_id", "account_id"),
            &["mixed-key-pair", "placeholder-credential"],
        ),
        (pair("ID", "KEY").replace("application_key =", "aplication_key ="), &["unknown-field"]),
        (pair("ID", "KEY") + "account_id = { env = \"EMPTY\" }\n", &["empty-credential"]),
        (pair("ID", "KEY") + "account_id = { env = \"CHANGE\" }\n", &["two-key-pairs", "placeholder-credential"]),
        (pair("ID", "KEY") + "endpoint = \"https://s3.us-west-004.backblazeb2.com\"\n", &["mixed-credentials"]),
        (pair("ONES", "KEY") + "endpoint = \"https://s3.us-west-004.backblazeb2.com\"\n", &["mixed-credentials"]),
    ] {
        let project = [
            ("T", TOKEN),
            ("HOOK", "https://hooks.example.com/services/T0/B0/x"),
            ("BEARER_HOOK", "Bearer https://hooks.example.com/services/T0/B0/x"),
            ("EMPTY", ""),
            ("CHANGE", "changeme"),
            ("ID", "0051a2b3c4d5e6f0000000001"),
            ("KEY", "K005abcdefghijklmnopqrstuvwxyz1"),
            ("PADDED", " K005abcdefghijklmnopqrstuvwxyz1"),
            ("ONES", "111111111111"),
            ("BUCKET", "85644d98debc657d880b0e1e"),
        ]
        .iter()
        .fold(Project::new().file("credlint.toml", &text), |project, (name, value)| project.env(name, *value));
        assert_eq!(project.rules(&[]), rules, "{text}");
    }
}

/// The wrapping of a token is described in words, because the value is not shown.
#[test]
fn each_wrapping_of_a_token_has_its_own_sentence() {
    let token = "xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx";
    let hex: String = token.bytes().map(|byte| format!("{byte:02x}")).collect();
    for (value, sentence) in [
        (format!("\"{token}\""), "has quotes around it that are part of the value"),
        (format!("\"{token}"), "begins or ends with a quote that is part of the value"),
        (format!("`{token}`"), "has backticks or typographic quotes around it"),
        (format!("<{token}>"), "has brackets around it"),
        (format!("export TOKEN={token}"), "is a whole assignment (`NAME=value`)"),
        (format!("x={token}"), "has a name before it"),
        (format!("Bearer {token}"), "begins with part of a header, such as `Bearer` or `Authorization:`"),
        (format!("{{\"a\":\"{token}\"}}"), "is a JSON document"),
        (format!("{token},"), "ends with punctuation that is not part of it"),
        (format!("${token}"), "begins with a `$` that is not part of it"),
        (format!("{token}\\n"), "ends with a literal escape sequence such as `\\n`"),
        (token.replacen("b-1", "b-\u{200b}1", 1), "contains an invisible character"),
        (token.replace('-', "%2D"), "is percent-encoded"),
        (crate::search::base64(token.as_bytes()), "is base64-encoded"),
        (hex, "is hex-encoded"),
        (format!("{token} {token}"), "holds several credentials"),
        (format!("{token}{token}"), "is repeated twice in a row"),
    ] {
        let project = Project::new().file("credlint.toml", "[app.x]\nbot_token = { env = \"T\" }\n").env("T", &value);
        let (_, document) = project.check(&[]);
        assert_eq!(document["findings"][0]["message"], format!("`app.x.bot_token` {sentence}"), "{document}");
    }
}

/// The whole table of pairs, as the service describes them: one pair fits, all others don't.
#[test]
fn every_combination_of_key_pair_fields() {
    let fields = ["application_key_id", "application_key", "account_id", "master_application_key"];
    for set in 0..16_u8 {
        let present: Vec<bool> = (0..4).map(|bit| set & (1 << bit) != 0).collect();
        let text: String = fields
            .iter()
            .zip(&present)
            .filter(|(_, present)| **present)
            .map(|(field, _)| format!("{field} = {{ env = \"V_{field}\" }}\n"))
            .collect();
        let project = Project::new().file("credlint.toml", format!("[storage.x]\n{text}"));
        let set = |project: Project, field: &&str| project.env(&format!("V_{field}"), "of-no-known-form");
        let rules = fields.iter().fold(project, set).rules(&[]);
        let whole = [present[0] && present[1], present[2] && present[3]];
        let expected = match (present.iter().filter(|present| **present).count(), whole) {
            (2, [true, false] | [false, true]) => vec![],
            (0, _) => vec!["missing-key-pair"],
            (_, [false, false]) if (present[1] && present[2]) || (present[0] && present[3]) => vec!["mixed-key-pair"],
            (_, [false, false]) => vec!["incomplete-key-pair"],
            _ => vec!["two-key-pairs"],
        };
        assert_eq!(rules, expected, "{text}");
    }
}

/// Every form of an ID with every form of a key, under the names of either pair: at most one finding, and none if a
/// form is not known for certain.
#[test]
fn every_combination_of_id_and_key_formats() {
    const SWAPPED: &[&str] = &["wrong-credential"];
    const MIXED: &[&str] = &["mixed-credentials"];
    const NOT_AN_ID: &[&str] = &["wrong-credential"];
    const MALFORMED: &[&str] = &["malformed-credential"];
    const PLACEHOLDER: &[&str] = &["placeholder-credential"];
    const CLUSTER: &[&str] = &["mixed-credentials"];
    const APPLICATION_AS_MASTER: &[&str] = &["wrong-credential"];
    const UNRECOGNISED: &[&str] = &["unrecognised-credential"];
    const NONE: &[&str] = &[];
    let (account, id, master_id) = ("1a2b3c4d5e6f", "0051a2b3c4d5e6f0000000001", "0051a2b3c4d5e6f0000000000");
    let (key, master) = ("K005abcdefghijklmnopqrstuvwxyz1", "0050123456789abcdef0123456789abcdef0123456");
    // The newer and the older form, which are undocumented or were seen only once.
    let (other_key, legacy, bucket) =
        ("K003abcdefghijklmnopqrstuvwxyz1", "N2Zug0evLcHDlh_L0Z0AJhiGGdY", "85644d98debc657d880b0e1e");
    let master_as_application: &[&str] = &["wrong-credential"];
    for (one, other, application, root) in [
        (account, key, MIXED, MIXED),
        (account, master, master_as_application, NONE),
        (account, legacy, NONE, NONE),
        (account, account, SWAPPED, SWAPPED),
        (account, id, SWAPPED, SWAPPED),
        (id, key, NONE, APPLICATION_AS_MASTER),
        (id, other_key, CLUSTER, CLUSTER),
        (id, master, MIXED, MIXED),
        (id, legacy, NONE, NONE),
        (id, id, SWAPPED, SWAPPED),
        (master_id, key, NONE, NONE),
        (master_id, other_key, NONE, NONE),
        (master_id, master, NONE, NONE),
        (key, id, SWAPPED, SWAPPED),
        (key, account, SWAPPED, SWAPPED),
        (key, key, SWAPPED, SWAPPED),
        (key, master, SWAPPED, SWAPPED),
        (key, legacy, SWAPPED, SWAPPED),
        (master, account, SWAPPED, SWAPPED),
        (master, master_id, SWAPPED, SWAPPED),
        (bucket, key, NOT_AN_ID, NOT_AN_ID),
        (bucket, master, NOT_AN_ID, NOT_AN_ID),
        (bucket, id, NOT_AN_ID, NOT_AN_ID),
        ("ann@example.com", legacy, NOT_AN_ID, NOT_AN_ID),
        ("nightly-key", key, UNRECOGNISED, UNRECOGNISED),
        (legacy, key, NONE, NONE),
        (" ann@example.com", key, MALFORMED, MALFORMED),
        ("1a2b3c4d5e6f\n", key, MALFORMED, MALFORMED),
        (account, "K005abcdefghijklmnopqrstuvwxyz1 ", MALFORMED, MALFORMED),
        ("aaaaaaaaaaaa", key, PLACEHOLDER, PLACEHOLDER),
        (account, "<your key>", PLACEHOLDER, PLACEHOLDER),
        ("your-key-id", master, PLACEHOLDER, PLACEHOLDER),
    ] {
        for (fields, expected) in
            [(["APPLICATION_KEY_ID", "APPLICATION_KEY"], application), (["ACCOUNT_ID", "MASTER_APPLICATION_KEY"], root)]
        {
            let project = Project::new()
                .env(&format!("CREDLINT_STORAGE__X__{}", fields[0]), one)
                .env(&format!("CREDLINT_STORAGE__X__{}", fields[1]), other);
            assert_eq!(project.rules(&[]), expected, "{one} beside {other} as {fields:?}");
        }
    }
}

/// The effects of an endpoint, and their limits.
#[test]
fn every_combination_of_id_and_key_formats_with_an_endpoint() {
    let (account, id, key, master) = (
        "1a2b3c4d5e6f", "0051a2b3c4d5e6f0000000001", "K005abcdefghijklmnopqrstuvwxyz1",
        "0050123456789abcdef0123456789abcdef0123456",
    );
    let (own, other) = ("https://s3.eu-central-005.backblazeb2.com", "s3.us-west-004.backblazeb2.com");
    for (one, two, endpoint, expected) in [
        (account, master, own, Some("master-key-on-s3-endpoint")),
        (account, master, other, Some("master-key-on-s3-endpoint")),
        (account, "unknown", own, Some("master-key-on-s3-endpoint")),
        ("unknown", master, own, Some("master-key-on-s3-endpoint")),
        ("0051a2b3c4d5e6f0000000000", "unknown", own, None),
        (account, master, "https://s3.eu-central-005.example.com", None),
        (account, master, "https://api.backblazeb2.com", Some("wrong-credential")),
        ("000000000000", "test", "http://localhost:4566", None),
        (account, key, own, Some("mixed-credentials")),
        (id, master, own, Some("mixed-credentials")),
        (master, account, own, Some("wrong-credential")),
        ("ann@example.com", master, own, Some("wrong-credential")),
        (id, key, own, None),
        (id, key, other, Some("mixed-credentials")),
        (id, "unknown", other, Some("mixed-credentials")),
        (id, "K003abcdefghijklmnopqrstuvwxyz1", own, Some("mixed-credentials")),
        (id, "K003abcdefghijklmnopqrstuvwxyz1", other, Some("mixed-credentials")),
        ("unknown", key, other, Some("unrecognised-credential")),
    ] {
        let project = Project::new()
            .file("credlint.toml", format!("[storage.x]\nendpoint = \"{endpoint}\"\napplication_key_id = {{ env = \"I\" }}\napplication_key = {{ env = \"K\" }}\n"))
            .env("I", one)
            .env("K", two);
        assert_eq!(project.rules(&[]), expected.into_iter().collect::<Vec<_>>(), "{one} beside {two} at {endpoint}");
        // Labels point at each value of the pair, where it was found and where it was named.
        let (_, document) = project.check(&[]);
        if let Some(finding) = document["findings"].get(0) {
            let labels = finding["labels"].as_array().unwrap();
            let at = |name: &str| labels.iter().any(|label| label["source"]["name"] == name);
            let only_id = matches!(expected, Some("wrong-credential" | "unrecognised-credential"))
                || (expected == Some("mixed-credentials") && two == "unknown");
            assert!(at("I") && (at("K") || only_id), "{finding}");
            assert_eq!(labels.iter().filter(|label| label["primary"] == true).count(), 1);
        }
    }
}

/// A wrong name is one mistake, whatever the values look like.
#[test]
fn values_are_not_checked_when_the_field_names_do_not_match() {
    let (account, id, key, master) = (
        "1a2b3c4d5e6f", "0051a2b3c4d5e6f0000000001", "K005abcdefghijklmnopqrstuvwxyz1",
        "0050123456789abcdef0123456789abcdef0123456",
    );
    for (fields, rule) in [
        (vec![("ACCOUNT_ID", account), ("APPLICATION_KEY", key)], "mixed-key-pair"),
        (vec![("ACCOUNT_ID", key), ("APPLICATION_KEY", account)], "mixed-key-pair"),
        (vec![("APPLICATION_KEY_ID", id), ("MASTER_APPLICATION_KEY", master)], "mixed-key-pair"),
        (vec![("APPLICATION_KEY_ID", key)], "incomplete-key-pair"),
        (vec![("APPLICATION_KEY_ID", account), ("APPLICATION_KEY", key), ("ACCOUNT_ID", account)], "two-key-pairs"),
        (vec![("APPLICATION_KEY_ID", account), ("APPLICATION_KEY", "")], "empty-credential"),
    ] {
        let project = fields.iter().fold(Project::new(), |project, (field, value)| {
            project.env(&format!("CREDLINT_STORAGE__X__{field}"), *value)
        });
        assert_eq!(project.rules(&[]), [rule], "{fields:?}");
    }
}

#[test]
fn a_spare_account_id_of_another_account_is_reported_as_such() {
    let project = |account: &str| {
        Project::new()
            .file(
                "credlint.toml",
                "[storage.x]\napplication_key_id = \"0051a2b3c4d5e6f0000000001\"\napplication_key = { env = \"T\" }\n",
            )
            .env("T", TOKEN)
            .env("CREDLINT_STORAGE__X__ACCOUNT_ID", account)
    };
    for (account, differs) in [("1a2b3c4d5e6f", false), ("6f5e4d3c2b1a", true), ("nobody", false)] {
        let (_, document) = project(account).check(&[]);
        let finding = &document["findings"][0];
        assert_eq!(finding["rule"], "two-key-pairs");
        assert_eq!(finding["message"].as_str().unwrap().contains("a different account"), differs, "{finding}");
    }
}

/// Both layers are labelled, the used one first; a value that is not a mistake itself is not reported here.
#[test]
fn a_shadowed_credential_names_both_layers() {
    let base = "[messaging.r]\nbase_url = \"https://h.example\"\nchannels = [\"C1\"]\n";
    let project =
        |token: &str| Project::new().file("credlint.toml", format!("{base}token = {token}\n")).env("T", TOKEN);
    let shadowed = project("{ env = \"T\" }").env("CREDLINT_MESSAGING__R__TOKEN", "xoxb-7391842650-QzWvXkPjHyBd");
    let (code, document) = shadowed.check(&[]);
    let finding = &document["findings"][0];
    assert_eq!((code, &finding["severity"], &document["profiles"][0]["verdict"]), (0, &json!("note"), &json!("fits")));
    assert_eq!(finding["labels"][0]["source"]["name"], "CREDLINT_MESSAGING__R__TOKEN");
    assert_eq!(finding["labels"][1]["source"]["name"], "credlint.toml");
    for (token, variable, value, rules) in [
        (format!("\"{TOKEN}\""), "TOKEN", TOKEN, &[][..]),
        ("\"xoxb-2\"".to_owned(), "TOKEN", TOKEN, &["shadowed-credential"]),
        ("\"\"".to_owned(), "TOKEN", TOKEN, &[]),
        ("\"changeme\"".to_owned(), "TOKEN", TOKEN, &[]),
        ("3".to_owned(), "TOKEN", TOKEN, &["wrong-type"]),
        ("{ env = \"T\" }".to_owned(), "TOKEN", "", &["empty-credential"]),
        ("{ env = \"T\" }".to_owned(), "TOKEN_FILE", "none", &["unresolved-reference"]),
    ] {
        let project = project(&token).env(&format!("CREDLINT_MESSAGING__R__{variable}"), value);
        assert_eq!(project.rules(&[]), rules, "{token}");
    }
}

#[test]
fn both_fields_are_labelled_across_a_file_and_the_environment() {
    let project = Project::new()
        .file("credlint.toml", "[storage.backups]\nbucket = \"nightly\"\napplication_key = { file = \"key\" }\n")
        .file("key", "K005abcdefghijklmnopqrstuvwxyz1\n")
        .env("CREDLINT_STORAGE__BACKUPS__ACCOUNT_ID", "1a2b3c4d5e6f");
    let (code, document) = project.check(&[]);
    assert_eq!(code, 1);
    assert_eq!(document["schema"], "credlint/report/v1");
    assert_eq!(
        document["summary"],
        json!({"profiles": 1, "errors": 1, "warnings": 0, "notes": 0, "off": 0, "fits": 0, "unjudged": 0, "warned": 0, "rejected": 1})
    );
    assert_eq!(
        document["layers"],
        json!([{"kind": "file", "name": "credlint.toml"}, {"kind": "environment", "name": "environment"}])
    );
    assert_eq!(
        document["profiles"],
        json!([{"kind": "storage", "name": "backups", "verdict": "rejected", "live": null}])
    );
    let labels = &document["findings"][0]["labels"];
    assert_eq!((&labels[0]["key"], &labels[0]["primary"]), (&json!("storage.backups.application_key"), &json!(true)));
    assert_eq!(
        labels[0]["span"],
        json!({"start": {"line": 3, "column": 1, "offset": 37}, "end": {"line": 3, "column": 16, "offset": 52}})
    );
    assert_eq!((&labels[1]["key"], &labels[1]["primary"]), (&json!("storage.backups.account_id"), &json!(false)));
    assert_eq!(labels[1]["source"], json!({"kind": "environment", "name": "CREDLINT_STORAGE__BACKUPS__ACCOUNT_ID"}));
    assert_eq!(labels[1]["span"], json!(null));
    let human = project.run(&["check"]).stdout;
    assert!(human.contains("credlint.toml:3:1"), "{human}");
    assert!(human.contains("environment variable CREDLINT_STORAGE__BACKUPS__ACCOUNT_ID"), "{human}");
}

#[test]
fn profiles_are_selected_by_name() {
    let text = reports("token = { env = \"T\" }") + "[messaging.nightly-run]\n[storage.reports]\n";
    let project = Project::new().file("credlint.toml", text).env("T", TOKEN);
    assert_eq!(project.check(&["--profile", "messaging.reports"]).0, 0);
    assert_eq!(project.check(&["--profile", "messaging.reports", "--profile", "nightly_run"]).0, 1);
    for (name, code, help) in [
        ("reports", "ambiguous-profile", "add the kind to the name"),
        ("nightly-rum", "unknown-profile", "did you mean `nightly-run`?"),
        ("storage.repots", "unknown-profile", "did you mean `storage.reports`?"),
        ("xoxb-1-planted", "unknown-profile", ""),
    ] {
        let (exit, document) = project.check(&["--profile", name]);
        assert_eq!((exit, document["problems"][0]["code"].as_str()), (2, Some(code)), "{name}");
        assert!(document["problems"][0]["help"].as_str().unwrap().contains(help), "{document}");
        assert!(!document.to_string().contains("planted"));
        let run = project.run(&["check", "--profile", name]);
        assert!(run.code == 2 && run.stdout.is_empty() && run.stderr.contains(code), "{}", run.stderr);
    }
    let by_variable = Project::new().file("credlint.toml", reports("")).env("CREDLINT_PROFILE", "none");
    assert_eq!(by_variable.check(&[]).0, 2);
}

#[test]
fn checking_no_profiles_exits_nonzero() {
    for project in [Project::new(), Project::new().file("credlint.toml", "# nothing\n")] {
        let (code, document) = project.check(&[]);
        assert_eq!((code, document["findings"].as_array().unwrap().len()), (3, 0));
        let run = project.run(&["check", "--exit-zero"]);
        assert!(run.code == 3 && run.stdout.is_empty() && run.stderr.contains("error[no"), "{}", run.stderr);
    }
    assert_eq!(Project::new().run(&["profiles"]).code, 3);
}

#[test]
fn fail_on_sets_the_failing_severity() {
    let text = "[messaging.r]\nbase_url = \"https://h.example\"\ntoken = { env = \"T\" }\n";
    let project = Project::new().file("credlint.toml", text).env("T", TOKEN);
    assert_eq!(project.rules(&[]), ["no-channels"]);
    assert_eq!(project.check(&[]).0, 0);
    assert_eq!(project.check(&["--fail-on", "warning"]).0, 1);
    assert_eq!(project.check(&["--fail-on", "warning", "--exit-zero"]).0, 0);
    let stated = project.file("strict.toml", "[lint]\nfail_on = \"warning\"\n");
    assert_eq!(stated.check(&["--config", "credlint.toml", "--config", "strict.toml"]).0, 1);
    assert_eq!(stated.check(&["--config", "credlint.toml", "--config", "strict.toml", "--fail-on", "error"]).0, 0);
}

#[test]
fn no_resolve_treats_every_reference_as_set() {
    let storage = "[storage.x]\napplication_key = { file = \"none\" }\naccount_id = { env = \"NOPE\" }\n";
    let project = Project::new().file("credlint.toml", reports("token = { env = \"NOT_SET\" }") + storage);
    assert_eq!(project.rules(&["--no-resolve"]), ["mixed-key-pair"]);
    assert_eq!(project.check(&["--no-resolve"]).1["resolved"], false);
}

#[test]
fn usage_errors_leave_stdout_empty() {
    let project = Project::new();
    for args in
        [&["check", "--nope"][..], &["chek"], &[], &["check", "--format", "xml"], &["explain", "missing-keypair"]]
    {
        let run = project.run(args);
        assert!(run.code == 2 && run.stdout.is_empty() && !run.stderr.is_empty(), "{args:?}: {}", run.stdout);
    }
    let run =
        Project::new().file("credlint.toml", "[storage.x]\n").env("CREDLINT_FORMAT", "xoxb-planted").run(&["check"]);
    assert!(run.code == 2 && run.stdout.is_empty() && !run.stderr.contains("planted"), "{}", run.stderr);
}

/// What the program writes to a terminal.
#[cfg(unix)]
fn on_a_terminal(mut command: std::process::Command) -> String {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&screen).unwrap();
    unlockpt(&screen).unwrap();
    let name = ptsname(&screen, Vec::new()).unwrap().into_string().unwrap();
    let terminal = std::fs::OpenOptions::new().read(true).write(true).open(name).unwrap();
    let mut child = command.stdout(terminal).stderr(std::process::Stdio::null()).spawn().unwrap();
    // Drops our last handle on it, so that reading ends; on some systems it ends in an error.
    drop(command);
    let (mut screen, mut shown) = (std::fs::File::from(screen), Vec::new());
    let _ = std::io::Read::read_to_end(&mut screen, &mut shown);
    child.wait().unwrap();
    String::from_utf8(shown).unwrap()
}

#[cfg(unix)]
#[test]
fn color_depends_on_the_option_then_variables_then_the_terminal() {
    let config = "[storage.backups]\n";
    // On a terminal and in a pipe.
    for (color, variables, terminal, pipe) in [
        ("auto", &[("TERM", "xterm")][..], true, false),
        ("auto", &[("TERM", "dumb")], false, false),
        ("auto", &[], false, false),
        ("auto", &[("TERM", "dumb"), ("CLICOLOR", "1")], true, false),
        ("auto", &[("TERM", "xterm"), ("CLICOLOR", "0")], false, false),
        ("auto", &[("TERM", "xterm"), ("CLICOLOR_FORCE", "0")], true, false),
        ("auto", &[("CLICOLOR_FORCE", "1"), ("CLICOLOR", "0")], true, true),
        ("auto", &[("TERM", "xterm"), ("CLICOLOR_FORCE", "")], true, false),
        ("auto", &[("FORCE_COLOR", "1")], true, true),
        ("auto", &[("FORCE_COLOR", "3"), ("TERM", "dumb")], true, true),
        ("auto", &[("FORCE_COLOR", "0"), ("TERM", "xterm")], false, false),
        ("auto", &[("FORCE_COLOR", "false"), ("CLICOLOR_FORCE", "1")], false, false),
        ("auto", &[("FORCE_COLOR", ""), ("TERM", "xterm")], true, false),
        ("auto", &[("NO_COLOR", "1"), ("TERM", "xterm")], false, false),
        ("auto", &[("NO_COLOR", "0"), ("TERM", "xterm")], false, false),
        ("auto", &[("NO_COLOR", ""), ("TERM", "xterm")], true, false),
        ("auto", &[("NO_COLOR", "1"), ("FORCE_COLOR", "1"), ("CLICOLOR_FORCE", "1")], false, false),
        ("always", &[("NO_COLOR", "1"), ("FORCE_COLOR", "0")], true, true),
        ("never", &[("TERM", "xterm"), ("CLICOLOR_FORCE", "1"), ("FORCE_COLOR", "1")], false, false),
    ] {
        let mut project = Project::new().file("credlint.toml", config);
        for (name, value) in variables {
            project = project.env(name, *value);
        }
        let args = ["--color", color, "check"];
        let there = on_a_terminal(project.command(&args));
        assert!(there.contains("missing-key-pair"), "{there}");
        let colours = [there, project.run(&args).stdout].map(|text| text.contains('\u{1b}'));
        assert_eq!(colours, [terminal, pipe], "{color} {variables:?}");
    }
}

#[test]
fn output_fits_columns_and_tolerates_a_closed_pipe() {
    let project = || Project::new().file("credlint.toml", "[storage.backups]\n");
    let plain = project().env("COLUMNS", "60").run(&["check"]).stdout;
    assert!(!plain.contains('\u{1b}') && plain.lines().all(|line| line.chars().count() <= 60), "{plain}");
    // A closed reader does not change the exit code.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let project = project();
    let mut command = project.command(&["check"]);
    command.stdout(writer).stderr(std::process::Stdio::null());
    let run = Run { code: command.status().unwrap().code().unwrap(), stdout: String::new(), stderr: String::new() };
    assert_eq!(run.code, 1);
    // A full disk does.
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = project.command(&["explain"]);
    command.stdout(full).stderr(std::process::Stdio::null());
    assert_eq!(command.status().unwrap().code(), Some(3));
}

#[test]
fn profiles_shows_the_source_of_each_field() {
    let project = Project::new()
        .user("[messaging.reports]\ntoken = \"xoxb-planted-user\"\n")
        .file("credlint.toml", reports("token = { env = \"T\" }\ninitial_comment = \"planted words\""))
        .env("T", TOKEN)
        .env("CREDLINT_MESSAGING__REPORTS__CHANNELS", "C1234567, planted");
    let run = project.run(&["profiles", "reports"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(!run.stdout.contains("planted") && !run.stdout.contains(TOKEN), "{}", run.stdout);
    let row = |field: &str| {
        let row = run.stdout.lines().find(|line| line.starts_with(field)).unwrap();
        row.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let user = project.home().join(".config/credlint/config.toml");
    assert_eq!(row("token"), format!("token ******** from env T recognised credlint.toml:4:1 {}:2:1", user.display()));
    assert_eq!(row("base_url"), "base_url https://chat.example.com credlint.toml:2:1");
    assert_eq!(row("channels"), "channels C1234567, ******** CREDLINT_MESSAGING__REPORTS__CHANNELS credlint.toml:3:1");
    let list = Project::new().file("credlint.toml", "[storage.b]\n[storage.a-1]\n[messaging.c]\n").run(&["profiles"]);
    assert_eq!((list.code, list.stdout.as_str()), (0, "messaging.c\nstorage.a-1\nstorage.b\n"));
}

#[test]
fn keys_with_the_same_mask_have_different_fingerprints() {
    let text = reports("token = { env = \"T\" }\nhunter2x = 1\nhunter3x = 2");
    let (_, document) = Project::new().file("credlint.toml", text).env("T", TOKEN).check(&[]);
    let [one, two] = [0, 1].map(|index| document["findings"][index]["fingerprint"].as_str().unwrap().to_owned());
    assert_ne!(one, two);
    // The fingerprint stays the same when lines move.
    let moved = format!("# a line\n\n{}", reports("token = { env = \"T\" }\nhunter2x = 1\nhunter3x = 2"));
    let (_, moved) = Project::new().file("credlint.toml", moved).env("T", TOKEN).check(&[]);
    assert_eq!(moved["findings"][0]["fingerprint"].as_str(), Some(one.as_str()));
}

#[test]
fn only_well_formed_profile_names_are_accepted() {
    for name in ["teamreports2026", "internationalcustomersupport", "a", "nightly-2-run_b"] {
        assert_eq!(
            Project::new().file("credlint.toml", format!("[storage.{name}]\n")).rules(&[]),
            ["missing-key-pair"],
            "{name}"
        );
    }
    for name in ["k0051a2b3c4d5e6f", "xoxb-1", "\"a b\"", "A", "a--b"] {
        let (code, document) = Project::new().file("credlint.toml", format!("[storage.{name}]\n")).check(&[]);
        assert_eq!((code, &document["problems"][0]["code"]), (2, &json!("bad-name")), "{name}");
    }
}

#[test]
fn explain_prints_pages_and_finds_them_by_words() {
    let project = Project::new();
    let page = project.run(&["explain", "mixed-key-pair"]);
    assert!(page.code == 0 && page.stdout.starts_with("# mixed-key-pair\n"));
    for (name, field) in
        [("GH_TOKEN", "# github/"), ("CI_STRIPE_SECRET_KEY", "# stripe/"), ("CF_API_TOKEN_PROD", "# cloudflare/")]
    {
        let page = project.run(&["explain", name]);
        assert!(page.code == 0 && page.stdout.starts_with(field), "{name}: {}", page.stdout);
    }
    let near = project.run(&["explain", "mixed-keypair"]);
    assert!(near.code == 2 && near.stderr.contains("did you mean `mixed-key-pair`?"), "{}", near.stderr);
    assert_eq!(project.run(&["explain"]).stdout.lines().count(), credlint::rules::ALL.len());
    // The rules with a word in the id come first; every one that is listed has all words.
    for (words, first) in [
        ("mixed", "mixed-"),
        ("Mixed KEY", "mixed-key-pair"),
        ("cluster", "mixed-credentials"),
        ("swapped", "wrong-credential"),
    ] {
        let run = project.run(&["explain", words]);
        assert!(run.code == 0 && run.stdout.starts_with(first), "{words}: {}{}", run.stdout, run.stderr);
        let listed = project.run(&["explain", words, "--format", "json"]).document()["rules"].clone();
        let listed = listed.as_array().unwrap();
        assert!(!listed.is_empty() && listed.len() < credlint::rules::ALL.len(), "{words}");
        for rule in listed {
            let text = format!("{} {} {}", rule["id"], rule["summary"], rule["page"]).to_lowercase();
            assert!(words.to_lowercase().split(' ').all(|word| text.contains(word)), "{words}: {}", rule["id"]);
        }
    }
    let one = project.run(&["explain", "mixed-key-pair", "--format", "json"]).document();
    assert_eq!((one["rules"].as_array().unwrap().len(), &one["rules"][0]["id"]), (1, &"mixed-key-pair".into()));
    let run = project.run(&["explain", "STRIPE_SECRET_KEY", "--format", "json"]);
    assert!(run.code == 2 && run.stdout.is_empty() && run.stderr.contains("--format json has no effect here"));
}

/// These are warnings, so not among the errors above: a rotated token is one mistake wherever it is written out.
#[test]
fn a_plaintext_rotated_token_is_one_finding() {
    let rotated = "xoxe.xoxb-1-abcdefghijklmnopqrstuvwxyz";
    for (text, rules) in [
        (reports(&format!("token = '{rotated}'")), vec!["literal-secret"]),
        (format!("[app.x]\nbot_token = '{rotated}'\n"), vec!["literal-secret"]),
        (format!("[app.x]\napp_token = '{rotated}'\n"), vec!["wrong-credential", "literal-secret"]),
        ("[app.x]\nbot_token = 'xoxb-0000000000-0000000000-abcdefghijkl'\n".to_owned(), vec!["literal-secret"]),
    ] {
        let project = Project::new().file("credlint.toml", &text);
        assert_eq!(project.rules(&[]), rules, "{text}");
    }
}

/// The names that programs give the ID and the key of a storage pair, from their documentation and public
/// configurations.
#[test]
fn variable_names_of_other_programs_are_not_crossed_references() {
    const NONE: [&str; 0] = [];
    for (id, key) in [
        ("B2_APPLICATION_KEY_ID", "B2_APPLICATION_KEY"),
        ("B2_MASTER_KEY_ID", "B2_MASTER_KEY"),
        ("B2_APP_KEY_ID", "B2_APP_KEY"),
        ("RCLONE_B2_ACCOUNT", "RCLONE_B2_KEY"),
        ("RCLONE_CONFIG_B2_ACCOUNT", "RCLONE_CONFIG_B2_KEY"),
        ("B2_ACCOUNT_ID", "B2_ACCOUNT_KEY"),
        ("B2_ACCOUNT_ID", "B2_APPLICATION_KEY"),
        ("DUPLICACY_B2_ID", "DUPLICACY_B2_KEY"),
        ("B2_APPLICATION_KEY_ID", "B2_APPLICATION_KEY_SECRET"),
        ("b2-acct-id", "b2-app-key"),
        ("B2_APPKEY_ID", "B2_APPKEY"),
        ("B2_APPLICATION_ID", "B2_APPLICATION_KEY"),
        ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"),
        ("AWS_ACCESS_KEY", "AWS_SECRET_KEY"),
        ("AWS_KEY", "AWS_SECRET"),
        ("LITESTREAM_ACCESS_KEY_ID", "LITESTREAM_SECRET_ACCESS_KEY"),
        ("BACKBLAZE_APP_ID", "BACKBLAZE_APP_KEY"),
        ("BACKBLAZE_KEY_ID", "BACKBLAZE_KEY"),
        ("BACKBLAZE_B2_API_KEY_ID", "B2_API_KEY"),
        ("B2_KEY_ID", "B2_ACCESS_KEY"),
        ("PROD_B2_KEY_ID", "PRODUCTION_B2_APP_KEY"),
        ("MINIO_ROOT_USER", "MINIO_ROOT_PASSWORD"),
        ("MINIO_ACCESS_KEY", "MINIO_SECRET_KEY"),
    ] {
        for [one, other] in [["application_key_id", "application_key"], ["account_id", "master_application_key"]] {
            let text = format!("[storage.x]\n{one} = {{ env = \"{id}\" }}\n{other} = {{ env = \"{key}\" }}\n");
            assert_eq!(Project::new().file("credlint.toml", text).rules(&["--no-resolve"]), NONE, "{id} {key}");
        }
    }
    for token in ["SLACK_BOT_TOKEN", "SLACK_TOKEN", "SLACK_API_TOKEN", "MY_APP_TOKEN", "CHAT_TOKEN_PROD", "SLACK_OAUTH"]
    {
        let text = reports(&format!("token = {{ env = \"{token}\" }}\nwebhook_url = {{ env = \"SLACK_WEBHOOK\" }}"));
        assert_eq!(Project::new().file("credlint.toml", text).rules(&["--no-resolve"]), NONE, "{token}");
    }
}

/// A variable may complete a profile that a file gets wrong. What is missing in the file is not reported as well.
#[test]
fn a_profile_that_is_no_table_has_only_that_finding() {
    for (file, name, value) in [
        ("[messaging]\nx = 1\n", "CREDLINT_MESSAGING__X__TOKEN", "https://hooks.slack.com/services/T0/B0/x"),
        ("[app]\nx = 1\n", "CREDLINT_APP__X__APP_TOKEN", TOKEN),
        ("[storage]\nx = 1\n", "CREDLINT_STORAGE__X__APPLICATION_KEY_ID", TOKEN),
    ] {
        assert_eq!(Project::new().file("credlint.toml", file).env(name, value).rules(&[]), ["wrong-type"], "{file}");
    }
}
