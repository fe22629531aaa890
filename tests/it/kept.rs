//! Connections that are kept for the next file, and how they end in the meantime.

use std::collections::{HashMap, HashSet};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use credlint::upload::{Method, Payload, Settings, Status, Watch};
use futures_util::StreamExt;
use serde_json::{Value, json};

use crate::external::{client, code, file, noise, post, stream};
use crate::server::{Connection, Service, runtime};

/// Settings that allow no wait before a retry: an upload that needs one fails.
fn settings(method: Method) -> Settings {
    let mut settings = crate::external::settings(method);
    settings.keep_connections = true;
    settings.retries = 0;
    settings
}

/// An answer after which the connection is kept.
fn keep_alive_response(status: &str, value: &Value) -> Vec<u8> {
    let body = value.to_string();
    format!("HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len())
        .into_bytes()
}

/// The number of tickets of all tests.
static TICKETS: AtomicUsize = AtomicUsize::new(0);

/// The IDs of the files that a completion has posted.
static POSTED: Mutex<Option<HashSet<String>>> = Mutex::new(None);

/// The answer to a request.
fn answer(connection: &mut Connection) -> Vec<u8> {
    let here = connection.stream().local_addr().unwrap();
    let path = connection.line().split(' ').nth(1).unwrap();
    let id = match path {
        "/api/files.completeUploadExternal" => {
            let files: Value = serde_json::from_str(&connection.fields()[0].1).unwrap();
            files[0]["id"].as_str().unwrap().to_owned()
        }
        "/api/files.info" => connection.fields()[0].1.clone(),
        _ => format!("F{:010}", TICKETS.fetch_add(1, Ordering::SeqCst)),
    };
    let mut posted = POSTED.lock().unwrap();
    let posted = posted.get_or_insert_default();
    if path.ends_with("completeUploadExternal") {
        posted.insert(id.clone());
    }
    let channels = if path.ends_with("files.info") && !posted.contains(&id) { vec![] } else { vec!["C0123456789"] };
    let file = json!({"id": id, "channels": channels});
    keep_alive_response(
        "200 OK",
        &match path.strip_prefix("/api/") {
            Some("files.getUploadURLExternal") => {
                json!({"ok": true, "upload_url": format!("http://{here}/upload/v1/{id}"), "file_id": id})
            }
            Some("files.completeUploadExternal") => json!({"ok": true, "files": [file]}),
            Some(_) => json!({"ok": true, "file": file}),
            None => json!({"ok": true}),
        },
    )
}

/// Returns `true` if the client sends another request.
fn has_next_request(connection: &mut Connection) -> bool {
    let more = connection.stream().peek(&mut [0]).unwrap_or(0) > 0;
    if more {
        connection.body.clear();
    }
    more
}

/// Reads as much of a request as possible. Returns `true` if it is complete.
fn read_whole(connection: &mut Connection) -> bool {
    connection.read_head();
    let Some(len) = connection.header("content-length").map(|len| len.parse::<usize>().unwrap()) else {
        connection.read_body();
        return true;
    };
    connection.drain_form();
    connection.body.len() == len
}

/// Ends a connection with a reset.
fn reset(stream: &TcpStream) {
    let runtime = runtime();
    let _entered = runtime.enter();
    stream.set_nonblocking(true).unwrap();
    let stream = tokio::net::TcpStream::from_std(stream.try_clone().unwrap()).unwrap();
    stream.set_zero_linger().unwrap();
}

/// Waits without letting the client look at its connections.
fn wait_until(what: &str, done: impl Fn() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_micros(50));
    }
}

const FILES: usize = 60;

