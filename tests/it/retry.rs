//! What follows from how a request ended: the table of `docs/uploading.md`, cell by cell, against the embedded service
//! behind a line that misbehaves at the socket. What was posted, the service's own ledger says.

use std::collections::VecDeque;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use credlint::sandbox::{Ledger, Message, Options, Sandbox};
use credlint::upload::{Method, Payload, Receipt, Settings, Status, Watch};
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::sync::watch;

use crate::external::{client, code, file, http, noise, post, says, settings, stream};
use crate::server::{Connection, Server, Service, runtime};

/// Larger than what the socket buffers of both ends hold, so that the client is amid the file.
const LARGE: u64 = 48 * 1024 * 1024;
const SMALL: &[u8] = b"a,b\r\n1,2\r\n";

/// The requests, in the order of the columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Post,
    Ticket,
    Bytes,
    Completion,
    Question,
}

use Step::{Bytes, Completion, Post, Question, Ticket};

const STEPS: [Step; 5] = [Post, Ticket, Bytes, Completion, Question];

impl Step {
    fn of(connection: &Connection) -> Self {
        let path = connection.line().split(' ').nth(1).unwrap();
        match path.strip_prefix("/api/") {
            Some("files.upload") => Post,
            Some("files.getUploadURLExternal") => Ticket,
            Some("files.completeUploadExternal") => Completion,
            Some("files.info") => Question,
            _ if path.starts_with("/upload/v1/") => Bytes,
            _ => panic!("{path}"),
        }
    }

    fn method(self) -> Method {
        if self == Post { Method::FilesUpload } else { Method::External }
    }
}

/// What the line does with a request.
#[derive(Clone)]
enum Act {
    /// Says this itself, once it has the whole request. Nothing at all: the connection ends.
    Say(Vec<u8>),
    /// The same after the service has done its work.
    Instead(Vec<u8>),
    /// Says nothing, and keeps the connection.
    Silence,
    /// The same after the service has done its work.
    SilenceAfter,
    /// Says this after so many bytes of the body.
    Early(usize, Vec<u8>),
    /// Resets the connection after so many bytes of the body.
    Reset(usize),
    /// Does this after so many bytes of the body, or after all, and waits for the client to go.
    Meanwhile(Option<usize>, Arc<dyn Fn() + Send + Sync>),
    /// Does this, and the request goes its way.
    First(Arc<dyn Fn() + Send + Sync>),
}

type Acts = Arc<Mutex<VecDeque<(Step, Act)>>>;

/// The embedded service, and the line before it.
struct Line {
    front: Service,
    ledger: Ledger,
    runtime: tokio::runtime::Runtime,
}

/// What arrived at the line, and what was posted by the service.
struct Seen {
    steps: Vec<Step>,
    calls: Vec<Connection>,
    messages: Vec<Message>,
}

impl Line {
    fn new(acts: Vec<(Step, Act)>) -> Self {
        Self::to(Options::default(), acts)
    }

    fn to(options: Options, acts: Vec<(Step, Act)>) -> Self {
        let sandbox = Sandbox::bind("127.0.0.1:0".parse().unwrap(), options).unwrap();
        let ledger = sandbox.ledger();
        let behind: SocketAddr = sandbox.base_url().strip_prefix("http://").unwrap().parse().unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        drop(runtime.spawn(sandbox.run()));
        let acts: Acts = Arc::new(Mutex::new(acts.into()));
        let front = Service::start(move |_, connection| {
            connection.read_head();
            let step = Step::of(connection);
            let act = {
                let mut acts = acts.lock().unwrap();
                let next = acts.iter().position(|(meant, _)| *meant == step);
                next.and_then(|next| acts.remove(next)).map(|(_, act)| act)
            };
            serve(connection, act, step, behind);
        });
        Self { front, ledger, runtime }
    }

    fn finish(self) -> Seen {
        let calls = self.front.finish();
        self.runtime.shutdown_background();
        Seen { steps: calls.iter().map(Step::of).collect(), calls, messages: self.ledger.messages() }
    }
}

impl Seen {
    fn count(&self, step: Step) -> usize {
        self.steps.iter().filter(|&&seen| seen == step).count()
    }
}

fn serve(connection: &mut Connection, act: Option<Act>, step: Step, behind: SocketAddr) {
    match act {
        None => {
            connection.read_body();
            let answer = forward(connection, step, behind);
            connection.send(&answer);
        }
        Some(Act::Say(answer)) => {
            connection.read_body();
            connection.send(&answer);
        }
        Some(Act::Instead(answer)) => {
            connection.read_body();
            forward(connection, step, behind);
            connection.send(&answer);
        }
        Some(Act::Silence) => {
            connection.read_body();
            connection.drain();
        }
        Some(Act::SilenceAfter) => {
            connection.read_body();
            forward(connection, step, behind);
            connection.drain();
        }
        Some(Act::Early(bytes, answer)) => {
            connection.read_some(bytes);
            connection.send(&answer);
            connection.drain();
        }
        // Closed with bytes unread, a socket sends a reset.
        Some(Act::Reset(bytes)) => connection.read_some(bytes),
        Some(Act::Meanwhile(bytes, work)) => {
            match bytes {
                Some(bytes) => connection.read_some(bytes),
                None => connection.read_body(),
            }
            work();
            connection.drain();
        }
        Some(Act::First(work)) => {
            work();
            serve(connection, None, step, behind);
        }
    }
}

