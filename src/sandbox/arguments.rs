//! Reads the arguments of a method in each form that the hosted service accepts: in the query, as a form, as JSON, and
//! in a mixture of those. <https://docs.slack.dev/apis/web-api>

use std::collections::HashMap;

use http_body_util::BodyExt;
use hyper::Request;
use hyper::header::CONTENT_TYPE;
use serde_json::Value;

use super::body::{Body, Form};
use super::reply::MethodError;

/// The size limit of a request's text. A comment has a few thousand characters.
pub(super) const LIMIT: usize = 1024 * 1024;

/// The argument that can replace the header `Authorization`.
const TOKEN: &str = "token";

pub(super) struct Arguments(HashMap<String, String>);

impl Arguments {
    /// Reads the arguments in the query. Apps that were created since 2021 can't send a token there:
    /// <https://docs.slack.dev/changelog/2020-11-no-more-tokens-in-querystrings-for-newly-created-apps>
    pub(super) fn from_query<B>(request: &Request<B>, hosted: bool) -> Self {
        let query = request.uri().query().unwrap_or_default();
        let mut fields: HashMap<_, _> = url::form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        if hosted {
            fields.remove(TOKEN);
        }
        Self(fields)
    }

    /// Adds the arguments in the body. Which of two arguments with the same name counts is not documented; here it is
    /// the one in the body.
    pub(super) async fn with_body(mut self, request: &mut Request<Body>) -> Result<Self, MethodError> {
        let content_type = content_type(request).to_owned();
        let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match essence.as_str() {
            "application/x-www-form-urlencoded" => {
                let text = text(request.body_mut()).await?;
                self.0.extend(url::form_urlencoded::parse(&text).into_owned());
            }
            "application/json" => self.0.extend(object(&text(request.body_mut()).await?)?),
            "multipart/form-data" => self.0.extend(form(request.body_mut(), &content_type).await?),
            // Clients that put everything into the query send an empty body of any type.
            other if !is_empty(request.body_mut()).await? => {
                return Err(if other.is_empty() { "missing_post_type" } else { "invalid_post_type" }.into());
            }
            _ => {}
        }
        Ok(self)
    }

    /// Adds an argument.
    pub(super) fn add(&mut self, name: String, value: String) {
        self.0.insert(name, value);
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    pub(super) fn token(&self) -> Option<&str> {
        self.get(TOKEN)
    }
}

/// Parses the arguments in a JSON object. With JSON, the token must be in the header, so one in the object is ignored:
/// <https://docs.slack.dev/changelog/2017-10-keeping-up-with-the-jsons>
fn object(text: &[u8]) -> Result<impl Iterator<Item = (String, String)> + use<>, MethodError> {
    let value = if text.is_empty() { Ok(Value::Object(serde_json::Map::new())) } else { serde_json::from_slice(text) };
    let Value::Object(object) = value.map_err(|_| "invalid_json")? else { return Err("json_not_object".into()) };
    let words = object.into_iter().filter(|(name, value)| !value.is_null() && name != TOKEN);
    Ok(words.map(|(name, value)| (name, value.as_str().map_or(value.to_string(), str::to_owned))))
}

async fn is_empty(body: &mut Body) -> Result<bool, MethodError> {
    while let Some(frame) = body.frame().await {
        if frame.map_err(|_| "request_timeout")?.data_ref().is_some_and(|data| !data.is_empty()) {
            return Ok(false);
        }
    }
    Ok(true)
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
    while let Some(mut field) = form.next().await.map_err(form_error)? {
        let name = field.name().ok_or("invalid_form_data")?.to_owned();
        let text = field_text(&mut field, &mut room).await?;
        fields.insert(name, String::from_utf8(text).map_err(|_| "invalid_charset")?);
    }
    Ok(fields)
}

/// Reads the bytes of a field. Fails if there are more than `room`, which is reduced by their number.
pub(super) async fn field_text(field: &mut multer::Field<'_>, room: &mut usize) -> Result<Vec<u8>, MethodError> {
    let mut text = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(form_error)? {
        *room = room.checked_sub(chunk.len()).ok_or("invalid_form_data")?;
        text.extend_from_slice(&chunk);
    }
    Ok(text)
}

/// Converts an error of the parser: a form that ends too early, or is not valid.
pub(super) fn form_error(error: multer::Error) -> MethodError {
    match error {
        multer::Error::IncompleteFieldData { .. }
        | multer::Error::IncompleteHeaders
        | multer::Error::IncompleteStream
        | multer::Error::StreamReadFailed(_) => "request_timeout".into(),
        _ => "invalid_form_data".into(),
    }
}
