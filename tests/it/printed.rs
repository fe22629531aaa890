//! Printing: through one module, harmless in a terminal and in the log of a pipeline, and never a piece of a secret.

use crate::harness::{FORMATS, Project, Run};

/// Controls a terminal, hides text, and contains commands of known pipelines.
const HOSTILE: &str = "\u{1b}]0;x\u{7}\u{9b}2J\r\n::error::owned\n##vso[task.setvariable]owned ##[error]owned ##teamcity[x] \
                       section_start:1:x\r\u{1b}[0K\u{202e}\u{61c}\u{2060}\u{ad}\u{180e}\u{fff9}\u{e0041}\u{fe0f}";

/// The same as a file name, with characters that every system accepts.
const HOSTILE_NAME: &str = "a\u{1b}]0;x\u{7}\u{9b}2J\r\n::error::owned\n##vso[task.x]o ##[error]o ##teamcity[x]\u{202e}\u{61c}\u{2060}\u{e0041}";

/// Asserts that a text contains none of that.
fn assert_inert(text: &str, colored: bool, what: &str) {
    let text = if colored { without_colors(text) } else { text.to_owned() };
    let hidden = ['\u{202e}', '\u{61c}', '\u{2060}', '\u{ad}', '\u{180e}', '\u{fff9}', '\u{e0041}', '\u{fe0f}'];
    let odd = |c: char| (c.is_control() && !"\n\t".contains(c)) || hidden.contains(&c);
    assert!(!text.contains(odd), "{what}: {text:?}");
    for line in text.lines() {
        assert!(!line.trim_start().starts_with("::"), "{what}: {line}");
        for mark in ["##[", "##vso[", "##teamcity["] {
            assert!(!line.contains(mark), "{what}: {line}");
        }
    }
}

/// A text without the escapes of colours.
fn without_colors(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let mut out = pieces.next().unwrap().to_owned();
    for piece in pieces {
        let end = piece.find(|c: char| !(c.is_ascii_digit() || c == ';')).unwrap_or(piece.len());
        out.push_str(piece[end..].strip_prefix('m').unwrap_or(piece));
    }
    out
}

fn assert_run_inert(run: &Run, colored: bool, what: &str) {
    // The commands of the format `github` are its own.
    let commands = |line: &&str| {
        !(what.contains("github") && ["::error ", "::notice ", "::warning "].iter().any(|word| line.starts_with(word)))
    };
    assert_inert(&run.stdout.lines().filter(commands).collect::<Vec<_>>().join("\n"), colored, what);
    assert_inert(&run.stderr, colored, what);
}

