//! The findings of each rule, by cause: in a file, in the environment, and by a reference if the message or its labels
//! depend on that.

use super::Transcript;
use crate::harness::{Project, set_mode};
use crate::pages::modes_count;

const BASE: (&str, &str) = ("base_url", "https://chat.example.com");
const BASE_HOSTED: (&str, &str) = ("base_url", "https://slack.com");
const GITHUB: &str = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
const CHANNELS: (&str, &str) = ("channels", "C0123456789");
const BOT: (&str, &str) = ("token", "xoxb-0000000000-0000000000-abcdefghijkl");

const ACCOUNT: &str = "1a2b3c4d5e6f";
const KEY_ID: &str = "0051a2b3c4d5e6f0000000001";
const OTHER_ACCOUNT_ID: &str = "0056f5e4d3c2b1a0000000001";
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

/// The profile in a file, with plaintext values.
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
const ALLOW_PLAINTEXT: &[&str] = &["-A", "literal-secret"];

impl Transcript {
    /// One cause, in a file and in the environment.
    fn reported(self, what: &str, kind: &str, fields: Fields<'_>) -> Self {
        self.check(&format!("{what}, in a file"), &file(kind, fields), ALLOW_PLAINTEXT).check(
            &format!("{what}, in the environment"),
            &environment(kind, fields),
            &[],
        )
    }

    /// The same, also by references.
    fn reported_by_reference(self, what: &str, kind: &str, fields: Fields<'_>) -> Self {
        self.reported(what, kind, fields)
            .check(&format!("{what}, by references to variables"), &references(kind, fields), &[])
            .check(&format!("{what}, by references to files"), &files(kind, fields), &[])
    }

    /// No cause, in a file and in the environment.
    fn not_reported(self, what: &str, kind: &str, fields: Fields<'_>) -> Self {
        self.no_finding(&format!("not: {what}, in a file"), &file(kind, fields), ALLOW_PLAINTEXT).no_finding(
            &format!("not: {what}, in the environment"),
            &environment(kind, fields),
            &[],
        )
    }
}

#[test]
fn a_webhook_without_a_token() {
    let base = "[messaging.x]\nbase_url = \"https://chat.example.com\"\nchannels = [\"C0123456789\"]\n";
    Transcript::for_rule("webhook-without-token")
        .reported_by_reference("a webhook and no token", "messaging", &[BASE, CHANNELS, ("webhook_url", HOOK)])
        .check(
            "a webhook that is not resolved, and no token",
            &toml(&format!("{base}webhook_url = {{ env = \"THE_HOOK\" }}\n")),
            &["--no-resolve"],
        )
        .not_reported("a webhook that is empty", "messaging", &[BASE, CHANNELS, ("webhook_url", "")])
        .not_reported("a token that is empty", "messaging", &[BASE, CHANNELS, ("token", ""), ("webhook_url", HOOK)])
        .not_reported("a token beside it", "messaging", &messaging(&[("webhook_url", HOOK)]))
        .no_finding(
            "not: a token that is misspelt",
            &toml(&format!("{base}tokn = {{ env = \"T\" }}\nwebhook_url = {{ env = \"H\" }}\n")),
            &["--no-resolve"],
        )
        .keep();
}

#[test]
fn a_missing_token() {
    Transcript::for_rule("missing-token")
        .reported("neither", "messaging", &[BASE, CHANNELS])
        .check("an app with nothing", &toml("[app.x]\n"), &[])
        .check("an app with an address", &toml("[app.x]\napi_url = \"https://slack.com\"\n"), &[])
        .not_reported("an app with a token that is empty", "app", &[("app_token", "")])
        .not_reported("an app with a signing secret alone", "app", &[("signing_secret", HEX)])
        .no_finding(
            "not: an app with a token that is misspelt",
            &toml("[app.x]\nbot_tokn = { env = \"T\" }\n"),
            &["--no-resolve"],
        )
        .not_reported("a token that is empty", "messaging", &[BASE, CHANNELS, ("token", "")])
        .not_reported("a webhook that is empty", "messaging", &[BASE, CHANNELS, ("webhook_url", "")])
        .no_finding(
            "not: a token that is misspelt",
            &toml("[messaging.x]\ntokn = { env = \"T\" }\n"),
            &["--no-resolve"],
        )
        .no_finding(
            "not: a webhook that is misspelt",
            &toml("[messaging.x]\nwebhok_url = { env = \"T\" }\n"),
            &["--no-resolve"],
        )
        .no_finding("not: a profile that is no table", &toml("[messaging]\nx = 1\n"), &[])
        .keep();
}

#[test]
fn a_webhook_as_a_token() {
    Transcript::for_cause("wrong-credential", "url-as-token")
        .reported_by_reference("a URL", "messaging", &messaging(&[("token", HOOK)]))
        .reported("a URL as a bot token", "app", &[("bot_token", HOOK)])
        .reported("a URL as an app-level token", "app", &[("app_token", HOOK)])
        .keep();
}

#[test]
fn a_token_that_cannot_upload() {
    let mut transcript = Transcript::for_cause("wrong-credential", "cannot-upload");
    for (what, token) in [
        ("an app-level token", "xapp-1-A0000000000-0000000000-abcdefghijkl"),
        ("a refresh token", "xoxe-1-abcdefghijkl"),
        ("a session", "xoxc-0000000000-abcdefghijkl"),
        ("a cookie", "xoxd-0000000000-abcdefghijkl"),
        ("a workspace app", "xoxa-2-abcdefghijkl"),
        ("a workspace app's refresh token", "xoxr-abcdefghijkl"),
        ("a step of a workflow", "xwfp-abcdefghijkl"),
    ] {
        transcript = transcript.reported(what, "messaging", &messaging(&[("token", token)]));
    }
    let app = messaging(&[("token", "xapp-1-A0000000000-0000000000-abcdefghijkl")]);
    transcript
        .check("an app-level token, by a reference", &references("messaging", &app), &[])
        .check("an app-level token, in a file of its own", &files("messaging", &app), &[])
        .not_reported("a user's token", "messaging", &messaging(&[("token", "xoxp-0000000000-abcdefghijkl")]))
        .not_reported("a rotated token", "messaging", &messaging(&[("token", "xoxe.xoxb-1-abcdefghijklmnop")]))
        .keep();
}

#[test]
fn a_missing_base_url() {
    Transcript::for_cause("malformed-address", "missing")
        .reported("no address", "messaging", &[BOT, CHANNELS])
        .reported_by_reference("an address that is empty", "messaging", &messaging(&[("base_url", "")]))
        .no_finding("not: an address that is misspelt", &toml("[messaging.x]\nbase_ulr = \"https://h.example\"\n"), &[])
        .keep();
}

