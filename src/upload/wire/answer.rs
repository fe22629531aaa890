//! Interprets an answer: how its body is classified, what it says, and what that means together with its status.

use std::time::{Duration, SystemTime};

use serde::Deserialize;
use serde_json::{Map, Value};
use url::Url;

use super::guard::{Denial, Guard, show_code, show_pointer, show_scopes, show_target};
use crate::code::Code;
use crate::shorthand::words;

/// The service that an answer comes from. The two services report success and failure differently.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ServiceApi {
    /// `ok`, and an `error` if it is `false`.
    Messaging,
    /// The requested object, or `status`, `code` and `message`. Source:
    /// <https://www.backblaze.com/docs/cloud-storage-native-api-error-handling-and-status-codes>.
    Storage,
}

words! {
    /// An error code that means that a credential is not valid.
    ///
    /// Sources: <https://docs.slack.dev/reference/methods/auth.test>, errors;
    /// <https://www.backblaze.com/apidocs/b2-authorize-account>, and for `bad_auth_token`
    /// <https://github.com/Backblaze/B2_Command_Line_Tool/issues/930>.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum DeadCredential {
        InvalidAuth = "invalid_auth",
        AccountInactive = "account_inactive",
        TokenRevoked = "token_revoked",
        TokenExpired = "token_expired",
        Unauthorized = "unauthorized",
        BadAuthToken = "bad_auth_token",
    }

    /// Returns the code as the service spells it.
    pub fn as_str;
}

impl DeadCredential {
    const fn known(dialect: ServiceApi) -> &'static [Self] {
        match dialect {
            ServiceApi::Messaging => {
                &[Self::InvalidAuth, Self::AccountInactive, Self::TokenRevoked, Self::TokenExpired]
            }
            ServiceApi::Storage => &[Self::Unauthorized, Self::BadAuthToken],
        }
    }
}

/// An answer, read as far as possible.
pub struct Answer {
    pub status: u16,
    pub kind: BodyKind,
    /// The object in the body; empty if there is none.
    reply: Map<String, Value>,
    /// The target of a redirect.
    location: Option<Url>,
    dialect: ServiceApi,
    scopes: Option<String>,
    /// How long the service asks to wait.
    pub retry_after: Option<Duration>,
    /// The number in `OK - 30`: of the bytes that the service has received, if it says so. Source:
    /// <https://docs.slack.dev/messaging/working-with-files>.
    pub stored: Option<u64>,
}

impl Answer {
    pub fn new(head: &reqwest::Response, dialect: ServiceApi) -> Self {
        let header = |name: reqwest::header::HeaderName| head.headers().get(name).and_then(|value| value.to_str().ok());
        Self {
            status: head.status().as_u16(),
            kind: BodyKind::Truncated,
            reply: Map::new(),
            stored: None,
            dialect,
            scopes: head.headers().get("x-oauth-scopes").and_then(|value| value.to_str().ok()).map(str::to_owned),
            location: header(reqwest::header::LOCATION).and_then(|to| head.url().join(to).ok()),
            retry_after: header(reqwest::header::RETRY_AFTER)
                .and_then(|value| parse_retry_after(value, header(reqwest::header::DATE))),
        }
    }

    /// Parses a complete body.
    pub fn read(&mut self, body: &[u8], content_type: Option<&str>) {
        let (kind, mut reply) = classify(body, content_type);
        self.kind = match (self.dialect, kind) {
            (ServiceApi::Storage, BodyKind::Confirmed | BodyKind::Denied | BodyKind::NoVerdict) => {
                let code = reply.rest.remove("code").filter(Value::is_string);
                let kind = match (&code, reply.rest.get("apiInfo")) {
                    (Some(_), _) => BodyKind::Denied,
                    (None, Some(Value::Object(_))) => BodyKind::Confirmed,
                    _ => BodyKind::NoVerdict,
                };
                reply.rest.insert("error".to_owned(), code.unwrap_or_default());
                kind
            }
            (_, kind) => kind,
        };
        self.reply = reply.rest;
        let text = std::str::from_utf8(body).ok().and_then(|text| text.trim().strip_prefix("OK - "));
        self.stored = text.and_then(|number| number.parse().ok());
    }

    /// Returns the code with which the service says that the credential is not valid. Other codes say nothing about the
    /// credential, and neither does this one if the status is a server error.
    pub fn dead_credential(&self) -> Option<DeadCredential> {
        let conclusive = match self.dialect {
            ServiceApi::Messaging => matches!(self.status, 200..=299 | 401 | 403),
            ServiceApi::Storage => self.status == 401,
        };
        let code = self.error_word().filter(|_| self.kind == BodyKind::Denied && conclusive)?;
        DeadCredential::known(self.dialect).iter().copied().find(|dead| dead.as_str() == code)
    }

