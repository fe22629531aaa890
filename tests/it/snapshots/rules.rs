//! The findings of each rule, by cause: in a file, in the environment, and by a reference if the message or its labels
//! depend on that.

use super::Said;
use crate::harness::{Project, set_mode};
use crate::pages::modes_count;

const BASE: (&str, &str) = ("base_url", "https://chat.example.com");
const BASE_HOSTED: (&str, &str) = ("base_url", "https://slack.com");
const GITHUB: &str = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
const CHANNELS: (&str, &str) = ("channels", "C0123456789");
const BOT: (&str, &str) = ("token", "xoxb-0000000000-0000000000-abcdefghijkl");

const ACCOUNT: &str = "1a2b3c4d5e6f";
const KEY_ID: &str = "0051a2b3c4d5e6f0000000001";
const MASTER_ID: &str = "0051a2b3c4d5e6f0000000000";
const KEY: &str = "K005abcdefghijklmnopqrstuvwxyz1";
const MASTER: &str = "0050123456789abcdef0123456789abcdef0123456";
const OTHER_KEY: &str = "K003abcdefghijklmnopqrstuvwxyz1";
const HOOK: &str = "https://hooks.example.com/services/T0/B0/x";
const S3: &str = "https://s3.eu-central-005.backblazeb2.com";
const OTHER_S3: &str = "https://s3.us-west-004.backblazeb2.com";

/// Fields of one profile with their values; lists are separated by commas.
type Fields<'a> = &'a [(&'a str, &'a str)];

/// A string of TOML.
fn quoted(value: &str) -> String {
    let escaped = value.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04X}", u32::from(c)),
        c => c.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

/// The profile written out in a file.
fn file(kind: &str, fields: Fields<'_>) -> Project {
    let line = |(field, value): &(&str, &str)| match *field {
        "channels" if value.is_empty() => "channels = []\n".to_owned(),
        "channels" => format!("channels = [{}]\n", value.split(',').map(quoted).collect::<Vec<_>>().join(", ")),
        field => format!("{field} = {}\n", quoted(value)),
    };
    toml(&format!("[{kind}.x]\n{}", fields.iter().map(line).collect::<String>()))
}

/// The profile in the environment.
fn environment(kind: &str, fields: Fields<'_>) -> Project {
    fields.iter().fold(Project::new(), |project, (field, value)| {
        project.env(&format!("CREDLINT_{kind}__X__{field}").to_uppercase(), *value)
    })
}

/// The profile in a file that refers to variables.
fn references(kind: &str, fields: Fields<'_>) -> Project {
    let line = |(field, _): &(&str, &str)| format!("{field} = {{ env = \"THE_{}\" }}\n", field.to_uppercase());
    let text = format!("[{kind}.x]\n{}", fields.iter().map(line).collect::<String>());
    fields
        .iter()
        .fold(toml(&text), |project, (field, value)| project.env(&format!("THE_{}", field.to_uppercase()), *value))
}

/// The profile in a file that refers to other files.
fn files(kind: &str, fields: Fields<'_>) -> Project {
    let line = |(field, _): &(&str, &str)| format!("{field} = {{ file = \"{field}.txt\" }}\n");
    let text = format!("[{kind}.x]\n{}", fields.iter().map(line).collect::<String>());
    fields.iter().fold(toml(&text), |project, (field, value)| project.file(&format!("{field}.txt"), value))
}

fn toml(text: &str) -> Project {
    Project::new().file("credlint.toml", text)
}

/// A profile that is complete except for what the given fields change.
fn messaging<'a>(fields: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let given = |name: &str| fields.iter().any(|(field, _)| *field == name);
    let rest = [BASE, BOT, CHANNELS].into_iter().filter(|(field, _)| !given(field));
    fields.iter().copied().chain(rest).collect()
}

/// Plaintext values are the subject of one rule; here they only describe a case.
const WRITTEN_OUT: &[&str] = &["-A", "literal-secret", "-A", "expiring-token"];

impl Said {
    /// One cause, in a file and in the environment.
    fn said(self, what: &str, kind: &str, fields: Fields<'_>) -> Self {
        self.check(&format!("{what}, in a file"), &file(kind, fields), WRITTEN_OUT).check(
            &format!("{what}, in the environment"),
            &environment(kind, fields),
            &[],
        )
    }

    /// The same, also by references.
    fn referred(self, what: &str, kind: &str, fields: Fields<'_>) -> Self {
        self.said(what, kind, fields)
            .check(&format!("{what}, by references to variables"), &references(kind, fields), &[])
            .check(&format!("{what}, by references to files"), &files(kind, fields), &[])
    }

    /// No cause, in a file and in the environment.
    fn unsaid(self, what: &str, kind: &str, fields: Fields<'_>) -> Self {
        self.silent(&format!("not: {what}, in a file"), &file(kind, fields), WRITTEN_OUT).silent(
            &format!("not: {what}, in the environment"),
            &environment(kind, fields),
            &[],
        )
    }
}

#[test]
fn a_webhook_without_a_token() {
    let base = "[messaging.x]\nbase_url = \"https://chat.example.com\"\nchannels = [\"C0123456789\"]\n";
    Said::by("webhook-without-token")
        .referred("a webhook and no token", "messaging", &[BASE, CHANNELS, ("webhook_url", HOOK)])
        .check(
            "a webhook that is not resolved, and no token",
            &toml(&format!("{base}webhook_url = {{ env = \"THE_HOOK\" }}\n")),
            &["--no-resolve"],
        )
        .unsaid("a webhook that is empty", "messaging", &[BASE, CHANNELS, ("webhook_url", "")])
        .unsaid("a token that is empty", "messaging", &[BASE, CHANNELS, ("token", ""), ("webhook_url", HOOK)])
        .unsaid("a token beside it", "messaging", &messaging(&[("webhook_url", HOOK)]))
        .silent(
            "not: a token that is misspelt",
            &toml(&format!("{base}tokn = {{ env = \"T\" }}\nwebhook_url = {{ env = \"H\" }}\n")),
            &["--no-resolve"],
        )
        .keep();
}

#[test]
fn a_missing_token() {
    Said::by("missing-token")
        .said("neither", "messaging", &[BASE, CHANNELS])
        .check("an app with nothing", &toml("[app.x]\n"), &[])
        .check("an app with an address", &toml("[app.x]\napi_url = \"https://slack.com\"\n"), &[])
        .unsaid("an app with a token that is empty", "app", &[("app_token", "")])
        .unsaid("an app with a signing secret alone", "app", &[("signing_secret", HEX)])
        .silent(
            "not: an app with a token that is misspelt",
            &toml("[app.x]\nbot_tokn = { env = \"T\" }\n"),
            &["--no-resolve"],
        )
        .unsaid("a token that is empty", "messaging", &[BASE, CHANNELS, ("token", "")])
        .unsaid("a webhook that is empty", "messaging", &[BASE, CHANNELS, ("webhook_url", "")])
        .silent("not: a token that is misspelt", &toml("[messaging.x]\ntokn = { env = \"T\" }\n"), &["--no-resolve"])
        .silent(
            "not: a webhook that is misspelt",
            &toml("[messaging.x]\nwebhok_url = { env = \"T\" }\n"),
            &["--no-resolve"],
        )
        .silent("not: a profile that is no table", &toml("[messaging]\nx = 1\n"), &[])
        .keep();
}

#[test]
fn a_webhook_as_a_token() {
    Said::by("webhook-as-token")
        .referred("a URL", "messaging", &messaging(&[("token", HOOK)]))
        .said("a URL as a bot token", "app", &[("bot_token", HOOK)])
        .said("a URL as an app-level token", "app", &[("app_token", HOOK)])
        .keep();
}

#[test]
fn a_token_that_cannot_upload() {
    let mut said = Said::by("token-cannot-upload");
    for (what, token) in [
        ("an app-level token", "xapp-1-A0000000000-0000000000-abcdefghijkl"),
        ("a refresh token", "xoxe-1-abcdefghijkl"),
        ("a session", "xoxc-0000000000-abcdefghijkl"),
        ("a cookie", "xoxd-0000000000-abcdefghijkl"),
        ("a workspace app", "xoxa-2-abcdefghijkl"),
        ("a workspace app's refresh token", "xoxr-abcdefghijkl"),
        ("a step of a workflow", "xwfp-abcdefghijkl"),
    ] {
        said = said.said(what, "messaging", &messaging(&[("token", token)]));
    }
    let app = messaging(&[("token", "xapp-1-A0000000000-0000000000-abcdefghijkl")]);
    said.check("an app-level token, by a reference", &references("messaging", &app), &[])
        .check("an app-level token, in a file of its own", &files("messaging", &app), &[])
        .unsaid("a user's token", "messaging", &messaging(&[("token", "xoxp-0000000000-abcdefghijkl")]))
        .unsaid("a rotated token", "messaging", &messaging(&[("token", "xoxe.xoxb-1-abcdefghijklmnop")]))
        .keep();
}

#[test]
fn a_missing_base_url() {
    Said::by("missing-base-url")
        .said("no address", "messaging", &[BOT, CHANNELS])
        .referred("an address that is empty", "messaging", &messaging(&[("base_url", "")]))
        .silent("not: an address that is misspelt", &toml("[messaging.x]\nbase_ulr = \"https://h.example\"\n"), &[])
        .keep();
}

#[test]
fn a_malformed_base_url() {
    let mut said = Said::by("malformed-base-url");
    for (what, url) in [
        ("white space", "https://chat.example.com "),
        ("a backslash", "https:\\\\chat.example.com"),
        ("no scheme", "chat.example.com"),
        ("another scheme", "ftp://chat.example.com"),
        ("a user", "https://ann@chat.example.com"),
        ("a user and a password", "https://ann:abc@chat.example.com"),
        ("a query", "https://chat.example.com/?a=b"),
        ("a fragment", "https://chat.example.com/#a"),
        ("quotes", "\"https://chat.example.com\""),
        ("two schemes", "https://https://chat.example.com"),
        ("a word", "hunter2"),
    ] {
        said = said.said(what, "messaging", &messaging(&[("base_url", url)])).said(
            &format!("{what}, of the other kind"),
            "storage",
            &[("application_key_id", KEY_ID), ("application_key", KEY), ("api_url", url)],
        );
    }
    let fields = messaging(&[("base_url", "chat.example.com")]);
    said.check("no scheme, by a reference", &references("messaging", &fields), &[])
        .check("no scheme, in a file of its own", &files("messaging", &fields), &[])
        .check(
            "no scheme, of the other kind, by a reference",
            &references(
                "storage",
                &[("application_key_id", KEY_ID), ("application_key", KEY), ("api_url", "api.example.com")],
            ),
            &[],
        )
        .keep();
}

