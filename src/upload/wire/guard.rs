//! Filters what may be printed of an answer: values that have the expected form and do not echo what was sent. A server
//! may return anything that it was sent, also the token.

use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use url::Url;
use zeroize::Zeroizing;

use crate::code::Code;
use crate::schema::value::BaseUrl;
use crate::secret::is_url;
use crate::text;
use crate::upload::post::{Post, Thread};
use crate::upload::secrets::aligned_base64;

/// The number of consecutive shared characters that count as an echo. A smaller number would withhold every other word,
/// a larger one would let fragments through.
const WINDOW: usize = 6;

/// The same for the comment. It consists of words, which an answer may contain anyway.
const WINDOW_OF_COMMENT: usize = 10;

/// The same for file names, which may contain a word of the token by chance.
const WINDOW_OF_NAMES: usize = 8;

/// The shortest form that is searched for.
const SHORTEST: usize = 4;

/// The length limit of a comparison. No printed part of an answer is longer; a longer text counts as an echo.
const LONGEST: usize = 2048;

/// How much of a comment is searched for. A service takes less.
const LONGEST_COMMENT: usize = 256 * 1024;

/// How often percent-encoding is decoded. What is encoded more often counts as an echo. Other escapes have characters
/// that nothing printed has.
const MAX_ESCAPES: usize = 4;

/// Detects the token and the posted comment in every form in which they may be echoed, by the windows of their texts. A
/// comment may contain anything, so it is not repeated either. The windows are keyed hashes: a lookup takes the same time
/// in a long text, and no byte of the text is kept.
#[derive(Clone, Default)]
pub struct Guard {
    keys: RandomState,
    /// The hashes by the length of the windows.
    windows: Arc<BTreeMap<usize, HashSet<u64>>>,
}

impl Guard {
    pub fn new(token: &SecretString) -> Self {
        Self::from_secrets(std::slice::from_ref(token))
    }

    /// Creates a guard for several secrets: a service that gets one after the other may return any of them.
    pub fn from_secrets(secrets: &[SecretString]) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "computes what an echo of the token would look like; prints nothing"
        )]
        Self::of(secrets.iter().map(ExposeSecret::expose_secret), WINDOW)
    }

    /// Creates a guard for file names, which consist of words and do not come from a server. Of a URL, only the last
    /// segment is secret.
    pub fn for_names(secret: &SecretString) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "computes what a file that is named after the secret would be called; prints nothing"
        )]
        let secret = secret.expose_secret();
        let end = if is_url(secret) { secret.rsplit('/').next().unwrap_or_default() } else { secret };
        Self::of([end], WINDOW_OF_NAMES)
    }

    /// Finds the secrets also in hexadecimal and in base64, where they may begin at any of the three offsets of a group.
    fn of<'a>(secrets: impl IntoIterator<Item = &'a str>, window: usize) -> Self {
        let mut guard = Self::default();
        for secret in secrets {
            guard.add(secret, window);
            let mut encoded = aligned_base64(secret.as_bytes(), &STANDARD).to_vec();
            encoded.push(Zeroizing::new(text::hex(secret.as_bytes())));
            for [letters, _] in encoded.iter().map(|text| forms(text)).filter(|[text, _]| text.len() >= SHORTEST) {
                guard.add_form(&letters, window);
            }
        }
        guard
    }

    /// Returns a guard that also detects the comment, or another text of the message.
    pub fn with_comment(mut self, comment: &SecretString) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "computes what an echo of the comment would look like; prints nothing"
        )]
        let comment = comment.expose_secret();
        self.add(comment.get(..LONGEST_COMMENT).unwrap_or(comment), WINDOW_OF_COMMENT);
        self
    }

    /// Adds every window of a text in its two normal forms, or a whole form if it is shorter.
    fn add(&mut self, text: &str, window: usize) {
        let [letters, all] = forms(text);
        // A few letters among much punctuation would match everywhere.
        if letters.len() >= window || letters.len() * 2 >= all.len() {
            self.add_form(&letters, window);
        }
        self.add_form(&all, if all.len() < SHORTEST { 0 } else { window });
    }

    fn add_form(&mut self, form: &str, window: usize) {
        let window = window.min(form.len());
        if window > 0 {
            let seen = Arc::make_mut(&mut self.windows).entry(window).or_default();
            seen.extend(form.as_bytes().windows(window).map(|part| self.keys.hash_one(part)));
        }
    }

    /// Returns `true` if a form of a text has one of the windows.
    fn match_form(&self, form: &str) -> bool {
        self.windows
            .iter()
            .any(|(&window, seen)| form.as_bytes().windows(window).any(|part| seen.contains(&self.keys.hash_one(part))))
    }

    /// Returns `true` if the text shares [`WINDOW`] consecutive characters with any form of the token.
    pub fn echoes(&self, text: &str) -> bool {
        text.len() > LONGEST || self.shares(text)
    }

    /// Returns `true` if the parts echo the token when they are printed together: parts that are harmless alone may
    /// form an echo.
    pub fn echoes_together(&self, parts: &[&str]) -> bool {
        ["", ","].iter().any(|between| self.shares(&parts.join(between)))
    }

    fn shares(&self, text: &str) -> bool {
        let mut text = Zeroizing::new(text.to_owned());
        for _ in 0..=MAX_ESCAPES {
            if forms(&text).iter().any(|form| self.match_form(form)) {
                return true;
            }
            let decoded = percent_decode_str(&text).decode_utf8_lossy().into_owned();
            if decoded == *text {
                return false;
            }
            text = decoded.into();
        }
        true
    }

    /// Returns the text, unless it echoes the token.
    pub fn unless_echoed<'a>(&self, text: &'a str) -> Option<&'a str> {
        (!self.echoes(text)).then_some(text)
    }
}

