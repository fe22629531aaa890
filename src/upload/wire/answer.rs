//! The answer: what kind it is, what it means together with its status, and what of it may be printed.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use url::Url;

use super::call::Request;
use super::explain::{Denial, explain, is_known};
use super::guard::Guard;
use crate::schema::value::BaseUrl;
use crate::text;
use crate::upload::receipt::UploadError;
use crate::upload::retry::{self, Outcome, Step};

/// More is not read: an answer of the service has a few kilobytes.
pub const LIMIT: usize = 1024 * 1024;

/// What stands in an answer, its status aside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A JSON object with `ok: true`.
    Confirmed,
    /// A JSON object with `ok: false`.
    Denied,
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

/// Whose answer it is: the two services say yes and no in different words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// `ok`, and beside `false` an `error`.
    Messaging,
    /// What was asked for, or `status`, `code` and `message`.
    /// Source: <https://www.backblaze.com/docs/cloud-storage-native-api-error-handling-and-status-codes>.
    Storage,
}

/// The parts of an answer that mean something. Named twice, a part makes the answer unreadable.
#[derive(Deserialize, Default)]
struct Reply {
    ok: Option<Value>,
    error: Option<Value>,
    needed: Option<Value>,
    provided: Option<Value>,
    file: Option<Value>,
    files: Option<Value>,
    file_id: Option<Value>,
    upload_url: Option<Value>,
    response_metadata: Option<Value>,
    bot_id: Option<Value>,
    team_id: Option<Value>,
    enterprise_id: Option<Value>,
    expires_in: Option<Value>,
    channel: Option<Value>,
    code: Option<Value>,
    #[serde(rename = "apiInfo")]
    api_info: Option<Value>,
}

/// An answer that was read as far as it can be.
pub struct Answer {
    pub status: u16,
    pub kind: Kind,
    reply: Reply,
    /// Where a redirect leads.
    location: Option<Url>,
    dialect: Dialect,
    scopes: Option<String>,
    retry_after: Option<Duration>,
}

impl Answer {
    pub fn new(head: &reqwest::Response, dialect: Dialect) -> Self {
        let header = |name: reqwest::header::HeaderName| head.headers().get(name).and_then(|value| value.to_str().ok());
        Self {
            status: head.status().as_u16(),
            kind: Kind::Truncated,
            reply: Reply::default(),
            dialect,
            scopes: head.headers().get("x-oauth-scopes").and_then(|value| value.to_str().ok()).map(str::to_owned),
            location: header(reqwest::header::LOCATION).and_then(|to| head.url().join(to).ok()),
            retry_after: header(reqwest::header::RETRY_AFTER)
                .and_then(|value| retry::asked(value, header(reqwest::header::DATE))),
        }
    }

    /// Takes in a body that was read to its end.
    pub fn read(&mut self, body: &[u8], content_type: Option<&str>) {
        let (kind, mut reply) = classify(body, content_type);
        self.kind = match (self.dialect, kind) {
            (Dialect::Storage, Kind::Confirmed | Kind::Denied | Kind::NoVerdict) => {
                reply.error = reply.code.take().filter(Value::is_string);
                match (&reply.api_info, &reply.error) {
                    (_, Some(_)) => Kind::Denied,
                    (Some(Value::Object(_)), None) => Kind::Confirmed,
                    _ => Kind::NoVerdict,
                }
            }
            (_, kind) => kind,
        };
        self.reply = reply;
    }

    /// The code that says that the credential is not in force, if that is what the answer says. Every other code, and
    /// these from a server that has trouble, say nothing of the credential.
    ///
    /// Sources: <https://docs.slack.dev/reference/methods/auth.test>, errors;
    /// <https://www.backblaze.com/apidocs/b2-authorize-account>, and for `bad_auth_token`
    /// <https://github.com/Backblaze/B2_Command_Line_Tool/issues/930>.
    pub fn dead(&self) -> Option<&'static str> {
        let (codes, told): (&[&'static str], bool) = match self.dialect {
            Dialect::Messaging => (
                &["invalid_auth", "account_inactive", "token_revoked", "token_expired"],
                matches!(self.status, 200..=299 | 401 | 403),
            ),
            Dialect::Storage => (&["unauthorized", "bad_auth_token"], self.status == 401),
        };
        let said = self.reply.error.as_ref().and_then(Value::as_str).filter(|_| self.kind == Kind::Denied && told)?;
        codes.iter().copied().find(|code| *code == said)
    }

    /// The scopes that were granted, if the answer names them.
    pub fn scopes(&self) -> Option<&str> {
        self.scopes.as_deref()
    }

    /// Whether the token is that of a bot.
    pub fn is_bot(&self) -> bool {
        self.reply.bot_id.as_ref().is_some_and(Value::is_string)
    }

