//! The recorded requests of the official clients of the hosted services, byte by byte: the embedded service accepts
//! them unchanged. Only the IDs and tickets of files are inserted. `slack_sdk` 3.47.0 (Python), `@slack/web-api` 7.19.0
//! and 8.2.0 (Node), `slack-go` 0.29.0, `b2sdk` 2.13.1 (Python), `backblaze-b2` 1.7.1 (Node).

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

use credlint::sandbox::{Answered, Ledger, Options, Sandbox};
use serde_json::{Value, json};

/// SHA-256 of `abc`, from FIPS 180-2.
const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const CHANNEL: &str = "C0123456789";

/// The service, on its own thread until it is dropped.
struct Service {
    base: String,
    ledger: Ledger,
    requests: Receiver<Answered>,
    runtime: Option<tokio::runtime::Runtime>,
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Service {
    fn start(options: Options) -> Self {
        let (sender, requests) = sync_channel(1000);
        let scopes = ["files:write", "files:read", "channels:read", "groups:read"].map(str::to_owned).to_vec();
        let options = options.with_scopes(scopes).with_requests(Some(sender));
        let sandbox = Sandbox::bind("127.0.0.1:0".parse().unwrap(), options).unwrap();
        let (base, ledger) = (sandbox.base_url(), sandbox.ledger());
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        drop(runtime.spawn(sandbox.run()));
        Self { base, ledger, requests, runtime: Some(runtime) }
    }

    /// Sends these lines and reads one answer, whether or not the connection stays open.
    fn send(&self, lines: &str) -> (u16, String) {
        exchange(&self.base, lines)
    }

    fn json(&self, lines: &str) -> Value {
        let (status, body) = self.send(lines);
        assert_eq!(status, 200, "{lines}{body}");
        serde_json::from_str(&body).unwrap_or_else(|error| panic!("{error}: {body}"))
    }

    fn assert_ok(&self, lines: &str) -> Value {
        let answer = self.json(lines);
        assert_eq!(answer["ok"], true, "{lines}\n{answer}");
        answer
    }

    /// The three calls of an upload.
    fn upload(&self, [ticket, bytes, completion]: [&str; 3]) {
        let before = self.ledger.messages().len();
        let answer = self.assert_ok(ticket);
        let (url, id) = (answer["upload_url"].as_str().unwrap(), answer["file_id"].as_str().unwrap());
        let path = url.strip_prefix(self.base.as_str()).unwrap();
        assert_eq!(self.send(&bytes.replace("TICKET", path)), (200, "OK - 3".to_owned()), "{bytes}");
        assert_eq!(self.assert_ok(&completion.replace("FFFFFFFFFFF", id))["files"][0]["id"], id);
        let messages = self.ledger.messages();
        assert_eq!(messages.len(), before + 1);
        let message = messages.last().unwrap();
        assert_eq!((&message.channels[..], &message.files[0].sha256[..]), (&[CHANNEL.to_owned()][..], ABC));
    }

    /// The number of blocks of the last message, and what its file was posted as.
    fn last(&self) -> (usize, Option<String>, usize) {
        let messages = self.ledger.messages();
        let message = messages.last().unwrap();
        (message.blocks, message.files[0].snippet_type.clone(), message.files[0].alt_text_length)
    }

    /// The file of the message after the first `before` ones.
    fn posted(&self, before: usize) -> (Vec<String>, String, String) {
        let messages = self.ledger.messages();
        assert_eq!(messages.len(), before + 1);
        let message = &messages[before];
        (message.channels.clone(), message.files[0].name.clone(), message.files[0].sha256.clone())
    }
}

fn exchange(base: &str, lines: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(base.strip_prefix("http://").unwrap()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(lines.replace('\n', "\r\n").as_bytes()).unwrap();
    let mut reader = BufReader::new(stream);
    let (mut head, mut line) = (Vec::new(), String::new());
    while reader.read_line(&mut line).unwrap() > 2 {
        head.push(std::mem::take(&mut line).to_ascii_lowercase());
    }
    let length = head.iter().find_map(|line| line.strip_prefix("content-length: ")).unwrap().trim().parse().unwrap();
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    (head[0][9..12].parse().unwrap(), String::from_utf8(body).unwrap())
}

#[test]
fn requests_of_the_python_sdk_are_accepted() {
    const HEAD: &str = "Accept-Encoding: identity\nHost: 127.0.0.1:18091\nUser-Agent: Python/3.11.7 slackclient/3.47.0 \
                        Linux/6.18.44\nAuthorization: Bearer stand-in\nConnection: close\n";
    const FORM: &str = "Content-Type: application/x-www-form-urlencoded\n";
    let service = Service::start(Options::default());
    service.upload([
        &format!(
            "POST /api/files.getUploadURLExternal HTTP/1.1\nContent-Length: 23\n{FORM}{HEAD}\nfilename=a.txt&length=3"
        ),
        &format!(
            "POST TICKET HTTP/1.1\nAccept-Encoding: identity\n{FORM}Content-Length: 3\nHost: 127.0.0.1:18091\n\
             User-Agent: Python-urllib/3.11\nConnection: close\n\nabc"
        ),
        &format!(
            "POST /api/files.completeUploadExternal HTTP/1.1\nContent-Length: 100\n{FORM}{HEAD}\n\
             files=%5B%7B%22id%22%3A+%22FFFFFFFFFFF%22%2C+%22title%22%3A+%22a.txt%22%7D%5D&channel_id=C0123456789"
        ),
    ]);
    // The boundary of this client has more dashes in the header than between the parts.
    service.assert_ok(&format!(
        "POST /api/files.upload HTTP/1.1\n{HEAD}Content-Type: multipart/form-data; \
         boundary=--------------50b6486d-4709-4f76-a0db-aa16206fc5e7\nContent-Length: 438\n\n
----------------50b6486d-4709-4f76-a0db-aa16206fc5e7
Content-Disposition: form-data; name=\"channels\"\n
C0123456789
----------------50b6486d-4709-4f76-a0db-aa16206fc5e7
Content-Disposition: form-data; name=\"filename\"\n
a.txt
----------------50b6486d-4709-4f76-a0db-aa16206fc5e7
Content-Disposition: form-data; name=\"file\"; filename=\"a.txt\"
Content-Type: text/plain\n
abc
----------------50b6486d-4709-4f76-a0db-aa16206fc5e7--
"
    ));
    assert_eq!(service.posted(1), (vec![CHANNEL.to_owned()], "a.txt".to_owned(), ABC.to_owned()));
    // Text without a channel: a file that stays private.
    service.assert_ok(&format!("POST /api/files.upload HTTP/1.1\nContent-Length: 11\n{FORM}{HEAD}\ncontent=abc"));
    assert_eq!(service.posted(2), (vec![], "Untitled".to_owned(), ABC.to_owned()));
}

#[test]
fn parameters_and_lists_of_the_python_sdk_are_accepted() {
    const HEAD: &str = "Accept-Encoding: identity\nHost: 127.0.0.1:18091\nContent-Type: application/x-www-form-urlencoded\n\
                        User-Agent: Python/3.11.7 slackclient/3.47.0 Linux/6.18.44\nAuthorization: Bearer stand-in\n\
                        Connection: close\n\n";
    let channels = ["C0123456789=reports", "C1123456789=general", "G0123456789=private"].map(str::to_owned);
    let service = Service::start(Options::default().with_channels(channels.to_vec()));
    let call = |method: &str, fields: &str| {
        format!("POST /api/{method} HTTP/1.1\nContent-Length: {}\n{HEAD}{fields}", fields.len())
    };
    let complete = |blocks: &str| {
        let files = "files=%5B%7B%22id%22%3A+%22FFFFFFFFFFF%22%2C+%22title%22%3A+%22a.py%22%7D%5D";
        call("files.completeUploadExternal", &format!("blocks={blocks}&{files}&channel_id=C0123456789"))
    };
    service.upload([
        &call("files.getUploadURLExternal", "filename=a.py&length=3&alt_txt=A+chart&snippet_type=python"),
        "POST TICKET HTTP/1.1\nAccept-Encoding: identity\nContent-Type: application/x-www-form-urlencoded\n\
         Content-Length: 3\nHost: 127.0.0.1:18091\nUser-Agent: Python-urllib/3.11\nConnection: close\n\nabc",
        &complete(
            "%5B%7B%22type%22%3A+%22section%22%2C+%22text%22%3A+%7B%22type%22%3A+%22mrkdwn%22%2C+%22text%22%3A+%22%2ADone\
             %2A%22%7D%7D%5D",
        ),
    ]);
    assert_eq!(service.last(), (1, Some("python".to_owned()), 7));
    // A list of blocks that the program has not written as JSON is sent as Python writes it.
    let python = "%5B%7B%27type%27%3A+%27section%27%2C+%27text%27%3A+%7B%27type%27%3A+%27mrkdwn%27%2C+%27text%27%3A+%27%2A\
                  Done%2A%27%7D%7D%5D";
    assert_eq!(service.json(&complete(python))["error"], "invalid_blocks");
    let first = service.assert_ok(&call("conversations.list", "limit=2&types=public_channel%2Cprivate_channel"));
    assert_eq!(
        (&first["channels"][1]["name"], &first["response_metadata"]["next_cursor"]),
        (&json!("general"), &json!("2"))
    );
    let rest =
        service.assert_ok(&call("conversations.list", "cursor=2&limit=2&types=public_channel%2Cprivate_channel"));
    assert_eq!(
        (&rest["channels"][0]["id"], &rest["response_metadata"]["next_cursor"]),
        (&json!("G0123456789"), &json!(""))
    );
}

#[test]
fn requests_of_the_async_python_sdk_are_accepted() {
    const HEAD: &str = "Host: 127.0.0.1:18091\nContent-Type: application/x-www-form-urlencoded\nAuthorization: Bearer \
                        stand-in\nUser-Agent: Python/3.11.7 slackclient/3.47.0 Linux/6.18.44\nAccept: */*\n\
                        Accept-Encoding: gzip, deflate\n";
    let service = Service::start(Options::default());
    service.upload([
        &format!(
            "POST /api/files.getUploadURLExternal?filename=a.txt&length=3 HTTP/1.1\n{HEAD}Content-Length: 0\n\n"
        ),
        "POST TICKET HTTP/1.1\nHost: 127.0.0.1:18091\nAccept: */*\nAccept-Encoding: gzip, deflate\nUser-Agent: Python/3.11 \
         aiohttp/3.14.5\nContent-Length: 3\nContent-Type: application/octet-stream\n\nabc",
        &format!(
            "POST /api/files.completeUploadExternal?files=%5B%7B%22id%22:+%22FFFFFFFFFFF%22,+%22title%22:+%22a.txt%22%7D%5D\
             &channel_id=C0123456789 HTTP/1.1\n{HEAD}Content-Length: 0\n\n"
        ),
    ]);
    service.assert_ok(&format!("POST /api/auth.test HTTP/1.1\n{HEAD}Content-Length: 0\n\n"));
    let answer = service.assert_ok(&format!("GET /api/conversations.info?channel=C0123456789 HTTP/1.1\n{HEAD}\n"));
    assert_eq!(answer["channel"]["id"], CHANNEL);
    service.assert_ok(
        "POST /api/files.upload HTTP/1.1
Host: 127.0.0.1:18091
Authorization: Bearer stand-in
User-Agent: Python/3.11.7 slackclient/3.47.0 Linux/6.18.44
Accept: */*
Accept-Encoding: gzip, deflate
Content-Length: 459
Content-Type: multipart/form-data; boundary=6da344fc40cd48fcbdb107c802134af4

--6da344fc40cd48fcbdb107c802134af4
Content-Type: text/plain; charset=utf-8
Content-Disposition: form-data; name=\"channels\"

C0123456789
--6da344fc40cd48fcbdb107c802134af4
Content-Type: text/plain; charset=utf-8
Content-Disposition: form-data; name=\"filename\"

a.txt
--6da344fc40cd48fcbdb107c802134af4
Content-Type: application/octet-stream
Content-Disposition: form-data; name=\"file\"; filename=\"file\"

abc
--6da344fc40cd48fcbdb107c802134af4--
",
    );
    assert_eq!(service.posted(1), (vec![CHANNEL.to_owned()], "a.txt".to_owned(), ABC.to_owned()));
}

#[test]
fn requests_of_the_node_sdk_are_accepted() {
    const HEAD: &str = "host: 127.0.0.1:18092\nconnection: keep-alive\nUser-Agent: @slack:web-api/8.2.0 node/20.20.2 \
                        linux/6.18.44\nAccept: application/json\nAuthorization: Bearer stand-in\n";
    const TAIL: &str = "accept-language: *\nsec-fetch-mode: cors\naccept-encoding: gzip, deflate\n";
    const FORM: &str = "Content-Type: application/x-www-form-urlencoded\n";
    let service = Service::start(Options::default());
    let ticket = format!(
        "POST /api/files.getUploadURLExternal HTTP/1.1\n{HEAD}{FORM}{TAIL}content-length: 23\n\nfilename=a.txt&length=3"
    );
    let completion = format!(
        "POST /api/files.completeUploadExternal HTTP/1.1\n{HEAD}{FORM}{TAIL}content-length: 97\n\n\
         files=%5B%7B%22id%22%3A%22FFFFFFFFFFF%22%2C%22title%22%3A%22a.txt%22%7D%5D&channel_id=C0123456789"
    );
    let bytes = format!(
        "POST TICKET HTTP/1.1\n{HEAD}content-type: multipart/form-data; boundary=----formdata-undici-070589797368
{TAIL}content-length: 187

------formdata-undici-070589797368
Content-Disposition: form-data; name=\"body\"; filename=\"Untitled\"
Content-Type: application/octet-stream

abc
------formdata-undici-070589797368--
"
    );
    service.upload([&ticket, &bytes, &completion]);
    // Version 7.
    let bytes = "POST TICKET HTTP/1.1
Accept: application/json, text/plain, */*
Content-Type: multipart/form-data; boundary=--------------------------7a38822a1bcc0c307edfc813
User-Agent: @slack:web-api/7.19.0 node/20.20.2 linux/6.18.44
Authorization: Bearer stand-in
Content-Length: 223
Accept-Encoding: gzip, compress, deflate, br
Host: 127.0.0.1:18093
Connection: keep-alive

----------------------------7a38822a1bcc0c307edfc813
Content-Disposition: form-data; name=\"body\"; filename=\"Untitled\"
Content-Type: application/octet-stream

abc
----------------------------7a38822a1bcc0c307edfc813--
";
    service.upload([&ticket, bytes, &completion]);
    // Its `alt_text` is not the documented name, so it is ignored.
    let call = |method: &str, fields: &str| {
        format!("POST /api/{method} HTTP/1.1\n{HEAD}{FORM}{TAIL}content-length: {}\n\n{fields}", fields.len())
    };
    service.upload([
        &call("files.getUploadURLExternal", "filename=a.py&length=3&alt_text=A%20chart&snippet_type=python"),
        bytes,
        &call(
            "files.completeUploadExternal",
            "files=%5B%7B%22id%22%3A%22FFFFFFFFFFF%22%2C%22title%22%3A%22a.py%22%7D%5D&channel_id=C0123456789&blocks=%5B%7B\
             %22type%22%3A%22section%22%2C%22text%22%3A%7B%22type%22%3A%22mrkdwn%22%2C%22text%22%3A%22*Done*%22%7D%7D%5D",
        ),
    ]);
    assert_eq!(service.last(), (1, Some("python".to_owned()), 0));
    let list = call("conversations.list", "types=public_channel%2Cprivate_channel&limit=2");
    assert_eq!(service.assert_ok(&list)["channels"], json!([]));
    // A token for a single call is in both places.
    service.assert_ok(&format!("POST /api/auth.test HTTP/1.1\n{HEAD}{FORM}{TAIL}content-length: 11\n\ntoken=other"));
}

#[test]
fn requests_of_the_go_sdk_are_accepted() {
    const HEAD: &str = "Host: 127.0.0.1:18094\nUser-Agent: Go-http-client/1.1\n";
    const FORM: &str = "Content-Type: application/x-www-form-urlencoded\nAccept-Encoding: gzip\n\n";
    const TOKEN: &str = "token=xoxb-4815162342-QwErTyUiOpAsDfGh";
    let service = Service::start(Options::default());
    service.assert_ok(&format!("POST /api/auth.test HTTP/1.1\n{HEAD}Content-Length: 38\n{FORM}{TOKEN}"));
    // This client ends its form twice.
    service.upload([
        &format!(
            "POST /api/files.getUploadURLExternal HTTP/1.1\n{HEAD}Content-Length: 62\n{FORM}filename=g.csv&length=3&{TOKEN}"
        ),
        &format!(
            "POST TICKET HTTP/1.1\n{HEAD}Transfer-Encoding: chunked\nAuthorization: Bearer \
             xoxb-4815162342-QwErTyUiOpAsDfGh\nContent-Type: multipart/form-data; \
             boundary=6ca79a68e5d469b28c7a7686a7d0d585564baa2e8a169693f9481c76dc0a\nAccept-Encoding: gzip\n
a9
--6ca79a68e5d469b28c7a7686a7d0d585564baa2e8a169693f9481c76dc0a
Content-Disposition: form-data; name=\"file\"; filename=\"g.csv\"
Content-Type: application/octet-stream


3
abc
44

--6ca79a68e5d469b28c7a7686a7d0d585564baa2e8a169693f9481c76dc0a--

44

--6ca79a68e5d469b28c7a7686a7d0d585564baa2e8a169693f9481c76dc0a--

0

"
        ),
        &format!(
            "POST /api/files.completeUploadExternal HTTP/1.1\n{HEAD}Content-Length: 131\n{FORM}channel_id=C0123456789&\
             files=%5B%7B%22id%22%3A%22FFFFFFFFFFF%22%2C%22title%22%3A%22%22%7D%5D&{TOKEN}"
        ),
    ]);
}

#[test]
fn storage_clients_get_the_response_of_their_api_version() {
    let bucket = Options::default().with_bucket(Some("nightly".to_owned()));
    let service = Service::start(bucket);
    // 0051a2b3c4d5e6f0000000001 and K005AbCdEfGhIjKlMnOpQrStUvWxYz0
    let pair = "Authorization: Basic MDA1MWEyYjNjNGQ1ZTZmMDAwMDAwMDAwMTpLMDA1QWJDZEVmR2hJaktsTW5PcFFyU3RVdld4WXow\n";
    let ask = |version: &str| {
        let get = format!("GET /b2api/{version}/b2_authorize_account HTTP/1.1\nHost: 127.0.0.1:18095\n{pair}\n");
        let post = format!(
            "POST /b2api/{version}/b2_authorize_account HTTP/1.1\nHost: 127.0.0.1:18095\nUser-Agent: backblaze-b2/2.13.1\n\
             {pair}Content-Length: 2\n\n{{}}"
        );
        let [get, post] = [get, post].map(|lines| service.json(&lines));
        assert_eq!(get, post);
        get
    };
    let id = "000000000000000000000000";
    let [one, two, three, four] = ["v1", "v2", "v3", "v4"].map(ask);
    for flat in [&one, &two] {
        assert_eq!((&flat["apiUrl"], &flat["downloadUrl"]), (&json!(service.base), &json!(service.base)));
        assert!(flat["apiInfo"].is_null() && flat["recommendedPartSize"].is_u64(), "{flat}");
    }
    assert!(one["allowed"].is_null() && one["minimumPartSize"] == one["recommendedPartSize"], "{one}");
    assert_eq!((&two["allowed"]["bucketId"], &two["allowed"]["bucketName"]), (&json!(id), &json!("nightly")));
    let storage = &three["apiInfo"]["storageApi"];
    assert_eq!((&storage["bucketId"], &storage["bucketName"]), (&json!(id), &json!("nightly")));
    assert!(storage["infoType"] == "storageApi" && storage["capabilities"].is_array(), "{three}");
    let allowed = &four["apiInfo"]["storageApi"]["allowed"];
    assert_eq!(allowed["buckets"], json!([{"id": id, "name": "nightly"}]));
    assert!([one, two, three, four].iter().all(|answer| answer["accountId"] == "1a2b3c4d5e6f"));
}

#[test]
fn unknown_methods_get_the_error_format_of_their_service() {
    let service = Service::start(Options::default());
    let at = |line: &str, headers: &str| service.send(&format!("{line} HTTP/1.1\nHost: localhost\n{headers}\n"));
    for path in ["chat.postMessage", "api.test", "files.delete", "", "api/files.upload", "b2_authorize_account"] {
        for method in ["GET", "POST"] {
            let (status, body) = at(&format!("{method} /api/{path}?token=planted"), "Content-Length: 0\n");
            assert_eq!((status, body.as_str()), (200, r#"{"error":"unknown_method","ok":false}"#), "{path}");
        }
    }
    for (path, status, code) in [
        ("v4/b2_list_buckets", 400, "bad_request"),
        ("v2/b2_upload_file/planted", 400, "bad_request"),
        ("", 400, "bad_request"),
        ("v5/b2_authorize_account", 404, "not_found"),
        ("planted/b2_authorize_account", 404, "not_found"),
        ("v4/b2_authorize_account", 401, "unauthorized"),
    ] {
        let (found, body) = at(&format!("POST /b2api/{path}"), "Content-Length: 0\n");
        let answer: Value = serde_json::from_str(&body).unwrap();
        assert_eq!((found, &answer["status"], &answer["code"]), (status, &json!(status), &json!(code)), "{path}");
        assert!(answer["message"].as_str().is_some_and(|text| !text.is_empty() && !text.contains("planted")), "{body}");
    }
    for path in ["/", "/api", "/b2api", "/files.upload", "/services/T0/B0/planted", "/upload/v2/F", "/favicon.ico"] {
        let (status, body) = at(&format!("GET {path}"), "");
        assert!(status == 404 && !body.contains("planted") && !body.contains("ok"), "{path}: {body}");
    }
}

#[test]
fn a_token_is_accepted_as_an_argument() {
    let form = "Content-Type: application/x-www-form-urlencoded\n";
    let ask = |service: &Service, line: &str, headers: &str, body: &str| {
        let length = body.len();
        let lines =
            format!("{line} HTTP/1.1\nHost: localhost\nConnection: close\n{headers}Content-Length: {length}\n\n{body}");
        let answer = service.json(&lines);
        assert!(!answer.to_string().contains("stand-in"), "{answer}");
        if answer["ok"] == true { "ok".to_owned() } else { answer["error"].as_str().unwrap().to_owned() }
    };
    let part = "--B\r\nContent-Disposition: form-data; name=\"";
    // Lines get their own line endings.
    let part = part.replace("\r\n", "\n");
    let multipart = format!("{part}token\"\n\nstand-in\n{part}content\"\n\nabc\n--B--\n");
    let json = "Content-Type: application/json\n";
    let open = Service::start(Options::default());
    for (line, headers, body, expected) in [
        ("GET /api/auth.test?token=stand-in", "", "", "ok"),
        ("POST /api/auth.test?token=stand-in", "", "", "ok"),
        ("POST /api/auth.test", form, "token=stand-in", "ok"),
        ("POST /api/auth.test", form, "token=xoxc-1", "invalid_auth"),
        ("POST /api/auth.test", form, "token=", "not_authed"),
        ("POST /api/auth.test", form, "tokens=stand-in", "not_authed"),
        // With JSON, the token must be in the header.
        ("POST /api/auth.test", json, r#"{"token": "stand-in"}"#, "not_authed"),
        ("POST /api/auth.test", json, "{", "not_authed"),
        ("POST /api/files.info?token=stand-in", json, "{", "invalid_json"),
        // The header takes precedence.
        (
            "POST /api/auth.test",
            "Authorization: Basic dTpw\nContent-Type: application/x-www-form-urlencoded\n",
            "token=stand-in",
            "not_authed",
        ),
        ("GET /api/files.getUploadURLExternal?token=stand-in&filename=a&length=3", "", "", "ok"),
        ("POST /api/files.getUploadURLExternal?token=stand-in&filename=a", form, "length=3", "ok"),
        ("POST /api/files.getUploadURLExternal?filename=a&length=0", form, "token=stand-in&length=3", "ok"),
        ("POST /api/files.upload", form, "token=stand-in&content=abc", "ok"),
        ("POST /api/files.upload?token=stand-in", form, "content=", "no_file_data"),
        // Methods that share a file need POST.
        ("GET /api/files.upload?token=stand-in&content=abc", "", "", "method_not_allowed"),
        ("GET /api/files.completeUploadExternal?token=stand-in", "", "", "method_not_allowed"),
        ("PUT /api/auth.test?token=stand-in", "", "", "method_not_allowed"),
    ] {
        assert_eq!(ask(&open, line, headers, body), expected, "{line} {headers}{body}");
    }
    let lines = multipart.replace('\n', "\r\n").len();
    let sent = format!(
        "POST /api/files.upload HTTP/1.1\nHost: localhost\nContent-Type: multipart/form-data; boundary=B\n\
         Content-Length: {lines}\n\n{multipart}"
    );
    open.assert_ok(&sent);
    let large = format!("token=stand-in&content={}", "a".repeat(130_001));
    assert_eq!(ask(&open, "POST /api/files.upload", form, &large), "post_contents_too_large");
    assert_eq!(open.ledger.messages().len(), 2);
    // The hosted service accepts no token in the query from apps that were created since 2021.
    let hosted = Service::start(Options::default().with_hosted(true));
    let token = "token=xoxb-4815162342-QwErTyUiOpAsDfGh";
    assert_eq!(ask(&hosted, &format!("POST /api/auth.test?{token}"), "", ""), "not_authed");
    assert_eq!(ask(&hosted, "POST /api/auth.test", form, token), "ok");
    assert_eq!(ask(&hosted, "POST /api/auth.test", form, "token=stand-in"), "invalid_auth");
    assert_eq!(ask(&hosted, "POST /api/files.upload", form, &format!("{token}&content=abc")), "method_deprecated");
}

#[test]
fn cross_origin_requests_are_rejected() {
    let service = Service::start(Options::default());
    let post = |headers: &str| {
        let body = "token=stand-in&content=abc";
        let lines = format!(
            "POST /api/files.upload HTTP/1.1\nHost: localhost\nContent-Type: application/x-www-form-urlencoded\n{headers}\
             Content-Length: {}\n\n{body}",
            body.len()
        );
        service.send(&lines).0
    };
    for (headers, status) in [
        ("Origin: https://evil.example\n", 403),
        ("Origin: null\nSec-Fetch-Site: cross-site\n", 403),
        ("Sec-Fetch-Site: cross-site\n", 403),
        ("Origin: http://localhost:3000\nSec-Fetch-Site: cross-site\n", 200),
        ("Sec-Fetch-Mode: cors\n", 200),
    ] {
        let before = service.ledger.messages().len();
        assert_eq!(post(headers), status, "{headers}");
        assert_eq!(service.ledger.messages().len() - before, usize::from(status == 200), "{headers}");
    }
}

#[test]
fn each_request_is_logged_without_secrets() {
    let faults = ["files.info=lost,1", "conversations.info=silence", "auth.test=error:token_expired,1"];
    let faults = faults.map(|fault| fault.parse().unwrap()).to_vec();
    let service = Service::start(Options::default().with_faults(faults));
    let secret = "xoxb-4815162342-QwErTyUiOpAsDfGh";
    let host = format!("Host: localhost\nAuthorization: Bearer {secret}\n");
    let send = |line: &str, body: &str| {
        let lines = format!("{line} HTTP/1.1\n{host}Content-Length: {}\n\n{body}", body.len());
        let mut stream = TcpStream::connect(service.base.strip_prefix("http://").unwrap()).unwrap();
        stream.write_all(lines.replace('\n', "\r\n").as_bytes()).unwrap();
        // Every answer is reported.
        let answered = service.requests.recv_timeout(Duration::from_secs(20)).unwrap();
        assert!(!format!("{answered} {answered:?}").contains("QwErTy"), "{answered:?}");
        answered.to_string()
    };
    for (line, body, expected) in [
        ("POST /api/auth.test", "", "POST /api/auth.test 200 token_expired, 0 bytes"),
        ("GET /api/auth.test?token=QwErTyUi", "", "GET /api/auth.test 200 ok, 0 bytes"),
        ("POST /api/files.info?file=QwErTyUi", "", "POST /api/files.info no answer, 0 bytes"),
        ("POST /api/files.info?file=QwErTyUi", "", "POST /api/files.info 200 file_not_found, 0 bytes"),
        ("POST /api/conversations.info", "", "POST /api/conversations.info no answer, 0 bytes"),
        ("POST /api/chat.postMessage", "text=QwErTyUi", "POST /api/chat.postMessage 200 unknown_method, 13 bytes"),
        ("POST /api/xoxb-QwErTyUi1", "a", "POST /api/* 200 unknown_method, 1 byte"),
        ("POST /upload/v1/F0123456789QwErTyUi", "abc", "POST /upload/v1/* 404, 3 bytes"),
        ("POST /services/T0/B0/QwErTyUi", "", "POST /* 404, 0 bytes"),
        ("QwErTyUi /b2api/QwErTyUi/b2_list_keys", "", "? /b2api/*/b2_list_keys 400 bad_request, 0 bytes"),
        ("GET http://evil.example/api/auth.test", "", "GET /api/auth.test 421, 0 bytes"),
    ] {
        assert_eq!(send(line, body), expected, "{line}");
    }
}

#[test]
fn the_sandbox_command_logs_each_request_unless_quiet() {
    use std::process::Stdio;

    for quiet in [false, true] {
        let project = crate::harness::Project::new();
        let args: &[&str] = if quiet { &["sandbox", "--quiet"] } else { &["sandbox"] };
        let mut child = project.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut base = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut base).unwrap();
        let lines = "POST /api/files.upload?token=planted HTTP/1.1\nHost: localhost\nContent-Length: 0\n\n";
        assert_eq!(exchange(base.trim(), lines), (200, r#"{"error":"no_file_data","ok":false}"#.to_owned()));
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut written = String::new();
        if !quiet {
            // The line is written after the answer, so wait for it.
            stderr.read_line(&mut written).unwrap();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        stderr.read_to_string(&mut written).unwrap();
        assert_eq!(written, if quiet { "" } else { "POST /api/files.upload 200 no_file_data, 0 bytes\n" });
    }
}