    /// Returns a member of the object in the body; null if there is none.
    pub fn get(&self, name: &str) -> &Value {
        self.reply.get(name).unwrap_or(&Value::Null)
    }

    /// Returns the granted scopes, from the header or from the error about a missing scope.
    pub fn scopes(&self) -> Option<&str> {
        self.scopes.as_deref().or_else(|| self.get("provided").as_str())
    }

    /// Returns `true` if the token belongs to a bot.
    pub fn is_bot(&self) -> bool {
        self.get("bot_id").is_string()
    }

    /// Returns the IDs of the workspace and the organisation.
    pub fn workspaces(&self) -> [Option<&str>; 2] {
        ["team_id", "enterprise_id"].map(|id| self.get(id).as_str())
    }

    /// Returns `true` if the answer says explicitly that the request succeeded.
    pub fn is_confirmed(&self) -> bool {
        self.kind == BodyKind::Confirmed
    }

    /// Returns the upload address and the ID of the new file.
    pub fn ticket(&self) -> Option<(&str, &str)> {
        Some((self.get("upload_url").as_str()?, self.get("file_id").as_str()?))
    }

    /// Returns `true` if the answer is that of a ticket or a completion.
    pub fn is_of_method(&self) -> bool {
        ["upload_url", "files"].iter().any(|name| self.reply.contains_key(*name))
    }

    /// Returns the record of each of these files. `None` unless the answer to a completion names all of them.
    pub fn records<'a>(&self, ids: impl Iterator<Item = &'a str>) -> Option<Vec<Value>> {
        let files = self.get("files").as_array()?;
        ids.map(|id| files.iter().find(|file| file["id"] == id).cloned()).collect()
    }

    /// Returns how the request ended. `complete` is `true` if the last byte of the request was handed over.
    pub fn ending(&self, complete: bool) -> Ending {
        match (self.status, complete, self.kind) {
            // The body contradicts the status.
            (400..=499, true, BodyKind::Confirmed) => Ending::Lost,
            // Some services send another code than `ratelimited`, so the status decides.
            (429, ..) => Ending::Throttled,
            // A gateway that timed out may send this status while the service continues.
            (408 | 500.., true, BodyKind::Denied) if !self.is_verdict() => Ending::Lost,
            // An unknown code may come from a gateway.
            (300..=407 | 409..=499, _, BodyKind::Denied) if !self.is_known() => Ending::Refused,
            (_, _, BodyKind::Denied) => self.denied_ending(complete),
            (200..=299, true, BodyKind::Html) => Ending::Page,
            (300..=407 | 409..=499, ..) | (200..=299, _, BodyKind::Html) => Ending::Refused,
            (200..=299, false, _) => Ending::Early,
            (200..=299, true, BodyKind::Confirmed) => Ending::Done,
            (200..=299, true, BodyKind::NoVerdict) => Ending::Silent,
            // A body that was not read, 408, 5xx, and numbers that are not a valid status.
            (_, true, _) => Ending::Lost,
            (_, false, _) => Ending::Cut,
        }
    }

    /// Returns the error code as the service spells it.
    fn error_word(&self) -> Option<&str> {
        self.get("error").as_str()
    }

    /// Returns `true` if the code can only come from the service itself, so that the status does not matter.
    fn is_verdict(&self) -> bool {
        self.denied_ending(true) != Ending::Busy && self.is_known()
    }

    /// Returns `true` if the error code is known.
    fn is_known(&self) -> bool {
        self.denied_ending(true) != Ending::Denied || self.error_word().and_then(Code::from_service).is_some()
    }

    /// Returns how a denied request ended.
    ///
    /// Sources: <https://docs.slack.dev/reference/methods/files.upload> and …/files.completeUploadExternal; that
    /// `file_update_failed` is temporary: <https://github.com/slackapi/python-slack-sdk/issues/1730>.
    fn denied_ending(&self, complete: bool) -> Ending {
        match self.error_word().map(|word| (word, Code::from_service(word))) {
            Some(("too_many_requests", _) | (_, Some(Code::Ratelimited))) => Ending::Throttled,
            Some((_, Some(Code::ServiceUnavailable | Code::RequestTimeout | Code::FileUpdateFailed))) => Ending::Busy,
            // “It's possible some aspect of the operation succeeded before the error was raised.”
            Some((_, Some(Code::FatalError | Code::InternalError))) if complete => Ending::Faltered,
            Some((_, Some(Code::FatalError | Code::InternalError))) => Ending::Cut,
            _ => Ending::Denied,
        }
    }

    /// Returns what the service said when it denied the request, as far as that may be printed.
    pub fn denial(&self, guard: &Guard) -> Denial {
        let word =
            |name, show: fn(&str, &Guard) -> Option<String>| self.get(name).as_str().and_then(|text| show(text, guard));
        let messages = self.get("response_metadata")["messages"].as_array().into_iter().flatten();
        let mut messages = messages.filter_map(Value::as_str).take(3);
        let denial = Denial {
            word: word("error", show_code),
            needed: word("needed", show_scopes),
            provided: word("provided", show_scopes),
            pointer: messages.find_map(|message| show_pointer(message, guard)),
            pause: self.retry_after,
        };
        denial.checked_together(guard)
    }

    /// Returns scheme, host and port of a redirect's target, if they may be printed.
    pub fn redirect_target(&self, guard: &Guard) -> Option<String> {
        self.location.as_ref().and_then(|to| show_target(to, guard))
    }
}

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