/// The answer of the service to a request that came over the line. The address on a ticket leads back to the line.
fn forward(connection: &mut Connection, step: Step, behind: SocketAddr) -> Vec<u8> {
    use std::io::{Read, Write};
    let here = connection.stream().local_addr().unwrap();
    let mut stream = TcpStream::connect(behind).unwrap();
    stream.write_all(connection.head.replacen("\r\n", "\r\nConnection: close\r\n", 1).as_bytes()).unwrap();
    stream.write_all(&connection.body).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    if step != Ticket {
        return answer;
    }
    let text = String::from_utf8(answer).unwrap();
    let body = text.split_once("\r\n\r\n").unwrap().1.replace(&behind.to_string(), &here.to_string());
    http("200 OK", "Content-Type: application/json\r\n", &body)
}

/// A file in a directory of its own.
struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn small(&self) -> Payload {
        file(self.0.path(), "small.csv", SMALL)
    }

    fn large(&self) -> (PathBuf, Payload) {
        let path = self.0.path().join("large.bin");
        std::fs::File::create(&path).unwrap().set_len(LARGE).unwrap();
        let payload = Payload::open(&path, None).unwrap();
        (path, payload)
    }
}

fn send_with(line: &Line, payload: Payload, settings: Settings, watch: Watch) -> Receipt {
    let client = client(&line.front.base(), settings);
    runtime().block_on(async {
        tokio::time::timeout(Duration::from_secs(60), client.upload(&post(), payload, watch)).await.expect("a verdict")
    })
}

fn send(line: &Line, payload: Payload, method: Method) -> Receipt {
    send_with(line, payload, settings(method), Watch::default())
}

