//! The methods that receive and share files: `files.upload`, with everything in one form, and the three calls that
//! replaced it: get an address, send the bytes, complete.
//!
//! <https://docs.slack.dev/messaging/working-with-files> describes them. What it leaves open is noted where it is
//! decided here.

use std::collections::HashSet;

use http_body_util::BodyExt;
use hyper::{Request, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};

use super::body::{self, Arguments, FormParts, ReceivedBody, content_type, form_error};
use super::files::{self, Catalogue, Service, StoredFile};
use super::issued;
use super::operation::Operation;
use super::reply::{self, HttpReply, MethodError, MethodResult};
use super::store::Received;

/// The hosted service answers `internal_error` to a call with more files. Reported in
/// <https://github.com/slackapi/python-slack-sdk/issues/1653>; not documented.
const FILES_LIMIT: usize = 14;
/// The maximum number of channels in one call: <https://docs.slack.dev/reference/methods/files.completeUploadExternal>.
const CHANNELS_LIMIT: usize = 100;

/// The maximum number of characters of a description, and the size of a snippet, which the source gives as `1MB`:
/// <https://docs.slack.dev/reference/methods/files.getUploadURLExternal>.
const ALT_TEXT_LIMIT: usize = 1000;
const SNIPPET_LIMIT: u64 = 1024 * 1024;
/// The maximum number of blocks in a message: <https://docs.slack.dev/reference/block-kit/blocks>.
const BLOCKS_LIMIT: usize = 50;

/// `files.getUploadURLExternal`: an address for the bytes of one file.
/// <https://docs.slack.dev/reference/methods/files.getUploadURLExternal>
pub(super) fn upload_url(host: &Service, arguments: &Arguments) -> MethodResult {
    let name = arguments.get("filename").ok_or("missing_argument")?;
    let length = arguments.get("length").ok_or("missing_argument")?;
    let length: i64 = length.parse().map_err(|_| MethodError::argument("length", "must be an integer"))?;
    // The message is Slack's, which nevertheless accepts one byte.
    let length = u64::try_from(length).ok().filter(|length| *length > 0);
    let length = length.ok_or_else(|| MethodError::argument("length", "must be greater than 1"))?;
    let alt_text_length = files::characters(arguments, "alt_txt");
    if alt_text_length > ALT_TEXT_LIMIT {
        return Err("alt_txt_too_large".into());
    }
    let snippet_type = arguments.get("snippet_type").map(str::to_owned);
    if let Some(word) = &snippet_type {
        // Which types there are is not documented.
        if !crate::text::is_word_of(word, "_-") {
            return Err("unknown_snippet_type".into());
        }
        if length > SNIPPET_LIMIT {
            return Err("snippet_too_large".into());
        }
    }
    let (id, ticket) = (format!("F{}", files::random(10)), files::random(22));
    let upload_url = format!("{}/upload/v1/{id}{ticket}", host.base);
    let name = name.to_owned();
    let file =
        StoredFile { name, title: None, snippet_type, alt_text_length, length, ticket, received: None, shared: None };
    host.catalogue().insert(id.clone(), file);
    Ok(json!({"upload_url": upload_url, "file_id": id}))
}

/// Receives the bytes of a file, raw or in a form. In a form, the first file counts, whatever its field is called,
/// because clients name it differently. No token is needed: the address is secret.
pub(super) async fn receive(host: &Service, request: &mut Request<ReceivedBody>) -> HttpReply {
    let missing = || reply::text(StatusCode::NOT_FOUND, "no such upload");
    let ticket = request.uri().path().trim_start_matches("/upload/v1/");
    // The ID of the file comes before the secret.
    let Some((id, secret)) = ticket.split_at_checked(11).map(|(id, secret)| (id.to_owned(), secret.to_owned())) else {
        return missing();
    };
    let open = |catalogue: &Catalogue| {
        let file = catalogue.files.get(&id).filter(|file| file.ticket == secret && file.shared.is_none());
        file.map(|file| file.length)
    };
    let Some(length) = open(&host.catalogue()) else { return missing() };
    let received = match receive_bytes(host, request, length).await {
        Ok(received) => received,
        Err(ReceiveError::Store) => return reply::text(StatusCode::INTERNAL_SERVER_ERROR, "the file can't be stored"),
        Err(ReceiveError::Body) => return reply::text(StatusCode::BAD_REQUEST, "the body is broken"),
    };
    let mut catalogue = host.catalogue();
    if open(&catalogue).is_none() {
        return missing();
    }
    let Some(file) = catalogue.files.get_mut(&id) else { return missing() };
    let size = received.size;
    // A second request replaces the first. What the hosted service does if the length differs from the announced one is
    // not documented.
    file.received = (size == length).then_some(received);
    if size == length {
        reply::text(StatusCode::OK, format!("OK - {size}"))
    } else {
        reply::text(StatusCode::BAD_REQUEST, "the length is not the one that was announced")
    }
}

enum ReceiveError {
    Body,
    Store,
}

