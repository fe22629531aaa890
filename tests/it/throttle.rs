//! Many files at a service that takes fewer requests than they need. `benches/throttle.py` has the times.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use credlint::upload::{Method, Receipt, Settings, Status, Watch};
use futures_util::StreamExt;
use serde_json::{Value, json};

use crate::external::{client, file, http, json_response, noise, post};
use crate::server::{Connection, Service, runtime};

/// Decides whether a request to an operation is taken. If not, returns the answer.
type Limit = Box<dyn FnMut(&str, Instant) -> Option<Vec<u8>> + Send>;

/// A number of requests a second, of which up to `burst` may come at once.
fn bucket(rate: f64, burst: f64, refusal: Vec<u8>) -> Limit {
    let mut state = (burst, None::<Instant>);
    Box::new(move |_, now| {
        let passed = state.1.map_or(0.0, |before| now.duration_since(before).as_secs_f64());
        let tokens = (state.0 + passed * rate).min(burst);
        state = (tokens - f64::from(u8::from(tokens >= 1.0)), Some(now));
        (tokens < 1.0).then(|| refusal.clone())
    })
}

/// A number of requests to one operation in each window.
fn window(operation: &'static str, most: usize, length: Duration, refusal: Vec<u8>) -> Limit {
    let mut state = (None::<Instant>, 0);
    Box::new(move |name, now| {
        if name != operation {
            return None;
        }
        if state.0.is_none_or(|begun| now.duration_since(begun) >= length) {
            state = (Some(now), 0);
        }
        state.1 += 1;
        (state.1 > most).then(|| refusal.clone())
    })
}

/// The 429 of a gateway, and of the service.
fn page() -> Vec<u8> {
    http("429 Too Many Requests", "Content-Type: text/html\r\n", "<html>429 Too Many Requests</html>")
}