#[test]
fn a_malformed_base_url() {
    let mut transcript = Transcript::for_cause("malformed-address", "url");
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
        transcript = transcript.reported(what, "messaging", &messaging(&[("base_url", url)])).reported(
            &format!("{what}, of the other kind"),
            "storage",
            &[("application_key_id", KEY_ID), ("application_key", KEY), ("api_url", url)],
        );
    }
    let fields = messaging(&[("base_url", "chat.example.com")]);
    transcript
        .check("no scheme, by a reference", &references("messaging", &fields), &[])
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
    let mut transcript = Transcript::for_cause("malformed-address", "endpoint").reported_by_reference(
        "another scheme",
        "storage",
        &endpoint("s3://nightly"),
    );
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
        transcript = transcript.reported(what, "storage", &endpoint(url));
    }
    for url in
        ["s3.eu-central-005.backblazeb2.com", "minio:9000", "http://127.0.0.1:9000", "https://s3.example.com/base"]
    {
        transcript = transcript.not_reported(url, "storage", &endpoint(url));
    }
    transcript.keep();
}

#[test]
fn an_insecure_base_url() {
    let api = |url| [("application_key_id", KEY_ID), ("application_key", KEY), ("api_url", url)];
    let mut transcript = Transcript::for_rule("insecure-base-url")
        .reported_by_reference(
            "plain http",
            "messaging",
            &messaging(&[("base_url", "http://chat.example.com:8080/base")]),
        )
        .reported_by_reference("plain http, of the other kind", "storage", &api("http://api.example.com"));
    for url in ["http://localhost:8080", "http://127.1.2.3", "http://[::1]/base", "https://chat.example.com"] {
        transcript = transcript.not_reported(url, "messaging", &messaging(&[("base_url", url)])).not_reported(
            &format!("{url}, of the other kind"),
            "storage",
            &api(url),
        );
    }
    transcript.keep();
}

#[test]
fn a_doubled_api_path() {
    let at = |url| messaging(&[("base_url", url)]);
    Transcript::for_cause("malformed-address", "doubled-path")
        .reported_by_reference("the word", "messaging", &at("https://chat.example.com/api"))
        .reported("the word and a slash", "messaging", &at("https://chat.example.com/base/api/"))
        .reported("the whole operation", "messaging", &at("https://chat.example.com/api/files.upload"))
        .reported("at a host without an API", "messaging", &at("https://api.slack.com/api"))
        .not_reported("another word that ends so", "messaging", &at("https://chat.example.com/rapi/v1"))
        .reported("for an app", "app", &[("bot_token", BOT_OF_APP), ("api_url", "https://slack.com/api")])
        .keep();
}

#[test]
fn not_the_api_address() {
    let at = |url| messaging(&[("base_url", url)]);
    let api = |url| [("application_key_id", KEY_ID), ("application_key", KEY), ("api_url", url)];
    let link = "https://myteam.slack.com/archives/C0123456789/p1700000000000100";
    let mut transcript = Transcript::for_cause("malformed-address", "not-the-api").reported_by_reference(
        "a link",
        "messaging",
        &at(link),
    );
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
        transcript = transcript.reported(what, "messaging", &at(url));
    }
    for (what, url) in [
        ("the other API", "https://s3.eu-central-005.backblazeb2.com"),
        ("downloads", "https://f005.backblazeb2.com/file/nightly"),
        ("the website", "https://secure.backblaze.com/b2_buckets.htm"),
        ("a webhook, of the other kind", "https://discord.com/api/webhooks/000000000000000000/abcdefghijkl"),
    ] {
        transcript = transcript.reported(what, "storage", &api(url));
    }
    transcript = transcript.reported(
        "the other API, beside it",
        "storage",
        &[api(S3)[0], api(S3)[1], api(S3)[2], ("endpoint", S3)],
    );
    for url in [
        "https://slack.com", "https://myteam.slack.com", "https://myteam.enterprise.slack.com",
        "https://slack-gov.com", "https://api.slack-gov.com", "https://chat.example.com/archives/C0123456789",
    ] {
        transcript = transcript.not_reported(url, "messaging", &at(url));
    }
    for url in
        ["https://api.backblazeb2.com", "https://api005.backblazeb2.com", "https://s3.eu-central-1.amazonaws.com"]
    {
        transcript = transcript.not_reported(url, "storage", &api(url));
    }
    let other = ("endpoint", "https://s3.example.com/api");
    transcript.not_reported("a path of another service", "storage", &[api(S3)[0], api(S3)[1], other]).keep();
}

#[test]
fn a_malformed_bucket() {
    let pair = [("application_key_id", KEY_ID), ("application_key", KEY)];
    let bucket = |name| [pair[0], pair[1], ("bucket", name)];
    let mut transcript = Transcript::for_cause("malformed-address", "bucket").reported_by_reference(
        "an underscore",
        "storage",
        &bucket("nightly_reports"),
    );
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
        transcript = transcript.reported(what, "storage", &bucket(name));
    }
    for name in ["nightly", "Nightly-2026", "85644d98debc657d880b0e1e", "${BUCKET}", ""] {
        transcript = transcript.not_reported(name, "storage", &bucket(name));
    }
    transcript.not_reported(
        "at another service",
        "storage",
        &[pair[0], pair[1], ("bucket", "backups.example.com"), ("endpoint", "https://s3.example.com")],
    )
    .no_finding(
        "not: not looked up",
        &toml("[storage.x]\nbucket = { env = \"B\" }\napplication_key_id = { env = \"I\" }\napplication_key = { env = \"K\" }\n"),
        &["--no-resolve"],
    )
    .keep();
}

#[test]
fn a_malformed_workspace() {
    let at = |name| messaging(&[BASE_HOSTED, ("workspace", name)]);
    let mut transcript = Transcript::for_cause("malformed-address", "workspace").reported_by_reference(
        "a domain",
        "messaging",
        &at("myteam.slack.com"),
    );
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
        transcript = transcript.reported(what, "messaging", &at(name));
    }
    for name in ["T0123456789", "E0123456789", "${TEAM}", ""] {
        transcript = transcript.not_reported(name, "messaging", &at(name));
    }
    transcript.not_reported("at another service", "messaging", &messaging(&[("workspace", "myteam")])).keep();
}

#[test]
fn a_retired_upload_method() {
    let at = |url, method| messaging(&[("base_url", url), ("upload_method", method)]);
    Transcript::for_rule("retired-upload-method")
        .reported_by_reference("the retired method", "messaging", &at("https://slack.com", "files.upload"))
        .reported("the retired method at a host below", "messaging", &at("https://example.slack.com", "files.upload"))
        .not_reported("the other method", "messaging", &at("https://slack.com", "external"))
        .not_reported("a method that is empty", "messaging", &at("https://slack.com", ""))
        .not_reported("a method that there is not", "messaging", &at("https://slack.com", "files"))
        .not_reported("no method", "messaging", &messaging(&[("base_url", "https://slack.com")]))
        .not_reported("another host", "messaging", &at("https://chat.example.com", "files.upload"))
        .not_reported("another host that ends so", "messaging", &at("https://notslack.com", "files.upload"))
        .keep();
}

