//! The method `external` over real sockets: its three calls as they arrive, read by parsers that are not the client's.

use std::io::{ErrorKind, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use credlint::upload::{
    Batch, Blocks, Client, FileName, Journal, Method, Payload, Post, Receipt, Settings, Status, Thread, Watch,
};
use credlint::{BaseUrl, BearerToken, ChannelId};
use serde_json::{Value, json};

use crate::harness::Project;
use crate::server::{Connection, Script, Server, Service, runtime};

pub const TOKEN: &str = "xoxb-4815162342-QwErTyUiOpAsDfGh";
const TICKET: &str = "POST /team/api/files.getUploadURLExternal";
const BYTES: &str = "POST /upload/v1/F0123456789?a=b%20c&d";
const COMPLETION: &str = "POST /team/api/files.completeUploadExternal";

/// Retries quickly, and allows for a slow machine.
pub fn settings(method: Method) -> Settings {
    let mut settings = Settings::default();
    settings.method = Some(method);
    settings.retries = 2;
    settings.backoff = Duration::from_millis(5);
    settings.max_wait = Duration::from_secs(2);
    settings
}

pub fn client(base: &str, settings: Settings) -> Client {
    Client::new(&BaseUrl::parse(base).unwrap(), &BearerToken::new(TOKEN.into()).unwrap(), settings).unwrap()
}

pub fn post() -> Post {
    Post::new(vec![ChannelId::parse("C0123456789").unwrap()])
}

pub fn code(receipt: &Receipt) -> &str {
    receipt.error.as_ref().map_or("", |error| error.code.as_str())
}

/// Bytes without repetitions.
pub fn noise(len: usize) -> Vec<u8> {
    let mut seed = 1_u32;
    let next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 24) as u8
    };
    std::iter::repeat_with(next).take(len).collect()
}

pub fn file(dir: &Path, name: &str, content: &[u8]) -> Payload {
    let path = dir.join(name);
    std::fs::write(&path, content).unwrap();
    Payload::open(&path, None).unwrap()
}

pub fn stream(name: &str, content: &[u8]) -> Payload {
    Payload::stream(FileName::new(name).unwrap(), std::io::Cursor::new(content.to_vec()))
}

pub fn http(status: &str, headers: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
        .into_bytes()
}

pub fn json_response(value: &Value) -> Vec<u8> {
    http("200 OK", "Content-Type: application/json\r\n", &value.to_string())
}

/// Reads the whole request, then answers.
fn respond(answer: Vec<u8>) -> Script {
    Box::new(move |connection| {
        connection.read_all();
        connection.send(&answer);
    })
}

fn ticket(url: &str) -> Script {
    respond(json_response(&json!({"ok": true, "upload_url": url, "file_id": "F0123456789"})))
}

/// A ticket whose upload address is this service.
fn ticket_for_this_server(id: &'static str) -> Script {
    Box::new(move |connection| {
        connection.read_all();
        let here = connection.stream().local_addr().unwrap();
        let url = format!("http://{here}/upload/v1/{id}?a=b%20c&d");
        connection.send(&json_response(&json!({"ok": true, "upload_url": url, "file_id": id})));
    })
}

/// Says how many bytes it has received, as the service does.
fn bytes_received() -> Script {
    Box::new(|connection| {
        connection.read_all();
        let text = format!("OK - {}", connection.body.len());
        connection.send(&http("200 OK", "Content-Type: text/plain\r\n", &text));
    })
}

fn completed(id: &str) -> Script {
    respond(json_response(&json!({"ok": true, "files": [{"id": id, "title": "t"}]})))
}

fn successful_upload() -> Vec<Script> {
    vec![ticket_for_this_server("F0123456789"), bytes_received(), completed("F0123456789")]
}

fn send(base: &str, post: &Post, payload: Payload) -> Receipt {
    let client = client(base, settings(Method::External));
    runtime().block_on(client.upload(post, payload, Watch::default()))
}

fn pairs(fields: &[(&str, &str)]) -> Vec<(String, String)> {
    fields.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect()
}

fn lines(seen: &[Connection]) -> Vec<&str> {
    seen.iter().map(Connection::line).collect()
}

/// A listener that no one may connect to.
struct UnusedListener(TcpListener);

