//! `verify` over real sockets: the answers of the services, the results, and what is never sent.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use credlint::sandbox::{Fault, Ledger, Options, Sandbox};
use credlint::{Environment, LoadOptions, Validity, VerifyOptions, rules};
use serde_json::{Value, json};

use crate::formats;
use crate::harness::{Project, Run};
use crate::server::{Server, runtime};

const TOKEN: &str = "xoxb-7391842650-QzWvXkPjHyBd";
const KEY_ID: &str = "0051a2b3c4d5e6f0000000001";
const KEY: &str = "K005Qz7Wv/Xk+PjHyBd39Tm18Rf64Lc";
const ACCOUNT: &str = "1a2b3c4d5e6f";
const MASTER: &str = "0057391842650abcdef91827364554637281ffeedd";

/// The embedded service, on its own thread until it is dropped.
pub struct Service {
    pub base: String,
    ledger: Ledger,
    runtime: Option<tokio::runtime::Runtime>,
}

impl Service {
    pub fn start(options: Options) -> Self {
        let sandbox = Sandbox::bind("127.0.0.1:0".parse().unwrap(), options).unwrap();
        let (base, ledger) = (sandbox.base_url(), sandbox.ledger());
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        drop(runtime.spawn(sandbox.run()));
        Self { base, ledger, runtime: Some(runtime) }
    }

