//! The embedded services, over real sockets and with an independent client.

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
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n"
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

    /// Sends a request, and reads to the end of the connection. The error is that of reading.
    fn raw(&self, request: &[u8]) -> std::io::Result<String> {
        let mut stream = self.connect();
        // Reading reports a connection that was reset in the meantime.
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

    /// The error of a refused call.
    fn refusal(&self, method: &str, fields: &[(&str, &str)]) -> String {
        let answer = self.call(method, fields);
        assert_eq!(answer["ok"], false, "{method} {fields:?}: {answer}");
        answer["error"].as_str().unwrap().to_owned()
    }

    /// Gets a ticket: the upload path and the ID of the file.
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

    /// Sends the bytes of a file, without completing it.
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
fn three_requests_share_a_file() {
    let service = Service::start(Options::default());
    let (path, id) = service.ticket("r é.csv", 3);
    let info = || service.call("files.info", &[("file", &id)]);
    assert_eq!(info(), json!({"ok": false, "error": "file_not_found"}));
    assert_eq!(service.complete(&[&id], &[("channels", "C0123456789")])["error"], "file_not_found");
    // The bytes are sent twice: the second ones count.
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
    // A file is completed only once, and can't be replaced afterwards.
    assert_eq!(service.complete(&[&id], &[("channels", "C0123456789")])["error"], "file_not_found");
    assert_eq!(service.bytes(&path, b"abc").0, 404);
    assert_eq!(service.messages().len(), 1);
}

#[test]
fn several_files_are_posted_as_one_message_in_a_thread() {
    let service = Service::start(Options::default());
    let ids = [service.uploaded("a", b"abc"), service.uploaded("b", b"\0\r\n--")];
    let to = [("channel_id", "C0123456789"), ("thread_ts", "1700000000.000100")];
    assert_eq!(
        service.complete(&[&ids[0], &ids[1]], &to),
        json!({"ok": true, "files": [{"id": ids[0], "title": "a"}, {"id": ids[1], "title": "b"}]})
    );
    // Without a channel, a file stays private.
    let private = service.uploaded("c", b"c");
    assert_eq!(service.complete(&[&private], &[])["ok"], true);
    let messages = service.messages();
    assert_eq!(messages.len(), 2);
    assert_eq!(messages[0].files.iter().map(|file| &file.id).collect::<Vec<_>>(), [&ids[0], &ids[1]]);
    assert_eq!(messages[0].thread_ts.as_deref(), Some("1700000000.000100"));
    assert!(messages[1].channels.is_empty() && messages[0].ts < messages[1].ts);
    assert_eq!(
        service.call("files.info", &[("file", &private)])["file"]["shares"],
        json!({"public": {}, "private": {}})
    );
}

/// Files beyond the limit of a message go into another one, and only the first has the text.
#[cfg(feature = "upload")]
#[test]
fn files_beyond_the_limit_of_a_message_are_posted_in_another() {
    use credlint::upload::{Method, Status};

    use crate::external::{client, post, send_together, settings};

    let directory = tempfile::tempdir().unwrap();
    for (limit, sizes) in [(Some(2), &[2, 2, 1][..]), (None, &[5])] {
        let service = Service::start(Options::default());
        let mut limited = settings(Method::External);
        limited.files_per_message = limit;
        let client = client(&service.base, limited);
        let files = ["a", "b", "c", "d", "e"].map(|name| directory.path().join(name));
        for file in &files {
            std::fs::write(file, "x").unwrap();
        }
        let post = post().with_comment(Some("Nightly".into()));
        let receipts = send_together(&client, &post, &files, 3);
        assert!(receipts.iter().all(|receipt| receipt.status == Status::Delivered), "{receipts:?}");
        let messages = service.messages();
        assert_eq!(messages.iter().map(|message| message.files.len()).collect::<Vec<_>>(), sizes);
        let texts: Vec<_> =
            messages.iter().map(|message| message.comment_length).filter(|&length| length > 0).collect();
        assert_eq!(texts, ["Nightly".len()], "{limit:?}");
    }
}

#[test]
fn invalid_upload_url_requests_are_rejected() {
    let service = Service::start(Options::default());
    for (fields, error) in [
        (&[][..], "missing_argument"),
        (&[("filename", "a")], "missing_argument"),
        (&[("length", "1")], "missing_argument"),
        (&[("filename", ""), ("length", "1")], "missing_argument"),
        (&[("filename", "a"), ("length", "0")], "invalid_arguments"),
        (&[("filename", "a"), ("length", "-5")], "invalid_arguments"),
        (&[("filename", "a"), ("length", "1.5")], "invalid_arguments"),
    ] {
        assert_eq!(service.refusal("files.getUploadURLExternal", fields), error, "{fields:?}");
    }
    assert_eq!(
        service.call("files.getUploadURLExternal", &[("filename", "a"), ("length", "0")])["response_metadata"],
        json!({"messages": ["[ERROR] must be greater than 1 [json-pointer:/length]"]})
    );
}

/// What the ledger records of a file and its message, and what is refused.
#[test]
fn snippets_descriptions_and_blocks_are_recorded() {
    let service = Service::start(Options::default());
    let ticket = |more: &[(&str, &str)]| {
        let fields = [&[("filename", "a"), ("length", "3")], more].concat();
        service.call("files.getUploadURLExternal", &fields)
    };
    let long = "é".repeat(1001);
    for (more, error) in [
        (&[("alt_txt", &long[..])][..], "alt_txt_too_large"),
        (&[("snippet_type", "c++")], "unknown_snippet_type"),
        (&[("snippet_type", "x y")], "unknown_snippet_type"),
        (&[("snippet_type", "text"), ("length", "1048577")], "snippet_too_large"),
    ] {
        assert_eq!(ticket(more)["error"], error, "{more:?}");
    }
    assert_eq!(ticket(&[("snippet_type", "text"), ("length", "1048576")])["ok"], true);
    let answer = ticket(&[("snippet_type", "objective-c_2"), ("alt_txt", &long[2..])]);
    let (url, id) = (answer["upload_url"].as_str().unwrap(), answer["file_id"].as_str().unwrap());
    assert_eq!(service.bytes(url.strip_prefix(&service.base).unwrap(), b"abc").0, 200);
    let many = json!(vec![json!({"type": "divider"}); 51]).to_string();
    for blocks in ["x", "{}", "[]", "[1]", r#"[{"text": "x"}]"#, &many] {
        assert_eq!(service.complete(&[id], &[("blocks", blocks)])["error"], "invalid_blocks", "{blocks}");
    }
    // They are ignored beside a comment.
    let one = json!([{"type": "section", "text": {"type": "plain_text", "text": "x"}}]).to_string();
    let other = service.uploaded("b", b"b");
    assert_eq!(service.complete(&[&other], &[("blocks", "x"), ("initial_comment", "y")])["ok"], true);
    assert_eq!(service.complete(&[id], &[("blocks", &one)])["ok"], true);
    let messages = service.messages();
    assert_eq!(messages.iter().map(|message| message.blocks).collect::<Vec<_>>(), [0, 1]);
    let file = &messages[1].files[0];
    assert_eq!((file.snippet_type.as_deref(), file.alt_text_length), (Some("objective-c_2"), 1000));
}

#[test]
fn channels_are_listed_in_pages() {
    let scopes = ["channels:read", "groups:read"].map(str::to_owned).to_vec();
    let channels = ["C0123456789=general", "G0123456789=secret", "C1123456789", "D0123456789"].map(str::to_owned);
    let options = Options::default().with_channels(channels.to_vec());
    let service = Service::start(options.clone().with_scopes(scopes));
    let list = |fields: &[(&str, &str)]| {
        let answer = service.call("conversations.list", fields);
        let ids = answer["channels"].as_array().into_iter().flatten();
        let ids: Vec<String> = ids
            .map(|channel| format!("{}={}", channel["id"].as_str().unwrap(), channel["name"].as_str().unwrap()))
            .collect();
        (ids.join(" "), answer["response_metadata"]["next_cursor"].as_str().unwrap_or_default().to_owned())
    };
    let both = ("types", "public_channel,private_channel");
    assert_eq!(list(&[]), ("C0123456789=general C1123456789=c1123456789".to_owned(), String::new()));
    let (first, cursor) = list(&[both, ("limit", "2")]);
    assert_eq!(first, "C0123456789=general G0123456789=secret");
    assert_eq!(
        list(&[both, ("limit", "2"), ("cursor", &cursor)]),
        ("C1123456789=c1123456789".to_owned(), String::new())
    );
    for (field, error) in [
        (("types", "im"), "missing_scope"),
        (("types", "public"), "invalid_types"),
        (("limit", "0"), "invalid_limit"),
        (("limit", "1000"), "invalid_limit"),
        (("cursor", "x"), "invalid_cursor"),
        (("cursor", "9"), "invalid_cursor"),
    ] {
        assert_eq!(service.refusal("conversations.list", &[field]), error, "{field:?}");
    }
    // The name is only for lists.
    assert_eq!(service.call("conversations.info", &[("channel", "C0123456789")])["ok"], true);
    assert_eq!(service.refusal("conversations.info", &[("channel", "C0123456780")]), "channel_not_found");
    assert_eq!(Service::start(options).refusal("conversations.list", &[]), "missing_scope");
}

#[test]
fn arguments_are_accepted_in_three_encodings() {
    let service = Service::start(Options::default());
    let ask = |content_type: &str, body: &str| {
        let kind = if content_type.is_empty() { String::new() } else { format!("Content-Type: {content_type}\r\n") };
        service.send("POST", "/api/files.getUploadURLExternal", &format!("{AUTH}{kind}"), body.as_bytes()).json()
    };
    let parts = "--B\r\nContent-Disposition: form-data; name=\"filename\"\r\n\r\na\r\n--B\r\nContent-Disposition: \
                 form-data; name=\"length\"\r\n\r\n1\r\n--B--\r\n";
    for (content_type, body) in [
        ("application/x-www-form-urlencoded; charset=utf-8", "filename=a&length=1"),
        ("application/json; charset=utf-8", r#"{"filename": "a", "length": 1, "alt_txt": null}"#),
        ("multipart/form-data; boundary=B", parts),
    ] {
        assert_eq!(ask(content_type, body)["ok"], true, "{content_type}");
    }
    let large = format!("filename={}", "a".repeat(2_000_000));
    for (content_type, body, error) in [
        ("application/json", "{", "invalid_json"),
        ("application/json", "[]", "json_not_object"),
        ("text/plain", "filename=a", "invalid_post_type"),
        ("", "filename=a", "missing_post_type"),
        ("", "", "missing_argument"),
        ("multipart/form-data; boundary=B", &parts[..60], "request_timeout"),
        ("multipart/form-data", parts, "invalid_form_data"),
        ("application/x-www-form-urlencoded", &large, "invalid_arguments"),
    ] {
        assert_eq!(ask(content_type, body)["error"], error, "{content_type}");
    }
}

#[test]
fn the_number_of_bytes_must_match_the_announced_length() {
    let service = Service::start(Options::default());
    let (path, id) = service.ticket("a", 3);
    for wrong in [&b"ab"[..], b"abcd", b"", &vec![b'x'; 300_000]] {
        let (status, text) = service.bytes(&path, wrong);
        assert_eq!((status, text.contains("OK")), (400, false), "{text}");
        assert_eq!(service.complete(&[&id], &[])["error"], "file_not_found");
    }
    // Bytes of the wrong length discard the right ones; an aborted request changes nothing.
    assert_eq!(service.bytes(&path, b"abc").0, 200);
    assert_eq!(service.bytes(&path, b"ab").0, 400);
    assert_eq!(service.complete(&[&id], &[])["error"], "file_not_found");
    assert_eq!(service.bytes(&path, b"abc").0, 200);
    let cut = request("POST", &path, "", b"xyz");
    let mut stream = service.connect();
    stream.write_all(&cut[..cut.len() - 1]).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    let _ = stream.read_to_end(&mut Vec::new());
    // As a form, too.
    let (form_path, form_id) = service.ticket("a", 3);
    let form = "--B\r\nContent-Disposition: form-data; name=\"filename\"\r\n\r\nlong\r\n--B\r\nContent-Disposition: \
                form-data; name=\"file\"; filename=\"x\"\r\n\r\nabc\r\n--B--\r\n";
    let headers = "Content-Type: multipart/form-data; boundary=B\r\n";
    let answer = service.send("POST", &form_path, headers, form.as_bytes());
    assert_eq!((answer.status, answer.body.as_str()), (200, "OK - 3"));
    for end in ["abc", "B--"] {
        let end = form.rfind(end).unwrap();
        let broken = service.send("POST", &form_path, headers, &form.as_bytes()[..end]);
        assert_eq!(broken.status, 400, "{}", broken.body);
    }
    assert_eq!(service.complete(&[&id, &form_id], &[])["ok"], true);
    assert!(service.messages()[0].files.iter().all(|file| file.sha256 == ABC));
    // A guessed address is refused.
    let guess = format!("{}X", &path[..path.len() - 1]);
    for path in [guess.as_str(), &path, "/upload/v1/", "/upload/v1/F0000000000", "/upload/v1/é"] {
        assert_eq!(service.bytes(path, b"abc").0, 404, "{path}");
    }
    assert_eq!(service.send("PUT", &form_path, "", b"abc").status, 405);
}

#[test]
fn invalid_completions_are_rejected() {
    let service = Service::start(Options::default());
    let id = service.uploaded("a", b"abc");
    let files = json!([{"id": id}]).to_string();
    let twice = json!([{"id": id}, {"id": id}]).to_string();
    let beside = json!([{"id": id}, {"id": "F0000000000"}]).to_string();
    let many = |count| vec!["C0123456789"; count].join(",");
    let (hundred, more) = (many(100), many(101));
    for (fields, error) in [
        (&[][..], "invalid_arguments"),
        (&[("files", "")], "invalid_arguments"),
        (&[("files", "F1")], "invalid_arguments"),
        (&[("files", "[]")], "invalid_arguments"),
        (&[("files", "[{}]")], "invalid_arguments"),
        (&[("files", &twice)], "file_not_found"),
        (&[("files", &beside)], "file_not_found"),
        (&[("files", &files), ("channels", &more)], "channels_limit_exceeded"),
        (&[("files", &files), ("channels", "#general")], "channel_not_found"),
        (&[("files", &files), ("channels", "C0123456789,")], "channel_not_found"),
        (&[("files", &files), ("channels", "C0123456789, C0123456780")], "channel_not_found"),
        (&[("files", &files), ("channel_id", "U0123456789")], "invalid_arguments"),
        (&[("files", &files), ("channel_id", "C0123")], "invalid_arguments"),
        (&[("files", &files), ("channel_id", "c0123456789")], "invalid_arguments"),
        (&[("files", &files), ("thread_ts", "1700000000.000100")], "invalid_thread_ts"),
        (
            &[("files", &files), ("channels", "C0123456789,C0123456780"), ("thread_ts", "1700000000.000100")],
            "invalid_thread_ts",
        ),
        (&[("files", &files), ("channels", "C0123456789"), ("thread_ts", "1700000000.1")], "invalid_thread_ts"),
        (&[("files", &files), ("channels", "C0123456789"), ("thread_ts", "170000000a.000100")], "invalid_thread_ts"),
    ] {
        assert_eq!(service.refusal("files.completeUploadExternal", fields), error, "{fields:?}");
    }
    let answer = service.call("files.completeUploadExternal", &[("files", &files), ("channel_id", "U0123456789")]);
    assert_eq!(
        answer["response_metadata"]["messages"],
        json!(["[ERROR] input must match regex pattern: ^[CGDZ][A-Z0-9]{8,}$ [json-pointer:/channel_id]"])
    );
    // The file can still be completed.
    assert!(service.messages().is_empty());
    assert_eq!(service.complete(&[&id], &[("channels", &hundred)])["ok"], true);
}

#[test]
fn files_upload_shares_a_file() {
    let service = Service::start(Options::default());
    let part =
        |name: &str, value: &str| format!("--B\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
    let form = part("channels", "C0123456789,#general")
        + &part("initial_comment", "four")
        + "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"r.csv\"\r\n\r\nabc\r\n--B--\r\n";
    let headers = format!("{AUTH}Content-Type: multipart/form-data; boundary=B\r\n");
    let answer = service.send("POST", "/api/files.upload", &headers, form.as_bytes()).json();
    assert_eq!((&answer["ok"], &answer["file"]["name"]), (&true.into(), &"r.csv".into()));
    let info = service.call("files.info", &[("file", answer["file"]["id"].as_str().unwrap())]);
    assert_eq!(info["file"], answer["file"]);
    let messages = service.messages();
    assert_eq!((messages.len(), messages[0].comment_length, &*messages[0].files[0].sha256), (1, 4, ABC));
    let threaded = part("thread_ts", "1700000000.000100") + &form;
    let answer = service.send("POST", "/api/files.upload", &headers, threaded.as_bytes()).json();
    assert_eq!(answer["error"], "invalid_thread_ts");
}

#[test]
fn scopes_are_enforced_and_listed() {
    let service = Service::start(Options::default());
    let answer = service.post("files.getUploadURLExternal", &[]);
    assert_eq!(answer.header("x-oauth-scopes"), Some("files:write,files:read,chat:write"));
    assert_eq!(answer.header("x-accepted-oauth-scopes"), Some("files:write"));
    assert_eq!(
        service.call("conversations.info", &[("channel", "C0123456789")]),
        json!({
            "ok": false,
            "error": "missing_scope",
            "needed": "channels:read",
            "provided": "files:write,files:read,chat:write",
        })
    );
    let service = Service::start(Options::default().with_scopes(vec!["im:read".to_owned()]));
    for method in ["files.upload", "files.getUploadURLExternal", "files.completeUploadExternal"] {
        let answer = service.call(method, &[]);
        assert_eq!((&answer["error"], &answer["needed"]), (&"missing_scope".into(), &"files:write".into()), "{method}");
    }
    assert_eq!(service.call("files.info", &[("file", "F1")])["needed"], "files:read");
    let answer = service.post("auth.test", &[]);
    assert_eq!((answer.header("x-oauth-scopes"), answer.json()["ok"].as_bool()), (Some("im:read"), Some(true)));
    // Any scope for conversations is enough.
    assert_eq!(service.call("conversations.info", &[("channel", "C0123456789")])["ok"], true);
    // Without a token, the answer names no scopes.
    let answer = service.send("POST", "/api/files.info", "", b"");
    assert_eq!((answer.header("x-oauth-scopes"), answer.json()["error"].as_str()), (None, Some("not_authed")));
    let none = Service::start(Options::default().with_scopes(Vec::new()));
    assert_eq!(none.post("auth.test", &[]).header("x-oauth-scopes"), Some(""));
    assert_eq!(none.call("files.info", &[("file", "F1")])["provided"], "");
    for scope in ["", "a,b", "a b", "a\r\nb: c"] {
        let options = Options::default().with_scopes(vec![scope.to_owned()]);
        let error = Sandbox::bind("127.0.0.1:0".parse().unwrap(), options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidInput, "{scope:?}");
    }
}

#[test]
fn tokens_are_accepted_by_kind() {
    let service = Service::start(Options::default().with_team("T0123456789"));
    let ask = |method: &str, token: &str| {
        service.send("POST", &format!("/api/{method}"), &format!("Authorization: Bearer {token}\r\n"), b"").json()
    };
    for (token, error) in [
        ("xapp-1-A1-1-a", "not_allowed_token_type"),
        ("xoxe-1-A", "invalid_auth"),
        ("xoxc-1", "invalid_auth"),
        ("xoxd-1", "invalid_auth"),
        ("xoxa-1", "invalid_auth"),
        ("xoxr-1", "invalid_auth"),
        ("xoxs-1", "invalid_auth"),
        ("xoxo-1", "invalid_auth"),
        ("xwfp-1", "invalid_auth"),
        ("https://hooks.example.com/services/T/B/x", "invalid_auth"),
        ("a b", "invalid_auth"),
    ] {
        assert_eq!(ask("files.getUploadURLExternal", token)["error"], error, "{token}");
        if error == "invalid_auth" {
            assert_eq!(ask("auth.test", token)["error"], error, "{token}");
        }
    }
    for (token, bot, expires) in [
        ("xoxb-1", true, None),
        ("stand-in-for-a-rehearsal", true, None),
        ("xoxp-1", false, None),
        ("xoxe.xoxb-1-A", true, Some(43_200)),
        ("xoxe.xoxp-1-A", false, Some(43_200)),
    ] {
        let answer = ask("auth.test", token);
        assert_eq!((&answer["ok"], &answer["team_id"]), (&true.into(), &"T0123456789".into()), "{token}");
        assert_eq!((answer["bot_id"].is_string(), answer["expires_in"].as_i64()), (bot, expires), "{token}");
        assert_eq!(ask("files.getUploadURLExternal", token)["error"], "missing_argument", "{token}");
    }
    let answer = service.send("POST", "/api/auth.test", "Authorization: Bearer xapp-1-A1-1-a\r\n", b"");
    assert_eq!(
        (answer.header("x-oauth-scopes"), answer.json()["ok"].as_bool()),
        (Some("connections:write"), Some(true))
    );
}

#[test]
fn hosted_mode_accepts_only_the_tokens_it_issues() {
    const TOKEN: &str = "7391842650-1739184265-QzWvXkPjHyBd";
    let service = Service::start(Options::default().with_hosted(true));
    let ask = |method: &str, token: &str| {
        let headers = if token.is_empty() { String::new() } else { format!("Authorization: Bearer {token}\r\n") };
        let answer = service.send("POST", &format!("/api/{method}"), &headers, b"").json();
        answer["error"].as_str().unwrap_or("ok").to_owned()
    };
    for prefix in ["xoxb-", "xoxp-", "xoxe.xoxb-1-", "xoxe.xoxp-1-"] {
        let token = format!("{prefix}{TOKEN}");
        assert_eq!(ask("auth.test", &token), "ok", "{prefix}");
        assert_eq!(ask("files.getUploadURLExternal", &token), "missing_argument", "{prefix}");
        assert_eq!(ask("files.upload", &token), "method_deprecated", "{prefix}");
        for wrong in [format!("\"{token}\""), format!("{token},"), format!("TOKEN={token}"), format!("Bearer {token}")]
        {
            assert_eq!(ask("auth.test", &wrong), "invalid_auth", "{wrong}");
        }
    }
    for (token, error) in [
        ("", "not_authed"),
        ("null", "invalid_auth"),
        ("tok_7391842650-1739184265-QzWvXkPjHyBd", "invalid_auth"),
        ("xoxb-1", "invalid_auth"),
        ("xoxe-1-A", "invalid_auth"),
        ("xoxc-1", "invalid_auth"),
        ("xapp-1-A1-1-a", "not_allowed_token_type"),
    ] {
        assert_eq!(ask("files.getUploadURLExternal", token), error, "{token}");
    }
    let ids = |count: usize| vec!["C0123456789"; count].join(",");
    let authorization =
        format!("Authorization: Bearer xoxb-{TOKEN}\r\nContent-Type: application/x-www-form-urlencoded\r\n");
    let share = |field: &str, channels: &str| {
        let form = format!("files=[{{\"id\":\"F1\"}}]&{field}={}", channels.replace('#', "%23"));
        let answer = service.send("POST", "/api/files.completeUploadExternal", &authorization, form.as_bytes()).json();
        answer["error"].as_str().unwrap().to_owned()
    };
    // The channels are checked before the file.
    for (field, channels, error) in [
        ("channels", ids(100).as_str(), "file_not_found"),
        ("channels", &ids(101), "channels_limit_exceeded"),
        ("channels", "U0123456789,W0123456789,D0123456789,G0123456789", "file_not_found"),
        ("channels", "C0123456789,T0123456789", "channel_not_found"),
        ("channels", "C0123456789,", "channel_not_found"),
        ("channels", "C012345", "channel_not_found"),
        ("channels", "NIGHTLY", "channel_not_found"),
        ("channels", "#general", "channel_not_found"),
        ("channel_id", "U0123456789", "invalid_arguments"),
        ("channel_id", "#general", "invalid_arguments"),
        ("channel_id", "Z0123456789", "file_not_found"),
    ] {
        assert_eq!(share(field, channels), error, "{field}={channels}");
    }
    assert!(service.messages().is_empty());
}

#[test]
fn channels_are_looked_up_by_id() {
    let all = ["files:write", "channels:read"].map(str::to_owned).to_vec();
    let any = Service::start(Options::default().with_scopes(all.clone()));
    assert_eq!(
        any.call("conversations.info", &[("channel", "C0123456789")]),
        json!({"ok": true, "channel": {"id": "C0123456789", "is_member": true, "is_archived": false}})
    );
    for id in ["", "C0123", "#general", "U0123456789", "c0123456789"] {
        assert_eq!(any.refusal("conversations.info", &[("channel", id)]), "channel_not_found", "{id}");
    }
    assert_eq!(any.refusal("conversations.info", &[]), "channel_not_found");
    let channels = ["C0123456789", "D0123456789"].map(str::to_owned).to_vec();
    let some = Service::start(Options::default().with_scopes(all).with_channels(channels));
    assert_eq!(some.call("conversations.info", &[("channel", "D0123456789")])["ok"], true);
    assert_eq!(some.refusal("conversations.info", &[("channel", "C0123456780")]), "channel_not_found");
    let id = some.uploaded("a", b"abc");
    for to in [("channels", "C0123456789,C0123456780"), ("channel_id", "C0123456780")] {
        assert_eq!(some.complete(&[&id], &[to])["error"], "channel_not_found", "{to:?}");
    }
    let form = "--B\r\nContent-Disposition: form-data; name=\"channels\"\r\n\r\nC0123456780\r\n--B\r\n\
                Content-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\nabc\r\n--B--\r\n";
    let headers = format!("{AUTH}Content-Type: multipart/form-data; boundary=B\r\n");
    let answer = some.send("POST", "/api/files.upload", &headers, form.as_bytes()).json();
    assert_eq!(answer["error"], "channel_not_found");
    assert_eq!(some.complete(&[&id], &[("channels", "C0123456789,D0123456789")])["ok"], true);
    assert_eq!(some.messages().len(), 1);
}

#[test]
fn storage_accounts_are_authorized() {
    let service = Service::start(Options::default());
    let ask = |service: &Service, method: &str, version: &str, pair: Option<(&str, &str)>| {
        let headers = pair.map(|(id, key)| format!("Authorization: Basic {}\r\n", base64(&format!("{id}:{key}"))));
        let path = format!("/b2api/{version}/b2_authorize_account");
        let answer = service.send(method, &path, &headers.unwrap_or_default(), b"");
        (answer.status, answer.json())
    };
    let (account, key_id, master_id) = ("1a2b3c4d5e6f", "0051a2b3c4d5e6f0000000001", "0051a2b3c4d5e6f0000000000");
    let application = format!("K005{}", "Ab+/x0Z1y".repeat(3));
    let other = application.replacen("K005", "K003", 1);
    let master = format!("005{}", "0123456789abc".repeat(3));
    for (id, key, verdict) in [
        (account, &master, Some("1a2b3c4d5e6f")),
        (master_id, &master, Some("1a2b3c4d5e6f")),
        (key_id, &application, Some("1a2b3c4d5e6f")),
        (account, &application, None),
        (key_id, &master, None),
        (key_id, &other, None),
        // Which key goes with it is not documented.
        (master_id, &application, Some("1a2b3c4d5e6f")),
        (master_id, &other, None),
        (&application, &key_id.to_owned(), None),
        ("", &String::new(), None),
    ] {
        for method in ["GET", "POST"] {
            let (status, answer) = ask(&service, method, "v4", Some((id, key)));
            match verdict {
                Some(account) => {
                    assert_eq!((status, &answer["accountId"]), (200, &account.into()), "{id}");
                    let allowed = &answer["apiInfo"]["storageApi"]["allowed"];
                    assert_eq!((&allowed["buckets"], &allowed["namePrefix"]), (&Value::Null, &Value::Null));
                    let keys = allowed["capabilities"].as_array().unwrap().contains(&"writeKeys".into());
                    assert_eq!(keys, id != key_id);
                    for url in ["apiUrl", "downloadUrl", "s3ApiUrl"] {
                        assert_eq!(answer["apiInfo"]["storageApi"][url], service.base.as_str());
                    }
                }
                None => assert_eq!((status, &answer["code"]), (401, &"unauthorized".into()), "{id}: {answer}"),
            }
        }
    }
    let (status, answer) = ask(&service, "GET", "v4", None);
    assert_eq!((status, &answer["status"], &answer["code"]), (401, &401.into(), &"unauthorized".into()));
    for (version, status, code) in [("v3", 200, None), ("v1", 200, None), ("v9", 404, Some("not_found"))] {
        let (found, answer) = ask(&service, "GET", version, Some((account, &master)));
        assert_eq!((found, answer["code"].as_str()), (status, code), "{version}");
    }
    // A master key is for all buckets.
    let service = Service::start(Options::default().with_bucket(Some("nightly".to_owned())));
    let buckets = |id, key: &str| {
        ask(&service, "GET", "v4", Some((id, key))).1["apiInfo"]["storageApi"]["allowed"]["buckets"].clone()
    };
    assert_eq!(buckets(key_id, &application), json!([{"id": "000000000000000000000000", "name": "nightly"}]));
    assert_eq!(buckets(account, &master), Value::Null);
}

#[test]
fn faults_can_replace_the_response() {
    for (fault, status, header, body) in [
        ("*=429", 429, None, "{\"error\":\"ratelimited\",\"ok\":false}"),
        ("*=429:7", 429, Some("7"), "ratelimited"),
        ("*=429:Wed, 21 Oct 2026 07:28:00 GMT", 429, Some("Wed, 21 Oct 2026 07:28:00 GMT"), "ratelimited"),
        ("*=429:-1 soon", 429, Some("-1 soon"), "ratelimited"),
        ("*=500", 500, None, "<html>"),
        ("*=502", 502, None, "<html>"),
        ("*=503", 503, None, "<html>"),
        ("*=504", 504, None, "<html>"),
        ("*=html", 200, None, "<html>"),
        ("*=error:internal_error", 200, None, "{\"error\":\"internal_error\",\"ok\":false}"),
    ] {
        let service = Service::failing(&[&format!("{fault},1")]);
        let answer = service.post("files.getUploadURLExternal", &[("filename", "a"), ("length", "3")]);
        assert_eq!((answer.status, answer.header("retry-after")), (status, header), "{fault}");
        assert!(answer.body.contains(body), "{fault}: {}", answer.body);
        assert_eq!(answer.header("content-type") == Some("text/html"), body == "<html>", "{fault}");
        // The fault is used up.
        service.ticket("a", 3);
    }
    // The other operations report the error in their own formats.
    let service = Service::failing(&["*=error:too_bad"]);
    assert_eq!(service.bytes("/upload/v1/x", b""), (400, "too_bad".to_owned()));
    let answer = service.send("GET", "/b2api/v4/b2_authorize_account", "", b"");
    assert_eq!((answer.status, &answer.json()["code"]), (401, &"too_bad".into()));
}

/// What was performed and what the client sees, for the faults with little or no answer.
#[test]
fn faults_can_break_the_connection() {
    let complete = |id: &str| {
        let body = form(&[("files", &json!([{"id": id}]).to_string()), ("channels", "C0123456789")]);
        let headers = format!("{AUTH}Content-Type: application/x-www-form-urlencoded\r\n");
        request("POST", "/api/files.completeUploadExternal", &headers, body.as_bytes())
    };
    for (fault, done) in [("lost", 1), ("silence", 1), ("reset:0", 0), ("reset:5", 0), ("stall", 0), ("truncated", 0)] {
        let service = Service::failing(&[&format!("files.completeUploadExternal={fault},1")]);
        let id = service.uploaded("a", b"abc");
        let request = complete(&id);
        let mut stream = service.connect();
        stream.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
        stream.write_all(&request).unwrap();
        let mut answer = String::new();
        let ended = stream.read_to_string(&mut answer);
        match fault {
            "truncated" => {
                let (head, body) = answer.split_once("\r\n\r\n").unwrap();
                let announced = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
                assert!(ended.is_ok() && head.starts_with("HTTP/1.1 200 OK"), "{ended:?} {head}");
                assert!(
                    announced.parse::<usize>().unwrap() > body.len() && body.starts_with("{\"ok\":true"),
                    "{answer}"
                );
                assert!(serde_json::from_str::<Value>(body).is_err());
            }
            "stall" | "silence" => {
                assert!(matches!(ended.unwrap_err().kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut), "{fault}");
                assert_eq!(answer, "");
            }
            _ => {
                assert_eq!(ended.unwrap_err().kind(), ErrorKind::ConnectionReset, "{fault}");
                assert_eq!(answer, "");
            }
        }
        assert_eq!(service.messages().len(), done, "{fault}");
        // What was not performed can be repeated; what was performed can be looked up.
        let again = service.complete(&[&id], &[("channels", "C0123456789")]);
        assert_eq!(again["ok"], done == 0, "{fault}: {again}");
        assert_eq!(service.call("files.info", &[("file", &id)])["ok"], true, "{fault}");
        assert_eq!(service.messages().len(), 1, "{fault}");
    }
}

#[test]
fn a_stall_reads_no_bytes_and_a_reset_reads_some() {
    let service = Service::failing(&["upload=stall,1", "upload=reset:1000000,1"]);
    let (path, _) = service.ticket("a", 64 << 20);
    let mut stream = service.connect();
    stream.set_write_timeout(Some(Duration::from_millis(500))).unwrap();
    let request = request("POST", &path, "", &vec![0; 64 << 20]);
    // The socket buffers fill up, then nothing moves.
    let stalled = stream.write_all(&request).unwrap_err();
    assert!(matches!(stalled.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut), "{stalled}");
    let mut stream = service.connect();
    let mut sent = 0;
    let reset = loop {
        match stream.write(&request[sent..]) {
            Ok(count) => sent += count,
            Err(error) => break error,
        }
    };
    assert!(matches!(reset.kind(), ErrorKind::ConnectionReset | ErrorKind::BrokenPipe), "{reset}");
    assert!((1_000_000..64 << 20).contains(&sent), "{sent}");
}

#[test]
fn faults_apply_to_one_operation_and_are_used_up_in_order() {
    let service = Service::failing(&["files.info=503,2", "files.info=html,1", "auth.test=500"]);
    let status = || service.post("files.info", &[("file", "F1")]).status;
    assert_eq!([status(), status()], [503, 503]);
    assert_eq!(service.post("files.info", &[]).header("content-type"), Some("text/html"));
    assert_eq!(service.refusal("files.info", &[("file", "F1")]), "file_not_found");
    for _ in 0..3 {
        assert_eq!(service.post("auth.test", &[]).status, 500);
    }
}

#[test]
fn responses_are_delayed() {
    let service = Service::start(Options::default().with_delay(Duration::from_millis(150)));
    let start = Instant::now();
    assert_eq!(service.call("auth.test", &[])["ok"], true);
    assert!(start.elapsed() >= Duration::from_millis(150));
}

#[test]
fn files_are_stored_and_messages_are_recorded_in_the_ledger() {
    let scratch = tempfile::tempdir().unwrap();
    let (store, file) = (scratch.path().join("store"), scratch.path().join("messages.jsonl"));
    let options = || Options::default().with_store(Some(store.clone())).with_ledger(Some(file.clone()));
    let names = || {
        let mut names: Vec<_> =
            std::fs::read_dir(&store).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let lines = || -> Vec<Value> {
        let text = std::fs::read_to_string(&file).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let service = Service::start(options());
    let id = service.uploaded("../r.csv", b"abc");
    let (path, _) = service.ticket("b", 3);
    assert_eq!(service.bytes(&path, b"ab").0, 400);
    // A file that waits for its completion has another name.
    let waiting = names();
    assert!(waiting.len() == 1 && waiting[0].starts_with('.'), "{waiting:?}");
    assert!(lines().is_empty());
    let to = [("channels", "C0123456789"), ("initial_comment", "a-private-comment")];
    assert_eq!(service.complete(&[&id], &to)["ok"], true);
    assert_eq!(names(), [format!("{id}-r.csv")]);
    assert_eq!(std::fs::read(store.join(format!("{id}-r.csv"))).unwrap(), b"abc");
    let messages = service.messages();
    assert_eq!(
        lines(),
        [json!({
            "ts": messages[0].ts,
            "channels": ["C0123456789"],
            "thread_ts": null,
            "comment_length": 17,
            "blocks": 0,
            "files": [{
                "id": id, "name": "../r.csv", "title": "../r.csv", "snippet_type": null, "alt_text_length": 0, "size": 3,
                "sha256": ABC,
            }],
        })]
    );
    #[cfg(unix)]
    for path in [&file, &store.join(format!("{id}-r.csv"))] {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    // Another run appends to it.
    let service = Service::start(options());
    let id = service.uploaded("b", b"b");
    assert_eq!(service.complete(&[&id], &[])["ok"], true);
    assert_eq!((lines().len(), names().len()), (2, 2));
}

#[test]
fn the_sandbox_command_accepts_every_option() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    let project = crate::harness::Project::new();
    let args = [
        "sandbox", "--scopes", "files:read,channels:read", "--team", "T0123456789", "--channels", "C0123456789",
        "--fail", "files.info=429:3,1", "--delay", "1", "--ledger", "l.jsonl", "--max-file", "1", "--quiet",
    ];
    let mut child = project.command(&args).stdout(Stdio::piped()).spawn().unwrap();
    let mut base = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut base).unwrap();
    let service = Service { base: base.trim().to_owned(), ledger: Ledger::default(), runtime: None };
    let answer = service.post("files.info", &[("file", "F1")]);
    let team = service.call("auth.test", &[])["team_id"].clone();
    let other = service.call("conversations.info", &[("channel", "C0123456780")]);
    let scope = service.call("files.upload", &[]);
    let head = |size: u32| format!("POST /api/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: {size}\r\n\r\n");
    let large = service.raw(head(4 * 1024 * 1024).as_bytes()).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!((answer.status, answer.header("retry-after")), (429, Some("3")));
    assert_eq!((team, &other["error"]), ("T0123456789".into(), &"channel_not_found".into()));
    assert_eq!((&scope["needed"], &scope["provided"]), (&"files:write".into(), &"files:read,channels:read".into()));
    assert!(project.path().join("l.jsonl").exists());
    assert!(large.starts_with("HTTP/1.1 413 ") && large.contains("at most 1048576 bytes"), "{large}");

    for (args, words) in [
        (["--fail", "files.info"], "METHOD=FAULT"),
        (["--fail", "files.inf0=503"], "files.completeUploadExternal"),
        (["--fail", "files.info=418"], "reset:BYTES"),
        (["--fail", "planted=503"], "'--fail <METHOD=FAULT[,TIMES]>'"),
        (["--fail", "*=error:Planted"], "error:CODE"),
        (["--fail", "files.info=503,0"], "at least 1"),
        (["--scopes", "a b"], "files:write"),
        (["--delay", "soon"], "whole number"),
        (["--max-file", "0"], "whole number"),
    ] {
        let run = project.run(&[&["sandbox"][..], &args].concat());
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(words) && !run.stderr.contains("lanted"), "{args:?}: {}", run.stderr);
    }
}

/// Sends one request with exactly these lines, such as `GET /x HTTP/1.1`. Returns the status and the text.
fn lines(service: &Service, lines: &[&str]) -> (u16, String) {
    let answer = service.raw(format!("{}\r\nConnection: close\r\n\r\n", lines.join("\r\n")).as_bytes()).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head[9..12].parse().unwrap(), body.to_owned())
}

#[test]
fn requests_for_other_hosts_are_rejected() {
    let scratch = tempfile::tempdir().unwrap();
    let faults = vec!["auth.test=503,1".parse().unwrap()];
    let service = Service::start(Options::default().with_store(Some(scratch.path().to_owned())).with_faults(faults));
    let own = service.base.strip_prefix("http://").unwrap().to_owned();
    let line = "POST /api/files.info HTTP/1.1";
    for host in
        [own.as_str(), "localhost", "LocalHost:1", "a.localhost.", "127.8.9.10", "[::1]:80", "[::ffff:127.0.0.1]"]
    {
        assert_eq!(lines(&service, &[line, &format!("Host: {host}")]).0, 200, "{host}");
        assert_eq!(
            lines(&service, &[&line.replace(" /", &format!(" http://{host}/")), "Host: localhost"]).0,
            200,
            "{host}"
        );
    }
    for host in
        ["evil.example", "localhost.evil.example:80", "0.0.0.0", "10.0.0.1", "[::]", "localhost@evil.example", ""]
    {
        // Nothing is stored, posted or used up by a foreign request.
        for target in ["/api/auth.test", "/api/files.upload", "/upload/v1/x", "/b2api/v4/b2_authorize_account", "/"] {
            let (status, text) =
                lines(&service, &[&format!("POST {target} HTTP/1.1"), &format!("Host: {host}"), AUTH.trim()]);
            assert!(status == 421 && text.contains("only to localhost"), "{host}: {status} {text}");
            assert!(host.is_empty() || !text.contains(host), "{text}");
        }
        if !host.is_empty() {
            let line = line.replace(" /", &format!(" http://{host}/"));
            let status = lines(&service, &[&line, "Host: localhost"]).0;
            assert!(status == 421 || (status == 400 && host.contains('@')), "{host}: {status}");
        }
    }
    let form = "--b\r\nContent-Disposition: form-data; name=channels\r\n\r\nC0123456789\r\n--b\r\n\
                Content-Disposition: form-data; name=file; filename=f\r\n\r\nabc\r\n--b--\r\n";
    let upload = |host: &str| {
        let head = format!("POST /api/files.upload HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{AUTH}");
        let kind = "Content-Type: multipart/form-data; boundary=b";
        service.raw(format!("{head}{kind}\r\nContent-Length: {}\r\n\r\n{form}", form.len()).as_bytes()).unwrap()
    };
    assert!(upload("evil.example").starts_with("HTTP/1.1 421 "));
    assert!(service.messages().is_empty() && std::fs::read_dir(scratch.path()).unwrap().count() == 0);
    assert!(upload("localhost").starts_with("HTTP/1.1 200 ") && service.messages().len() == 1);
    // A missing or duplicate header.
    assert_eq!(lines(&service, &[line]).0, 400);
    assert_eq!(lines(&service, &[line, "Host: localhost", "Host: localhost"]).0, 400);
    assert_eq!(lines(&service, &[line, "Host: localhost", "Host: evil.example"]).0, 400);
    assert_eq!(lines(&service, &["POST /api/files.info HTTP/1.0"]).0, 200);
    // The fault is still there.
    assert_eq!((service.post("auth.test", &[]).status, service.post("auth.test", &[]).status), (503, 200));
}

#[test]
fn requests_are_limited_in_size_except_for_file_content() {
    let service = Service::start(Options::default());
    let multipart = format!("{AUTH}Content-Type: multipart/form-data; boundary=b\r\n");
    let post = |path: &str, body: &[u8]| service.send("POST", path, &multipart, body).status;
    let part = |head: &str, text: &str| format!("--b\r\nContent-Disposition: form-data; {head}\r\n\r\n{text}\r\n");
    let long = "x".repeat(3 * 1024 * 1024);
    let open =
        |head: String| service.raw(format!("POST /api/auth.test HTTP/1.1\r\nHost: localhost\r\n{head}\r\n").as_bytes());
    for head in [format!("X: {}\r\n", "x".repeat(70_000)), "X: y\r\n".repeat(120)] {
        let answer = open(head).unwrap();
        assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
    }
    let (ticket, _) = service.ticket("a", 3);
    for path in ["/api/files.upload", "/api/files.info", &ticket] {
        for (what, body) in [
            ("a name", part(&format!("name=\"{long}\""), "")),
            ("a header", format!("--b\r\nX: {long}")),
            ("a beginning", long.clone()),
            ("a boundary", format!("--b{}", long.replace('x', " "))),
            ("parts", (0..50_000).map(|number| part(&format!("name=a{number}"), "")).collect()),
            ("a file name", part(&format!("name=file; filename=\"{long}\""), "abc")),
        ] {
            assert_eq!(post(path, format!("{body}--b--\r\n").as_bytes()), 413, "{path}: {what}");
        }
    }
    // The bytes of a file are not part of that limit, however they are sent; and a request that is refused for another
    // reason gets that reason.
    let file =
        [part("name=channels", "C0123456789"), part("name=file; filename=f", &long.repeat(3)), "--b--\r\n".into()];
    let answer = service.send("POST", "/api/files.upload", &multipart, file.concat().as_bytes());
    assert_eq!((answer.status, answer.json()["file"]["size"].as_u64()), (200, Some(9 * 1024 * 1024)));
    service.uploaded("raw", long.repeat(3).as_bytes());
    let (ticket, _) = service.ticket("form", long.len() * 3);
    assert_eq!(post(&ticket, file.concat().as_bytes()), 200);
    let unknown = multipart.replace("Bearer stand-in", "Basic x");
    assert_eq!(
        service.send("POST", "/api/files.upload", &unknown, file.concat().as_bytes()).json()["error"],
        "not_authed"
    );
}

#[test]
fn files_are_limited_by_max_file() {
    let scratch = tempfile::tempdir().unwrap();
    let store = scratch.path().join("store");
    let service = Service::start(Options::default().with_store(Some(store.clone())).with_max_file(1000));
    let multipart = format!("{AUTH}Content-Type: multipart/form-data; boundary=b\r\n");
    let form = |size: usize| {
        let part = |head: &str, text: &str| format!("--b\r\nContent-Disposition: form-data; {head}\r\n\r\n{text}\r\n");
        let (to, file) = (part("name=channels", "C0123456789"), part("name=file; filename=f", &"x".repeat(size)));
        format!("{to}{file}--b--\r\n").into_bytes()
    };
    let stored = || std::fs::read_dir(&store).unwrap().count();
    let answer = service.send("POST", "/api/files.upload", &multipart, &form(1001));
    assert!(answer.status == 413 && answer.body.contains("at most 1000 bytes") && stored() == 0, "{}", answer.body);
    let (ticket, _) = service.ticket("a", 1001);
    assert_eq!((service.bytes(&ticket, &[b'x'; 1001]).0, stored()), (413, 0));
    assert_eq!((service.send("POST", &ticket, &multipart, &form(1001)).status, stored()), (413, 0));
    // A request whose announced size is too large is refused at once, one without a size when it exceeds the limit.
    let head = "POST /api/files.upload HTTP/1.1\r\nHost: localhost\r\n";
    let answer = service.raw(format!("{head}Content-Length: 3000000\r\n\r\n").as_bytes()).unwrap();
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
    let chunks = format!("10000\r\n{}\r\n", "x".repeat(0x10000)).repeat(40);
    for path in ["/api/files.upload", "/api/none", &ticket] {
        let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n{AUTH}\r\n");
        let answer = service.raw(format!("{head}{chunks}0\r\n\r\n").as_bytes()).unwrap();
        assert!(answer.starts_with("HTTP/1.1 413 ") && stored() == 0, "{path}: {answer}");
    }
    assert_eq!(service.messages().len(), 0);
    assert_eq!(service.send("POST", "/api/files.upload", &multipart, &form(1000)).json()["ok"], true);
    let (ticket, _) = service.ticket("b", 1000);
    assert_eq!((service.bytes(&ticket, &[b'x'; 1000]).0, stored()), (200, 2));
}

/// A client that gives up frees what the sandbox had for it, also where there is never an answer.
#[cfg(target_os = "linux")]
#[test]
fn connections_that_get_no_answer_are_closed_with_their_clients() {
    let open = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    for fault in ["*=stall", "*=silence"] {
        let service = Service::failing(&[fault]);
        // Other tests open files, too, but not that many.
        let before = open();
        let mut streams = Vec::new();
        for number in 0..200 {
            let mut stream = service.connect();
            let mut request = request("POST", "/api/files.upload", AUTH, &vec![b'x'; 20_000]);
            // A half of them has sent everything.
            request.truncate(if number % 2 == 0 { request.len() } else { request.len() / 2 });
            stream.write_all(&request).unwrap();
            streams.push(stream);
        }
        std::thread::sleep(Duration::from_millis(200));
        assert!(open() > before + 300, "{fault}");
        drop(streams);
        let until = Instant::now() + Duration::from_secs(5);
        while open() > before + 50 && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(open() <= before + 50, "{fault}: {} more than before", open() - before);
    }
}
