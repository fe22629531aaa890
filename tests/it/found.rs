//! `verify PATH` and `verify --environment` over real sockets: what is asked about credentials in other programs' files and
//! variables, and whom.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Stdio;
use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::formats;
use crate::harness::{Project, Run};
use crate::verify::{Service, all_scopes};

const TOKEN: &str = "xoxb-7391842650-QzWvXkPjHyBd";
const OTHER: &str = "xoxb-9182736455-MnBvCxZaSdFg";
const KEY_ID: &str = "0051a2b3c4d5e6f0000000001";
const KEY: &str = "K005Qz7Wv/Xk+PjHyBd39Tm18Rf64Lc";
const HOOK: &str = "https://hooks.slack.com/services/T01ABCDEF/B01ABCDEF/abcdefghijklmnopqrstuvwx";
const STRIPE: &str = "STRIPE_SECRET_KEY=sk_live_4eC39HqLyjWDarjtT1zdp7dc\n";

/// A proxy that refuses all, and tells whom it was asked for. Loopback is reached without it.
struct Proxy(String, Arc<Mutex<Vec<String>>>);

impl Proxy {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (base, asked) =
            (format!("http://{}", listener.local_addr().unwrap()), Arc::<Mutex<Vec<String>>>::default());
        let noted = asked.clone();
        std::thread::spawn(move || {
            for mut stream in listener.incoming().map_while(Result::ok) {
                let (mut head, mut byte) = (Vec::new(), [0]);
                while !head.ends_with(b"\r\n\r\n") && matches!(stream.read(&mut byte), Ok(1)) {
                    head.push(byte[0]);
                }
                let head = String::from_utf8_lossy(&head).into_owned();
                noted.lock().unwrap().push(head.split(' ').nth(1).unwrap_or_default().to_owned());
                let _ = stream.write_all(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
            }
        });
        Self(base, asked)
    }

    /// The hosts since the last call, each once.
    fn asked(&self) -> Vec<String> {
        let mut asked = std::mem::take(&mut *self.1.lock().unwrap());
        asked.sort();
        asked.dedup();
        asked
    }

    fn project(&self) -> Project {
        Project::new().env("HTTPS_PROXY", &self.0)
    }
}

const WAIT: &[&str] = &["--max-wait", "0", "--answer-timeout", "5"];

fn verify(project: &Project, words: &[&str]) -> Run {
    project.run(&[&["verify"], WAIT, words].concat())
}

fn document(project: &Project, words: &[&str]) -> (i32, Value) {
    let run = verify(project, &[&["--format", "json"], words].concat());
    let (code, document) = (run.code, run.document());
    let report = formats::validator(&formats::strict(formats::schema("docs/schema/report-v1.json")));
    formats::validate(&report, &document, "json");
    (code, document)
}

fn pair() -> String {
    format!("B2_APPLICATION_KEY_ID={KEY_ID}\nB2_APPLICATION_KEY={KEY}\n")
}

/// The same as variables.
fn with_variables(project: Project, text: &str) -> Project {
    text.lines()
        .map(|line| line.split_once('=').unwrap())
        .fold(project, |project, (name, value)| project.env(name, value))
}