    /// The ids of the workspace and of the organisation.
    pub fn workspaces(&self) -> [Option<&str>; 2] {
        [&self.reply.team_id, &self.reply.enterprise_id].map(|id| id.as_ref().and_then(Value::as_str))
    }

    /// In how many seconds the token expires.
    pub fn expires_in(&self) -> Option<u64> {
        self.reply.expires_in.as_ref()?.as_u64()
    }

    /// What the service knows of a conversation.
    pub fn channel(&self) -> Option<&Value> {
        self.reply.channel.as_ref()
    }

    /// What a key of the storage service is for.
    pub fn allowed(&self) -> Option<&Value> {
        self.reply.api_info.as_ref()?.get("storageApi")?.get("allowed")
    }

    /// The id and the link of the file, if the answer has them and they may be printed.
    pub fn file(&self, guard: &Guard) -> (Option<String>, Option<String>) {
        self.reply.file.as_ref().map(|record| file(record, guard)).unwrap_or_default()
    }

    /// Whether it says that it is done, in so many words.
    pub fn is_confirmed(&self) -> bool {
        self.kind == Kind::Confirmed
    }

    /// The address for the bytes and the id of the file to be.
    pub fn ticket(&self) -> Option<(&str, &str)> {
        Some((self.reply.upload_url.as_ref()?.as_str()?, self.reply.file_id.as_ref()?.as_str()?))
    }

    /// What a completion says of so many files; nothing of those that it leaves out.
    pub fn records(&self, number: usize) -> Vec<Value> {
        let said = self.reply.files.as_ref().and_then(Value::as_array).filter(|files| files.len() == number);
        said.cloned().unwrap_or_else(|| vec![Value::Null; number])
    }

    /// What the service knows of a file.
    pub fn record(&self) -> Option<&Value> {
        self.reply.file.as_ref()
    }