/// Ends every connection after `answers` requests, before the next file begins. A file by `files.upload` has its own
/// connection, since the service can't be asked about it.
fn close_after(method: Method, answers: usize, by_reset: bool) {
    let (ended, posted, decided) = (Arc::default(), Arc::default(), Arc::default());
    let (ends, posts, decides) = (Arc::clone(&ended), Arc::clone(&posted), Arc::clone(&decided));
    let add = |to: &AtomicUsize, number: bool| to.fetch_add(usize::from(number), Ordering::SeqCst);
    let server = Service::start(move |_, connection| {
        for number in 1.. {
            if !has_next_request(connection) || !read_whole(connection) {
                return;
            }
            let line = connection.line();
            let posts_it = line.ends_with("files.upload") || line.ends_with("completeUploadExternal");
            let answer = answer(connection);
            add(&posts, posts_it);
            connection.send(&answer);
            if number == answers {
                if by_reset {
                    reset(connection.stream());
                }
                connection.stream = None;
                add(&ends, true);
                add(&decides, true);
                return;
            }
            add(&decides, true);
        }
    });
    let post = post();
    let directory = tempfile::tempdir().unwrap();
    let requests = if method == Method::External { 3 } else { 1 };
    runtime().block_on(async {
        let mut client = client(&server.base(), settings(method));
        for number in 0..FILES {
            // A client stops keeping connections after the first one that ends like this; a new client keeps them
            // again.
            if number % 6 == 0 {
                client = crate::external::client(&server.base(), settings(method));
            }
            let receipt = client.upload(&post, file(directory.path(), "f", &noise(2000)), Watch::default()).await;
            assert_eq!((receipt.status, receipt.attempts), (Status::Delivered, 1), "{number} {receipt:?}");
            // For each request it is decided whether its connection ends.
            wait_until("the end of a connection", || decided.load(Ordering::SeqCst) >= requests * (number + 1));
        }
    });
    assert_eq!(posted.load(Ordering::SeqCst), FILES);
    assert!(answers > requests || ended.load(Ordering::SeqCst) >= FILES / 10, "the server closed no connection");
    let connections = server.finish().len();
    assert!(method == Method::External || connections == FILES, "{connections}");
}

#[test]
fn a_closed_idle_connection_costs_no_attempt() {
    for method in [Method::FilesUpload, Method::External] {
        for answers in [1, 2, 5] {
            close_after(method, answers, false);
        }
    }
}

#[test]
fn a_reset_idle_connection_costs_no_attempt() {
    for method in [Method::FilesUpload, Method::External] {
        for answers in [1, 2, 5] {
            close_after(method, answers, true);
        }
    }
}

/// Every close would meet the next file: the server closes a connection when the first bytes of its second request arrive.
#[test]
fn no_close_meets_a_file_that_cannot_be_looked_up() {
    let directory = tempfile::tempdir().unwrap();
    let server = Service::start(move |_, connection| {
        read_whole(connection);
        let mut answer = answer(connection);
        if connection.line().ends_with("files.info") {
            answer = keep_alive_response("200 OK", &json!({"ok": false, "error": "unknown_method"}));
        }
        connection.send(&answer);
        has_next_request(connection);
    });
    let post = post();
    for method in [Method::FilesUpload, Method::External] {
        let client = client(&server.base(), settings(method));
        runtime().block_on(async {
            for _ in 0..FILES {
                let receipt = client.upload(&post, file(directory.path(), "f", &noise(100)), Watch::default()).await;
                assert_eq!((receipt.status, receipt.attempts), (Status::Delivered, 1), "{receipt:?}");
            }
        });
    }
    drop(server.finish());
}

/// Completions reuse connections once the service has answered a question about a file.
#[test]
fn a_run_by_external_needs_few_connections() {
    let directory = tempfile::tempdir().unwrap();
    let server = Service::start(move |_, connection| {
        while has_next_request(connection) && read_whole(connection) {
            let answer = answer(connection);
            connection.send(&answer);
        }
    });
    let (client, post) = (client(&server.base(), settings(Method::External)), post());
    runtime().block_on(async {
        for _ in 0..FILES {
            let receipt = client.upload(&post, file(directory.path(), "f", &noise(100)), Watch::default()).await;
            assert_eq!((receipt.status, receipt.attempts), (Status::Delivered, 1), "{receipt:?}");
        }
    });
    drop(client);
    let connections = server.finish().len();
    assert!(connections < FILES / 4, "{connections}");
}

