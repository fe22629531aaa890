//! `files.upload`: everything in one form, with the bytes of a file or with text that becomes one.
//! <https://docs.slack.dev/reference/methods/files.upload>

use std::collections::HashSet;

use hyper::Request;
use serde_json::json;

use super::arguments::{self, Arguments};
use super::body::{Body, Form};
use super::files::{self, Posting, StoredFile};
use super::host::Host;
use super::reply::{MethodError, MethodResult};
use super::store::Received;

/// The size limit of `content`, in bytes.
const CONTENT_LIMIT: usize = 130_000;
/// The name of text that was sent without one.
const UNTITLED: &str = "Untitled";

/// A file in a form, with the name that it was sent under.
pub(super) struct FilePart {
    name: String,
    received: Received,
}

/// Reads the fields of a form, and its file. A request of another content type has no file.
pub(super) async fn read(
    host: &Host,
    request: &mut Request<Body>,
    mut arguments: Arguments,
) -> Result<(Arguments, Option<FilePart>), MethodError> {
    let content_type = arguments::content_type(request);
    if !content_type.trim_start().to_ascii_lowercase().starts_with("multipart/form-data") {
        return Ok((arguments.with_body(request).await?, None));
    }
    let boundary = multer::parse_boundary(content_type).map_err(|_| "invalid_form_data")?;
    let mut form = Form::new(request.body_mut(), boundary);
    let (mut names, mut file, mut room) = (HashSet::new(), None, arguments::LIMIT);
    while let Some(mut field) = form.next().await.map_err(arguments::form_error)? {
        match (field.name(), field.file_name().map(str::to_owned)) {
            (Some("file"), Some(name)) => {
                if file.is_some() {
                    return Err("invalid_form_data".into());
                }
                let mut incoming = host.files.incoming().map_err(|_| "internal_error")?;
                while let Some(chunk) = form.file_chunk(&mut field).await.map_err(arguments::form_error)? {
                    incoming.write(&chunk).map_err(|_| "internal_error")?;
                }
                file = Some(FilePart { name, received: incoming.finish() });
            }
            (name, _) => {
                let name = name.unwrap_or_default().to_owned();
                let text = arguments::field_text(&mut field, &mut room).await?;
                let text = String::from_utf8(text).map_err(|_| "invalid_charset")?;
                if !names.insert(name.clone()) {
                    return Err("invalid_form_data".into());
                }
                arguments.add(name, text);
            }
        }
    }
    Ok((arguments, file))
}

pub(super) fn upload(host: &Host, arguments: &Arguments, file: Option<FilePart>) -> MethodResult {
    let FilePart { name, received } = match (file, arguments.get("content")) {
        (Some(file), _) => file,
        (None, Some(content)) => text(host, content)?,
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
    let thread_ts = files::thread(arguments.get("thread_ts"), &channels)?;
    let comment_length = arguments.get("initial_comment").map_or(0, |comment| comment.chars().count());
    let id = format!("F{}", files::random(10));
    let file = StoredFile {
        name: arguments.get("filename").map_or(name, str::to_owned),
        title: arguments.get("title").map(str::to_owned),
        length: received.size,
        ticket: String::new(),
        received: Some(received),
        shared: None,
    };
    let mut catalogue = host.files.catalogue();
    catalogue.insert(id.clone(), file);
    host.files.post(&mut catalogue, std::slice::from_ref(&id), Posting { channels, thread_ts, comment_length })?;
    Ok(json!({"file": host.files.record(&catalogue, &id).ok_or("internal_error")?}))
}

/// Stores `content` as a file.
fn text(host: &Host, content: &str) -> Result<FilePart, MethodError> {
    if content.len() > CONTENT_LIMIT {
        return Err("post_contents_too_large".into());
    }
    let mut incoming = host.files.incoming().map_err(|_| "internal_error")?;
    incoming.write(content.as_bytes()).map_err(|_| "internal_error")?;
    Ok(FilePart { name: UNTITLED.to_owned(), received: incoming.finish() })
}
