//! The answer: what kind it is, what it means together with its status, and what of it may be printed.

use serde::Deserialize;
use serde_json::Value;
use url::Url;

use super::explain::{Denial, explain};
use super::guard::Guard;
use super::receipt::{Status, UploadError};
use crate::schema::value::BaseUrl;
use crate::text;

/// More is not read: an answer of the service has a few kilobytes.
pub(super) const LIMIT: usize = 1024 * 1024;

/// What stands in an answer, its status aside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A JSON object with `ok: true`.
    Confirmed,
    /// A JSON object with `ok: false`.
    Denied,
    /// The same with an error after which, as the service documents, part of it may have been done all the same.
    Faltered,
    /// Neither: nothing at all, words, JSON without a boolean `ok`.
    NoVerdict,
    /// A web page.
    Html,
    /// Broken off, or JSON that can't be read.
    Truncated,
    /// Did not come to its end in time.
    Late,
    /// More than [`LIMIT`].
    TooLarge,
    /// Compressed, though nobody asked for that.
    Encoded,
}

/// What an upload came to, and the code to say it with. The one place that decides it.
///
/// `complete` says whether the last byte of the form was taken.
pub(super) fn verdict(status: u16, complete: bool, kind: Kind, confirm: bool) -> (Status, &'static str) {
    use Status::{Accepted, Delivered, Failed, Uncertain};
    match (status, complete, kind) {
        (_, _, Kind::Denied) | (_, false, Kind::Faltered) => (Failed, "denied"),
        (_, true, Kind::Faltered) => (Uncertain, "denied"),
        (300..=399, ..) => (Failed, "redirected"),
        (200..=299, false, Kind::Html) => (Failed, "html-answer"),
        (200..=299, false, _) => (Failed, "answered-early"),
        (_, false, _) => (Failed, "http-status"),
        (200..=299, true, Kind::Confirmed) => (Delivered, ""),
        (200..=299, true, Kind::NoVerdict) if confirm => (Uncertain, "unconfirmed"),
        (200..=299, true, Kind::NoVerdict) => (Accepted, ""),
        (200..=299, true, Kind::Html) => (Failed, "html-answer"),
        (200..=299, true, Kind::Truncated) => (Uncertain, "answer-truncated"),
        (200..=299, true, Kind::Late) => (Uncertain, "no-answer"),
        (200..=299, true, Kind::TooLarge) => (Uncertain, "answer-too-large"),
        (200..=299, true, Kind::Encoded) => (Uncertain, "answer-encoded"),
        (400..=407 | 409..=499, true, _) => (Failed, "http-status"),
        // 408 and 5xx; what is no status at all says as little.
        (_, true, _) => (Uncertain, "http-status"),
    }
}

/// The parts of an answer that mean something. Named twice, a part makes the answer unreadable.
#[derive(Deserialize, Default)]
struct Reply {
    ok: Option<Value>,
    error: Option<Value>,
    needed: Option<Value>,
    provided: Option<Value>,
    file: Option<Value>,
    response_metadata: Option<Value>,
}

/// An answer that was read as far as it can be.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) kind: Kind,
    reply: Reply,
    location: Option<String>,
    retry_after: Option<u32>,
}

impl Answer {
    pub(super) fn new(head: &reqwest::Response) -> Self {
        let header = |name: reqwest::header::HeaderName| head.headers().get(name).and_then(|value| value.to_str().ok());
        Self {
            status: head.status().as_u16(),
            kind: Kind::Truncated,
            reply: Reply::default(),
            location: header(reqwest::header::LOCATION).map(str::to_owned),
            retry_after: header(reqwest::header::RETRY_AFTER).and_then(|value| value.parse().ok()),
        }
    }

    /// Takes in a body that was read to its end.
    pub(super) fn read(&mut self, body: &[u8], content_type: Option<&str>) {
        let (kind, reply) = classify(body, content_type);
        self.kind = kind;
        self.reply = reply;
    }

    /// The id and the link of the file, if the answer has them and they may be printed.
    pub(super) fn file(&self, guard: &Guard) -> (Option<String>, Option<String>) {
        let part = |name| self.reply.file.as_ref().and_then(|file| file.get(name)).and_then(Value::as_str);
        (part("id").and_then(|id| show_id(id, guard)), part("permalink").and_then(|link| show_link(link, guard)))
    }