/// When a second answer leaves the service.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SendTiming {
    /// At once: it has arrived before the second file is sent.
    AtOnce,
    /// Only after the first answer was acknowledged (Nagle's algorithm), which the first bytes of the second request
    /// do.
    Acknowledged,
}

/// A service that sends something unsolicited after its answer to the first file. The second file is sent by a request
/// like the first.
fn send_unsolicited(second: &[u8], timing: SendTiming, method: Method, payload: impl Fn(&str) -> Payload) {
    let sent = Arc::new(AtomicUsize::new(0));
    // With the question whether a file can be looked up.
    let requests = if method == Method::External { 4 } else { 1 };
    let unsolicited_is_429 = second.starts_with(b"HTTP/1.1 429");
    let (unsolicited, tell, go_on) = (second.to_vec(), Arc::clone(&sent), Arc::new(AtomicUsize::new(0)));
    let told = Arc::clone(&go_on);
    let server = Service::start(move |number, connection| {
        connection.stream().set_nodelay(timing == SendTiming::AtOnce).unwrap();
        let mut answered = 0;
        while has_next_request(connection) && read_whole(connection) {
            let answer = answer(connection);
            connection.send(&answer);
            answered += 1;
            if number == 0 && answered == requests {
                wait_until("the first receipt", || told.load(Ordering::SeqCst) == 1);
                connection.send(&unsolicited);
                tell.store(1, Ordering::SeqCst);
            }
        }
    });
    let (client, post) = (client(&server.base(), settings(method)), post());
    runtime().block_on(async {
        let first = client.upload(&post, payload("first"), Watch::default()).await;
        assert_eq!(first.status, Status::Delivered, "{first:?}");
        go_on.store(1, Ordering::SeqCst);
        wait_until("the second answer", || sent.load(Ordering::SeqCst) == 1);
        let second = client.upload(&post, payload("second"), Watch::default()).await;
        // On a used connection it may be the answer that more was asked than the service takes; no retry is allowed here.
        let throttled = code(&second) == "http-status" && second.status == Status::Failed;
        assert!(throttled || (second.status, second.attempts) == (Status::Delivered, 1), "{second:?}");
        assert!(!throttled || unsolicited_is_429 && method == Method::External, "{second:?}");
    });
    drop(client);
    let seen = server.finish();
    // What was sent on the first connection does not count: the last one to arrive is a complete request of the second
    // file.
    assert!(seen.len() > 1 || unsolicited_is_429, "the second file was not sent");
    let last = seen.last().unwrap();
    assert!(last.header("content-length").is_none_or(|len| last.body.len() == len.parse::<usize>().unwrap()));
    if method == Method::FilesUpload {
        assert!(last.parts().iter().any(|(_, name, _)| name.as_deref() == Some("second")));
    }
}

#[test]
fn an_unsolicited_response_is_not_attributed_to_the_next_file() {
    let directory = tempfile::tempdir().unwrap();
    for second in [
        keep_alive_response("200 OK", &json!({"ok": true, "file": {"id": "F0123456789"}})),
        keep_alive_response("200 OK", &json!({"ok": false, "error": "invalid_auth"})),
        keep_alive_response("413 Content Too Large", &json!({})),
        keep_alive_response("429 Too Many Requests", &json!({})),
        b"SSH-2.0-OpenSSH_9.2\r\n".to_vec(),
    ] {
        for method in [Method::FilesUpload, Method::External] {
            for len in [9, 300_000] {
                send_unsolicited(&second, SendTiming::AtOnce, method, |name| file(directory.path(), name, &noise(len)));
            }
        }
        // A large request begins before the check.
        send_unsolicited(&second, SendTiming::Acknowledged, Method::FilesUpload, |name| {
            file(directory.path(), name, &noise(300_000))
        });
        // A stream can be sent only once, so it uses a new connection.
        send_unsolicited(&second, SendTiming::Acknowledged, Method::FilesUpload, |name| stream(name, &noise(9)));
    }
}

