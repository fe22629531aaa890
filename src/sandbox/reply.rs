//! Builds the replies of the services.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use hyper::header::{CONTENT_TYPE, HeaderValue};
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

/// A body in one piece, which may be shorter than was announced.
#[derive(Debug)]
pub(super) struct WholeBody {
    bytes: Option<Bytes>,
    missing: u64,
    flushed: bool,
}

impl WholeBody {
    fn new(bytes: Bytes, missing: u64) -> Self {
        Self { bytes: Some(bytes), missing, flushed: false }
    }
}

impl Body for WholeBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        if let Some(bytes) = self.bytes.take() {
            return Poll::Ready(Some(Ok(Frame::data(bytes))));
        }
        if self.missing == 0 {
            return Poll::Ready(None);
        }
        // An error closes the connection. Yield once before it, so that the bytes are flushed.
        if !self.flushed {
            self.flushed = true;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(Some(Err(io::ErrorKind::UnexpectedEof.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.missing == 0 && self.bytes.as_ref().is_none_or(Bytes::is_empty)
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.bytes.as_ref().map_or(0, |bytes| bytes.len() as u64) + self.missing)
    }
}

pub(super) type HttpReply = Response<WholeBody>;

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
pub(super) struct Code(pub(super) Cow<'static, str>);

pub(super) type MethodResult = Result<Value, MethodError>;

fn reply(status: StatusCode, content_type: &'static str, piece: WholeBody) -> HttpReply {
    let mut response = Response::new(piece);
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

pub(super) fn json(status: StatusCode, value: &Value) -> HttpReply {
    reply(status, "application/json; charset=utf-8", WholeBody::new(value.to_string().into(), 0))
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
    reply.extensions_mut().insert(Code(code));
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
    reply(status, "text/plain", WholeBody::new(text.into(), 0))
}

pub(super) fn page(status: StatusCode) -> HttpReply {
    let page =
        format!("<!DOCTYPE html>\n<html><head><title>{status}</title></head><body><h1>{status}</h1></body></html>\n");
    reply(status, "text/html", WholeBody::new(page.into(), 0))
}

/// Builds a truncated document, after which the connection closes.
pub(super) fn truncated() -> HttpReply {
    let document = Bytes::from_static(br#"{"ok":true,"files":[{"id":"F000"#);
    let missing = document.len() as u64;
    reply(StatusCode::OK, "application/json; charset=utf-8", WholeBody::new(document, missing))
}