    pub fn failing(fault: &str) -> Self {
        Self::start(all_scopes().with_faults(vec![fault.parse::<Fault>().unwrap()]))
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        assert!(self.ledger.messages().is_empty(), "something was posted");
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// A token with all requested scopes.
pub fn all_scopes() -> Options {
    Options::default().with_scopes(["files:write", "channels:read"].map(str::to_owned).to_vec())
}

/// Both profiles, for a service at this address.
pub fn project(base: &str, messaging: &str, storage: &str) -> Project {
    Project::new().env("T", TOKEN).env("K", KEY).file(
        "credlint.toml",
        format!(
            "[messaging.r]\nbase_url = '{base}'\ntoken = {{ env = 'T' }}\nchannels = ['C0123456789']\n{messaging}\n\
             [storage.s]\napplication_key_id = '{KEY_ID}'\napplication_key = {{ env = 'K' }}\napi_url = '{base}'\n{storage}\n"
        ),
    )
}

fn verify(project: &Project, words: &[&str]) -> (Run, Value) {
    let run =
        project.run(&[&["verify", "--format", "json", "--max-wait", "0", "--answer-timeout", "1"], words].concat());
    let document = run.document();
    (run, document)
}

/// Rule, severity and key of each finding.
fn findings(document: &Value) -> Vec<(String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let findings = document["findings"].as_array().unwrap().iter();
    findings.map(|found| (text(&found["rule"]), text(&found["severity"]), text(&found["labels"][0]["key"]))).collect()
}

fn found(document: &Value) -> Vec<String> {
    findings(document).into_iter().map(|(rule, severity, key)| format!("{severity} {rule} {key}")).collect()
}

fn state(document: &Value, index: usize) -> &str {
    document["profiles"][index]["live"]["state"].as_str().unwrap_or("not asked")
}

#[test]
fn valid_credentials_are_alive() {
    let service = Service::start(all_scopes().with_team("T0123456789").with_bucket(Some("nightly".to_owned())));
    let project = project(&service.base, "workspace = 'T0123456789'", "bucket = 'nightly'");
    let (run, document) = verify(&project, &[]);
    assert_eq!((run.code, found(&document)), (0, vec![]), "{}", run.stderr);
    let report = formats::validator(&formats::strict(formats::schema("docs/schema/report-v1.json")));
    formats::validate(&report, &document, "json");
    assert_eq!(
        document["profiles"],
        json!([
            {"kind": "messaging", "name": "r", "verdict": "fits", "live": {
                "state": "alive", "service": service.base, "names": [], "not_asked": [], "credentials": [], "token_kind": "bot", "expires_in": null,
                "workspace": "T0123456789", "scopes": ["files:write", "channels:read"],
                "channels": [{"id": "C0123456789", "reachable": "yes"}], "capabilities": null, "buckets": null,
            }},
            {"kind": "storage", "name": "s", "verdict": "fits", "live": {
                "state": "alive", "service": service.base, "names": [], "not_asked": [], "credentials": [], "token_kind": null, "expires_in": null,
                "workspace": null, "scopes": null, "channels": [],
                "capabilities": ["listBuckets", "listFiles", "readFiles", "writeFiles", "deleteFiles"],
                "buckets": ["nightly"],
            }},
        ])
    );
    assert!(run.stderr.contains(&format!("asking {} for messaging.r\n", service.base)), "{}", run.stderr);
    let run = project.run(&["verify"]);
    assert_eq!(run.code, 0);
    assert_eq!(
        run.stdout,
        format!(
            "messaging.r: alive at {0}, bot token of T0123456789, scopes files:write channels:read, C0123456789 reachable\n\
             storage.s: alive at {0}, may listBuckets listFiles readFiles writeFiles deleteFiles, only in nightly\n\
             2 profiles checked, 2 verified online: every credential is valid\n",
            service.base
        )
    );
}

#[test]
fn the_kind_and_expiry_of_a_token_are_reported() {
    for (token, kind, expires, rule) in [
        ("xoxp-7391842650-QzWv", "user", None, None),
        ("xoxe.xoxb-1-7391842650QzWv", "bot", Some(43_200), Some("note expiring-credential messaging.r.token")),
    ] {
        let service = Service::start(all_scopes());
        let project = project(&service.base, "", "").env("T", token);
        let (run, document) = verify(&project, &["--profile", "r"]);
        let live = &document["profiles"][0]["live"];
        assert_eq!((run.code, live["token_kind"].as_str(), live["expires_in"].as_u64()), (0, Some(kind), expires));
        assert_eq!(found(&document), rule.into_iter().collect::<Vec<_>>());
    }
}

/// Every definite rejection, and the field that is wrong.
#[test]
fn a_definite_rejection_means_dead() {
    for code in ["invalid_auth", "account_inactive", "token_revoked", "token_expired"] {
        let service = Service::failing(&format!("auth.test=error:{code}"));
        let (run, document) = verify(&project(&service.base, "", ""), &["--profile", "r"]);
        assert_eq!((run.code, state(&document, 0)), (1, "dead"), "{code}");
        assert_eq!(found(&document), ["error dead-credential messaging.r.token"]);
        assert!(document["findings"][0]["message"].as_str().unwrap().contains(code));
        assert_eq!(document["profiles"][0]["verdict"], "rejected");
    }
    for code in ["unauthorized", "bad_auth_token"] {
        let service = Service::failing(&format!("b2_authorize_account=error:{code}"));
        let (run, document) = verify(&project(&service.base, "", ""), &["--profile", "s"]);
        assert_eq!((run.code, state(&document, 0)), (1, "dead"), "{code}");
        assert_eq!(found(&document), ["error dead-credential storage.s.application_key_id"]);
        let labels = document["findings"][0]["labels"].as_array().unwrap();
        let keys: Vec<_> = labels.iter().map(|label| label["key"].as_str().unwrap()).collect();
        assert!(keys.contains(&"storage.s.application_key"), "both fields are labelled: {keys:?}");
    }
    let service = Service::failing("auth.test=error:invalid_auth");
    assert_eq!(verify(&project(&service.base, "", ""), &["--exit-zero"]).0.code, 0);
    // The option turns findings into exit code 0, and nothing else.
    let service = Service::failing("auth.test=503");
    assert_eq!(verify(&project(&service.base, "", ""), &["--exit-zero"]).0.code, 3);
    // The worse of both results counts.
    let faults = ["auth.test=503", "b2_authorize_account=error:unauthorized"].map(|fault| fault.parse().unwrap());
    let service = Service::start(all_scopes().with_faults(faults.to_vec()));
    assert_eq!(verify(&project(&service.base, "", ""), &[]).0.code, 1);
}

/// These keys are wrong for the embedded service, and not for the linter.
#[test]
fn a_key_pair_of_two_clusters_is_dead() {
    let service = Service::start(all_scopes());
    let project = project(&service.base, "", "").env("K", KEY.replace("K005", "K004"));
    let (run, document) = verify(&project, &["--profile", "s"]);
    assert_eq!((run.code, state(&document, 0)), (1, "dead"));
    assert_eq!(
        found(&document),
        [
            "warning mixed-credentials storage.s.application_key_id",
            "error dead-credential storage.s.application_key_id"
        ]
    );
}

/// Failures on the way say nothing about a credential.
#[test]
fn an_unknown_state_is_never_reported_as_dead() {
    let faults = [
        "429", "429:600", "500", "502", "503", "504", "html", "truncated", "stall", "reset:0", "silence", "lost",
        "error:ratelimited", "error:internal_error", "error:fatal_error", "error:service_unavailable",
        "error:access_denied", "error:not_authed", "error:missing_scope", "error:unknown_method", "error:made_up",
        "error:org_login_required", "error:accesslimited", "error:not_allowed_token_type", "error:invalid_arguments",
        "error:unsupported", "error:bad_request", "error:expired_auth_token", "error:too_many_requests",
    ];
    std::thread::scope(|scope| {
        for part in faults.chunks(8) {
            scope.spawn(move || {
                for fault in part {
                    let service = Service::failing(&format!("*={fault}"));
                    let (run, document) = verify(&project(&service.base, "", ""), &[]);
                    assert_eq!((state(&document, 0), state(&document, 1)), ("unknown", "unknown"), "{fault}");
                    assert_eq!(
                        found(&document),
                        ["warning unverified messaging.r.token", "warning unverified storage.s.application_key_id"],
                        "{fault}"
                    );
                    assert_eq!(run.code, 3, "{fault}");
                }
            });
        }
    });
}

#[test]
fn error_code_of_other_service_is_not_a_verdict() {
    for (fault, profile) in [("auth.test=error:unauthorized", "r"), ("b2_authorize_account=error:invalid_auth", "s")] {
        let service = Service::failing(fault);
        let (run, document) = verify(&project(&service.base, "", ""), &["--profile", profile]);
        assert_eq!((run.code, state(&document, 0)), (3, "unknown"), "{fault}");
    }
}

/// A code for an invalid credential in an answer that is otherwise broken, or from an intermediary.
#[test]
fn a_rejection_counts_only_in_a_response_of_the_service() {
    let dead = r#"{"ok":false,"error":"invalid_auth","status":401,"code":"unauthorized","message":""}"#;
    for (status, body, state_of_token, state_of_pair) in [
        ("200 OK", dead, "dead", "unknown"),
        ("401 Unauthorized", dead, "dead", "dead"),
        ("403 Forbidden", dead, "dead", "unknown"),
        ("500 Internal Server Error", dead, "unknown", "unknown"),
        ("503 Service Unavailable", dead, "unknown", "unknown"),
        ("302 Found\r\nLocation: http://127.0.0.1:9/", dead, "unknown", "unknown"),
        ("401 Unauthorized", "", "unknown", "unknown"),
        ("401 Unauthorized", "<html>sign in</html>", "unknown", "unknown"),
        ("401 Unauthorized", "{}", "unknown", "unknown"),
        ("401 Unauthorized", r#"{"code":"unauthorized","ok":false,"error":"invalid_auth""#, "unknown", "unknown"),
        ("407 Proxy Authentication Required", dead, "unknown", "unknown"),
        ("200 OK", "{}", "unknown", "unknown"),
        ("200 OK", r#"{"ok":"true","apiInfo":null}"#, "unknown", "unknown"),
    ] {
        for (profile, expected) in [("r", state_of_token), ("s", state_of_pair)] {
            let server = answering(format!(
                "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            ));
            let (_, document) = verify(&project(&server.base(), "", ""), &["--profile", profile]);
            assert_eq!(state(&document, 0), expected, "{profile}: {status} {body}");
        }
    }
}

#[test]
fn temporary_failures_are_retried() {
    for (fault, profile) in [("auth.test=503,1", "r"), ("b2_authorize_account=429:1,1", "s")] {
        let service = Service::failing(fault);
        let run = project(&service.base, "", "").run(&["verify", "--profile", profile]);
        assert_eq!(run.code, 0, "{fault}: {}{}", run.stdout, run.stderr);
    }
}

#[test]
fn a_missing_scope_is_reported() {
    let service = Service::start(Options::default().with_scopes(vec!["chat:write".to_owned()]));
    let (run, document) = verify(&project(&service.base, "", ""), &["--profile", "r"]);
    assert_eq!((run.code, state(&document, 0)), (1, "alive"));
    assert_eq!(found(&document), ["error missing-scope messaging.r.token", "note unverified messaging.r.channels[0]"]);
    // A note alone does not fail it.
    let service = Service::start(Options::default());
    let (run, document) = verify(&project(&service.base, "", ""), &["--profile", "r", "--fail-on", "warning"]);
    assert_eq!((run.code, found(&document)), (0, vec!["note unverified messaging.r.channels[0]".to_owned()]));
    assert_eq!(document["profiles"][0]["live"]["channels"], json!([{"id": "C0123456789", "reachable": "unknown"}]));
}

/// Compatible services need not send it.
#[test]
fn a_response_without_scopes_and_workspace_is_not_a_finding() {
    let body = r#"{"ok":true}"#;
    let server =
        answering(format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len()));
    let text = format!(
        "[messaging.r]\nbase_url = '{}'\ntoken = {{ env = 'T' }}\nworkspace = 'T0123456789'\nchannels = ['U0123456789']\n",
        server.base()
    );
    let project = Project::new().env("T", TOKEN).file("credlint.toml", text);
    let (run, document) = verify(&project, &[]);
    assert_eq!((run.code, state(&document, 0)), (0, "alive"), "{}", run.stdout);
    assert_eq!(
        found(&document),
        [
            "note unverified messaging.r.token", "note unverified messaging.r.workspace",
            "note unverified messaging.r.channels[0]"
        ]
    );
    let connection = server.finish();
    assert!(connection.head.starts_with("POST /api/auth.test HTTP/1.1\r\n"), "{}", connection.head);
    assert_eq!(connection.header("authorization"), Some(format!("Bearer {TOKEN}").as_str()));
    assert_eq!((connection.header("content-length"), connection.body.as_slice()), (Some("0"), &b""[..]));
}

#[test]
fn a_wrong_workspace_is_reported() {
    let service = Service::start(all_scopes().with_team("T0123456789"));
    for (workspace, rule) in [
        ("T0123456789", None),
        ("T9876543210", Some("error wrong-workspace messaging.r.workspace")),
        ("E9876543210", Some("error wrong-workspace messaging.r.workspace")),
        ("acme", Some("error wrong-workspace messaging.r.workspace")),
    ] {
        let (run, document) =
            verify(&project(&service.base, &format!("workspace = '{workspace}'"), ""), &["--profile", "r"]);
        assert_eq!(found(&document), rule.into_iter().collect::<Vec<_>>(), "{workspace}");
        assert_eq!(run.code, i32::from(rule.is_some()));
        assert_eq!(state(&document, 0), "alive");
    }
}

#[test]
fn each_channel_is_reachable_unreachable_or_unknown() {
    let service =
        Service::start(all_scopes().with_channels(["C0123456789", "G0123456789"].map(str::to_owned).to_vec()));
    let text = format!(
        "[messaging.r]\nbase_url = '{}'\ntoken = {{ env = 'T' }}\n\
         channels = ['C0123456789', 'C9876543210', 'U0123456789', 'G0123456789']\n",
        service.base
    );
    let project = Project::new().env("T", TOKEN).file("credlint.toml", text);
    let (run, document) = verify(&project, &[]);
    assert_eq!(run.code, 1);
    let reach = document["profiles"][0]["live"]["channels"].as_array().unwrap().iter();
    let reach: Vec<_> = reach.map(|channel| channel["reachable"].as_str().unwrap()).collect();
    assert_eq!(reach, ["yes", "no", "unknown", "yes"]);
    assert_eq!(
        found(&document),
        ["error unreachable-channel messaging.r.channels[1]", "note unverified messaging.r.channels[2]"]
    );
}

/// With `--channel`, a name is found in the lists that the token may see, over several pages.
#[test]
fn a_channel_is_found_by_its_name() {
    let mut channels: Vec<String> = (0..450).map(|number| format!("C{number:010}")).collect();
    channels.extend(["C0123456789=reports", "G0123456789=private"].map(str::to_owned));
    let start = |scopes: &[&str]| {
        let scopes = scopes.iter().map(|scope| (*scope).to_owned()).collect();
        Service::start(Options::default().with_scopes(scopes).with_channels(channels.clone()))
    };
    let both = &["files:write", "channels:read", "groups:read"][..];
    for (scopes, name, expected, findings, code) in [
        (both, "#reports", json!({"id": "C0123456789", "name": "#reports", "reachable": "yes"}), &[][..], 0),
        (both, "#private", json!({"id": "G0123456789", "name": "#private", "reachable": "yes"}), &[], 0),
        (both, "C0123456789", json!({"id": "C0123456789", "reachable": "yes"}), &[], 0),
        (both, "#none", json!({"id": "#none", "reachable": "no"}), &["error unreachable-channel messaging.r"], 1),
        (&both[..2], "#reports", json!({"id": "C0123456789", "name": "#reports", "reachable": "yes"}), &[], 0),
        // It may be a private channel, which this token can't list.
        (
            &both[..2],
            "#private",
            json!({"id": "#private", "reachable": "unknown"}),
            &["note unverified messaging.r"],
            0,
        ),
        (
            &both[..1],
            "#reports",
            json!({"id": "#reports", "reachable": "unknown"}),
            &["note unverified messaging.r"],
            0,
        ),
    ] {
        let service = start(scopes);
        let project = project(&service.base, "", "");
        let (run, document) = verify(&project, &["-p", "r", "--channel", name]);
        assert_eq!(document["profiles"][0]["live"]["channels"], json!([expected]), "{name}: {}", run.stderr);
        assert_eq!(
            (run.code, found(&document)),
            (code, findings.iter().map(|&found| found.to_owned()).collect()),
            "{name}"
        );
    }
    let service = start(both);
    let project = project(&service.base, "", "");
    let run = project.run(&["verify", "-p", "r", "--channel", "#reports", "--channel", "C0000000001"]);
    let shown = "#reports is C0123456789, reachable, C0000000001 reachable";
    assert!(run.code == 0 && run.stdout.contains(shown), "{}", run.stdout);
    assert_eq!(project.run(&["verify", "-p", "r", "--channel", "a,b"]).code, 2);
    let run = project.run(&["verify", "-p", "s", "--channel", "#reports"]);
    assert!(run.code == 2 && run.stderr.contains("--channel has no effect"), "{}", run.stderr);
}

/// An ID that echoes the token is not printed, nor is one of another form; and no list is read without the option.
#[test]
fn the_lists_of_channels_are_interpreted() {
    let all =
        ("x-oauth-scopes: files:write,channels:read,groups:read\r\n", json!({"ok": true, "team_id": "T0123456789"}));
    let page = |id: &str| ("", json!({"ok": true, "channels": [{"name": "x", "id": id}]}));
    let member = ("", json!({"ok": true, "channel": {"is_member": true}}));
    for (answers, expected) in [
        (
            vec![all.clone(), page("C0123456789"), member.clone()],
            json!([{"id": "C0123456789", "name": "#x", "reachable": "yes"}]),
        ),
        (vec![all.clone(), page("XOXB7391842650QZWVXKP")], json!([{"id": "#x", "reachable": "unknown"}])),
        (vec![all.clone(), page("town-square")], json!([{"id": "#x", "reachable": "unknown"}])),
        (vec![all.clone(), ("", json!({"ok": true}))], json!([{"id": "#x", "reachable": "no"}])),
        (
            vec![all.clone(), ("", json!({"ok": false, "error": "missing_scope"}))],
            json!([{"id": "#x", "reachable": "unknown"}]),
        ),
    ] {
        let answers = answers.into_iter().map(|(header, body): (&str, Value)| (header.to_owned(), body.to_string()));
        let (address, heads) = listen(answers.collect());
        let project = project(&format!("http://{address}"), "", "");
        let (run, document) = verify(&project, &["-p", "r", "--channel", "#x"]);
        assert_eq!(document["profiles"][0]["live"]["channels"], expected, "{}", run.stdout);
        let heads = heads.lock().unwrap().join("\n");
        assert!(heads.contains("POST /api/conversations.list HTTP/1.1"), "{heads}");
        assert!(heads.contains("types=public_channel%2Cprivate_channel&exclude_archived=true&limit=200"), "{heads}");
    }
    let (_, document, reach) = verify_with_responses(TOKEN, "'#x'", vec![all]);
    let note = "note unverified messaging.r.channels[0]".to_owned();
    assert!(reach == ["unknown"] && found(&document).contains(&note), "{document}");
}

#[test]
fn channel_responses_are_interpreted() {
    for (channel, expected) in [
        (json!({"is_member": true, "is_archived": false}), "yes"),
        (json!({"is_member": false}), "no"),
        (json!({"is_member": true, "is_archived": true}), "no"),
        (json!({"is_member": true, "is_read_only": true}), "no"),
        (json!({"is_member": true, "is_frozen": true}), "unknown"),
        (json!({"is_member": true, "id": "C9999999999"}), "unknown"),
        (json!({"is_member": true, "id": "C0123456789"}), "yes"),
        (json!({"is_im": true}), "yes"),
        (json!({"is_mpim": true, "is_member": true}), "yes"),
        (json!({}), "unknown"),
        (json!("x"), "unknown"),
        (json!({"is_member": "yes"}), "unknown"),
    ] {
        let answers = [
            ("x-oauth-scopes: files:write,channels:read\r\n", json!({"ok": true, "team_id": "T0123456789"})),
            ("", json!({"ok": true, "channel": channel})),
        ];
        let (address, heads) = listen(answers.map(|(header, body)| (header.to_owned(), body.to_string())).to_vec());
        let (_, document) = verify(&project(&format!("http://{address}"), "", ""), &["--profile", "r"]);
        assert_eq!(document["profiles"][0]["live"]["channels"][0]["reachable"], expected, "{channel}");
        let heads = heads.lock().unwrap().join("\n");
        assert!(heads.contains("POST /api/conversations.info HTTP/1.1"), "{heads}");
        assert!(heads.contains("channel=C0123456789"), "{heads}");
    }
}

/// A project with a token and these channels, and its result after these answers.
fn verify_with_responses(token: &str, channels: &str, answers: Vec<(&str, Value)>) -> (Run, Value, Vec<String>) {
    let (address, _) =
        listen(answers.into_iter().map(|(header, body)| (header.to_owned(), body.to_string())).collect());
    let text =
        format!("[messaging.r]\nbase_url = 'http://{address}'\ntoken = {{ env = 'T' }}\nchannels = [{channels}]\n");
    let project = Project::new().env("T", token).file("credlint.toml", text);
    let (run, document) = verify(&project, &[]);
    let reach = document["profiles"][0]["live"]["channels"].as_array().unwrap().iter();
    let reach = reach.map(|channel| channel["reachable"].as_str().unwrap().to_owned()).collect();
    (run, document, reach)
}

/// An error about one channel is not attributed to another, and does not cause another question.
#[test]
fn a_channel_error_applies_only_to_that_channel() {
    let all = ("x-oauth-scopes: files:write,channels:read\r\n", json!({"ok": true, "team_id": "T0123456789"}));
    let yes = ("", json!({"ok": true, "channel": {"is_member": true}}));
    let error = |code: &str| ("", json!({"ok": false, "error": code}));
    let (run, document, reach) = verify_with_responses(
        TOKEN,
        "'C0000000001', 'C0000000002', 'C0000000003', 'C0000000004', 'C0000000005', 'C0000000006', 'C0000000007'",
        vec![
            all.clone(),
            error("not_in_channel"),
            yes.clone(),
            error("is_archived"),
            error("made_up"),
            error("invalid_channel"),
            error("made_up"),
            yes.clone(),
        ],
    );
    assert_eq!(
        (run.code, reach),
        (1, ["no", "yes", "no", "unknown", "no", "unknown", "yes"].map(String::from).to_vec())
    );
    let key = |number: usize| format!("messaging.r.channels[{number}]");
    let mut expected: Vec<_> = [0, 2, 4].map(|at| format!("error unreachable-channel {}", key(at))).into();
    expected.push(format!("note unverified {}", key(3)));
    assert_eq!(found(&document), expected);
    let note = &document["findings"][3];
    assert!(note["message"].as_str().unwrap().contains("made_up") && note["labels"][1]["key"] == key(5), "{note}");
    // A note alone does not fail it, and an invalid answer is asked for again.
    let one = "'C0000000001', 'C0000000002'";
    let (run, ..) =
        verify_with_responses(TOKEN, one, vec![all.clone(), error("method_not_supported_for_channel_type"), yes]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    let (run, document, reach) = verify_with_responses(TOKEN, one, vec![all, error("internal_error")]);
    assert_eq!((run.code, reach), (3, vec!["unknown".to_owned(); 2]));
    assert_eq!(document["findings"][0]["labels"].as_array().unwrap().len(), 2);
}

/// A gateway may drop the header; the answer about a channel contains the scopes as well.
#[test]
fn scopes_in_an_error_response_count() {
    let plain = ("", json!({"ok": true, "team_id": "T0123456789"}));
    let missing = |provided: &str| {
        ("", json!({"ok": false, "error": "missing_scope", "needed": "channels:read", "provided": provided}))
    };
    let channels = "'C0000000001', 'C0000000002'";
    // The second channel is not queried, because the scopes are known by then.
    let (run, document, _) =
        verify_with_responses(TOKEN, channels, vec![plain.clone(), missing("chat:write,files:write")]);
    assert_eq!((run.code, found(&document)), (0, vec!["note unverified messaging.r.channels[0]".to_owned()]));
    assert_eq!(document["profiles"][0]["live"]["scopes"], json!(["chat:write", "files:write"]));
    let (run, document, _) = verify_with_responses(TOKEN, channels, vec![plain, missing("chat:write")]);
    assert_eq!(run.code, 1);
    assert_eq!(found(&document), ["error missing-scope messaging.r.token", "note unverified messaging.r.channels[0]"]);
}

#[test]
fn a_bot_token_is_recognised_without_a_bot_in_the_response() {
    let plain = json!({"ok": true, "team_id": "T0123456789"});
    let bot = json!({"ok": true, "team_id": "T0123456789", "bot_id": "B0123456789"});
    for (token, answer, kind) in [
        (TOKEN, &plain, "bot"),
        ("xoxe.xoxb-1-7391842650QzWv", &plain, "bot"),
        ("xoxp-7391842650-QzWv", &plain, "user"),
        ("7391842650-QzWv", &bot, "bot"),
    ] {
        let (_, document, _) =
            verify_with_responses(token, "'U0000000001'", vec![("x-oauth-scopes: files:write\r\n", answer.clone())]);
        assert_eq!(document["profiles"][0]["live"]["token_kind"], kind, "{token}");
    }
}

/// It is not documented which key belongs to the long ID of a master key, so neither is called invalid.
#[test]
fn a_master_key_pair_with_the_long_id_is_alive() {
    let service = Service::start(all_scopes().with_bucket(Some("nightly".to_owned())));
    for key in [MASTER, KEY] {
        let text = format!(
            "[storage.s]\naccount_id = '005{ACCOUNT}0000000000'\nmaster_application_key = {{ env = 'M' }}\n             api_url = '{}'\nbucket = 'weekly'\n",
            service.base
        );
        let (run, document) = verify(&Project::new().env("M", key).file("credlint.toml", text), &[]);
        assert_eq!((run.code, state(&document, 0), found(&document)), (0, "alive", vec![]), "{}", run.stdout);
    }
}

#[test]
fn a_key_whose_bucket_was_deleted_is_reported() {
    for (buckets, bucket, expected) in [
        (json!([{"id": "x", "name": null}]), "", Some("application_key_id")),
        (json!([{"id": "x", "name": null}]), "bucket = 'nightly'", Some("application_key_id")),
        (json!([{"id": "x", "name": null}, {"id": "y", "name": "nightly"}]), "bucket = 'nightly'", None),
        (json!([{"id": "x", "name": null}, {"id": "y", "name": "weekly"}]), "bucket = 'nightly'", Some("bucket")),
        (json!([]), "", None),
        (json!([{"id": "x"}]), "", None),
    ] {
        let body =
            json!({"apiInfo": {"storageApi": {"allowed": {"buckets": buckets, "capabilities": []}}}}).to_string();
        let server =
            answering(format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len()));
        let (run, document) = verify(&project(&server.base(), "", bucket), &["--profile", "s"]);
        let expected: Vec<_> = expected.iter().map(|field| format!("error wrong-bucket storage.s.{field}")).collect();
        assert_eq!((run.code, found(&document)), (i32::from(!expected.is_empty()), expected), "{buckets} {bucket}");
        assert_eq!(state(&document, 0), "alive");
    }
}

/// A failed lookup is a warning; the token stays valid, and the other channels are not queried.
#[test]
fn a_failed_channel_lookup_can_be_retried_later() {
    let service = Service::failing("conversations.info=503");
    let (run, document) = verify(&project(&service.base, "", ""), &["--profile", "r"]);
    assert_eq!((run.code, state(&document, 0)), (3, "alive"));
    assert_eq!(found(&document), ["warning unverified messaging.r.channels[0]"]);
}

#[test]
fn a_bucket_the_key_cannot_access_is_reported() {
    let service = Service::start(all_scopes().with_bucket(Some("nightly".to_owned())));
    let all = Service::start(all_scopes());
    for (service, bucket, expected) in [
        (&service, "bucket = 'nightly'", None),
        (&service, "bucket = 'weekly'", Some("error wrong-bucket storage.s.bucket")),
        (&service, "", None),
        (&all, "bucket = 'weekly'", None),
    ] {
        let (run, document) = verify(&project(&service.base, "", bucket), &["--profile", "s"]);
        assert_eq!(found(&document), expected.into_iter().collect::<Vec<_>>(), "{bucket}");
        assert_eq!((run.code, state(&document, 0)), (i32::from(expected.is_some()), "alive"));
    }
    // A master key is for all buckets, even if the other keys are for one.
    let text = format!(
        "[storage.s]\naccount_id = '{ACCOUNT}'\nmaster_application_key = {{ env = 'M' }}\napi_url = '{}'\nbucket = 'weekly'\n",
        service.base
    );
    let (run, _) = verify(&Project::new().env("M", MASTER).file("credlint.toml", text), &[]);
    assert_eq!(run.code, 0, "{}", run.stdout);
}

#[test]
fn the_key_pair_is_sent_in_the_documented_format() {
    let body = r#"{"apiInfo":{"storageApi":{"allowed":{"buckets":[{"id":"x","name":null}],"capabilities":["readFiles","x y"]}}}}"#;
    let server =
        answering(format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len()));
    let (run, document) =
        verify(&project(&format!("{}/base/", server.base()), "", "bucket = 'x'"), &["--profile", "s"]);
    assert_eq!((run.code, found(&document)), (1, vec!["error wrong-bucket storage.s.application_key_id".to_owned()]));
    assert_eq!(document["profiles"][0]["live"]["capabilities"], json!(["readFiles"]));
    let connection = server.finish();
    assert!(connection.head.starts_with("GET /base/b2api/v4/b2_authorize_account HTTP/1.1\r\n"), "{}", connection.head);
    // By an independent tool: printf '%s' "$ID:$KEY" | base64 -w0
    let basic = "Basic MDA1MWEyYjNjNGQ1ZTZmMDAwMDAwMDAwMTpLMDA1UXo3V3YvWGsrUGpIeUJkMzlUbTE4UmY2NExj";
    assert_eq!(connection.header("authorization"), Some(basic));
}

/// A service with this answer to a request without a body.
pub fn answering(answer: String) -> Server {
    Server::start(move |connection| {
        connection.read_head();
        connection.send(answer.as_bytes());
    })
}

/// A service with these answers, one for each connection, that records the requests.
pub fn listen(answers: Vec<(String, String)>) -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (address, heads) = (listener.local_addr().unwrap(), Arc::new(Mutex::new(Vec::new())));
    let kept = Arc::clone(&heads);
    std::thread::spawn(move || {
        for (header, body) in answers {
            let (mut stream, _) = listener.accept().unwrap();
            // Long enough for a few words that have already arrived.
            stream.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
            let mut got = Vec::new();
            let mut part = [0; 4096];
            while let Ok(len @ 1..) = stream.read(&mut part) {
                got.extend_from_slice(&part[..len]);
            }
            kept.lock().unwrap().push(String::from_utf8_lossy(&got).into_owned());
            let length = body.len();
            let answer =
                format!("HTTP/1.1 200 OK\r\n{header}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}");
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    (address, heads)
}

/// No level, allow or flag sends a credential that the check holds back.
#[test]
fn a_profile_with_errors_is_not_verified() {
    let tuned =
        "[lint]\nlevels = { insecure-base-url = 'off', mixed-key-pair = 'note', redirected-credential = 'off' }\n";
    let allowed = "[[lint.allow]]\nrule = 'insecure-base-url'\nreason = 'we know what we do'\n";
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let far = format!("http://chat.example.com:{port}");
    for (text, rule) in [
        (
            format!("[messaging.r]\nbase_url = '{far}'\ntoken = {{ env = 'T' }}\nchannels = ['C1']\n"),
            "insecure-base-url",
        ),
        (
            format!(
                "[storage.s]\napplication_key_id = '{KEY_ID}'\napplication_key = {{ env = 'K' }}\napi_url = '{far}'\n"
            ),
            "insecure-base-url",
        ),
        (
            format!(
                "[storage.s]\naccount_id = '{ACCOUNT}'\napplication_key = {{ env = 'K' }}\napi_url = 'http://127.0.0.1:{port}'\n"
            ),
            "mixed-key-pair",
        ),
    ] {
        for tuning in ["", tuned, allowed] {
            let project = Project::new().env("T", TOKEN).env("K", KEY).file("credlint.toml", format!("{text}{tuning}"));
            let (run, document) = verify(&project, &[]);
            let errors: Vec<_> = found(&document).into_iter().filter(|found| found.contains(rule)).collect();
            assert_eq!((run.code, errors.len(), state(&document, 0)), (1, 1, "not asked"), "{text}{tuning}");
            assert_eq!(document["profiles"][0]["verdict"], "rejected");
            assert!(!run.stderr.contains("asking"), "{}", run.stderr);
        }
    }
    let user = format!("[storage.s]\napplication_key_id = '{KEY_ID}'\napplication_key = '{KEY}'\n");
    let project = Project::new()
        .user(&user)
        .file("credlint.toml", format!("[storage.s]\napi_url = 'http://127.0.0.1:{port}'\n{tuned}"));
    let (run, document) = verify(&project, &[]);
    assert_eq!((run.code, state(&document, 0)), (1, "not asked"));
    assert!(found(&document).contains(&"error redirected-credential storage.s.api_url".to_owned()));
    assert!(listener.accept().is_err(), "a request was sent");
}

/// Programs of one service don't send its keys to another one because the address is missing.
#[test]
fn a_key_pair_of_another_service_is_not_sent_to_the_hosted_one() {
    for endpoint in ["https://s3.eu-central-005.example.com", "minio.example.com", "http://minio:9000"] {
        let text = format!(
            "[storage.s]\napplication_key_id = '{KEY_ID}'\napplication_key = {{ env = 'K' }}\nendpoint = '{endpoint}'\n"
        );
        let project = Project::new().env("K", KEY).file("credlint.toml", text);
        let (run, document) = verify(&project, &[]);
        assert_eq!((run.code, state(&document, 0)), (3, "unknown"), "{endpoint}");
        assert_eq!(document["profiles"][0]["live"]["service"], Value::Null);
        assert!(!run.stderr.contains("asking"), "{}", run.stderr);
    }
}

#[test]
fn a_redirect_is_not_followed() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    other.set_nonblocking(true).unwrap();
    for profile in ["r", "s"] {
        let server = answering(format!(
            "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://{}/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            other.local_addr().unwrap()
        ));
        let (run, document) = verify(&project(&server.base(), "", ""), &["--profile", profile]);
        assert_eq!((run.code, state(&document, 0)), (3, "unknown"));
    }
    assert!(other.accept().is_err(), "the redirect was followed");
}

#[test]
fn every_format_shows_verify_findings() {
    let service = Service::failing("auth.test=error:token_revoked");
    let project = project(&service.base, "", "bucket = 'x'");
    for format in ["human", "json"] {
        let run = project.run(&["verify", "--format", format]);
        assert_eq!(run.code, 1, "{format}");
        assert!(run.stdout.contains("dead-credential"), "{format}: {}", run.stdout);
    }
    let report = formats::validator(&formats::strict(formats::schema("docs/schema/report-v1.json")));
    formats::validate(&report, &project.run(&["verify", "--format", "json"]).document(), "json");
    // No other format has a place for what a service answered.
    for args in [&["--format", "sarif"][..], &["--report", "gitlab=out.json"]] {
        let run = project.run(&[&["verify"], args].concat());
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}: {}", run.stderr);
    }
    let run = project.env("CREDLINT_FORMAT", "concise").run(&["verify"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{}", run.stderr);
    assert!(run.stderr.contains("expected one of `human`, `json`") && !run.stderr.contains("asking"), "{}", run.stderr);
}

#[test]
fn every_finding_has_a_page() {
    for meta in rules::live::ALL {
        assert!(meta.page.starts_with(&format!("# {}\n", meta.id)), "{}", meta.id);
        let run = Project::new().run(&["explain", meta.id]);
        assert_eq!((run.code, run.stdout.as_str()), (0, meta.page));
        assert!(rules::find(meta.id).is_none(), "{} is a rule, too", meta.id);
    }
    assert!(Project::new().run(&["explain", "ded-credential"]).stderr.contains("did you mean `dead-credential`?"));
    let pages = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/verify")).unwrap();
    assert_eq!(pages.count(), rules::live::ALL.len());
    let overview = include_str!("../../docs/verify.md");
    for meta in rules::live::ALL {
        let row = format!("| [`{0}`](verify/{0}.md) | {1} | {2} |", meta.id, meta.severity, meta.summary);
        assert!(overview.contains(&row), "docs/verify.md has no row {row}");
    }
}

#[test]
fn an_empty_configuration_has_the_exit_code_of_a_check() {
    assert_eq!(Project::new().run(&["verify"]).code, 3);
    let project = Project::new().file("credlint.toml", "[messaging.r]\n");
    assert_eq!(project.run(&["verify", "--profile", "x"]).code, 2);
    assert_eq!(project.run(&["verify"]).code, 1);
}

/// What a program that uploads does first.
#[test]
fn the_library_can_verify_other_channels() {
    let service = Service::start(all_scopes().with_channels(vec!["C0123456789".to_owned()]));
    let project = project(&service.base, "", "");
    let environment: Environment = [("T", TOKEN), ("K", KEY)].into_iter().collect();
    let loaded = credlint::load(&LoadOptions::new(project.path(), environment)).unwrap();
    let mut options = VerifyOptions::default();
    options.profiles = vec!["messaging.r".to_owned()];
    options.channels = vec![credlint::ChannelId::parse("C9876543210").unwrap()];
    let verification = loaded.verification(&options).unwrap();
    assert_eq!(verification.destinations()[0].1, service.base);
    let report = runtime().block_on(verification.ask());
    assert_eq!(report.live_answers(&report.profiles[0].0).unwrap().state, Validity::Valid);
    assert_eq!(report.findings[0].rule, "unreachable-channel");
    assert!(report.fails() && !report.is_unanswered());
    assert_eq!(report.findings[0].labels[0].key, "messaging.r");
}
