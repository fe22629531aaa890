//! `upload` and `sandbox` in everyday use.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};
use std::time::Duration;

use bytes::Bytes;
use serde_json::{Value, json};

use crate::harness::{Project, Run};
use crate::server::Server;

pub const TOKEN: &str = "xoxb-0000000000-0000000000-abcdefghijkl";
pub const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 45\r\nConnection: close\r\n\r\n{\"ok\":true,\"file\":{\"id\":\"F0123456789\",\"x\":1}}";

pub fn project(base: &str) -> Project {
    let text = format!(
        "[messaging.reports]\nbase_url = \"{base}\"\ntoken = {{ env = \"T\" }}\nchannels = [\"C0123456789\", \"D0123456789\"]\ninitial_comment = \"Nightly report\"\n"
    );
    Project::new().file("credlint.toml", text).file("report.csv", "day,errors\n1,2\n").env("T", TOKEN)
}

pub fn upload(project: &Project, args: &[&str]) -> Run {
    project.run(&[&["upload", "--profile", "reports", "--format", "json"], args].concat())
}

/// The embedded service as a separate process.
pub struct Service(Child, pub String);

impl Service {
    pub fn start(project: &Project, args: &[&str]) -> Self {
        let mut child =
            project.command(&[&["sandbox", "--quiet"], args].concat()).stdout(Stdio::piped()).spawn().unwrap();
        let mut base = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut base).unwrap();
        Self(child, base.trim().to_owned())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_delivered_file_is_reported() {
    let server = Server::answering(OK);
    let project = project(&server.base());
    let run = upload(&project, &["report.csv"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let mut document = run.document();
    assert!(document["uploads"][0]["elapsed_ms"].is_u64());
    document["uploads"][0]["elapsed_ms"] = json!(0);
    assert_eq!(
        document,
        json!({
            "schema": "credlint/upload/v1",
            "summary": {
                "files": 1, "bytes": 15, "delivered": 1, "accepted": 0, "failed": 0, "uncertain": 0, "refused": 0,
                "skipped": 0, "rehearsed": 0,
            },
            "mode": "live",
            "profile": {"kind": "messaging", "name": "reports"},
            "destination": server.base(),
            "uploads": [{
                "file": "report.csv", "status": "delivered", "bytes": 15, "sha256": null,
                "channels": ["C0123456789", "D0123456789"], "file_id": "F0123456789", "permalink": null, "ts": null,
                "attempts": 1, "elapsed_ms": 0, "reason": null, "error": null
            }],
            "findings": [], "problems": []
        })
    );
    assert_eq!(run.stderr, format!("read: credlint.toml\nsending 1 file to {} as messaging.reports\n", server.base()));
    let seen = server.finish();
    assert_eq!(seen.header("authorization"), Some(format!("Bearer {TOKEN}").as_str()));
    let part = |name: &str, file: Option<&str>, content: &'static str| {
        (name.to_owned(), file.map(str::to_owned), Bytes::from(content))
    };
    assert_eq!(
        seen.parts(),
        [
            part("channels", None, "C0123456789,D0123456789"),
            part("initial_comment", None, "Nightly report"),
            part("file", Some("report.csv"), "day,errors\n1,2\n"),
        ]
    );
}

#[test]
fn the_command_line_overrides_channels_comment_and_name() {
    let server = Server::answering(OK);
    let project = project(&server.base());
    let run = upload(
        &project,
        &["--channel", "C1111", "--channel", "C2222", "--comment", "", "--filename", "a.csv", "report.csv"],
    );
    assert_eq!(run.document()["uploads"][0]["channels"], json!(["C1111", "C2222"]));
    let parts = server.finish().parts();
    assert_eq!((&parts[0].2[..], parts.last().unwrap().1.as_deref()), (&b"C1111,C2222"[..], Some("a.csv")));
}

/// The options of the command and the profile, as the service gets and records them.
#[test]
fn a_file_is_posted_as_a_snippet_with_blocks_and_an_alternative_text() {
    for method in ["external", "files.upload"] {
        let text = |base: &str| {
            format!(
                "[messaging.reports]\nbase_url = '{base}'\ntoken = {{ env = 'T' }}\nchannels = ['C0123456789']\n\
                 upload_method = '{method}'\ninitial_comment = 'Nightly'\nsnippet_type = 'python'\n"
            )
        };
        let project = Project::new().file("a.py", "a = 1\n").file("b.py", "b = 1\n").env("T", TOKEN);
        let ledger = project.path().join("ledger");
        let service = Service::start(&project, &["--ledger", ledger.to_str().unwrap()]);
        let blocks = r#"{"blocks": [{"type": "divider"}, {"type": "divider"}]}"#;
        let project = project.file("credlint.toml", text(&service.1)).file("blocks.json", blocks);
        let sent = |words: &[&str], code: i32| {
            let run = upload(&project, words);
            assert_eq!(run.code, code, "{words:?}: {}{}", run.stdout, run.stderr);
            let ledger = std::fs::read_to_string(&ledger).unwrap_or_default();
            let message: serde_json::Value = serde_json::from_str(ledger.lines().last().unwrap()).unwrap();
            let file = &message["files"][0];
            let fields =
                [&message["comment_length"], &message["blocks"], &file["snippet_type"], &file["alt_text_length"]];
            json!(fields)
        };
        assert_eq!(sent(&["a.py"], 0), json!([7, 0, "python", 0]));
        assert_eq!(sent(&["--snippet-type", "ruby", "a.py", "b.py"], 0), json!([7, 0, "ruby", 0]));
        assert_eq!(sent(&["--snippet-type", "", "a.py"], 0), json!([7, 0, null, 0]));
        let more = ["--blocks", "blocks.json", "--alt-text", "A chart", "a.py"];
        if method == "external" {
            assert_eq!(sent(&more, 0), json!([0, 2, "python", 7]));
            // The text is in the first message only, and the blocks instead of it.
            let many = ["--one-message", "--blocks", "blocks.json", "a.py", "b.py"];
            assert_eq!(sent(&many, 0), json!([0, 2, "python", 0]));
            // The blocks are no file to send, unless they are named.
            let run = upload(&project, &["--blocks", "blocks.json", "--dry-run", "*.json", "a.py"]);
            assert_eq!(run.document()["uploads"].as_array().unwrap().len(), 1, "{}", run.stderr);
        }
        drop(service);
        for (words, code) in [
            (&["--blocks", "none.json"][..], "blocks"),
            (&["--blocks", "a.py"], "blocks"),
            (&["--blocks", "blocks.json", "--comment", "x"], "blocks"),
            (&["--alt-text", &"x".repeat(1001)], "alt-text"),
        ] {
            let run = upload(&project, &[words, &["a.py"]].concat());
            let problem = &run.document()["problems"][0];
            let code = if method == "external" || code == "blocks" { code } else { "needs-external" };
            assert_eq!((run.code, &problem["code"]), (2, &json!(code)), "{words:?}: {problem}");
            assert!(problem["help"].is_string(), "{problem}");
        }
        if method == "files.upload" {
            let run = upload(&project, &["--blocks", "blocks.json", "a.py"]);
            assert_eq!(run.document()["problems"][0]["code"], "needs-external");
        }
        let run = upload(&project, &["--alt-text", "x", "a.py", "b.py"]);
        assert!(run.code == 2 && method != "external" || run.stderr.contains("exactly one file"), "{}", run.stderr);
    }
}

/// Slack has confirmed files with an alternative text, and not shared them.
#[test]
fn a_file_with_an_alternative_text_is_looked_up() {
    for (fault, status, code) in
        [("files.info=error:file_not_found", "uncertain", 4), ("files.info=error:missing_scope", "failed", 3)]
    {
        let project = Project::new().file("a.png", "x").env("T", TOKEN);
        let service = Service::start(&project, &["--fail", fault]);
        let project = project.file(
            "credlint.toml",
            format!(
                "[messaging.reports]\nbase_url = '{}'\ntoken = {{ env = 'T' }}\nchannels = ['C0123456789']\nupload_method = 'external'\n",
                service.1
            ),
        );
        let run = upload(&project, &["--alt-text", "A chart", "a.png"]);
        assert_eq!((run.code, &run.document()["uploads"][0]["status"]), (code, &json!(status)), "{}", run.stdout);
        assert_eq!(upload(&project, &["--alt-text", "", "a.png"]).code, 0);
    }
}

#[test]
fn standard_input_is_uploaded() {
    let server = Server::answering(OK);
    let project = project(&server.base());
    let mut command =
        project.command(&["upload", "--profile", "reports", "--format", "json", "--filename", "a.csv", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"piped").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&document["uploads"][0]["file"], &document["uploads"][0]["bytes"]), (&json!("a.csv"), &json!(5)));
    // A chunked body: only its content is searched for, because there is no independent parser of the chunks.
    let seen = server.finish();
    assert!(seen.body.windows(5).any(|window| window == b"piped"));
    assert_eq!(seen.header("transfer-encoding"), Some("chunked"));
}

#[test]
fn each_response_has_its_status_and_exit_code() {
    let answer = |status: &str, body: &str| {
        format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
    };
    for (answer, args, status, code, exit) in [
        (answer("200 OK", "{\"ok\":true}"), &[][..], "delivered", "", 0),
        (answer("201 Created", "thanks"), &[], "accepted", "", 0),
        (answer("200 OK", "thanks"), &["--require-confirmation"], "uncertain", "unconfirmed", 4),
        (answer("200 OK", "{\"ok\":false,\"error\":\"invalid_auth\"}"), &[], "failed", "invalid_auth", 3),
        (
            answer(
                "200 OK",
                "{\"ok\":false,\"error\":\"missing_scope\",\"needed\":\"files:write\",\"provided\":\"chat:write\"}",
            ),
            &[],
            "failed",
            "missing_scope",
            3,
        ),
        (answer("200 OK", "{\"ok\":false,\"error\":\"internal_error\"}"), &[], "uncertain", "internal_error", 4),
        (answer("200 OK", "<html>log in</html>"), &[], "uncertain", "html-answer", 4),
        (answer("200 OK", "{\"ok\":tr"), &[], "uncertain", "answer-truncated", 4),
        (answer("302 Found", ""), &[], "failed", "redirected", 3),
        (answer("401 Unauthorized", ""), &[], "failed", "http-status", 3),
        (answer("408 Request Timeout", "stream timeout"), &[], "uncertain", "http-status", 4),
        (answer("503 Unavailable", ""), &[], "uncertain", "http-status", 4),
        (String::new(), &[], "uncertain", "connection-lost", 4),
    ] {
        let server = Server::answering(answer.clone());
        let run = upload(&project(&server.base()), &[args, &["report.csv"]].concat());
        let document = run.document();
        let upload = &document["uploads"][0];
        assert_eq!((run.code, upload["status"].as_str().unwrap()), (exit, status), "{answer}");
        assert_eq!(upload["error"]["code"].as_str().unwrap_or_default(), code, "{answer}");
        if code == "missing_scope" {
            assert!(upload["error"]["message"].as_str().unwrap().contains("files:write"), "{upload}");
        }
        server.finish();
    }
}

#[test]
fn a_profile_with_errors_is_rejected_before_sending() {
    // There is no listener: a connection attempt would be reported.
    let project = project("http://127.0.0.1:9/api");
    let run = upload(&project, &["report.csv", "other.csv"]);
    let document = run.document();
    assert_eq!(run.code, 1);
    assert_eq!(document["uploads"][1]["status"], "refused");
    assert_eq!(document["uploads"][0]["error"]["code"], "profile-has-errors");
    assert_eq!(document["findings"][0]["rule"], "malformed-address");
    let human = project.run(&["upload", "--profile", "reports", "report.csv"]);
    assert!(
        human.code == 1 && human.stderr.contains("malformed-address") && human.stdout.contains("refused"),
        "{}",
        human.stderr
    );
    assert!(!human.stderr.contains("sending"));
}

#[test]
fn the_upload_method_depends_on_the_host() {
    for host in ["https://slack.com", "https://team.slack.com"] {
        // That method accepts no names, which distinguishes the two without sending anything.
        let run = upload(&project(host), &["--dry-run", "--channel", "#general", "report.csv"]);
        assert_eq!((run.code, &run.document()["problems"][0]["code"]), (2, &json!("channel-name")));
    }
    // A channel that is not an ID is refused at that service, and nowhere else.
    for (channel, words) in [
        ("general", "a channel is a name, not an ID"),
        ("c0123456789", "a channel is an ID in lower case"),
        ("<#C0123456789|general>", "a channel is a mention"),
        ("myteam.slack.com/archives/C0123456789", "a channel is a link"),
        ("T0123456789", "a channel is a workspace ID"),
    ] {
        let run = upload(&project("https://slack.com"), &["--dry-run", "--channel", channel, "report.csv"]);
        let problem = &run.document()["problems"][0];
        assert_eq!((run.code, &problem["code"]), (2, &json!("channel-name")), "{channel}");
        assert!(problem["message"].as_str().unwrap().starts_with(words), "{problem}");
        let run = upload(&project("https://chat.example.com"), &["--dry-run", "--channel", channel, "report.csv"]);
        assert_eq!(run.code, 0, "{channel}");
    }
    for channel in ["C0123456789", "D0123456789", "U0123456789"] {
        let run = upload(&project("https://slack.com"), &["--dry-run", "--channel", channel, "report.csv"]);
        assert_eq!(run.code, 0, "{channel}");
    }
    let run = upload(&project("https://slack.com.example.com"), &["--dry-run", "--channel", "#general", "report.csv"]);
    assert_eq!(run.code, 0);
}

/// A project with `files` files in `many`, and a service with these switches.
pub fn many(files: usize, method: &str, switches: &[&str]) -> (Project, Service) {
    let scratch = Project::new();
    let service = Service::start(&scratch, &[&["--ledger", "ledger"], switches].concat());
    let text = format!(
        "[messaging.reports]\nbase_url = \"{}\"\ntoken = {{ env = \"T\" }}\nchannels = [\"C0123456789\"]\nupload_method = \"{method}\"\n",
        service.1
    );
    let mut project = scratch.file("credlint.toml", text).env("T", TOKEN);
    for number in 0..files {
        project = project.file(&format!("many/{number:03}.csv"), format!("{number}\n"));
    }
    (project, service)
}

/// The names of the files in each message.
pub fn messages(project: &Project) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(project.path().join("ledger")).unwrap_or_default();
    let names = |line: &str| {
        let message: serde_json::Value = serde_json::from_str(line).unwrap();
        let files = message["files"].as_array().unwrap().clone();
        files.iter().map(|file| file["name"].as_str().unwrap().to_owned()).collect()
    };
    // The service may be in the middle of the last line.
    text.split_inclusive('\n').filter(|line| line.ends_with('\n')).map(names).collect()
}

#[test]
fn many_files_are_sent_with_few_descriptors() {
    for (method, extra, number) in [("files.upload", "", 150), ("external", "", 150), ("external", "--one-message", 1)]
    {
        let (project, _service) = many(150, method, &[]);
        let mut command = std::process::Command::new("sh");
        let line = format!(
            "ulimit -n 40; exec {} upload --profile reports --format jsonl {extra} many many/000.csv",
            env!("CARGO_BIN_EXE_credlint")
        );
        command.args(["-c", &line]).current_dir(project.path()).env_clear().env("HOME", project.home()).env("T", TOKEN);
        let run = Run::of(command);
        assert_eq!(run.code, 0, "{}", &run.stderr);
        assert!(run.stderr.contains("1 file named more than once, sent once"), "{}", run.stderr);
        let messages = messages(&project);
        assert_eq!((messages.len(), messages.concat().len()), (number, 150), "{method} {extra}");
        let lines: Vec<serde_json::Value> =
            run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let (last, each) = lines.split_last().unwrap();
        let mut named: Vec<&str> = each.iter().map(|line| line["uploads"][0]["file"].as_str().unwrap()).collect();
        named.sort_unstable();
        assert!(named.len() == 150 && named[0] == "many/000.csv" && named[149] == "many/149.csv");
        assert_eq!((&last["summary"]["delivered"], &last["uploads"]), (&json!(150), &json!([])));
    }
}

#[test]
fn fail_fast_stops_after_the_first_failure() {
    let statuses = |run: &Run| {
        let document = run.document();
        let uploads = document["uploads"].as_array().unwrap().clone();
        let word = |upload: &serde_json::Value, key: &str| upload[key].as_str().unwrap_or("-").to_owned();
        uploads.iter().map(|upload| word(upload, "status") + " " + &word(upload, "reason")).collect::<Vec<_>>()
    };
    let files = ["many/000.csv", "secret.csv", "many/001.csv"];
    for (method, extra, expected, posted) in [
        ("files.upload", &[][..], ["delivered -", "failed -", "delivered -"], 2),
        ("external", &["--one-message"], ["delivered -", "failed -", "delivered -"], 1),
        ("external", &["--fail-fast"], ["delivered -", "failed -", "skipped fail-fast"], 1),
        ("external", &["--fail-fast", "--one-message"], ["skipped fail-fast", "failed -", "skipped fail-fast"], 0),
    ] {
        let (project, _service) = many(2, method, &[]);
        let project = project.file("secret.csv", TOKEN);
        let run = upload(&project, &[&["--concurrency", "1"], extra, &files].concat());
        let code = if posted > 0 { 5 } else { 3 };
        assert_eq!((run.code, statuses(&run)), (code, expected.map(str::to_owned).to_vec()), "{method} {extra:?}");
        assert_eq!(messages(&project).len(), posted, "{method} {extra:?}");
    }
}

#[test]
fn files_are_named_by_lists_and_patterns() {
    let (project, _service) = many(3, "external", &[]);
    let project = project.file("list", "many/001.csv\n\nmany/002.csv\n");
    let run = upload(&project, &["--files-from", "list", "--title", "x"]);
    assert_eq!(run.code, 2, "two files have one title: {}", run.stdout);
    let run = upload(&project, &["--files-from", "list", "--concurrency", "1"]);
    assert_eq!((run.code, messages(&project).concat()), (0, vec!["001.csv".to_owned(), "002.csv".to_owned()]));
    let mut command = project.command(&["upload", "--profile", "reports", "--files-from", "-", "--title", "A & B"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"many/000.csv\0").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let text = std::fs::read_to_string(project.path().join("ledger")).unwrap();
    assert!(text.lines().last().unwrap().contains("\"title\":\"A & B\""), "{text}");
    let run = upload(&project, &["--files-from", "nowhere"]);
    assert_eq!((run.code, &run.document()["problems"][0]["code"]), (3, &json!("list-unreadable")));
    let run = upload(&project, &["none*.csv"]);
    assert_eq!((run.code, &run.document()["uploads"][0]["error"]["code"]), (3, &json!("no-match")));
}

#[test]
fn credentials_are_verified_before_the_upload_on_request() {
    for (switches, profile, code, status, word) in [
        (&[][..], "", 0, "delivered", ""),
        (&["--fail", "auth.test=error:token_revoked"], "", 1, "refused", "verify-failed"),
        (&["--scopes", "chat:write"], "", 1, "refused", "verify-failed"),
        (&[], "workspace = \"T999999999\"\n", 1, "refused", "verify-failed"),
        (&["--fail", "auth.test=503"], "", 3, "failed", "unverified"),
    ] {
        let scratch = Project::new();
        let ledger = scratch.path().join("ledger");
        let service = Service::start(&scratch, &[&["--ledger", ledger.to_str().unwrap()], switches].concat());
        let project = project(&service.1);
        let path = project.path().join("credlint.toml");
        let text = std::fs::read_to_string(&path).unwrap() + profile;
        std::fs::write(&path, text).unwrap();
        let run = upload(&project, &["--verify", "--max-wait", "0", "report.csv"]);
        let document = run.document();
        let receipt = &document["uploads"][0];
        assert_eq!((run.code, receipt["status"].as_str().unwrap()), (code, status), "{switches:?}: {document}");
        assert_eq!(receipt["error"]["code"].as_str().unwrap_or_default(), word, "{switches:?}");
        assert_eq!(std::fs::read_to_string(&ledger).unwrap_or_default().lines().count(), usize::from(code == 0));
        assert!(run.stderr.contains("asking http://127.0.0.1"), "{}", run.stderr);
    }
    // The channels of the command line are used instead of those of the profile.
    let scratch = Project::new();
    let service = Service::start(&scratch, &["--channels", "C0123456789", "--scopes", "files:write,channels:read"]);
    let project = project(&service.1);
    assert_eq!(upload(&project, &["--verify", "--channel", "C0123456789", "report.csv"]).code, 0);
    assert_eq!(upload(&project, &["--verify", "--channel", "C9999999999", "report.csv"]).code, 1);
}

#[test]
fn missing_standard_input_is_not_delivered() {
    let run = upload(&project("http://127.0.0.1:9"), &["--filename", "a.csv", "-"]);
    assert_eq!((run.code, &run.document()["uploads"][0]["error"]["code"]), (3, &json!("no-input")));
}

#[test]
fn usage_errors_exit_2() {
    let project =
        project("http://127.0.0.1:9").file("[x].toml", "").file("empty", "\n").env("CREDLINT_PROFILE", "reports");
    for args in [
        &["upload", "--filename", "x", "report.csv", "credlint.toml"][..],
        &["upload", "--title", "x", "report.csv", "credlint.toml"],
        &["upload", "--thread", "yesterday", "report.csv"],
        &["upload", "--thread", "1700000000.000100", "--channel", "C1", "--one-message", "--files-from", "empty"],
        &["upload", "--journal", "j", "--filename", "x", "-"],
        &["upload", "--journal", "j", "--dry-run", "report.csv"],
        &["upload", "--journal", "j", "--rehearse", "report.csv"],
        &["upload", "--retry-uncertain", "report.csv"],
        &["upload", "--verify", "--dry-run", "report.csv"],
        &["upload", "--verify", "--rehearse", "report.csv"],
        &["upload", "--concurrency", "0", "report.csv"],
        &["upload", "--max-wait", "-1", "report.csv"],
        &["upload", "--files-from", "-", "--filename", "x", "-"],
        &["upload", "--files-from", "empty"],
        &["upload", "--allow-empty", "report.csv"],
        &["upload", "-"],
        &["upload", "--filename", "a/b", "report.csv"],
        &["upload", "--channel", "a b", "report.csv"],
        &["upload", "--channel", "", "report.csv"],
        &["upload", "--channel", "C1", "--channel", "C1", "report.csv"],
        &["upload", "--rehearse", "--dry-run", "report.csv"],
        &["upload"],
    ] {
        let run = project.run(args);
        assert!(
            run.code == 2 && run.stdout.is_empty() && !run.stderr.is_empty(),
            "{args:?}: {} {}",
            run.code,
            run.stdout
        );
    }
    let nameless = Project::new().file("report.csv", "").run(&["upload", "report.csv"]);
    assert!(nameless.code == 2 && nameless.stderr.contains("--profile"), "{}", nameless.stderr);
    let no_channel = Project::new()
        .file(
            "credlint.toml",
            "[messaging.reports]\nbase_url = \"http://127.0.0.1:9\"\ntoken = { env = \"T\" }\n[storage.s]\n",
        )
        .file("report.csv", "")
        .env("T", TOKEN);
    let run = upload(&no_channel, &["report.csv"]);
    assert_eq!((run.code, &run.document()["problems"][0]["code"]), (2, &json!("no-channels")));
    let run = no_channel.run(&["upload", "--profile", "s", "--format", "json", "report.csv"]);
    assert_eq!((run.code, &run.document()["problems"][0]["code"]), (2, &json!("wrong-kind")));
    let run = no_channel.run(&["upload", "--profile", "repots", "--format", "json", "report.csv"]);
    assert_eq!((run.code, &run.document()["problems"][0]["help"]), (2, &json!("did you mean `reports`?")));
}

#[test]
fn irregular_files_are_rejected_before_any_request() {
    let project = project("http://127.0.0.1:9");
    std::fs::create_dir(project.path().join("dir")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(project.path().join("fifo")).status().unwrap().success());
    let run = upload(&project, &["--dry-run", "report.csv", "dir", "fifo", "/dev/zero", "none.csv"]);
    let document = run.document();
    let outcomes: Vec<_> = document["uploads"]
        .as_array()
        .unwrap()
        .iter()
        .map(|upload| (upload["status"].as_str().unwrap(), upload["error"]["code"].as_str().unwrap_or_default()))
        .collect();
    let no_file = ("failed", "not-a-regular-file");
    assert_eq!(outcomes, [("skipped", ""), no_file, no_file, no_file, ("failed", "file-not-found")]);
    assert_eq!((run.code, &document["mode"]), (3, &json!("dry-run")));
    assert_eq!(upload(&project, &["--dry-run", "report.csv"]).code, 0);
    // The order of the errors in a real upload: the file is opened before a connection is tried.
    let run = upload(&project, &["dir"]);
    assert_eq!((run.code, &run.document()["uploads"][0]["error"]["code"]), (3, &json!("not-a-regular-file")));
    let run = upload(&project, &["report.csv"]);
    assert_eq!((run.code, &run.document()["uploads"][0]["error"]["code"]), (3, &json!("connection-refused")));
}

#[test]
fn a_rehearsal_sends_the_files_but_not_the_token() {
    // The address of the profile is never contacted.
    let project = project("https://chat.example.com").file("big.bin", vec![7; 1_000_000]);
    let run = upload(&project, &["--rehearse", "report.csv", "big.bin"]);
    let document = run.document();
    assert_eq!((run.code, &document["mode"]), (0, &json!("rehearsal")), "{}", run.stderr);
    for upload in document["uploads"].as_array().unwrap() {
        assert_eq!((&upload["status"], &upload["permalink"]), (&json!("rehearsed"), &json!(null)));
        assert!(upload["file_id"].as_str().unwrap().starts_with('F'));
    }
    assert!(document["destination"].as_str().unwrap().starts_with("http://127.0.0.1:"));
    assert!(run.stderr.contains("TLS is not tested"), "{}", run.stderr);
    // A proxy would be used for any other address, and for this one if it were not on loopback.
    let proxied = project
        .env("HTTP_PROXY", "http://127.0.0.1:9")
        .env("http_proxy", "http://127.0.0.1:9")
        .env("ALL_PROXY", "http://127.0.0.1:9");
    assert_eq!(upload(&proxied, &["--rehearse", "report.csv"]).code, 0);
}

#[test]
fn a_rehearsal_is_as_strict_as_the_hosted_service() {
    let rehearse = |base: &str, token: &str, args: &[&str]| {
        let project = project(base).env("T", token);
        let run = upload(&project, &[&["--rehearse", "report.csv"], args].concat());
        let document = run.document();
        let upload = &document["uploads"][0];
        let reported =
            [&upload["status"], &upload["error"]["code"]].map(|word| word.as_str().unwrap_or("-").to_owned());
        assert!(!run.stdout.contains(token) && !run.stderr.contains(token));
        (run.code, reported.join(" "))
    };
    let token = "7391842650-1739184265-QzWvXkPjHyBd";
    for prefix in ["xoxb-", "xoxp-", "xoxe.xoxb-1-", "xoxe.xoxp-1-"] {
        let token = format!("{prefix}{token}");
        assert_eq!(rehearse("https://x.slack.com", &token, &[]), (0, "rehearsed -".to_owned()), "{prefix}");
    }
    // The form is not one of the hosted service. A self-hosted server has its own tokens and IDs.
    let other = format!("tok_{token}");
    assert_eq!(rehearse("https://x.slack.com", &other, &[]), (3, "failed invalid_auth".to_owned()));
    assert_eq!(rehearse("https://chat.example.com", &other, &[]), (0, "rehearsed -".to_owned()));
    let (bot, channel) = (format!("xoxb-{token}"), ["--channel", "NIGHTLY"]);
    assert_eq!(rehearse("https://x.slack.com", &bot, &channel), (2, "- -".to_owned()));
    assert_eq!(rehearse("https://chat.example.com", &bot, &channel), (0, "rehearsed -".to_owned()));
}

#[test]
fn the_sandbox_is_as_strict_as_the_hosted_service_on_request() {
    let home = Project::new();
    for (switches, token, code, reported) in [
        (&[][..], "tok_7391842650", 0, json!(null)),
        (&["--hosted"], "tok_7391842650", 3, json!("invalid_auth")),
        (&["--hosted"], TOKEN, 3, json!("method_deprecated")),
    ] {
        let service = Service::start(&home, switches);
        let run = upload(&project(&service.1).env("T", token), &["report.csv"]);
        assert_eq!((run.code, &run.document()["uploads"][0]["error"]["code"]), (code, &reported), "{}", run.stderr);
    }
}

#[test]
fn the_sandbox_stores_received_files() {
    let home = Project::new();
    let service = Service::start(&home, &["--store", "kept"]);
    let project = project(&service.1);
    let run = upload(&project, &["report.csv"]);
    assert_eq!((run.code, &run.document()["uploads"][0]["status"]), (0, &json!("delivered")), "{}", run.stdout);
    let kept: Vec<_> =
        std::fs::read_dir(home.path().join("kept")).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(kept.len(), 1);
    assert_eq!(std::fs::read(&kept[0]).unwrap(), b"day,errors\n1,2\n");
    let refused = home.run(&["sandbox", "--listen", "0.0.0.0:0"]);
    assert!(
        refused.code == 2 && refused.stdout.is_empty() && refused.stderr.contains("loopback"),
        "{}",
        refused.stderr
    );
    // `localhost` is reached without a lookup.
    let local = service.1.replace("127.0.0.1", "localhost");
    assert_eq!(upload(&self::project(&local), &["report.csv"]).code, 0);
}

#[test]
fn a_signal_ends_the_run_with_a_report() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let (tells, told) = std::sync::mpsc::channel();
        let server = Server::start(move |connection| {
            connection.read_all();
            tells.send(()).unwrap();
            connection.drain();
        });
        let project = project(&server.base());
        let mut command = project.command(&[
            "upload", "--profile", "reports", "--format", "json", "--concurrency", "1", "report.csv", "credlint.toml",
        ]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        told.recv_timeout(Duration::from_secs(20)).unwrap();
        let pid = child.id().to_string();
        assert!(std::process::Command::new("kill").args([&format!("-{signal}"), &pid]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code));
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        // All bytes were accepted, so the file may be there. The second one was never begun.
        assert_eq!(
            (&document["uploads"][0]["status"], &document["uploads"][1]["status"]),
            (&json!("uncertain"), &json!("skipped"))
        );
        server.finish();
    }
}

/// The second report has the same content as the document on standard output, and replaces no input.
#[test]
fn results_are_also_written_to_a_file() {
    let (project, _service) = many(2, "external", &[]);
    let project = project.file("list", "many/000.csv\n");
    let upload = |args: &[&str]| project.run(&[&["upload", "--profile", "reports"][..], args].concat());
    let run = upload(&["--report", "json=out.json", "many"]);
    assert!(run.code == 0 && run.stdout.contains("2 delivered"), "{}", run.stdout);
    let read = |name: &str| std::fs::read_to_string(project.path().join(name)).unwrap();
    let document: Value = serde_json::from_str(&read("out.json")).unwrap();
    assert_eq!((&document["schema"], &document["summary"]["delivered"]), (&"credlint/upload/v1".into(), &2.into()));
    for (report, before) in [("many/000.csv", "many/000.csv"), ("list", "list"), ("credlint.toml", "credlint.toml")] {
        let content = read(before);
        let report = format!("json={report}");
        let run = upload(&["--report", &report, "--files-from", "list", "many/000.csv"]);
        assert!(run.code == 2 && run.stderr.contains("choose another file"), "{report}: {}", run.stderr);
        assert_eq!(read(before), content);
    }
    for wrong in ["sarif=out.sarif", "json=-", "json="] {
        assert_eq!(upload(&["--report", wrong, "many"]).code, 2, "{wrong}");
    }
    // A configuration that can't be read is reported there, too.
    let run = upload(&["--config", "none.toml", "--report", "json=out.json", "many"]);
    let document: Value = serde_json::from_str(&read("out.json")).unwrap();
    assert_eq!((run.code, document["problems"].as_array().unwrap().len()), (2, 1));
}

/// An option explains as much as the field of a profile.
#[test]
fn a_wrong_channel_or_thread_is_explained() {
    let project = project("https://slack.com");
    for (words, part) in [
        (["--channel", "C0123456789,C0123456780"], "write each channel as a separate ID"),
        (["--channel", "<#C0123456789|reports>"], "it is the part after `#` or `@`"),
        (["--channel", "c0123456789"], "write the ID in upper case"),
        (["--channel", "#general"], "in the channel's details"),
        (["--thread", "p1700000000000100"], "the number after `p`"),
    ] {
        let run = project.run(&[&["upload", "--profile", "reports", "--dry-run", "report.csv"], &words[..]].concat());
        assert!(run.code == 2 && run.stderr.contains(part), "{words:?} {}", run.stderr);
    }
}
