//! What an upload never sends: files that the configuration reads values from, and files that contain a secret of the
//! sending profile.

use std::io::Write;
#[cfg(target_os = "linux")]
use std::process::Command;
use std::process::Stdio;

use credlint::upload::{Blocks, Method, Status, Watch};
use secrecy::SecretString;
use serde_json::json;

use crate::external::{code, file, http, json_response, post};
use crate::harness::{Project, Run};
use crate::server::{Connection, Service, runtime};

const TOKEN: &str = "xoxb-4815162342-QwErTyUiOpAsDfGh";
const HOOK: &str = "https://hooks.example.com/services/T7QZWV/B9XKPJ/qzwvxkpjhybd7391";
const CHUNK: usize = 256 * 1024;
const METHODS: [&str; 2] = ["files.upload", "external"];

/// Accepts everything, by both methods, and keeps it, even if it is incomplete.
fn service() -> Service {
    Service::start(|_, connection| {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            // An upload that is given up at once may not even begin.
            if std::io::Read::read_exact(connection.stream(), &mut byte).is_err() {
                connection.body = head;
                return;
            }
            head.push(byte[0]);
        }
        connection.head = String::from_utf8(head).unwrap();
        match connection.header("content-length") {
            Some(_) => connection.drain_form(),
            None => {
                let mut part = vec![0; 65536];
                while !connection.body.ends_with(b"\r\n0\r\n\r\n") {
                    match std::io::Read::read(connection.stream(), &mut part) {
                        Ok(len @ 1..) => connection.body.extend_from_slice(&part[..len]),
                        _ => return,
                    }
                }
            }
        }
        let here = connection.stream().local_addr().unwrap();
        let answer = match connection.line() {
            line if line.contains("/upload/v1/") => http("200 OK", "", "OK"),
            line if line.contains("getUploadURLExternal") => json_response(
                &json!({"ok": true, "upload_url": format!("http://{here}/upload/v1/F0"), "file_id": "F0123456789"}),
            ),
            _ => json_response(&json!({"ok": true, "files": [{"id": "F0123456789"}]})),
        };
        connection.send(&answer);
    })
}

/// A profile with its token in a file and its webhook in a variable.
fn project(base: &str, method: &str) -> Project {
    let text = format!(
        "[messaging.r]\nbase_url = '{base}'\ntoken = {{ file = 'secrets/token' }}\nwebhook_url = {{ env = 'HOOK' }}\n\
         channels = ['C0123456789']\nupload_method = '{method}'\n\
         [storage.s]\napplication_key_id = '0051a2b3c4d5e6f0000000001'\napplication_key = {{ file = 'secrets/key' }}\n"
    );
    Project::new()
        .file("credlint.toml", text)
        .file("secrets/token", format!("{TOKEN}\n"))
        .file("secrets/key", "K005Qz7Wv/Xk+PjHyBd39Tm18Rf64Lc\n")
        .file("report.csv", "a,b\n")
        .env("HOOK", HOOK)
}

fn upload(project: &Project, words: &[&str]) -> Run {
    project.run(&[&["upload", "--profile", "r", "--retries", "0", "--format", "json"], words].concat())
}

/// File, status and code of each receipt.
fn receipts(run: &Run) -> Vec<(String, String, String)> {
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().trim_start_matches("./").to_owned();
    let document = run.document();
    let uploads = document["uploads"].as_array().unwrap().iter();
    uploads.map(|upload| (text(&upload["file"]), text(&upload["status"]), text(&upload["error"]["code"]))).collect()
}

fn one_receipt(file: &str, status: &str, code: &str) -> Vec<(String, String, String)> {
    vec![(file.to_owned(), status.to_owned(), code.to_owned())]
}

/// Asserts that neither the secret nor eight consecutive bytes of it were sent, across the chunks of a body as well.
fn assert_not_sent(secret: &str, seen: &[Connection]) {
    // The beginning of a URL is not secret.
    let plain = b"https://hooks.example.com/services/";
    for connection in seen {
        let body = if connection.header("transfer-encoding").is_some() {
            unchunked(&connection.body)
        } else {
            connection.body.clone()
        };
        for part in secret.as_bytes().windows(8).filter(|part| !plain.windows(8).any(|plain| plain == *part)) {
            let found = body.windows(8).any(|window| window == part);
            assert!(!found, "{:?} was sent", String::from_utf8_lossy(part));
        }
    }
}

