//! The operations: from a request to an answer.

use std::convert::Infallible;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyDataStream, BodyExt, Full};
use hyper::body::Incoming as Body;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::{Method, Request, Response};
use secrecy::SecretString;
use serde_json::{Value, json};

use super::store::Incoming;
use crate::schema::value::{BearerToken, ChannelId};

/// The text fields of a form together; a comment has a few thousand characters.
const FIELDS_LIMIT: usize = 1024 * 1024;

/// What every connection shares.
pub(super) struct Host {
    pub(super) base: String,
    pub(super) store: Option<PathBuf>,
}

/// The error codes of the hosted service, and `method_not_allowed`, which is our own.
type Answer = Result<Value, &'static str>;

pub(super) async fn answer(host: Arc<Host>, mut request: Request<Body>) -> Result<Response<Full<Bytes>>, Infallible> {
    let result = operate(&host, &mut request).await;
    // A client that is still sending would see a broken connection in place of an early answer.
    while let Some(Ok(_)) = request.body_mut().frame().await {}
    let known = request.uri().path() == "/api/auth.test" && result.is_ok();
    let body = match result {
        Ok(mut value) => {
            value["ok"] = true.into();
            value
        }
        Err(code) => json!({"ok": false, "error": code}),
    };
    let mut response = Response::new(Full::from(body.to_string()));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8"));
    if known {
        headers.insert("x-oauth-scopes", HeaderValue::from_static("files:write,files:read,chat:write"));
    }
    Ok(response)
}

async fn operate(host: &Host, request: &mut Request<Body>) -> Answer {
    let upload = match request.uri().path() {
        "/api/files.upload" => true,
        "/api/auth.test" => false,
        _ => return Err("unknown_method"),
    };
    if request.method() != Method::POST {
        return Err("method_not_allowed");
    }
    authenticate(request.headers())?;
    if upload { receive(host, request).await } else { Ok(test(host)) }
}

fn authenticate(headers: &HeaderMap) -> Result<(), &'static str> {
    let value = headers.get(AUTHORIZATION).ok_or("not_authed")?;
    let value = value.to_str().map_err(|_| "invalid_auth")?;
    // The server's parser has trimmed the value, so that an empty token leaves the bare word.
    let (scheme, token) = value.split_once(' ').unwrap_or((value, ""));
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err("not_authed");
    }
    BearerToken::new(SecretString::from(token)).map_or(Err("invalid_auth"), |_| Ok(()))
}

fn test(host: &Host) -> Value {
    json!({
        "url": format!("{}/", host.base),
        "team": "Sandbox",
        "user": "credlint",
        "team_id": "T00000000",
        "user_id": "U00000000",
        "bot_id": "B00000000",
    })
}

async fn receive(host: &Host, request: &mut Request<Body>) -> Answer {
    let content_type = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let boundary = multer::parse_boundary(content_type).map_err(|_| "invalid_form_data")?;
    let mut form = multer::Multipart::new(BodyDataStream::new(request.body_mut()), boundary);
    let id = file_id();
    let (mut channels, mut file, mut room) = (None, None, FIELDS_LIMIT);
    while let Some(mut field) = form.next_field().await.map_err(broken)? {
        match (field.name(), field.file_name().map(str::to_owned)) {
            (Some("file"), Some(name)) => {
                if file.is_some() {
                    return Err("invalid_form_data");
                }
                let mut incoming = Incoming::new(host.store.as_deref(), &id).map_err(|_| "internal_error")?;
                while let Some(chunk) = field.chunk().await.map_err(broken)? {
                    incoming.write(&chunk).map_err(|_| "internal_error")?;
                }
                file = Some((name, incoming));
            }
            (name, _) => {
                let wanted = name == Some("channels");
                let mut text = Vec::new();
                while let Some(chunk) = field.chunk().await.map_err(broken)? {
                    room = room.checked_sub(chunk.len()).ok_or("invalid_form_data")?;
                    text.extend_from_slice(if wanted { &chunk } else { &[] });
                }
                if wanted && channels.replace(String::from_utf8(text).map_err(|_| "invalid_charset")?).is_some() {
                    return Err("invalid_form_data");
                }
            }
        }
    }
    let (name, incoming) = file.ok_or("no_file_data")?;
    let channels = channels.filter(|channels| !channels.is_empty()).ok_or("invalid_channel")?;
    let channels: Vec<&str> = channels.split(',').collect();
    if channels.iter().any(|channel| ChannelId::parse(channel).is_err()) {
        return Err("channel_not_found");
    }
    let size = incoming.size;
    incoming.keep(&id, &name).map_err(|_| "internal_error")?;
    let permalink = format!("{}/files/{id}/{}", host.base, percent_encoded(&name));
    Ok(json!({"file": {"id": id, "name": name, "size": size, "permalink": permalink, "channels": channels}}))
}

/// What the parser makes of a form that ends too early, or is none.
fn broken(error: multer::Error) -> &'static str {
    match error {
        multer::Error::IncompleteFieldData { .. }
        | multer::Error::IncompleteHeaders
        | multer::Error::IncompleteStream
        | multer::Error::StreamReadFailed(_) => "request_timeout",
        _ => "invalid_form_data",
    }
}

/// `F` and ten capital letters or digits.
fn file_id() -> String {
    let mut random = RandomState::new().hash_one("file");
    let mut id = String::from("F");
    for _ in 0..10 {
        id.extend(char::from_digit((random % 36) as u32, 36).map(|c| c.to_ascii_uppercase()));
        random /= 36;
    }
    id
}

fn percent_encoded(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_links() {
        let id = file_id();
        assert!(id.len() == 11 && id.starts_with('F') && id != file_id(), "{id}");
        assert_eq!(percent_encoded("é b%/.csv"), "%C3%A9%20b%25%2F.csv");
    }

    #[test]
    fn tokens() {
        let with = |value: &'static str| {
            authenticate(&HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_static(value))]))
        };
        assert_eq!(authenticate(&HeaderMap::new()), Err("not_authed"));
        assert_eq!(with("Basic dTpw"), Err("not_authed"));
        for value in ["Bearer", "Bearer ", "Bearer a b", "Bearer https://hooks.example.com/x"] {
            assert_eq!(with(value), Err("invalid_auth"), "{value}");
        }
        assert_eq!(with("bearer xoxb-1"), Ok(()));
    }
}
