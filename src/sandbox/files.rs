//! The two ways to upload, and what became of the files.
//!
//! <https://docs.slack.dev/messaging/working-with-files> tells the way of three calls; what it leaves open is said
//! where it is decided here.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use http_body_util::{BodyDataStream, BodyExt};
use hyper::body::Incoming as Body;
use hyper::{Request, StatusCode};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use serde_json::{Value, json};

use super::arguments::{self, Arguments};
use super::ledger::{Ledger, Message, Posted};
use super::reply::{self, Answer, Refused, Reply};
use super::store::{Incoming, Received};
use super::{Host, MEMORY, accounts};

/// One call takes this many channels: <https://docs.slack.dev/reference/methods/files.completeUploadExternal>.
const CHANNELS_LIMIT: usize = 100;

/// What is spelt `%XX` in the path of a link. Source: RFC 3986, 2.3.
const SPELLED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The files that were announced, received and shared.
#[derive(Debug)]
pub(super) struct Files {
    store: Option<PathBuf>,
    ledger: Ledger,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    files: HashMap<String, File>,
    /// The oldest file is forgotten first.
    order: VecDeque<String>,
    /// Microseconds; the time stamp of a message is its id.
    latest: u64,
}

#[derive(Debug)]
struct File {
    name: String,
    title: Option<String>,
    /// What was announced.
    length: u64,
    /// The last part of the address for the bytes.
    ticket: String,
    received: Option<Received>,
    shared: Option<Shared>,
}

#[derive(Clone, Debug)]
struct Shared {
    ts: String,
    channels: Vec<String>,
}

/// Where and with what files are posted.
struct Post {
    channels: Vec<String>,
    thread_ts: Option<String>,
    comment_length: usize,
}

impl Files {
    pub(super) fn new(store: Option<PathBuf>, ledger: Ledger) -> Self {
        Self { store, ledger, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn incoming(&self) -> io::Result<Incoming> {
        Incoming::new(self.store.as_deref(), &random(22))
    }
}

impl State {
    fn insert(&mut self, id: String, file: File) {
        if self.order.len() == MEMORY
            && let Some(oldest) = self.order.pop_front()
        {
            self.files.remove(&oldest);
        }
        self.order.push_back(id.clone());
        self.files.insert(id, file);
    }

    /// Keeps the bytes, and notes what is posted: all files in one message.
    fn post(&mut self, ids: &[String], post: Post) -> io::Result<Message> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_micros());
        self.latest = u64::try_from(now).unwrap_or_default().max(self.latest + 1);
        let ts = format!("{:010}.{:06}", self.latest / 1_000_000, self.latest % 1_000_000);
        let mut files = Vec::new();
        for id in ids {
            let Some(file) = self.files.get_mut(id) else { continue };
            let Some(received) = &mut file.received else { continue };
            received.keep(id, &file.name)?;
            file.shared = Some(Shared { ts: ts.clone(), channels: post.channels.clone() });
            files.push(Posted {
                id: id.clone(),
                name: file.name.clone(),
                title: file.title.clone(),
                size: received.size,
                sha256: received.sha256.clone(),
            });
        }
        let Post { channels, thread_ts, comment_length } = post;
        Ok(Message { ts, channels, thread_ts, comment_length, files })
    }
}

