//! The table of `docs/uploading/retries.md`, cell by cell, against the embedded service behind a proxy that misbehaves at the
//! socket. The ledger of the service says what was posted.

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

use crate::external::{TOKEN, client, code, file, http, json_response, noise, post, send_together, settings, stream};
use crate::harness::{Project, Run};
use crate::server::{Connection, Server, Service, runtime};

/// Larger than the socket buffers of both ends, so the client is in the middle of the file.
const LARGE: u64 = 48 * 1024 * 1024;
const SECOND: Duration = Duration::from_secs(1);
const SMALL: &[u8] = b"a,b\r\n1,2\r\n";

/// The requests, in the order of the columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Post,
    Ticket,
    Bytes,
    Completion,
    Query,
}

use Step::{Bytes, Completion, Post, Query, Ticket};

const STEPS: [Step; 5] = [Post, Ticket, Bytes, Completion, Query];

impl Step {
    fn of(connection: &Connection) -> Self {
        let path = connection.line().split(' ').nth(1).unwrap();
        match path.strip_prefix("/api/") {
            Some("files.upload") => Post,
            Some("files.getUploadURLExternal") => Ticket,
            Some("files.completeUploadExternal") => Completion,
            Some("files.info") => Query,
            _ if path.starts_with("/upload/v1/") => Bytes,
            _ => panic!("{path}"),
        }
    }

    fn method(self) -> Method {
        if self == Post { Method::FilesUpload } else { Method::External }
    }
}

/// What the proxy does with a request.
#[derive(Clone)]
enum Action {
    /// Answers itself after the whole request. If the answer is empty, the connection ends.
    Respond(Vec<u8>),
    /// The same after the service has processed the request.
    ForwardThenRespond(Vec<u8>),
    /// Does not answer, and keeps the connection open.
    Hang,
    /// The same after the service has processed the request.
    ForwardThenHang,
    /// Answers after this many bytes of the body.
    RespondEarly(usize, Vec<u8>),
    /// Resets the connection after this many bytes of the body.
    Reset(usize),
    /// Runs this after this many bytes of the body, or after all of it, and waits until the client closes.
    RunDuring(Option<usize>, Arc<dyn Fn() + Send + Sync>),
    /// Runs this, then forwards the request.
    RunFirst(Arc<dyn Fn() + Send + Sync>),
}

type Actions = Arc<Mutex<VecDeque<(Step, Action)>>>;

/// The embedded service, and the proxy in front of it.
struct FaultyService {
    front: Service,
    ledger: Ledger,
    runtime: tokio::runtime::Runtime,
}

/// The requests that arrived at the proxy, and what the service posted.
struct Seen {
    steps: Vec<Step>,
    calls: Vec<Connection>,
    messages: Vec<Message>,
}

impl FaultyService {
    fn new(actions: Vec<(Step, Action)>) -> Self {
        Self::with_options(Options::default(), actions)
    }

