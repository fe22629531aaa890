//! Answers of services to the real client over a real socket; and the journal, which persists between runs.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use credlint::upload::{Client, FileName, Journal, Method, Payload, Post, Settings, Watch};
use credlint::{BaseUrl, BearerToken, ChannelId, Environment, LoadOptions, VerifyOptions};

use super::{Check, SECRET, document, fuzz, no_secret, seeds};
use crate::server::runtime;

/// A service that gives the same answer to every request.
struct CannedServer {
    base: String,
    answer: Arc<Mutex<Vec<u8>>>,
}

impl CannedServer {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let answer = Arc::new(Mutex::new(Vec::new()));
        let response = Arc::clone(&answer);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let answer = response.lock().unwrap().clone();
                // The client may do anything with its end.
                let _ = serve(stream, &answer);
            }
        });
        Self { base, answer }
    }

    fn set_response(&self, answer: &[u8]) {
        *self.answer.lock().unwrap() = replace(answer, b"BASE", self.base.as_bytes());
    }
}

fn replace(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    match text.windows(from.len()).position(|window| window == from) {
        Some(at) => [&text[..at], to, &text[at + from.len()..]].concat(),
        None => text.to_vec(),
    }
}

fn serve(mut stream: TcpStream, answer: &[u8]) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    let mut request = Vec::new();
    let mut part = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&request).to_lowercase();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length =
                head.split("content-length: ").nth(1).and_then(|rest| rest.lines().next()?.parse::<usize>().ok());
            if length
                .map_or_else(|| !head.contains("chunked") || body.ends_with("0\r\n\r\n"), |length| body.len() >= length)
            {
                break;
            }
        }
        match stream.read(&mut part)? {
            0 => return Ok(()),
            len => request.extend_from_slice(&part[..len]),
        }
    }
    stream.write_all(answer)?;
    stream.shutdown(std::net::Shutdown::Write)?;
    // Closing with unread bytes would reset the connection, and with it the answer.
    while stream.read(&mut part)? > 0 {}
    Ok(())
}

fn settings() -> Settings {
    let mut settings = Settings::default();
    settings.answer_timeout = Duration::from_secs(2);
    settings.stall_timeout = Duration::from_secs(2);
    settings.retries = 0;
    settings.max_wait = Duration::ZERO;
    settings
}

fn upload(method: Method) -> Check {
    let server = CannedServer::start();
    Box::new(move |_, input| {
        server.set_response(input);
        let mut settings = settings();
        settings.method = Some(method);
        let base = BaseUrl::parse(&server.base).map_err(|flaw| flaw.describe().to_owned())?;
        let token = BearerToken::new(SECRET.into()).map_err(|flaw| format!("{flaw:?}"))?;
        let client = Client::new(&base, &token, settings).map_err(|error| format!("{error:?}"))?;
        let post = Post::new(vec![ChannelId::parse("C0123456789").unwrap()]).with_comment(Some(SECRET.into()));
        let name = FileName::new("report.csv").map_err(|error| format!("{error:?}"))?;
        let payload = Payload::stream(name, &b"a,b\n"[..]);
        let receipt = runtime().block_on(client.upload(&post, payload, Watch::default()));
        no_secret(&format!("{receipt:?}{receipt:#?}"))
    })
}

/// A connection costs more than reading a file.
const WEIGHT: u64 = 4;

#[test]
fn fuzz_responses_to_files_upload() {
    fuzz("answers-upload", WEIGHT, seeds::answers(), upload(Method::FilesUpload));
}

#[test]
fn fuzz_responses_to_external() {
    fuzz("answers-external", WEIGHT, seeds::answers(), upload(Method::External));
}