#[test]
fn control_sequences_in_arguments_and_files_are_neutralised() {
    let baseline = serde_json::json!({"schema": "credlint/baseline/v1", "findings": [
        {"fingerprint": HOSTILE, "rule": HOSTILE, "profile": HOSTILE},
        {"fingerprint": "b", "rule": "missing-token", "profile": format!("messaging.{HOSTILE}")},
    ]});
    let project = Project::new()
        .file(
            "credlint.toml",
            format!("[messaging.r] # credlint: allow(missing-token) {}\n", HOSTILE.replace(['\r', '\n'], " ")),
        )
        .file("baseline.json", baseline.to_string())
        .file(&format!("{HOSTILE_NAME}.toml"), "[messaging.r]\ntoken = 'x\n")
        .file("empty.toml", "")
        .env("CREDLINT_MESSAGING__R__TOKN", HOSTILE);
    let named = format!("{HOSTILE_NAME}.toml");
    for format in FORMATS {
        for (number, words) in [
            &["check", "--baseline", "baseline.json"][..],
            &["check", "--profile", HOSTILE],
            &["check", "--profile", "xoxb-4815162342-QwErTyUiOpAsDfGh\u{1b}[2J.reports"],
            &["check", &named],
            &["check", HOSTILE],
            &["check", "--baseline", HOSTILE],
            &["check", "-D", HOSTILE],
            &["check", "--output", &format!("none/{HOSTILE_NAME}")],
            &["verify", "--profile", HOSTILE],
        ]
        .into_iter()
        .enumerate()
        {
            for color in ["always", "never"] {
                let run = project.run(&[words, &["--format", format, "--color", color]].concat());
                let what = format!("{format} {number}");
                assert!(!run.stdout.is_empty() || !run.stderr.is_empty(), "{what}");
                assert_run_inert(&run, color == "always", &what);
                assert!(!format!("{}{}", run.stdout, run.stderr).contains("QwErTyUi"), "{what}");
            }
        }
    }
    for words in [
        &["explain", HOSTILE][..],
        &["man", HOSTILE],
        &["profiles", HOSTILE],
        &["init", "--output", HOSTILE],
        &[HOSTILE],
        &["upload", "--profile", HOSTILE, "f"],
        &["upload", "--profile", "r", "--format", HOSTILE, "f"],
        &["upload", "--profile", "r", "--channel", "C0123456789", "--dry-run", HOSTILE_NAME],
        &["upload", "--profile", "r", "--channel", "C0123456789", &named],
        &["upload", "--profile", "r", "--channel", "C0123456789", "--format", "json", &named],
    ] {
        for color in ["always", "never"] {
            assert_run_inert(&project.run(&[words, &["--color", color]].concat()), color == "always", words[0]);
        }
    }
}

#[test]
fn control_sequences_in_report_files_and_summaries_are_neutralised() {
    let name = format!("{HOSTILE_NAME}![x](https://evil.example)`.toml");
    let name = name.replace('/', "");
    let project = Project::new().file(&name, "[messaging.r]\n").env("GITHUB_STEP_SUMMARY", "summary.md");
    for format in FORMATS {
        let run = project.run(&["check", "--config", &name, "--format", format, "--output", "report"]);
        assert_eq!(run.code, 1, "{}", run.stderr);
        let written = std::fs::read_to_string(project.path().join("report")).unwrap();
        assert_run_inert(&Run { code: 0, stdout: written, stderr: run.stderr }, false, format);
    }
    let summary = std::fs::read_to_string(project.path().join("summary.md")).unwrap();
    assert_inert(&summary, false, "summary");
    // Only inside a code span, which the mark in the name does not end.
    let line = summary.lines().find(|line| line.contains("![x]")).unwrap();
    let (before, after) = line.split_once("![x]").unwrap();
    assert!(before.matches('`').count() % 2 == 1 && after.contains('`'), "{line}");
}

/// A check of two separate streams is not enough: they are one pipe.
#[test]
#[cfg(all(feature = "upload", feature = "sandbox"))]
fn receipts_are_printed_before_diagnostics() {
    let project = Project::new()
        .file("credlint.toml", "[messaging.r]\nbase_url = 'https://h.example'\ntoken = 'xoxb-4815162342-QwErTyUiOpAsDfGh'\nchannels = ['C0123456789', 'C0123456789']\n")
        .file("report.csv", "a");
    let words = ["upload", "--profile", "r", "--rehearse", "report.csv"];
    let (reader, writer) = std::io::pipe().unwrap();
    let mut child = project.command(&words).stdout(writer.try_clone().unwrap()).stderr(writer).spawn().unwrap();
    let output = std::io::read_to_string(reader).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{output}");
    let (receipt, picture) = (output.find("✓ report.csv").unwrap(), output.find("malformed-channel").unwrap());
    assert!(receipt < picture, "{output}");
}