/// Returns two normal forms of a text: its letters and digits in lower case, because the spellings of a text differ only in
/// the rest (case, separators, the two alphabets of base64), and everything but whitespace, for a token of punctuation.
fn forms(text: &str) -> [Zeroizing<String>; 2] {
    let kept: [fn(&char) -> bool; 2] = [char::is_ascii_alphanumeric, |c| !c.is_whitespace()];
    kept.map(|kept| {
        let mut form = Zeroizing::new(String::with_capacity(text.len()));
        form.extend(text.chars().filter(kept).map(|c| c.to_ascii_lowercase()));
        form
    })
}

/// What a service said when it denied a request. Each field has passed its validator.
#[derive(Default, Debug)]
pub struct Denial {
    pub word: Option<String>,
    pub needed: Option<String>,
    pub provided: Option<String>,
    /// The argument that the service rejects.
    pub pointer: Option<String>,
    /// How long the service asks to wait.
    pub pause: Option<Duration>,
}

impl Denial {
    /// Checks the fields together. If they echo a secret, only a known error code remains.
    pub fn checked_together(self, guard: &Guard) -> Self {
        let Self { word, needed, provided, pointer, pause } = &self;
        let pause = pause.map(|pause| pause.as_secs().to_string());
        let mut parts: Vec<&str> =
            [word, needed, provided, pointer].into_iter().flatten().map(String::as_str).collect();
        parts.extend(pause.as_deref());
        if guard.echoes_together(&parts) {
            let word = self.word.filter(|word| Code::from_service(word).is_some());
            return Self { word, ..Self::default() };
        }
        self
    }
}

/// Returns the ID and the permalink in the record of a file, as far as they may be printed.
pub fn show_file(record: &Value, guard: &Guard) -> (Option<String>, Option<String>) {
    let part = |name| record.get(name).and_then(Value::as_str);
    let id = part("id").and_then(|id| show_id(id, guard));
    show_together(id, part("permalink").and_then(|link| show_link(link, guard)), guard)
}

/// Returns the timestamp of the message with a file in the first channel of a post. The conversation with a user has
/// its own ID, so if there is only one, it counts.
pub fn show_ts(record: &Value, post: &Post, guard: &Guard) -> Option<String> {
    let kinds = ["public", "private"].map(|kind| record["shares"][kind].as_object());
    let shares: Vec<_> = kinds.into_iter().flatten().flatten().collect();
    let first = post.channels.first()?.as_str();
    let (_, messages) = match shares.iter().find(|(id, _)| *id == first) {
        None if shares.len() == 1 && post.channels.len() == 1 => shares.first()?,
        share => share?,
    };
    let ts = messages[0]["ts"].as_str().filter(|ts| Thread::new(ts).is_ok())?;
    guard.unless_echoed(ts).map(str::to_owned)
}

