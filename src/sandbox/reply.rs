//! Builds the replies of the services.

use std::borrow::Cow;
use std::fmt;
use std::io;

use bytes::Bytes;
use futures_util::{StreamExt, future, stream};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::Frame;
use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::{Value, json};

/// The error that resets the connection in place of an answer.
#[derive(Debug)]
pub(super) struct Reset;

impl fmt::Display for Reset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("reset on purpose")
    }
}

impl std::error::Error for Reset {}

pub(super) type HttpReply = Response<UnsyncBoxBody<Bytes, io::Error>>;

/// An error of the messaging service: `ok: false` with a code, and sometimes with more fields.
#[derive(Debug)]
pub(super) struct MethodError {
    code: Cow<'static, str>,
    more: Value,
}

impl<C: Into<Cow<'static, str>>> From<C> for MethodError {
    fn from(code: C) -> Self {
        Self { code: code.into(), more: json!({}) }
    }
}

impl MethodError {
    /// Creates the error of an invalid argument. The code and the form of the message are those of
    /// <https://github.com/slackapi/node-slack-sdk/issues/1563>.
    pub(super) fn argument(name: &str, message: &str) -> Self {
        let message = format!("[ERROR] {message} [json-pointer:/{name}]");
        Self { code: "invalid_arguments".into(), more: json!({"response_metadata": {"messages": [message]}}) }
    }

    pub(super) fn scope(needed: &str, provided: &str) -> Self {
        Self { code: "missing_scope".into(), more: json!({"needed": needed, "provided": provided}) }
    }
}

/// The code of an answer, for reports of requests.
#[derive(Clone, Debug)]
pub(super) struct AnswerCode(pub(super) Cow<'static, str>);

pub(super) type MethodResult = Result<Value, MethodError>;

fn reply(status: StatusCode, content_type: &'static str, body: impl Into<Bytes>) -> HttpReply {
    let mut response = Response::new(Full::new(body.into()).map_err(|never| match never {}).boxed_unsync());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

pub(super) fn json(status: StatusCode, value: &Value) -> HttpReply {
    reply(status, "application/json; charset=utf-8", value.to_string())
}

/// Builds an answer of the messaging service, which always has HTTP 200.
pub(super) fn messaging(answer: MethodResult) -> HttpReply {
    let (body, code) = match answer {
        Ok(mut value) => {
            value["ok"] = true.into();
            (value, Cow::Borrowed("ok"))
        }
        Err(MethodError { code, mut more }) => {
            more["ok"] = false.into();
            more["error"] = code.clone().into();
            (more, code)
        }
    };
    with_code(json(StatusCode::OK, &body), code)
}

/// Attaches the code to a reply.
fn with_code(mut reply: HttpReply, code: Cow<'static, str>) -> HttpReply {
    reply.extensions_mut().insert(AnswerCode(code));
    reply
}

/// Builds the answer to too many requests. <https://docs.slack.dev/apis/web-api/rate-limits> documents the status and
/// the code, <https://www.backblaze.com/docs/cloud-storage-rate-limits> only the status.
pub(super) fn too_many(storage: bool) -> HttpReply {
    if storage {
        return page(StatusCode::TOO_MANY_REQUESTS);
    }
    let mut reply = messaging(Err("ratelimited".into()));
    *reply.status_mut() = StatusCode::TOO_MANY_REQUESTS;
    reply
}

/// Builds an error of the storage service: `{status, code, message}`.
/// <https://www.backblaze.com/docs/cloud-storage-native-api-error-handling-and-status-codes>
pub(super) fn storage_error(status: StatusCode, code: &str, message: &str) -> HttpReply {
    let body = json!({"status": status.as_u16(), "code": code, "message": message});
    with_code(json(status, &body), code.to_owned().into())
}

pub(super) fn text(status: StatusCode, text: impl Into<Bytes>) -> HttpReply {
    reply(status, "text/plain", text)
}

pub(super) fn page(status: StatusCode) -> HttpReply {
    let page =
        format!("<!DOCTYPE html>\n<html><head><title>{status}</title></head><body><h1>{status}</h1></body></html>\n");
    reply(status, "text/html", page)
}

/// Builds a truncated document, after which the connection closes.
pub(super) fn truncated() -> HttpReply {
    let document = Bytes::from_static(br#"{"ok":true,"files":[{"id":"F000"#);
    let announced = HeaderValue::from(2 * document.len());
    let begin = stream::once(future::ok(Frame::data(document)));
    // An error closes the connection. Yield once before it, so that the bytes are flushed.
    let end = stream::once(async {
        tokio::task::yield_now().await;
        Err(io::ErrorKind::UnexpectedEof.into())
    });
    let mut reply = json(StatusCode::OK, &Value::Null).map(|_| StreamBody::new(begin.chain(end)).boxed_unsync());
    reply.headers_mut().insert(CONTENT_LENGTH, announced);
    reply
}