/// `files.upload`: everything in one form. <https://docs.slack.dev/reference/methods/files.upload>
pub(super) async fn upload(host: &Host, request: &mut Request<Body>) -> Answer {
    let boundary = multer::parse_boundary(arguments::content_type(request)).map_err(|_| "invalid_form_data")?;
    let mut form = multer::Multipart::new(BodyDataStream::new(request.body_mut()), boundary);
    let (mut fields, mut file, mut room) = (HashMap::new(), None, arguments::LIMIT);
    while let Some(mut field) = form.next_field().await.map_err(arguments::broken)? {
        match (field.name(), field.file_name().map(str::to_owned)) {
            (Some("file"), Some(name)) => {
                if file.is_some() {
                    return Err("invalid_form_data".into());
                }
                let mut incoming = host.files.incoming().map_err(|_| "internal_error")?;
                while let Some(chunk) = field.chunk().await.map_err(arguments::broken)? {
                    incoming.write(&chunk).map_err(|_| "internal_error")?;
                }
                file = Some((name, incoming.finish()));
            }
            (name, _) => {
                let name = name.unwrap_or_default().to_owned();
                let text = arguments::field_text(&mut field, &mut room).await?;
                let text = String::from_utf8(text).map_err(|_| "invalid_charset")?;
                if fields.insert(name, text).is_some() {
                    return Err("invalid_form_data".into());
                }
            }
        }
    }
    let (name, received) = file.ok_or("no_file_data")?;
    let field = |name: &str| fields.get(name).map(String::as_str).filter(|text| !text.is_empty());
    let channels: Vec<String> = field("channels").ok_or("invalid_channel")?.split(',').map(str::to_owned).collect();
    // Names will do here, other than for `files.completeUploadExternal`.
    let sound = |channel: &String| {
        let blank = |c: char| c.is_whitespace() || c.is_control();
        !channel.is_empty() && !channel.contains(blank) && !channel.contains("://") && host.has_channel(channel)
    };
    if !channels.iter().all(sound) {
        return Err("channel_not_found".into());
    }
    let thread_ts = thread(field("thread_ts"), &channels)?;
    let comment_length = field("initial_comment").map_or(0, |comment| comment.chars().count());
    let id = format!("F{}", random(10));
    let file = File {
        name: field("filename").map_or(name, str::to_owned),
        title: field("title").map(str::to_owned),
        length: received.size,
        ticket: String::new(),
        received: Some(received),
        shared: None,
    };
    let mut state = host.files.state();
    state.insert(id.clone(), file);
    post(host, &mut state, std::slice::from_ref(&id), Post { channels, thread_ts, comment_length })?;
    Ok(json!({"file": record(host, &state, &id).ok_or("internal_error")?}))
}

/// `files.getUploadURLExternal`: an address for the bytes of one file.
/// <https://docs.slack.dev/reference/methods/files.getUploadURLExternal>
pub(super) fn upload_url(host: &Host, arguments: &Arguments) -> Answer {
    let name = arguments.get("filename").ok_or("missing_argument")?;
    let length = arguments.get("length").ok_or("missing_argument")?;
    let length: i64 = length.parse().map_err(|_| Refused::argument("length", "must be an integer"))?;
    // The words are those of the hosted service; one byte is enough for it.
    let length = u64::try_from(length).ok().filter(|length| *length > 0);
    let length = length.ok_or_else(|| Refused::argument("length", "must be greater than 1"))?;
    let (id, ticket) = (format!("F{}", random(10)), random(22));
    let upload_url = format!("{}/upload/v1/{id}{ticket}", host.base);
    let file = File { name: name.to_owned(), title: None, length, ticket, received: None, shared: None };
    host.files.state().insert(id.clone(), file);
    Ok(json!({"upload_url": upload_url, "file_id": id}))
}

/// The bytes of a file, raw or as the field `file` of a form. Nobody is asked for a token: the address is secret.
pub(super) async fn receive(host: &Host, request: &mut Request<Body>) -> Reply {
    let refused = |status, text: &'static str| reply::text(status, text);
    let ticket = request.uri().path().trim_start_matches("/upload/v1/");
    // The id of the file goes before the secret.
    let Some((id, secret)) = ticket.split_at_checked(11).map(|(id, secret)| (id.to_owned(), secret.to_owned())) else {
        return refused(StatusCode::NOT_FOUND, "no such upload");
    };
    let open = |state: &State| {
        let file = state.files.get(&id).filter(|file| file.ticket == secret && file.shared.is_none());
        file.map(|file| file.length)
    };
    let Some(length) = open(&host.files.state()) else { return refused(StatusCode::NOT_FOUND, "no such upload") };
    let received = match bytes(host, request, length).await {
        Ok(received) => received,
        Err(Broken::Store) => return refused(StatusCode::INTERNAL_SERVER_ERROR, "the file can't be stored"),
        Err(Broken::Body) => return refused(StatusCode::BAD_REQUEST, "the body is broken"),
    };
    let mut state = host.files.state();
    if open(&state).is_none() {
        return refused(StatusCode::NOT_FOUND, "no such upload");
    }
    let Some(file) = state.files.get_mut(&id) else { return refused(StatusCode::NOT_FOUND, "no such upload") };
    let size = received.size;
    // A second request takes the place of the first. What the hosted service does about another length than was
    // announced is not shown.
    file.received = (size == length).then_some(received);
    if size == length {
        reply::text(StatusCode::OK, format!("OK - {size}"))
    } else {
        refused(StatusCode::BAD_REQUEST, "the length is not the one that was announced")
    }
}

