//! The output of `verify`, by the answers of a service.

use credlint::sandbox::Options;

use super::{Said, facts, run, shown};
use crate::harness::Project;
use crate::verify::{Service, answering, everything, listen, project};

impl Said {
    /// A run of `verify` that asks the service at this address.
    fn asked(self, what: &str, base: &str, project: &Project, profile: &str) -> Self {
        self.asked_within("30", what, base, project, profile)
    }

    /// The same with a timeout: short if no answer comes, and long if one may be late on a busy machine.
    fn asked_within(self, seconds: &str, what: &str, base: &str, project: &Project, profile: &str) -> Self {
        let words = ["verify", "--max-wait", "0", "--answer-timeout", seconds, "--profile", profile];
        let mut human = run(project, &words);
        for text in [&mut human.stdout, &mut human.stderr] {
            // In the line of a profile and before a question; the port differs each time.
            *text = text.replace(base.strip_prefix("http://").unwrap(), "<service>");
        }
        self.add(what, &shown(&human))
    }

    /// The same, with the facts that the drawn output does not show.
    fn asked_twice(self, what: &str, base: &str, project: &Project, profile: &str) -> Self {
        let words = ["verify", "--format", "json", "--max-wait", "0", "--answer-timeout", "30", "--profile", profile];
        let document = run(project, &words).document();
        let mut said = self.asked(what, base, project, profile);
        said.text = said.text.trim_end().to_owned() + "\n" + &facts(&document) + "\n";
        said
    }
}

/// An answer of a compatible service.
fn answer(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
}

#[test]
fn a_credential_that_is_in_force_or_dead() {
    let mut said = Said::new("verify", "dead-credential");
    let service = Service::start(everything().with_team("T0123456789").with_bucket(Some("nightly".to_owned())));
    let fits = project(&service.base, "workspace = 'T0123456789'", "bucket = 'nightly'");
    said =
        said.asked("a token in force", &service.base, &fits, "r").asked("a pair in force", &service.base, &fits, "s");
    for code in ["invalid_auth", "account_inactive", "token_revoked", "token_expired"] {
        let service = Service::failing(&format!("auth.test=error:{code}"));
        said = said.asked_twice(code, &service.base, &project(&service.base, "", ""), "r");
    }
    for code in ["unauthorized", "bad_auth_token"] {
        let service = Service::failing(&format!("b2_authorize_account=error:{code}"));
        said = said.asked_twice(code, &service.base, &project(&service.base, "", ""), "s");
    }
    of_an_app(said).keep();
}