/// Decodes a chunked body, as far as it was received.
fn unchunked(mut body: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    while let Some(end) = body.windows(2).position(|pair| pair == b"\r\n") {
        let len = usize::from_str_radix(std::str::from_utf8(&body[..end]).unwrap(), 16).unwrap();
        body = &body[end + 2..];
        plain.extend_from_slice(&body[..len.min(body.len())]);
        body = body.get(len + 2..).unwrap_or_default();
    }
    plain
}

#[test]
fn a_directory_upload_skips_files_the_configuration_reads_from() {
    for method in METHODS {
        let service = service();
        // Files named by an overridden layer, by a variable, and for a profile that is not used.
        let project = project(&service.base(), method)
            .file("prod.env", "CREDLINT_MESSAGING__R__INITIAL_COMMENT_FILE=secrets/comment\n")
            .file("variables", "CREDLINT_MESSAGING__R__WEBHOOK_URL_FILE=secrets/hidden\nCREDLINT_MESSAGING__X__TOKEN_FILE=secrets/other\n")
            .file("secrets/comment", "a comment")
            .file("secrets/hidden", "hidden by the environment")
            .file("secrets/other", "of another profile")
            .file("other.env", "A=b")
            .file(".env", "A=b")
            .env("CREDLINT_MESSAGING__R__WEBHOOK_URL", HOOK);
        std::fs::hard_link(project.path().join("secrets/token"), project.path().join("copy")).unwrap();
        std::fs::create_dir(project.path().join("deep")).unwrap();
        std::fs::hard_link(project.path().join("secrets/other"), project.path().join("deep/link")).unwrap();
        let files = ["--env-file", "prod.env", "--env-file", "variables"];
        for named in [&["."][..], &["**/*", "*"], &[".", "sec*/*", "*.csv"]] {
            let run = upload(&project, &[&files, named].concat());
            assert_eq!(receipts(&run), one_receipt("report.csv", "delivered", ""), "{named:?} {}", run.stderr);
            assert!(run.stderr.contains("that the configuration reads values from"), "{}", run.stderr);
        }
        let run = upload(&project, &[&files[..], &["."]].concat());
        assert!(run.stderr.contains("2 files left out: `*.env` is sent only if named"), "{}", run.stderr);
        drop(project);
        let seen = service.finish();
        for secret in [TOKEN, "hidden by the environment", "of another profile", "K005Qz7Wv/Xk+PjHyBd39Tm18Rf64Lc"] {
            assert_not_sent(secret, &seen);
        }
    }
}

#[test]
fn a_named_secret_file_is_sent_only_if_allowed() {
    let service = service();
    let project = project(&service.base(), "files.upload").file("variables", "A=b\n");
    std::os::unix::fs::symlink("secrets/key", project.path().join("link")).unwrap();
    std::fs::write(project.path().join("list"), "secrets/key\n").unwrap();
    for words in [&["secrets/key"][..], &["./secrets/../secrets/key"], &["link"], &["--files-from", "list"]] {
        let run = upload(&project, words);
        assert_eq!(run.code, 3, "{}", run.stdout);
        assert_eq!(receipts(&run)[0].2, "secret-file", "{words:?}");
        assert_eq!(receipts(&upload(&project, &[words, &["--dry-run"]].concat()))[0].2, "secret-file");
    }
    let run = upload(&project, &["--env-file", "variables", "variables"]);
    assert_eq!(receipts(&run), one_receipt("variables", "failed", "secret-file"));
    assert_eq!(receipts(&upload(&project, &["variables"])), one_receipt("variables", "delivered", ""));
    let run = upload(&project, &["--allow-secret-file", "link"]);
    assert_eq!((run.code, receipts(&run)), (0, one_receipt("link", "delivered", "")));
    // A profile never sends its own secret.
    let run = upload(&project, &["--allow-secret-file", "secrets/token"]);
    assert_eq!((run.code, receipts(&run)), (3, one_receipt("secrets/token", "failed", "own-secret")));
    // A file in a directory is not named.
    let run = upload(&project, &["--allow-secret-file", "secrets"]);
    assert!(run.code == 2 && run.stderr.contains("left out 2 files"), "{}", run.stderr);
    assert_eq!(service.finish().len(), 2);
}