#[test]
fn a_malformed_endpoint() {
    let endpoint = |url| [("application_key_id", KEY_ID), ("application_key", KEY), ("endpoint", url)];
    let mut said = Said::by("malformed-endpoint").referred("another scheme", "storage", &endpoint("s3://nightly"));
    for (what, url) in [
        ("white space", "s3.example.com "),
        ("no host", "https:s3.example.com"),
        ("a user and a password", "http://ann:abc@s3.example.com"),
        ("a user and a password, without a scheme", "ann:abc@s3.example.com"),
        ("a query", "https://s3.example.com/?a=b"),
        ("a fragment", "https://s3.example.com/#a"),
        ("quotes", "'s3.example.com'"),
        ("two schemes", "https://https://s3.example.com"),
        ("the console", "https://secure.backblaze.com/b2_buckets.htm"),
    ] {
        said = said.said(what, "storage", &endpoint(url));
    }
    for url in
        ["s3.eu-central-005.backblazeb2.com", "minio:9000", "http://127.0.0.1:9000", "https://s3.example.com/base"]
    {
        said = said.unsaid(url, "storage", &endpoint(url));
    }
    said.keep();
}

#[test]
fn an_insecure_base_url() {
    let api = |url| [("application_key_id", KEY_ID), ("application_key", KEY), ("api_url", url)];
    let mut said = Said::by("insecure-base-url")
        .referred("plain http", "messaging", &messaging(&[("base_url", "http://chat.example.com:8080/base")]))
        .referred("plain http, of the other kind", "storage", &api("http://api.example.com"));
    for url in ["http://localhost:8080", "http://127.1.2.3", "http://[::1]/base", "https://chat.example.com"] {
        said = said.unsaid(url, "messaging", &messaging(&[("base_url", url)])).unsaid(
            &format!("{url}, of the other kind"),
            "storage",
            &api(url),
        );
    }
    said.keep();
}

#[test]
fn a_doubled_api_path() {
    let at = |url| messaging(&[("base_url", url)]);
    Said::by("doubled-api-path")
        .referred("the word", "messaging", &at("https://chat.example.com/api"))
        .said("the word and a slash", "messaging", &at("https://chat.example.com/base/api/"))
        .said("the whole operation", "messaging", &at("https://chat.example.com/api/files.upload"))
        .said("at a host without an API", "messaging", &at("https://api.slack.com/api"))
        .unsaid("another word that ends so", "messaging", &at("https://chat.example.com/rapi/v1"))
        .said("for an app", "app", &[("bot_token", BOT_OF_APP), ("api_url", "https://slack.com/api")])
        .keep();
}

#[test]
fn not_the_api_address() {
    let at = |url| messaging(&[("base_url", url)]);
    let api = |url| [("application_key_id", KEY_ID), ("application_key", KEY), ("api_url", url)];
    let link = "https://myteam.slack.com/archives/C0123456789/p1700000000000100";
    let mut said = Said::by("not-the-api-address").referred("a link", "messaging", &at(link));
    for (what, url) in [
        ("the client in the browser", "https://app.slack.com/client/T0123456789/C0123456789"),
        ("the client alone", "https://app.slack.com"),
        ("the host of files", "https://files.slack.com"),
        ("the host of webhooks", "https://hooks.slack.com"),
        ("the site for developers", "https://api.slack.com"),
        ("another page", "https://status.slack.com"),
        ("a method", "https://slack.com/api/chat.postMessage"),
        ("for governments", "https://app.slack-gov.com"),
        ("a webhook", "https://hooks.slack.com/services/T00000000/B00000000/abcdefghijklmnopqrstuvwx"),
        ("a webhook elsewhere", "https://discord.com/api/webhooks/000000000000000000/abcdefghijkl"),
        ("a webhook with a query", "https://chat.googleapis.com/v1/spaces/AAAA/messages?key=abc&token=def"),
        ("a webhook on any host", "https://chat.example.com/hooks/abcdefghijklmnopqrstuvwxyz"),
        ("a part of a webhook", "T00000000/B00000000/abcdefghijklmnopqrstuvwx"),
    ] {
        said = said.said(what, "messaging", &at(url));
    }
    for (what, url) in [
        ("the other API", "https://s3.eu-central-005.backblazeb2.com"),
        ("downloads", "https://f005.backblazeb2.com/file/nightly"),
        ("the website", "https://secure.backblaze.com/b2_buckets.htm"),
        ("a webhook, of the other kind", "https://discord.com/api/webhooks/000000000000000000/abcdefghijkl"),
    ] {
        said = said.said(what, "storage", &api(url));
    }
    said = said.said("the other API, beside it", "storage", &[api(S3)[0], api(S3)[1], api(S3)[2], ("endpoint", S3)]);
    for url in [
        "https://slack.com",
        "https://myteam.slack.com",
        "https://myteam.enterprise.slack.com",
        "https://slack-gov.com",
        "https://api.slack-gov.com",
        "https://chat.example.com/archives/C0123456789",
        "https://slack.com/api",
    ] {
        said = said.unsaid(url, "messaging", &at(url));
    }
    for url in
        ["https://api.backblazeb2.com", "https://api005.backblazeb2.com", "https://s3.eu-central-1.amazonaws.com"]
    {
        said = said.unsaid(url, "storage", &api(url));
    }
    said.keep();
}

#[test]
fn a_malformed_bucket() {
    let pair = [("application_key_id", KEY_ID), ("application_key", KEY)];
    let bucket = |name| [pair[0], pair[1], ("bucket", name)];
    let mut said = Said::by("malformed-bucket").referred("an underscore", "storage", &bucket("nightly_reports"));
    let long = "a".repeat(64);
    for (what, name) in [
        ("a URL", "s3://nightly-reports"),
        ("a URL with a path", "b2://nightly-reports/2026"),
        ("a path", "nightly-reports/2026"),
        ("a dot", "backups.example.com"),
        ("a space", "nightly reports"),
        ("too short", "daily"),
        ("too long", &long),
        ("reserved", "b2-snapshots-1a2b3c4d5e6f"),
    ] {
        said = said.said(what, "storage", &bucket(name));
    }
    for name in ["nightly", "Nightly-2026", "85644d98debc657d880b0e1e", "${BUCKET}", ""] {
        said = said.unsaid(name, "storage", &bucket(name));
    }
    said.unsaid(
        "at another service",
        "storage",
        &[pair[0], pair[1], ("bucket", "backups.example.com"), ("endpoint", "https://s3.example.com")],
    )
    .silent(
        "not: not looked up",
        &toml("[storage.x]\nbucket = { env = \"B\" }\napplication_key_id = { env = \"I\" }\napplication_key = { env = \"K\" }\n"),
        &["--no-resolve"],
    )
    .keep();
}

#[test]
fn a_malformed_workspace() {
    let at = |name| messaging(&[BASE_HOSTED, ("workspace", name)]);
    let mut said = Said::by("malformed-workspace").referred("a domain", "messaging", &at("myteam.slack.com"));
    for (what, name) in [
        ("an address", "https://myteam.slack.com"),
        ("a name", "myteam"),
        ("the ID of a channel", "C0123456789"),
        ("the ID of a user", "U0123456789"),
        ("the ID of an app", "A0123456789"),
        ("small letters", "t0123456789"),
        ("quotes", "\"T0123456789\""),
        ("a part", "T0123"),
    ] {
        said = said.said(what, "messaging", &at(name));
    }
    for name in ["T0123456789", "E0123456789", "${TEAM}", ""] {
        said = said.unsaid(name, "messaging", &at(name));
    }
    said.unsaid("at another service", "messaging", &messaging(&[("workspace", "myteam")])).keep();
}

#[test]
fn a_retired_upload_method() {
    let at = |url, method| messaging(&[("base_url", url), ("upload_method", method)]);
    Said::by("retired-upload-method")
        .referred("the retired method", "messaging", &at("https://slack.com", "files.upload"))
        .said("the retired method at a host below", "messaging", &at("https://example.slack.com", "files.upload"))
        .unsaid("the other method", "messaging", &at("https://slack.com", "external"))
        .unsaid("a method that is empty", "messaging", &at("https://slack.com", ""))
        .unsaid("a method that there is not", "messaging", &at("https://slack.com", "files"))
        .unsaid("no method", "messaging", &messaging(&[("base_url", "https://slack.com")]))
        .unsaid("another host", "messaging", &at("https://chat.example.com", "files.upload"))
        .unsaid("another host that ends so", "messaging", &at("https://notslack.com", "files.upload"))
        .keep();
}

#[test]
fn no_channels() {
    Said::by("no-channels")
        .said("no list", "messaging", &[BASE, BOT])
        .said("an empty list", "messaging", &messaging(&[("channels", "")]))
        .check("an empty list, by a reference", &references("messaging", &messaging(&[("channels", "")])), &[])
        .check("an empty list, in a file of its own", &files("messaging", &messaging(&[("channels", " ")])), &[])
        .silent("not: a list that is misspelt", &toml("[messaging.x]\nchanels = [\"C0123456789\"]\n"), &[])
        .silent("not: a list that is not resolved", &toml("[messaging.x]\nchannels = { env = \"C\" }\n"), &[])
        .keep();
}

/// A profile with this list.
fn channels(list: &str) -> Project {
    toml(&format!(
        "[messaging.x]\nbase_url = \"https://chat.example.com\"\ntoken = {{ env = \"THE_TOKEN\" }}\nchannels = {list}\n"
    ))
    .env("THE_TOKEN", BOT.1)
}