#[test]
fn verifies_found_credentials_by_name_and_location() {
    let service = Service::start(all_scopes());
    let text = format!(
        "SLACK_BOT_TOKEN={TOKEN}\nSLACK_API_URL={0}/api/\n{1}B2_ENVIRONMENT={0}\n{STRIPE}SLACK_WEBHOOK_URL={HOOK}\n",
        service.base,
        pair()
    );
    let run = verify(&with_variables(Project::new(), &text), &["--environment"]);
    let expected = format!(
        "SLACK_BOT_TOKEN: alive at {0}, bot token of T00000000, scopes files:write channels:read\n\
         SLACK_WEBHOOK_URL: not asked: asking a webhook would post a message\n\
         B2_APPLICATION_KEY_ID, B2_APPLICATION_KEY: alive at {0}, may listBuckets listFiles readFiles writeFiles deleteFiles\n\
         STRIPE_SECRET_KEY: not asked: credlint can't ask Stripe\n\
         8 variables read, 5 credentials recognised, 1 of unknown form, 2 verified online, none wrong\n",
        service.base
    );
    assert_eq!((run.code, run.stdout.as_str()), (0, expected.as_str()), "{}", run.stderr);
    assert!(run.stderr.starts_with(&format!("asking {} for app.slack\n", service.base)), "{}", run.stderr);
    let project = Project::new().file("deploy/.env", &text);
    let run = verify(&project, &["."]);
    let line = format!("deploy/.env:1:1: SLACK_BOT_TOKEN: alive at {}, bot token", service.base);
    assert!(run.code == 0 && run.stdout.contains(&line), "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.contains(" for app.slack in deploy/.env\n"), "{}", run.stderr);
    let (code, document) = document(&project, &["deploy/.env"]);
    let live = &document["profiles"][0]["live"];
    assert_eq!(
        (code, &live["names"][0], &live["state"]),
        (0, &"SLACK_BOT_TOKEN".into(), &"alive".into()),
        "{document}"
    );
    // It is unknown what a found token is used for.
    let service = Service::start(all_scopes().with_scopes(vec!["chat:write".to_owned()]));
    let text = format!("slack:\n  api_url: {}\n  bot_token: {TOKEN}\n  channel_id: C0123456789\n", service.base);
    let run = verify(&Project::new().file("values.yaml", text), &["values.yaml"]);
    assert!(run.code == 0 && run.stdout.contains("none wrong"), "{}{}", run.stdout, run.stderr);
}

#[test]
fn a_rejected_credential_is_an_error_at_its_name() {
    let faults = ["auth.test=error:token_revoked", "b2_authorize_account=error:unauthorized"];
    let service = Service::start(all_scopes().with_faults(faults.map(|fault| fault.parse().unwrap()).to_vec()));
    let text = format!("SLACK_TOKEN={TOKEN}\nSLACK_API_URL={0}\n{1}B2_ENVIRONMENT={0}\n", service.base, pair());
    let (code, document) = document(&Project::new().file(".env", text), &["."]);
    let found: Vec<(&str, &str)> = document["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| (finding["rule"].as_str().unwrap(), finding["message"].as_str().unwrap()))
        .collect();
    let messages = [
        "the service rejects `SLACK_TOKEN` (token_revoked): it was revoked",
        "the service rejects the key pair in `B2_APPLICATION_KEY_ID` and `B2_APPLICATION_KEY` (unauthorized): the keyID or the \
         key is wrong, or the key was deleted",
    ];
    assert_eq!((code, found), (1, messages.map(|message| ("dead-credential", message)).to_vec()));
    assert_eq!(document["findings"][0]["labels"][0]["key"], "SLACK_TOKEN");
    assert_eq!(document["profiles"][0]["verdict"], "rejected");
    // A missing answer is not a verdict.
    let service = Service::failing("auth.test=503");
    let text = format!("SLACK_TOKEN={TOKEN}\nSLACK_API_URL={}\n", service.base);
    let run = verify(&Project::new().file(".env", text), &["."]);
    assert!(run.code == 3 && run.stdout.contains("could not verify `SLACK_TOKEN`: "), "{}", run.stdout);
}

/// A token in five places is one request.
#[test]
fn the_same_credential_is_asked_about_once() {
    let (sender, requests) = std::sync::mpsc::sync_channel(100);
    let service = Service::start(all_scopes().with_requests(Some(sender)));
    let file = |name: &str, token: &str| format!("{name}={token}\nSLACK_API_URL={}\n", service.base);
    let project = Project::new()
        .file("a/.env", file("SLACK_BOT_TOKEN", TOKEN) + &pair() + &format!("B2_ENVIRONMENT={}\n", service.base))
        .file("b/.env", file("SLACK_TOKEN", TOKEN) + &pair() + &format!("B2_ENVIRONMENT={}\n", service.base))
        .file("c.json", format!("{{\"SLACK_TOKEN\": \"{OTHER}\", \"SLACK_API_URL\": \"{}\"}}", service.base));
    let run = verify(&project, &["."]);
    assert_eq!((run.code, run.stdout.matches(": alive at ").count()), (0, 5), "{}", run.stdout);
    for place in ["a/.env:1:1: SLACK_BOT_TOKEN", "b/.env:1:1: SLACK_TOKEN", "c.json:1:2: SLACK_TOKEN"] {
        assert!(run.stdout.contains(place), "{place}: {}", run.stdout);
    }
    drop(service);
    assert_eq!(requests.iter().count(), 3);
}

/// The hostile host is in another file, in another table, and in a dotenv file added to the variables of the process.
#[test]
fn a_credential_never_goes_to_a_host_from_elsewhere() {
    let hostile = Service::start(all_scopes());
    let (proxy, base) = (Proxy::start(), &hostile.base);
    let other = format!("SLACK_API_URL={base}\nB2_ENVIRONMENT={base}\nB2_ENDPOINT={base}\n");
    let project = proxy
        .project()
        .file(".env", format!("SLACK_BOT_TOKEN={TOKEN}\n{}", pair()))
        .file("other/.env", &other)
        .file("values.yaml", format!("slack:\n  bot_token: {TOKEN}\nother:\n  slack_api_url: {base}\n"))
        .file(
            "credlint.toml",
            format!("[messaging.r]\nbase_url = '{base}'\nchannels = ['C0123456789']\n[app.a]\napi_url = '{base}'\n"),
        );
    let run = verify(
        &with_variables(project, &format!("SLACK_TOKEN={OTHER}\n")),
        &["--environment", ".env", "values.yaml", "other"],
    );
    assert_eq!(run.code, 3, "{}{}", run.stdout, run.stderr);
    assert_eq!(proxy.asked(), ["api.backblazeb2.com:443", "slack.com:443"]);
    assert!(!run.stderr.contains(base) && !run.stdout.contains(base), "{}{}", run.stdout, run.stderr);
    // A variable of the process with the address of a dotenv file: neither that host nor another one is right.
    let project =
        with_variables(proxy.project().file("x.env", &other), &format!("SLACK_BOT_TOKEN={TOKEN}\n{}", pair()));
    let run = verify(&project, &["--environment", "--env-file", "x.env"]);
    assert!(
        run.code == 3 && run.stdout.contains("which must not decide where it goes"),
        "{}{}",
        run.stdout,
        run.stderr
    );
    assert!(proxy.asked().is_empty() && !run.stderr.contains("asking"), "{}", run.stderr);
    // The process says itself where.
    let project =
        proxy.project().file("x.env", &other).env("SLACK_BOT_TOKEN", TOKEN).env("SLACK_API_URL", base.clone());
    let run = verify(&project, &["--environment", "--env-file", "x.env"]);
    assert!(run.code == 0 && run.stdout.contains("SLACK_BOT_TOKEN: alive"), "{}{}", run.stdout, run.stderr);
}

#[test]
fn api_address_next_to_credential_must_be_permitted_and_safe() {
    let service = Service::start(all_scopes());
    let proxy = Proxy::start();
    let file = |address: &str| proxy.project().file("a.env", format!("SLACK_TOKEN={TOKEN}\nSLACK_API_URL={address}\n"));
    let policy = "[trust]\nhosts = ['slack.com']\n";
    let local = || file(&service.base).file("policy.toml", policy);
    for (project, words) in [
        (local().env("CREDLINT_HOSTS", "slack.com"), &["a.env"][..]),
        (local().user(policy), &["a.env"]),
        (local(), &["--policy", "policy.toml", "a.env"]),
        (local().env("CREDLINT_HOSTS", "slack.com"), &["--isolated", "a.env"]),
    ] {
        let run = verify(&project, words);
        assert!(
            run.code == 3 && run.stdout.contains("is not a permitted host"),
            "{words:?}: {}{}",
            run.stdout,
            run.stderr
        );
    }
    assert_eq!(verify(&local().user(policy), &["--isolated", "a.env"]).code, 0);
    assert_eq!(verify(&local().env("CREDLINT_HOSTS", ""), &["a.env"]).code, 2);
    // The service's own host can be excluded, too.
    let own = proxy.project().file("a.env", format!("SLACK_TOKEN={TOKEN}\n")).env("CREDLINT_HOSTS", "chat.example.com");
    assert!(verify(&own, &["a.env"]).stdout.contains("https://slack.com is not a permitted host"));
    // Plain http, another path, a reference, and a host without a scheme that is not a service.
    for address in [
        "http://chat.example.com", "https://chat.example.com/hooks/x", "${SLACK_API}", "https://${SLACK_HOST}",
        "localhost:1", "https://chat.example.com/x/api",
    ] {
        let run = verify(&file(address), &["a.env"]);
        assert!(run.code == 3 && run.stdout.contains("SLACK_TOKEN: not asked: "), "{address}: {}", run.stdout);
    }
    assert!(proxy.asked().is_empty());
    verify(&file("https://chat.example.com/api/"), &["a.env"]);
    assert_eq!(proxy.asked(), ["chat.example.com:443"]);
    // The service's own host is not another host, and neither is a webhook.
    for address in ["https://slack.com/api/", HOOK, "", "proxy"] {
        verify(&file(address), &["a.env"]);
        assert_eq!(proxy.asked(), ["slack.com:443"], "{address}");
    }
    // An address for something else in the table of a pair is not the pair's own.
    for (name, text) in [
        (
            "values.yaml",
            format!("b2:\n  application_key_id: {KEY_ID}\n  application_key: {KEY}\n  docs: https://a.example.com\n"),
        ),
        (
            "rclone.conf",
            format!("[r]\ntype = b2\naccount = {KEY_ID}\nkey = {KEY}\ndownload_url = https://a.example.com\n"),
        ),
    ] {
        verify(&proxy.project().file(name, text), &[name]);
        assert_eq!(proxy.asked(), ["api.backblazeb2.com:443"], "{name}");
    }
}

#[test]
fn reports_credentials_that_are_not_asked_about() {
    let proxy = Proxy::start();
    let pair = pair();
    for (name, text, expected) in [
        (".env", format!("SLACK_WEBHOOK_URL={HOOK}\n"), "SLACK_WEBHOOK_URL: not asked: asking a webhook would post"),
        (
            ".env",
            format!("B2_APPLICATION_KEY_ID={KEY_ID}\n"),
            "B2_APPLICATION_KEY_ID: not asked: only half of the pair is here",
        ),
        (".env", "SLACK_BOT_TOKEN=${TOKEN}\n".to_owned(), "SLACK_BOT_TOKEN: not asked: its value is "),
        (
            "deploy.yaml",
            "env:\n- name: SLACK_BOT_TOKEN\n  valueFrom:\n    secretKeyRef: {name: a, key: slack-token}\n".to_owned(),
            "SLACK_BOT_TOKEN: not asked: its value is in `slack-token`",
        ),
        // In a file, a name may be that of what a tool puts there.
        (
            "values.yaml",
            "slack:\n  bot_token: SLACK_BOT_TOKEN\n".to_owned(),
            "bot_token: not asked: its value is not here",
        ),
        (".env", "SLACK_TOKEN=9182736455abcdef\n".to_owned(), "SLACK_TOKEN: not asked: its form is unknown"),
        (".env", "SLACK_TOKEN=\n".to_owned(), "SLACK_TOKEN: not asked: it is empty"),
        (
            ".env.example",
            format!("SLACK_TOKEN={TOKEN}\n"),
            "SLACK_TOKEN: not asked: it is in an example, a test or documentation",
        ),
        (
            "values.yaml",
            format!("slack_api_url: https://chat.example.com\nslack:\n  bot_token: {TOKEN}\n"),
            "bot_token: not asked: `slack_api_url` sets another address",
        ),
        (
            ".env",
            format!("{pair}B2_ENDPOINT=https://s3.example.com\n"),
            "B2_APPLICATION_KEY_ID, B2_APPLICATION_KEY: not asked: `B2_ENDPOINT` sets another address",
        ),
        (
            "rclone.conf",
            format!("[r]\ntype = b2\naccount = {KEY_ID}\nkey = {KEY}\nendpoint = https://b2.example.com\n"),
            "account, key: not asked: `endpoint` sets another address",
        ),
        (".env", STRIPE.to_owned(), "STRIPE_SECRET_KEY: not asked: credlint can't ask Stripe"),
        (
            "credlint.toml",
            format!("[storage.s]\napplication_key_id = '{KEY_ID}'\napplication_key = '{KEY}'\n"),
            "storage.s: not asked: verify this configuration with `--config credlint.toml`",
        ),
        (
            ".env",
            "SLACK_SIGNING_SECRET=0123456789abcdef0123456789abcdef\n".to_owned(),
            "not asked: no service can check a signing secret",
        ),
    ] {
        let run = verify(&proxy.project().file(name, &text), &["."]);
        assert!(run.code == 3 && run.stdout.contains(expected), "{text}{}{}", run.stdout, run.stderr);
        assert!(run.stdout.contains("no service was asked, so nothing was verified"), "{text}{}", run.stdout);
    }
    // With an error of the check.
    let wrong = with_variables(
        proxy.project(),
        &format!(
            "SLACK_BOT_TOKEN={HOOK}\nB2_APPLICATION_KEY_ID={KEY_ID}\nB2_APPLICATION_KEY={}\n",
            "0057391842650abcdef91827364554637281ffeedd"
        ),
    );
    let run = verify(&wrong, &["--environment"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    for name in ["SLACK_BOT_TOKEN", "B2_APPLICATION_KEY_ID, B2_APPLICATION_KEY"] {
        assert!(
            run.stdout.contains(&format!("{name}: not asked: the check found an error; fix it first")),
            "{}",
            run.stdout
        );
    }
    assert!(proxy.asked().is_empty());
}

#[test]
fn nothing_found_is_not_verified() {
    for (words, code) in [(&["--environment"][..], 3), (&["."], 3), (&["none"], 2)] {
        let (found, document) = document(&Project::new().file("a.yaml", "a: 1\n"), words);
        let problem = if code == 2 { "not-found" } else { "nothing-to-check" };
        assert_eq!((found, document["problems"][0]["code"].as_str()), (code, Some(problem)), "{words:?}");
    }
}

#[test]
fn standard_input_is_verified() {
    let service = Service::start(all_scopes());
    let project = Project::new();
    let mut command = project.command(&[&["verify", "-"], WAIT].concat());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let text = format!("SLACK_BOT_TOKEN={TOKEN}\nSLACK_API_URL={}\n", service.base);
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && stdout.contains("SLACK_BOT_TOKEN: alive at "), "{stdout}");
}