enum Broken {
    Body,
    Store,
}

/// Stores the bytes, up to one more than was announced: the rest of them changes nothing.
async fn bytes(host: &Host, request: &mut Request<Body>, length: u64) -> Result<Received, Broken> {
    let mut incoming = host.files.incoming().map_err(|_| Broken::Store)?;
    let mut write = |chunk: &[u8]| {
        let room = usize::try_from(length + 1 - incoming.size).unwrap_or(usize::MAX);
        incoming.write(&chunk[..chunk.len().min(room)]).map_err(|_| Broken::Store)
    };
    match multer::parse_boundary(arguments::content_type(request)) {
        Ok(boundary) => {
            let mut form = multer::Multipart::new(BodyDataStream::new(request.body_mut()), boundary);
            let mut found = false;
            while let Some(mut field) = form.next_field().await.map_err(|_| Broken::Body)? {
                let wanted = field.name() == Some("file") && !std::mem::replace(&mut found, true);
                while let Some(chunk) = field.chunk().await.map_err(|_| Broken::Body)? {
                    if wanted {
                        write(&chunk)?;
                    }
                }
            }
        }
        Err(_) => {
            while let Some(frame) = request.body_mut().frame().await {
                if let Ok(chunk) = frame.map_err(|_| Broken::Body)?.into_data() {
                    write(&chunk)?;
                }
            }
        }
    }
    Ok(incoming.finish())
}

#[derive(Deserialize)]
struct Wanted {
    id: String,
    title: Option<String>,
}

/// `files.completeUploadExternal`: shares files whose bytes are there, all in one message, and only once.
/// <https://docs.slack.dev/reference/methods/files.completeUploadExternal>
pub(super) fn complete(host: &Host, arguments: &Arguments) -> Answer {
    let files = arguments.get("files").ok_or_else(|| Refused::argument("files", "missing required field: files"))?;
    let files: Vec<Wanted> = serde_json::from_str(files)
        .ok()
        .filter(|files: &Vec<Wanted>| !files.is_empty())
        .ok_or_else(|| Refused::argument("files", "must be an array of objects with an id"))?;
    let mut channels = Vec::new();
    if let Some(list) = arguments.get("channels") {
        channels.extend(list.split(',').map(str::to_owned));
    }
    if channels.len() > CHANNELS_LIMIT {
        return Err("channels_limit_exceeded".into());
    }
    // The hosted service takes conversations and users, and shows no pattern for them: whatever is all capitals and
    // digits could be an id.
    let capital = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    if !channels.iter().all(|id| !id.is_empty() && id.bytes().all(capital) && host.has_channel(id)) {
        return Err("channel_not_found".into());
    }
    if let Some(id) = arguments.get("channel_id") {
        if !accounts::is_conversation(id) {
            return Err(Refused::argument("channel_id", "input must match regex pattern: ^[CGDZ][A-Z0-9]{8,}$"));
        }
        if !host.has_channel(id) {
            return Err("channel_not_found".into());
        }
        if !channels.iter().any(|channel| channel == id) {
            channels.push(id.to_owned());
        }
    }
    let thread_ts = thread(arguments.get("thread_ts"), &channels)?;
    let comment_length = arguments.get("initial_comment").map_or(0, |comment| comment.chars().count());
    let mut state = host.files.state();
    // "This method can only be called once." What a second call is told is not shown; of the documented codes, this
    // is the one that no client takes for a passing failure.
    let mut seen = HashSet::new();
    let ready = |wanted: &Wanted| {
        state.files.get(&wanted.id).is_some_and(|file| file.received.is_some() && file.shared.is_none())
            && seen.insert(wanted.id.clone())
    };
    if !files.iter().all(ready) {
        return Err("file_not_found".into());
    }
    let mut ids = Vec::new();
    for wanted in files {
        if let Some(file) = state.files.get_mut(&wanted.id) {
            // The name stands in for a title.
            file.title = Some(wanted.title.unwrap_or_else(|| file.name.clone()));
            ids.push(wanted.id);
        }
    }
    post(host, &mut state, &ids, Post { channels, thread_ts, comment_length })?;
    let files: Vec<Value> = ids.iter().map(|id| json!({"id": id, "title": state.files[id].title})).collect();
    Ok(json!({"files": files}))
}