/// The object in an answer. A second `ok` makes it unreadable.
#[derive(Deserialize, Default)]
pub struct AnswerBody {
    pub ok: Option<Value>,
    #[serde(flatten)]
    pub rest: Map<String, Value>,
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

/// The longest wait: 30 years. Beyond that, the number of seconds makes no difference.
const FOREVER: Duration = Duration::from_secs(30 * 365 * 24 * 3600);

/// Returns how long a service asks to wait: a number of seconds, possibly with a fraction, or a date. A date is
/// compared with the date of the answer if it has one, because the clock of this machine may be wrong. `None` for
/// anything else.
///
/// Source: RFC 9110, section 10.2.3. Fractions are not in it, but some services send them.
fn parse_retry_after(retry_after: &str, date: Option<&str>) -> Option<Duration> {
    let word = retry_after.trim();
    let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
    if !whole.is_empty() && [whole, fraction].iter().all(|digits| digits.bytes().all(|byte| byte.is_ascii_digit())) {
        // A fraction is rounded up to a second, and a number that does not fit is capped.
        let rest = u64::from(fraction.bytes().any(|digit| digit != b'0'));
        let seconds = whole.parse::<u64>().unwrap_or(u64::MAX).saturating_add(rest);
        return Some(Duration::from_secs(seconds).min(FOREVER));
    }
    let until = httpdate::parse_http_date(word).ok()?;
    let now = date.and_then(|date| httpdate::parse_http_date(date.trim()).ok()).unwrap_or_else(SystemTime::now);
    Some(until.duration_since(now).unwrap_or_default().min(FOREVER))
}

/// How a request ended. If several variants apply, the first one counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The service confirmed the request.
    Done,
    /// 429, or the error `ratelimited`: the request was not run.
    Throttled,
    /// A temporary error of the service: the request was not run, and may succeed later.
    Busy,
    /// An error of the service after which part of the request may have succeeded.
    Faltered,
    /// Any other error of the service.
    Denied,
    /// A redirect or a 4xx status without an error code of the service, or a web page before the last byte of the request
    /// was handed over: refused by the service or by something in between, such as a gateway.
    Refused,
    /// A web page with a 2xx status after the whole request: something in between may have passed it on.
    Page,
    /// No connection was made.
    Unconnected,
    /// The certificate of the other end is not trusted, or it does not speak TLS.
    Untrusted,
    /// The connection was lost, or stalled, before the last byte of the request was handed over.
    Cut,
    /// An answer other than a refusal came before the last byte of the request was handed over.
    Early,
    /// The whole request was sent, and no readable answer came, or one with the status 408 or 5xx.
    Lost,
    /// A 2xx status that does not say whether the request succeeded.
    Silent,
    /// The request failed because of the file, the journal or this machine.
    Local,
    /// The user stopped the program before the last byte of the request was handed over.
    Stopped,
    /// The user stopped the program after the last byte.
    StoppedLate,
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [BodyKind; 8] = [
        BodyKind::Confirmed,
        BodyKind::Denied,
        BodyKind::NoVerdict,
        BodyKind::Html,
        BodyKind::Truncated,
        BodyKind::Late,
        BodyKind::TooLarge,
        BodyKind::Encoded,
    ];

    fn answer(status: u16, kind: BodyKind, error: &str) -> Answer {
        let reply = Map::from_iter([("error".to_owned(), error.into())]);
        let dialect = ServiceApi::Messaging;
        Answer { status, kind, reply, dialect, location: None, scopes: None, retry_after: None, stored: None }
    }

    fn ending(status: u16, complete: bool, kind: BodyKind) -> Ending {
        answer(status, kind, "invalid_auth").ending(complete)
    }