#[test]
fn no_channels() {
    Transcript::for_rule("no-channels")
        .reported("no list", "messaging", &[BASE, BOT])
        .reported("an empty list", "messaging", &messaging(&[("channels", "")]))
        .check("an empty list, by a reference", &references("messaging", &messaging(&[("channels", "")])), &[])
        .check("an empty list, in a file of its own", &files("messaging", &messaging(&[("channels", " ")])), &[])
        .no_finding("not: a list that is misspelt", &toml("[messaging.x]\nchanels = [\"C0123456789\"]\n"), &[])
        .no_finding("not: a list that is not resolved", &toml("[messaging.x]\nchannels = { env = \"C\" }\n"), &[])
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
    Transcript::for_rule("malformed-channel")
        .reported("an empty one", "messaging", &messaging(&[("channels", "C0123456789,,D0123456789")]))
        .check("a comma", &channels("[\"C0123456789,D0123456789\"]"), &[])
        .check("the sample of `credlint init`", &channels("[\"C0EXAMPLE00\"]"), &[])
        .reported("white space", "messaging", &messaging(&[("channels", "C01 23456789")]))
        .reported("a control character", "messaging", &messaging(&[("channels", "C0123456789\u{7}")]))
        .reported("a URL", "messaging", &messaging(&[("channels", HOOK)]))
        .reported(
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
            ALLOW_PLAINTEXT,
        )
        .not_reported(
            "ids of Slack",
            "messaging",
            &messaging(&[BASE_HOSTED, ("channels", "C0123456789,C024BE91L,GABCDEFGH,D0123456789,U0123456789,W0123456789")]),
        )
        .not_reported("any id elsewhere", "messaging", &messaging(&[("channels", "c0123456789,4xp9fdt77pncbef59f4k1qe83o,C1")]))
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
    Transcript::for_cause("malformed-channel", "name")
        .reported("by the method of one request", "messaging", &named(("upload_method", "files.upload")))
        .reported("by the other method", "messaging", &named(("upload_method", "external")))
        .reported("by the method of the host", "messaging", &named(("base_url", "https://slack.com")))
        .reported(
            "a bare name, at Slack",
            "messaging",
            &messaging(&[BASE_HOSTED, ("channels", "general,nightly-2026")]),
        )
        .not_reported("a bare name elsewhere", "messaging", &messaging(&[("channels", "general")]))
        .reported("by no known method", "messaging", &named(("upload_method", "files")))
        .check("by a reference to the whole list", &channels("{ env = \"C\" }").env("C", "#general"), &[])
        .check("by a reference to one", &channels("[{ env = \"C\" }]").env("C", "#general"), &[])
        .keep();
}

#[test]
fn a_duplicate_channel() {
    Transcript::for_cause("malformed-channel", "duplicate")
        .reported("twice", "messaging", &messaging(&[("channels", "C0123456789,D0123456789,C0123456789")]))
        .reported("three times", "messaging", &messaging(&[("channels", "C0123456789,C0123456789,C0123456789")]))
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
        .keep();
}

const APP: &str = "xapp-1-A0000000000-0000000000-abcdefghijkl";
const BOT_OF_APP: &str = "xoxb-0000000000-0000000000-abcdefghijkl";
const ROTATED: &str = "xoxe.xoxb-1-abcdefghijklmnopqrstuvwxyz";
const HEX: &str = "0123456789abcdef0123456789abcdef";