/// The place of an error does not reveal how far a value looks like a number.
#[test]
fn a_syntax_error_in_a_secret_points_at_the_start_of_the_value() {
    let pairs = [
        ("123xoxb-aaaaaaa", "1xoxb-aaaaaaaaa"),
        ("12e5xoxb-aaaaaa", "1exoxb-aaaaaaaa"),
        ("-12.xoxb-aaaaaa", "-xoxb-aaaaaaaaa"),
        ("1979-05-27xoxb-", "1979xoxb-aaaaaa"),
        ("truexoxb-aaaaaa", "trxoxb-aaaaaaaa"),
        ("0x12xoxb-aaaaaa", "0xoxb-aaaaaaaaa"),
        ("+1xoxb-aaaaaaaa", "+xoxb-aaaaaaaaa"),
        ("\"abc\"xoxb-aaaaa\"", "\"a\"bcxoxb-aaaaa\""),
        ("\"abc\\qxoxb-aaa\"", "\"a\\qbcxoxb-aaa\""),
        ("\"abc\": xoxb-aaa", "\"a\": bcxoxb-aaa"),
    ];
    for (name, before, after) in [
        ("credlint.toml", "[messaging.r]\ntoken = ", "\n"),
        ("credlint.toml", "[messaging]\nr = { base_url = 'https://h.example', token = ", " }\n"),
        ("credlint.json", "{\"messaging\": {\"r\": {\"token\": ", "}}}"),
        ("credlint.json", "{\n  \"messaging\": {\n    \"r\": {\n      \"token\": ", ",\n      \"b\": 1}}}"),
        ("credlint.yaml", "messaging:\n  r:\n    token: ", "\n"),
    ] {
        for (one, other) in pairs {
            for format in ["human", "json"] {
                let output_of = |secret: &str| {
                    let project = Project::new().file(name, format!("{before}{secret}{after}"));
                    let run = project.run(&["check", "--format", format]);
                    (run.code, run.stdout, run.stderr)
                };
                let (one, other) = (output_of(one), output_of(other));
                // In YAML most of these are valid strings.
                assert!(one.0 == 2 || name.ends_with("yaml"), "{}", one.2);
                assert_eq!(one, other, "{name} {format}");
            }
        }
    }
    for (one, other) in [("=\"abc\"d\n", "=\"a\"bcd\n"), ("='abc'd\n", "='a'bcd\n")] {
        let output_of = |value: &str| {
            // Only lines of credlint's own are held to the format.
            let text = format!("CREDLINT_MESSAGING__R__TOKEN{value}");
            let run = Project::new().file("v.env", text).run(&["check", "--env-file", "v.env", "--format", "json"]);
            (run.code, run.stdout, run.stderr)
        };
        assert_eq!((output_of(one).0, output_of(one)), (2, output_of(other)));
    }
}

#[cfg(all(unix, feature = "upload", feature = "sandbox"))]
mod services {
    use super::*;
    use crate::server::Service;

    const TOKEN: &str = "xoxb-481516234242-QwErTyUiOpAsDfGh";

    /// A service that gives the same answer to every question, with additional headers.
    fn service(head: &'static str, body: String) -> Service {
        Service::start(move |_, connection| {
            connection.read_head();
            if ["content-length", "transfer-encoding"].iter().any(|name| connection.header(name).is_some()) {
                connection.read_body();
            }
            let answer =
                format!("HTTP/1.1 200 OK\r\n{head}content-length: {}\r\nconnection: close\r\n\r\n{body}", body.len());
            connection.send(answer.as_bytes());
        })
    }

    fn project(base: &str, token: &str) -> Project {
        let text = format!(
            "[messaging.r]\nbase_url = '{base}'\ntoken = {{ env = 'T' }}\nchannels = ['U0123456789']\nupload_method = 'files.upload'\n\
             [storage.s]\napi_url = '{base}'\nendpoint = 'https://s3.eu-central-005.backblazeb2.com'\n\
             application_key_id = '0051a2b3c4d5e6f0000000001'\napplication_key = {{ env = 'K' }}\n"
        );
        Project::new()
            .env("T", token)
            .env("K", "K005QzWvXkPjHyBdRmTfLcSgNaVeUiO")
            .file("credlint.toml", text)
            .file("f", "a")
    }