/// Returns an ID and a link, unless they echo a secret when they are printed side by side.
pub fn show_together(id: Option<String>, link: Option<String>, guard: &Guard) -> (Option<String>, Option<String>) {
    let parts: Vec<&str> = [&id, &link].into_iter().flatten().map(String::as_str).collect();
    if guard.echoes_together(&parts) { (None, None) } else { (id, link) }
}

pub fn show_code(code: &str, guard: &Guard) -> Option<String> {
    let shape = (2..=64).contains(&code.len())
        && code.starts_with(|c: char| c.is_ascii_lowercase())
        && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    shape.then(|| guard.unless_echoed(code).map(str::to_owned)).flatten()
}

pub fn show_scopes(scopes: &str, guard: &Guard) -> Option<String> {
    let shape = (1..=300).contains(&scopes.len())
        && scopes.bytes().all(|byte| byte.is_ascii_lowercase() || b":._,-".contains(&byte));
    shape.then(|| guard.unless_echoed(scopes).map(str::to_owned)).flatten()
}

/// Returns the pointer into the arguments in a message of the service: `/channel_id` of `[json-pointer:/channel_id]`. The rest
/// of a message is free text, which may say anything.
pub fn show_pointer(message: &str, guard: &Guard) -> Option<String> {
    let (_, rest) = message.split_once("[json-pointer:")?;
    let (pointer, _) = rest.split_once(']')?;
    let is_name = |name: &str| name.len() <= 20 && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let is_index = |name: &str| name.len() <= 2 && name.bytes().all(|byte| byte.is_ascii_digit());
    let parts = pointer.strip_prefix('/')?.split('/');
    let shape = pointer.len() <= 60 && parts.clone().all(|part| !part.is_empty() && (is_name(part) || is_index(part)));
    shape.then(|| guard.unless_echoed(pointer).map(str::to_owned)).flatten()
}

pub fn show_id(id: &str, guard: &Guard) -> Option<String> {
    let shape = (3..=21).contains(&id.len())
        && id.starts_with(|c: char| c.is_ascii_uppercase())
        && id.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    shape.then(|| guard.unless_echoed(id).map(str::to_owned)).flatten()
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
    guard.unless_echoed(url.as_str()).map(str::to_owned)
}