impl UnusedListener {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        Self(listener)
    }

    fn address(&self) -> SocketAddr {
        self.0.local_addr().unwrap()
    }

    fn assert_unused(&self) {
        assert_eq!(self.0.accept().map(|_| ()).unwrap_err().kind(), ErrorKind::WouldBlock);
    }
}

#[test]
fn the_three_requests_match_the_documented_format() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::scripted(successful_upload());
    let receipt = send(&format!("{}/team/", server.base()), &post(), file(dir.path(), "report.csv", b"a,b\r\n1,2\n"));
    assert_eq!((receipt.status, receipt.bytes, receipt.attempts), (Status::Delivered, 9, 1), "{receipt:?}");
    assert_eq!((receipt.file.as_str(), receipt.file_id.as_deref()), ("report.csv", Some("F0123456789")));
    assert!(receipt.error.is_none() && receipt.sha256.is_none());
    let seen = server.finish();
    assert_eq!(lines(&seen), [TICKET, BYTES, COMPLETION]);
    let bearer = format!("Bearer {TOKEN}");
    for (call, authorization) in seen.iter().zip([Some(bearer.as_str()), None, Some(&bearer)]) {
        assert_eq!(call.header("authorization"), authorization, "{}", call.head);
        assert_eq!(call.header("content-length").unwrap(), call.body.len().to_string());
        for absent in ["referer", "accept-encoding", "transfer-encoding", "cookie", "expect"] {
            assert_eq!(call.header(absent), None, "{absent}");
        }
        assert!(!String::from_utf8_lossy(&call.body).contains("xoxb"));
    }
    assert!(!seen[1].head.contains("xoxb"), "{}", seen[1].head);
    assert_eq!(seen[0].fields(), pairs(&[("filename", "report.csv"), ("length", "9")]));
    assert_eq!(seen[1].header("content-type"), Some("application/octet-stream"));
    assert_eq!(seen[1].body, b"a,b\r\n1,2\n");
    let fields = seen[2].fields();
    assert_eq!(fields.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), ["files", "channels"]);
    assert_eq!(fields[1].1, "C0123456789");
    let files: Value = serde_json::from_str(&fields[0].1).unwrap();
    assert_eq!(files, json!([{"id": "F0123456789", "title": "report.csv"}]));
}

#[test]
fn comment_thread_title_and_channels_are_sent_with_the_completion() {
    let dir = tempfile::tempdir().unwrap();
    let channel = |id| ChannelId::parse(id).unwrap();
    let comment = "50% & more = x+y; \u{1b}é\r\n&channels=CEVIL\"";
    for (post, title, more) in [
        (
            Post::new(vec![channel("C01"), channel("U02"), channel("D03")])
                .with_comment(Some(comment.into()))
                .with_title(Some("A \"title\" & \\ é".to_owned())),
            "A \"title\" & \\ é",
            vec![("channels", "C01,U02,D03"), ("initial_comment", comment)],
        ),
        (
            Post::new(vec![channel("C01")])
                .with_comment(Some("".into()))
                .with_thread(Some(Thread::new("1700000000.000100").unwrap())),
            "f.csv",
            vec![("channels", "C01"), ("thread_ts", "1700000000.000100")],
        ),
        (
            Post::new(vec![channel("C01"); 100]),
            "f.csv",
            vec![("channels", Box::leak(vec!["C01"; 100].join(",").into_boxed_str()))],
        ),
    ] {
        let server = Server::scripted(successful_upload());
        let receipt = send(&server.base(), &post, file(dir.path(), "f.csv", b"x"));
        assert_eq!(receipt.status, Status::Delivered, "{receipt:?}");
        let fields = server.finish()[2].fields();
        assert_eq!(fields[0].0, "files");
        let files: Value = serde_json::from_str(&fields[0].1).unwrap();
        assert_eq!(files, json!([{"id": "F0123456789", "title": title}]));
        assert_eq!(fields[1..], pairs(&more));
    }
}