    /// Why it is not a success.
    pub(super) fn explain(&self, verdict: Status, code: &'static str, base: &BaseUrl, guard: &Guard) -> UploadError {
        let status = self.status;
        let error = |message: &str| UploadError::new(code, message);
        let uncertain = |message: &str| error(message).help("look in the channel before you run it again");
        match code {
            "denied" => match (explain(&self.denial(guard)), self.retry_after) {
                (error, Some(seconds)) if error.code == "ratelimited" => error.help(again_in(seconds)),
                (error, _) => error,
            },
            "redirected" => {
                let to = self.location.as_deref().and_then(|to| show_target(to, base, guard));
                let to = to.map(|to| format!(" to {to}")).unwrap_or_default();
                error(&format!("the service redirects (HTTP {status}){to}, and a redirect is never followed"))
                    .help("if you trust where it leads, set `base_url` to that address")
            }
            "html-answer" => error(&format!("the answer is a web page (HTTP {status}), not that of the service"))
                .help("check `base_url`: it seems to lead to a web site, a login page or a proxy"),
            "answered-early" => error(&format!(
                "the service answered HTTP {status} before it had read the whole file, so it can't have it"
            )),
            "http-status" if verdict == Status::Uncertain => {
                uncertain(&format!("the service answered HTTP {status}, and may have the file all the same"))
            }
            "http-status" => self.refusal(),
            "unconfirmed" => {
                uncertain(&format!("the service answered HTTP {status} and did not say that it has the file"))
            }
            "answer-truncated" => uncertain("the answer broke off or can't be read"),
            "no-answer" => uncertain("the file was sent, and no complete answer came in time"),
            "answer-too-large" => uncertain("the answer is larger than 1 MiB and was not read"),
            "answer-encoded" => uncertain("the answer is compressed, which was not asked for, and was not read"),
            _ => error(&format!("the service answered HTTP {status}")),
        }
    }

    fn refusal(&self) -> UploadError {
        let error = UploadError::new("http-status", format!("the service answered HTTP {}", self.status));
        match (self.status, self.retry_after) {
            (401 | 403, _) => {
                error.help("check `token`; if it is right, something on the way to the service refuses it")
            }
            (404 | 405 | 410, _) => error.help("check `base_url`: the operation is {base_url}/api/files.upload"),
            (407, _) => error.help("the proxy wants a user and a password"),
            (413, _) => error.help("the file is too large for the service or for a proxy on the way"),
            (429, Some(seconds)) => error.help(again_in(seconds)),
            (429, None) => error.help("too many requests: run it again later"),
            _ => error,
        }
    }

    fn denial(&self, guard: &Guard) -> Denial {
        let word = |value: &Option<Value>, show: fn(&str, &Guard) -> Option<String>| {
            value.as_ref().and_then(Value::as_str).and_then(|text| show(text, guard))
        };
        let messages = self.reply.response_metadata.as_ref().and_then(|data| data.get("messages"));
        Denial {
            code: word(&self.reply.error, show_code),
            needed: word(&self.reply.needed, show_scopes),
            provided: word(&self.reply.provided, show_scopes),
            messages: match messages.and_then(Value::as_array) {
                // What is harmless piece by piece may not be so together.
                Some(messages) if !guard.quotes(&words(messages).concat()) => {
                    words(messages).into_iter().filter_map(|message| show_message(message, guard)).collect()
                }
                _ => Vec::new(),
            },
        }
    }
}

/// The first messages of an answer.
fn words(messages: &[Value]) -> Vec<&str> {
    messages.iter().filter_map(Value::as_str).take(3).collect()
}

fn again_in(seconds: u32) -> String {
    format!("too many requests: run it again in {}", text::count(seconds as usize, "second"))
}