    /// How long the service asks to wait.
    pub const fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }

    /// How the request ended, and the code to say it with. `complete`: whether its last byte was handed over.
    pub fn outcome(&self, complete: bool) -> (Outcome, &'static str) {
        match (self.status, complete, self.kind) {
            // Not every service spells it `ratelimited`.
            (429, _, Kind::Denied) => (Outcome::Throttled, "denied"),
            // Who answers with such a status may be a gateway that gave up, and not the service that goes on.
            (408 | 500.., true, Kind::Denied) if !self.is_verdict() => (Outcome::Lost, "http-status"),
            (_, _, Kind::Denied) => (self.denied(complete), "denied"),
            // Says one thing and its contrary.
            (400..=499, true, Kind::Confirmed) => (Outcome::Lost, "http-status"),
            (429, ..) => (Outcome::Throttled, "http-status"),
            (300..=399, ..) => (Outcome::Refused, "redirected"),
            (200..=299, _, Kind::Html) => (Outcome::Refused, "html-answer"),
            (200..=299, false, _) => (Outcome::Early, "answered-early"),
            (200..=299, true, Kind::Confirmed) => (Outcome::Done, ""),
            (200..=299, true, Kind::NoVerdict) => (Outcome::Silent, "unconfirmed"),
            (200..=299, true, Kind::Truncated) => (Outcome::Lost, "answer-truncated"),
            (200..=299, true, Kind::Late) => (Outcome::Lost, "no-answer"),
            (200..=299, true, Kind::TooLarge) => (Outcome::Lost, "answer-too-large"),
            (200..=299, true, Kind::Encoded) => (Outcome::Lost, "answer-encoded"),
            (400..=407 | 409..=499, ..) => (Outcome::Refused, "http-status"),
            // 408 and 5xx; what is no status at all says as little.
            (_, true, _) => (Outcome::Lost, "http-status"),
            (_, false, _) => (Outcome::Cut, "http-status"),
        }
    }

    /// Whether it says something that only the service itself can know, whatever its status.
    fn is_verdict(&self) -> bool {
        let code = self.reply.error.as_ref().and_then(Value::as_str).unwrap_or_default();
        !matches!(self.denied(true), Outcome::Busy) && is_known(code)
    }

    /// Sources: <https://docs.slack.dev/reference/methods/files.upload> and …/files.completeUploadExternal; that
    /// `file_update_failed` passes: <https://github.com/slackapi/python-slack-sdk/issues/1730>.
    fn denied(&self, complete: bool) -> Outcome {
        match self.reply.error.as_ref().and_then(Value::as_str) {
            Some("ratelimited" | "too_many_requests") => Outcome::Throttled,
            Some("service_unavailable" | "request_timeout" | "file_update_failed") => Outcome::Busy,
            // “It's possible some aspect of the operation succeeded before the error was raised.”
            Some("fatal_error" | "internal_error") if complete => Outcome::Faltered,
            Some("fatal_error" | "internal_error") => Outcome::Cut,
            _ => Outcome::Denied,
        }
    }

    /// Why it is not a success. `doubt`: whether it may have been done all the same.
    pub fn explain(&self, request: &Request<'_>, code: &'static str, doubt: bool, guard: &Guard) -> UploadError {
        let status = self.status;
        let error = |message: &str| UploadError::new(code, message);
        let sent = if request.step == Step::Post { "the file was sent, and " } else { "" };
        let error = match code {
            "denied" => match (explain(&self.denial(guard), request.operation), self.retry_after) {
                (error, Some(pause)) if error.code == "ratelimited" => error.help(again_in(pause)),
                // Its help is about what may have been posted, and here nothing was.
                (error, _) if !doubt && matches!(error.code, "internal_error" | "fatal_error") => {
                    error.help("run it again later")
                }
                (error, _) => return error,
            },
            "redirected" => {
                let to = self.location.as_ref().and_then(|to| show_target(to, guard));
                let to = to.map(|to| format!(" to {to}")).unwrap_or_default();
                let error =
                    error(&format!("the service redirects (HTTP {status}){to}, and a redirect is never followed"));
                match request.step {
                    // The service gave that address, and there is nothing to set.
                    Step::Bytes => error,
                    _ => error.help("if you trust where it leads, set `base_url` to that address"),
                }
            }
            "html-answer" => {
                let error = error(&format!("the answer is a web page (HTTP {status}), not that of the service"));
                match request.step {
                    Step::Bytes => error.help("something on the way to the service, such as a proxy, answered"),
                    _ => error.help("check `base_url`: it seems to lead to a web site, a login page or a proxy"),
                }
            }
            "answered-early" => error(&format!(
                "the service answered HTTP {status} before it had read the whole file, so it can't have it"
            )),
            "http-status" if doubt => {
                error(&format!("the service answered HTTP {status}, and may have the file all the same"))
            }
            "http-status" => self.refusal(request),
            "unconfirmed" => error(&format!("the service answered HTTP {status} and did not say that it is done")),
            "answer-truncated" => error("the answer broke off or can't be read"),
            "no-answer" => error(&format!("{sent}no complete answer came in time")),
            "answer-too-large" => error("the answer is larger than 1 MiB and was not read"),
            "answer-encoded" => error("the answer is compressed, which was not asked for, and was not read"),
            _ => error(&format!("the service answered HTTP {status}")),
        };
        if doubt { error.look() } else { error }
    }

    fn refusal(&self, request: &Request<'_>) -> UploadError {
        let error = UploadError::new("http-status", format!("the service answered HTTP {}", self.status));
        match (self.status, self.retry_after) {
            (401 | 403 | 404 | 405 | 410, _) if request.step == Step::Bytes => {
                error.help("the address that the service gave for the bytes does not take them: run it again")
            }
            (401 | 403, _) => {
                error.help("check `token`; if it is right, something on the way to the service refuses it")
            }
            (404 | 405 | 410, _) => {
                error.help(format!("check `base_url`: the operation is {{base_url}}/api/{}", request.operation))
            }
            (407, _) => error.help("the proxy wants a user and a password"),
            (413, _) => error.help("the file is too large for the service or for a proxy on the way"),
            (429, Some(pause)) => error.help(again_in(pause)),
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

/// The id and the link in a record of a file, if it has them and they may be printed.
pub fn file(record: &Value, guard: &Guard) -> (Option<String>, Option<String>) {
    let part = |name| record.get(name).and_then(Value::as_str);
    (part("id").and_then(|id| show_id(id, guard)), part("permalink").and_then(|link| show_link(link, guard)))
}

/// The first messages of an answer.
fn words(messages: &[Value]) -> Vec<&str> {
    messages.iter().filter_map(Value::as_str).take(3).collect()
}

/// When to come back.
pub fn again_in(pause: Duration) -> String {
    if pause.is_zero() {
        return "too many requests: run it again later".to_owned();
    }
    format!("too many requests: run it again in {}", text::duration(pause))
}

fn classify(body: &[u8], content_type: Option<&str>) -> (Kind, Reply) {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body).trim_ascii();
    match body.first() {
        None => (Kind::NoVerdict, Reply::default()),
        // Values that are skipped are not looked at, so the encoding of the whole is checked first.
        Some(b'{') => match std::str::from_utf8(body).ok().and_then(|body| serde_json::from_str::<Reply>(body).ok()) {
            Some(reply) => match reply.ok {
                Some(Value::Bool(true)) => (Kind::Confirmed, reply),
                Some(Value::Bool(false)) => (Kind::Denied, reply),
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

pub fn show_scopes(scopes: &str, guard: &Guard) -> Option<String> {
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

pub fn show_id(id: &str, guard: &Guard) -> Option<String> {
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
fn show_target(target: &Url, guard: &Guard) -> Option<String> {
    let origin = BaseUrl::parse(&target.origin().ascii_serialization()).ok()?.origin();
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

    fn answer(status: u16, kind: Kind, error: &str) -> Answer {
        let reply = Reply { error: Some(error.into()), ..Reply::default() };
        Answer { status, kind, reply, dialect: Dialect::Messaging, location: None, scopes: None, retry_after: None }
    }

    fn outcome(status: u16, complete: bool, kind: Kind) -> Outcome {
        answer(status, kind, "invalid_auth").outcome(complete).0
    }

    #[test]
    fn what_an_answer_means() {
        for status in [200, 201, 204, 299] {
            assert_eq!(outcome(status, true, Kind::Confirmed), Outcome::Done);
            assert_eq!(outcome(status, true, Kind::NoVerdict), Outcome::Silent);
            for kind in [Kind::Truncated, Kind::Late, Kind::TooLarge, Kind::Encoded] {
                assert_eq!(outcome(status, true, kind), Outcome::Lost, "{kind:?}");
            }
            for kind in [Kind::Confirmed, Kind::NoVerdict, Kind::Truncated, Kind::Late] {
                assert_eq!(outcome(status, false, kind), Outcome::Early, "{kind:?}");
            }
        }
        for complete in [false, true] {
            assert_eq!(outcome(200, complete, Kind::Html), Outcome::Refused);
            for kind in KINDS.into_iter().filter(|&kind| kind != Kind::Denied) {
                // A status that says no, and words that say yes.
                let torn = complete && kind == Kind::Confirmed;
                for status in [300, 302, 307, 399] {
                    assert_eq!(outcome(status, complete, kind), Outcome::Refused, "{status} {kind:?}");
                }
                for status in [400, 401, 404, 407, 409, 413, 499] {
                    let expected = if torn { Outcome::Lost } else { Outcome::Refused };
                    assert_eq!(outcome(status, complete, kind), expected, "{status} {kind:?}");
                }
                let expected = if torn { Outcome::Lost } else { Outcome::Throttled };
                assert_eq!(outcome(429, complete, kind), expected);
                for status in [408, 500, 502, 503, 504, 599, 600, 999] {
                    let expected = if complete { Outcome::Lost } else { Outcome::Cut };
                    assert_eq!(outcome(status, complete, kind), expected, "{status} {kind:?}");
                }
            }
            for (error, early, late) in [
                ("invalid_auth", Outcome::Denied, Outcome::Denied),
                ("ratelimited", Outcome::Throttled, Outcome::Throttled),
                ("service_unavailable", Outcome::Busy, Outcome::Busy),
                ("file_update_failed", Outcome::Busy, Outcome::Busy),
                ("internal_error", Outcome::Cut, Outcome::Faltered),
                ("fatal_error", Outcome::Cut, Outcome::Faltered),
                ("upstream_timeout", Outcome::Denied, Outcome::Denied),
            ] {
                for status in [200, 302, 400, 408, 429, 500, 504] {
                    let expected = match (status, complete) {
                        (429, _) => Outcome::Throttled,
                        // A gateway may say this of a request that goes on behind it.
                        (408 | 500 | 504, true)
                            if ["service_unavailable", "file_update_failed", "upstream_timeout"].contains(&error) =>
                        {
                            Outcome::Lost
                        }
                        (_, true) => late,
                        (_, false) => early,
                    };
                    assert_eq!(answer(status, Kind::Denied, error).outcome(complete).0, expected, "{status} {error}");
                }
            }
        }
        assert_eq!(answer(200, Kind::Confirmed, "").outcome(false).1, "answered-early");
        assert_eq!(answer(413, Kind::Html, "").outcome(false).1, "http-status");
        assert_eq!(answer(302, Kind::Confirmed, "").outcome(true).1, "redirected");
    }

    #[test]
    fn kinds_of_bodies() {
        let html = Some("text/html; charset=utf-8");
        for (body, content_type, kind) in [
            (r#"{"ok":true}"#, None, Kind::Confirmed),
            ("\u{feff} {\"ok\":true,\"file\":{}}\n", html, Kind::Confirmed),
            (r#"{"ok":false,"error":"x"}"#, None, Kind::Denied),
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
        let base = Url::parse("https://chat.example.com/team/api/files.upload").unwrap();
        for (target, shown) in [
            ("https://u:p@login.example.com:8443/x?token=1", Some("https://login.example.com:8443")),
            ("/login", Some("https://chat.example.com")),
            ("//other.example/x", Some("https://other.example")),
            ("http://xoxb-4815162342-abcdefghijkl.example.com", Some("http://********")),
            ("data:text/plain,x", None),
        ] {
            assert_eq!(show_target(&base.join(target).unwrap(), &guard).as_deref(), shown, "{target}");
        }
    }
}