fn ratelimited(headers: &str) -> Vec<u8> {
    http("429 Too Many Requests", headers, r#"{"ok":false,"error":"ratelimited"}"#)
}

/// The number of requests, and of posted files.
type Seen = Arc<Mutex<(usize, usize)>>;

fn service(limit: Limit) -> (Service, Seen) {
    let (limit, seen) = (Mutex::new(limit), Seen::default());
    let counted = Arc::clone(&seen);
    let service = Service::start(move |_, connection| {
        connection.read_all();
        let path = connection.line().split(' ').nth(1).unwrap().to_owned();
        let name = path.strip_prefix("/api/").unwrap_or("upload");
        counted.lock().unwrap().0 += 1;
        let refusal = limit.lock().unwrap()(name, Instant::now());
        let answer = refusal.unwrap_or_else(|| json_or_text(connection, name));
        if answer.starts_with(b"HTTP/1.1 200") && matches!(name, "files.upload" | "files.completeUploadExternal") {
            counted.lock().unwrap().1 += 1;
        }
        connection.send(&answer);
    });
    (service, seen)
}

fn json_or_text(connection: &mut Connection, name: &str) -> Vec<u8> {
    let here = connection.stream().local_addr().unwrap();
    json_response(&match name {
        "files.getUploadURLExternal" => {
            let id = format!("F{}", connection.fields()[0].1.to_uppercase());
            json!({"ok": true, "upload_url": format!("http://{here}/{id}"), "file_id": id})
        }
        "files.completeUploadExternal" => {
            let files: Value = serde_json::from_str(&connection.fields()[0].1).unwrap();
            json!({"ok": true, "files": files})
        }
        "files.upload" => json!({"ok": true, "file": {}}),
        _ => return http("200 OK", "", &format!("OK - {}", connection.body.len())),
    })
}

fn settings(method: Method) -> Settings {
    let mut settings = crate::external::settings(method);
    settings.retries = 4;
    settings.backoff = Duration::from_millis(100);
    settings.max_wait = Duration::from_secs(12);
    settings
}

fn send(service: &Service, directory: &Path, settings: Settings, files: usize, at_a_time: usize) -> Vec<Receipt> {
    let (client, post) = (client(&service.base(), settings), post());
    let upload = |number| client.upload(&post, file(directory, &format!("f{number}"), &noise(30)), Watch::default());
    runtime().block_on(futures_util::stream::iter((0..files).map(upload)).buffer_unordered(at_a_time).collect())
}

/// The limits of `benches/throttle.py`, ten times as fast.
#[test]
fn no_file_fails_because_others_are_sent_as_well() {
    let directory = tempfile::tempdir().unwrap();
    let ticket = "files.getUploadURLExternal";
    for (what, method, files, at_a_time, limit, ideal) in [
        ("a bucket", Method::External, 30, 8, bucket(50.0, 5.0, page()), 1.8),
        ("a bucket", Method::FilesUpload, 60, 8, bucket(50.0, 5.0, page()), 1.2),
        ("a bucket, many at a time", Method::External, 30, 30, bucket(50.0, 5.0, page()), 1.8),
        ("a bucket, a code", Method::External, 30, 8, bucket(50.0, 5.0, ratelimited("")), 1.8),
        ("tickets", Method::External, 24, 8, window(ticket, 2, Duration::from_millis(100), ratelimited("")), 1.2),
        ("posts", Method::FilesUpload, 40, 8, window("files.upload", 2, Duration::from_millis(100), page()), 2.0),
    ] {
        let (service, seen) = service(limit);
        let begun = Instant::now();
        let receipts = send(&service, directory.path(), settings(method), files, at_a_time);
        let elapsed = begun.elapsed().as_secs_f64();
        drop(service.finish());
        let failed: Vec<_> = receipts.iter().filter(|receipt| receipt.status != Status::Delivered).collect();
        assert!(failed.is_empty(), "{what} {method:?} after {elapsed}: {failed:#?}");
        let (requests, posted) = *seen.lock().unwrap();
        let needed = if method == Method::External { 3 * files } else { files };
        assert_eq!(posted, files, "{what} {method:?}");
        // The times on a quiet machine are in the benchmark.
        assert!(elapsed < 3.0 * ideal, "{what} {method:?}: {elapsed} s instead of {ideal} s");
        assert!(requests < 5 * needed, "{what} {method:?}: {requests} requests instead of {needed}");
    }
}

/// A wait that the service asks for, and one retry: whoever has waited goes first.
#[test]
fn who_has_waited_goes_first() {
    let directory = tempfile::tempdir().unwrap();
    let mut settings = settings(Method::External);
    settings.retries = 1;
    let limit = window("files.getUploadURLExternal", 1, Duration::from_millis(900), ratelimited("Retry-After: 1\r\n"));
    let (service, seen) = service(limit);
    let begun = Instant::now();
    let receipts = send(&service, directory.path(), settings, 6, 6);
    drop(service.finish());
    assert!(receipts.iter().all(|receipt| receipt.status == Status::Delivered), "{receipts:#?}");
    assert!(begun.elapsed() < Duration::from_secs(9), "{:?}", begun.elapsed());
    // Nobody asks while the service has asked to wait, except those that were under way.
    assert!(seen.lock().unwrap().0 <= 3 * 6 + 6 + 6, "{:?}", seen.lock().unwrap());
}

/// Files that are never taken end anyway, also if others pass.
#[test]
fn a_service_that_never_takes_a_step_ends_the_run() {
    let directory = tempfile::tempdir().unwrap();
    for refused in ["files.getUploadURLExternal", "upload", "files.completeUploadExternal"] {
        let limit = window(refused, 0, Duration::from_secs(1), page());
        let (service, seen) = service(limit);
        let mut settings = settings(Method::External);
        (settings.retries, settings.backoff) = (2, Duration::from_millis(20));
        let receipts = send(&service, directory.path(), settings, 12, 4);
        drop(service.finish());
        assert!(receipts.iter().all(|receipt| receipt.status == Status::Failed), "{refused} {receipts:#?}");
        assert!(seen.lock().unwrap().0 < 12 * 10, "{refused} {:?}", seen.lock().unwrap());
    }
}