#[test]
fn a_malformed_channel() {
    Said::by("malformed-channel")
        .said("an empty one", "messaging", &messaging(&[("channels", "C0123456789,,D0123456789")]))
        .check("a comma", &channels("[\"C0123456789,D0123456789\"]"), &[])
        .said("white space", "messaging", &messaging(&[("channels", "C01 23456789")]))
        .said("a control character", "messaging", &messaging(&[("channels", "C0123456789\u{7}")]))
        .said("a URL", "messaging", &messaging(&[("channels", HOOK)]))
        .said(
            "what is no id of Slack",
            "messaging",
            &messaging(&[
                BASE_HOSTED,
                (
                    "channels",
                    "c0123456789,#C0123456789,<#C0123456789|general>,C0123456789:1700000000.000100,C0123456789/p1700000000000100,\
                     myteam.slack.com/archives/C0123456789,https://myteam.slack.com/archives/C0123456789,ann@example.com,\
                     T0123456789,B0123456789,1700000000.000100,C0123,General,'C0123456789'",
                ),
            ]),
        )
        .check(
            "a list as JSON, in a variable",
            &file("messaging", &[BASE_HOSTED, BOT])
                .env("CREDLINT_MESSAGING__X__CHANNELS", "[\"C0123456789\",\"D0123456789\"]"),
            WRITTEN_OUT,
        )
        .unsaid(
            "ids of Slack",
            "messaging",
            &messaging(&[BASE_HOSTED, ("channels", "C0123456789,C024BE91L,GABCDEFGH,D0123456789,U0123456789,W0123456789")]),
        )
        .unsaid("any id elsewhere", "messaging", &messaging(&[("channels", "c0123456789,4xp9fdt77pncbef59f4k1qe83o,C1")]))
        .check(
            "white space, by a reference to the whole list",
            &channels("{ env = \"C\" }").env("C", "C01 23456789"),
            &[],
        )
        .check("white space, by a reference to one", &channels("[{ env = \"C\" }]").env("C", "C01 23456789"), &[])
        .keep();
}

#[test]
fn a_channels_name() {
    let named = |field| messaging(&[("channels", "#general,@ann,C0123456789"), field]);
    Said::by("channel-name")
        .said("by the method of one request", "messaging", &named(("upload_method", "files.upload")))
        .said("by the other method", "messaging", &named(("upload_method", "external")))
        .said("by the method of the host", "messaging", &named(("base_url", "https://slack.com")))
        .said("a bare name, at Slack", "messaging", &messaging(&[BASE_HOSTED, ("channels", "general,nightly-2026")]))
        .unsaid("a bare name elsewhere", "messaging", &messaging(&[("channels", "general")]))
        .said("by no known method", "messaging", &named(("upload_method", "files")))
        .check("by a reference to the whole list", &channels("{ env = \"C\" }").env("C", "#general"), &[])
        .check("by a reference to one", &channels("[{ env = \"C\" }]").env("C", "#general"), &[])
        .keep();
}

#[test]
fn a_duplicate_channel() {
    Said::by("duplicate-channel")
        .said("twice", "messaging", &messaging(&[("channels", "C0123456789,D0123456789,C0123456789")]))
        .said("three times", "messaging", &messaging(&[("channels", "C0123456789,C0123456789,C0123456789")]))
        .check(
            "one of them by a reference",
            &channels("[\"C0123456789\", { env = \"C\" }]").env("C", "C0123456789"),
            &[],
        )
        .check(
            "one of them by a reference, the first",
            &channels("[{ env = \"C\" }, \"C0123456789\"]").env("C", "C0123456789"),
            &[],
        )
        .unsaid("two that are malformed", "messaging", &messaging(&[("channels", "a b,a b")]))
        .keep();
}

const APP: &str = "xapp-1-A0000000000-0000000000-abcdefghijkl";
const BOT_OF_APP: &str = "xoxb-0000000000-0000000000-abcdefghijkl";
const ROTATED: &str = "xoxe.xoxb-1-abcdefghijklmnopqrstuvwxyz";
const HEX: &str = "0123456789abcdef0123456789abcdef";

#[test]
fn swapped_app_tokens() {
    Said::by("swapped-app-tokens")
        .referred("the two tokens", "app", &[("bot_token", APP), ("app_token", BOT_OF_APP)])
        .said("an app-level token alone", "app", &[("bot_token", APP)])
        .said("a bot token alone", "app", &[("app_token", BOT_OF_APP)])
        .said("one twice", "app", &[("bot_token", BOT_OF_APP), ("app_token", BOT_OF_APP)])
        .said("one that rotates", "app", &[("bot_token", BOT_OF_APP), ("app_token", ROTATED)])
        .said("a token as the signing secret", "app", &[("signing_secret", BOT_OF_APP)])
        .said("the signing secret and a token", "app", &[("bot_token", HEX), ("signing_secret", BOT_OF_APP)])
        .said("two of one kind", "app", &[("bot_token", APP), ("signing_secret", APP)])
        .said("all three", "app", &[("bot_token", APP), ("app_token", HEX), ("signing_secret", BOT_OF_APP)])
        .said(
            "at an address of one's own",
            "app",
            &[("bot_token", APP), ("app_token", BOT_OF_APP), ("api_url", "https://chat.example.com")],
        )
        .check(
            "the two tokens, from two layers",
            &toml("[app.x]\nbot_token = { env = \"T\" }\n").env("T", APP).env("CREDLINT_APP__X__APP_TOKEN", BOT_OF_APP),
            &[],
        )
        .unsaid("each in its place", "app", &[("bot_token", BOT_OF_APP), ("app_token", APP), ("signing_secret", HEX)])
        .unsaid("one that rotates in its place", "app", &[("bot_token", ROTATED), ("app_token", APP)])
        .keep();
}

#[test]
fn an_expiring_token() {
    let written = |token| file("messaging", &[BASE, CHANNELS, ("token", token)]);
    let app = |token| file("app", &[("bot_token", token)]);
    let user = format!("[app.x]\nbot_token = \"{ROTATED}\"\n");
    let dotenv = Project::new().file(".env", format!("CREDLINT_APP__X__BOT_TOKEN={ROTATED}\n"));
    Said::by("expiring-token")
        .check("a bot token", &written(ROTATED), &[])
        .check("a user token", &written(&ROTATED.replace("xoxb", "xoxp")), &[])
        .check("the bot token of an app", &app(ROTATED), &[])
        .check("in one's own file", &Project::new().user(&user), &[])
        .silent("not: in the environment", &environment("app", &[("bot_token", ROTATED)]), &[])
        .silent("not: by a reference", &references("app", &[("bot_token", ROTATED)]), &[])
        .silent("not: in a file of its own", &files("app", &[("bot_token", ROTATED)]), &[])
        .silent("not: in a dotenv file", &dotenv, &["--env-file", ".env"])
        .silent("not: one that does not rotate", &app(BOT_OF_APP), &["-A", "literal-secret"])
        .keep();
}

#[test]
fn a_mixed_key_pair() {
    let application = [("account_id", ACCOUNT), ("application_key", KEY)];
    let master = [("application_key_id", KEY_ID), ("master_application_key", MASTER)];
    let joined = format!("{KEY_ID}:{KEY}");
    fn account<'a>(id: &'a str, key: &'a str) -> [(&'a str, &'a str); 2] {
        [("account_id", id), ("application_key", key)]
    }
    fn id<'a>(id: &'a str, key: &'a str) -> [(&'a str, &'a str); 2] {
        [("application_key_id", id), ("master_application_key", key)]
    }
    Said::by("mixed-key-pair")
        .referred("an application key", "storage", &application)
        .referred("a master key", "storage", &master)
        .said("the id of an application key, under the wrong name", "storage", &account(KEY_ID, KEY))
        .said("a master key, under the wrong name", "storage", &account(ACCOUNT, MASTER))
        .said("a master key, beside what is not known", "storage", &account("abcdefgh", MASTER))
        .said("an account, under the wrong name", "storage", &id(ACCOUNT, MASTER))
        .said("an application key, under the wrong name", "storage", &id(KEY_ID, KEY))
        .said("the newer ID of a master key, under the wrong name", "storage", &id(MASTER_ID, MASTER))
        .said("the newer ID of a master key, beside an application key", "storage", &account(MASTER_ID, KEY))
        .said("both of the other pair", "storage", &account(KEY_ID, MASTER))
        .said("both of the other pair, the other way", "storage", &id(ACCOUNT, KEY))
        .said("swapped", "storage", &account(KEY, KEY_ID))
        .said("swapped, the other way", "storage", &id(MASTER, ACCOUNT))
        .said("swapped, and of different pairs", "storage", &account(KEY, ACCOUNT))
        .said("two keys", "storage", &account(MASTER, KEY))
        .said("two ids", "storage", &account(ACCOUNT, KEY_ID))
        .said("a key as an id", "storage", &account(KEY, "abcdefgh"))
        .said("an id as a key", "storage", &account("abcdefgh", KEY_ID))
        .said("a bucket", "storage", &account("85644d98debc657d880b0e1e", KEY))
        .said("a pair in one value", "storage", &account(ACCOUNT, &joined))
        .said("of no known form", "storage", &account("abcdefgh", "ijklmnop"))
        .said("for the other API", "storage", &[application[0], application[1], ("endpoint", S3)])
        .said("a master key, for the other API", "storage", &[master[0], master[1], ("endpoint", S3)])
        .said(
            "a master key under the wrong name, for the other API",
            "storage",
            &[account(ACCOUNT, MASTER)[0], account(ACCOUNT, MASTER)[1], ("endpoint", S3)],
        )
        .said(
            "for another service, where 12 digits are no account",
            "storage",
            &[account(KEY, ACCOUNT)[0], account(KEY, ACCOUNT)[1], ("endpoint", "https://s3.example.com")],
        )
        .check(
            "an application key, half of it in the environment",
            &file("storage", &application[1..]).env("CREDLINT_STORAGE__X__ACCOUNT_ID", ACCOUNT),
            WRITTEN_OUT,
        )
        .check(
            "an application key, by an alias",
            &Project::new().file(
                "credlint.yaml",
                "x-y: &half\n  application_key: changeme\nstorage:\n  x:\n    <<: *half\n    account_id: 1a2b3c4d5e6f\n",
            ),
            &[],
        )
        .check(
            "a master key, in JSON",
            &Project::new().file(
                "credlint.json",
                "{\"storage\": {\"x\": {\n  \"application_key_id\": \"changeme\",\n  \"master_application_key\": \"changeme\"\n}}}\n",
            ),
            &[],
        )
        .unsaid(
            "beside a half that is empty",
            "storage",
            &[("account_id", ACCOUNT), ("application_key", KEY), ("application_key_id", "")],
        )
        .silent(
            "not: beside a half that is misspelt",
            &toml("[storage.x]\naccount_id = \"1a2b3c4d5e6f\"\napplication_key = { env = \"K\" }\naplication_key_id = \"\"\n"),
            &["--no-resolve"],
        )
        .keep();
}

