//! Uploads over real sockets: to a scripted service, and to the embedded one.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use bytes::Bytes;
use credlint::sandbox::{Options, Sandbox};
use credlint::upload::{Client, FileName, Payload, Post, Progress, Receipt, Settings, Status, Watch};
use credlint::{BaseUrl, BearerToken, ChannelId};
use tokio::sync::watch;

use crate::server::{Connection, Server, runtime};

/// Larger than the socket buffers of both ends, so the client is in the middle of the file.
const LARGE: u64 = 48 * 1024 * 1024;
const TOKEN: &str = "xoxb-4815162342-QwErTyUiOpAsDfGh";
const OK: &[u8] =
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\nConnection: close\r\n\r\n{\"ok\":true}";

fn settings() -> Settings {
    let mut settings = Settings::default();
    settings.connect_timeout = Duration::from_secs(5);
    settings.stall_timeout = Duration::from_secs(10);
    settings.answer_timeout = Duration::from_secs(10);
    // One request only; other tests cover retries.
    settings.retries = 0;
    settings
}

fn quick() -> Settings {
    let mut settings = settings();
    settings.stall_timeout = Duration::from_millis(300);
    settings.answer_timeout = Duration::from_millis(300);
    settings
}

fn client(base: &str, settings: Settings) -> Client {
    Client::new(&BaseUrl::parse(base).unwrap(), &BearerToken::new(TOKEN.into()).unwrap(), settings).unwrap()
}

fn post() -> Post {
    Post::new(vec![ChannelId::parse("C0123456789").unwrap()])
}

fn send_with(base: &str, payload: Payload, settings: Settings, watch: Watch) -> Receipt {
    let client = client(base, settings);
    runtime().block_on(async {
        tokio::time::timeout(Duration::from_secs(30), client.upload(&post(), payload, watch)).await.expect("a verdict")
    })
}

fn send(base: &str, payload: Payload) -> Receipt {
    send_with(base, payload, settings(), Watch::default())
}

fn name(name: &str) -> FileName {
    FileName::new(name).unwrap()
}

fn code(receipt: &Receipt) -> &str {
    receipt.error.as_ref().map_or("", |error| error.code.as_str())
}

/// A file in a temporary directory.
struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    fn large(&self) -> PathBuf {
        let path = self.file("large.bin", b"");
        std::fs::File::options().write(true).open(&path).unwrap().set_len(LARGE).unwrap();
        path
    }
}

fn open(path: &Path) -> Payload {
    Payload::open(path, None).unwrap()
}

fn small() -> Payload {
    Payload::stream(name("small.csv"), &b"a,b\r\n1,2\r\n"[..])
}

fn http(status: &str, headers: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
        .into_bytes()
}

#[test]
fn the_request_matches_the_documented_format() {
    let scratch = Scratch::new();
    let content: Vec<u8> = (0..=255).cycle().take(3000).collect();
    let path = scratch.file("report.csv", &content);
    let server = Server::answering(OK);
    let receipt = send(&format!("{}/team/", server.base()), open(&path));
    assert_eq!(receipt.status, Status::Delivered, "{receipt:?}");
    assert_eq!((receipt.file.as_str(), receipt.bytes, receipt.attempts), ("report.csv", 3000, 1));
    assert_eq!(receipt.channels, ["C0123456789"]);
    assert!(receipt.error.is_none() && receipt.file_id.is_none() && receipt.permalink.is_none());
    let seen = server.finish();
    assert!(seen.head.starts_with("POST /team/api/files.upload HTTP/1.1\r\n"), "{}", seen.head);
    assert_eq!(seen.header("authorization"), Some(format!("Bearer {TOKEN}").as_str()));
    assert_eq!(seen.header("content-length").unwrap(), seen.body.len().to_string());
    for absent in ["referer", "accept-encoding", "transfer-encoding", "cookie", "expect"] {
        assert_eq!(seen.header(absent), None, "{absent}");
    }
    assert_eq!(
        seen.parts(),
        [
            ("channels".to_owned(), None, Bytes::from("C0123456789")),
            ("file".to_owned(), Some("report.csv".to_owned()), Bytes::from(content)),
        ]
    );
}

