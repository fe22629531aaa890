//! The output of `verify`, by the answers of a service.

use credlint::sandbox::Options;

use super::{Transcript, facts, run, shown};
use crate::harness::Project;
use crate::verify::{Service, all_scopes, answering, listen, project};

impl Transcript {
    /// A run of `verify` that asks the service at this address.
    fn verify(self, what: &str, base: &str, project: &Project, profile: &str) -> Self {
        self.verify_within("30", what, base, project, profile)
    }

    /// The same with a timeout: short if no answer comes, and long if one may be late on a busy machine.
    fn verify_within(self, seconds: &str, what: &str, base: &str, project: &Project, profile: &str) -> Self {
        let words = ["verify", "--max-wait", "0", "--answer-timeout", seconds, "--profile", profile];
        let mut human = run(project, &words);
        for text in [&mut human.stdout, &mut human.stderr] {
            // In the line of a profile and before a question; the port differs each time.
            *text = text.replace(base.strip_prefix("http://").unwrap(), "<service>");
        }
        self.add(what, &shown(&human))
    }

    /// The same, with the facts that the drawn output does not show.
    fn verify_with_facts(self, what: &str, base: &str, project: &Project, profile: &str) -> Self {
        let words = ["verify", "--format", "json", "--max-wait", "0", "--answer-timeout", "30", "--profile", profile];
        let document = run(project, &words).document();
        let mut transcript = self.verify(what, base, project, profile);
        transcript.text = transcript.text.trim_end().to_owned() + "\n" + &facts(&document) + "\n";
        transcript
    }
}

/// An answer of a compatible service.
fn answer(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
}

#[test]
fn valid_and_dead_credentials() {
    let mut transcript = Transcript::new("verify", "dead-credential");
    let service = Service::start(all_scopes().with_team("T0123456789").with_bucket(Some("nightly".to_owned())));
    let fits = project(&service.base, "workspace = 'T0123456789'", "bucket = 'nightly'");
    transcript = transcript
        .verify("a token in force", &service.base, &fits, "r")
        .verify("a pair in force", &service.base, &fits, "s");
    for code in ["invalid_auth", "account_inactive", "token_revoked", "token_expired"] {
        let service = Service::failing(&format!("auth.test=error:{code}"));
        transcript = transcript.verify_with_facts(code, &service.base, &project(&service.base, "", ""), "r");
    }
    for code in ["unauthorized", "bad_auth_token"] {
        let service = Service::failing(&format!("b2_authorize_account=error:{code}"));
        transcript = transcript.verify_with_facts(code, &service.base, &project(&service.base, "", ""), "s");
    }
    app_tokens(transcript).keep();
}