#[test]
fn two_key_pairs() {
    let [i, k, a, m] = [
        ("application_key_id", KEY_ID),
        ("application_key", KEY),
        ("account_id", ACCOUNT),
        ("master_application_key", MASTER),
    ];
    let other = ("account_id", "6f5e4d3c2b1a");
    Said::by("two-key-pairs")
        .referred("a whole pair and an account", "storage", &[i, k, a])
        .said("a whole pair and another account", "storage", &[i, k, other])
        .said("a whole pair and a master key", "storage", &[i, k, m])
        .said("a master pair and the id of a key", "storage", &[a, m, i])
        .said("a master pair and the id of a key of another account", "storage", &[other, m, i])
        .said("a master pair and a key", "storage", &[a, m, k])
        .said("both pairs", "storage", &[i, k, a, m])
        .said("both pairs of different accounts", "storage", &[i, k, other, m])
        .said("a pair and its id again", "storage", &[i, k, ("account_id", KEY_ID)])
        .said("a pair and its key again", "storage", &[i, k, ("master_application_key", KEY)])
        .said("the right id is the other one", "storage", &[("application_key_id", ACCOUNT), k, ("account_id", KEY_ID)])
        .said(
            "the right key is the other one",
            "storage",
            &[i, ("application_key", MASTER), ("master_application_key", KEY)],
        )
        .said("values that make no pair", "storage", &[i, ("application_key", MASTER), a])
        .said("swapped, and an account", "storage", &[("application_key_id", KEY), ("application_key", KEY_ID), a])
        .said(
            "of no known form",
            "storage",
            &[("application_key_id", "a1"), ("application_key", "b2"), ("account_id", "c3")],
        )
        .said("both pairs, for the other API", "storage", &[i, k, a, m, ("endpoint", S3)])
        .said("a master pair and a key, for the other API", "storage", &[a, m, k, ("endpoint", S3)])
        .keep();
}

#[test]
fn an_incomplete_key_pair() {
    let [i, k, a, m] = [
        ("application_key_id", KEY_ID),
        ("application_key", KEY),
        ("account_id", ACCOUNT),
        ("master_application_key", MASTER),
    ];
    let joined = format!("{KEY_ID}:{KEY}");
    Said::by("incomplete-key-pair")
        .referred("the id of an application key alone", "storage", &[i])
        .said("an application key alone", "storage", &[k])
        .said("an account alone", "storage", &[a])
        .said("a master key alone", "storage", &[m])
        .said("two ids", "storage", &[i, a])
        .said("two keys", "storage", &[k, m])
        .said("a key as an id, alone", "storage", &[("application_key_id", KEY)])
        .said("a master key as an id, alone", "storage", &[("application_key_id", MASTER)])
        .said("an id as a key, alone", "storage", &[("application_key", KEY_ID)])
        .said("an account as the id of a key, alone", "storage", &[("application_key_id", ACCOUNT)])
        .said("the id of a key as an account, alone", "storage", &[("account_id", KEY_ID)])
        .said("a master key as an application key, alone", "storage", &[("application_key", MASTER)])
        .said("a bucket, alone", "storage", &[("application_key_id", "85644d98debc657d880b0e1e")])
        .said("a pair in one value", "storage", &[("application_key", &joined)])
        .said("a pair under the names of ids", "storage", &[i, ("account_id", KEY)])
        .said(
            "a pair under the names of keys",
            "storage",
            &[("application_key", KEY_ID), ("master_application_key", KEY)],
        )
        .said("one id twice", "storage", &[i, ("account_id", KEY_ID)])
        .said("keys under the names of ids", "storage", &[("application_key_id", KEY), ("account_id", MASTER)])
        .said("a key of another pair as an id", "storage", &[i, ("account_id", MASTER)])
        .said("an account, for the other API", "storage", &[a, ("endpoint", S3)])
        .said("a master key, for the other API", "storage", &[m, ("endpoint", S3)])
        .said("the id of an application key, for the other API", "storage", &[i, ("endpoint", S3)])
        .said("two ids, for the other API", "storage", &[i, a, ("endpoint", S3)])
        .unsaid("its other half is empty", "storage", &[i, ("application_key", "")])
        .silent(
            "not: its other half is misspelt",
            &toml("[storage.x]\napplication_key = { env = \"K\" }\naplication_key_id = \"\"\n"),
            &["--no-resolve"],
        )
        .keep();
}

#[test]
fn a_missing_key_pair() {
    Said::by("missing-key-pair")
        .check("nothing at all", &toml("[storage.x]\n"), &[])
        .said("a bucket only", "storage", &[("bucket", "nightly")])
        .said("for the other API", "storage", &[("endpoint", S3)])
        .unsaid("halves that are empty", "storage", &[("account_id", ""), ("application_key", "")])
        .silent("not: a half that is misspelt", &toml("[storage.x]\nacount_id = \"1a2b3c4d5e6f\"\n"), &[])
        .check("another field is misspelt", &toml("[storage.x]\nbuket = \"nightly\"\n"), &[])
        .silent("not: a profile that is no table", &toml("[storage]\nx = 1\n"), &[])
        .keep();
}

#[test]
fn mixed_key_values() {
    let application = |id, key| [("application_key_id", id), ("application_key", key)];
    let master = |id, key| [("account_id", id), ("master_application_key", key)];
    Said::by("mixed-key-values")
        .referred("an account beside an application key", "storage", &application(ACCOUNT, KEY))
        .said("an account beside an application key, as a master key", "storage", &master(ACCOUNT, KEY))
        .referred("the id of a key beside a master key", "storage", &application(KEY_ID, MASTER))
        .said("the id of a key beside a master key, as a master key", "storage", &master(KEY_ID, MASTER))
        .said(
            "for the other API",
            "storage",
            &[application(ACCOUNT, KEY)[0], application(ACCOUNT, KEY)[1], ("endpoint", S3)],
        )
        .said(
            "for the other API, as a master key",
            "storage",
            &[master(KEY_ID, MASTER)[0], master(KEY_ID, MASTER)[1], ("endpoint", S3)],
        )
        .keep();
}

#[test]
fn a_swapped_key_pair() {
    let application = |id, key| [("application_key_id", id), ("application_key", key)];
    let master = |id, key| [("account_id", id), ("master_application_key", key)];
    let mut said = Said::by("swapped-key-pair");
    for (what, id, key) in [
        ("each in the other's field", KEY, KEY_ID),
        ("a master pair, each in the other's field", MASTER, ACCOUNT),
        ("strangers, each in the other's field", KEY, ACCOUNT),
        ("strangers, each in the other's field, the other way", MASTER, KEY_ID),
        ("a key in both", KEY, KEY),
        ("an id in both", KEY_ID, KEY_ID),
        ("a key of no form in the place of the id's partner", KEY, "abcdefgh"),
        ("an id beside what has no form", "abcdefgh", KEY_ID),
    ] {
        said = said.said(what, "storage", &application(id, key)).said(
            &format!("{what}, as a master key"),
            "storage",
            &master(id, key),
        );
    }
    let [id, key] = master(MASTER, ACCOUNT);
    said = said.said("each in the other's field, for the other API", "storage", &[id, key, ("endpoint", S3)]);
    said.check("each in the other's field, by references", &references("storage", &application(KEY, KEY_ID)), &[])
        .check("an id in both, in files of their own", &files("storage", &application(KEY_ID, KEY_ID)), &[])
        .keep();
}

#[test]
fn a_master_key_on_an_s3_endpoint() {
    let at = |id, key| [("account_id", id), ("master_application_key", key), ("endpoint", S3)];
    Said::by("master-key-on-s3-endpoint")
        .referred("both have the form", "storage", &at(ACCOUNT, MASTER))
        .said("the id has the form", "storage", &at(ACCOUNT, "abcdefgh"))
        .said("the key has the form", "storage", &at("abcdefgh", MASTER))
        .said(
            "under the other names",
            "storage",
            &[
                ("application_key_id", ACCOUNT),
                ("application_key", MASTER),
                ("endpoint", "s3.us-west-004.backblazeb2.com"),
            ],
        )
        .unsaid(
            "another service",
            "storage",
            &[("account_id", ACCOUNT), ("master_application_key", MASTER), ("endpoint", "https://s3.example.com")],
        )
        .keep();
}

#[test]
fn a_master_key_as_an_application_key() {
    Said::by("master-key-as-application-key")
        .referred("the pair", "storage", &[("application_key_id", ACCOUNT), ("application_key", MASTER)])
        .unsaid("under its own names", "storage", &[("account_id", ACCOUNT), ("master_application_key", MASTER)])
        .keep();
}

#[test]
fn a_cluster_mismatch() {
    let pair = |key| [("application_key_id", KEY_ID), ("application_key", key)];
    let at = |key, endpoint| [pair(key)[0], pair(key)[1], ("endpoint", endpoint)];
    Said::by("cluster-mismatch")
        .referred("the key", "storage", &pair(OTHER_KEY))
        .referred("the endpoint", "storage", &at(KEY, OTHER_S3))
        .said("both", "storage", &at(OTHER_KEY, OTHER_S3))
        .said("the key, and the endpoint agrees", "storage", &at(OTHER_KEY, S3))
        .said("the endpoint, and the key is unknown", "storage", &at("abcdefgh", OTHER_S3))
        .unsaid("all agree", "storage", &at(KEY, S3))
        .unsaid("an endpoint without a cluster", "storage", &at(KEY, "https://s3.backblazeb2.com"))
        .keep();
}

#[test]
fn what_is_no_id_of_a_key() {
    let bucket = "85644d98debc657d880b0e1e";
    let application = |id| [("application_key_id", id), ("application_key", KEY)];
    let master = |id| [("account_id", id), ("master_application_key", MASTER)];
    Said::by("not-a-key-id")
        .referred("a bucket", "storage", &application(bucket))
        .said("a bucket, as an account", "storage", &master(bucket))
        .said("an address", "storage", &application("ann@example.com"))
        .said("an address, as an account", "storage", &master("ann@example.com"))
        .keep();
}