    fn with_options(options: Options, actions: Vec<(Step, Action)>) -> Self {
        let sandbox = Sandbox::bind("127.0.0.1:0".parse().unwrap(), options).unwrap();
        let ledger = sandbox.ledger();
        let behind: SocketAddr = sandbox.base_url().strip_prefix("http://").unwrap().parse().unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        drop(runtime.spawn(sandbox.run()));
        let actions: Actions = Arc::new(Mutex::new(actions.into()));
        let front = Service::start(move |_, connection| {
            connection.read_head();
            let step = Step::of(connection);
            let action = {
                let mut actions = actions.lock().unwrap();
                let next = actions.iter().position(|(meant, _)| *meant == step);
                next.and_then(|next| actions.remove(next)).map(|(_, action)| action)
            };
            serve(connection, action, step, behind);
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

fn serve(connection: &mut Connection, action: Option<Action>, step: Step, behind: SocketAddr) {
    match action {
        None => {
            connection.read_body();
            let answer = forward(connection, step, behind);
            connection.send(&answer);
        }
        Some(Action::Respond(answer)) => {
            connection.read_body();
            connection.send(&answer);
        }
        Some(Action::ForwardThenRespond(answer)) => {
            connection.read_body();
            forward(connection, step, behind);
            connection.send(&answer);
        }
        Some(Action::Hang) => {
            connection.read_body();
            connection.drain();
        }
        Some(Action::ForwardThenHang) => {
            connection.read_body();
            forward(connection, step, behind);
            connection.drain();
        }
        Some(Action::RespondEarly(bytes, answer)) => {
            connection.read_some(bytes);
            connection.send(&answer);
            connection.drain();
        }
        // A socket that is closed with unread bytes sends a reset.
        Some(Action::Reset(bytes)) => connection.read_some(bytes),
        Some(Action::RunDuring(bytes, work)) => {
            match bytes {
                Some(bytes) => connection.read_some(bytes),
                None => connection.read_body(),
            }
            work();
            connection.drain();
        }
        Some(Action::RunFirst(work)) => {
            work();
            serve(connection, None, step, behind);
        }
    }
}

/// Forwards a request to the service and returns the answer. The address on a ticket points to the proxy.
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

fn send_with(faulty: &FaultyService, payload: Payload, settings: Settings, watch: Watch) -> Receipt {
    let client = client(&faulty.front.base(), settings);
    runtime().block_on(async {
        tokio::time::timeout(Duration::from_secs(60), client.upload(&post(), payload, watch)).await.expect("a verdict")
    })
}

fn send(faulty: &FaultyService, payload: Payload, method: Method) -> Receipt {
    send_with(faulty, payload, settings(method), Watch::default())
}

/// The cells of the table in the documentation, row by row.
fn table() -> Vec<Vec<String>> {
    let page =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/uploading/retries.md")).unwrap();
    let rows: Vec<Vec<String>> = page
        .lines()
        .skip_while(|line| !line.starts_with("| how it ended | `files.upload` |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').skip(1).map(|cell| cell.trim().to_owned()).collect())
        .collect();
    assert_eq!(rows.len(), 16);
    rows
}

/// The rows, by their number in the table.
const THROTTLED: usize = 1;
const TEMPORARY_ERROR: usize = 2;
const INTERNAL_ERROR: usize = 3;
const ERROR_CODE: usize = 4;
const REDIRECT_OR_4XX: usize = 5;
const PAGE_AFTER_END: usize = 6;
const NO_CONNECTION: usize = 7;
const TLS_ERROR: usize = 8;
const LOST_BEFORE_END: usize = 9;
const SUCCESS_BEFORE_END: usize = 10;
const LOST_AFTER_END: usize = 11;
const WITHOUT_OK: usize = 12;
const LOCAL_ERROR: usize = 13;
const INTERRUPTED_BEFORE_END: usize = 14;
const INTERRUPTED_AFTER_END: usize = 15;

const JSON: &str = "Content-Type: application/json\r\n";
const HTML: &str = "Content-Type: text/html\r\n";
const PAGE: &str = "<!DOCTYPE html><title>Sign in</title>";

fn error(code: &str) -> Vec<u8> {
    json_response(&json!({"ok": false, "error": code}))
}

/// The ways in which a complete request ends in this row.
fn answers(row: usize) -> Vec<Vec<u8>> {
    match row {
        THROTTLED => vec![
            http("429 Too Many Requests", "Retry-After: 0\r\n", r#"{"ok":false,"error":"ratelimited"}"#),
            http("429 Too Many Requests", "", r#"{"ok":false,"error":"slow_down"}"#),
            http("429 Too Many Requests", HTML, PAGE),
            error("ratelimited"),
        ],
        TEMPORARY_ERROR => ["service_unavailable", "request_timeout", "file_update_failed"].map(error).into(),
        INTERNAL_ERROR => ["internal_error", "fatal_error"].map(error).into(),
        ERROR_CODE => {
            let unknown = http("200 OK", JSON, r#"{"ok":false,"error":"brand_new_error"}"#);
            let known = ["302 Found", "403 Forbidden", "500 Oops"]
                .map(|status| http(status, JSON, r#"{"ok":false,"error":"invalid_auth"}"#));
            let cut =
                b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"ok\":false,\"error\":\"invalid_auth\"}".to_vec();
            [error("invalid_auth"), error("not_in_channel"), unknown, cut, json_response(&json!({"ok": false}))]
                .into_iter()
                .chain(known)
                .collect()
        }
        REDIRECT_OR_4XX => vec![
            http("302 Found", "Location: /login\r\n", ""),
            http("308 Permanent", "Location: /login\r\n", r#"{"ok":true}"#),
            http("400 Bad Request", "", ""),
            http("403 Forbidden", HTML, PAGE),
            http("404 Not Found", "", "<h1>404</h1>"),
            http("404 Not Found", JSON, r#"{"ok":false,"error":"brand_new_error"}"#),
            http("413 Content Too Large", "", ""),
            http("451 Unavailable For Legal Reasons", HTML, PAGE),
            http("499 Client Closed Request", "", ""),
        ],
        PAGE_AFTER_END => {
            vec![http("200 OK", HTML, PAGE), http("202 Accepted", HTML, "Sign in at <a href=x>x</a>")]
        }
        LOST_AFTER_END => vec![
            b"".to_vec(),
            b"HTTP/1.1 200".to_vec(),
            http("408 Request Timeout", "", "stream timeout"),
            http("500 Oops", HTML, PAGE),
            http("503 Unavailable", "", r#"{"ok":true}"#),
            http("504 Gateway Timeout", HTML, PAGE),
            http("504 Gateway Timeout", JSON, r#"{"ok":false,"error":"upstream_timeout"}"#),
            http("503 Unavailable", JSON, r#"{"ok":false,"error":"service_unavailable"}"#),
            http("404 Not Found", JSON, r#"{"ok":true}"#),
            http("429 Too Many Requests", JSON, r#"{"ok":true}"#),
            http("200 OK", JSON, r#"{"ok":tr"#),
            b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"ok\":true".to_vec(),
            http("200 OK", "Content-Encoding: gzip\r\n", "\u{1f}"),
            http("200 OK", JSON, &"x".repeat(1024 * 1024 + 1)),
        ],
        WITHOUT_OK => vec![
            http("200 OK", "", ""),
            http("201 Created", "", "OK - 10"),
            http("200 OK", JSON, r#"{"id":1}"#),
            b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n".to_vec(),
        ],
        _ => unreachable!("no answer"),
    }
}

/// Bytes missing after a complete object would not change its verdict.
#[test]
fn complete_object_counts_in_truncated_answer() {
    let scratch = Scratch::new();
    let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"ok\":true}".to_vec();
    let faulty = FaultyService::new(vec![(Post, Action::ForwardThenRespond(answer))]);
    let receipt = send(&faulty, scratch.small(), Post.method());
    let seen = faulty.finish();
    assert_eq!((receipt.status, receipt.attempts, seen.messages.len()), (Status::Delivered, 1, 1), "{receipt:?}");
}

/// The answer to a completion.
fn completed(connection: &Connection) -> serde_json::Value {
    json!({"ok": true, "files": serde_json::from_str::<serde_json::Value>(&connection.fields()[0].1).unwrap()})
}

/// Checks a row, one step after the other, with complete requests that end like this.
fn check(row: usize) {
    let scratch = Scratch::new();
    for step in STEPS {
        let cell = table()[row][step as usize].clone();
        for answer in answers(row) {
            let shown = String::from_utf8_lossy(&answer[..answer.len().min(99)]).into_owned();
            let what = format!("{shown} at {step:?}: {cell}");
            // A query is sent only after a lost answer.
            let with = |actions: Vec<Action>| {
                let lost = (step == Query).then(|| (Completion, Action::ForwardThenRespond(Vec::new())));
                FaultyService::new(lost.into_iter().chain(actions.into_iter().map(|action| (step, action))).collect())
            };
            let run = |faulty: FaultyService| {
                let receipt = send(&faulty, scratch.small(), step.method());
                let seen = faulty.finish();
                assert!(seen.messages.len() <= 1, "{what}: posted twice");
                (receipt, seen)
            };
            let respond = || Action::Respond(answer.clone());
            let forward_then_respond = || Action::ForwardThenRespond(answer.clone());
            match cell.as_str() {
                "again" => {
                    let (receipt, seen) = run(with(vec![respond()]));
                    assert_eq!((receipt.status, seen.messages.len()), (Status::Delivered, 1), "{what}: {receipt:?}");
                    assert_eq!(seen.count(step), 2, "{what}");
                    // Bytes are not sent to an address twice, unless the first request was not run.
                    let tickets = [0, 2, if row == THROTTLED { 1 } else { 2 }, 1, 1][step as usize];
                    assert_eq!((seen.count(Ticket), receipt.attempts), (tickets, if step == Query { 1 } else { 2 }));
                    // Two more times, and no more. A query has its own number.
                    let (receipt, seen) = run(with(vec![respond(), respond(), respond(), respond()]));
                    let (status, times) = match (step, row) {
                        (Query, THROTTLED) => (Status::Uncertain, 3),
                        (Query, _) => (Status::Uncertain, 4),
                        _ => (Status::Failed, 3),
                    };
                    assert_eq!((receipt.status, seen.count(step)), (status, times), "{what}: {receipt:?}");
                    assert_eq!(seen.messages.len(), usize::from(step == Query), "{what}");
                    if step == Bytes {
                        assert!(!seen.steps.contains(&Completion), "{what}");
                    }
                }
                "failed" if step == Query => {
                    let (receipt, seen) = run(with(vec![respond()]));
                    assert_eq!((receipt.status, seen.count(step)), (Status::Uncertain, 1), "{what}: {receipt:?}");
                    assert_eq!(seen.messages.len(), 1);
                }
                "failed" => {
                    let (receipt, seen) = run(with(vec![respond()]));
                    assert_eq!((receipt.status, receipt.attempts), (Status::Failed, 1), "{what}: {receipt:?}");
                    assert_eq!(seen.steps.last(), Some(&step), "{what}");
                    assert_eq!((seen.count(step), seen.messages.len()), (1, 0), "{what}");
                }
                "uncertain" => {
                    for (action, messages) in [(respond(), 0), (forward_then_respond(), 1)] {
                        let (receipt, seen) = run(with(vec![action]));
                        assert_eq!(receipt.status, Status::Uncertain, "{what}: {receipt:?}");
                        assert_eq!((seen.steps, seen.messages.len()), (vec![step], messages), "{what}");
                    }
                }
                "look up" => {
                    // Repeated, twice at most.
                    let (receipt, seen) = run(with(vec![respond()]));
                    assert_eq!((receipt.status, receipt.attempts), (Status::Delivered, 2), "{what}: {receipt:?}");
                    assert_eq!((seen.count(step), seen.count(Query), seen.messages.len()), (2, 2, 1), "{what}");
                    let (receipt, seen) = run(with(vec![respond(); 3]));
                    assert_eq!((receipt.status, receipt.attempts), (Status::Uncertain, 3), "{what}: {receipt:?}");
                    assert_eq!((seen.count(step), seen.count(Query), seen.messages.len()), (3, 8, 0), "{what}");
                    assert!(
                        receipt.error.unwrap().message.contains("did not confirm that the file is in the channels")
                    );
                    let (receipt, seen) = run(with(vec![forward_then_respond()]));
                    assert_eq!(receipt.status, Status::Delivered, "{what}: {receipt:?}");
                    assert_eq!((seen.count(step), seen.count(Query), seen.messages.len()), (1, 1, 1), "{what}");
                    assert!(receipt.permalink.is_some() && receipt.file_id.is_some() && receipt.error.is_none());
                }
                "done" | "accepted" => {
                    let (receipt, seen) = run(with(vec![forward_then_respond()]));
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
fn throttled_requests_follow_the_table() {
    check(THROTTLED);
}

#[test]
fn temporary_error_codes_follow_the_table() {
    check(TEMPORARY_ERROR);
}

#[test]
fn internal_errors_follow_the_table() {
    check(INTERNAL_ERROR);
}

#[test]
fn other_error_codes_follow_the_table() {
    check(ERROR_CODE);
}

#[test]
fn redirects_and_client_errors_follow_the_table() {
    check(REDIRECT_OR_4XX);
}

#[test]
fn pages_after_the_whole_request_follow_the_table() {
    check(PAGE_AFTER_END);
}

#[test]
fn lost_connections_follow_the_table() {
    check(LOST_AFTER_END);
}

#[test]
fn responses_without_ok_follow_the_table() {
    check(WITHOUT_OK);
}

/// An answer that is not HTTP is a refusal, unless something may have been posted; then the service is asked, again if need
/// be.
#[test]
fn a_response_that_is_not_http_is_an_error() {
    let scratch = Scratch::new();
    let banner = || b"SSH-2.0-OpenSSH_9.2\r\n".to_vec();
    for step in STEPS {
        let lost = (step == Query).then(|| (Completion, Action::ForwardThenRespond(Vec::new())));
        let faulty = FaultyService::new(lost.into_iter().chain([(step, Action::Respond(banner()))]).collect());
        let receipt = send(&faulty, scratch.small(), step.method());
        let seen = faulty.finish();
        let expected = match step {
            Ticket | Bytes => (Status::Failed, 1),
            Completion | Query => (Status::Delivered, 2),
            Post => (Status::Uncertain, 1),
        };
        assert_eq!((receipt.status, seen.count(step)), expected, "{step:?} {receipt:?}");
    }
}

#[test]
fn a_response_timeout_counts_as_a_lost_connection() {
    let scratch = Scratch::new();
    for step in STEPS {
        let cell = &table()[LOST_AFTER_END][step as usize];
        for (action, done) in [(Action::Hang, false), (Action::ForwardThenHang, true)] {
            let lost = (step == Query).then(|| (Completion, Action::ForwardThenRespond(Vec::new())));
            let faulty = FaultyService::new(lost.into_iter().chain([(step, action)]).collect());
            let mut settings = settings(step.method());
            settings.answer_timeout = Duration::from_millis(700);
            let receipt = send_with(&faulty, scratch.small(), settings, Watch::default());
            let seen = faulty.finish();
            let (status, requests) = match cell.as_str() {
                "again" => (Status::Delivered, 2),
                "look up" => (Status::Delivered, if done { 1 } else { 2 }),
                "uncertain" => (Status::Uncertain, 1),
                _ => panic!("{cell}"),
            };
            assert_eq!((receipt.status, seen.count(step)), (status, requests), "{step:?} {receipt:?}");
            assert!(status == Status::Delivered || code(&receipt) == "no-answer", "{receipt:?}");
            let posted = done || step != Post;
            assert_eq!(seen.messages.len(), usize::from(posted), "{step:?}");
        }
    }
}

/// Only these two steps have a body that is not handed over in one piece.
#[test]
fn an_upload_interrupted_in_the_body_follows_the_table() {
    let scratch = Scratch::new();
    for step in [Post, Bytes] {
        assert_eq!(table()[LOST_BEFORE_END][step as usize], "again");
        for action in [
            Action::Reset(100_000),
            Action::RespondEarly(1000, http("503 Unavailable", "", "")),
            Action::RespondEarly(1000, http("408 Request Timeout", "", "")),
            Action::RespondEarly(1000, error("internal_error")),
        ] {
            let faulty = FaultyService::new([1, 2, 3].map(|_| (step, action.clone())).into());
            let receipt = send(&faulty, scratch.large().1, step.method());
            let seen = faulty.finish();
            assert_eq!((receipt.status, receipt.attempts), (Status::Failed, 3), "{step:?} {receipt:?}");
            assert!(receipt.error.as_ref().unwrap().message.ends_with("; tried 3 times"), "{receipt:?}");
            assert_eq!((seen.count(step), seen.count(Completion), seen.messages.len()), (3, 0, 0));
            assert!(seen.calls.iter().all(|call| (call.body.len() as u64) < LARGE));
        }
        assert_eq!(table()[SUCCESS_BEFORE_END][step as usize], "failed");
        for answer in [json_response(&json!({"ok": true, "file": {"id": "F1"}})), http("200 OK", "", "OK - 50331648")] {
            let faulty = FaultyService::new(vec![(step, Action::RespondEarly(1000, answer))]);
            let receipt = send(&faulty, scratch.large().1, step.method());
            let seen = faulty.finish();
            assert_eq!((receipt.status, code(&receipt)), (Status::Failed, "answered-early"), "{step:?} {receipt:?}");
            assert_eq!((seen.count(step), seen.count(Completion), seen.messages.len()), (1, 0, 0));
        }
    }
}

#[test]
fn a_stalled_upload_is_retried() {
    for (retries, status, word, steps) in [
        (0, Status::Failed, "stalled", &[Ticket, Bytes][..]),
        (1, Status::Delivered, "", &[Ticket, Bytes, Ticket, Bytes, Completion]),
    ] {
        let scratch = Scratch::new();
        let faulty = FaultyService::new(vec![(
            Bytes,
            Action::RunDuring(Some(1000), Arc::new(|| std::thread::sleep(SECOND * 2))),
        )]);
        let mut settings = settings(Method::External);
        settings.stall_timeout = Duration::from_millis(700);
        settings.retries = retries;
        let receipt = send_with(&faulty, scratch.large().1, settings, Watch::default());
        assert_eq!((receipt.status, code(&receipt)), (status, word), "{receipt:?}");
        assert_eq!(faulty.finish().steps, steps);
    }
}

#[test]
fn the_whole_file_is_resent_after_a_reset() {
    let scratch = Scratch::new();
    let content = noise(usize::try_from(LARGE).unwrap());
    let sum = sha256(&content);
    for step in [Post, Bytes] {
        let faulty = FaultyService::new(vec![(step, Action::Reset(3_000_000))]);
        let mut settings = settings(step.method());
        settings.checksum = true;
        let receipt = send_with(&faulty, file(scratch.0.path(), "f", &content), settings, Watch::default());
        assert_eq!((receipt.status, receipt.attempts, receipt.bytes), (Status::Delivered, 2, LARGE), "{receipt:?}");
        assert_eq!(receipt.sha256.as_deref(), Some(sum.as_str()));
        let seen = faulty.finish();
        assert_eq!(seen.messages[0].files[0].sha256, sum);
        let [first, second] = [0, 1].map(|number| seen.calls.iter().filter(|call| Step::of(call) == step).nth(number));
        let (first, second) = (&first.unwrap().body, &second.unwrap().body);
        if step == Bytes {
            assert!(*second == content && content.starts_with(first));
        }
    }
}

/// A service that no connection can be made to.
#[test]
fn refused_connections_are_retried() {
    let scratch = Scratch::new();
    let free = || TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for step in [Post, Ticket] {
        assert_eq!(table()[NO_CONNECTION][step as usize], "again");
        let client = client(&format!("http://{}", free()), settings(step.method()));
        let receipt = runtime().block_on(client.upload(&post(), scratch.small(), Watch::default()));
        assert_eq!((receipt.status, code(&receipt)), (Status::Failed, "connection-refused"), "{receipt:?}");
        assert_eq!(receipt.attempts, 3);
    }
    assert_eq!(table()[NO_CONNECTION][Bytes as usize], "again");
    let nowhere = || {
        let url = format!("http://{}/upload/v1/F1", free());
        Action::Respond(json_response(&json!({"ok": true, "upload_url": url, "file_id": "F1"})))
    };
    let faulty = FaultyService::new(vec![(Ticket, nowhere()), (Ticket, nowhere())]);
    let receipt = send(&faulty, scratch.small(), Method::External);
    assert_eq!((receipt.status, receipt.attempts), (Status::Delivered, 3), "{receipt:?}");
    let seen = faulty.finish();
    assert_eq!((seen.steps, seen.messages.len()), (vec![Ticket, Ticket, Ticket, Bytes, Completion], 1));
    let faulty = FaultyService::new([1, 2, 3].map(|_| (Ticket, nowhere())).into());
    let receipt = send(&faulty, scratch.small(), Method::External);
    assert_eq!((receipt.status, code(&receipt)), (Status::Failed, "connection-refused"), "{receipt:?}");
    assert_eq!(faulty.finish().steps, [Ticket; 3]);
}

/// The service is gone when the file is to be posted.
#[test]
fn refused_connections_at_the_completion_are_retried() {
    let scratch = Scratch::new();
    assert_eq!(table()[NO_CONNECTION][Completion as usize], "again");
    let elsewhere = Service::start(|_, connection| {
        connection.read_all();
        connection.send(&http("200 OK", "", "OK"));
    });
    let url = format!("{}/upload/v1/F1", elsewhere.base());
    // It accepts one connection, and is closed for all others.
    let server = Server::start(move |connection| {
        connection.read_all();
        connection.send(&json_response(&json!({"ok": true, "upload_url": url, "file_id": "F0123456789"})));
    });
    let client = client(&server.base(), settings(Method::External));
    let receipt = runtime().block_on(client.upload(&post(), scratch.small(), Watch::default()));
    assert_eq!((receipt.status, code(&receipt)), (Status::Failed, "connection-refused"), "{receipt:?}");
    assert_eq!((receipt.attempts, receipt.file_id.as_deref()), (3, Some("F0123456789")));
    assert_eq!(elsewhere.finish().len(), 1);
}

/// The other end does not speak TLS.
#[test]
fn tls_errors_are_not_retried() {
    let scratch = Scratch::new();
    for cell in &table()[TLS_ERROR] {
        assert_eq!(cell, "failed");
    }
    let plain = Service::start(|_, connection| {
        connection.read_some(16);
        connection.send(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        connection.drain();
    });
    let url = format!("https://{}/upload/v1/F1", plain.address);
    let faulty = FaultyService::new(vec![(
        Ticket,
        Action::Respond(json_response(&json!({"ok": true, "upload_url": url, "file_id": "F1"}))),
    )]);
    let receipt = send(&faulty, scratch.small(), Method::External);
    assert_eq!((receipt.status, code(&receipt), receipt.attempts), (Status::Failed, "tls-failed", 1), "{receipt:?}");
    assert_eq!((faulty.finish().steps, plain.finish().len()), (vec![Ticket], 1));
}

#[test]
fn a_file_that_changes_during_the_upload_is_not_posted() {
    let longer = |path: PathBuf| -> Action {
        Action::RunFirst(Arc::new(move || {
            std::fs::File::options().write(true).open(&path).unwrap().set_len(LARGE + 1).unwrap();
        }))
    };
    for size in [9, LARGE] {
        // Before its bytes are sent, and while they are being sent.
        let scratch = Scratch::new();
        let (path, _) = scratch.large();
        std::fs::File::options().write(true).open(&path).unwrap().set_len(size).unwrap();
        let hear = Action::RunDuring(Some(0), Arc::new(|| ()));
        let faulty = FaultyService::new(vec![(Ticket, longer(path.clone())), (Bytes, hear)]);
        let receipt = send(&faulty, Payload::open(&path, None).unwrap(), Method::External);
        assert_eq!((receipt.status, code(&receipt)), (Status::Failed, "file-changed"), "{receipt:?}");
        let seen = faulty.finish();
        let steps = if size == LARGE { vec![Ticket, Bytes] } else { vec![Ticket] };
        assert_eq!((seen.steps, seen.messages.len()), (steps, 0));
        assert!(seen.calls.last().unwrap().body.len() as u64 != size);
    }
    for step in [Post, Bytes] {
        assert_eq!(table()[LOCAL_ERROR][step as usize], "failed");
        let scratch = Scratch::new();
        let (path, payload) = scratch.large();
        let work = Arc::new(move || std::fs::File::options().write(true).open(&path).unwrap().set_len(9).unwrap());
        let faulty = FaultyService::new(vec![(step, Action::RunDuring(Some(1000), work))]);
        let receipt = send(&faulty, payload, step.method());
        assert_eq!((receipt.status, code(&receipt)), (Status::Failed, "file-changed"), "{receipt:?}");
        let seen = faulty.finish();
        assert!(seen.count(step) == 1 && seen.count(Completion) == 0 && seen.messages.is_empty());
    }
}

#[test]
fn an_interrupt_at_each_step_follows_the_table() {
    let scratch = Scratch::new();
    for (bytes, row) in [(Some(1000), INTERRUPTED_BEFORE_END), (None, INTERRUPTED_AFTER_END)] {
        for step in STEPS {
            if bytes.is_some() && !matches!(step, Post | Bytes) {
                continue;
            }
            let cell = &table()[row][step as usize];
            let (sender, cancel) = watch::channel(false);
            let stop = Action::RunDuring(bytes, Arc::new(move || sender.send(true).unwrap()));
            let lost = (step == Query).then(|| (Completion, Action::ForwardThenRespond(Vec::new())));
            let faulty = FaultyService::new(lost.into_iter().chain([(step, stop)]).collect());
            let payload = if bytes.is_some() { scratch.large().1 } else { scratch.small() };
            let watch = Watch::default().with_cancel(cancel);
            let receipt = send_with(&faulty, payload, settings(step.method()), watch);
            let seen = faulty.finish();
            assert_eq!((seen.steps.last(), seen.count(step)), (Some(&step), 1), "{:?}", seen.steps);
            if step == Query {
                // The answer to the completion was nevertheless lost.
                assert_eq!((receipt.status, code(&receipt)), (Status::Uncertain, "connection-lost"), "{receipt:?}");
                continue;
            }
            let status = if cell == "uncertain" { Status::Uncertain } else { Status::Failed };
            assert_eq!((receipt.status, code(&receipt)), (status, "interrupted"), "{step:?} {cell} {receipt:?}");
        }
    }
}

/// While it waits to retry, and while it waits for others.
#[test]
fn an_interrupt_between_two_attempts_ends_the_wait() {
    in_parallel([Post, Ticket, Bytes, Completion], |step| {
        let scratch = Scratch::new();
        let (sender, cancel) = watch::channel(false);
        let faulty = FaultyService::new(vec![(step, Action::Respond(http("429 Too Many", "Retry-After: 20\r\n", "")))]);
        let interrupt = std::thread::spawn(move || {
            std::thread::sleep(SECOND / 2);
            sender.send(true).unwrap();
        });
        let begun = Instant::now();
        let mut settings = settings(step.method());
        settings.max_wait = SECOND * 30;
        let receipt = send_with(&faulty, scratch.small(), settings, Watch::default().with_cancel(cancel));
        assert!(begun.elapsed() < SECOND * 10);
        interrupt.join().unwrap();
        assert_eq!((receipt.status, code(&receipt)), (Status::Failed, "interrupted"), "{step:?} {receipt:?}");
        let seen = faulty.finish();
        assert_eq!((seen.count(step), seen.messages.len()), (1, 0));
    });
}

/// Runs tests in parallel that wait more than they compute.
fn in_parallel<T: Send>(cases: impl IntoIterator<Item = T>, test: impl Fn(T) + Sync) {
    std::thread::scope(|scope| {
        for case in cases {
            let test = &test;
            scope.spawn(move || test(case));
        }
    });
}

fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn retry_after(seconds: &str) -> Action {
    Action::Respond(http(
        "429 Too Many Requests",
        &format!("Retry-After: {seconds}\r\n"),
        r#"{"ok":false,"error":"ratelimited"}"#,
    ))
}

/// A date by the service's own clock, which is wrong by decades, and a later one.
fn retry_after_date(seconds: u32) -> Action {
    let date = |second| format!("Sun, 06 Nov 1994 08:{:02}:{:02} GMT", second / 60, second % 60);
    let headers = format!("Date: {}\r\nRetry-After: {}\r\n", date(0), date(seconds));
    Action::Respond(http("429 Too Many Requests", &headers, ""))
}

#[test]
fn retry_after_is_honoured() {
    in_parallel([Post, Ticket, Bytes, Completion], |step| {
        let scratch = Scratch::new();
        for (action, least, most) in [
            (retry_after("1"), SECOND, SECOND * 2),
            (retry_after("0.2"), SECOND, SECOND * 2),
            (retry_after_date(1), SECOND, SECOND * 2),
            // A header without a valid wait in the future causes no wait.
            (retry_after("0"), Duration::ZERO, SECOND),
            (retry_after("-5"), Duration::ZERO, SECOND),
            (retry_after("soon"), Duration::ZERO, SECOND),
            (retry_after(""), Duration::ZERO, SECOND),
            (retry_after_date(0), Duration::ZERO, SECOND),
        ] {
            let faulty = FaultyService::new(vec![(step, action)]);
            let receipt = send(&faulty, scratch.small(), step.method());
            let seen = faulty.finish();
            assert_eq!((receipt.status, receipt.attempts), (Status::Delivered, 2), "{step:?} {receipt:?}");
            assert_eq!((seen.count(step), seen.messages.len()), (2, 1));
            assert!(receipt.elapsed >= least, "{step:?} {least:?} {receipt:?}");
            // A busy machine may be slow, but not as slow as all the waits.
            assert!(least != Duration::ZERO || receipt.elapsed < most, "{step:?} {receipt:?}");
        }
    });
}

#[test]
fn a_retry_after_beyond_the_limit_fails_at_once() {
    in_parallel([Post, Ticket, Bytes, Completion], |step| {
        let scratch = Scratch::new();
        for (action, when) in [
            (retry_after("30"), "in 30 seconds"),
            (retry_after("7200"), "in 120 minutes"),
            (retry_after("99999999999999999999"), "days"),
            (retry_after_date(1800), "in 30 minutes"),
        ] {
            let faulty = FaultyService::new(vec![(step, action)]);
            let receipt = send(&faulty, scratch.small(), step.method());
            let seen = faulty.finish();
            assert_eq!((receipt.status, receipt.attempts), (Status::Failed, 1), "{step:?} {receipt:?}");
            assert!(receipt.elapsed < SECOND * 2, "{receipt:?}");
            let help = receipt.error.unwrap().help.unwrap();
            assert!(help.contains(when), "{when}: {help}");
            assert_eq!((seen.count(step), seen.messages.len()), (1, 0));
        }
    });
}

/// Each wait may be short enough, and their sum too long.
#[test]
fn the_sum_of_waits_is_limited() {
    let scratch = Scratch::new();
    let faulty = FaultyService::new([1, 2, 3].map(|_| (Ticket, retry_after("1"))).into());
    let mut settings = settings(Method::External);
    settings.retries = 10;
    settings.max_wait = SECOND * 3 / 2;
    let receipt = send_with(&faulty, scratch.small(), settings, Watch::default());
    assert_eq!((receipt.status, code(&receipt), receipt.attempts), (Status::Failed, "ratelimited", 2), "{receipt:?}");
    assert_eq!(faulty.finish().count(Ticket), 2);
}

/// One upload is throttled. Another upload that needs the same operation waits as well; one that needs a different one
/// does not.
#[test]
fn a_throttled_operation_pauses_every_upload_that_needs_it() {
    let scratch = Scratch::new();
    let held = Arc::new(Mutex::new(None::<Instant>));
    let times = Arc::new(Mutex::new(Vec::<(Step, String, Instant)>::new()));
    let (log, told) = (Arc::clone(&times), Arc::clone(&held));
    let server = Service::start(move |_, connection| {
        connection.read_all();
        let step = Step::of(connection);
        let here = connection.stream().local_addr().unwrap();
        let name = match step {
            Ticket => connection.fields()[0].1.clone(),
            Bytes => connection.line().rsplit('/').next().unwrap().to_owned(),
            _ if connection.fields()[0].1.contains("Fast") => "Fast".to_owned(),
            _ => "other".to_owned(),
        };
        log.lock().unwrap().push((step, name.clone(), Instant::now()));
        let answer = match step {
            Ticket if name == "Limited" && told.lock().unwrap().is_none() => {
                *told.lock().unwrap() = Some(Instant::now());
                http("429 Too Many Requests", "Retry-After: 2\r\n", "")
            }
            Ticket => json_response(
                &json!({"ok": true, "upload_url": format!("http://{here}/upload/v1/{name}"), "file_id": name}),
            ),
            Bytes => {
                // The fast one is in the middle of its bytes when the other one is throttled.
                while name == "Fast" && told.lock().unwrap().is_none() {
                    std::thread::sleep(Duration::from_millis(5));
                }
                std::thread::sleep(Duration::from_millis(100));
                http("200 OK", "", "OK")
            }
            _ => json_response(&completed(connection)),
        };
        connection.send(&answer);
    });
    let mut settings = settings(Method::External);
    settings.max_wait = SECOND * 30;
    let client = client(&server.base(), settings);
    let post = post();
    let upload = |name: &str| client.upload(&post, file(scratch.0.path(), name, SMALL), Watch::default());
    let (fast, limited, late) = runtime().block_on(async {
        let at = async |name: &str, wait: u64| {
            tokio::time::sleep(Duration::from_millis(wait)).await;
            upload(name).await
        };
        tokio::join!(at("Fast", 0), at("Limited", 100), async {
            while held.lock().unwrap().is_none() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            at("Late", 200).await
        })
    });
    let began = held.lock().unwrap().unwrap();
    for (receipt, attempts) in [(&fast, 1), (&limited, 2), (&late, 1)] {
        assert_eq!((receipt.status, receipt.attempts), (Status::Delivered, attempts), "{receipt:?}");
    }
    drop(server.finish());
    let times = times.lock().unwrap();
    let at = |step, name: &str| times.iter().rfind(|seen| seen.0 == step && seen.1 == name).unwrap().2;
    let posted = at(Completion, "Fast");
    assert!(posted > began && posted < began + SECOND * 2, "the fast upload had to wait");
    for name in ["Limited", "Late"] {
        assert!(at(Ticket, name) >= began + SECOND * 2, "{name} did not wait");
    }
    assert_eq!(times.iter().filter(|seen| seen.0 == Ticket).count(), 4);
}

/// A stream can be read only once.
#[test]
fn files_upload_does_not_retry_a_stream() {
    for answer in answers(THROTTLED).into_iter().chain(answers(TEMPORARY_ERROR)) {
        let faulty = FaultyService::new(vec![(Post, Action::Respond(answer))]);
        let receipt = send(&faulty, stream("in.csv", SMALL), Method::FilesUpload);
        assert_eq!((receipt.status, receipt.attempts), (Status::Failed, 1), "{receipt:?}");
        let seen = faulty.finish();
        assert_eq!((seen.steps, seen.messages.len()), (vec![Post], 0));
    }
    for step in [Ticket, Bytes, Completion] {
        let faulty = FaultyService::new(vec![(step, retry_after("0"))]);
        let receipt = send(&faulty, stream("in.csv", SMALL), Method::External);
        assert_eq!((receipt.status, receipt.attempts), (Status::Delivered, 2), "{receipt:?}");
        assert_eq!(faulty.finish().messages[0].files[0].sha256, sha256(SMALL));
    }
}

/// Every limit is much shorter than the upload.
#[test]
fn a_slow_upload_that_makes_progress_does_not_time_out() {
    let scratch = Scratch::new();
    for method in [Method::FilesUpload, Method::External] {
        let server = Service::start(|_, connection| {
            connection.read_head();
            let here = connection.stream().local_addr().unwrap();
            let answer = match Step::of(connection) {
                Ticket => {
                    connection.read_body();
                    let url = format!("http://{here}/upload/v1/F1");
                    json_response(&json!({"ok": true, "upload_url": url, "file_id": "F1"}))
                }
                Post | Bytes => {
                    let mut left: usize = connection.header("content-length").unwrap().parse().unwrap();
                    while left > 0 {
                        std::thread::sleep(Duration::from_millis(25));
                        connection.read_some(left.min(400_000));
                        left -= left.min(400_000);
                    }
                    json_response(&json!({"ok": true}))
                }
                _ => {
                    connection.read_body();
                    json_response(&completed(connection))
                }
            };
            connection.send(&answer);
        });
        let mut settings = settings(method);
        settings.connect_timeout = SECOND;
        settings.stall_timeout = SECOND;
        settings.max_wait = SECOND / 100;
        settings.retries = 0;
        let client = client(&server.base(), settings);
        let payload = scratch.large().1;
        let receipt = runtime().block_on(client.upload(&post(), payload, Watch::default()));
        assert_eq!((receipt.status, receipt.bytes), (Status::Delivered, LARGE), "{receipt:?}");
        assert!(receipt.elapsed > SECOND * 3, "{receipt:?}");
        drop(server.finish());
    }
}

/// An answer that a completion was not run may be wrong: the service does not find a file that it has posted.
#[test]
fn a_repeated_completion_that_finds_no_file_is_looked_up() {
    let scratch = Scratch::new();
    for posted in [true, false] {
        let page = http("429 Too Many Requests", HTML, PAGE);
        let actions = if posted {
            vec![(Completion, Action::ForwardThenRespond(page))]
        } else {
            vec![(Completion, Action::Respond(page)), (Completion, Action::Respond(error("file_not_found")))]
        };
        let faulty = FaultyService::new(actions);
        let receipt = send(&faulty, scratch.small(), Method::External);
        let seen = faulty.finish();
        assert_eq!((seen.count(Completion), seen.messages.len()), (2, usize::from(posted)));
        if posted {
            assert_eq!((receipt.status, seen.count(Query)), (Status::Delivered, 1), "{receipt:?}");
        } else {
            assert_eq!((receipt.status, code(&receipt)), (Status::Uncertain, "file_not_found"), "{receipt:?}");
            assert!(receipt.error.unwrap().help.unwrap().starts_with("look in the channel"));
        }
    }
    // The first time, the answer is true.
    let faulty = FaultyService::new(vec![(Completion, Action::Respond(error("file_not_found")))]);
    let receipt = send(&faulty, scratch.small(), Method::External);
    assert_eq!((receipt.status, faulty.finish().count(Query)), (Status::Failed, 0), "{receipt:?}");
}

#[test]
fn delayed_sharing_is_awaited() {
    let scratch = Scratch::new();
    let not_yet = [
        error("file_not_found"),
        json_response(&json!({"ok": true, "file": {"shares": {}, "channels": []}})),
        json_response(&json!({"ok": true, "file": {"channels": ["C9999999999"]}})),
    ];
    let actions = not_yet.map(|answer| (Query, Action::Respond(answer)));
    let faulty =
        FaultyService::new([(Completion, Action::ForwardThenRespond(Vec::new()))].into_iter().chain(actions).collect());
    let receipt = send(&faulty, scratch.small(), Method::External);
    // The completion was repeated, and refused.
    assert_eq!((receipt.status, receipt.attempts), (Status::Delivered, 2), "{receipt:?}");
    let seen = faulty.finish();
    assert_eq!((seen.count(Completion), seen.count(Query), seen.messages.len()), (2, 4, 1));
    let asked: Vec<_> = seen.calls.iter().filter(|call| Step::of(call) == Query).map(Connection::fields).collect();
    let id = &seen.messages[0].files[0].id;
    assert!(asked.iter().all(|fields| *fields == [("file".to_owned(), id.clone())]), "{asked:?}");
}

#[test]
fn a_lookup_honours_retry_after() {
    let scratch = Scratch::new();
    for (seconds, status, least) in [("1", Status::Delivered, SECOND), ("30", Status::Uncertain, Duration::ZERO)] {
        let faulty = FaultyService::new(vec![
            (Completion, Action::ForwardThenRespond(Vec::new())),
            (Query, retry_after(seconds)),
        ]);
        let receipt = send(&faulty, scratch.small(), Method::External);
        assert_eq!(receipt.status, status, "{receipt:?}");
        assert!(receipt.elapsed >= least, "{receipt:?}");
        let seen = faulty.finish();
        let questions = if status == Status::Delivered { 2 } else { 1 };
        assert_eq!((seen.count(Completion), seen.count(Query), seen.messages.len()), (1, questions, 1));
    }
}

#[test]
fn a_lookup_without_the_scope_stays_uncertain() {
    let scratch = Scratch::new();
    let options = Options::default().with_scopes(vec!["files:write".to_owned()]);
    let faulty = FaultyService::with_options(options, vec![(Completion, Action::ForwardThenRespond(Vec::new()))]);
    let receipt = send(&faulty, scratch.small(), Method::External);
    assert_eq!((receipt.status, code(&receipt)), (Status::Uncertain, "connection-lost"), "{receipt:?}");
    let error = receipt.error.unwrap();
    assert!(error.message.contains("files:read") && error.help.unwrap().contains("look in the channel"));
    let seen = faulty.finish();
    assert_eq!((seen.count(Completion), seen.count(Query), seen.messages.len()), (1, 1, 1));
}

/// The completion works once for each file, so it can be repeated for the same file.
#[test]
fn a_completion_that_has_not_run_is_repeated() {
    let scratch = Scratch::new();
    let page = |status| Action::Respond(http(status, HTML, PAGE));
    for (actions, completions) in [
        (vec![(Completion, Action::Respond(Vec::new()))], 2),
        (vec![(Completion, page("504 Gateway Timeout")), (Completion, page("403 Forbidden"))], 3),
        // Known not to have run, after one that may have.
        (vec![(Completion, page("502 Bad Gateway")), (Completion, page("429 Too Many Requests"))], 3),
    ] {
        let faulty = FaultyService::new(actions);
        let receipt = send(&faulty, scratch.small(), Method::External);
        let seen = faulty.finish();
        assert_eq!((receipt.status, receipt.attempts as usize), (Status::Delivered, completions), "{receipt:?}");
        assert_eq!((seen.count(Completion), seen.messages.len()), (completions, 1));
        assert_eq!((seen.count(Ticket), seen.count(Bytes)), (1, 1), "nothing else was repeated");
    }
    // No retry is left, or the service can't say.
    for (actions, completions) in [
        (vec![(Completion, page("502 Bad Gateway")); 3], 3),
        ([vec![(Completion, page("502 Bad Gateway"))], vec![(Query, page("404 Not Found")); 9]].concat(), 1),
        (vec![(Completion, page("502 Bad Gateway")), (Completion, Action::Respond(error("invalid_auth")))], 2),
    ] {
        let faulty = FaultyService::new(actions);
        let receipt = send(&faulty, scratch.small(), Method::External);
        let seen = faulty.finish();
        assert_eq!((receipt.status, seen.count(Completion)), (Status::Uncertain, completions), "{receipt:?}");
        assert!(receipt.error.unwrap().help.unwrap().starts_with("look in the channel") && seen.messages.is_empty());
    }
}

/// `ok` alone does not say which file was posted.
#[test]
fn a_completion_counts_only_if_its_answer_names_the_file() {
    let scratch = Scratch::new();
    for answer in [
        json!({"ok": true}),
        json!({"ok": true, "files": []}),
        json!({"ok": true, "files": null}),
        json!({"ok": true, "files": [{"title": "small.csv"}]}),
        json!({"ok": true, "files": [{"id": "F9999999999"}]}),
    ] {
        for posted in [true, false] {
            let answer = json_response(&answer);
            let action = if posted { Action::ForwardThenRespond(answer) } else { Action::Respond(answer) };
            let faulty = FaultyService::new(vec![(Completion, action)]);
            let receipt = send(&faulty, scratch.small(), Method::External);
            let seen = faulty.finish();
            assert_eq!(receipt.status, Status::Delivered, "{receipt:?}");
            assert_eq!(receipt.file_id.as_deref(), Some(seen.messages[0].files[0].id.as_str()));
            assert_eq!((seen.count(Completion), seen.messages.len()), (if posted { 1 } else { 2 }, 1));
        }
        let actions = vec![
            (Completion, Action::Respond(json_response(&answer))),
            (Query, Action::Respond(error("unknown_method"))),
        ];
        let faulty = FaultyService::new(actions);
        let receipt = send(&faulty, scratch.small(), Method::External);
        assert_eq!((receipt.status, code(&receipt)), (Status::Uncertain, "unconfirmed"), "{receipt:?}");
        drop(faulty.finish());
    }
}

/// The service may answer before it has shared the file, or without sharing it.
#[test]
fn a_share_is_confirmed_on_request() {
    let scratch = Scratch::new();
    let confirming = |method| {
        let mut settings = settings(method);
        settings.confirm_shares = true;
        settings
    };
    let hidden = || Action::Respond(json_response(&json!({"ok": true, "file": {"shares": {}, "channels": []}})));
    for (step, method) in [(Post, Method::FilesUpload), (Completion, Method::External)] {
        for looks in [1, 3] {
            let actions = std::iter::repeat_with(|| (Query, hidden())).take(looks - 1).collect();
            let faulty = FaultyService::new(actions);
            let receipt = send_with(&faulty, scratch.small(), confirming(method), Watch::default());
            let seen = faulty.finish();
            assert_eq!((receipt.status, receipt.attempts), (Status::Delivered, 1), "{receipt:?}");
            // The answer of `files.upload` shows the shares.
            let looks = if step == Post { 0 } else { looks };
            assert_eq!((seen.count(step), seen.count(Query), seen.messages.len()), (1, looks, 1));
            assert_eq!(receipt.ts.as_deref(), Some(seen.messages[0].ts.as_str()), "{receipt:?}");
            assert!(receipt.permalink.is_some() && receipt.file_id.is_some());
        }
        let bare = match step {
            Post => json!({"ok": true, "file": {"id": "F0123456789"}}),
            _ => json!({"ok": true, "file": null}),
        };
        let answered = (step == Post).then(|| (Post, Action::ForwardThenRespond(json_response(&bare))));
        for answer in [hidden(), Action::Respond(error("missing_scope")), Action::Respond(Vec::new())] {
            let queries = std::iter::repeat_n((Query, answer), 4);
            let faulty = FaultyService::new(answered.clone().into_iter().chain(queries).collect());
            let receipt = send_with(&faulty, scratch.small(), confirming(method), Watch::default());
            assert_eq!((receipt.status, code(&receipt)), (Status::Uncertain, "share-not-seen"), "{receipt:?}");
            assert_eq!((faulty.finish().messages.len(), receipt.file_id.is_some()), (1, true));
        }
    }
    // There is no ID to look it up by, and no verdict.
    for (body, expected) in [(r#"{"ok":true}"#, "share-not-seen"), ("thanks", "unconfirmed")] {
        let answer = Action::ForwardThenRespond(http("200 OK", "", body));
        let faulty = FaultyService::new(vec![(Post, answer)]);
        let receipt = send_with(&faulty, scratch.small(), confirming(Method::FilesUpload), Watch::default());
        assert_eq!((receipt.status, code(&receipt)), (Status::Uncertain, expected), "{receipt:?}");
        drop(faulty.finish());
    }
}

/// One message has one result: it is repeated if none of its files is in the channel.
#[test]
fn the_files_of_a_lost_message_are_looked_up_one_by_one() {
    let scratch = Scratch::new();
    for found in [true, false] {
        let status = Status::Delivered;
        let lost = if found { Action::ForwardThenRespond(Vec::new()) } else { Action::Respond(Vec::new()) };
        let faulty = FaultyService::new(vec![(Completion, lost)]);
        let client = client(&faulty.front.base(), settings(Method::External));
        let files = ["a", "b"].map(|name| scratch.0.path().join(name));
        for file in &files {
            std::fs::write(file, SMALL).unwrap();
        }
        let receipts = send_together(&client, &post(), &files, 2);
        assert!(receipts.iter().all(|receipt| receipt.status == status), "{receipts:?}");
        let seen = faulty.finish();
        let (completions, questions) = if found { (1, 2) } else { (2, 4) };
        assert_eq!((seen.count(Completion), seen.messages.len(), seen.count(Query)), (completions, 1, questions));
        let mut shown: Vec<_> = receipts.iter().filter_map(|receipt| receipt.file_id.as_deref()).collect();
        let mut posted: Vec<_> = seen.messages[0].files.iter().map(|file| file.id.as_str()).collect();
        shown.sort_unstable();
        posted.sort_unstable();
        assert_eq!(shown, posted);
    }
}

/// A step that was repeated counts, whichever it was.
#[test]
fn every_repeated_step_counts_as_an_attempt() {
    let scratch = Scratch::new();
    let faulty = FaultyService::new([Ticket, Bytes, Completion].map(|step| (step, retry_after("0"))).into());
    let mut settings = settings(Method::External);
    settings.retries = 3;
    let receipt = send_with(&faulty, scratch.small(), settings, Watch::default());
    assert_eq!((receipt.status, receipt.attempts), (Status::Delivered, 4), "{receipt:?}");
    let seen = faulty.finish();
    assert_eq!((seen.count(Ticket), seen.count(Bytes), seen.count(Completion)), (2, 2, 2));
}

#[test]
fn the_checksum_matches_the_received_bytes() {
    let scratch = Scratch::new();
    for len in [1, 9, 256 * 1024, 256 * 1024 + 1, 3_000_000] {
        let content = noise(len);
        for method in [Method::FilesUpload, Method::External] {
            for streamed in [false, true] {
                for retried in [false, true] {
                    let step = if method == Method::External { Bytes } else { Post };
                    let actions = if retried { vec![(step, retry_after("0"))] } else { vec![] };
                    if retried && streamed && step == Post {
                        continue;
                    }
                    let payload = if streamed { stream("f", &content) } else { file(scratch.0.path(), "f", &content) };
                    let faulty = FaultyService::new(actions);
                    let mut settings = settings(method);
                    settings.checksum = true;
                    let receipt = send_with(&faulty, payload, settings, Watch::default());
                    let sum = sha256(&content);
                    assert_eq!(receipt.status, Status::Delivered, "{receipt:?}");
                    assert_eq!(receipt.sha256.as_ref(), Some(&sum), "{len} {method:?} {streamed}");
                    assert_eq!(faulty.finish().messages[0].files[0].sha256, sum);
                }
            }
        }
    }
    // It was not requested.
    let faulty = FaultyService::new(vec![]);
    assert_eq!(send(&faulty, scratch.small(), Method::External).sha256, None);
}

/// A service that closes a kept connection, sometimes during a request: a lost file is looked up.
#[test]
fn a_connection_closed_despite_keep_alive_loses_no_file() {
    for requests in [1, 2] {
        let scratch = Scratch::new();
        let posted = Arc::new(Mutex::new(0));
        let counted = Arc::clone(&posted);
        let server = Service::start(move |_, connection| {
            for _ in 0..requests {
                // The client sends nothing more.
                if connection.stream().peek(&mut [0]).unwrap_or(0) == 0 {
                    return;
                }
                connection.body.clear();
                connection.read_all();
                let here = connection.stream().local_addr().unwrap();
                let url = format!("http://{here}/upload/v1/F0123456789");
                let step = Step::of(connection);
                let answer = match step {
                    Ticket => json!({"ok": true, "upload_url": url, "file_id": "F0123456789"}),
                    Query => json!({"ok": true, "file": {"id": "F0123456789", "channels": ["C0123456789"]}}),
                    _ => json!({"ok": true, "files": [{"id": "F0123456789"}]}),
                };
                *counted.lock().unwrap() += usize::from(step == Completion);
                let answer = answer.to_string();
                let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", answer.len());
                connection.send((head + &answer).as_bytes());
            }
            if requests == 2 {
                // The next request arrives, and is not read.
                let _ = connection.stream().peek(&mut [0]);
            }
        });
        let mut settings = settings(Method::External);
        settings.keep_connections = true;
        // How often a connection is used before its end is noticed depends on chance.
        settings.retries = 20;
        settings.max_wait = SECOND * 30;
        let client = client(&server.base(), settings);
        let runtime = runtime();
        for name in ["a", "b", "c"] {
            let payload = file(scratch.0.path(), name, SMALL);
            let receipt = runtime.block_on(client.upload(&post(), payload, Watch::default()));
            assert_eq!(receipt.status, Status::Delivered, "{requests} {receipt:?}");
        }
        drop((client, runtime));
        drop(server.finish());
        assert!(*posted.lock().unwrap() <= 3, "posted again");
    }
}

/// `OK - 30` is the number of bytes that the service has. It is compared on a new connection as well.
#[test]
fn a_file_that_arrived_in_part_is_not_delivered() {
    let scratch = Scratch::new();
    for stored in [0, 1, SMALL.len() - 1, SMALL.len() + 1, 2 * SMALL.len()] {
        let part = (Bytes, Action::ForwardThenRespond(http("200 OK", "", &format!("OK - {stored}"))));
        let faulty = FaultyService::new(vec![part.clone()]);
        let receipt = send(&faulty, scratch.small(), Method::External);
        assert_eq!((receipt.status, receipt.attempts), (Status::Delivered, 2), "{receipt:?}");
        let seen = faulty.finish();
        assert_eq!((seen.count(Ticket), seen.count(Bytes), seen.messages.len()), (2, 2, 1), "{stored}");
        let faulty = FaultyService::new(vec![part.clone(), part.clone(), part]);
        let receipt = send(&faulty, scratch.small(), Method::External);
        assert_eq!((receipt.status, code(&receipt), receipt.attempts), (Status::Failed, "size-differs", 3));
        let seen = faulty.finish();
        assert_eq!((seen.count(Completion), seen.messages.len()), (0, 0), "{stored}");
    }
}

/// The wait that a service asks for is spent once, and it is not one of the lookups.
#[test]
fn a_throttled_lookup_spends_its_wait_once_and_no_lookup() {
    let scratch = Scratch::new();
    let mut settings = settings(Method::External);
    settings.max_wait = SECOND * 3 / 2;
    let faulty =
        FaultyService::new(vec![(Completion, Action::ForwardThenRespond(Vec::new())), (Query, retry_after("1"))]);
    let receipt = send_with(&faulty, scratch.small(), settings.clone(), Watch::default());
    assert_eq!(receipt.status, Status::Delivered, "{receipt:?}");
    drop(faulty.finish());
    let hidden = || Action::Respond(json_response(&json!({"ok": true, "file": {"shares": {}, "channels": []}})));
    (settings.confirm_shares, settings.max_wait) = (true, SECOND * 5 / 2);
    let looks = [retry_after("1"), hidden(), retry_after("1"), hidden(), hidden()];
    let faulty = FaultyService::new(looks.map(|look| (Query, look)).into());
    let receipt = send_with(&faulty, scratch.small(), settings, Watch::default());
    assert_eq!((receipt.status, receipt.attempts), (Status::Delivered, 1), "{receipt:?}");
    let seen = faulty.finish();
    assert_eq!((seen.count(Completion), seen.count(Query), seen.messages.len()), (1, 6, 1));
}

/// Looking is not waiting: there is a second look, and a moment before it, whatever may be waited.
#[test]
fn a_completion_is_looked_up_twice_before_it_is_repeated_also_without_waits() {
    let scratch = Scratch::new();
    let mut settings = settings(Method::External);
    (settings.max_wait, settings.backoff) = (Duration::ZERO, SECOND / 4);
    let hidden = Action::Respond(json_response(&json!({"ok": true, "file": {"shares": {}, "channels": []}})));
    let faulty = FaultyService::new(vec![(Completion, Action::ForwardThenRespond(Vec::new())), (Query, hidden)]);
    let receipt = send_with(&faulty, scratch.small(), settings, Watch::default());
    assert_eq!((receipt.status, receipt.attempts), (Status::Delivered, 1), "{receipt:?}");
    assert!(receipt.elapsed >= SECOND / 4, "{receipt:?}");
    let seen = faulty.finish();
    assert_eq!((seen.count(Completion), seen.count(Query), seen.messages.len()), (1, 2, 1));
}

/// The first completion runs, its answer is lost, and the service does not show the file yet. What the journal needs to
/// say was said before the first one.
#[test]
fn a_journal_that_is_full_after_a_lost_answer_does_not_make_a_posted_file_failed() {
    for limit in 1..6 {
        let hidden = || (Query, Action::Respond(json_response(&json!({"ok": true, "file": {"channels": []}}))));
        let faulty = FaultyService::new(vec![(Completion, Action::ForwardThenRespond(Vec::new())), hidden(), hidden()]);
        let text = format!(
            "[messaging.r]\nbase_url = \"{}\"\ntoken = {{ env = \"T\" }}\nchannels = [\"C0123456789\"]\nupload_method = \"external\"\n",
            faulty.front.base()
        );
        let project = Project::new().file("credlint.toml", text).file("f.csv", SMALL);
        let mut command = std::process::Command::new("sh");
        let line = format!(
            "trap '' XFSZ; ulimit -f {limit}; exec {} upload --profile r --format json --journal j f.csv",
            env!("CARGO_BIN_EXE_credlint")
        );
        command.args(["-c", &line]).current_dir(project.path()).env_clear().env("HOME", project.home()).env("T", TOKEN);
        let run = Run::of(command);
        let upload = &run.document()["uploads"][0];
        let messages = faulty.finish().messages.len();
        let failed = upload["status"] == "failed";
        assert_eq!((run.code, messages), if failed { (3, 0) } else { (0, 1) }, "{limit} {upload}");
    }
}

/// A page that comes after the whole request may have been sent by something that has passed it on.
#[test]
fn a_page_after_the_whole_file_leaves_it_uncertain() {
    let scratch = Scratch::new();
    let page = http("200 OK", HTML, PAGE);
    let faulty = FaultyService::new(vec![(Post, Action::ForwardThenRespond(page.clone()))]);
    let receipt = send(&faulty, scratch.small(), Method::FilesUpload);
    assert_eq!((receipt.status, code(&receipt)), (Status::Uncertain, "html-answer"), "{receipt:?}");
    assert!(receipt.error.unwrap().help.unwrap().contains("look in the channel"));
    assert_eq!(faulty.finish().messages.len(), 1);
    let faulty = FaultyService::new(vec![(Post, Action::RespondEarly(1000, page))]);
    let receipt = send(&faulty, scratch.large().1, Method::FilesUpload);
    assert_eq!((receipt.status, code(&receipt)), (Status::Failed, "html-answer"), "{receipt:?}");
    assert_eq!(faulty.finish().messages.len(), 0);
}

/// The answer is whole, although its length says otherwise and the connection stays open.
#[test]
fn a_whole_object_counts_although_its_answer_does_not_end() {
    let scratch = Scratch::new();
    for (object, status) in
        [(r#"{"ok":true}"#, Status::Delivered), (r#"{"ok":false,"error":"invalid_auth"}"#, Status::Failed)]
    {
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{object}").into_bytes();
        let server = Server::start(move |connection| {
            connection.read_all();
            connection.send(&answer);
            connection.drain();
        });
        let mut settings = settings(Method::FilesUpload);
        settings.answer_timeout = SECOND * 15;
        let client = client(&server.base(), settings);
        let receipt = runtime().block_on(client.upload(&post(), scratch.small(), Watch::default()));
        assert_eq!(receipt.status, status, "{receipt:?}");
        assert!(receipt.elapsed < SECOND * 10, "{receipt:?}");
    }
}