#[test]
fn names_and_comments_cannot_break_out_of_their_part() {
    let scratch = Scratch::new();
    let comment = "line\r\n\r\n--boundary\r\nContent-Disposition: form-data; name=\"channels\"\r\n\r\nCEVIL\r\n--boundary--\r\n\u{1b}é";
    for file in [
        "a\"b.csv", "a\\b.csv", // Before the closing quote, parsers treat it as an escape.
        "a\\", "a\\\"", "100%.csv", "%22.csv", "日本 é.csv", "a;name=\"channels\".csv", "-", "' .csv",
    ] {
        let path = scratch.file(file, b"\r\n--x--\r\n");
        let server = Server::answering(OK);
        let post = Post::new(["C01", "#general", "opaque/id"].map(|id| ChannelId::parse(id).unwrap()).into())
            .with_comment(Some(comment.into()));
        assert!(!format!("{post:?}").contains("CEVIL"));
        let client = client(&server.base(), settings());
        let receipt = runtime().block_on(client.upload(&post, open(&path), Watch::default()));
        assert_eq!(receipt.status, Status::Delivered, "{receipt:?}");
        assert_eq!(receipt.channels, ["C01", "#general", "********"]);
        assert_eq!(receipt.file, file);
        let sent = file.replace('"', "%22").replace('\\', "%5C");
        // If parsers read another name, the exact one is sent as well.
        let exact = (sent != file || file.contains("%22")).then(|| ("filename".to_owned(), None, Bytes::from(file)));
        let fields: Vec<_> = [
            ("channels".to_owned(), None, Bytes::from("C01,#general,opaque/id")),
            ("initial_comment".to_owned(), None, Bytes::from(comment)),
        ]
        .into_iter()
        .chain(exact)
        .chain([("file".to_owned(), Some(sent), Bytes::from("\r\n--x--\r\n"))])
        .collect();
        assert_eq!(server.finish().parts(), fields);
    }
}

#[test]
fn every_size_arrives_byte_for_byte() {
    let scratch = Scratch::new();
    for len in [0, 1, 256 * 1024, 256 * 1024 + 1, 3 * 256 * 1024, 5_000_003] {
        let mut seed = 1_u32;
        let content: Vec<u8> = std::iter::repeat_with(|| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as u8
        })
        .take(len)
        .collect();
        let path = scratch.file("f", &content);
        let server = Server::answering(OK);
        let receipt = send(&server.base(), open(&path));
        assert_eq!((receipt.status, receipt.bytes), (Status::Delivered, len as u64), "{receipt:?}");
        let seen = server.finish();
        assert_eq!(seen.header("content-length").unwrap(), seen.body.len().to_string());
        assert!(seen.parts()[1].2 == content, "{len}");
        // The same without a known length.
        let server = Server::answering(OK);
        let receipt = send(&server.base(), Payload::stream(name("f"), std::fs::File::open(&path).unwrap()));
        assert_eq!((receipt.status, receipt.bytes), (Status::Delivered, len as u64), "{receipt:?}");
        let seen = server.finish();
        assert_eq!((seen.header("content-length"), seen.header("transfer-encoding")), (None, Some("chunked")));
        let plain = unchunked(&seen.body);
        let seen = Connection { body: plain, ..seen };
        assert!(seen.parts()[1].2 == content, "{len}");
    }
}

fn unchunked(mut body: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    loop {
        let end = body.windows(2).position(|window| window == b"\r\n").unwrap();
        let len = usize::from_str_radix(std::str::from_utf8(&body[..end]).unwrap(), 16).unwrap();
        if len == 0 {
            return plain;
        }
        plain.extend_from_slice(&body[end + 2..end + 2 + len]);
        body = &body[end + 4 + len..];
    }
}