#[test]
fn an_unknown_field() {
    let fields = "[messaging.x]\nbase_url = \"https://chat.example.com\"\ntoken = { env = \"T\" }\n";
    let x = |more: &str| toml(&format!("{fields}{more}\n"));
    let args: &[&str] = &["--no-resolve"];
    Said::by("unknown-field")
        .check("a table, nearly", &toml("[mesaging.x]\n"), args)
        .check("a table, and nothing near", &toml("[colour.x]\n"), args)
        .check("a field, nearly", &x("chanels = [\"C0123456789\"]"), args)
        .check("a field, and nothing near", &x("colour = 1"), args)
        .check("a field of the other kind", &toml("[storage.x]\ntoken = 1\n"), args)
        .check("a field that could be anything", &x("hunter2 = 1"), args)
        .check("what another program calls it", &toml("[messaging.x]\nbase_url = \"https://slack.com\"\nbot_token = \"xoxb-0000000000-0000000000-abcdefghijkl\"\nchannel = \"C0123456789\"\n"), args)
        .check("a pair by another program's names", &toml("[storage.x]\naccessKeyId = 1\nsecret-access-key = 2\n"), args)
        .check("a key beside an account", &toml("[storage.x]\naccount_id = \"1a2b3c4d5e6f\"\nkey = 1\n"), args)
        .check("an ID beside a master key", &toml("[storage.x]\nid = 1\nmaster_key = 1\n"), args)
        .check(
            "another program's name for what is set",
            &toml("[storage.x]\napplication_key_id = \"0051a2b3c4d5e6f0000000001\"\napplication_key = { env = \"K\" }\nkey = 1\n"),
            args,
        )
        .check(
            "another program's names, in variables",
            &toml("[storage.x]\naccount_id = \"1a2b3c4d5e6f\"\n")
                .env("CREDLINT_STORAGE__X__KEY_FILE", "none")
                .env("CREDLINT_STORAGE__Y__KEY_ID", "none"),
            args,
        )
        .check("a key of a reference, nearly", &x("webhook_url = { evn = \"H\" }"), args)
        .check("a key of a reference, and nothing near", &x("webhook_url = { env = \"H\", colour = 1 }"), args)
        .check("a key of a reference in a list", &x("channels = [{ fil = \"c\" }]"), args)
        .check("a key of the linter, nearly", &x("[lint]\nfail_no = \"error\""), args)
        .check("a key of the linter, and nothing near", &x("[lint]\ncolour = 1"), args)
        .check("a rule of a level, nearly", &x("[lint]\nlevels = { no-chanels = \"off\" }"), args)
        .check("a rule of a level, and nothing near", &x("[lint]\nlevels = { no-colours-here = \"off\" }"), args)
        .check("a rule of a level that could be anything", &x("[lint]\nlevels = { hunter2 = \"off\" }"), args)
        .check("a key of an allow, nearly", &x("[[lint.allow]]\nrule = \"no-channels\"\nreasn = \"by hand\""), args)
        .check(
            "a key of an allow, and nothing near",
            &x("[[lint.allow]]\nrule = \"no-channels\"\ncolour = 1\nreason = \"by hand\""),
            args,
        )
        .check("a rule of an allow, nearly", &x("[[lint.allow]]\nrule = \"no-chanels\"\nreason = \"by hand\""), args)
        .check(
            "a rule of an allow, and nothing near",
            &x("[[lint.allow]]\nrule = \"no-colours-here\"\nreason = \"by hand\""),
            args,
        )
        .check(
            "a rule of an allow that could be anything",
            &x("[[lint.allow]]\nrule = \"A b\"\nreason = \"r s\""),
            args,
        )
        .check(
            "a rule of a level in a policy",
            &x("").file("policy.toml", "[lint]\nlevels = { no-chanels = \"off\" }\n"),
            &["--no-resolve", "--policy", "policy.toml"],
        )
        .check("a variable, nearly", &x("").env("CREDLINT_MESSAGING__X__CHANELS", "C0123456789"), args)
        .check("a variable with a kind, nearly", &x("").env("CREDLINT_MESAGING__X__CHANNELS", "C0123456789"), args)
        .check("a variable in small letters", &x("").env("CREDLINT_MESSAGING__X__channels", "C0123456789"), args)
        .check("a variable, and nothing near", &x("").env("CREDLINT_MESSAGING__X__COLOUR", "red"), args)
        .check("a variable of no profile", &x("").env("CREDLINT_MESSAGING__CHANNELS", "C0123456789"), args)
        .check("a variable of the linter", &x("").env("CREDLINT_LINT__FAIL_ON", "error"), args)
        .check(
            "a variable in a dotenv file",
            &x("").file("x.env", "CREDLINT_MESSAGING__X__CHANELS=C0123456789\n"),
            &["--no-resolve", "--env-file", "x.env"],
        )
        .keep();
}

#[test]
fn a_wrong_type() {
    let x = |field: &str| toml(&format!("[messaging.x]\n{field}\n"));
    let lint = |text: &str| toml(&format!("[storage.x]\n[lint]\n{text}\n"));
    let args: &[&str] = &["--no-resolve"];
    let mut said = Said::by("wrong-type");
    for (what, value) in [
        ("a number", "3"),
        ("a fraction", "1.5"),
        ("a boolean", "true"),
        ("a date", "2026-11-20"),
        ("a list", "[\"a\"]"),
        ("an empty table", "{}"),
    ] {
        said = said
            .check(&format!("{what} for text"), &x(&format!("token = {value}")), args)
            .check(&format!("{what} for a path"), &x(&format!("ca_file = {value}")), args)
            .check(&format!("{what} for a choice"), &x(&format!("upload_method = {value}")), args);
        if what != "a list" {
            said = said.check(&format!("{what} for a list"), &x(&format!("channels = {value}")), args).check(
                &format!("{what} in a list"),
                &x(&format!("channels = [{value}]")),
                args,
            );
        }
    }
    said.check("a list in a list", &x("channels = [[\"C0123456789\"]]"), args)
        .check("a string for a list", &x("channels = \"C0123456789\""), args)
        .check("another string for a choice", &x("upload_method = \"files\""), args)
        .check(
            "another string for a choice, in the environment",
            &Project::new().env("CREDLINT_MESSAGING__X__UPLOAD_METHOD", "files"),
            &[],
        )
        .check(
            "another string for a choice, by a reference",
            &x("upload_method = { env = \"M\" }").env("M", "files"),
            &[],
        )
        .check(
            "another string for a choice, in a file of its own",
            &x("upload_method = { file = \"m\" }").file("m", "files"),
            &[],
        )
        .check("a number for the name of a variable", &x("token = { env = 3 }"), args)
        .check("a table for the name of a file", &x("token = { file = {} }"), args)
        .check("a number for a profile", &toml("[messaging]\nx = 1\n"), args)
        .check("a string for a profile", &toml("[storage]\nx = \"1\"\n"), args)
        .check("a number for a kind", &toml("messaging = 1\n"), args)
        .check("a list for a kind", &toml("storage = []\n"), args)
        .check("a boolean for the linter", &toml("lint = true\n[storage.x]\n"), args)
        .check("a number for a severity", &lint("fail_on = 1"), args)
        .check("another string for a severity", &lint("fail_on = \"note\""), args)
        .check("a list for the levels", &lint("levels = []"), args)
        .check("a number for a level", &lint("levels = { no-channels = 1 }"), args)
        .check("another string for a level", &lint("levels = { no-channels = \"fatal\" }"), args)
        .check("another string for a level of what could be anything", &lint("levels = { hunter2 = \"fatal\" }"), args)
        .check("a table for the allows", &lint("allow = {}"), args)
        .check("a string for an allow", &lint("allow = [\"no-channels\"]"), args)
        .check("an allow without a rule", &lint("allow = [{ reason = \"by hand\" }]"), args)
        .check("a number for a rule", &lint("allow = [{ rule = 1, reason = \"by hand\" }]"), args)
        .check("a list for a profile of an allow", &lint("allow = [{ rule = \"no-channels\", profile = [] }]"), args)
        .check("a boolean for a reason", &lint("allow = [{ rule = \"no-channels\", reason = true }]"), args)
        .check(
            "a number in a policy",
            &toml("[storage.x]\n").file("policy.toml", "[lint]\nfail_on = 1\n"),
            &["--policy", "policy.toml"],
        )
        .check(
            "a number, in YAML",
            &Project::new().file("credlint.yaml", "messaging:\n  x: [1]\n  y:\n    token: { env: [1] }\n"),
            args,
        )
        .check(
            "a number, in JSON",
            &Project::new()
                .file("credlint.json", "{\"messaging\": {\"x\": {\"token\": 4532e1, \"channels\": true}}}\n"),
            args,
        )
        .keep();
}

#[test]
fn an_empty_credential() {
    Said::by("empty-credential")
        .referred("a token", "messaging", &messaging(&[("token", "")]))
        .referred("a webhook", "messaging", &messaging(&[("webhook_url", "")]))
        .referred("half a pair", "storage", &[("application_key_id", ""), ("application_key", KEY)])
        .check(
            "a token, by a variable that names a file",
            &Project::new().file("t", "\n").env("CREDLINT_MESSAGING__X__TOKEN_FILE", "t"),
            &[],
        )
        .check(
            "a token, by a reference to a dotenv file",
            &toml("[messaging.x]\ntoken = { env = \"T\" }\n").file("x.env", "T=\n"),
            &["--env-file", "x.env"],
        )
        .keep();
}

#[test]
fn a_malformed_credential() {
    let mut said = Said::by("malformed-credential");
    for (what, token) in [
        ("the word of the header", "Bearer xoxb-0000000000-abcdefghijkl"),
        ("the word of the header, in small letters", "bearer xoxb-0000000000-abcdefghijkl"),
        ("a space", "xoxb-0000000000 abcdefghijkl"),
        ("a line break", "xoxb-0000000000-abcdefghijkl\n"),
        ("a control character", "xoxb-0000000000-abcdefghijkl\u{1b}"),
        ("a dash of a document", "xoxb–0000000000–abcdefghijkl"),
        ("all at once", "Bearer xoxb–0000000000\u{1b}"),
    ] {
        said = said.said(what, "messaging", &messaging(&[("token", token)]));
    }
    let spaced = [("application_key_id", KEY_ID), ("application_key", "K005abcdefghijklmnopqrstuvwxyz1 ")];
    said.referred("a space, in a key", "storage", &spaced)
        .said("a space, in a webhook", "messaging", &messaging(&[("webhook_url", "https://hooks.example.com/ x")]))
        .unsaid("a stand-in with a space", "messaging", &messaging(&[("token", "<your token>")]))
        .unsaid(
            "a webhook with a space as a token",
            "messaging",
            &messaging(&[("token", "https://hooks.example.com/ x")]),
        )
        .keep();
}