/// The parameters of the file go with the ticket, and those of the message with the completion.
#[test]
fn snippet_type_alternative_text_and_blocks_are_sent_unchanged() {
    let dir = tempfile::tempdir().unwrap();
    let (alt_text, blocks) =
        ("A chart: 50% & more\r\né", r#"{"blocks": [ {"type": "header", "text": "a&b=\u00e9"} ]}"#);
    let post = post()
        .with_snippet_type(Some("python".into()))
        .with_alt_text(Some(alt_text.into()))
        .with_blocks(Some(Blocks::parse(blocks).unwrap()));
    let server = Server::scripted(successful_upload());
    let receipt = send(&server.base(), &post, file(dir.path(), "f.py", b"x"));
    assert_eq!(receipt.status, Status::Delivered, "{receipt:?}");
    let seen = server.finish();
    let ticket = [("filename", "f.py"), ("length", "1"), ("snippet_type", "python"), ("alt_txt", alt_text)];
    assert_eq!(seen[0].fields(), pairs(&ticket));
    let fields = seen[2].fields();
    assert_eq!(fields.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), ["files", "channels", "blocks"]);
    let sent: Value = serde_json::from_str(&fields[2].1).unwrap();
    assert_eq!(sent, json!([{"type": "header", "text": "a&b=é"}]));
    // An empty text is none.
    let server = Server::scripted(successful_upload());
    let empty = crate::external::post().with_snippet_type(Some("".into())).with_alt_text(Some("".into()));
    assert_eq!(send(&server.base(), &empty, file(dir.path(), "f.py", b"x")).status, Status::Delivered);
    assert_eq!(server.finish()[0].fields(), pairs(&ticket[..2]));
}