/// A text of `len` bytes with a secret at this offset.
fn text_containing(secret: &str, at: usize, len: usize) -> Vec<u8> {
    let mut text: Vec<u8> = b"0123456789\n".iter().copied().cycle().take(len).collect();
    text[at..at + secret.len()].copy_from_slice(secret.as_bytes());
    text
}

#[test]
fn a_file_containing_a_profile_secret_fails_before_it_is_sent() {
    for method in METHODS {
        let service = service();
        let project = project(&service.base(), method);
        for secret in [TOKEN, HOOK] {
            let end = secret.len();
            for (at, len) in [
                (0, end),
                (100, 1000),
                (CHUNK - end, CHUNK),
                // In a later chunk, across a border, at the very end, and at the end of a chunk.
                (CHUNK + 7, 3 * CHUNK),
                (CHUNK - 1, 3 * CHUNK),
                (2 * CHUNK - end + 1, 3 * CHUNK),
                (2 * CHUNK - end, 2 * CHUNK),
                (3 * CHUNK + 5 - end, 3 * CHUNK + 5),
            ] {
                std::fs::write(project.path().join("f"), text_containing(secret, at, len)).unwrap();
                let run = upload(&project, &["f"]);
                assert_eq!(
                    (run.code, receipts(&run)),
                    (3, one_receipt("f", "failed", "own-secret")),
                    "{method} {at} {len}"
                );
                let field = if secret == TOKEN { "`token`" } else { "`webhook_url`" };
                let message = run.document()["uploads"][0]["error"]["message"].to_string();
                assert!(message.contains(field), "{message}");
            }
        }
        drop(project);
        let seen = service.finish();
        let heads = || seen.iter().filter(|seen| !seen.head.is_empty());
        assert!(heads().count() > 0 && !heads().any(|seen| seen.line().contains("complete")), "{method}");
        for secret in [TOKEN, HOOK] {
            assert_not_sent(secret, &seen);
        }
        assert!(heads().all(|seen| method == "external" || !seen.closed_the_form()));
    }
}

#[test]
fn a_file_that_only_resembles_a_secret_is_sent() {
    for method in METHODS {
        let service = service();
        let project = project(&service.base(), method);
        let mut text = text_containing(TOKEN, CHUNK - 9, 2 * CHUNK);
        text[CHUNK] ^= 1;
        std::fs::write(project.path().join("f"), text).unwrap();
        assert_eq!(receipts(&upload(&project, &["f"])), one_receipt("f", "delivered", ""));
        // A token of fifteen characters could be an ordinary word.
        let project = project.env("CREDLINT_MESSAGING__R__TOKEN", "fifteen-letters");
        std::fs::write(project.path().join("f"), "these are fifteen-letters").unwrap();
        assert_eq!(receipts(&upload(&project, &["f"])), one_receipt("f", "delivered", ""));
    }
}

/// Pipes deliver pieces of any size.
#[test]
fn standard_input_is_scanned_for_secrets() {
    for method in METHODS {
        let service = service();
        let project = project(&service.base(), method);
        for (size, at, len) in [(5, 40, 200), (31, 64, 300), (4096, CHUNK - 3, CHUNK + 4096)] {
            let mut child = project
                .command(&["upload", "--profile", "r", "--format", "json", "--filename", "f", "-"])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let mut stdin = child.stdin.take().unwrap();
            for piece in text_containing(TOKEN, at, len).chunks(size) {
                // The program may have stopped reading.
                if stdin.write_all(piece).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
                std::thread::sleep(std::time::Duration::from_millis(if size < 100 { 2 } else { 0 }));
            }
            drop(stdin);
            let output = child.wait_with_output().unwrap();
            let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            let upload = &document["uploads"][0];
            assert_eq!(
                (&upload["status"], &upload["error"]["code"]),
                (&json!("failed"), &json!("own-secret")),
                "{size}"
            );
        }
        drop(project);
        assert_not_sent(TOKEN, &service.finish());
    }
}