#[test]
fn a_placeholder() {
    let mut said = Said::by("placeholder-credential");
    for (what, token) in [
        ("brackets", "<your token>"),
        ("a word", "changeme"),
        ("a word for no value", "null"),
        ("a redaction", "[REDACTED]"),
        ("a prefix and a word", "xoxb-your-token"),
        ("one character", "xxxxxxxx"),
    ] {
        said = said.said(what, "messaging", &messaging(&[("token", token)]));
    }
    said.referred("a word, in a key", "storage", &[("application_key_id", KEY_ID), ("application_key", "your-key")])
        .unsaid("digits", "storage", &[("application_key_id", KEY_ID), ("application_key", "00000000")])
        .keep();
}

#[test]
fn an_unresolved_reference() {
    let x = |reference: &str| toml(&format!("[messaging.x]\ntoken = {reference}\n"));
    Said::by("unresolved-reference")
        .check("a variable that is not set", &x("{ env = \"NOT_SET\" }"), &[])
        .check("a variable whose name could be anything", &x("{ env = \"hunter2\" }"), &[])
        .check("a file that is not there", &x("{ file = \"no/such.txt\" }"), &[])
        .check("a file whose name could be anything", &x("{ file = \"hunter2\" }"), &[])
        .check("a directory", &x("{ file = \"./.git\" }"), &[])
        .check("a file that is not UTF-8", &x("{ file = \"token.txt\" }").file("token.txt", b"ab\xff"), &[])
        .check("a file that is too large", &x("{ file = \"token.txt\" }").file("token.txt", "x".repeat(1 << 21)), &[])
        .check(
            "a variable that names a file",
            &Project::new().env("CREDLINT_MESSAGING__X__TOKEN_FILE", "no/such.txt"),
            &[],
        )
        .check(
            "a variable of another field",
            &toml("[messaging.x]\nbase_url = { env = \"NOT_SET\" }\nca_file = { env = \"NOT_SET\" }\n"),
            &[],
        )
        .check("a variable of the whole list", &channels("{ env = \"NOT_SET\" }"), &[])
        .check("a variable of one of a list", &channels("[\"C0123456789\", { env = \"NOT_SET\" }]"), &[])
        .check("a file of one of a list", &channels("[{ file = \"no/such.txt\" }]"), &[])
        .silent("not: nothing is looked up", &x("{ env = \"NOT_SET\" }"), &["--no-resolve"])
        .keep();
}

#[test]
fn a_conflicting_reference() {
    let both = "{ env = \"A\", file = \"b\" }";
    Said::by("conflicting-reference")
        .check("two ways in a table", &toml(&format!("[messaging.x]\ntoken = {both}\n")), &[])
        .check("two ways in a table of another field", &toml(&format!("[storage.x]\nbucket = {both}\n")), &[])
        .check("two ways in a list", &channels(&format!("[\"C0123456789\", {both}]")), &[])
        .check("two ways to say a list", &channels(both), &[])
        .check(
            "two variables",
            &Project::new()
                .file("t", "x")
                .env("CREDLINT_MESSAGING__X__TOKEN", BOT.1)
                .env("CREDLINT_MESSAGING__X__TOKEN_FILE", "t"),
            &[],
        )
        .check(
            "two variables of a dotenv file",
            &Project::new()
                .file("x.env", "CREDLINT_STORAGE__X__ACCOUNT_ID_FILE=t\nCREDLINT_STORAGE__X__ACCOUNT_ID=u\n"),
            &["--env-file", "x.env"],
        )
        .keep();
}

#[test]
fn a_redirected_credential() {
    let pair = "[storage.x]\napplication_key_id = \"0051a2b3c4d5e6f0000000001\"\n";
    let mine = |text: &str, project: &str| Project::new().user(text).file("credlint.toml", project);
    let token = "[messaging.x]\ntoken = \"xoxb-0000000000-abcdefghijkl\"\n";
    let key = format!("{pair}application_key = \"{KEY}\"\n");
    let to = "[messaging.x]\nbase_url = \"https://chat.example.com\"\n";
    let ca = "ca_file = \"ca.pem\"\n";
    Said::by("redirected-credential")
        .check("an address", &mine(token, to), &[])
        .check(
            "an authority",
            &mine(&format!("{token}base_url = \"https://h.example\"\n"), &format!("[messaging.x]\n{ca}")),
            &[],
        )
        .check("both", &mine(token, &format!("{to}{ca}")), &[])
        .check(
            "an address, and nothing is looked up",
            &mine("[messaging.x]\ntoken = { env = \"T\" }\n", to),
            &["--no-resolve"],
        )
        .check("an address of the other kind", &mine(&key, "[storage.x]\nendpoint = \"https://s3.example.com\"\n"), &[])
        .check("where to ask", &mine(&key, "[storage.x]\napi_url = \"https://api.example.com\"\n"), &[])
        .silent("not: a webhook", &mine("[messaging.x]\nwebhook_url = \"https://hooks.example.com/x\"\n", to), &[])
        .silent("not: an id", &mine(pair, "[storage.x]\nendpoint = \"https://s3.example.com\"\n"), &[])
        .silent("not: an address that is empty", &mine(token, "[messaging.x]\nbase_url = \"\"\n"), &[])
        .silent("not: the secret is the project's, too", &mine(token, &format!("{to}token = \"changeme\"\n")), &[])
        .silent(
            "not: the address is one's own",
            &mine(&format!("{token}base_url = \"https://h.example\"\n"), "[messaging.x]\n"),
            &[],
        )
        .silent(
            "not: the file was named",
            &mine(token, to).env("CREDLINT_MESSAGING__X__TOKEN", BOT.1),
            &["--config", "credlint.toml"],
        )
        .keep();
}

#[test]
fn a_literal_secret() {
    let pair = [("application_key_id", KEY_ID), ("application_key", KEY)];
    let token = messaging(&[]);
    Said::by("literal-secret")
        .check("a token in the project's file", &file("messaging", &token), &[])
        .check("a token in a file that was named", &file("messaging", &token), &["--config", "credlint.toml"])
        .check("a token that is a URL", &file("messaging", &messaging(&[("token", HOOK)])), &[])
        .check("a webhook beside a token", &file("messaging", &messaging(&[("webhook_url", HOOK)])), &[])
        .check("a key", &file("storage", &pair), &[])
        .check("a master key", &file("storage", &[("account_id", ACCOUNT), ("master_application_key", MASTER)]), &[])
        .silent("not: in the environment", &environment("messaging", &token), &[])
        .silent("not: by references", &references("messaging", &token), &[])
        .silent("not: in files of their own", &files("messaging", &token), &[])
        .silent("not: in one's own file", &Project::new().user(&format!("[messaging.x]\ntoken = \"{}\"\n", BOT.1)), &[])
        .silent(
            "not: in a dotenv file",
            &Project::new().file("x.env", format!("CREDLINT_MESSAGING__X__TOKEN={}\n", BOT.1)),
            &["--env-file", "x.env"],
        )
        .silent("not: a stand-in", &file("messaging", &messaging(&[("token", "changeme")])), &[])
        .silent("not: an id", &file("storage", &[("account_id", ACCOUNT)]), &[])
        .keep();
}