/// Nothing is sent that the service would ignore or refuse.
#[test]
fn parameters_that_do_not_fit_are_refused_before_anything_is_sent() {
    let dir = tempfile::tempdir().unwrap();
    let blocks = || Some(Blocks::parse(r#"[{"type": "divider"}]"#).unwrap());
    let (external, upload) = (Method::External, Method::FilesUpload);
    let snippet = || post().with_snippet_type(Some("text".into()));
    for (method, post, size, expected) in [
        (external, post().with_blocks(blocks()).with_comment(Some("x".into())), 1, "blocks"),
        (external, post().with_blocks(blocks()).with_comment(Some("".into())), 1, ""),
        (upload, post().with_blocks(blocks()), 1, "needs-external"),
        (upload, post().with_alt_text(Some("x".into())), 1, "needs-external"),
        (upload, post().with_alt_text(Some("".into())), 1, ""),
        (external, post().with_alt_text(Some("é".repeat(1000).into())), 1, ""),
        (external, post().with_alt_text(Some("é".repeat(1001).into())), 1, "alt-text"),
        (external, snippet(), 1024 * 1024, ""),
        (external, snippet(), 1024 * 1024 + 1, "snippet-size"),
        (external, post(), 1024 * 1024 + 1, ""),
        (upload, snippet(), 1024 * 1024 + 1, ""),
    ] {
        let scripts = if method == external { successful_upload() } else { vec![completed("F0123456789")] };
        let server = Server::scripted(if expected.is_empty() { scripts } else { Vec::new() });
        let client = client(&server.base(), settings(method));
        for payload in [file(dir.path(), "f", &noise(size)), stream("f", &noise(size))] {
            if expected.is_empty() && payload.size().is_none() {
                continue;
            }
            let receipt = runtime().block_on(client.upload(&post, payload, Watch::default()));
            let status = if expected.is_empty() { Status::Delivered } else { Status::Failed };
            assert_eq!((receipt.status, code(&receipt)), (status, expected), "{receipt:?}");
            assert!(receipt.error.is_none_or(|error| error.help.is_some()));
        }
        drop(client);
        assert_eq!(server.finish().is_empty(), !expected.is_empty());
    }
}

#[test]
fn unusual_file_names_are_sent_unchanged() {
    let dir = tempfile::tempdir().unwrap();
    for name in
        ["a&b=c.csv", "100%.csv", "%26.csv", "a+b c.csv", "\"q\"\\.csv", "日本 é 😀.csv", "a;b#c?d.csv", "-", "="]
    {
        let server = Server::scripted(successful_upload());
        let receipt = send(&server.base(), &post(), file(dir.path(), name, b"x"));
        assert_eq!((receipt.status, receipt.file.as_str()), (Status::Delivered, name), "{receipt:?}");
        let seen = server.finish();
        assert_eq!(seen[0].fields(), pairs(&[("filename", name), ("length", "1")]));
        let files: Value = serde_json::from_str(&seen[2].fields()[0].1).unwrap();
        assert_eq!(files[0]["title"], name);
    }
}

#[test]
fn every_size_arrives_byte_for_byte() {
    let dir = tempfile::tempdir().unwrap();
    for len in [1, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, 5_000_000] {
        let content = noise(len);
        for payload in [file(dir.path(), "f", &content), stream("f", &content)] {
            let server = Server::scripted(successful_upload());
            let receipt = send(&server.base(), &post(), payload);
            assert_eq!((receipt.status, receipt.bytes), (Status::Delivered, len as u64), "{receipt:?}");
            let seen = server.finish();
            assert_eq!(seen[0].fields()[1].1, len.to_string());
            assert_eq!(seen[1].header("content-length").unwrap(), len.to_string());
            assert!(seen[1].body == content, "{len}");
        }
    }
}

#[test]
fn no_redirect_is_followed_at_any_step() {
    let dir = tempfile::tempdir().unwrap();
    for step in 0..3 {
        for status in ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"] {
            let elsewhere = UnusedListener::new();
            let port = elsewhere.address().port();
            let to = format!("Location: http://user:{TOKEN}@localhost:{port}/login?token={TOKEN}\r\n");
            let mut scripts = successful_upload();
            scripts[step] = respond(http(status, &to, r#"{"ok":true}"#));
            let server = Server::scripted(scripts);
            let receipt = send(&server.base(), &post(), file(dir.path(), "f", b"x"));
            // A completion may have run behind the redirect.
            let status = if step == 2 { Status::Uncertain } else { Status::Failed };
            assert_eq!((receipt.status, code(&receipt)), (status, "redirected"), "{step} {receipt:?}");
            let error = receipt.error.unwrap();
            assert!(error.message.contains(&format!("to http://localhost:{port};")), "{error}");
            let base_url = error.help.is_some_and(|help| help.contains("`base_url`"));
            assert_eq!(base_url, step == 0, "the upload URL is not configurable");
            elsewhere.assert_unused();
            let seen = server.finish();
            let sent = lines(&seen).into_iter().filter(|line| !line.ends_with("files.info")).count();
            assert_eq!((sent, seen.len() > sent), (step + 1, step == 2));
        }
    }
}

#[test]
fn unsafe_upload_urls_are_rejected() {
    let dir = tempfile::tempdir().unwrap();
    let elsewhere = UnusedListener::new();
    let port = elsewhere.address().port();
    for url in [
        "http://192.0.2.1/upload/v1/F1".to_owned(),
        "http://files.example.com/upload/v1/F1".to_owned(),
        "http://169.254.169.254/latest/meta-data".to_owned(),
        format!("http://localhost.example.com:{port}/"),
        format!("http://user@127.0.0.1:{port}/"),
        format!("http://:pw@127.0.0.1:{port}/"),
        format!("https://user:pw@127.0.0.1:{port}/"),
        format!("ftp://127.0.0.1:{port}/"),
        "file:///etc/passwd".to_owned(),
        "data:,x".to_owned(),
        "not an address".to_owned(),
        format!("//127.0.0.1:{port}/upload"),
        "/upload/v1/F1".to_owned(),
        "http://".to_owned(),
        String::new(),
    ] {
        let server = Server::scripted(vec![ticket(&url)]);
        let receipt = send(&server.base(), &post(), file(dir.path(), "f", b"x"));
        assert_eq!((receipt.status, code(&receipt)), (Status::Failed, "bad-ticket"), "{url}: {receipt:?}");
        assert_eq!((receipt.bytes, receipt.attempts), (0, 1));
        assert_eq!(server.finish().len(), 1, "{url}");
    }
    elsewhere.assert_unused();
}

#[test]
fn a_response_without_upload_url_or_file_id_is_rejected() {
    let dir = tempfile::tempdir().unwrap();
    for answer in [
        json!({"ok": true}),
        json!({"ok": true, "file_id": "F1"}),
        json!({"ok": true, "file_id": "F1", "upload_url": null}),
        json!({"ok": true, "file_id": "F1", "upload_url": ["http://127.0.0.1"]}),
        json!({"ok": true, "upload_url": "https://files.example.com/upload"}),
        json!({"ok": true, "upload_url": "https://files.example.com/upload", "file_id": 7}),
    ] {
        let server = Server::scripted(vec![respond(json_response(&answer))]);
        let receipt = send(&server.base(), &post(), file(dir.path(), "f", b"x"));
        assert_eq!((receipt.status, code(&receipt)), (Status::Failed, "bad-ticket"), "{answer}: {receipt:?}");
        assert_eq!(server.finish().len(), 1, "{answer}");
    }
}

#[test]
fn invalid_uploads_are_rejected_before_any_request() {
    let dir = tempfile::tempdir().unwrap();
    let elsewhere = UnusedListener::new();
    let client = client(&format!("http://{}", elsewhere.address()), settings(Method::External));
    let channels = |ids: Vec<&str>| Post::new(ids.into_iter().map(|id| ChannelId::parse(id).unwrap()).collect());
    let thread = Some(Thread::new("1700000000.000100").unwrap());
    for (post, content, word) in [
        (post(), "", "empty-file"),
        (channels(vec![]), "x", "no-channels"),
        (channels(vec!["C01"; 101]), "x", "too-many-channels"),
        (channels(vec!["C01", "#general"]), "x", "channel-name"),
        (channels(vec!["@ann"]), "x", "channel-name"),
        (channels(vec!["C01", "C02"]).with_thread(thread), "x", "thread-channels"),
    ] {
        for payload in [file(dir.path(), "f", content.as_bytes()), stream("f", content.as_bytes())] {
            let receipt = runtime().block_on(client.upload(&post, payload, Watch::default()));
            assert_eq!((receipt.status, code(&receipt), receipt.attempts), (Status::Failed, word, 0), "{receipt:?}");
        }
    }
    elsewhere.assert_unused();
}

/// The number at the beginning of the file's name.
fn number(connection: &Connection) -> usize {
    connection.fields()[0].1.split('-').next().unwrap().parse().unwrap()
}

/// Sends files in one message.
pub fn send_together(client: &Client, post: &Post, files: &[PathBuf], concurrency: usize) -> Vec<Receipt> {
    let mut batch = Batch::default();
    (batch.one_message, batch.concurrency) = (true, Some(concurrency));
    runtime().block_on(batch.send(client, post, files, |_| Watch::default(), |_| ()))
}

#[test]
fn a_failed_file_is_left_out_of_the_shared_message() {
    let dir = tempfile::tempdir().unwrap();
    let server = Service::start(|_, connection| {
        connection.read_all();
        let here = connection.stream().local_addr().unwrap();
        let line = connection.line().to_owned();
        let answer = if line.ends_with("files.getUploadURLExternal") {
            let number = number(connection);
            let url = format!("http://{here}/upload/v1/{number}");
            match number {
                1 => json_response(&json!({"ok": false, "error": "file_type_not_allowed"})),
                number => json_response(&json!({"ok": true, "upload_url": url, "file_id": format!("F000{number}")})),
            }
        } else if line.ends_with("/upload/v1/3") {
            http("403 Forbidden", "", "no")
        } else if line.contains("/upload/") {
            http("200 OK", "", "OK")
        } else {
            json_response(&json!({"ok": true, "files": [{"id": "F0000"}, {"id": "F0002"}]}))
        };
        connection.send(&answer);
    });
    let client = client(&server.base(), settings(Method::External));
    let files: Vec<_> = (0..5).map(|number| dir.path().join(format!("{number}-f"))).collect();
    for (number, file) in files.iter().enumerate() {
        std::fs::write(file, noise(if number == 4 { 0 } else { 9 })).unwrap();
    }
    let receipts = send_together(&client, &post(), &files, 3);
    let ended: Vec<_> = receipts.iter().map(|receipt| (receipt.status, code(receipt))).collect();
    assert_eq!(
        ended,
        [
            (Status::Delivered, ""),
            (Status::Failed, "file_type_not_allowed"),
            (Status::Delivered, ""),
            (Status::Failed, "http-status"),
            (Status::Failed, "empty-file"),
        ]
    );
    let ids: Vec<_> = receipts.iter().map(|receipt| receipt.file_id.as_deref()).collect();
    assert_eq!(ids, [Some("F0000"), None, Some("F0002"), None, None]);
    let seen = server.finish();
    let completions: Vec<_> = seen.iter().filter(|call| call.line().ends_with("completeUploadExternal")).collect();
    let [completion] = completions.as_slice() else { panic!("{:?}", lines(&seen)) };
    let files: Value = serde_json::from_str(&completion.fields()[0].1).unwrap();
    assert_eq!(files, json!([{"id": "F0000", "title": "0-f"}, {"id": "F0002", "title": "2-f"}]));
    assert_eq!(seen.len(), 4 + 3 + 1);
}

#[test]
fn no_message_is_posted_if_every_file_fails() {
    let dir = tempfile::tempdir().unwrap();
    let server = Service::start(|_, connection| {
        connection.read_all();
        connection.send(&json_response(&json!({"ok": false, "error": "file_uploads_disabled"})));
    });
    let client = client(&server.base(), settings(Method::External));
    let files = ["a", "b"].map(|name| dir.path().join(name));
    for file in &files {
        std::fs::write(file, "x").unwrap();
    }
    let receipts = send_together(&client, &post(), &files, 2);
    assert!(receipts.iter().all(|receipt| code(receipt) == "file_uploads_disabled"), "{receipts:?}");
    assert_eq!(server.finish().len(), 2);
}

#[test]
fn standard_input_leaves_no_temporary_file() {
    let content = noise(300_000);
    // Checked while the bytes are sent, and afterwards.
    let temporary = Arc::new(tempfile::tempdir().unwrap());
    let names =
        |dir: &Path| std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    let mut scripts = successful_upload();
    let watched = Arc::clone(&temporary);
    scripts[1] = Box::new(move |connection| {
        connection.read_all();
        assert!(names(watched.path()).is_empty());
        connection.send(&http("200 OK", "", "OK"));
    });
    let server = Server::scripted(scripts);
    let text = format!(
        "[messaging.reports]\nbase_url = \"{}\"\nupload_method = \"external\"\ntoken = {{ env = \"T\" }}\nchannels = [\"C0123456789\"]\n",
        server.base()
    );
    let project = Project::new()
        .file("credlint.toml", text)
        .env("T", "xoxb-0000000000-0000000000-abcdefghijkl")
        .env("TMPDIR", temporary.path());
    let mut command = project.command(&["upload", "--profile", "reports", "--filename", "in.bin", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&content).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(names(temporary.path()).is_empty());
    let seen = server.finish();
    assert_eq!(seen[0].fields(), pairs(&[("filename", "in.bin"), ("length", "300000")]));
    assert!(seen[1].body == content);
}

/// An ID may share letters with a token by chance. The file is still delivered, but the ID is not written to the
/// journal.
#[test]
fn an_id_that_resembles_the_token_is_not_written_to_the_journal() {
    let dir = tempfile::tempdir().unwrap();
    let (path, journal) = (dir.path().join("f"), dir.path().join("journal"));
    let payload = file(dir.path(), "f", b"x");
    let server =
        Server::scripted(vec![ticket_for_this_server("F4815162342"), bytes_received(), completed("F4815162342")]);
    let client = client(&server.base(), settings(Method::External));
    let receipt = {
        let journal = Journal::open(&journal).unwrap();
        let entry = journal.entry(client.base_url(), &post(), &path, &payload).unwrap();
        let watch = Watch::default().with_journal(Some(entry.clone()));
        let receipt = runtime().block_on(client.upload(&post(), payload, watch));
        runtime().block_on(entry.record_result(&receipt)).unwrap();
        receipt
    };
    assert_eq!(receipt.status, Status::Delivered, "{receipt:?}");
    let text = std::fs::read_to_string(&journal).unwrap();
    assert!(text.contains("delivered") && !text.contains("4815162342"), "{text}");
    server.finish();
}

#[test]
fn receipts_never_contain_echoed_secrets() {
    let dir = tempfile::tempdir().unwrap();
    let comment = "Quarterly figures for the board";
    // Anyone who knows the address of the bytes could replace them.
    let secret = "SeCrEtPaRtOfTheAddress";
    for echo in [TOKEN, comment, "QwErTyUiOpAsDfGh", "quarterly_figures_for"] {
        for step in 0..3 {
            for (status, ok) in [("200 OK", true), ("200 OK", false), ("302 Found", true), ("500 Oops", false)] {
                let body = json!({
                    "ok": ok, "error": echo, "needed": echo, "provided": echo, "warning": echo,
                    "response_metadata": {"messages": [echo, format!("[ERROR] https://h.example.com/{secret}")]},
                    "upload_url": format!("http://{echo}@127.0.0.1/{secret}"), "file_id": echo,
                    "files": [{"id": echo, "title": echo, "permalink": format!("https://chat.example.com/{echo}?{secret}")}],
                });
                let headers =
                    format!("Location: https://{echo}.example.com/\r\nRetry-After: {echo}\r\nX-Echo: {echo}\r\n");
                let mut scripts = successful_upload();
                scripts[step] = respond(http(status, &headers, &body.to_string()));
                let server = Server::scripted(scripts);
                let mut settings = settings(Method::External);
                settings.retries = 0;
                // The lookup after a lost answer gets no answer.
                settings.answer_timeout = Duration::from_millis(500);
                let client = client(&server.base(), settings);
                let post = post().with_comment(Some(comment.into()));
                let payload = file(dir.path(), "f", b"x");
                let receipt = runtime().block_on(client.upload(&post, payload, Watch::default()));
                let shown = format!("{receipt:?}").to_lowercase();
                for part in ["4815162342", "qwertyuiop", "quarterly", "secretpart"] {
                    assert!(!shown.contains(part), "{part} at {step} {status}: {shown}");
                }
            }
        }
    }
}

/// The timestamp and the link of the message are in the receipt if an answer has them, also without `--confirm`. With it,
/// an answer that names only the channels is looked up.
#[test]
fn the_message_is_in_the_receipt_where_an_answer_names_it() {
    let directory = tempfile::tempdir().unwrap();
    let (ts, link) = ("1700000000.000100", "https://chat.example.com/files/F0123456789");
    let bare = json!({"id": "F0123456789", "channels": ["C0123456789"]});
    let mut whole = bare.clone();
    whole["shares"] = json!({"public": {"C0123456789": [{"ts": ts}]}});
    whole["permalink"] = json!(link);
    for method in [Method::FilesUpload, Method::External] {
        for (posted, found, confirm, looks) in [
            (&whole, &bare, false, 0),
            (&bare, &whole, false, 0),
            (&whole, &bare, true, 0),
            (&bare, &whole, true, 1),
            // The file is in its channel, whatever the message is.
            (&bare, &bare, true, 1),
        ] {
            let (answer, look) = (posted.clone(), found.clone());
            let server = Service::start(move |_, connection| {
                connection.read_all();
                let here = connection.stream().local_addr().unwrap();
                let file = if connection.line().ends_with("files.info") { &look } else { &answer };
                let body = json!({"ok": true, "file": file, "files": [file], "file_id": "F0123456789",
                    "upload_url": format!("http://{here}/upload/v1/F0123456789")});
                connection.send(&json_response(&body));
            });
            let mut settings = settings(method);
            settings.confirm_shares = confirm;
            let client = client(&server.base(), settings);
            let payload = file(directory.path(), "r.csv", b"a,b\r\n");
            let receipt = runtime().block_on(client.upload(&post(), payload, Watch::default()));
            let seen = server.finish();
            let looked = seen.iter().filter(|connection| connection.line().ends_with("files.info")).count();
            assert_eq!((receipt.status, looked), (Status::Delivered, looks), "{method:?} {receipt:?}");
            let named = *posted == whole || confirm && *found == whole;
            let expected = if named { (Some(ts), Some(link)) } else { (None, None) };
            assert_eq!((receipt.ts.as_deref(), receipt.permalink.as_deref()), expected, "{method:?} {receipt:?}");
        }
    }
}

/// A record may say how many bytes the service has of the file.
#[test]
fn a_record_with_another_size_is_no_delivery() {
    let directory = tempfile::tempdir().unwrap();
    for method in [Method::FilesUpload, Method::External] {
        for (size, status) in [
            (json!(5), Status::Delivered),
            (json!(4), Status::Uncertain),
            (json!(6), Status::Uncertain),
            // Not known yet, or not a number of bytes.
            (json!(0), Status::Delivered),
            (json!(null), Status::Delivered),
            (json!("4"), Status::Delivered),
        ] {
            let server = Service::start(move |_, connection| {
                connection.read_all();
                let here = connection.stream().local_addr().unwrap();
                let record = json!({"id": "F0123456789", "channels": ["C0123456789"], "size": size});
                let body = json!({"ok": true, "file": record, "files": [record], "file_id": "F0123456789",
                    "upload_url": format!("http://{here}/upload/v1/F0123456789")});
                connection.send(&json_response(&body));
            });
            let client = client(&server.base(), settings(method));
            let payload = file(directory.path(), "r.csv", b"a,b\r\n");
            let receipt = runtime().block_on(client.upload(&post(), payload, Watch::default()));
            let word = if status == Status::Uncertain { "size-differs" } else { "" };
            assert_eq!((receipt.status, code(&receipt)), (status, word), "{method:?} {receipt:?}");
            drop(server.finish());
        }
    }
}