/// Stores the bytes, up to one more than was announced: more would not change the result.
async fn receive_bytes(
    host: &Service,
    request: &mut Request<ReceivedBody>,
    length: u64,
) -> Result<Received, ReceiveError> {
    let mut incoming = host.incoming().map_err(|_| ReceiveError::Store)?;
    let mut write = |chunk: &[u8]| {
        let room = usize::try_from(length + 1 - incoming.size).unwrap_or(usize::MAX);
        incoming.write(&chunk[..chunk.len().min(room)]).map_err(|_| ReceiveError::Store)
    };
    match multer::parse_boundary(content_type(request)) {
        Ok(boundary) => {
            let mut form = FormParts::new(request.body_mut(), boundary);
            let mut found = false;
            while let Some(mut field) = form.next().await.map_err(|_| ReceiveError::Body)? {
                // Asking for the next field skips any other one.
                let file = field.name() == Some("file") || field.file_name().is_some();
                if file && !std::mem::replace(&mut found, true) {
                    while let Some(chunk) = form.file_chunk(&mut field).await.map_err(|_| ReceiveError::Body)? {
                        write(&chunk)?;
                    }
                }
            }
        }
        Err(_) => {
            let limits = request.body().limits();
            while let Some(frame) = request.body_mut().frame().await {
                if let Ok(chunk) = frame.map_err(|_| ReceiveError::Body)?.into_data() {
                    limits.count_file(chunk.len()).map_err(|_| ReceiveError::Body)?;
                    write(&chunk)?;
                }
            }
        }
    }
    Ok(incoming.finish())
}

#[derive(Deserialize)]
struct Completed {
    id: String,
    title: Option<String>,
}

/// `files.completeUploadExternal`: shares files that were received, all in one message, and only once.
/// <https://docs.slack.dev/reference/methods/files.completeUploadExternal>
pub(super) fn complete(host: &Service, arguments: &Arguments) -> MethodResult {
    let files =
        arguments.get("files").ok_or_else(|| MethodError::argument("files", "missing required field: files"))?;
    let files: Vec<Completed> = serde_json::from_str(files)
        .ok()
        .filter(|files: &Vec<Completed>| !files.is_empty())
        .ok_or_else(|| MethodError::argument("files", "must be an array of objects with an id"))?;
    if host.options.hosted && files.len() > FILES_LIMIT {
        return Err("internal_error".into());
    }
    let channels = channels(host, arguments)?;
    let mut message = files::message(arguments, channels)?;
    message.blocks = blocks(arguments)?;
    let mut catalogue = host.catalogue();
    // "This method can only be called once." The answer to a second call is not documented; of the documented codes,
    // this is the one that no client treats as a temporary failure.
    let mut seen = HashSet::new();
    let ready = |wanted: &Completed| {
        catalogue.files.get(&wanted.id).is_some_and(|file| file.received.is_some() && file.shared.is_none())
            && seen.insert(wanted.id.clone())
    };
    if !files.iter().all(ready) {
        return Err("file_not_found".into());
    }
    let mut ids = Vec::new();
    for wanted in files {
        if let Some(file) = catalogue.files.get_mut(&wanted.id) {
            // Without a title, the name is used.
            file.title = Some(wanted.title.unwrap_or_else(|| file.name.clone()));
            ids.push(wanted.id);
        }
    }
    host.post(&mut catalogue, &ids, message)?;
    let files: Vec<Value> = ids.iter().map(|id| json!({"id": id, "title": catalogue.files[id].title})).collect();
    Ok(json!({"files": files}))
}

/// Returns the number of blocks, which are ignored beside a comment.
fn blocks(arguments: &Arguments) -> Result<usize, MethodError> {
    let Some(text) = arguments.get("blocks").filter(|_| arguments.get("initial_comment").is_none()) else {
        return Ok(0);
    };
    let blocks: Vec<Value> = serde_json::from_str(text).map_err(|_| "invalid_blocks")?;
    let valid = (1..=BLOCKS_LIMIT).contains(&blocks.len()) && blocks.iter().all(|block| block["type"].is_string());
    if valid { Ok(blocks.len()) } else { Err("invalid_blocks".into()) }
}

/// Returns the channels to share in, which are given as a list, as a single one, or both.
fn channels(host: &Service, arguments: &Arguments) -> Result<Vec<String>, MethodError> {
    let mut channels = Vec::new();
    if let Some(list) = arguments.get("channels") {
        channels.extend(list.split(',').map(str::to_owned));
    }
    if channels.len() > CHANNELS_LIMIT {
        return Err("channels_limit_exceeded".into());
    }
    // The hosted service accepts conversations and users, and documents no pattern for them. So a service that is not
    // strict accepts any ID of capital letters and digits.
    let capital = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    let plausible = |id: &str| {
        if host.options.hosted { issued::is_recipient(id) } else { !id.is_empty() && id.bytes().all(capital) }
    };
    if !channels.iter().all(|id| plausible(id) && host.has_channel(id)) {
        return Err("channel_not_found".into());
    }
    if let Some(id) = arguments.get("channel_id") {
        if !issued::is_conversation(id) {
            return Err(MethodError::argument("channel_id", "input must match regex pattern: ^[CGDZ][A-Z0-9]{8,}$"));
        }
        if !host.has_channel(id) {
            return Err("channel_not_found".into());
        }
        if !channels.iter().any(|channel| channel == id) {
            channels.push(id.to_owned());
        }
    }
    Ok(channels)
}