#[test]
fn unanswered_requests() {
    let mut transcript = Transcript::new("verify", "unverified");
    for fault in [
        "429", "429:600", "503", "html", "truncated", "reset:0", "silence", "lost", "error:ratelimited",
        "error:internal_error", "error:missing_scope", "error:not_authed", "error:made_up", "error:bad_request",
    ] {
        let service = Service::failing(&format!("*={fault}"));
        let project = project(&service.base, "", "");
        let seconds = if fault == "silence" { "1" } else { "30" };
        transcript = transcript
            .verify_within(seconds, &format!("{fault}, for a token"), &service.base, &project, "r")
            .verify_within(seconds, &format!("{fault}, for a pair"), &service.base, &project, "s");
    }
    let base = "http://127.0.0.1:9";
    for profile in ["r", "s"] {
        let project = project(base, "", "");
        transcript = transcript.verify(&format!("nobody listens, for {profile}"), base, &project, profile);
    }
    let answers = [r#"{"ok":true}"#, r#"{"ok":true,"channel":{}}"#];
    let base = format!("http://{}", listen(answers.map(|body| (String::new(), body.to_owned())).to_vec()).0);
    let yes = project(&base, "workspace = 'T0123456789'", "");
    transcript = transcript.verify("nothing but yes, for a token", &base, &yes, "r");
    let server = answering(answer(r#"{"apiInfo":{"storageApi":{"allowed":{"capabilities":["readFiles"]}}}}"#));
    transcript =
        transcript.verify("no buckets", &server.base(), &project(&server.base(), "", "bucket = 'nightly'"), "s");
    let service = Service::failing("conversations.info=503");
    transcript = transcript.verify_with_facts("for a channel", &service.base, &project(&service.base, "", ""), "r");
    let service = Service::failing("conversations.info=error:token_revoked");
    transcript = transcript.verify("dead in between", &service.base, &project(&service.base, "", ""), "r");
    let text = "[storage.s]\napplication_key_id = '0051a2b3c4d5e6f0000000001'\napplication_key = { env = 'K' }\nendpoint = 'https://s3.example.com'\n";
    let no_address = Project::new().file("credlint.toml", text).env("K", "K005abcdefghijklmnopqrstuvwxyz1");
    transcript = transcript.verify("nobody to ask", "http://nobody", &no_address, "s");
    let text = "[messaging.r]\nbase_url = 'https://chat.example.com/api'\ntoken = { env = 'K' }\n";
    let refused = Project::new().file("credlint.toml", text).env("K", "xoxb-0000000000-abcdefghijkl");
    transcript.verify("a profile with errors", "http://nobody", &refused, "r").keep();
}

/// An app with all its fields, at this address.
fn app(base: &str) -> Project {
    let text = format!(
        "[app.d]\nbot_token = {{ env = 'B' }}\napp_token = {{ env = 'A' }}\nsigning_secret = {{ env = 'S' }}\napi_url = '{base}'\n"
    );
    let project = Project::new().file("credlint.toml", text).env("B", "xoxb-0000000000-0000000000-abcdefghijkl");
    project.env("A", "xapp-1-A0000000000-0000000000-abcdefghijkl").env("S", "c5b1e7d09f3a4826b7d41e0c93fa5d68")
}

/// The tokens of an app, valid and invalid.
fn app_tokens(transcript: Transcript) -> Transcript {
    let service = Service::start(all_scopes().with_team("T0123456789"));
    let mut transcript =
        transcript.verify_with_facts("the tokens of an app, in force", &service.base, &app(&service.base), "d");
    for (what, bot, own) in [
        ("one of them is dead", r#"{"ok":true}"#, r#"{"ok":false,"error":"invalid_auth"}"#),
        ("one of them is not answered for", r#"{"ok":true}"#, r#"{"ok":false,"error":"internal_error"}"#),
        ("both of them are dead", r#"{"ok":false,"error":"token_revoked"}"#, r#"{"ok":false,"error":"token_expired"}"#),
    ] {
        let answers = vec![(String::new(), bot.to_owned()), (String::new(), own.to_owned())];
        let base = format!("http://{}", listen(answers).0);
        transcript = transcript.verify(what, &base, &app(&base), "d");
    }
    let alone = Project::new().env("CREDLINT_APP__D__SIGNING_SECRET", "0123456789abcdef0123456789abcdef");
    transcript.verify("a signing secret alone", "http://nobody", &alone, "d")
}

#[test]
fn credentials_without_the_needed_access() {
    let service = Service::start(Options::default().with_scopes(vec!["chat:write".to_owned()]));
    let none = Service::start(Options::default().with_scopes(Vec::new()));
    Transcript::new("verify", "missing-scope")
        .verify_with_facts("another scope", &service.base, &project(&service.base, "", ""), "r")
        .verify("no scope", &none.base, &project(&none.base, "", ""), "r")
        .keep();

    let service = Service::start(all_scopes().with_team("T0123456789"));
    let mut transcript = Transcript::new("verify", "wrong-workspace");
    for workspace in ["T9876543210", "acme"] {
        let project = project(&service.base, &format!("workspace = '{workspace}'"), "");
        transcript = transcript.verify_with_facts(workspace, &service.base, &project, "r");
    }
    transcript.keep();

    let service = Service::start(all_scopes().with_bucket(Some("nightly".to_owned())));
    let weekly = project(&service.base, "", "bucket = 'weekly'");
    let transcript =
        Transcript::new("verify", "wrong-bucket").verify_with_facts("another bucket", &service.base, &weekly, "s");
    let body =
        r#"{"apiInfo":{"storageApi":{"allowed":{"buckets":[{"id":"x","name":null}],"capabilities":["readFiles"]}}}}"#;
    let server = answering(answer(body));
    transcript
        .verify("a bucket that is gone", &server.base(), &project(&server.base(), "", "bucket = 'weekly'"), "s")
        .keep();
}

#[test]
fn unreachable_channels() {
    let service = Service::start(all_scopes().with_channels(vec!["C9876543210".to_owned()]));
    let mut transcript = Transcript::new("verify", "unreachable-channel").verify_with_facts(
        "another channel",
        &service.base,
        &project(&service.base, "", ""),
        "r",
    );
    for channel in ["{\"is_member\":false}", "{\"is_member\":true,\"is_archived\":true}", "{}"] {
        let answers = [
            ("x-oauth-scopes: files:write,channels:read\r\n", r#"{"ok":true,"team_id":"T0123456789"}"#.to_owned()),
            ("", format!("{{\"ok\":true,\"channel\":{channel}}}")),
        ];
        let (address, _) = listen(answers.map(|(header, body)| (header.to_owned(), body)).to_vec());
        let base = format!("http://{address}");
        transcript = transcript.verify(channel, &base, &project(&base, "", ""), "r");
    }
    transcript.keep();
}

#[test]
fn expiring_credentials() {
    let service = Service::start(all_scopes());
    let rotated = project(&service.base, "", "").env("T", "xoxe.xoxb-1-7391842650QzWv");
    Transcript::new("verify", "expiring-credential")
        .verify_with_facts("a rotated token", &service.base, &rotated, "r")
        .keep();
}