#[test]
fn fuzz_responses_to_verify() {
    let server = CannedServer::start();
    fuzz(
        "answers-verify",
        WEIGHT,
        seeds::answers(),
        Box::new(move |directory, input| {
            server.set_response(input);
            let base = &server.base;
            let text = format!(
                "[messaging.r]\nbase_url = '{base}'\ntoken = {{ env = 'T' }}\nchannels = ['C0123456789']\nworkspace = 'T0123456789'\n\
             [storage.s]\napi_url = '{base}'\napplication_key_id = '0051a2b3c4d5e6f0000000001'\napplication_key = {{ env = 'T' }}\nbucket = 'nightly'\n"
            );
            std::fs::write(directory.join("credlint.toml"), text).unwrap();
            let loaded = credlint::load(&LoadOptions::new(directory, Environment::from_iter([("T", SECRET)])));
            let loaded = loaded.map_err(|error| error.to_string())?;
            let mut options = VerifyOptions::default();
            options.settings = settings();
            // A name is looked up in the lists of channels.
            let channel = if input.len() % 2 == 0 { "#general" } else { "C0123456789" };
            options.channels = vec![ChannelId::parse(channel).unwrap()];
            let report = runtime().block_on(loaded.verify(&options)).map_err(|error| error.to_string())?;
            no_secret(&format!("{report:?}{}", report.to_json()))?;
            document(&report.to_json(), "credlint/report/v1")?;
            if report.live.as_ref().is_some_and(|live| live.len() == 2) { Ok(()) } else { Err(format!("{report:?}")) }
        }),
    );
}

#[test]
fn fuzz_journal() {
    fuzz(
        "journal",
        2,
        seeds::journal(),
        Box::new(|directory, input| {
            let (report, journal) = (directory.join("report.csv"), directory.join("journal"));
            std::fs::write(&report, "a,b\n").unwrap();
            let base = BaseUrl::parse("http://127.0.0.1:1").unwrap();
            let post = Post::new(vec![ChannelId::parse("C0123456789").unwrap()]);
            let payload = Payload::open(&report, None).map_err(|error| format!("{error:?}"))?;
            // The key of this file, so that the lines apply to it.
            let key = key(directory, &base, &post, &report, &payload)?;
            let written = replace(input, b"KEY", key.as_bytes());
            std::fs::write(&journal, &written).unwrap();
            let open = || open(&journal);
            match open() {
                Ok(opened) => {
                    let entry = opened.entry(&base, &post, &report, &payload).map_err(|error| format!("{error:?}"))?;
                    // The ID in it is returned unchanged; it is checked before it is printed.
                    let _ = runtime().block_on(opened.prior_state(&entry, &payload));
                    drop(opened);
                    // Readable lines stay readable, except an incomplete one.
                    let again = std::fs::read(&journal).unwrap();
                    if !written.starts_with(&again) || written[again.len()..].contains(&b'\n') {
                        return Err("it cut off more than a line without an end".to_owned());
                    }
                    open().map(drop).map_err(|error| format!("the second time: {error:?}"))
                }
                Err(error) => {
                    no_secret(&format!("{error:?}{error}"))?;
                    let untouched = std::fs::read(&journal).unwrap() == written;
                    if untouched { Ok(()) } else { Err("a journal that can't be used was changed".to_owned()) }
                }
            }
        }),
    );
}

fn key(directory: &Path, base: &BaseUrl, post: &Post, file: &Path, payload: &Payload) -> Result<String, String> {
    let empty = directory.join("empty");
    let journal = open(&empty).map_err(|error| format!("{error:?}"))?;
    let entry = journal.entry(base, post, file, payload).map_err(|error| format!("{error:?}"))?;
    let debug = format!("{entry:?}");
    debug.split("key: \"").nth(1).and_then(|rest| rest.split('"').next()).map(str::to_owned).ok_or(debug)
}

/// Opens a journal when no other process has it open: a child of another test has a copy of every open file until it
/// runs exec.
fn open(path: &Path) -> Result<Journal, credlint::Problem> {
    loop {
        match Journal::open(path) {
            Err(error) if error.code == credlint::Code::JournalLocked => std::thread::sleep(Duration::from_millis(2)),
            opened => return opened,
        }
    }
}