/// The size limit of `content`, in bytes.
const CONTENT_LIMIT: usize = 130_000;
/// The name of text that was sent without one.
const UNTITLED: &str = "Untitled";

/// A file in a form, with the name that it was sent under.
pub(super) struct FilePart {
    name: String,
    received: Received,
}

/// The content of a request: its arguments, and for `files.upload` a file.
pub(super) type Sent = (Arguments, Option<FilePart>);

/// Reads the arguments of a request, and the file in a form of `files.upload`.
pub(super) async fn read(
    host: &Service,
    operation: Operation,
    request: &mut Request<ReceivedBody>,
) -> Result<Sent, MethodError> {
    let mut arguments = Arguments::from_query(request, host.options.hosted);
    let form_type = content_type(request);
    if !form_type.trim_start().to_ascii_lowercase().starts_with("multipart/form-data") {
        return Ok((arguments.with_body(request).await?, None));
    }
    let boundary = multer::parse_boundary(form_type).map_err(|_| "invalid_form_data")?;
    let mut form = FormParts::new(request.body_mut(), boundary);
    let (mut names, mut file, mut room) = (HashSet::new(), None, body::LIMIT);
    while let Some(mut field) = form.next().await.map_err(form_error)? {
        match (field.name(), field.file_name().map(str::to_owned)) {
            (Some("file"), Some(name)) if operation == Operation::FilesUpload => {
                if file.is_some() {
                    return Err("invalid_form_data".into());
                }
                let mut incoming = host.incoming().map_err(|_| "internal_error")?;
                while let Some(chunk) = form.file_chunk(&mut field).await.map_err(form_error)? {
                    incoming.write(&chunk).map_err(|_| "internal_error")?;
                }
                file = Some(FilePart { name, received: incoming.finish() });
            }
            (name, _) => {
                let name = name.ok_or("invalid_form_data")?.to_owned();
                let mut text = Vec::new();
                while let Some(chunk) = field.chunk().await.map_err(form_error)? {
                    room = room.checked_sub(chunk.len()).ok_or("invalid_form_data")?;
                    text.extend_from_slice(&chunk);
                }
                let text = String::from_utf8(text).map_err(|_| "invalid_charset")?;
                if !names.insert(name.clone()) && operation == Operation::FilesUpload {
                    return Err("invalid_form_data".into());
                }
                arguments.add(name, text);
            }
        }
    }
    Ok((arguments, file))
}

pub(super) fn upload(host: &Service, arguments: &Arguments, file: Option<FilePart>) -> MethodResult {
    let FilePart { name, received } = match (file, arguments.get("content")) {
        (Some(file), _) => file,
        (None, Some(content)) => text_file(host, content)?,
        (None, None) => return Err("no_file_data".into()),
    };
    // Without a channel, the file is private.
    let channels: Vec<String> =
        arguments.get("channels").map(|list| list.split(',').map(str::to_owned).collect()).unwrap_or_default();
    // Unlike `files.completeUploadExternal`, this method accepts the names of channels.
    let valid = |channel: &String| {
        let blank = |c: char| c.is_whitespace() || c.is_control();
        !channel.is_empty() && !channel.contains(blank) && !channel.contains("://") && host.has_channel(channel)
    };
    if !channels.iter().all(valid) {
        return Err("channel_not_found".into());
    }
    let message = files::message(arguments, channels)?;
    let id = format!("F{}", files::random(10));
    let file = StoredFile {
        name: arguments.get("filename").map_or(name, str::to_owned),
        title: arguments.get("title").map(str::to_owned),
        snippet_type: arguments.get("filetype").map(str::to_owned),
        alt_text_length: 0,
        length: received.size,
        ticket: String::new(),
        received: Some(received),
        shared: None,
    };
    let mut catalogue = host.catalogue();
    catalogue.insert(id.clone(), file);
    host.post(&mut catalogue, std::slice::from_ref(&id), message)?;
    Ok(json!({"file": host.record(&catalogue, &id).ok_or("internal_error")?}))
}

/// Stores `content` as a file.
fn text_file(host: &Service, content: &str) -> Result<FilePart, MethodError> {
    if content.len() > CONTENT_LIMIT {
        return Err("post_contents_too_large".into());
    }
    let mut incoming = host.incoming().map_err(|_| "internal_error")?;
    incoming.write(content.as_bytes()).map_err(|_| "internal_error")?;
    Ok(FilePart { name: UNTITLED.to_owned(), received: incoming.finish() })
}