/// An answer on a new connection counts.
#[test]
fn an_early_response_repeated_on_a_new_connection_counts() {
    let directory = tempfile::tempdir().unwrap();
    let early = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&early);
    let server = Service::start(move |number, connection| {
        while has_next_request(connection) {
            connection.read_head();
            if connection.header("content-length").unwrap().parse::<usize>().unwrap() < 1_000_000 {
                connection.read_body();
                let answer = answer(connection);
                connection.send(&answer);
                continue;
            }
            connection.read_some(1000);
            log.lock().unwrap().push(number);
            connection.send(&keep_alive_response("413 Content Too Large", &json!({})));
            return connection.drain();
        }
    });
    let (client, post) = (client(&server.base(), settings(Method::External)), post());
    runtime().block_on(async {
        let small = client.upload(&post, file(directory.path(), "small", &noise(40_000)), Watch::default()).await;
        assert_eq!(small.status, Status::Delivered, "{small:?}");
        let large = client.upload(&post, file(directory.path(), "large", &noise(20_000_000)), Watch::default()).await;
        let ended = (large.status, code(&large), large.attempts);
        assert_eq!(ended, (Status::Failed, "http-status", 1), "{large:?}");
    });
    drop(client);
    drop(server.finish());
    let early = early.lock().unwrap();
    assert!(early.len() == 2 && early[0] < early[1], "{early:?}");
}

/// Each answer is sent twice, the second time at once or later: no file is posted under another one's name or with its
/// bytes.
#[test]
fn an_answer_that_is_sent_twice_is_not_attributed_to_another_file() {
    type Files = Mutex<HashMap<String, Vec<u8>>>;
    for late in [0, 4] {
        let (bytes, titles) = (Arc::new(Files::default()), Arc::new(Files::default()));
        let (received, completed) = (Arc::clone(&bytes), Arc::clone(&titles));
        let server = Service::start(move |_, connection| {
            connection.stream().set_nodelay(true).unwrap();
            while has_next_request(connection) && read_whole(connection) {
                let mut twice = answer(connection);
                if let Some(id) = connection.line().strip_prefix("POST /upload/v1/").map(str::to_owned) {
                    let text = format!("OK - {}", connection.body.len());
                    twice = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{text}", text.len()).into_bytes();
                    received.lock().unwrap().insert(id, connection.body.clone());
                } else if connection.line().ends_with("completeUploadExternal") {
                    let files: Value = serde_json::from_str(&connection.fields()[0].1).unwrap();
                    let [id, title] = ["id", "title"].map(|key| files[0][key].as_str().unwrap().to_owned());
                    assert!(completed.lock().unwrap().insert(id, title.into()).is_none(), "posted twice");
                } else if connection.line().ends_with("files.info") {
                    // A completion that arrived in part posted nothing.
                    let id = connection.fields()[0].1.clone();
                    if !completed.lock().unwrap().contains_key(&id) {
                        twice = keep_alive_response("200 OK", &json!({"ok": true, "file": {"id": id, "channels": []}}));
                    }
                }
                connection.send(&twice);
                std::thread::sleep(Duration::from_millis(late));
                connection.send(&twice);
            }
        });
        let directory = tempfile::tempdir().unwrap();
        let mut settings = settings(Method::External);
        settings.retries = 2;
        let (client, post) = (client(&server.base(), settings), post());
        let receipts: Vec<_> = runtime().block_on(async {
            let uploads = (1..=60).map(|number| {
                client.upload(&post, file(directory.path(), &format!("f{number}"), &noise(number)), Watch::default())
            });
            futures_util::stream::iter(uploads).buffered(4).collect().await
        });
        let (bytes, titles) = (bytes.lock().unwrap(), titles.lock().unwrap());
        for (number, receipt) in (1..).zip(&receipts) {
            assert_eq!(receipt.status, Status::Delivered, "{receipt:?}");
            let id = receipt.file_id.as_ref().unwrap();
            assert_eq!((&bytes[id], &titles[id]), (&noise(number), &format!("f{number}").into_bytes()), "{receipt:?}");
        }
    }
}
