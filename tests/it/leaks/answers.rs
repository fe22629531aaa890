//! Answers of services that contain what they were sent, in every field, spelling and piece.

use credlint::sandbox::Options;

use super::places::SECRETS;
use super::{assert_absent, written};
use crate::harness::Project;
use crate::journal;
use crate::server::Server;
use crate::verify::Service;

#[test]
fn responses_that_echo_the_token_are_not_quoted() {
    let token = SECRETS[0][0];
    let upper = token.to_uppercase();
    let json =
        |body: &str| format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
    for answer in [
        json(&format!("{{\"ok\":false,\"error\":\"{token}\"}}")),
        json(&format!("{{\"ok\":false,\"error\":\"missing_scope\",\"needed\":\"{token}\",\"provided\":\"{upper}\"}}")),
        json(&format!(
            "{{\"ok\":false,\"error\":\"invalid_arguments\",\"response_metadata\":{{\"messages\":[\"{token}\"]}}}}"
        )),
        json(&format!("{{\"ok\":true,\"file\":{{\"id\":\"{upper}\",\"permalink\":\"https://h.example/{token}\"}}}}")),
        json(&format!("{{\"ok\":true,\"file\":{{\"id\":\"{token}\",\"permalink\":\"{token}\"}}}}")),
        json(
            "{\"ok\":false,\"error\":\"invalid_auth\",\"response_metadata\":{\"messages\":[\"key 73918426***jHyBd is not valid\"]}}",
        ),
        json(
            "{\"ok\":false,\"error\":\"invalid_auth\",\"response_metadata\":{\"messages\":[\"739184\",\"2650QzW\",\"vXkPjH\"]}}",
        ),
        json(&format!("<html>{token}</html>")),
        json(token),
        json(&format!("{{\"{token}")),
        format!(
            "HTTP/1.1 302 Found\r\nLocation: https://{}.example/{token}\r\nContent-Length: 0\r\n\r\n",
            token.to_lowercase()
        ),
        format!("HTTP/1.1 403 {token}\r\nRetry-After: {token}\r\nContent-Length: 0\r\n\r\n"),
        format!("HTTP/1.1 200 OK\r\nContent-Encoding: {token}\r\nContent-Length: 1\r\n\r\n{{"),
        format!("{token}\r\n\r\n"),
        format!("HTTP/1.1 200 OK\r\n{token}: {token}\r\nContent-Length: 500\r\n\r\n{token}"),
    ] {
        for format in ["human", "json"] {
            let server = Server::answering(answer.clone());
            let text =
                format!("[messaging.r]\nbase_url = '{}'\ntoken = {{ env = 'T' }}\nchannels = ['C1']\n", server.base());
            let project = Project::new()
                .file("credlint.toml", text)
                .file("report.csv", "a\n")
                .env("T", token)
                .env("RUST_LOG", "trace")
                .env("RUST_BACKTRACE", "full");
            let run =
                project.run(&["upload", "--profile", "r", "--format", format, "--answer-timeout", "5", "report.csv"]);
            assert_absent(token, &run.stdout, &answer);
            assert_absent(token, &run.stderr, &answer);
            for piece in ["73918426", "jHyBd", "QzWvX", "PjHy"] {
                assert!(!run.stdout.contains(piece), "{piece} of {answer}: {}", run.stdout);
            }
            server.finish();
        }
    }
}

/// The same for the questions of `verify`: about a token and a pair, in headers and in every part of an answer that it
/// reads.
#[test]
fn verify_responses_that_echo_a_credential_are_not_quoted() {
    let (token, key) = (SECRETS[0][0], SECRETS[1][0]);
    let pieces = |secret: &str| {
        let letters: String = secret.chars().filter(char::is_ascii_alphabetic).collect();
        let plain: String = secret.chars().filter(char::is_ascii_alphanumeric).collect();
        [secret.to_owned(), letters, plain.to_lowercase(), plain.to_uppercase()]
    };
    for secret in [token, key] {
        for piece in pieces(secret) {
            for (header, body) in [
                (
                    format!("x-oauth-scopes: files:write,{piece}\r\n"),
                    format!(
                        "{{\"ok\":true,\"team_id\":\"{piece}\",\"enterprise_id\":\"{piece}\",\"bot_id\":\"{piece}\"}}"
                    ),
                ),
                (
                    format!(
                        "x-oauth-scopes: {}\r\n",
                        piece.to_lowercase().chars().map(|c| format!("{c},")).collect::<String>()
                    ),
                    format!("{{\"ok\":true,\"team_id\":\"T{piece}\"}}"),
                ),
                (format!("Retry-After: {piece}\r\n"), format!("{{\"ok\":false,\"error\":\"{piece}\"}}")),
                (String::new(), format!("{{\"code\":\"{piece}\",\"message\":\"{piece}\",\"status\":401}}")),
                (
                    String::new(),
                    format!(
                        "{{\"apiInfo\":{{\"storageApi\":{{\"allowed\":{{\"capabilities\":[\"{piece}\"],\"buckets\":[{{\"name\":\"{piece}\"}}]}}}}}}}}"
                    ),
                ),
            ] {
                for format in ["human", "json"] {
                    let text = format!(
                        "HTTP/1.1 200 OK\r\n{header}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
                        body.len()
                    );
                    let server = Server::start(move |connection| {
                        connection.read_head();
                        connection.send(text.as_bytes());
                    });
                    let (profile, base) = (if secret == token { "r" } else { "s" }, server.base());
                    let project = Project::new().env("T", token).env("K", key).file(
                        "credlint.toml",
                        format!(
                            "[messaging.r]\nbase_url = '{base}'\ntoken = {{ env = 'T' }}\nworkspace = 'T0123456789'\n\
                             [storage.s]\napi_url = '{base}'\napplication_key_id = '0051a2b3c4d5e6f0000000001'\n\
                             application_key = {{ env = 'K' }}\nbucket = 'nightly'\n"
                        ),
                    );
                    let run = project.run(&["verify", "--max-wait", "0", "--format", format, "--profile", profile]);
                    assert_absent(secret, &run.stdout, &body);
                    assert_absent(secret, &run.stderr, &body);
                    server.finish();
                }
            }
        }
    }
}