#[test]
fn excluded_files_are_not_sent() {
    let service = service();
    let project =
        project(&service.base(), "files.upload").file("build/a.o", "x").file("logs/b.log", "x").file("logs/c.csv", "x");
    let run = upload(&project, &["--exclude", "build", "--exclude", "*.log", "--concurrency", "1", ".", "build/a.o"]);
    let files: Vec<_> = receipts(&run).into_iter().map(|(file, ..)| file).collect();
    assert_eq!(files.len(), 3, "{files:?} {}", run.stderr);
    assert!(run.stderr.contains("2 left out by --exclude") && run.stderr.contains("sending 3 files"), "{}", run.stderr);
    assert!(!run.stderr.contains("leaves nothing out"), "{}", run.stderr);
    for wrong in ["a[", "{a", "!a", "../logs", "a\\b"] {
        let run = upload(&project, &["--exclude", wrong, "."]);
        assert!(run.code == 2 && run.stdout.is_empty() && run.stderr.contains("--exclude"), "{wrong}: {}", run.stderr);
    }
    let directory = project.path().join("logs").to_str().unwrap().to_owned();
    for pattern in ["logs", "/logs", "./logs/", "{logs,build}", &directory] {
        let run = upload(&project, &["--exclude", pattern, "--exclude", "none", "--concurrency", "1", "."]);
        assert!(!receipts(&run).iter().any(|(file, ..)| file.contains("logs")), "{pattern}");
        assert!(run.stderr.contains("pattern 2 of --exclude leaves nothing out"), "{}", run.stderr);
        let run = upload(&project, &["--exclude", "/none", "."]);
        assert!(run.stderr.contains("\n--exclude leaves nothing out"), "{}", run.stderr);
    }
}

/// A person who names a directory by mistake is asked; a script is not.
#[test]
#[cfg(target_os = "linux")]
fn many_files_need_confirmation_only_on_a_terminal() {
    let project = project("http://127.0.0.1:9", "files.upload");
    let many = project.path().join("many");
    std::fs::create_dir(&many).unwrap();
    for number in 0..1001 {
        std::fs::write(many.join(number.to_string()), "x").unwrap();
    }
    let words = ["upload", "--profile", "r", "--retries", "0", "--fail-fast"];
    let at_terminal = |answer: &str, more: &[&str]| {
        let (controller, terminal) = crate::harness::terminal();
        let mut command: Command = project.command(&[&words, more].concat());
        let mut child =
            command.stdin(terminal.try_clone().unwrap()).stdout(Stdio::null()).stderr(terminal).spawn().unwrap();
        drop(command);
        let mut controller = std::fs::File::from(controller);
        controller.write_all(answer.as_bytes()).unwrap();
        let mut shown = Vec::new();
        let mut part = [0; 4096];
        while let Ok(len @ 1..) = std::io::Read::read(&mut controller, &mut part) {
            shown.extend_from_slice(&part[..len]);
        }
        (child.wait().unwrap().code().unwrap(), String::from_utf8_lossy(&shown).into_owned())
    };
    let question = "send 1001 files to http://127.0.0.1:9 as messaging.r? [y/N] ";
    for (answer, begins) in [("n\n", false), ("\n", false), ("y\n", true), ("Yes\n", true)] {
        let (code, shown) = at_terminal(answer, &["many"]);
        assert!(code == 3 && shown.contains(question), "{shown}");
        assert_eq!(
            (shown.contains("sending 1001 files"), shown.contains("nothing was sent")),
            (begins, !begins),
            "{shown}"
        );
    }
    std::fs::remove_file(many.join("0")).unwrap();
    assert!(!at_terminal("", &["many"]).1.contains("[y/N]"));
    std::fs::write(many.join("0"), "x").unwrap();
    assert!(!at_terminal("", &["--dry-run", "many"]).1.contains("[y/N]"));
    let run = project.run(&[&words[..], &["many"]].concat());
    assert!(run.code == 3 && run.stderr.contains("sending 1001 files") && !run.stderr.contains("[y/N]"));
}