    /// Standard output of a run with this answer, in both formats, and standard error.
    fn output_of(token: &str, head: &'static str, body: &str, words: &[&str]) -> String {
        let service = service(head, body.to_owned());
        let project = project(&service.base(), token);
        let runs = ["human", "json"].map(|format| project.run(&[words, &["--format", format]].concat()));
        drop(project);
        service.finish();
        runs.map(|run| run.stdout + &run.stderr).concat()
    }

    const UPLOAD: &[&str] = &["upload", "--profile", "r", "--retries", "0", "f"];

    #[test]
    fn a_token_split_across_response_fields_is_not_printed() {
        // Each of these has fewer than six characters of the token.
        let identity = |scopes: &str, seconds: &str| {
            format!("{{\"ok\":true,\"team_id\":\"T0123\",\"expires_in\":{seconds}}}|{scopes}")
        };
        let verify = ["verify", "--profile", "r"];
        for (scopes, seconds, hidden) in [
            ("x-oauth-scopes: files:write,chat:write\r\n", "43200", None),
            ("x-oauth-scopes: files:write\r\n", "481516234242", Some("481516")),
            ("x-oauth-scopes: files:write\r\n", "815162342", Some("815162")),
            ("x-oauth-scopes: qwert,yuiop,asdfg,files:write\r\n", "43200", Some("yuiop")),
        ] {
            let body = identity("", seconds);
            let output = output_of(TOKEN, scopes, body.split('|').next().unwrap(), &verify);
            match hidden {
                Some(hidden) => assert!(!output.contains(hidden) && output.contains("alive"), "{output}"),
                None => assert!(output.contains("files:write") && output.contains("43200"), "{output}"),
            }
        }
        let capabilities = r#"{"apiInfo":{"storageApi":{"allowed":{"buckets":[{"name":"b-1"}],"capabilities":["QzWvX","kPjHy","BdRmT"]}}}}"#;
        let output = output_of(TOKEN, "", capabilities, &["verify", "--profile", "s"]);
        assert!(!output.contains("kPjHy") && output.contains("alive"), "{output}");
    }

