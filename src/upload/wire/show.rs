//! Filters what may be printed of an answer: values that have the expected form and do not echo what was sent.

use std::time::Duration;

use serde_json::Value;
use url::Url;

use super::guard::Guard;
use crate::code::Code;
use crate::schema::value::BaseUrl;
use crate::text;
use crate::upload::post::{Post, Thread};

/// What a service said when it denied a request. Each field has passed its validator.
#[derive(Default, Debug)]
pub struct Denial {
    pub word: Option<String>,
    pub needed: Option<String>,
    pub provided: Option<String>,
    pub messages: Vec<String>,
    /// How long the service asks to wait.
    pub pause: Option<Duration>,
}

impl Denial {
    /// Checks the fields together. If they echo a secret, only a known error code remains.
    pub fn checked_together(self, guard: &Guard) -> Self {
        let Self { word, needed, provided, messages, pause } = &self;
        let pause = pause.map(|pause| pause.as_secs().to_string());
        let mut parts: Vec<&str> = [word, needed, provided].into_iter().flatten().map(String::as_str).collect();
        parts.extend(messages.iter().map(String::as_str));
        parts.extend(pause.as_deref());
        if guard.echo_together(&parts) {
            let word = self.word.filter(|word| Code::from_service(word).is_some());
            return Self { word, ..Self::default() };
        }
        let harmless = !guard.quotes(&messages.concat());
        Self { messages: if harmless { self.messages } else { Vec::new() }, ..self }
    }
}

/// Returns the ID and the permalink in the record of a file, as far as they may be printed.
pub fn show_file(record: &Value, guard: &Guard) -> (Option<String>, Option<String>) {
    let part = |name| record.get(name).and_then(Value::as_str);
    let id = part("id").and_then(|id| show_id(id, guard));
    show_together(id, part("permalink").and_then(|link| show_link(link, guard)), guard)
}

/// Returns the timestamp of the message with a file in the first channel of a post. The conversation with a user has an ID
/// of its own, so the only one counts.
pub fn show_ts(record: &Value, post: &Post, guard: &Guard) -> Option<String> {
    let kinds = ["public", "private"].map(|kind| record["shares"][kind].as_object());
    let shares: Vec<_> = kinds.into_iter().flatten().flatten().collect();
    let first = post.channels.first()?.as_str();
    let (_, messages) = match shares.iter().find(|(id, _)| *id == first) {
        None if shares.len() == 1 && post.channels.len() == 1 => shares.first()?,
        share => share?,
    };
    let ts = messages[0]["ts"].as_str().filter(|ts| Thread::new(ts).is_ok())?;
    guard.pass(ts).map(str::to_owned)
}

/// Returns an ID and a link, unless they echo a secret when they are printed side by side.
pub fn show_together(id: Option<String>, link: Option<String>, guard: &Guard) -> (Option<String>, Option<String>) {
    let parts: Vec<&str> = [&id, &link].into_iter().flatten().map(String::as_str).collect();
    if guard.echo_together(&parts) { (None, None) } else { (id, link) }
}

pub fn show_code(code: &str, guard: &Guard) -> Option<String> {
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

pub fn show_message(message: &str, guard: &Guard) -> Option<String> {
    let shape = (1..=200).contains(&message.len())
        && message.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
        && !text::opaque(message)
        // No links, images or workflow commands: messages also appear in the logs of a pipeline.
        && !["//", "![", "](", "##", "::"].iter().any(|mark| message.contains(mark));
    (shape && !guard.quotes(message)).then(|| message.to_owned())
}

pub fn show_id(id: &str, guard: &Guard) -> Option<String> {
    let shape = (3..=21).contains(&id.len())
        && id.starts_with(|c: char| c.is_ascii_uppercase())
        && id.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    shape.then(|| guard.pass(id).map(str::to_owned)).flatten()
}

/// Returns an http or https URL without user information, query and fragment. The parser encodes non-ASCII characters.
pub fn show_link(link: &str, guard: &Guard) -> Option<String> {
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

/// Returns scheme, host and port of a redirect's target.
pub fn show_target(target: &Url, guard: &Guard) -> Option<String> {
    let origin = BaseUrl::parse(&target.origin().ascii_serialization()).ok()?.origin();
    guard.pass(&origin).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        for message in [
            "", "a\nb", "\u{1b}[2J", "é", "see https://evil.example", "see //evil.example", "![x](y)", "##[error]x",
            "::error::x", "A1b2C3d4E5f6G7h8", "token xoxb-4815162342",
        ] {
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
