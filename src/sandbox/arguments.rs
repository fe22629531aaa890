//! The arguments of a method, in each of the forms that the hosted service takes.

use std::collections::HashMap;

use http_body_util::BodyExt;
use hyper::Request;
use hyper::header::CONTENT_TYPE;
use serde_json::Value;

use super::body::{Body, Form};
use super::reply::MethodError;

/// The text of a request; a comment has a few thousand characters.
pub(super) const LIMIT: usize = 1024 * 1024;

pub(super) struct Arguments(HashMap<String, String>);

impl Arguments {
    pub(super) async fn read(request: &mut Request<Body>) -> Result<Self, MethodError> {
        let content_type = content_type(request).to_owned();
        let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let fields = match essence.as_str() {
            "application/x-www-form-urlencoded" => {
                let text = text(request.body_mut()).await?;
                url::form_urlencoded::parse(&text).into_owned().collect()
            }
            "application/json" => {
                let Value::Object(object) =
                    serde_json::from_slice(&text(request.body_mut()).await?).map_err(|_| "invalid_json")?
                else {
                    return Err("json_not_object".into());
                };
                let words = object.into_iter().filter(|(_, value)| !value.is_null());
                words.map(|(name, value)| (name, value.as_str().map_or(value.to_string(), str::to_owned))).collect()
            }
            "multipart/form-data" => form(request.body_mut(), &content_type).await?,
            "" if text(request.body_mut()).await?.is_empty() => HashMap::new(),
            "" => return Err("missing_post_type".into()),
            _ => return Err("invalid_post_type".into()),
        };
        Ok(Self(fields))
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }
}

pub(super) fn content_type(request: &Request<Body>) -> &str {
    request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

async fn text(body: &mut Body) -> Result<Vec<u8>, MethodError> {
    let mut text = Vec::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| "request_timeout")?.into_data() else { continue };
        if text.len() + data.len() > LIMIT {
            return Err("invalid_arguments".into());
        }
        text.extend_from_slice(&data);
    }
    Ok(text)
}

async fn form(body: &mut Body, content_type: &str) -> Result<HashMap<String, String>, MethodError> {
    let boundary = multer::parse_boundary(content_type).map_err(|_| "invalid_form_data")?;
    let mut form = Form::new(body, boundary);
    let (mut fields, mut room) = (HashMap::new(), LIMIT);
    while let Some(mut field) = form.next().await.map_err(broken)? {
        let name = field.name().ok_or("invalid_form_data")?.to_owned();
        let text = field_text(&mut field, &mut room).await?;
        fields.insert(name, String::from_utf8(text).map_err(|_| "invalid_charset")?);
    }
    Ok(fields)
}

/// The bytes of a field, as long as there is room.
pub(super) async fn field_text(field: &mut multer::Field<'_>, room: &mut usize) -> Result<Vec<u8>, MethodError> {
    let mut text = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(broken)? {
        *room = room.checked_sub(chunk.len()).ok_or("invalid_form_data")?;
        text.extend_from_slice(&chunk);
    }
    Ok(text)
}

/// What the parser makes of a form that ends too early, or is none.
pub(super) fn broken(error: multer::Error) -> MethodError {
    match error {
        multer::Error::IncompleteFieldData { .. }
        | multer::Error::IncompleteHeaders
        | multer::Error::IncompleteStream
        | multer::Error::StreamReadFailed(_) => "request_timeout".into(),
        _ => "invalid_form_data".into(),
    }
}
