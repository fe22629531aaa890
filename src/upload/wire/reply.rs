//! Parses and classifies the body of an answer.

use serde::Deserialize;
use serde_json::Value;

/// The kind of an answer's body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BodyKind {
    /// A JSON object with `ok: true`.
    Confirmed,
    /// A JSON object with `ok: false`.
    Denied,
    /// Neither: an empty body, plain text, JSON without a boolean `ok`.
    NoVerdict,
    /// A web page.
    Html,
    /// Incomplete, or JSON that can't be parsed.
    Truncated,
    /// Not complete in time.
    Late,
    /// More than 1 MiB.
    TooLarge,
    /// Compressed, although the request does not accept that.
    Encoded,
}

/// The fields of an answer that credlint uses. A duplicate field makes the answer unreadable.
#[derive(Deserialize, Default)]
pub struct AnswerBody {
    pub ok: Option<Value>,
    pub error: Option<Value>,
    pub needed: Option<Value>,
    pub provided: Option<Value>,
    pub file: Option<Value>,
    pub files: Option<Value>,
    pub file_id: Option<Value>,
    pub upload_url: Option<Value>,
    pub response_metadata: Option<Value>,
    pub bot_id: Option<Value>,
    pub team_id: Option<Value>,
    pub enterprise_id: Option<Value>,
    pub expires_in: Option<Value>,
    pub channel: Option<Value>,
    pub code: Option<Value>,
    #[serde(rename = "apiInfo")]
    pub api_info: Option<Value>,
}

pub fn classify(body: &[u8], content_type: Option<&str>) -> (BodyKind, AnswerBody) {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body).trim_ascii();
    match body.first() {
        None => (BodyKind::NoVerdict, AnswerBody::default()),
        // The parser does not validate skipped values, so the encoding is checked first.
        Some(b'{') => {
            match std::str::from_utf8(body).ok().and_then(|body| serde_json::from_str::<AnswerBody>(body).ok()) {
                Some(reply) => match reply.ok {
                    Some(Value::Bool(true)) => (BodyKind::Confirmed, reply),
                    Some(Value::Bool(false)) => (BodyKind::Denied, reply),
                    _ => (BodyKind::NoVerdict, reply),
                },
                None => (BodyKind::Truncated, AnswerBody::default()),
            }
        }
        Some(b'[') if serde_json::from_slice::<serde::de::IgnoredAny>(body).is_err() => {
            (BodyKind::Truncated, AnswerBody::default())
        }
        // Many small services declare every answer as HTML. Without a tag, it is plain text.
        Some(_) if begins_html(body) || (says_html(content_type) && body.contains(&b'<')) => {
            (BodyKind::Html, AnswerBody::default())
        }
        Some(_) => (BodyKind::NoVerdict, AnswerBody::default()),
    }
}

fn begins_html(body: &[u8]) -> bool {
    ["<!doctype html", "<html", "<head", "<body", "<title", "<script", "<meta"]
        .iter()
        .any(|tag| body.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag.as_bytes())))
}

fn says_html(content_type: Option<&str>) -> bool {
    content_type.is_some_and(|value| {
        let kind = value.split(';').next().unwrap_or_default().trim();
        ["text/html", "application/xhtml+xml"].iter().any(|html| kind.eq_ignore_ascii_case(html))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_bodies() {
        let html = Some("text/html; charset=utf-8");
        for (body, content_type, kind) in [
            (r#"{"ok":true}"#, None, BodyKind::Confirmed),
            ("\u{feff} {\"ok\":true,\"file\":{}}\n", html, BodyKind::Confirmed),
            (r#"{"ok":false,"error":"x"}"#, None, BodyKind::Denied),
            (r#"{"ok":"true"}"#, None, BodyKind::NoVerdict),
            (r#"{"ok":1}"#, None, BodyKind::NoVerdict),
            (r#"{"ok":null}"#, None, BodyKind::NoVerdict),
            (r#"{"file":{"ok":true}}"#, None, BodyKind::NoVerdict),
            ("[true]", None, BodyKind::NoVerdict),
            ("true", None, BodyKind::NoVerdict),
            ("", html, BodyKind::NoVerdict),
            ("OK - 30", html, BodyKind::NoVerdict),
            (r#"{"ok":false,"ok":true}"#, None, BodyKind::Truncated),
            (r#"{"ok":true"#, None, BodyKind::Truncated),
            (r#"{"ok":true} trailing"#, None, BodyKind::Truncated),
            ("{\"ok\":true,\"x\":\"\u{0}\"}", None, BodyKind::Truncated),
            ("[1,", None, BodyKind::Truncated),
            ("<!DOCTYPE html><p>hi", None, BodyKind::Html),
            ("\n<HTML>", Some("application/json"), BodyKind::Html),
            ("<p>hi</p>", html, BodyKind::Html),
            ("Sign in at <a href=x>x</a>", html, BodyKind::Html),
            ("<p>hi</p>", None, BodyKind::NoVerdict),
            ("<?xml version='1.0'?><ok/>", Some("text/xml"), BodyKind::NoVerdict),
        ] {
            assert_eq!(classify(body.as_bytes(), content_type).0, kind, "{body:?}");
        }
        assert_eq!(classify(b"{\"ok\":true,\"x\":\"\xff\"}", None).0, BodyKind::Truncated);
        assert_eq!(classify("{\"a\":".repeat(100_000).as_bytes(), None).0, BodyKind::Truncated);
    }
}