#[test]
fn responses_map_to_statuses() {
    let json = "Content-Type: application/json\r\n";
    let html = "Content-Type: text/html\r\n";
    let page = "<!DOCTYPE html><title>Sign in</title>";
    for (answer, status, word) in [
        (http("200 OK", json, r#"{"ok":true}"#), Status::Delivered, ""),
        (http("201 Created", "", "OK - 30"), Status::Accepted, ""),
        (http("200 OK", "Content-Encoding: Identity\r\n", r#"{"ok":true}"#), Status::Delivered, ""),
        (http("200 OK", "Content-Encoding: identity, IDENTITY\r\n", r#"{"ok":true}"#), Status::Delivered, ""),
        (http("200 OK", "Content-Encoding: \r\n", r#"{"ok":true}"#), Status::Delivered, ""),
        (http("200 OK", json, r#"{"id":1}"#), Status::Accepted, ""),
        (http("200 OK", "", ""), Status::Accepted, ""),
        (b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n".to_vec(), Status::Accepted, ""),
        (http("200 OK", json, r#"{"ok":false,"error":"invalid_auth"}"#), Status::Failed, "invalid_auth"),
        (http("200 OK", json, r#"{"ok":false,"error":"<script>"}"#), Status::Failed, "service-error"),
        (http("200 OK", html, page), Status::Uncertain, "html-answer"),
        (http("302 Found", "", ""), Status::Failed, "redirected"),
        (http("404 Not Found", html, page), Status::Failed, "http-status"),
        (http("413 Content Too Large", "", ""), Status::Failed, "http-status"),
        (
            http("429 Too Many", "Retry-After: 30\r\n", r#"{"ok":false,"error":"ratelimited"}"#),
            Status::Failed,
            "ratelimited",
        ),
        (http("408 Request Timeout", "", "stream timeout"), Status::Uncertain, "http-status"),
        (http("500 Oops", html, page), Status::Uncertain, "http-status"),
        (http("503 Unavailable", "", ""), Status::Uncertain, "http-status"),
        (http("200 OK", json, r#"{"ok":tr"#), Status::Uncertain, "answer-truncated"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"ok\":true".to_vec(), Status::Uncertain, "answer-truncated"),
        (http("200 OK", "Content-Encoding: gzip\r\n", "\u{1f}"), Status::Uncertain, "answer-encoded"),
        (http("200 OK", json, &"x".repeat(1024 * 1024 + 1)), Status::Uncertain, "answer-too-large"),
        (b"SSH-2.0-OpenSSH_9.2\r\n".to_vec(), Status::Uncertain, "not-http"),
        (b"HTTP/1.1 200".to_vec(), Status::Uncertain, "connection-lost"),
        (b"".to_vec(), Status::Uncertain, "connection-lost"),
    ] {
        let server = Server::answering(answer.clone());
        let receipt = send(&server.base(), small());
        let shown = String::from_utf8_lossy(&answer[..answer.len().min(99)]).into_owned();
        assert_eq!((receipt.status, code(&receipt)), (status, word), "{shown}: {receipt:?}");
        assert_eq!(receipt.error.is_some(), !matches!(status, Status::Delivered | Status::Accepted));
    }
    let server = Server::answering(http("200 OK", "", "fine"));
    let mut strict = settings();
    strict.require_confirmation = true;
    let receipt = send_with(&server.base(), small(), strict, Watch::default());
    assert_eq!((receipt.status, code(&receipt)), (Status::Uncertain, "unconfirmed"));
}

#[test]
fn a_redirect_is_not_followed() {
    for status in ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"] {
        let elsewhere = TcpListener::bind("127.0.0.1:0").unwrap();
        elsewhere.set_nonblocking(true).unwrap();
        let port = elsewhere.local_addr().unwrap().port();
        let to = format!("Location: http://user:{TOKEN}@localhost:{port}/login?token={TOKEN}\r\n");
        let server = Server::answering(http(status, &to, r#"{"ok":true}"#));
        let receipt = send(&server.base(), small());
        assert_eq!((receipt.status, code(&receipt)), (Status::Failed, "redirected"), "{receipt:?}");
        let error = receipt.error.unwrap();
        assert!(error.message.contains(&format!("to http://localhost:{port};")), "{error}");
        assert_eq!(elsewhere.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
    }
}

#[test]
fn response_before_whole_file_is_not_success() {
    let scratch = Scratch::new();
    for (answer, word) in [
        (http("200 OK", "", r#"{"ok":true,"file":{"id":"F0123456789"}}"#), "answered-early"),
        (http("413 Content Too Large", "", ""), "http-status"),
        (http("503 Unavailable", "", ""), "http-status"),
        (http("200 OK", "", r#"{"ok":false,"error":"not_authed"}"#), "not_authed"),
        (http("307 Temporary", "Location: /\r\n", ""), "redirected"),
    ] {
        let server = Server::start(move |connection| {
            connection.read_head();
            connection.read_some(1000);
            connection.send(&answer);
            // Keeps the connection until the client has read the answer.
            connection.drain();
        });
        let receipt = send(&server.base(), open(&scratch.large()));
        assert_eq!((receipt.status, code(&receipt)), (Status::Failed, word), "{receipt:?}");
        assert!(receipt.bytes < LARGE);
        assert!(!server.finish().closed_the_form());
    }
}

#[test]
fn a_lost_connection_is_uncertain_only_after_the_last_byte() {
    let scratch = Scratch::new();
    let server = Server::start(|connection| {
        connection.read_head();
        connection.read_some(100_000);
        // Closed with unread bytes, the socket sends a reset.
    });
    let receipt = send(&server.base(), open(&scratch.large()));
    assert_eq!((receipt.status, code(&receipt)), (Status::Failed, "connection-lost"), "{receipt:?}");
    drop(server.finish());

    let server = Server::start(|connection| {
        connection.read_head();
        let len: usize = connection.header("content-length").unwrap().parse().unwrap();
        connection.read_some(len - 4);
        // The rest has arrived, but is not read: a reset.
        while connection.stream().peek(&mut [0; 4]).unwrap() < 4 {}
    });
    let receipt = send(&server.base(), open(&scratch.file("small", b"content")));
    assert_eq!((receipt.status, code(&receipt)), (Status::Uncertain, "connection-lost"), "{receipt:?}");
}

#[test]
fn silence_after_the_file_is_uncertain() {
    let (done, wait) = mpsc::channel::<()>();
    let server = Server::start(move |connection| {
        connection.read_all();
        let _ = wait.recv();
    });
    let receipt = send_with(&server.base(), small(), quick(), Watch::default());
    assert_eq!((receipt.status, code(&receipt)), (Status::Uncertain, "no-answer"), "{receipt:?}");
    drop(done);
    // An answer that never ends.
    let (done, wait) = mpsc::channel::<()>();
    let server = Server::start(move |connection| {
        connection.read_all();
        connection.send(b"HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{\"ok\":");
        let _ = wait.recv();
    });
    let receipt = send_with(&server.base(), small(), quick(), Watch::default());
    assert_eq!((receipt.status, code(&receipt)), (Status::Uncertain, "no-answer"), "{receipt:?}");
    drop(done);
}

#[test]
fn a_service_that_stops_reading_times_out() {
    let scratch = Scratch::new();
    let (done, wait) = mpsc::channel::<()>();
    let server = Server::start(move |connection| {
        connection.read_head();
        let _ = wait.recv();
        connection.drain();
    });
    let receipt = send_with(&server.base(), open(&scratch.large()), quick(), Watch::default());
    assert_eq!((receipt.status, code(&receipt)), (Status::Failed, "stalled"), "{receipt:?}");
    drop(done);
    assert!(!server.finish().closed_the_form());
}

#[test]
fn a_slow_stream_is_awaited() {
    struct Slow(u8);
    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            std::thread::sleep(Duration::from_millis(500));
            self.0 += 1;
            buffer[0] = self.0;
            Ok(usize::from(self.0 < 3))
        }
    }
    let server = Server::answering(OK);
    let mut settings = quick();
    settings.answer_timeout = Duration::from_secs(10);
    let receipt = send_with(&server.base(), Payload::stream(name("slow"), Slow(0)), settings, Watch::default());
    assert_eq!((receipt.status, receipt.bytes), (Status::Delivered, 2), "{receipt:?}");
}

#[test]
fn a_read_error_is_not_a_delivery() {
    struct Broken(u32);
    impl Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            self.0 += 1;
            if self.0 > 100 { Err(std::io::Error::other("EIO")) } else { Ok(buffer.len()) }
        }
    }
    let server = Server::start(|connection| {
        connection.read_head();
        connection.drain();
    });
    let receipt = send(&server.base(), Payload::stream(name("broken"), Broken(0)));
    assert_eq!((receipt.status, code(&receipt)), (Status::Failed, "file-unreadable"), "{receipt:?}");
    assert!(!server.finish().closed_the_form());
}

#[test]
fn a_file_that_changes_during_the_upload_is_never_completed() {
    type Change = fn(&Path);
    let changes: [(Change, &str); 4] = [
        (|path| std::fs::File::options().write(true).open(path).unwrap().set_len(LARGE + 1).unwrap(), "longer"),
        (|path| std::fs::File::options().write(true).open(path).unwrap().set_len(LARGE / 2).unwrap(), "shorter"),
        (|path| std::fs::File::options().write(true).open(path).unwrap().write_all(b"x").unwrap(), "written"),
        (
            |path| {
                let later = std::time::SystemTime::now() + Duration::from_secs(9);
                std::fs::File::options().write(true).open(path).unwrap().set_modified(later).unwrap();
            },
            "written",
        ),
    ];
    for (change, word) in changes {
        let scratch = Scratch::new();
        let path = scratch.large();
        let payload = open(&path);
        let server = Server::start(move |connection| {
            connection.read_head();
            connection.read_some(1000);
            change(&path);
            connection.drain();
            connection.send(OK);
        });
        let receipt = send(&server.base(), payload);
        assert_eq!((receipt.status, code(&receipt)), (Status::Failed, "file-changed"), "{word}: {receipt:?}");
        assert!(receipt.error.unwrap().message.contains(word));
        assert!(!server.finish().closed_the_form());
    }
}

#[test]
fn a_file_replaced_during_the_upload_fails_but_a_deleted_one_does_not() {
    type Change = fn(&Path);
    let changes: [(Change, Status, &str); 2] = [
        (|path| std::fs::rename(path.with_file_name("other"), path).unwrap(), Status::Failed, "file-changed"),
        (|path| std::fs::remove_file(path).unwrap(), Status::Delivered, ""),
    ];
    for (change, status, word) in changes {
        let scratch = Scratch::new();
        scratch.file("other", b"other");
        let path = scratch.large();
        let payload = open(&path);
        let server = Server::start(move |connection| {
            connection.read_head();
            connection.read_some(1000);
            change(&path);
            connection.drain_form();
            connection.send(OK);
        });
        let receipt = send(&server.base(), payload);
        assert_eq!((receipt.status, code(&receipt)), (status, word), "{receipt:?}");
        assert_eq!(server.finish().closed_the_form(), status == Status::Delivered);
    }
}

#[cfg(unix)]
#[test]
fn irregular_files_are_rejected_before_any_request() {
    let scratch = Scratch::new();
    let fifo = scratch.0.path().join("fifo");
    // The call is not available in every Unix library.
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let link = scratch.0.path().join("dangling");
    std::os::unix::fs::symlink("nowhere", &link).unwrap();
    for (path, word) in [
        (scratch.0.path(), "not-a-regular-file"),
        (&fifo, "not-a-regular-file"),
        (Path::new("/dev/null"), "not-a-regular-file"),
        (&link, "file-not-found"),
        (&scratch.0.path().join("none"), "file-not-found"),
    ] {
        let error = Payload::open(path, Some(name("x"))).unwrap_err();
        assert_eq!(error.code.as_str(), word, "{}", path.display());
        let receipt = Receipt::failed(path, vec!["C01".to_owned()], error);
        assert_eq!((receipt.status, receipt.attempts), (Status::Failed, 0));
    }
    // A value that was pasted in place of a path is not printed.
    let error = Payload::open(Path::new(TOKEN), None).unwrap_err();
    let receipt = Receipt::failed(Path::new(TOKEN), vec![], error);
    assert!(!format!("{receipt:?}").contains("4815162342"));
}

#[test]
fn connection_errors_are_described_in_plain_words() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for base in [format!("http://{free}"), format!("http://localhost:{}", free.port())] {
        let receipt = send(&base, small());
        assert_eq!((receipt.status, code(&receipt)), (Status::Failed, "connection-refused"), "{receipt:?}");
        assert!(!format!("{receipt:?}").contains(&free.port().to_string()), "{receipt:?}");
    }
    let token = BearerToken::new(TOKEN.into()).unwrap();
    for base in ["http://chat.example.com", "http://192.0.2.1", "http://localhost.example.com"] {
        let error = Client::new(&BaseUrl::parse(base).unwrap(), &token, settings()).unwrap_err();
        assert_eq!(error.code.as_str(), "insecure-base-url", "{base}");
    }
    let receipt = runtime().block_on(client("http://localhost:1", settings()).upload(
        &Post::new(vec![]),
        small(),
        Watch::default(),
    ));
    assert_eq!((receipt.status, code(&receipt), receipt.attempts), (Status::Failed, "no-channels", 0));
}

#[test]
fn tls_to_a_plaintext_port_is_reported() {
    let server = Server::start(|connection| {
        connection.read_some(16);
        connection.send(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        connection.drain();
    });
    let base = BaseUrl::parse(&format!("https://{}", server.address)).unwrap();
    match Client::new(&base, &BearerToken::new(TOKEN.into()).unwrap(), settings()) {
        Ok(client) => {
            let receipt = runtime().block_on(client.upload(&post(), small(), Watch::default()));
            assert_eq!((receipt.status, code(&receipt)), (Status::Failed, "tls-failed"), "{receipt:?}");
            assert!(receipt.error.unwrap().message.contains("does not answer in TLS"));
        }
        Err(error) => {
            assert_eq!(error.code.as_str(), "no-ca-certificates");
            TcpStream::connect(server.address).unwrap().write_all(&[0; 16]).unwrap();
        }
    }
}

#[test]
fn localhost_is_reached_without_a_dns_lookup() {
    let server = Server::answering(OK);
    let receipt = send(&format!("http://LOCALHOST:{}", server.address.port()), small());
    assert_eq!(receipt.status, Status::Delivered, "{receipt:?}");
    assert_eq!(server.finish().header("host").unwrap().split(':').next(), Some("localhost"));
}

#[test]
fn an_interrupt_before_the_last_byte_fails() {
    let scratch = Scratch::new();
    let (sender, cancel) = watch::channel(false);
    let server = Server::start(move |connection| {
        connection.read_head();
        connection.read_some(1000);
        sender.send(true).unwrap();
        connection.drain();
    });
    let watch = Watch::default().with_cancel(cancel);
    let receipt = send_with(&server.base(), open(&scratch.large()), settings(), watch);
    assert_eq!((receipt.status, code(&receipt)), (Status::Failed, "interrupted"), "{receipt:?}");
    assert!(!server.finish().closed_the_form());
}

#[test]
fn an_interrupt_after_the_last_byte_is_uncertain() {
    let (sender, cancel) = watch::channel(false);
    let server = Server::start(move |connection| {
        connection.read_all();
        sender.send(true).unwrap();
        connection.drain();
    });
    let watch = Watch::default().with_cancel(cancel);
    let receipt = send_with(&server.base(), small(), settings(), watch);
    assert_eq!((receipt.status, code(&receipt)), (Status::Uncertain, "interrupted"), "{receipt:?}");
    assert!(server.finish().closed_the_form());
}

#[test]
fn progress_is_sent_over_a_channel() {
    let scratch = Scratch::new();
    let content = vec![7; 1_000_000];
    let (sender, progress) = watch::channel(Progress::default());
    let server = Server::answering(OK);
    let payload = open(&scratch.file("f", &content));
    let receipt = send_with(&server.base(), payload, settings(), Watch::default().with_progress(sender));
    assert_eq!(receipt.status, Status::Delivered);
    assert_eq!((progress.borrow().taken, progress.borrow().total), (1_000_000, Some(1_000_000)));
}

#[test]
fn an_echoed_token_is_not_printed() {
    let spelled: Vec<String> = vec![
        TOKEN.to_owned(),
        TOKEN.to_lowercase().replace('-', "_"),
        TOKEN.chars().rev().collect::<String>().chars().rev().collect(),
        TOKEN.bytes().map(|byte| format!("{byte:02x}")).collect(),
        "eG94Yi00ODE1MTYyMzQyLVF3RXJUeVVpT3BBc0RmR2g".to_owned(),
        "QWERTYUIOPASDFGH".to_owned(),
        "qwertyuiopasdfgh".to_owned(),
    ];
    for echo in &spelled {
        let bodies = [
            format!(r#"{{"ok":true,"file":{{"id":"{echo}","permalink":"https://chat.example.com/{echo}"}}}}"#),
            format!(r#"{{"ok":true,"file":{{"id":"F1","permalink":"https://{echo}.example.com/x"}}}}"#),
            format!(
                r#"{{"ok":false,"error":"{echo}","needed":"{echo}","provided":"{echo}","response_metadata":{{"messages":["{echo}"]}}}}"#
            ),
            format!(
                r#"{{"ok":false,"error":"missing_scope","needed":"{echo}","provided":"a,{echo}","warning":"{echo}"}}"#
            ),
            format!("<html>{echo}"),
            echo.clone(),
        ];
        for body in bodies {
            for status in ["200 OK", "302 Found", "403 Forbidden", "500 Oops"] {
                let headers =
                    format!("Location: https://{echo}.example.com/\r\nRetry-After: {echo}\r\nX-Echo: {echo}\r\n");
                let server = Server::answering(http(status, &headers, &body));
                let shown = format!("{:?}", send(&server.base(), small())).to_lowercase();
                for piece in spelled.iter().flat_map(|form| form.as_bytes().windows(10)) {
                    let piece = std::str::from_utf8(piece).unwrap().to_lowercase();
                    assert!(!shown.contains(&piece), "{piece} in {shown}");
                }
            }
        }
    }
    let client = client("http://localhost:1", settings());
    assert!(!format!("{client:?}").contains("4815162342"));
}

#[test]
fn the_file_id_and_permalink_are_in_the_receipt() {
    let body = r#"{"ok":true,"file":{"id":"F0123456789","permalink":"https://u:p@chat.example.com/files/F0123456789/r.csv?pub=1"}}"#;
    let server = Server::answering(http("200 OK", "", body));
    let receipt = send(&server.base(), small());
    assert_eq!(receipt.file_id.as_deref(), Some("F0123456789"));
    assert_eq!(receipt.permalink.as_deref(), Some("https://chat.example.com/files/F0123456789/r.csv"));
}

/// Runs the embedded service for as long as the future takes.
fn with_sandbox<T>(options: Options, work: impl AsyncFnOnce(String) -> T) -> T {
    let sandbox = Sandbox::bind("127.0.0.1:0".parse().unwrap(), options).unwrap();
    let base = sandbox.base_url();
    runtime().block_on(async {
        tokio::select! {
            result = tokio::time::timeout(Duration::from_secs(30), work(base)) => result.expect("an end"),
            stopped = sandbox.run() => panic!("{stopped:?}"),
        }
    })
}

/// Sends one raw request. Returns the head and the body of the answer.
async fn raw(base: &str, request: impl AsRef<[u8]> + Send + 'static) -> (String, serde_json::Value) {
    let address = base.strip_prefix("http://").unwrap().to_owned();
    let answer = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(request.as_ref()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    });
    let answer = answer.await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
    (head.to_owned(), serde_json::from_str(body).unwrap())
}

fn request(line: &str, headers: &str, body: &str) -> Vec<u8> {
    format!(
        "{line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n{body}",
        body.len()
    )
    .into_bytes()
}

#[test]
fn the_sandbox_accepts_requests_of_the_client() {
    let scratch = Scratch::new();
    let content: Vec<u8> = (0..=255).cycle().take(700_000).collect();
    let path = scratch.file("a \"b\" é.csv", &content);
    let store = scratch.0.path().join("deep/store");
    let receipt = with_sandbox(Options::default().with_store(Some(store.clone())), async |base| {
        let receipt = client(&base, settings()).upload(&post(), open(&path), Watch::default()).await;
        let link = receipt.permalink.as_deref().unwrap();
        let id = receipt.file_id.as_deref().unwrap();
        assert_eq!(link, format!("{base}/files/{id}/a%20%22b%22%20%C3%A9.csv"));
        receipt
    });
    assert_eq!((receipt.status, receipt.bytes), (Status::Delivered, 700_000), "{receipt:?}");
    let entries: Vec<_> = std::fs::read_dir(&store).unwrap().map(|entry| entry.unwrap()).collect();
    assert_eq!(entries.len(), 1);
    let stored = entries[0].file_name().into_string().unwrap();
    assert_eq!(stored, format!("{}-a__b___.csv", receipt.file_id.as_deref().unwrap()));
    assert!(std::fs::read(entries[0].path()).unwrap() == content);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(entries[0].metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert_eq!(receipt.rehearsed().status, Status::Rehearsed);
}

#[test]
fn the_sandbox_names_the_error() {
    with_sandbox(Options::default(), async |base| {
        let form = "Content-Type: multipart/form-data; boundary=B\r\n";
        let auth = format!("Authorization: Bearer {TOKEN}\r\n");
        let part = |name: &str, value: &str| {
            format!("--B\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
        };
        let file = "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\nabc\r\n";
        let upload = "POST /api/files.upload";
        let good = part("channels", "C01,#general") + file + "--B--\r\n";
        let full = format!("{auth}{form}");
        let token = |token: &str| format!("Authorization: Bearer {token}\r\n{form}");
        for (line, headers, body, error) in [
            ("GET /api/", String::new(), String::new(), "unknown_method"),
            ("POST /api/chat.postMessage", full.clone(), good.clone(), "unknown_method"),
            ("GET /api/files.upload", full.clone(), String::new(), "method_not_allowed"),
            (upload, form.to_owned(), good.clone(), "not_authed"),
            (upload, token(""), good.clone(), "invalid_auth"),
            (upload, token("two words"), good.clone(), "invalid_auth"),
            (upload, token("https://hooks.example.com/x"), good.clone(), "invalid_auth"),
            (upload, auth.clone(), good.clone(), "missing_post_type"),
            (upload, format!("{auth}Content-Type: application/json\r\n"), "{}".to_owned(), "no_file_data"),
            (upload, full.clone(), part("channels", "C01") + file, "request_timeout"),
            (upload, full.clone(), part("channels", "C01") + "--B--\r\n", "no_file_data"),
            (upload, full.clone(), part("channels", "C01") + &part("file", "text") + "--B--\r\n", "no_file_data"),
            (upload, full.clone(), part("channels", "C01") + file + file + "--B--\r\n", "invalid_form_data"),
            (upload, full.clone(), part("channels", "C01") + &good, "invalid_form_data"),
            (upload, full.clone(), part("channels", "C01, C02") + file + "--B--\r\n", "channel_not_found"),
            (upload, full.clone(), part("channels", "C01,,C02") + file + "--B--\r\n", "channel_not_found"),
            (upload, full.clone(), part("channels", "https://h.example/x") + file + "--B--\r\n", "channel_not_found"),
            (upload, full.clone(), part("note", &"x".repeat(2_000_000)) + &good, "invalid_form_data"),
            ("POST /api/auth.test", String::new(), String::new(), "not_authed"),
            ("POST /api/auth.test", token("a b"), String::new(), "invalid_auth"),
        ] {
            let (_, answer) = raw(&base, request(line, &headers, &body)).await;
            assert_eq!(answer, serde_json::json!({"ok": false, "error": error}), "{line} {headers}");
        }
        // Without a channel it is private.
        for private in [file.to_owned() + "--B--\r\n", part("channels", "") + file + "--B--\r\n"] {
            let (_, answer) = raw(&base, request(upload, &full, &private)).await;
            assert_eq!((&answer["ok"], &answer["file"]["channels"]), (&true.into(), &serde_json::json!([])));
        }
        let (_, answer) = raw(&base, request(upload, &full, &good)).await;
        assert_eq!(answer["ok"], true);
        assert_eq!(answer["file"]["channels"], serde_json::json!(["C01", "#general"]));
        assert_eq!((&answer["file"]["size"], &answer["file"]["name"]), (&3.into(), &"f".into()));
        let (head, answer) = raw(&base, request("POST /api/auth.test", &auth, "")).await;
        assert!(head.contains("x-oauth-scopes: files:write,files:read,chat:write"), "{head}");
        assert_eq!(
            (&answer["ok"], &answer["team"], &answer["user"]),
            (&true.into(), &"Sandbox".into(), &"credlint".into())
        );
    });
}

#[test]
fn the_sandbox_answers_early_errors_after_the_whole_file() {
    let scratch = Scratch::new();
    let path = scratch.large();
    // Its address is right, but its operation is wrong: the form is not read.
    let receipt = with_sandbox(Options::default(), async |base| {
        client(&format!("{base}/elsewhere"), settings()).upload(&post(), open(&path), Watch::default()).await
    });
    assert_eq!((receipt.status, code(&receipt), receipt.bytes), (Status::Failed, "http-status", LARGE), "{receipt:?}");
}

#[test]
fn the_sandbox_stays_on_loopback() {
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:80"] {
        let error = Sandbox::bind(address.parse().unwrap(), Options::default()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput, "{address}");
    }
}

/// Both can be spawned onto a runtime with threads.
#[test]
fn futures_can_be_sent_between_threads() {
    fn sendable<T: Send>(_: &T) {}
    let client = client("http://localhost:1", settings());
    let post = post();
    sendable(&client.upload(&post, small(), Watch::default()));
    sendable(&Sandbox::bind("127.0.0.1:0".parse().unwrap(), Options::default()).unwrap().run());
}

#[test]
fn several_files_are_sent_concurrently() {
    let scratch = Scratch::new();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let sandbox = Sandbox::bind("127.0.0.1:0".parse().unwrap(), Options::default()).unwrap();
    let client = std::sync::Arc::new(client(&sandbox.base_url(), settings()));
    let service = runtime.spawn(sandbox.run());
    let uploads: Vec<_> = (0..20)
        .map(|number| {
            let path = scratch.file(&format!("{number}"), &vec![number; usize::from(number) * 50_000]);
            let client = std::sync::Arc::clone(&client);
            runtime.spawn(async move { client.upload(&post(), open(&path), Watch::default()).await })
        })
        .collect();
    for (number, upload) in uploads.into_iter().enumerate() {
        let receipt = runtime.block_on(upload).unwrap();
        assert_eq!((receipt.status, receipt.bytes), (Status::Delivered, number as u64 * 50_000), "{receipt:?}");
    }
    service.abort();
}

#[test]
fn retry_after_is_shown_in_the_help() {
    for body in [r#"{"ok":false,"error":"ratelimited"}"#, ""] {
        for (after, help) in [("30", "in 30 seconds"), ("1", "in 1 second"), ("soon", "later"), ("-5", "later")] {
            let headers = format!("Retry-After: {after}\r\n");
            let server = Server::answering(http("429 Too Many Requests", &headers, body));
            let receipt = send(&server.base(), small());
            assert_eq!(receipt.status, Status::Failed);
            let shown = receipt.error.unwrap().help.unwrap();
            assert!(shown.ends_with(help), "{after}: {shown}");
        }
    }
}

/// The system takes the last megabytes at once, and they are on the way for longer than the answer may take.
#[cfg(target_os = "linux")]
#[test]
fn a_slow_network_is_no_late_answer() {
    let scratch = Scratch::new();
    let runtime = runtime();
    let listener = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        // The accepted connections have it, too.
        socket.set_recv_buffer_size(64 * 1024).unwrap();
        socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        socket.listen(8).unwrap().into_std().unwrap()
    });
    listener.set_nonblocking(false).unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let thread = std::thread::spawn(move || {
        let mut stream = listener.accept().unwrap().0;
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            head.push(byte[0]);
        }
        let head = String::from_utf8(head).unwrap().to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
        let (mut left, mut part) = (length.parse::<usize>().unwrap(), vec![0; 100_000]);
        while left > 0 {
            let read = stream.read(&mut part).unwrap();
            assert!(read > 0, "the client has given up with {left} bytes left");
            left -= read;
            std::thread::sleep(Duration::from_nanos(read as u64 * 333));
        }
        stream.write_all(OK).unwrap();
    });
    let path = scratch.file("f", &vec![b'x'; 12_000_000]);
    let mut settings = settings();
    settings.answer_timeout = Duration::from_millis(300);
    let receipt = send_with(&base, open(&path), settings, Watch::default());
    assert_eq!(receipt.status, Status::Delivered, "{receipt:?}");
    thread.join().unwrap();
}

/// What a slow source takes is not the network's.
#[test]
fn a_slow_source_does_not_prolong_the_wait_for_the_answer() {
    struct Slow(u8);
    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            std::thread::sleep(Duration::from_millis(700));
            self.0 += 1;
            buffer[0] = self.0;
            Ok(usize::from(self.0 < 5))
        }
    }
    let (done, wait) = mpsc::channel::<()>();
    let server = Server::start(move |connection| {
        connection.read_all();
        let _ = wait.recv();
    });
    let begun = std::time::Instant::now();
    let receipt = send_with(&server.base(), Payload::stream(name("slow"), Slow(0)), quick(), Watch::default());
    assert_eq!((receipt.status, code(&receipt)), (Status::Uncertain, "no-answer"), "{receipt:?}");
    assert!(begun.elapsed() < Duration::from_millis(5 * 700 + 2000), "{:?}", begun.elapsed());
    drop(done);
}