    #[test]
    fn derives_ending_from_answer() {
        for status in [200, 201, 204, 299] {
            assert_eq!(ending(status, true, BodyKind::Confirmed), Ending::Done);
            assert_eq!(ending(status, true, BodyKind::NoVerdict), Ending::Silent);
            for kind in [BodyKind::Truncated, BodyKind::Late, BodyKind::TooLarge, BodyKind::Encoded] {
                assert_eq!(ending(status, true, kind), Ending::Lost, "{kind:?}");
            }
            for kind in [BodyKind::Confirmed, BodyKind::NoVerdict, BodyKind::Truncated, BodyKind::Late] {
                assert_eq!(ending(status, false, kind), Ending::Early, "{kind:?}");
            }
        }
        for complete in [false, true] {
            let page = if complete { Ending::Page } else { Ending::Refused };
            assert_eq!(ending(200, complete, BodyKind::Html), page);
            for kind in KINDS.into_iter().filter(|&kind| kind != BodyKind::Denied) {
                // An error status with `ok: true`.
                let torn = complete && kind == BodyKind::Confirmed;
                for status in [300, 302, 307, 399] {
                    assert_eq!(ending(status, complete, kind), Ending::Refused, "{status} {kind:?}");
                }
                for status in [400, 401, 404, 407, 409, 413, 499] {
                    let expected = if torn { Ending::Lost } else { Ending::Refused };
                    assert_eq!(ending(status, complete, kind), expected, "{status} {kind:?}");
                }
                let expected = if torn { Ending::Lost } else { Ending::Throttled };
                assert_eq!(ending(429, complete, kind), expected);
                for status in [408, 500, 502, 503, 504, 599, 600, 999] {
                    let expected = if complete { Ending::Lost } else { Ending::Cut };
                    assert_eq!(ending(status, complete, kind), expected, "{status} {kind:?}");
                }
            }
            for (error, early, late) in [
                ("invalid_auth", Ending::Denied, Ending::Denied),
                ("ratelimited", Ending::Throttled, Ending::Throttled),
                ("service_unavailable", Ending::Busy, Ending::Busy),
                ("file_update_failed", Ending::Busy, Ending::Busy),
                ("internal_error", Ending::Cut, Ending::Faltered),
                ("fatal_error", Ending::Cut, Ending::Faltered),
                ("upstream_timeout", Ending::Denied, Ending::Denied),
            ] {
                for status in [200, 302, 400, 408, 429, 500, 504] {
                    let expected = match (status, complete) {
                        (429, _) => Ending::Throttled,
                        // A gateway may send this while the service still processes the request.
                        (408 | 500 | 504, true)
                            if ["service_unavailable", "file_update_failed", "upstream_timeout"].contains(&error) =>
                        {
                            Ending::Lost
                        }
                        (302 | 400, _) if error == "upstream_timeout" => Ending::Refused,
                        (_, true) => late,
                        (_, false) => early,
                    };
                    let answer = answer(status, BodyKind::Denied, error);
                    assert_eq!(answer.ending(complete), expected, "{status} {error}");
                }
            }
        }
    }

    #[test]
    fn classifies_bodies() {
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

    #[test]
    fn parses_retry_after() {
        assert_eq!(FOREVER.as_secs(), 946_080_000, "30 years of 365 days");
        let date = Some("Sun, 06 Nov 1994 08:49:00 GMT");
        for (value, seconds) in [
            ("0", Some(0)),
            ("30", Some(30)),
            (" 30 ", Some(30)),
            ("1.5", Some(2)),
            ("2.0", Some(2)),
            ("99999999999999999999999", Some(FOREVER.as_secs())),
            ("86400000000", Some(FOREVER.as_secs())),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(37)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", Some(37)),
            ("Sun Nov  6 08:49:37 1994", Some(37)),
            ("Sun, 06 Nov 1994 08:48:37 GMT", Some(0)),
            ("Sat, 06 Nov 2094 08:49:37 GMT", Some(FOREVER.as_secs())),
            ("-5", None),
            ("+5", None),
            ("1e3", None),
            ("soon", None),
            (".5", None),
            ("", None),
            ("30, 30", None),
            ("\u{0663}", None),
        ] {
            assert_eq!(parse_retry_after(value, date).map(|pause| pause.as_secs()), seconds, "{value:?}");
        }
        // Without a date in the answer, the clock of this machine is used.
        let later = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(100));
        let pause = parse_retry_after(&later, None).unwrap().as_secs();
        assert!((95..=100).contains(&pause), "{pause}");
        assert_eq!(parse_retry_after(&later, Some("not a date")).unwrap().as_secs() / 10, 9);
    }
}