/// Returns scheme, host and port of a redirect's target.
pub fn show_target(target: &Url, guard: &Guard) -> Option<String> {
    let origin = BaseUrl::parse(&target.origin().ascii_serialization()).ok()?.origin();
    guard.unless_echoed(&origin).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine as _;

    const TOKEN: &str = "xoxb-4815162342-AbCdEfGhIjKl";

    fn guard() -> Guard {
        Guard::new(&SecretString::from(TOKEN))
    }

    #[test]
    fn detects_token_in_every_spelling() {
        let guard = guard();
        for text in [
            TOKEN.to_owned(),
            TOKEN.to_uppercase(),
            format!("prefix{TOKEN}suffix"),
            "x_o_x_b_4_8_1_5".to_owned(),
            "…-AbCdEfGh-…".to_owned(),
            text::hex(TOKEN.as_bytes()),
            text::hex(TOKEN.as_bytes()).to_uppercase(),
            TOKEN.bytes().map(|byte| format!("%{byte:02x}")).collect(),
            TOKEN
                .bytes()
                .map(|byte| if byte % 2 == 0 { format!("%{byte:02X}") } else { char::from(byte).into() })
                .collect(),
        ] {
            assert!(guard.echoes(&text), "{text}");
        }
        assert!(guard.echoes(&format!("%{}78", "25".repeat(9))), "escaped again and again");
        for neighbour in ["", "a", "ab", "abc", "Bearer ", "user:"] {
            let encoded = STANDARD.encode(format!("{neighbour}{TOKEN}!"));
            assert!(guard.echoes(&encoded), "{neighbour}");
            assert!(guard.echoes(&encoded.replace('+', "-").replace('/', "_")), "{neighbour}");
        }
        for text in ["", "invalid_auth", "files:write", "https://chat.example.com/files/F0123456789/report.csv", "xoxb"]
        {
            assert!(!guard.echoes(text), "{text}");
        }
    }

    #[test]
    fn detects_each_of_several_secrets() {
        let guard = Guard::from_secrets(&[SecretString::from(TOKEN), SecretString::from("xapp-1-A0B1C2-d3e4f5g6h7")]);
        for text in ["AbCdEfGh", "d3e4f5", &text::hex(b"A0B1C2"), &STANDARD.encode("xapp-1-A0B1C2")] {
            assert!(guard.echoes(text), "{text}");
        }
        // A fragment that spans both secrets is in neither.
        assert!(!guard.echoes("IjKlxa") && !guard.echoes("invalid_auth"));
    }

    #[test]
    fn compares_short_token_as_a_whole() {
        let guard = Guard::new(&SecretString::from("hunter2"));
        assert!(guard.echoes("hunter2!") && guard.echoes("HUNTER-2") && !guard.echoes("hunte"));
        let guard = Guard::new(&SecretString::from("ab-12"));
        assert!(guard.echoes("xab12x") && guard.echoes("AB-12") && !guard.echoes("ab1"));
        assert!(!Guard::new(&SecretString::from("")).echoes("a"));
    }

    #[test]
    fn detects_token_of_punctuation() {
        let guard = Guard::new(&SecretString::from("!$&'()*+,;=@a~^"));
        for text in ["https://h.example/!$&'()x", "x ()*+,;", "%21%24%26%27%28%29", "*+,;=@A~"] {
            assert!(guard.echoes(text), "{text}");
        }
        // A single letter is not a fragment.
        for text in ["https://h.example/files/a", "a", "a,b;c"] {
            assert!(!guard.echoes(text), "{text}");
        }
    }

    #[test]
    fn compares_parts_that_are_printed_together() {
        let guard = guard();
        let pieces = ["xoxb4", "81516", "23-42"];
        assert!(pieces.iter().all(|fragment| !guard.echoes(fragment)) && guard.echoes_together(&pieces));
        assert!(!guard.echoes_together(&["files:write", "T0123", "chat:write"]) && !guard.echoes_together(&[]));
        // The comma between two parts is a character of the token.
        let guard = Guard::new(&SecretString::from("(,),(,),(,)"));
        assert!(guard.echoes_together(&["(", ")", "(", ")"]) && !guard.echoes_together(&["(", ")"]));
    }

    /// Comparing each fragment with each other one would take hours.
    #[test]
    fn compares_long_texts_in_linear_time() {
        let comment = "ab".repeat(500_000);
        let (without, guard) = (guard(), guard().with_comment(&SecretString::from(comment)));
        assert!(!guard.echoes_together(&vec!["abababab!c"; 50_000]));
        assert!(guard.echoes("abababababab") && !without.echoes("abababababab"));
        // A text that is longer than anything printed is not compared.
        let room = " ".repeat(LONGEST);
        assert!(!guard.echoes(&room));
        assert!(guard.echoes(&format!("{room} ")));
    }

    #[test]
    fn shows_only_values_of_expected_form() {
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
        let said = |message: &str| show_pointer(message, &guard);
        let message = "[ERROR] input must match regex pattern: ^[CGDZ][A-Z0-9]{8,}$ [json-pointer:/channel_id]";
        assert_eq!(said(message).as_deref(), Some("/channel_id"));
        assert_eq!(said("[json-pointer:/files/0/id] x").as_deref(), Some("/files/0/id"));
        for message in [
            "", "channel_id", "[json-pointer:channel_id]", "[json-pointer:/]", "[json-pointer:/a//b]",
            "[json-pointer:/a", "[json-pointer:/xoxb/4815]", "[json-pointer:/see what\u{1b}]",
            "[json-pointer:/abcdefghijkl]",
        ] {
            assert_eq!(said(message), None, "{message}");
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