#[test]
fn a_question_that_is_not_answered() {
    let mut said = Said::new("verify", "unverified");
    for fault in [
        "429",
        "429:600",
        "503",
        "html",
        "truncated",
        "reset:0",
        "silence",
        "lost",
        "error:ratelimited",
        "error:internal_error",
        "error:missing_scope",
        "error:not_authed",
        "error:made_up",
        "error:bad_request",
    ] {
        let service = Service::failing(&format!("*={fault}"));
        let project = project(&service.base, "", "");
        let seconds = if fault == "silence" { "1" } else { "30" };
        said = said.asked_within(seconds, &format!("{fault}, for a token"), &service.base, &project, "r").asked_within(
            seconds,
            &format!("{fault}, for a pair"),
            &service.base,
            &project,
            "s",
        );
    }
    let base = "http://127.0.0.1:9";
    for profile in ["r", "s"] {
        let project = project(base, "", "");
        said = said.asked(&format!("nobody listens, for {profile}"), base, &project, profile);
    }
    let answers = [r#"{"ok":true}"#, r#"{"ok":true,"channel":{}}"#];
    let base = format!("http://{}", listen(answers.map(|body| (String::new(), body.to_owned())).to_vec()).0);
    let yes = project(&base, "workspace = 'T0123456789'", "");
    said = said.asked("nothing but yes, for a token", &base, &yes, "r");
    let server = answering(answer(r#"{"apiInfo":{"storageApi":{"allowed":{"capabilities":["readFiles"]}}}}"#));
    said = said.asked("no buckets", &server.base(), &project(&server.base(), "", "bucket = 'nightly'"), "s");
    let service = Service::failing("conversations.info=503");
    said = said.asked_twice("for a channel", &service.base, &project(&service.base, "", ""), "r");
    let service = Service::failing("conversations.info=error:token_revoked");
    said = said.asked("dead in between", &service.base, &project(&service.base, "", ""), "r");
    let text = "[storage.s]\napplication_key_id = '0051a2b3c4d5e6f0000000001'\napplication_key = { env = 'K' }\nendpoint = 'https://s3.example.com'\n";
    let nobody = Project::new().file("credlint.toml", text).env("K", "K005abcdefghijklmnopqrstuvwxyz1");
    said = said.asked("nobody to ask", "http://nobody", &nobody, "s");
    let text = "[messaging.r]\nbase_url = 'https://chat.example.com/api'\ntoken = { env = 'K' }\n";
    let refused = Project::new().file("credlint.toml", text).env("K", "xoxb-0000000000-abcdefghijkl");
    said.asked("a profile with errors", "http://nobody", &refused, "r").keep();
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
fn of_an_app(said: Said) -> Said {
    let service = Service::start(everything().with_team("T0123456789"));
    let mut said = said.asked_twice("the tokens of an app, in force", &service.base, &app(&service.base), "d");
    for (what, bot, own) in [
        ("one of them is dead", r#"{"ok":true}"#, r#"{"ok":false,"error":"invalid_auth"}"#),
        ("one of them is not answered for", r#"{"ok":true}"#, r#"{"ok":false,"error":"internal_error"}"#),
        ("both of them are dead", r#"{"ok":false,"error":"token_revoked"}"#, r#"{"ok":false,"error":"token_expired"}"#),
    ] {
        let answers = vec![(String::new(), bot.to_owned()), (String::new(), own.to_owned())];
        let base = format!("http://{}", listen(answers).0);
        said = said.asked(what, &base, &app(&base), "d");
    }
    let alone = Project::new().env("CREDLINT_APP__D__SIGNING_SECRET", "0123456789abcdef0123456789abcdef");
    said.asked("a signing secret alone", "http://nobody", &alone, "d")
}

#[test]
fn a_credential_for_something_else() {
    let service = Service::start(Options::default().with_scopes(vec!["chat:write".to_owned()]));
    let none = Service::start(Options::default().with_scopes(Vec::new()));
    Said::new("verify", "missing-scope")
        .asked_twice("another scope", &service.base, &project(&service.base, "", ""), "r")
        .asked("no scope", &none.base, &project(&none.base, "", ""), "r")
        .keep();

    let service = Service::start(everything().with_team("T0123456789"));
    let mut said = Said::new("verify", "wrong-workspace");
    for workspace in ["T9876543210", "acme"] {
        let project = project(&service.base, &format!("workspace = '{workspace}'"), "");
        said = said.asked_twice(workspace, &service.base, &project, "r");
    }
    said.keep();

    let service = Service::start(everything().with_bucket(Some("nightly".to_owned())));
    let weekly = project(&service.base, "", "bucket = 'weekly'");
    let said = Said::new("verify", "wrong-bucket").asked_twice("another bucket", &service.base, &weekly, "s");
    let body =
        r#"{"apiInfo":{"storageApi":{"allowed":{"buckets":[{"id":"x","name":null}],"capabilities":["readFiles"]}}}}"#;
    let server = answering(answer(body));
    said.asked("a bucket that is gone", &server.base(), &project(&server.base(), "", "bucket = 'weekly'"), "s").keep();
}

#[test]
fn a_channel_that_is_not_reached() {
    let service = Service::start(everything().with_channels(vec!["C9876543210".to_owned()]));
    let mut said = Said::new("verify", "unreachable-channel").asked_twice(
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
        said = said.asked(channel, &base, &project(&base, "", ""), "r");
    }
    said.keep();
}

#[test]
fn a_credential_that_expires() {
    let service = Service::start(everything());
    let rotated = project(&service.base, "", "").env("T", "xoxe.xoxb-1-7391842650QzWv");
    Said::new("verify", "expiring-credential").asked_twice("a rotated token", &service.base, &rotated, "r").keep();
}