/// Neither the embedded service nor a report distinguishes credentials that agree in facts.
#[test]
fn verify_output_is_the_same_for_secrets_with_the_same_facts() {
    let service = Service::start(Options::default());
    let base = &service.base;
    for (text, secrets) in [
        (
            format!("[messaging.r]\nbase_url = '{base}'\ntoken = {{ env = 'S' }}\nchannels = ['C0123456789']\n"),
            SECRETS[0],
        ),
        (
            format!(
                "[storage.r]\napi_url = '{base}'\napplication_key_id = '0071a2b3c4d5e6f0000000001'\napplication_key = {{ env = 'S' }}\n"
            ),
            SECRETS[1],
        ),
        (
            format!(
                "[storage.r]\napi_url = '{base}'\naccount_id = '1a2b3c4d5e6f'\nmaster_application_key = {{ env = 'S' }}\n"
            ),
            SECRETS[2],
        ),
    ] {
        for format in ["human", "json"] {
            let [one, two] = secrets.map(|secret| {
                let project = Project::new().file("credlint.toml", &text).env("S", secret);
                let run = project.run(&["verify", "--format", format]);
                assert_absent(secret, &run.stdout, format);
                assert_absent(secret, &run.stderr, format);
                (run.code, run.stdout, run.stderr)
            });
            assert_eq!(one, two, "{format} of {text}");
            assert!([0, 1].contains(&one.0), "{}", one.2);
        }
    }
}

/// For every step of both methods and every fault of the embedded service: the output (including the journal) contains
/// nothing of the token or the comment, and does not depend on them.
#[test]
fn a_failed_upload_reveals_no_secret_at_any_step() {
    const FAULTS: &[&str] =
        &["429:soon", "503", "html", "truncated", "reset:10", "lost", "error:invalid_auth", "error:internal_error"];
    let runs: Vec<(&str, &str, &str)> = [
        ("files.upload", "files.upload"),
        ("external", "files.getUploadURLExternal"),
        ("external", "upload"),
        ("external", "files.completeUploadExternal"),
    ]
    .into_iter()
    .flat_map(|(method, operation)| FAULTS.iter().map(move |fault| (method, operation, *fault)))
    .collect();
    for (index, (method, operation, fault)) in runs.into_iter().enumerate() {
        let format = ["human", "json", "jsonl"][index % 3];
        let what = format!("{operation}={fault} {format}");
        let tokens = [SECRETS[0], ["7391842650QzWvXkPjHyBd", "1864209375TmRfLcNgSaGu"]];
        let outcomes = tokens[index % 2].map(|secret| {
            // Nothing is sent if the comment contains the token itself.
            let comment: String = secret.chars().rev().collect();
            let project = Project::new().file("report.csv", "a,b\n1,2\n").env("T", secret).env("RUST_LOG", "trace");
            let service = journal::Service::start(&project, &["--fail", &format!("{operation}={fault}")]);
            let project = project.file(
                "credlint.toml",
                format!("[messaging.r]\nbase_url = '{}'\ntoken = {{ env = 'T' }}\nchannels = ['C0123456789']\nupload_method = '{method}'\ninitial_comment = 'of {comment}'\n", service.base),
            );
            // The same text as the comment, or in a block.
            let block = format!(r#"[{{"type": "section", "text": "of {comment}"}}]"#);
            let project = project.file("blocks.json", block);
            let blocks: &[&str] = if method == "external" && index % 2 == 1 { &["--blocks", "blocks.json"] } else { &[] };
            let words = [
                "upload", "--profile", "r", "--format", format, "--retries", "1", "--max-wait", "1", "--journal", "journal", "report.csv",
            ];
            let run = project.run(&[&words, blocks].concat());
            let journal = std::fs::read_to_string(project.path().join("journal")).unwrap();
            for text in [&run.stdout, &run.stderr, &journal] {
                assert_absent(secret, text, &what);
                assert_absent(&comment, text, &what);
            }
            let states: Vec<serde_json::Value> = journal
                .lines()
                .map(|line| {
                    let line: serde_json::Value = serde_json::from_str(line).unwrap();
                    serde_json::json!([line["state"], line["error"], line["file"], line["size"], line["file_id"].is_string()])
                })
                .collect();
            (written(&run), states)
        });
        // Timing decides whether the reset comes before or after the last byte of such a short form.
        assert!(outcomes[0] == outcomes[1] || fault.starts_with("reset"), "{what}: {outcomes:?}");
        assert!(outcomes[0].0.0 >= 3 || fault == "lost", "{what}: {outcomes:?}");
    }
}