/// `files.info`: what became of a file. <https://docs.slack.dev/reference/methods/files.info>
pub(super) fn info(host: &Host, arguments: &Arguments) -> Answer {
    let file = arguments.get("file").and_then(|id| record(host, &host.files.state(), id)).ok_or("file_not_found")?;
    Ok(json!({"file": file}))
}

fn post(host: &Host, state: &mut State, ids: &[String], post: Post) -> Result<(), Refused> {
    let posted = state.post(ids, post).and_then(|message| host.files.ledger.post(message));
    // "It's possible some aspect of the operation succeeded before the error was raised."
    posted.map_err(|_| "internal_error".into())
}

/// A reply goes to one message, and a message is in one channel.
fn thread(ts: Option<&str>, channels: &[String]) -> Result<Option<String>, Refused> {
    let digits = |text: &str, len| text.len() == len && text.bytes().all(|byte| byte.is_ascii_digit());
    match ts {
        None => Ok(None),
        Some(ts) if channels.len() == 1 => {
            let shape = ts.split_once('.').is_some_and(|(seconds, micros)| digits(seconds, 10) && digits(micros, 6));
            if shape { Ok(Some(ts.to_owned())) } else { Err("invalid_thread_ts".into()) }
        }
        Some(_) => Err("invalid_thread_ts".into()),
    }
}

/// A file that was shared, as the methods show it. The kinds of conversations are told by the first letter.
fn record(host: &Host, state: &State, id: &str) -> Option<Value> {
    let file = state.files.get(id)?;
    let Shared { ts, channels } = file.shared.as_ref()?;
    let of = |kind: fn(&str) -> bool| channels.iter().filter(|id| kind(id)).collect::<Vec<_>>();
    let (groups, ims) = (of(|id| id.starts_with('G')), of(|id| id.starts_with(['D', 'U', 'W'])));
    let public = of(|id| !id.starts_with(['G', 'D', 'U', 'W']));
    let shares = |ids: &[&String]| ids.iter().map(|id| (id.as_str(), json!([{"ts": ts}]))).collect::<Value>();
    Some(json!({
        "id": id,
        "name": file.name,
        "title": file.title.as_ref().unwrap_or(&file.name),
        "size": file.length,
        "permalink": format!("{}/files/{id}/{}", host.base, utf8_percent_encode(&file.name, SPELLED)),
        "channels": public,
        "groups": groups,
        "ims": ims,
        "shares": {"public": shares(&public), "private": shares(&[groups, ims].concat())},
    }))
}

/// Capital letters and digits that nobody guesses.
fn random(len: usize) -> String {
    let mut text = String::with_capacity(len);
    while text.len() < len {
        let mut random = RandomState::new().hash_one("file");
        // Ten of 36 take 52 of the 64 bits.
        for _ in 0..10.min(len - text.len()) {
            text.extend(char::from_digit((random % 36) as u32, 36).map(|c| c.to_ascii_uppercase()));
            random /= 36;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_links() {
        let id = random(22);
        assert!(id.len() == 22 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()) && id != random(22), "{id}");
        assert_eq!(utf8_percent_encode("é b%/.csv", SPELLED).to_string(), "%C3%A9%20b%25%2F.csv");
    }

    #[test]
    fn the_oldest_file_is_forgotten_first() {
        let mut state = State::default();
        for number in 0..=MEMORY {
            let file = File {
                name: String::new(),
                title: None,
                length: 1,
                ticket: String::new(),
                received: None,
                shared: None,
            };
            state.insert(number.to_string(), file);
        }
        assert!(state.files.len() == MEMORY && !state.files.contains_key("0") && state.files.contains_key("1"));
    }
}