#[test]
fn a_readable_secret_file() {
    // If file modes have no effect, there are no findings.
    if !modes_count() {
        return;
    }
    let on_disk = || Project::on_disk();
    let token = format!("[messaging.x]\ntoken = \"{}\"\n", BOT.1);
    let reference = "[messaging.x]\ntoken = { file = \"token.txt\" }\n";
    let readable = |project: Project, name: &str, mode: u32| {
        set_mode(&project.path().join(name), mode);
        project
    };
    let own = "../home/.config/credlint/config.toml";
    let both = format!(
        "[storage.x]\napplication_key_id = \"{KEY_ID}\"\napplication_key = \"{KEY}\"\nmaster_application_key = \"{MASTER}\"\n"
    );
    let two = "[messaging.x]\ntoken = { file = \"token.txt\" }\nwebhook_url = { file = \"hook.txt\" }\n";
    let two_files = || on_disk().file("credlint.toml", two).file("token.txt", BOT.1).file("hook.txt", HOOK);
    let served = "[messaging.x]\ntoken = { env = \"T\" }\n[messaging.y]\ntoken = { env = \"U\" }\n[messaging.z]\ntoken = { env = \"T\" }\n";
    let serving = |more: &str| {
        let tokens = "T=xoxb-0000000000-0000000000-thisisnotone\nU=xoxb-0000000000-0000000000-norisitthis\n";
        on_disk().file("credlint.toml", served).file("x.env", format!("{tokens}{more}"))
    };
    let stand_ins = "T=xoxb-0000000000-0000000000-abcdefghijkl\nU=of-no-known-form\n";
    Said::by("readable-secret-file")
        .check("one's own file", &readable(on_disk().user(&token), own, 0o644), &[])
        .check("one's own file, by its group", &readable(on_disk().user(&token), own, 0o640), &[])
        .check("one's own file with two secrets", &readable(on_disk().user(&both), own, 0o604), &[])
        .check(
            "one's own file with two secrets in two profiles",
            &readable(on_disk().user(&format!("{token}[messaging.y]\ntoken = \"xoxp-0\"\n")), own, 0o644),
            &[],
        )
        .check(
            "a dotenv file",
            &readable(on_disk().file("x.env", format!("CREDLINT_STORAGE__X__APPLICATION_KEY={KEY}\n")), "x.env", 0o644),
            &["--env-file", "x.env"],
        )
        .check(
            "a file that is named",
            &readable(on_disk().file("credlint.toml", reference).file("token.txt", BOT.1), "token.txt", 0o644),
            &[],
        )
        .check(
            "a file that a variable names",
            &readable(
                on_disk().file("token.txt", BOT.1).env("CREDLINT_MESSAGING__X__TOKEN_FILE", "token.txt"),
                "token.txt",
                0o644,
            ),
            &[],
        )
        .check("two files that are named", &readable(readable(two_files(), "token.txt", 0o644), "hook.txt", 0o644), &[])
        .check("one of two files that are named", &readable(two_files(), "hook.txt", 0o644), &[])
        .check(
            "one's own file, and one that is named",
            &readable(
                readable(on_disk().user(&token), own, 0o644)
                    .file("credlint.toml", "[messaging.x]\nwebhook_url = { file = \"hook.txt\" }\n")
                    .file("hook.txt", HOOK),
                "hook.txt",
                0o644,
            ),
            &[],
        )
        .check(
            "two layers, each with a secret",
            &readable(
                readable(
                    on_disk().user(&token).file("x.env", format!("CREDLINT_MESSAGING__X__WEBHOOK_URL={HOOK}\n")),
                    "x.env",
                    0o644,
                ),
                own,
                0o644,
            ),
            &["--env-file", "x.env"],
        )
        .check(
            "a dotenv file that serves two profiles",
            &readable(serving(""), "x.env", 0o644),
            &["--env-file", "x.env"],
        )
        .check(
            "a dotenv file that serves two profiles, and sets a field",
            &readable(serving(&format!("CREDLINT_STORAGE__X__APPLICATION_KEY={KEY}\n")), "x.env", 0o644),
            &["--env-file", "x.env"],
        )
        .silent("not: a dotenv file for oneself that serves", &serving(""), &["--env-file", "x.env"])
        .silent(
            "not: a dotenv file that the environment hides",
            &readable(serving("").env("T", "x").env("U", "x"), "x.env", 0o644),
            &["--env-file", "x.env"],
        )
        .silent(
            "not: what a dotenv file holds is an example, a stand-in or of no known form",
            &readable(on_disk().file("credlint.toml", served).file("x.env", stand_ins), "x.env", 0o644),
            &["--env-file", "x.env"],
        )
        .silent("not: a file for oneself", &on_disk().user(&token), &[])
        .silent(
            "not: a file for oneself that is named",
            &on_disk().file("credlint.toml", reference).file("token.txt", BOT.1),
            &[],
        )
        .silent(
            "not: the project's file",
            &readable(on_disk().file("credlint.toml", &token), "credlint.toml", 0o644),
            &[],
        )
        .silent(
            "not: a file that was named with --config",
            &readable(on_disk().file("more.toml", &token), "more.toml", 0o644),
            &["--config", "more.toml"],
        )
        .silent(
            "not: a project's file for others that names one for oneself",
            &readable(on_disk().file("credlint.toml", reference).file("token.txt", BOT.1), "credlint.toml", 0o644),
            &[],
        )
        .silent("not: a stand-in", &readable(on_disk().user("[messaging.x]\ntoken = \"changeme\"\n"), own, 0o644), &[])
        .silent("not: nothing", &readable(on_disk().user("[messaging.x]\ntoken = \"\"\n"), own, 0o644), &[])
        .silent(
            "not: an id",
            &readable(on_disk().user(&format!("[storage.x]\naccount_id = \"{ACCOUNT}\"\n")), own, 0o644),
            &[],
        )
        .silent(
            "not: a variable of a dotenv file that a reference finds",
            &readable(
                on_disk()
                    .file("credlint.toml", "[messaging.x]\ntoken = { env = \"T\" }\n")
                    .file("x.env", format!("T={}\n", BOT.1)),
                "x.env",
                0o644,
            ),
            &["--env-file", "x.env"],
        )
        .keep();
}

#[test]
fn a_shadowed_credential() {
    let written = || file("messaging", &messaging(&[]));
    let variable = "CREDLINT_MESSAGING__X__TOKEN";
    let base = "[messaging.x]\nbase_url = \"https://chat.example.com\"\nchannels = [\"C0123456789\"]\n";
    let env = |name: &str| toml(&format!("{base}token = {{ env = \"{name}\" }}\n")).env(name, BOT.1);
    Said::by("shadowed-credential")
        .check("a file by the environment", &written().env(variable, "xoxb-1"), WRITTEN_OUT)
        .check("a reference by the environment", &env("T").env(variable, "xoxb-1"), &[])
        .check(
            "a file by a dotenv file",
            &written().file("x.env", "CREDLINT_MESSAGING__X__TOKEN=xoxb-1\n"),
            &["--env-file", "x.env"],
        )
        .check(
            "two files by the environment",
            &written().user("[messaging.x]\ntoken = \"xoxb-2\"\n").env(variable, "xoxb-1"),
            WRITTEN_OUT,
        )
        .check(
            "one file of two by the environment",
            &written().user("[messaging.x]\ntoken = \"xoxb-1\"\n").env(variable, "xoxb-1"),
            WRITTEN_OUT,
        )
        .check(
            "a file by another file",
            &env("T").file("more.toml", "[messaging.x]\ntoken = { env = \"U\" }\n"),
            &["--no-resolve", "--config", "credlint.toml", "--config", "more.toml"],
        )
        .check(
            "both halves of a pair",
            &file("storage", &[("application_key_id", KEY_ID), ("application_key", KEY)])
                .env("CREDLINT_STORAGE__X__APPLICATION_KEY_ID", "0051a2b3c4d5e6f0000000002")
                .env("CREDLINT_STORAGE__X__APPLICATION_KEY", "K005abcdefghijklmnopqrstuvwxyz2"),
            WRITTEN_OUT,
        )
        .silent("not: both say the same", &written().env(variable, BOT.1), &[])
        .silent("not: the upper one is empty", &env("T").env(variable, ""), &[])
        .silent(
            "not: the lower one is a stand-in",
            &toml(&format!("{base}token = \"changeme\"\n")).env(variable, "xoxb-1"),
            &[],
        )
        .silent("not: no credential", &written().env("CREDLINT_MESSAGING__X__BASE_URL", "https://h.example"), &[])
        .keep();
}

#[test]
fn an_unused_allow() {
    let allow = |rest: &str| toml(&format!("[storage.x]\n[[lint.allow]]\n{rest}\n"));
    let comment = |text: &str| toml(&format!("# credlint: {text}\n[storage.x]\n"));
    Said::by("unused-allow")
        .check("a table", &allow("rule = \"no-channels\"\nreason = \"by hand\""), &[])
        .check(
            "a table for another profile",
            &allow("rule = \"missing-key-pair\"\nprofile = \"storage.y\"\nreason = \"by hand\""),
            &[],
        )
        .check(
            "a table in a policy",
            &toml("[storage.x]\n").file("p.toml", "[[lint.allow]]\nrule = \"no-channels\"\nreason = \"by hand\"\n"),
            &["--policy", "p.toml"],
        )
        .check("a comment", &comment("allow(no-channels) by hand"), &[])
        .check("a comment for two rules", &comment("allow(no-channels, missing-key-pair) by hand"), &[])
        .check("a comment behind a line", &toml("[storage.x] # credlint: allow(no-channels) by hand\n"), &[])
        .check("a comment for a rule that there nearly is", &comment("allow(no-chanels) by hand"), &[])
        .check("a comment for a rule that there is not", &comment("allow(no-colours-here) by hand"), &[])
        .check("a comment for what could be anything", &comment("allow(hunter2) by hand"), &[])
        .check(
            "a comment in a dotenv file",
            &toml("[storage.x]\n").file("x.env", "# credlint: allow(no-channels) by hand\nA=b\n"),
            &["--env-file", "x.env"],
        )
        .silent("not: a table for a rule that there is not", &allow("rule = \"no-chanels\"\nreason = \"by hand\""), &[])
        .silent("not: without a reason", &allow("rule = \"no-channels\""), &[])
        .silent("not: what is allowed is found", &allow("rule = \"missing-key-pair\"\nreason = \"by hand\""), &[])
        .silent(
            "not: not everything was looked at",
            &allow("rule = \"no-channels\"\nreason = \"by hand\""),
            &["--profile", "x"],
        )
        .silent("not: no allow counts", &allow("rule = \"no-channels\"\nreason = \"by hand\""), &["--no-allow"])
        .keep();
}

#[test]
fn an_allow_without_a_reason() {
    let allow = |rest: &str| toml(&format!("[storage.x]\n[[lint.allow]]\n{rest}\n"));
    let comment = |text: &str| toml(&format!("# credlint: {text}\n[storage.x]\n"));
    Said::by("allow-without-reason")
        .check("a table", &allow("rule = \"missing-key-pair\""), &[])
        .check("a table with a reason that is empty", &allow("rule = \"missing-key-pair\"\nreason = \"\""), &[])
        .check("a table that nothing needs", &allow("rule = \"no-channels\""), &[])
        .check("a comment", &comment("allow(missing-key-pair)"), &[])
        .check("a comment for two rules", &comment("allow(missing-key-pair, no-channels)"), &[])
        .check("a comment for a rule that there is not", &comment("allow(no-colours-here)"), &[])
        .check("a comment for what could be anything", &comment("allow(hunter2)"), &[])
        .silent("not: a table for a rule that there is not", &allow("rule = \"no-chanels\""), &[])
        .silent("not: with a reason", &allow("rule = \"missing-key-pair\"\nreason = \"by hand\""), &[])
        .keep();
}

#[test]
fn an_unexpanded_reference() {
    let mut said = Said::by("unexpanded-reference");
    for (what, token) in [
        ("a shell's", "${TOKEN}"),
        ("a command's", "$(cat token)"),
        ("that of Windows", "%TOKEN%"),
        ("a workflow's", "${{ secrets.TOKEN }}"),
        ("a template's", "{{ token }}"),
        ("a secret manager's", "op://vault/item/token"),
        ("something encrypted", "ENC[AES256_GCM,data:abc]"),
        ("a path", "/run/secrets/token"),
        ("a variable's name", "SLACK_BOT_TOKEN"),
    ] {
        said = said.said(what, "messaging", &messaging(&[("token", token)]));
    }
    said.referred("by a reference", "storage", &[("application_key_id", KEY_ID), ("application_key", "$KEY")])
        .said("in an address", "messaging", &messaging(&[("base_url", "https://${HOST}")]))
        .said("in a channel", "messaging", &messaging(&[("channels", "$CHANNEL")]))
        .unsaid("a password", "storage", &[("application_key_id", KEY_ID), ("application_key", "$ecret")])
        .keep();
}