#[test]
fn swapped_app_tokens() {
    Transcript::for_cause("wrong-credential", "app")
        .reported_by_reference("the two tokens", "app", &[("bot_token", APP), ("app_token", BOT_OF_APP)])
        .reported("an app-level token alone", "app", &[("bot_token", APP)])
        .reported("a bot token alone", "app", &[("app_token", BOT_OF_APP)])
        .reported("one twice", "app", &[("bot_token", BOT_OF_APP), ("app_token", BOT_OF_APP)])
        .reported("one that rotates", "app", &[("bot_token", BOT_OF_APP), ("app_token", ROTATED)])
        .reported("a token as the signing secret", "app", &[("signing_secret", BOT_OF_APP)])
        .reported("the signing secret and a token", "app", &[("bot_token", HEX), ("signing_secret", BOT_OF_APP)])
        .reported("two of one kind", "app", &[("bot_token", APP), ("signing_secret", APP)])
        .reported("all three", "app", &[("bot_token", APP), ("app_token", HEX), ("signing_secret", BOT_OF_APP)])
        .reported(
            "at an address of one's own",
            "app",
            &[("bot_token", APP), ("app_token", BOT_OF_APP), ("api_url", "https://chat.example.com")],
        )
        .check(
            "the two tokens, from two layers",
            &toml("[app.x]\nbot_token = { env = \"T\" }\n").env("T", APP).env("CREDLINT_APP__X__APP_TOKEN", BOT_OF_APP),
            &[],
        )
        .not_reported(
            "each in its place",
            "app",
            &[("bot_token", BOT_OF_APP), ("app_token", APP), ("signing_secret", HEX)],
        )
        .not_reported("one that rotates in its place", "app", &[("bot_token", ROTATED), ("app_token", APP)])
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
    Transcript::for_rule("mixed-key-pair")
        .reported_by_reference("an application key", "storage", &application)
        .reported_by_reference("a master key", "storage", &master)
        .reported("the id of an application key, under the wrong name", "storage", &account(KEY_ID, KEY))
        .reported("a master key, under the wrong name", "storage", &account(ACCOUNT, MASTER))
        .reported("a master key, beside what is not known", "storage", &account("abcdefgh", MASTER))
        .reported("an account, under the wrong name", "storage", &id(ACCOUNT, MASTER))
        .reported("an application key, under the wrong name", "storage", &id(KEY_ID, KEY))
        .reported("the newer ID of a master key, under the wrong name", "storage", &id(MASTER_ID, MASTER))
        .reported("the newer ID of a master key, beside an application key", "storage", &account(MASTER_ID, KEY))
        .reported("both of the other pair", "storage", &account(KEY_ID, MASTER))
        .reported("both of the other pair, the other way", "storage", &id(ACCOUNT, KEY))
        .reported("swapped", "storage", &account(KEY, KEY_ID))
        .reported("swapped, the other way", "storage", &id(MASTER, ACCOUNT))
        .reported("swapped, and of different pairs", "storage", &account(KEY, ACCOUNT))
        .reported("two keys", "storage", &account(MASTER, KEY))
        .reported("two ids", "storage", &account(ACCOUNT, KEY_ID))
        .reported("a key as an id", "storage", &account(KEY, "abcdefgh"))
        .reported("an id as a key", "storage", &account("abcdefgh", KEY_ID))
        .reported("a bucket", "storage", &account("85644d98debc657d880b0e1e", KEY))
        .reported("a pair in one value", "storage", &account(ACCOUNT, &joined))
        .reported("of no known form", "storage", &account("abcdefgh", "ijklmnop"))
        .reported("for the other API", "storage", &[application[0], application[1], ("endpoint", S3)])
        .reported("a master key, for the other API", "storage", &[master[0], master[1], ("endpoint", S3)])
        .reported(
            "a master key under the wrong name, for the other API",
            "storage",
            &[account(ACCOUNT, MASTER)[0], account(ACCOUNT, MASTER)[1], ("endpoint", S3)],
        )
        .reported(
            "for another service, where 12 digits are no account",
            "storage",
            &[account(KEY, ACCOUNT)[0], account(KEY, ACCOUNT)[1], ("endpoint", "https://s3.example.com")],
        )
        .check(
            "an application key, half of it in the environment",
            &file("storage", &application[1..]).env("CREDLINT_STORAGE__X__ACCOUNT_ID", ACCOUNT),
            ALLOW_PLAINTEXT,
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
        .not_reported(
            "beside a half that is empty",
            "storage",
            &[("account_id", ACCOUNT), ("application_key", KEY), ("application_key_id", "")],
        )
        .no_finding(
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
    Transcript::for_rule("two-key-pairs")
        .reported_by_reference("a whole pair and an account", "storage", &[i, k, a])
        .reported("a whole pair and another account", "storage", &[i, k, other])
        .reported("a whole pair and a master key", "storage", &[i, k, m])
        .reported("a master pair and the id of a key", "storage", &[a, m, i])
        .reported("a master pair and the id of a key of another account", "storage", &[other, m, i])
        .reported("a master pair and a key", "storage", &[a, m, k])
        .reported("both pairs", "storage", &[i, k, a, m])
        .reported("a whole pair and another account as a key", "storage", &[i, k, ("master_application_key", other.1)])
        .reported("both pairs of different accounts", "storage", &[i, k, other, m])
        .reported("a pair and its id again", "storage", &[i, k, ("account_id", KEY_ID)])
        .reported("a pair and its key again", "storage", &[i, k, ("master_application_key", KEY)])
        .reported(
            "the right id is the other one",
            "storage",
            &[("application_key_id", ACCOUNT), k, ("account_id", KEY_ID)],
        )
        .reported(
            "the right key is the other one",
            "storage",
            &[i, ("application_key", MASTER), ("master_application_key", KEY)],
        )
        .reported("values that make no pair", "storage", &[i, ("application_key", MASTER), a])
        .reported("swapped, and an account", "storage", &[("application_key_id", KEY), ("application_key", KEY_ID), a])
        .reported(
            "of no known form",
            "storage",
            &[("application_key_id", "a1"), ("application_key", "b2"), ("account_id", "c3")],
        )
        .reported(
            "values that make no pair, one of no known form, and another account",
            "storage",
            &[("account_id", KEY_ID), ("master_application_key", "b2"), ("application_key_id", OTHER_ACCOUNT_ID)],
        )
        .reported("both pairs, for the other API", "storage", &[i, k, a, m, ("endpoint", S3)])
        .reported("a master pair and a key, for the other API", "storage", &[a, m, k, ("endpoint", S3)])
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
    Transcript::for_rule("incomplete-key-pair")
        .reported_by_reference("the id of an application key alone", "storage", &[i])
        .reported("an application key alone", "storage", &[k])
        .reported("an account alone", "storage", &[a])
        .reported("a master key alone", "storage", &[m])
        .reported("two ids", "storage", &[i, a])
        .reported("two keys", "storage", &[k, m])
        .reported("a key as an id, alone", "storage", &[("application_key_id", KEY)])
        .reported("a master key as an id, alone", "storage", &[("application_key_id", MASTER)])
        .reported("an id as a key, alone", "storage", &[("application_key", KEY_ID)])
        .reported("an account as the id of a key, alone", "storage", &[("application_key_id", ACCOUNT)])
        .reported("the id of a key as an account, alone", "storage", &[("account_id", KEY_ID)])
        .reported("a master key as an application key, alone", "storage", &[("application_key", MASTER)])
        .reported("a bucket, alone", "storage", &[("application_key_id", "85644d98debc657d880b0e1e")])
        .reported("a pair in one value", "storage", &[("application_key", &joined)])
        .reported("a pair under the names of ids", "storage", &[i, ("account_id", KEY)])
        .reported(
            "a pair under the names of keys",
            "storage",
            &[("application_key", KEY_ID), ("master_application_key", KEY)],
        )
        .reported("one id twice", "storage", &[i, ("account_id", KEY_ID)])
        .reported("keys under the names of ids", "storage", &[("application_key_id", KEY), ("account_id", MASTER)])
        .reported("a key of another pair as an id", "storage", &[i, ("account_id", MASTER)])
        .reported("an account, for the other API", "storage", &[a, ("endpoint", S3)])
        .reported("a master key, for the other API", "storage", &[m, ("endpoint", S3)])
        .reported("the id of an application key, for the other API", "storage", &[i, ("endpoint", S3)])
        .reported("two ids, for the other API", "storage", &[i, a, ("endpoint", S3)])
        .not_reported("its other half is empty", "storage", &[i, ("application_key", "")])
        .no_finding(
            "not: its other half is misspelt",
            &toml("[storage.x]\napplication_key = { env = \"K\" }\naplication_key_id = \"\"\n"),
            &["--no-resolve"],
        )
        .keep();
}

#[test]
fn a_missing_key_pair() {
    Transcript::for_rule("missing-key-pair")
        .check("nothing at all", &toml("[storage.x]\n"), &[])
        .reported("a bucket only", "storage", &[("bucket", "nightly")])
        .reported("for the other API", "storage", &[("endpoint", S3)])
        .not_reported("halves that are empty", "storage", &[("account_id", ""), ("application_key", "")])
        .no_finding("not: a half that is misspelt", &toml("[storage.x]\nacount_id = \"1a2b3c4d5e6f\"\n"), &[])
        .check("another field is misspelt", &toml("[storage.x]\nbuket = \"nightly\"\n"), &[])
        .no_finding("not: a profile that is no table", &toml("[storage]\nx = 1\n"), &[])
        .keep();
}

#[test]
fn mixed_key_values() {
    let application = |id, key| [("application_key_id", id), ("application_key", key)];
    let master = |id, key| [("account_id", id), ("master_application_key", key)];
    Transcript::for_cause("mixed-credentials", "values")
        .reported_by_reference("an account beside an application key", "storage", &application(ACCOUNT, KEY))
        .reported("an account beside an application key, as a master key", "storage", &master(ACCOUNT, KEY))
        .reported_by_reference("the id of a key beside a master key", "storage", &application(KEY_ID, MASTER))
        .reported("the id of a key beside a master key, as a master key", "storage", &master(KEY_ID, MASTER))
        .reported(
            "for the other API",
            "storage",
            &[application(ACCOUNT, KEY)[0], application(ACCOUNT, KEY)[1], ("endpoint", S3)],
        )
        .reported(
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
    let mut transcript = Transcript::for_cause("wrong-credential", "swapped-pair");
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
        transcript = transcript.reported(what, "storage", &application(id, key)).reported(
            &format!("{what}, as a master key"),
            "storage",
            &master(id, key),
        );
    }
    let [id, key] = master(MASTER, ACCOUNT);
    transcript =
        transcript.reported("each in the other's field, for the other API", "storage", &[id, key, ("endpoint", S3)]);
    transcript
        .check("each in the other's field, by references", &references("storage", &application(KEY, KEY_ID)), &[])
        .check("an id in both, in files of their own", &files("storage", &application(KEY_ID, KEY_ID)), &[])
        .keep();
}

#[test]
fn a_master_key_on_an_s3_endpoint() {
    let at = |id, key| [("account_id", id), ("master_application_key", key), ("endpoint", S3)];
    Transcript::for_rule("master-key-on-s3-endpoint")
        .reported_by_reference("both have the form", "storage", &at(ACCOUNT, MASTER))
        .reported("the id has the form", "storage", &at(ACCOUNT, "abcdefgh"))
        .reported("the key has the form", "storage", &at("abcdefgh", MASTER))
        .reported(
            "under the other names",
            "storage",
            &[
                ("application_key_id", ACCOUNT),
                ("application_key", MASTER),
                ("endpoint", "s3.us-west-004.backblazeb2.com"),
            ],
        )
        .not_reported(
            "another service",
            "storage",
            &[("account_id", ACCOUNT), ("master_application_key", MASTER), ("endpoint", "https://s3.example.com")],
        )
        .keep();
}

#[test]
fn a_master_key_as_an_application_key() {
    Transcript::for_cause("wrong-credential", "master-key")
        .reported_by_reference("the pair", "storage", &[("application_key_id", ACCOUNT), ("application_key", MASTER)])
        .not_reported("under its own names", "storage", &[("account_id", ACCOUNT), ("master_application_key", MASTER)])
        .keep();
}

#[test]
fn a_cluster_mismatch() {
    let pair = |key| [("application_key_id", KEY_ID), ("application_key", key)];
    let at = |key, endpoint| [pair(key)[0], pair(key)[1], ("endpoint", endpoint)];
    Transcript::for_cause("mixed-credentials", "clusters")
        .reported_by_reference("the key", "storage", &pair(OTHER_KEY))
        .reported_by_reference("the endpoint", "storage", &at(KEY, OTHER_S3))
        .reported("both", "storage", &at(OTHER_KEY, OTHER_S3))
        .reported("the key, and the endpoint agrees", "storage", &at(OTHER_KEY, S3))
        .reported("the endpoint, and the key is unknown", "storage", &at("abcdefgh", OTHER_S3))
        .not_reported("all agree", "storage", &at(KEY, S3))
        .not_reported("an endpoint without a cluster", "storage", &at(KEY, "https://s3.backblazeb2.com"))
        .keep();
}

#[test]
fn not_a_key_id() {
    let bucket = "85644d98debc657d880b0e1e";
    let application = |id| [("application_key_id", id), ("application_key", KEY)];
    let master = |id| [("account_id", id), ("master_application_key", MASTER)];
    Transcript::for_cause("wrong-credential", "not-an-id")
        .reported_by_reference("a bucket", "storage", &application(bucket))
        .reported("a bucket, as an account", "storage", &master(bucket))
        .reported("an address", "storage", &application("ann@example.com"))
        .reported("an address, as an account", "storage", &master("ann@example.com"))
        .keep();
}

#[test]
fn an_unknown_field() {
    let fields = "[messaging.x]\nbase_url = \"https://chat.example.com\"\ntoken = { env = \"T\" }\n";
    let x = |more: &str| toml(&format!("{fields}{more}\n"));
    let args: &[&str] = &["--no-resolve"];
    Transcript::for_rule("unknown-field")
        .check("a table, nearly", &toml("[mesaging.x]\n"), args)
        .check("a table, and nothing near", &toml("[colour.x]\n"), args)
        .check("a table of a service", &toml("[slack.x]\n"), args)
        .check("a profile in the wrong place", &toml("[prod.messaging.x]\ntoken = { env = \"T\" }\n"), args)
        .check("fields outside a profile", &toml("[messaging]\nbase_url = \"https://slack.com\"\ntoken = 1\n"), args)
        .check("a field outside all tables", &toml("token = 1\n"), args)
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
        .check(
            "another program's name of a list, in a variable",
            &toml("[messaging.x]\nbase_url = \"https://slack.com\"\n")
                .env("CREDLINT_MESSAGING__X__CHANNEL", "C0123456789"),
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
    let mut transcript = Transcript::for_rule("wrong-type");
    for (what, value) in [
        ("a number", "3"),
        ("a fraction", "1.5"),
        ("a boolean", "true"),
        ("a date", "2026-11-20"),
        ("a list", "[\"a\"]"),
        ("an empty table", "{}"),
    ] {
        transcript = transcript
            .check(&format!("{what} for text"), &x(&format!("token = {value}")), args)
            .check(&format!("{what} for a path"), &x(&format!("ca_file = {value}")), args)
            .check(&format!("{what} for a choice"), &x(&format!("upload_method = {value}")), args);
        if what != "a list" {
            transcript = transcript
                .check(&format!("{what} for a list"), &x(&format!("channels = {value}")), args)
                .check(&format!("{what} in a list"), &x(&format!("channels = [{value}]")), args);
        }
    }
    transcript
        .check("a list in a list", &x("channels = [[\"C0123456789\"]]"), args)
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
    Transcript::for_rule("empty-credential")
        .reported_by_reference("a token", "messaging", &messaging(&[("token", "")]))
        .reported_by_reference("a webhook", "messaging", &messaging(&[("webhook_url", "")]))
        .reported_by_reference("half a pair", "storage", &[("application_key_id", ""), ("application_key", KEY)])
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
    let mut transcript = Transcript::for_rule("malformed-credential");
    for (what, token) in [
        ("the word of the header", "Bearer xoxb-0000000000-abcdefghijkl"),
        ("the word of the header, in small letters", "bearer xoxb-0000000000-abcdefghijkl"),
        ("a space", "xoxb-0000000000 abcdefghijkl"),
        ("a line break", "xoxb-0000000000-abcdefghijkl\n"),
        ("a control character", "xoxb-0000000000-abcdefghijkl\u{1b}"),
        ("a dash of a document", "xoxb–0000000000–abcdefghijkl"),
        ("a byte that is not UTF-8, as it is decoded", "xoxb-0000000000-abcdefghijkl\u{fffd}"),
        ("all at once", "Bearer xoxb–0000000000\u{1b}"),
    ] {
        transcript = transcript.reported(what, "messaging", &messaging(&[("token", token)]));
    }
    let spaced = [("application_key_id", KEY_ID), ("application_key", "K005abcdefghijklmnopqrstuvwxyz1 ")];
    transcript
        .reported_by_reference("a space, in a key", "storage", &spaced)
        .reported("a space, in a webhook", "messaging", &messaging(&[("webhook_url", "https://hooks.example.com/ x")]))
        .not_reported("a stand-in with a space", "messaging", &messaging(&[("token", "<your token>")]))
        .not_reported(
            "a webhook with a space as a token",
            "messaging",
            &messaging(&[("token", "https://hooks.example.com/ x")]),
        )
        .keep();
}

#[test]
fn a_placeholder() {
    let mut transcript = Transcript::for_rule("placeholder-credential");
    for (what, token) in [
        ("brackets", "<your token>"),
        ("a word", "changeme"),
        ("a word for no value", "null"),
        ("a redaction", "[REDACTED]"),
        ("a prefix and a word", "xoxb-your-token"),
        ("one character", "xxxxxxxx"),
    ] {
        transcript = transcript.reported(what, "messaging", &messaging(&[("token", token)]));
    }
    transcript
        .reported_by_reference(
            "a word, in a key",
            "storage",
            &[("application_key_id", KEY_ID), ("application_key", "your-key")],
        )
        .not_reported("digits", "storage", &[("application_key_id", KEY_ID), ("application_key", "00000000")])
        .keep();
}

#[test]
fn an_unresolved_reference() {
    let x = |reference: &str| toml(&format!("[messaging.x]\ntoken = {reference}\n"));
    Transcript::for_rule("unresolved-reference")
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
        .no_finding("not: nothing is looked up", &x("{ env = \"NOT_SET\" }"), &["--no-resolve"])
        .keep();
}

#[test]
fn a_conflicting_reference() {
    let both = "{ env = \"A\", file = \"b\" }";
    Transcript::for_rule("conflicting-reference")
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
    Transcript::for_rule("redirected-credential")
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
        .check(
            "an address that is not permitted",
            &mine(&format!("[trust]\nhosts = [\"slack.com\"]\n{token}"), to),
            &[],
        )
        .no_finding("not: a webhook", &mine("[messaging.x]\nwebhook_url = \"https://hooks.example.com/x\"\n", to), &[])
        .no_finding("not: an id", &mine(pair, "[storage.x]\nendpoint = \"https://s3.example.com\"\n"), &[])
        .no_finding("not: an address that is empty", &mine(token, "[messaging.x]\nbase_url = \"\"\n"), &[])
        .no_finding(
            "not: an authority that is empty",
            &mine(&format!("{token}base_url = \"https://h.example\"\n"), "[messaging.x]\nca_file = \"\"\n"),
            &[],
        )
        .no_finding("not: the secret is the project's, too", &mine(token, &format!("{to}token = \"changeme\"\n")), &[])
        .no_finding(
            "not: the address is one's own",
            &mine(&format!("{token}base_url = \"https://h.example\"\n"), "[messaging.x]\n"),
            &[],
        )
        .no_finding(
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
    let rotating = |token| file("messaging", &[BASE, CHANNELS, ("token", token)]);
    let app = [("bot_token", ROTATED)];
    let dotenv = Project::new().file(".env", format!("CREDLINT_APP__X__BOT_TOKEN={ROTATED}\n"));
    Transcript::for_rule("literal-secret")
        .check("a bot token that rotates", &rotating(ROTATED), &[])
        .check("a user token that rotates", &rotating(&ROTATED.replace("xoxb", "xoxp")), &[])
        .check("the bot token of an app, which rotates", &file("app", &app), &[])
        .check(
            "one that rotates, in one's own file",
            &Project::new().user(&format!("[app.x]\nbot_token = \"{ROTATED}\"\n")),
            &["--profile", "x"],
        )
        .no_finding("not: one that rotates, in the environment", &environment("app", &app), &[])
        .no_finding("not: one that rotates, by a reference", &references("app", &app), &[])
        .no_finding("not: one that rotates, in a file of its own", &files("app", &app), &[])
        .no_finding("not: one that rotates, in a dotenv file", &dotenv, &["--env-file", ".env"])
        .check("a token in the project's file", &file("messaging", &token), &[])
        .check("a token in a file that was named", &file("messaging", &token), &["--config", "credlint.toml"])
        .check("a token that is a URL", &file("messaging", &messaging(&[("token", HOOK)])), &[])
        .check("a webhook beside a token", &file("messaging", &messaging(&[("webhook_url", HOOK)])), &[])
        .check("a key", &file("storage", &pair), &[])
        .check("a master key", &file("storage", &[("account_id", ACCOUNT), ("master_application_key", MASTER)]), &[])
        .no_finding("not: in the environment", &environment("messaging", &token), &[])
        .no_finding("not: by references", &references("messaging", &token), &[])
        .no_finding("not: in files of their own", &files("messaging", &token), &[])
        .no_finding(
            "not: in one's own file",
            &Project::new().user(&format!("[messaging.x]\ntoken = \"{}\"\n", BOT.1)),
            &[],
        )
        .no_finding(
            "not: in a dotenv file",
            &Project::new().file("x.env", format!("CREDLINT_MESSAGING__X__TOKEN={}\n", BOT.1)),
            &["--env-file", "x.env"],
        )
        .no_finding("not: a stand-in", &file("messaging", &messaging(&[("token", "changeme")])), &[])
        .no_finding("not: an id", &file("storage", &[("account_id", ACCOUNT)]), &[])
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
    Transcript::for_rule("readable-secret-file")
        .check("one's own file", &readable(on_disk().user(&token), own, 0o644), &["--profile", "x"])
        .check("one's own file, by its group", &readable(on_disk().user(&token), own, 0o640), &["--profile", "x"])
        .check("one's own file with two secrets", &readable(on_disk().user(&both), own, 0o604), &["--profile", "x"])
        .check(
            "one's own file with two secrets in two profiles",
            &readable(on_disk().user(&format!("{token}[messaging.y]\ntoken = \"xoxp-0\"\n")), own, 0o644),
            &["--profile", "x", "--profile", "y"],
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
            "one's own file, and one that it names",
            &readable(
                readable(
                    on_disk()
                        .user(&format!("{token}webhook_url = {{ file = \"hook.txt\" }}\n"))
                        .file("../home/.config/credlint/hook.txt", HOOK),
                    own,
                    0o644,
                ),
                "../home/.config/credlint/hook.txt",
                0o644,
            ),
            &["--profile", "x"],
        )
        .check(
            "a file whose name could be a secret",
            &readable(
                on_disk()
                    .file("credlint.toml", "[messaging.x]\ntoken = { file = \"xoxb-1-a\" }\n")
                    .file("xoxb-1-a", BOT.1),
                "xoxb-1-a",
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
        .check(
            "a dotenv file that serves two profiles, and sets an ID",
            &readable(serving(&format!("CREDLINT_STORAGE__X__APPLICATION_KEY_ID={KEY_ID}\n")), "x.env", 0o644),
            &["--env-file", "x.env"],
        )
        .no_finding("not: a dotenv file for oneself that serves", &serving(""), &["--env-file", "x.env"])
        .no_finding(
            "not: a dotenv file that the environment hides",
            &readable(serving("").env("T", "x").env("U", "x"), "x.env", 0o644),
            &["--env-file", "x.env"],
        )
        .no_finding(
            "not: what a dotenv file holds is an example, a stand-in or of no known form",
            &readable(on_disk().file("credlint.toml", served).file("x.env", stand_ins), "x.env", 0o644),
            &["--env-file", "x.env"],
        )
        .no_finding("not: a file for oneself", &on_disk().user(&token), &[])
        .no_finding(
            "not: a file for oneself that is named",
            &on_disk().file("credlint.toml", reference).file("token.txt", BOT.1),
            &[],
        )
        .no_finding(
            "not: the project's file",
            &readable(on_disk().file("credlint.toml", &token), "credlint.toml", 0o644),
            &[],
        )
        .no_finding(
            "not: a file that was named with --config",
            &readable(on_disk().file("more.toml", &token), "more.toml", 0o644),
            &["--config", "more.toml"],
        )
        .no_finding(
            "not: a project's file for others that names one for oneself",
            &readable(on_disk().file("credlint.toml", reference).file("token.txt", BOT.1), "credlint.toml", 0o644),
            &[],
        )
        .no_finding(
            "not: a stand-in",
            &readable(on_disk().user("[messaging.x]\ntoken = \"changeme\"\n"), own, 0o644),
            &[],
        )
        .no_finding(
            "not: a stand-in",
            &readable(on_disk().user("[messaging.x]\ntoken = \"changeme\"\n"), own, 0o644),
            &["--profile", "x"],
        )
        .no_finding("not: nothing", &readable(on_disk().user("[messaging.x]\ntoken = \"\"\n"), own, 0o644), &[])
        .no_finding(
            "not: an id",
            &readable(on_disk().user(&format!("[storage.x]\naccount_id = \"{ACCOUNT}\"\n")), own, 0o644),
            &[],
        )
        .no_finding(
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
    Transcript::for_rule("shadowed-credential")
        .check("a file by the environment", &written().env(variable, "xoxb-1"), ALLOW_PLAINTEXT)
        .check("a reference by the environment", &env("T").env(variable, "xoxb-1"), &[])
        .check(
            "a file by a dotenv file",
            &written().file("x.env", "CREDLINT_MESSAGING__X__TOKEN=xoxb-1\n"),
            &["--env-file", "x.env"],
        )
        .check(
            "two files by the environment",
            &written().user("[messaging.x]\ntoken = \"xoxb-2\"\n").env(variable, "xoxb-1"),
            ALLOW_PLAINTEXT,
        )
        .check(
            "one file of two by the environment",
            &written().user("[messaging.x]\ntoken = \"xoxb-1\"\n").env(variable, "xoxb-1"),
            ALLOW_PLAINTEXT,
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
            ALLOW_PLAINTEXT,
        )
        .no_finding("not: both say the same", &written().env(variable, BOT.1), &[])
        .no_finding("not: the upper one is empty", &env("T").env(variable, ""), &[])
        .no_finding(
            "not: the lower one is a stand-in",
            &toml(&format!("{base}token = \"changeme\"\n")).env(variable, "xoxb-1"),
            &[],
        )
        .no_finding("not: no credential", &written().env("CREDLINT_MESSAGING__X__BASE_URL", "https://h.example"), &[])
        .keep();
}

#[test]
fn an_unused_allow() {
    let allow = |rest: &str| toml(&format!("[storage.x]\n[[lint.allow]]\n{rest}\n"));
    let of_x = "rule = \"no-channels\"\nprofile = \"storage.x\"\nreason = \"by hand\"\n";
    let comment = |text: &str| toml(&format!("# credlint: {text}\n[storage.x]\n"));
    Transcript::for_rule("unused-allow")
        .check("a table for a profile", &allow(of_x), &[])
        .check(
            "a table for anything, where everything was looked at",
            &allow("rule = \"no-channels\"\nreason = \"by hand\""),
            &[".", "--environment"],
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
        .no_finding(
            "not: a table for a rule that there is not",
            &allow("rule = \"no-chanels\"\nreason = \"by hand\""),
            &[],
        )
        .no_finding("not: a table for anything", &allow("rule = \"no-channels\"\nreason = \"by hand\""), &[])
        .no_finding(
            "not: a table in a policy",
            &toml("[storage.x]\n").file("p.toml", format!("[[lint.allow]]\n{of_x}")),
            &["--policy", "p.toml"],
        )
        .no_finding("not: without a reason", &allow("rule = \"no-channels\""), &[])
        .no_finding("not: what is allowed is found", &allow("rule = \"missing-key-pair\"\nreason = \"by hand\""), &[])
        .no_finding(
            "not: not everything was looked at",
            &allow("rule = \"no-channels\"\nreason = \"by hand\""),
            &["--profile", "x"],
        )
        .no_finding("not: no allow counts", &allow("rule = \"no-channels\"\nreason = \"by hand\""), &["--no-allow"])
        .keep();
}

#[test]
fn an_allow_without_a_reason() {
    let allow = |rest: &str| toml(&format!("[storage.x]\n[[lint.allow]]\n{rest}\n"));
    let comment = |text: &str| toml(&format!("# credlint: {text}\n[storage.x]\n"));
    Transcript::for_rule("allow-without-reason")
        .check("a table", &allow("rule = \"missing-key-pair\""), &[])
        .check("a table with a reason that is empty", &allow("rule = \"missing-key-pair\"\nreason = \"\""), &[])
        .check("a table that nothing needs", &allow("rule = \"no-channels\""), &[])
        .check("a comment", &comment("allow(missing-key-pair)"), &[])
        .check("a comment for two rules", &comment("allow(missing-key-pair, no-channels)"), &[])
        .check("a comment for a rule that there is not", &comment("allow(no-colours-here)"), &[])
        .check("a comment for what could be anything", &comment("allow(hunter2)"), &[])
        .no_finding("not: a table for a rule that there is not", &allow("rule = \"no-chanels\""), &[])
        .no_finding("not: with a reason", &allow("rule = \"missing-key-pair\"\nreason = \"by hand\""), &[])
        .keep();
}

#[test]
fn an_unexpanded_reference() {
    let mut transcript = Transcript::for_rule("unexpanded-reference");
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
        transcript = transcript.reported(what, "messaging", &messaging(&[("token", token)]));
    }
    transcript
        .reported_by_reference(
            "by a reference",
            "storage",
            &[("application_key_id", KEY_ID), ("application_key", "$KEY")],
        )
        .reported("in an address", "messaging", &messaging(&[("base_url", "https://${HOST}")]))
        .reported("in a channel", "messaging", &messaging(&[("channels", "$CHANNEL")]))
        .not_reported("a password", "storage", &[("application_key_id", KEY_ID), ("application_key", "$ecret")])
        .keep();
}

#[test]
fn a_foreign_credential() {
    Transcript::for_rule("foreign-credential")
        .reported("a token of somebody else", "messaging", &messaging(&[("token", GITHUB)]))
        .reported("a storage key as a token", "messaging", &messaging(&[("token", KEY)]))
        .reported(
            "a token as a webhook",
            "messaging",
            &messaging(&[("webhook_url", "xoxp-0000000000-0000000000-abcdefghijkl")]),
        )
        .reported("a token as a channel", "messaging", &messaging(&[("channels", BOT.1)]))
        .reported("a token as a comment", "messaging", &messaging(&[("initial_comment", BOT.1)]))
        .reported_by_reference(
            "a token as a key",
            "storage",
            &[("application_key_id", KEY_ID), ("application_key", BOT.1)],
        )
        .reported(
            "a token as a bucket",
            "storage",
            &[("application_key_id", KEY_ID), ("application_key", KEY), ("bucket", BOT.1)],
        )
        .reported("a refresh token of an app", "app", &[("bot_token", "xoxe-1-abcdefghijklmnopqrst")])
        .reported(
            "a user token as an app-level token",
            "app",
            &[("app_token", "xoxp-0000000000-0000000000-abcdefghijkl")],
        )
        .reported(
            "a user token as a signing secret",
            "app",
            &[("signing_secret", "xoxp-0000000000-0000000000-abcdefghijkl")],
        )
        .reported(
            "a webhook as a signing secret",
            "app",
            &[("signing_secret", "https://hooks.slack.com/services/T00000000/B00000000/abcdefghijklmnopqrstuvwx")],
        )
        .not_reported("32 hex digits", "messaging", &messaging(&[("token", "0123456789abcdef0123456789abcdef")]))
        .keep();
}

#[test]
fn an_unrecognised_credential() {
    let hosted = |token| messaging(&[("base_url", "https://slack.com"), ("token", token)]);
    Transcript::for_rule("unrecognised-credential")
        .reported("a token", "messaging", &hosted("hunter2hunter2"))
        .reported("a signing secret", "messaging", &hosted("0123456789abcdef0123456789abcdef"))
        .reported_by_reference(
            "the name of a key",
            "storage",
            &[("application_key_id", "nightly"), ("application_key", KEY)],
        )
        .reported("a user token as a bot token", "app", &[("bot_token", "xoxp-0000000000-0000000000-abcdefghijkl")])
        .reported("a client ID", "app", &[("app_token", "1234567890.1234567890123")])
        .reported("a signing secret as an app-level token", "app", &[("app_token", HEX)])
        .not_reported("a signing secret in its place", "app", &[("signing_secret", HEX)])
        .not_reported("a signing secret of an unknown form", "app", &[("signing_secret", "hunter2hunter2")])
        .not_reported(
            "a user token at an address of one's own",
            "app",
            &[("bot_token", "xoxp-0000000000-0000000000-abcdefghijkl"), ("api_url", "https://chat.example.com")],
        )
        .reported("a key", "storage", &[("application_key_id", KEY_ID), ("application_key", "nightly")])
        .not_reported("elsewhere", "messaging", &messaging(&[("token", "hunter2hunter2")]))
        .keep();
}

#[test]
fn an_application_key_as_the_master_key() {
    Transcript::for_cause("wrong-credential", "application-key")
        .reported("the pair", "storage", &[("account_id", KEY_ID), ("master_application_key", KEY)])
        .reported_by_reference("by references", "storage", &[("account_id", KEY_ID), ("master_application_key", KEY)])
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
    Transcript::for_rule("crossed-reference")
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
        .check(
            "a value of no known form",
            &token("").file(
                "credlint.toml",
                "[messaging.x]\nbase_url = \"https://chat.example.com\"\nchannels = [\"C1\"]\ntoken = { env = \"SLACK_WEBHOOK_URL\" }\n",
            ).env("SLACK_WEBHOOK_URL", "of-no-known-form"),
            &[],
        )
        .no_finding(
            "not: an ID alone as the key, which is incomplete",
            &profile("storage", "application_key = { env = \"B2_KEY_ID\" }"),
            unseen,
        )
        .no_finding(
            "not: a profile that is no table",
            &toml("[messaging]\nx = 1\n").env("CREDLINT_MESSAGING__X__TOKEN_FILE", "slack_webhook_url"),
            unseen,
        )
        .no_finding("not: an alias", &pair("env = \"B2_ACCOUNT_ID\"", "env = \"B2_ACCOUNT_KEY\""), unseen)
        .no_finding("not: a name that says nothing", &pair("env = \"B2_ONE\"", "env = \"B2_KEY\""), unseen)
        .no_finding(
            "not: a value that is known",
            &token("token = { env = \"SLACK_WEBHOOK_URL\" }").env("SLACK_WEBHOOK_URL", BOT.1),
            &[],
        )
        .keep();
}

#[test]
fn a_name_that_is_not_read() {
    let project =
        |lines: &str| Project::new().file("backup.env", format!("RESTIC_REPOSITORY=b2:nightly:host\n{lines}"));
    let (id, key) = (format!("B2_APPLICATION_KEY_ID={KEY_ID}\n"), format!("B2_APPLICATION_KEY={KEY}\n"));
    Transcript::for_rule("name-not-read")
        .check("both", &project(&(id + &key)), &["backup.env"])
        .no_finding(
            "not: its own",
            &project(&format!("B2_ACCOUNT_ID={KEY_ID}\nB2_ACCOUNT_KEY={KEY}\n")),
            &["backup.env"],
        )
        .keep();
}
