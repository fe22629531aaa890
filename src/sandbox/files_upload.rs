//! `files.upload`: everything in one form. <https://docs.slack.dev/reference/methods/files.upload>

use std::collections::HashMap;

use hyper::Request;
use serde_json::json;

use super::arguments;
use super::body::{Body, Form};
use super::files::{self, Posting, StoredFile};
use super::host::Host;
use super::reply::MethodResult;

pub(super) async fn upload(host: &Host, request: &mut Request<Body>) -> MethodResult {
    let boundary = multer::parse_boundary(arguments::content_type(request)).map_err(|_| "invalid_form_data")?;
    let mut form = Form::new(request.body_mut(), boundary);
    let (mut fields, mut file, mut room) = (HashMap::new(), None, arguments::LIMIT);
    while let Some(mut field) = form.next().await.map_err(arguments::broken)? {
        match (field.name(), field.file_name().map(str::to_owned)) {
            (Some("file"), Some(name)) => {
                if file.is_some() {
                    return Err("invalid_form_data".into());
                }
                let mut incoming = host.files.incoming().map_err(|_| "internal_error")?;
                while let Some(chunk) = form.of_file(&mut field).await.map_err(arguments::broken)? {
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
    let thread_ts = files::thread(field("thread_ts"), &channels)?;
    let comment_length = field("initial_comment").map_or(0, |comment| comment.chars().count());
    let id = format!("F{}", files::random(10));
    let file = StoredFile {
        name: field("filename").map_or(name, str::to_owned),
        title: field("title").map(str::to_owned),
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