/// The cells of the table in the documentation, row by row.
fn table() -> Vec<Vec<String>> {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/uploading.md")).unwrap();
    let rows: Vec<Vec<String>> = page
        .lines()
        .skip_while(|line| !line.starts_with("| how it ended | `files.upload` |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').skip(1).map(|cell| cell.trim().to_owned()).collect())
        .collect();
    assert_eq!(rows.len(), 15);
    rows
}

/// The rows, by their number in the table.
const THROTTLED: usize = 1;
const BUSY: usize = 2;
const FALTERED: usize = 3;
const DENIED: usize = 4;
const REFUSED: usize = 5;
const UNCONNECTED: usize = 6;
const UNTRUSTED: usize = 7;
const CUT: usize = 8;
const EARLY: usize = 9;
const LOST: usize = 10;
const SILENT: usize = 11;
const LOCAL: usize = 12;
const STOPPED: usize = 13;
const STOPPED_LATE: usize = 14;

const JSON: &str = "Content-Type: application/json\r\n";
const HTML: &str = "Content-Type: text/html\r\n";
const PAGE: &str = "<!DOCTYPE html><title>Sign in</title>";

fn error(code: &str) -> Vec<u8> {
    says(&json!({"ok": false, "error": code}))
}

/// Ways in which a request that is whole ends in this row.
fn answers(row: usize) -> Vec<Vec<u8>> {
    match row {
        THROTTLED => vec![
            http("429 Too Many Requests", "Retry-After: 0\r\n", r#"{"ok":false,"error":"ratelimited"}"#),
            http("429 Too Many Requests", "", r#"{"ok":false,"error":"slow_down"}"#),
            http("429 Too Many Requests", HTML, PAGE),
            error("ratelimited"),
        ],
        BUSY => ["service_unavailable", "request_timeout", "file_update_failed"].map(error).into(),
        FALTERED => ["internal_error", "fatal_error"].map(error).into(),
        DENIED => {
            let unknown = http("404 Not Found", JSON, r#"{"ok":false,"error":"brand_new_error"}"#);
            vec![error("invalid_auth"), error("not_in_channel"), unknown, says(&json!({"ok": false}))]
        }
        REFUSED => vec![
            http("302 Found", "Location: /login\r\n", ""),
            http("308 Permanent", "Location: /login\r\n", r#"{"ok":true}"#),
            http("200 OK", HTML, PAGE),
            http("400 Bad Request", "", ""),
            http("403 Forbidden", HTML, PAGE),
            http("404 Not Found", JSON, r#"{"ok":true}"#),
            http("413 Content Too Large", "", ""),
        ],
        LOST => vec![
            b"".to_vec(),
            b"HTTP/1.1 200".to_vec(),
            http("408 Request Timeout", "", "stream timeout"),
            http("500 Oops", HTML, PAGE),
            http("503 Unavailable", "", r#"{"ok":true}"#),
            http("504 Gateway Timeout", HTML, PAGE),
            http("200 OK", JSON, r#"{"ok":tr"#),
            b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"ok\":true}".to_vec(),
            http("200 OK", "Content-Encoding: gzip\r\n", "\u{1f}"),
            http("200 OK", JSON, &"x".repeat(1024 * 1024 + 1)),
        ],
        SILENT => vec![
            http("200 OK", "", ""),
            http("201 Created", "", "OK - 30"),
            http("200 OK", JSON, r#"{"id":1}"#),
            b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n".to_vec(),
        ],
        _ => unreachable!("no answer"),
    }
}

/// Goes through a row, a step after the other, with requests that end so after they are whole.
fn check(row: usize) {
    let scratch = Scratch::new();
    for step in STEPS {
        let cell = table()[row][step as usize].clone();
        for answer in answers(row) {
            let shown = String::from_utf8_lossy(&answer[..answer.len().min(99)]).into_owned();
            let what = format!("{shown} at {step:?}: {cell}");
            // A question comes only after an answer that was lost.
            let with = |acts: Vec<Act>| {
                let lost = (step == Question).then(|| (Completion, Act::Instead(Vec::new())));
                Line::new(lost.into_iter().chain(acts.into_iter().map(|act| (step, act))).collect())
            };
            let run = |line: Line| {
                let receipt = send(&line, scratch.small(), step.method());
                let seen = line.finish();
                assert!(seen.messages.len() <= 1, "{what}: posted twice");
                (receipt, seen)
            };
            let said = || Act::Say(answer.clone());
            let instead = || Act::Instead(answer.clone());
            match cell.as_str() {
                "again" => {
                    let (receipt, seen) = run(with(vec![said()]));
                    assert_eq!((receipt.status, seen.messages.len()), (Status::Delivered, 1), "{what}: {receipt:?}");
                    assert_eq!(seen.count(step), 2, "{what}");
                    // Bytes are never sent to an address twice.
                    let tickets = [0, 2, 2, 1, 1][step as usize];
                    assert_eq!((seen.count(Ticket), receipt.attempts), (tickets, if step == Question { 1 } else { 2 }));
                    // Twice more, and no longer. A question has its own number.
                    let (receipt, seen) = run(with(vec![said(), said(), said(), said()]));
                    let (status, times) = if step == Question { (Status::Uncertain, 4) } else { (Status::Failed, 3) };
                    assert_eq!((receipt.status, seen.count(step)), (status, times), "{what}: {receipt:?}");
                    assert_eq!(seen.messages.len(), usize::from(step == Question), "{what}");
                    if step == Bytes {
                        assert!(!seen.steps.contains(&Completion), "{what}");
                    }
                }
                "failed" if step == Question => {
                    let (receipt, seen) = run(with(vec![said()]));
                    assert_eq!((receipt.status, seen.count(step)), (Status::Uncertain, 1), "{what}: {receipt:?}");
                    assert_eq!(seen.messages.len(), 1);
                }
                "failed" => {
                    let (receipt, seen) = run(with(vec![said()]));
                    assert_eq!((receipt.status, receipt.attempts), (Status::Failed, 1), "{what}: {receipt:?}");
                    assert_eq!(seen.steps.last(), Some(&step), "{what}");
                    assert_eq!((seen.count(step), seen.messages.len()), (1, 0), "{what}");
                }
                "uncertain" => {
                    for (act, messages) in [(said(), 0), (instead(), 1)] {
                        let (receipt, seen) = run(with(vec![act]));
                        assert_eq!(receipt.status, Status::Uncertain, "{what}: {receipt:?}");
                        assert_eq!((seen.steps, seen.messages.len()), (vec![step], messages), "{what}");
                    }
                }
                "look up" => {
                    let (receipt, seen) = run(with(vec![said()]));
                    assert_eq!(receipt.status, Status::Uncertain, "{what}: {receipt:?}");
                    assert_eq!((seen.count(step), seen.count(Question), seen.messages.len()), (1, 4, 0), "{what}");
                    assert!(receipt.error.unwrap().message.contains("does not say that the file is in the channels"));
                    let (receipt, seen) = run(with(vec![instead()]));
                    assert_eq!(receipt.status, Status::Delivered, "{what}: {receipt:?}");
                    assert_eq!((seen.count(step), seen.count(Question), seen.messages.len()), (1, 1, 1), "{what}");
                    assert!(receipt.permalink.is_some() && receipt.file_id.is_some() && receipt.error.is_none());
                }
                "done" | "accepted" => {
                    let (receipt, seen) = run(with(vec![instead()]));
                    let status = if cell == "done" { Status::Delivered } else { Status::Accepted };
                    assert_eq!((receipt.status, receipt.attempts), (status, 1), "{what}: {receipt:?}");
                    assert_eq!((seen.count(step), seen.messages.len()), (1, 1), "{what}");
                }
                _ => panic!("{cell}"),
            }
        }
    }
}

#[test]
fn throttled() {
    check(THROTTLED);
}

#[test]
fn busy() {
    check(BUSY);
}

#[test]
fn faltered() {
    check(FALTERED);
}

#[test]
fn denied() {
    check(DENIED);
}

#[test]
fn refused() {
    check(REFUSED);
}

#[test]
fn lost() {
    check(LOST);
}

#[test]
fn silent() {
    check(SILENT);
}