    #[test]
    fn id_link_and_error_are_compared_with_the_token_together() {
        let file =
            |id: &str, link: &str| format!("{{\"ok\":true,\"file\":{{\"id\":\"{id}\",\"permalink\":\"{link}\"}}}}");
        let run = |token: &str, body: &str| output_of(token, "", body, UPLOAD);
        assert!(run(TOKEN, &file("F0123", "https://h.example/F0123")).contains("https://h.example/F0123"));
        let split = run("xoxb-48AB-https-QwErTyUiOp", &file("F48AB", "https://h.example/x"));
        assert!(split.contains("delivered") && !split.contains("F48AB") && !split.contains("h.example/x"), "{split}");
        // Punctuation only, plain and percent-encoded.
        for link in ["https://h.example/!$&'()*+,;=", "https://h.example/%21%24%26%27%28%29%2a"] {
            let marks = run("!$&'()*+,;=@~^!$&'", &file("F0123", link));
            assert!(marks.contains("delivered") && !marks.contains("h.example"), "{marks}");
        }
        let denied = run(
            TOKEN,
            r#"{"ok":false,"error":"missing_scope","needed":"qwert","provided":"yuiop","response_metadata":{"messages":["asd fgh"]}}"#,
        );
        assert!(denied.contains("missing_scope") && !denied.contains("qwert") && !denied.contains("asd"), "{denied}");
        // A wait time is a number as well.
        let limited = super::services::output_of(
            "xoxb-999999-QwErTyUiOpAs", "retry-after: 999999\r\n", r#"{"ok":false,"error":"ratelimited"}"#, UPLOAD,
        );
        assert!(limited.contains("try again later") && !limited.contains("days"), "{limited}");
        let limited = output_of(TOKEN, "retry-after: 999999\r\n", r#"{"ok":false,"error":"ratelimited"}"#, UPLOAD);
        assert!(limited.contains("try again in 12 days"), "{limited}");
    }

    #[test]
    fn messages_of_a_service_cannot_run_workflow_commands() {
        for message in
            ["::error::x", "##[error]x", "##vso[task.x]y", "see //evil.example", "![x](y)", "\u{1b}[2J", "\u{202e}"]
        {
            let body = serde_json::json!({"ok": false, "error": "invalid_arguments", "response_metadata": {"messages": [message]}});
            let output = output_of(TOKEN, "", &body.to_string(), UPLOAD);
            assert!(output.contains("invalid_arguments") && !output.contains(message), "{output}");
        }
    }

    #[test]
    fn a_long_response_and_a_long_comment_are_compared() {
        let comment = "ab".repeat(6000);
        let scopes = "abababab,".repeat(100_000);
        let body = format!(
            "{{\"ok\":false,\"error\":\"missing_scope\",\"provided\":\"{scopes}\",\"response_metadata\":{{\"messages\":[\"{}\"]}}}}",
            "abababab c".repeat(5000)
        );
        let output = output_of(TOKEN, "", &body, &[UPLOAD, &["--comment", &comment]].concat());
        assert!(output.contains("missing_scope") && !output.contains("abab"), "{}", output.len());
    }

    #[test]
    fn a_file_named_after_the_token_is_neither_printed_nor_sent() {
        let service = service("", r#"{"ok":true,"file":{"id":"F0123"}}"#.to_owned());
        // A token without a known form, because a known one is masked anyway.
        let token = "Qw-48AB15CD-ErTyUiOpAsDfGh-ZxCv";
        let project = project(&service.base(), token);
        for name in [format!("{token}.csv"), "a-48ab15cd-er.csv".to_owned()] {
            let whole = name.contains(token);
            std::fs::write(project.path().join(&name), "x").unwrap();
            for words in [&["--journal", "j"][..], &["--dry-run"], &["--rehearse"], &["--title", token]] {
                for format in ["human", "json", "jsonl"] {
                    let _ = std::fs::remove_file(project.path().join("j"));
                    let run = project.run(
                        &[&["upload", "--profile", "r", "--retries", "0", "--format", format, &name], words].concat(),
                    );
                    let titled = words[0] == "--title";
                    let all = run.stdout
                        + &run.stderr
                        + &std::fs::read_to_string(project.path().join("j")).unwrap_or_default();
                    let lower = all.to_lowercase();
                    assert!(all.contains("********") && !lower.contains("48ab15cd"), "{all}");
                    let sent = run.code == 0 && words[0] == "--journal";
                    assert!(!((whole || titled) && sent), "{all}");
                    if (whole && words[0] != "--dry-run") || titled {
                        assert!(all.contains("own-secret"), "{all}");
                    }
                }
            }
        }
        drop(project);
        for connection in service.finish() {
            let body = String::from_utf8_lossy(&connection.body).into_owned();
            assert!(!body.contains(token), "{body}");
        }
    }

    /// The journal identifies a file by its digest, so it resumes where it was.
    #[test]
    fn a_journal_resumes_without_the_file_name() {
        let service = service("", r#"{"ok":true,"file":{"id":"F0123"}}"#.to_owned());
        let project = project(&service.base(), "Qw-48AB15CD-ErTyUiOpAsDfGh-ZxCv").file("48ab15cd.csv", "x");
        let words = ["upload", "--profile", "r", "--format", "json", "--journal", "j", "48ab15cd.csv"];
        let status = |run: Run| -> serde_json::Value { run.document()["uploads"][0]["status"].clone() };
        assert_eq!(status(project.run(&words)), "delivered");
        assert_eq!(status(project.run(&words)), "skipped");
        assert!(!std::fs::read_to_string(project.path().join("j")).unwrap().contains("48ab"));
        drop(project);
        assert_eq!(service.finish().len(), 1);
    }
}