fn classify(body: &[u8], content_type: Option<&str>) -> (Kind, Reply) {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body).trim_ascii();
    match body.first() {
        None => (Kind::NoVerdict, Reply::default()),
        // Values that are skipped are not looked at, so the encoding of the whole is checked first.
        Some(b'{') => match std::str::from_utf8(body).ok().and_then(|body| serde_json::from_str::<Reply>(body).ok()) {
            Some(reply) => match reply.ok {
                Some(Value::Bool(true)) => (Kind::Confirmed, reply),
                Some(Value::Bool(false)) => match reply.error.as_ref().and_then(Value::as_str) {
                    // Source: https://docs.slack.dev/reference/methods/files.upload, the two codes of that wording.
                    Some("fatal_error" | "internal_error") => (Kind::Faltered, reply),
                    _ => (Kind::Denied, reply),
                },
                _ => (Kind::NoVerdict, reply),
            },
            None => (Kind::Truncated, Reply::default()),
        },
        Some(b'[') if serde_json::from_slice::<serde::de::IgnoredAny>(body).is_err() => {
            (Kind::Truncated, Reply::default())
        }
        // Many a small service calls every answer HTML; without any tag it is none.
        Some(_) if begins_html(body) || (says_html(content_type) && body.contains(&b'<')) => {
            (Kind::Html, Reply::default())
        }
        Some(_) => (Kind::NoVerdict, Reply::default()),
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

fn show_code(code: &str, guard: &Guard) -> Option<String> {
    let shape = (2..=64).contains(&code.len())
        && code.starts_with(|c: char| c.is_ascii_lowercase())
        && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    shape.then(|| guard.pass(code).map(str::to_owned)).flatten()
}

fn show_scopes(scopes: &str, guard: &Guard) -> Option<String> {
    let shape = (1..=300).contains(&scopes.len())
        && scopes.bytes().all(|byte| byte.is_ascii_lowercase() || b":._,-".contains(&byte));
    shape.then(|| guard.pass(scopes).map(str::to_owned)).flatten()
}

fn show_message(message: &str, guard: &Guard) -> Option<String> {
    let shape = (1..=200).contains(&message.len())
        && message.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
        && !text::opaque(message)
        && !message.contains("://");
    (shape && !guard.quotes(message)).then(|| message.to_owned())
}

fn show_id(id: &str, guard: &Guard) -> Option<String> {
    let shape = (3..=21).contains(&id.len())
        && id.starts_with(|c: char| c.is_ascii_uppercase())
        && id.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    shape.then(|| guard.pass(id).map(str::to_owned)).flatten()
}

/// An http or https address without user part, query and fragment. The parser encodes what is not ASCII.
fn show_link(link: &str, guard: &Guard) -> Option<String> {
    if link.len() > 1000 || link.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\') {
        return None;
    }
    let mut url = Url::parse(link).ok()?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return None;
    }
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    url.set_query(None);
    url.set_fragment(None);
    guard.pass(url.as_str()).map(str::to_owned)
}

