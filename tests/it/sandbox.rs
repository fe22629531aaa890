//! The embedded services, over real sockets and with a client that is none of ours.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use credlint::sandbox::{Fault, Ledger, Message, Options, Sandbox};
use serde_json::{Value, json};

/// SHA-256 of `abc`, from FIPS 180-2.
const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/// The service, on a thread of its own until it is dropped.
struct Service {
    base: String,
    ledger: Ledger,
    runtime: Option<tokio::runtime::Runtime>,
}

struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.split_once(": ").filter(|(key, _)| *key == name).map(|(_, value)| value))
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

fn request(method: &str, path: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let mut request = format!(
        "{method} {path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n"
    )
    .into_bytes();
    request.extend(body);
    request
}

/// `name=value` pairs, as browsers send them.
fn form(fields: &[(&str, &str)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

fn base64(text: &str) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits: String = text.bytes().map(|byte| format!("{byte:08b}")).collect();
    let letters = bits.as_bytes().chunks(6).map(|six| {
        let six = format!("{:0<6}", std::str::from_utf8(six).unwrap());
        char::from(ALPHABET[usize::from_str_radix(&six, 2).unwrap()])
    });
    let text: String = letters.collect();
    format!("{text}{}", "=".repeat((4 - text.len() % 4) % 4))
}

const AUTH: &str = "Authorization: Bearer stand-in\r\n";

impl Service {
    fn start(options: Options) -> Self {
        let sandbox = Sandbox::bind("127.0.0.1:0".parse().unwrap(), options).unwrap();
        let (base, ledger) = (sandbox.base_url(), sandbox.ledger());
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        drop(runtime.spawn(sandbox.run()));
        Self { base, ledger, runtime: Some(runtime) }
    }

    fn failing(faults: &[&str]) -> Self {
        let faults: Vec<Fault> = faults.iter().map(|fault| fault.parse().unwrap()).collect();
        Self::start(Options::default().with_faults(faults))
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.base.strip_prefix("http://").unwrap()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    }

    /// Sends, and reads to the end of the connection. The error is that of the reading.
    fn raw(&self, request: &[u8]) -> std::io::Result<String> {
        let mut stream = self.connect();
        // Of a connection that is reset meanwhile, the reading tells.
        let _ = stream.write_all(request);
        let mut answer = String::new();
        stream.read_to_string(&mut answer).map(|_| answer)
    }

    fn send(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Answer {
        let answer = self.raw(&request(method, path, headers, body)).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {answer}"));
        Answer { status: head[9..12].parse().unwrap(), head: head.to_owned(), body: body.to_owned() }
    }

    fn post(&self, method: &str, fields: &[(&str, &str)]) -> Answer {
        let headers = format!("{AUTH}Content-Type: application/x-www-form-urlencoded\r\n");
        self.send("POST", &format!("/api/{method}"), &headers, form(fields).as_bytes())
    }

    fn call(&self, method: &str, fields: &[(&str, &str)]) -> Value {
        let answer = self.post(method, fields);
        assert_eq!(answer.status, 200, "{}", answer.head);
        answer.json()
    }

    /// The error of a call that is refused.
    fn refusal(&self, method: &str, fields: &[(&str, &str)]) -> String {
        let answer = self.call(method, fields);
        assert_eq!(answer["ok"], false, "{method} {fields:?}: {answer}");
        answer["error"].as_str().unwrap().to_owned()
    }

    /// A ticket: the path for the bytes, and the id of the file.
    fn ticket(&self, name: &str, length: usize) -> (String, String) {
        let answer = self.call("files.getUploadURLExternal", &[("filename", name), ("length", &length.to_string())]);
        assert_eq!(answer["ok"], true, "{answer}");
        let url = answer["upload_url"].as_str().unwrap();
        let path = url.strip_prefix(self.base.as_str()).unwrap();
        assert!(path.starts_with("/upload/v1/"), "{url}");
        (path.to_owned(), answer["file_id"].as_str().unwrap().to_owned())
    }

    fn bytes(&self, path: &str, bytes: &[u8]) -> (u16, String) {
        let answer = self.send("POST", path, "Content-Type: application/octet-stream\r\n", bytes);
        (answer.status, answer.body)
    }

    /// A file whose bytes are there.
    fn uploaded(&self, name: &str, bytes: &[u8]) -> String {
        let (path, id) = self.ticket(name, bytes.len());
        assert_eq!(self.bytes(&path, bytes), (200, format!("OK - {}", bytes.len())));
        id
    }

    fn complete(&self, ids: &[&str], more: &[(&str, &str)]) -> Value {
        let files: Vec<Value> = ids.iter().map(|id| json!({"id": id})).collect();
        let files = json!(files).to_string();
        self.call("files.completeUploadExternal", &[&[("files", files.as_str())], more].concat())
    }

    fn messages(&self) -> Vec<Message> {
        self.ledger.messages()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

#[test]
fn three_calls_share_a_file() {
    let service = Service::start(Options::default());
    let (path, id) = service.ticket("r é.csv", 3);
    let info = || service.call("files.info", &[("file", &id)]);
    assert_eq!(info(), json!({"ok": false, "error": "file_not_found"}));
    assert_eq!(service.complete(&[&id], &[("channels", "C0123456789")])["error"], "file_not_found");
    // The bytes come twice: the second ones count.
    assert_eq!(service.bytes(&path, b"xyz"), (200, "OK - 3".to_owned()));
    let answer = service.send("POST", &path, AUTH, b"abc");
    assert_eq!((answer.status, answer.body.as_str()), (200, "OK - 3"));
    assert_eq!(answer.header("content-type"), Some("text/plain"));
    assert_eq!(info()["error"], "file_not_found");
    let answer = service.call(
        "files.completeUploadExternal",
        &[
            ("files", &json!([{"id": id, "title": "The report"}]).to_string()),
            ("channels", "C0123456789,D0123456789,G0123456789"),
            ("initial_comment", "für dich"),
        ],
    );
    assert_eq!(answer, json!({"ok": true, "files": [{"id": id, "title": "The report"}]}));
    let messages = service.messages();
    let [message] = messages.as_slice() else { panic!("{messages:?}") };
    assert_eq!(message.channels, ["C0123456789", "D0123456789", "G0123456789"]);
    assert_eq!((message.comment_length, &message.thread_ts), (8, &None));
    let [file] = message.files.as_slice() else { panic!("{message:?}") };
    assert_eq!((file.id.as_str(), file.name.as_str(), file.size, file.sha256.as_str()), (&*id, "r é.csv", 3, ABC));
    let share = json!([{"ts": message.ts}]);
    assert_eq!(
        info(),
        json!({"ok": true, "file": {
            "id": id,
            "name": "r é.csv",
            "title": "The report",
            "size": 3,
            "permalink": format!("{}/files/{id}/r%20%C3%A9.csv", service.base),
            "channels": ["C0123456789"],
            "groups": ["G0123456789"],
            "ims": ["D0123456789"],
            "shares": {
                "public": {"C0123456789": share},
                "private": {"G0123456789": share, "D0123456789": share},
            },
        }})
    );
    // Only once, and nothing follows.
    assert_eq!(service.complete(&[&id], &[("channels", "C0123456789")])["error"], "file_not_found");
    assert_eq!(service.bytes(&path, b"abc").0, 404);
    assert_eq!(service.messages().len(), 1);
}