#[test]
fn a_foreign_credential() {
    Said::by("foreign-credential")
        .said("a token of somebody else", "messaging", &messaging(&[("token", GITHUB)]))
        .said("a storage key as a token", "messaging", &messaging(&[("token", KEY)]))
        .said(
            "a token as a webhook",
            "messaging",
            &messaging(&[("webhook_url", "xoxp-0000000000-0000000000-abcdefghijkl")]),
        )
        .said("a token as a channel", "messaging", &messaging(&[("channels", BOT.1)]))
        .said("a token as a comment", "messaging", &messaging(&[("initial_comment", BOT.1)]))
        .referred("a token as a key", "storage", &[("application_key_id", KEY_ID), ("application_key", BOT.1)])
        .said(
            "a token as a bucket",
            "storage",
            &[("application_key_id", KEY_ID), ("application_key", KEY), ("bucket", BOT.1)],
        )
        .said("a refresh token of an app", "app", &[("bot_token", "xoxe-1-abcdefghijklmnopqrst")])
        .said("a user token as an app-level token", "app", &[("app_token", "xoxp-0000000000-0000000000-abcdefghijkl")])
        .said(
            "a user token as a signing secret",
            "app",
            &[("signing_secret", "xoxp-0000000000-0000000000-abcdefghijkl")],
        )
        .said(
            "a webhook as a signing secret",
            "app",
            &[("signing_secret", "https://hooks.slack.com/services/T00000000/B00000000/abcdefghijklmnopqrstuvwx")],
        )
        .unsaid("32 hex digits", "messaging", &messaging(&[("token", "0123456789abcdef0123456789abcdef")]))
        .keep();
}

#[test]
fn an_unrecognised_credential() {
    let hosted = |token| messaging(&[("base_url", "https://slack.com"), ("token", token)]);
    Said::by("unrecognised-credential")
        .said("a token", "messaging", &hosted("hunter2hunter2"))
        .said("a signing secret", "messaging", &hosted("0123456789abcdef0123456789abcdef"))
        .said("a webhook", "messaging", &messaging(&[BASE_HOSTED, ("webhook_url", "https://slack.com/x")]))
        .referred("the name of a key", "storage", &[("application_key_id", "nightly"), ("application_key", KEY)])
        .said("a user token as a bot token", "app", &[("bot_token", "xoxp-0000000000-0000000000-abcdefghijkl")])
        .said("a client ID", "app", &[("app_token", "1234567890.1234567890123")])
        .said("a signing secret as an app-level token", "app", &[("app_token", HEX)])
        .unsaid("a signing secret in its place", "app", &[("signing_secret", HEX)])
        .unsaid("a signing secret of an unknown form", "app", &[("signing_secret", "hunter2hunter2")])
        .unsaid(
            "a user token at an address of one's own",
            "app",
            &[("bot_token", "xoxp-0000000000-0000000000-abcdefghijkl"), ("api_url", "https://chat.example.com")],
        )
        .said("a key", "storage", &[("application_key_id", KEY_ID), ("application_key", "nightly")])
        .unsaid("elsewhere", "messaging", &messaging(&[("token", "hunter2hunter2")]))
        .keep();
}

#[test]
fn an_application_key_as_the_master_key() {
    Said::by("application-key-as-master-key")
        .said("the pair", "storage", &[("account_id", KEY_ID), ("master_application_key", KEY)])
        .referred("by references", "storage", &[("account_id", KEY_ID), ("master_application_key", KEY)])
        .keep();
}

#[test]
fn a_crossed_reference() {
    let profile = |kind: &str, lines: &str| toml(&format!("[{kind}.x]\n{lines}\n"));
    let token = |line: &str| {
        profile("messaging", &format!("base_url = \"https://slack.com\"\nchannels = [\"C0123456789\"]\n{line}"))
    };
    let pair = |id: &str, key: &str| {
        profile("storage", &format!("application_key_id = {{ {id} }}\napplication_key = {{ {key} }}"))
    };
    let unseen = &["--no-resolve"];
    Said::by("crossed-reference")
        .check("a webhook as a token", &token("token = { env = \"SLACK_WEBHOOK_URL\" }"), unseen)
        .check(
            "a token as a webhook",
            &token("token = { env = \"T\" }\nwebhook_url = { file = \"/run/secrets/slack_bot_token\" }"),
            unseen,
        )
        .check("a signing secret as a token", &token("token = { env = \"SLACK_SIGNING_SECRET\" }"), unseen)
        .check(
            "a token as the channels",
            &token("token = { env = \"T\" }").file(
                "credlint.toml",
                "[messaging.x]\nbase_url = \"https://slack.com\"\ntoken = { env = \"T\" }\nchannels = { env = \"SLACK_BOT_TOKEN\" }\n",
            ),
            unseen,
        )
        .check("an ID as the key", &pair("env = \"B2_APPLICATION_KEY_ID\"", "env = \"B2_KEY_ID\""), unseen)
        .check("a key as the ID", &pair("file = \"secrets/b2-application-key\"", "file = \"secrets/key\""), unseen)
        .check("both", &pair("env = \"B2_APPLICATION_KEY\"", "env = \"B2_KEY_ID\""), unseen)
        .check("one variable", &pair("env = \"BACKUPS\"", "env = \"BACKUPS\""), unseen)
        .check("one file", &pair("file = \"secrets/backups\"", "file = \"secrets/backups\""), unseen)
        .check("two environments", &pair("env = \"PROD_B2_KEY_ID\"", "env = \"STAGING_B2_APP_KEY\""), unseen)
        .check("two pairs", &pair("env = \"B2_MASTER_KEY_ID\"", "env = \"B2_APPLICATION_KEY\""), unseen)
        .check(
            "a value of no known form",
            &token("").file(
                "credlint.toml",
                "[messaging.x]\nbase_url = \"https://chat.example.com\"\nchannels = [\"C1\"]\ntoken = { env = \"SLACK_WEBHOOK_URL\" }\n",
            ).env("SLACK_WEBHOOK_URL", "of-no-known-form"),
            &[],
        )
        .silent("not: an alias", &pair("env = \"B2_ACCOUNT_ID\"", "env = \"B2_ACCOUNT_KEY\""), unseen)
        .silent("not: a name that says nothing", &pair("env = \"B2_ONE\"", "env = \"B2_KEY\""), unseen)
        .silent(
            "not: a value that is known",
            &token("token = { env = \"SLACK_WEBHOOK_URL\" }").env("SLACK_WEBHOOK_URL", BOT.1),
            &[],
        )
        .keep();
}

#[test]
fn a_split_pair() {
    let below = |id: &str, key: &str| {
        let set = |field: &str, value: &str| format!("CREDLINT_STORAGE__X__{field}={value}\n");
        Project::new().file(".env", &(set("APPLICATION_KEY_ID", id) + &set("APPLICATION_KEY", key)))
    };
    let named = &["--env-file", ".env"];
    let (id, key) = ("CREDLINT_STORAGE__X__APPLICATION_KEY_ID", "CREDLINT_STORAGE__X__APPLICATION_KEY");
    let other = "0051a2b3c4d5e6f0000000002";
    let referred = toml("[storage.x]\napplication_key_id = { env = \"ONE\" }\napplication_key = { env = \"TWO\" }\n")
        .file(".env", format!("ONE={KEY_ID}\nTWO={KEY}\n"));
    Said::by("split-pair")
        .check("the ID", &below(KEY_ID, KEY).env(id, other), named)
        .check("the key", &below(KEY_ID, KEY).env(key, "K005abcdefghijklmnopqrstuvwxyz2"), named)
        .check("the key of a dotenv file", &referred.env("TWO", "K005abcdefghijklmnopqrstuvwxyz2"), named)
        .check(
            "a half of a file",
            &toml(&format!("[storage.x]\napplication_key_id = \"{KEY_ID}\"\napplication_key = \"{KEY}\"\n"))
                .env(id, other),
            WRITTEN_OUT,
        )
        .silent("not: the same", &below(KEY_ID, KEY).env(id, KEY_ID), named)
        .silent("not: both", &below(KEY_ID, KEY).env(id, other).env(key, "K005abcdefghijklmnopqrstuvwxyz2"), named)
        .silent("not: a pair of no known form", &below("mine", "mine-too").env(id, other), named)
        .silent(
            "not: a key of a layer of its own",
            &toml(&format!("[storage.x]\napplication_key_id = \"{KEY_ID}\"\napplication_key = {{ env = \"K\" }}\n"))
                .env("K", KEY)
                .env(id, other),
            &[],
        )
        .keep();
}

#[test]
fn a_name_that_is_not_read() {
    let project =
        |lines: &str| Project::new().file("backup.env", format!("RESTIC_REPOSITORY=b2:nightly:host\n{lines}"));
    let (id, key) = (format!("B2_APPLICATION_KEY_ID={KEY_ID}\n"), format!("B2_APPLICATION_KEY={KEY}\n"));
    Said::by("name-not-read")
        .check("both", &project(&(id + &key)), &["backup.env"])
        .silent("not: its own", &project(&format!("B2_ACCOUNT_ID={KEY_ID}\nB2_ACCOUNT_KEY={KEY}\n")), &["backup.env"])
        .keep();
}

#[test]
fn one_id_and_two_keys() {
    let profiles = |keys: [&str; 2]| {
        let [one, other] =
            keys.map(|key| format!("application_key_id = \"{KEY_ID}\"\napplication_key = {{ env = \"{key}\" }}\n"));
        toml(&format!("[storage.a]\n{one}[storage.b]\n{other}"))
            .env("ONE", KEY)
            .env("TWO", "K005abcdefghijklmnopqrstuvwxyz2")
    };
    Said::by("one-id-two-keys")
        .check("two profiles", &profiles(["ONE", "TWO"]), &[])
        .silent("not: one pair", &profiles(["ONE", "ONE"]), &[])
        .silent("not: one profile alone", &profiles(["ONE", "TWO"]), &["--profile", "b"])
        .silent("not: references", &profiles(["ONE", "TWO"]), &["--no-resolve"])
        .keep();
}