/// Where a redirect leads: scheme, host and port.
fn show_target(target: &str, base: &BaseUrl, guard: &Guard) -> Option<String> {
    let url = Url::parse(&base.join("api/files.upload")).ok()?.join(target).ok()?;
    let origin = BaseUrl::parse(&url.origin().ascii_serialization()).ok()?.origin();
    guard.pass(&origin).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [Kind; 8] = [
        Kind::Confirmed,
        Kind::Denied,
        Kind::NoVerdict,
        Kind::Html,
        Kind::Truncated,
        Kind::Late,
        Kind::TooLarge,
        Kind::Encoded,
    ];

    /// The table of the documentation, row by row.
    #[test]
    fn the_table() {
        use Status::{Accepted, Delivered, Failed, Uncertain};
        for status in [200, 201, 204, 299] {
            let row = |kind| verdict(status, true, kind, false).0;
            assert_eq!(row(Kind::Confirmed), Delivered);
            assert_eq!(row(Kind::NoVerdict), Accepted);
            assert_eq!(row(Kind::Denied), Failed);
            assert_eq!(row(Kind::Faltered), Uncertain);
            assert_eq!(verdict(status, false, Kind::Faltered, false).0, Failed);
            assert_eq!(row(Kind::Html), Failed);
            for kind in [Kind::Truncated, Kind::Late, Kind::TooLarge, Kind::Encoded] {
                assert_eq!(row(kind), Uncertain, "{kind:?}");
            }
            assert_eq!(verdict(status, true, Kind::NoVerdict, true), (Uncertain, "unconfirmed"));
            assert_eq!(verdict(status, true, Kind::Confirmed, true).0, Delivered);
        }
        for kind in KINDS {
            for status in [300, 302, 307, 399, 400, 401, 404, 407, 409, 413, 429, 499] {
                assert_eq!(verdict(status, true, kind, false).0, Failed, "{status} {kind:?}");
            }
            let after = if kind == Kind::Denied { Failed } else { Uncertain };
            for status in [408, 500, 502, 503, 504, 599, 600, 999] {
                assert_eq!(verdict(status, true, kind, false).0, after, "{status} {kind:?}");
            }
            for status in [200, 204, 302, 400, 408, 413, 500, 503, 999] {
                assert_eq!(verdict(status, false, kind, false).0, Failed, "early {status} {kind:?}");
            }
        }
        assert_eq!(verdict(200, false, Kind::Confirmed, false).1, "answered-early");
        assert_eq!(verdict(413, false, Kind::Html, false).1, "http-status");
        assert_eq!(verdict(302, true, Kind::Confirmed, false).1, "redirected");
    }

    #[test]
    fn kinds_of_bodies() {
        let html = Some("text/html; charset=utf-8");
        for (body, content_type, kind) in [
            (r#"{"ok":true}"#, None, Kind::Confirmed),
            ("\u{feff} {\"ok\":true,\"file\":{}}\n", html, Kind::Confirmed),
            (r#"{"ok":false,"error":"x"}"#, None, Kind::Denied),
            (r#"{"ok":false,"error":"internal_error"}"#, None, Kind::Faltered),
            (r#"{"ok":"true"}"#, None, Kind::NoVerdict),
            (r#"{"ok":1}"#, None, Kind::NoVerdict),
            (r#"{"ok":null}"#, None, Kind::NoVerdict),
            (r#"{"file":{"ok":true}}"#, None, Kind::NoVerdict),
            ("[true]", None, Kind::NoVerdict),
            ("true", None, Kind::NoVerdict),
            ("", html, Kind::NoVerdict),
            ("OK - 30", html, Kind::NoVerdict),
            (r#"{"ok":false,"ok":true}"#, None, Kind::Truncated),
            (r#"{"ok":true"#, None, Kind::Truncated),
            (r#"{"ok":true} trailing"#, None, Kind::Truncated),
            ("{\"ok\":true,\"x\":\"\u{0}\"}", None, Kind::Truncated),
            ("[1,", None, Kind::Truncated),
            ("<!DOCTYPE html><p>hi", None, Kind::Html),
            ("\n<HTML>", Some("application/json"), Kind::Html),
            ("<p>hi</p>", html, Kind::Html),
            ("Sign in at <a href=x>x</a>", html, Kind::Html),
            ("<p>hi</p>", None, Kind::NoVerdict),
            ("<?xml version='1.0'?><ok/>", Some("text/xml"), Kind::NoVerdict),
        ] {
            assert_eq!(classify(body.as_bytes(), content_type).0, kind, "{body:?}");
        }
        assert_eq!(classify(b"{\"ok\":true,\"x\":\"\xff\"}", None).0, Kind::Truncated);
        assert_eq!(classify("{\"a\":".repeat(100_000).as_bytes(), None).0, Kind::Truncated);
    }

    #[test]
    fn what_the_service_says_is_printed_only_in_its_shape() {
        let guard = Guard::new(&"xoxb-4815162342-AbCdEfGhIjKl".into());
        assert_eq!(show_code("not_in_channel", &guard).as_deref(), Some("not_in_channel"));
        for code in ["", "x", "Not_auth", "a b", "a\u{1b}[31m", "_a", "a1", &"a".repeat(65), "xoxb_abcdefghijkl"] {
            assert_eq!(show_code(code, &guard), None, "{code}");
        }
        assert_eq!(show_id("F0123456789", &guard).as_deref(), Some("F0123456789"));
        for id in ["", "F", "f0123", "F-1", "ABCDEFGHIJKL", "F0123456789012345678901"] {
            assert_eq!(show_id(id, &guard), None, "{id}");
        }
        assert_eq!(
            show_scopes("files:write,chat:write.public", &guard).as_deref(),
            Some("files:write,chat:write.public")
        );
        for scopes in ["", "files write", "FILES", "abcdefghijkl"] {
            assert_eq!(show_scopes(scopes, &guard), None, "{scopes}");
        }
        assert!(
            show_message(
                "[ERROR] input must match regex pattern: ^[CGDZ][A-Z0-9]{8,}$ [json-pointer:/channel_id]",
                &guard
            )
            .is_some()
        );
        for message in
            ["", "a\nb", "\u{1b}[2J", "é", "see https://evil.example", "A1b2C3d4E5f6G7h8", "token xoxb-4815162342"]
        {
            assert_eq!(show_message(message, &guard), None, "{message}");
        }
        assert_eq!(
            show_link("https://user:pass@chat.example.com:8443/files/F1/é.csv?t=1#x", &guard).as_deref(),
            Some("https://chat.example.com:8443/files/F1/%C3%A9.csv")
        );
        for link in [
            "",
            "/files/F1",
            "javascript:alert(1)",
            "file:///etc/passwd",
            "https://chat.example.com/a b",
            "https://chat.example.com/\u{1b}[2J",
            "https://chat.example.com/xoxb-4815162342-AbCdEfGhIjKl",
            "https://chat.example.com/eG94Yi00ODE1MTYyMzQyLUFiQ2RFZkdoSWpLbA",
            "https://xoxb-4815162342-abcdefghijkl.example.com/",
        ] {
            assert_eq!(show_link(link, &guard), None, "{link}");
        }
        let base = BaseUrl::parse("https://chat.example.com/team").unwrap();
        for (target, shown) in [
            ("https://u:p@login.example.com:8443/x?token=1", Some("https://login.example.com:8443")),
            ("/login", Some("https://chat.example.com")),
            ("//other.example/x", Some("https://other.example")),
            ("http://xoxb-4815162342-abcdefghijkl.example.com", Some("http://********")),
            ("data:text/plain,x", None),
        ] {
            assert_eq!(show_target(target, &base, &guard).as_deref(), shown, "{target}");
        }
    }
}