/// So are blocks and an alternative text, also if an escape hides the secret.
#[test]
fn blocks_and_alternative_texts_containing_the_secret_are_not_sent() {
    let service = service();
    let escaped = TOKEN.replace('b', "\\u0062");
    let block = |text: &str| format!(r#"[{{"type": "section", "text": {{"type": "mrkdwn", "text": "{text}"}}}}]"#);
    let project =
        project(&service.base(), "external").file("f", "text").file("a", block(TOKEN)).file("b", block(&escaped));
    let project = project.file("c", block("b")).file("d", block(&escaped[4..]));
    for words in [["--blocks", "a"], ["--blocks", "b"], ["--alt-text", TOKEN], ["--snippet-type", TOKEN]] {
        let run = upload(&project, &[&words[..], &["f"]].concat());
        let problem = &run.document()["problems"][0];
        assert_eq!((run.code, &problem["code"]), (2, &"own-secret".into()), "{words:?}: {}", run.stdout);
        assert!(problem["message"].as_str().unwrap().contains("contains the `token` of the profile"), "{problem}");
    }
    assert_eq!(receipts(&upload(&project, &["--blocks", "c", "f"])), one_receipt("f", "delivered", ""));
    drop(project);
    assert_not_sent(TOKEN, &service.finish());
}

/// The comment is posted like the file, so it may contain the secret no more than the file.
#[test]
fn a_comment_containing_the_secret_is_not_sent() {
    for method in METHODS {
        let service = service();
        let project = project(&service.base(), method).file("f", "text");
        let text = format!("token: {TOKEN}.");
        let run = upload(&project, &["--comment", &text, "f"]);
        assert_eq!((run.code, &run.document()["problems"][0]["code"]), (2, &"own-secret".into()));
        assert_eq!(receipts(&upload(&project, &["--comment", &text[..20], "f"])), one_receipt("f", "delivered", ""));
    }
}

/// The client refuses them by itself, also for a program that checks no profile.
#[test]
fn the_client_sends_no_text_with_the_token() {
    let directory = tempfile::tempdir().unwrap();
    let token = crate::external::TOKEN;
    let blocks = format!(r#"[{{"type": "section", "text": "{token}"}}]"#);
    for method in [Method::FilesUpload, Method::External] {
        let service = service();
        let client = crate::external::client(&service.base(), crate::external::settings(method));
        let mut named = Vec::new();
        for (place, post) in [
            ("comment", post().with_comment(Some(SecretString::from(format!("see {token}"))))),
            ("title", post().with_title(Some(format!("{token}.csv")))),
            ("alternative text", post().with_alt_text(Some(token.into()))),
            ("file of --blocks", post().with_blocks(Some(Blocks::parse(&blocks).unwrap()))),
        ] {
            // The other method has no field for them.
            if method == Method::FilesUpload && post.comment.is_none() && post.title.is_none() {
                continue;
            }
            let payload = file(directory.path(), "report.csv", b"a,b\r\n");
            let receipt = runtime().block_on(client.upload(&post, payload, Watch::default()));
            assert_eq!((receipt.status, code(&receipt)), (Status::Failed, "own-secret"), "{receipt:?}");
            named.push(receipt.error.unwrap().message.contains(&format!("the {place} contains the `token`")));
        }
        let payload = file(directory.path(), &format!("{token}.csv"), b"a,b\r\n");
        let receipt = runtime().block_on(client.upload(&post(), payload, Watch::default()));
        named.push(receipt.error.unwrap().message.contains("the name of the file contains the `token`"));
        assert_eq!(named.len(), named.iter().filter(|named| **named).count());
        drop(client);
        assert_eq!(service.finish().len(), 0, "nothing is sent");
    }
}
