//! Filters what may be printed of an answer: values that have the expected form and do not echo what was sent. A server
//! may return anything that it was sent, also the token.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base64::engine::general_purpose::STANDARD;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use url::Url;
use zeroize::Zeroizing;

use crate::code::Code;
use crate::schema::value::BaseUrl;
use crate::secret::is_url;
use crate::upload::post::{Post, Thread};
use crate::upload::secrets::aligned_base64;

/// The number of consecutive shared characters that count as an echo. A smaller number would withhold every other word,
/// a larger one would let fragments through.
const WINDOW: usize = 6;

/// The same in free text, where a service may quote part of a token. A smaller number costs only a sentence there.
const WINDOW_OF_WORDS: usize = 4;

/// The same for the comment. It consists of words, which an answer may contain anyway.
const WINDOW_OF_COMMENT: usize = 10;

/// The same for file names, which may contain a word of the token by chance.
const WINDOW_OF_NAMES: usize = 8;

/// The length limit of a comparison. No printed part of an answer is longer; a longer text counts as an echo.
const LONGEST: usize = 2048;

/// How often escapes are decoded. What is escaped more often counts as an echo.
const MAX_ESCAPES: usize = 4;

/// Detects the token and the posted comment in every form in which they may be echoed. A comment may contain anything,
/// so it is not repeated either.
#[derive(Clone)]
pub struct Guard {
    token: Arc<Forms>,
    words: Arc<Forms>,
    comment: Arc<Forms>,
    /// The forms of the last comment, with its hash: all files of a run have the same comment.
    last: Arc<Mutex<Last>>,
}

type Last = Option<(u64, Arc<Forms>)>;

/// The fragments of a text in two normal forms. One has its letters and digits in lower case, because the spellings of
/// a text differ only in the rest (case, separators, the two alphabets of base64). The other has everything except
/// whitespace, for a token that consists of punctuation.
#[derive(Default)]
struct Forms {
    letters: Fragments,
    marks: Fragments,
}

/// Fragments by length, as keyed hashes: a lookup in a long text hardly takes longer, and no byte of the text is kept.
#[derive(Default)]
struct Fragments {
    keys: RandomState,
    /// The hashes of each length, sorted.
    by_length: BTreeMap<usize, Vec<u64>>,
}

impl Fragments {
    /// Adds every fragment of `window` bytes, or the whole text if it is shorter.
    fn add(&mut self, text: &str, window: usize) {
        let window = window.min(text.len());
        if window > 0 {
            let known = self.by_length.entry(window).or_default();
            known.extend(text.as_bytes().windows(window).map(|fragment| hash(&self.keys, fragment)));
            known.sort_unstable();
            known.dedup();
        }
    }

    fn occurs_in(&self, text: &str) -> bool {
        let is_known = |(&window, known): (&usize, &Vec<u64>)| {
            text.as_bytes().windows(window).any(|fragment| known.binary_search(&hash(&self.keys, fragment)).is_ok())
        };
        self.by_length.iter().any(is_known)
    }
}

/// Returns the hash of a fragment. Each word of each answer is looked up fragment by fragment, and hashing one number takes
/// less time than hashing a slice with its length.
fn hash(keys: &RandomState, fragment: &[u8]) -> u64 {
    let mut bytes = [0; size_of::<u64>()];
    match bytes.get_mut(..fragment.len()) {
        Some(start) => {
            start.copy_from_slice(fragment);
            keys.hash_one(u64::from_le_bytes(bytes))
        }
        None => keys.hash_one(fragment),
    }
}

impl Forms {
    /// Creates the forms of a text.
    fn new(text: &str, window: usize) -> Self {
        let mut forms = Self::default();
        forms.add(text, window);
        forms
    }

    /// Creates the forms of several texts, and of their encodings.
    fn encoded(texts: &[&str], window: usize) -> Self {
        let mut forms = Self::default();
        for text in texts {
            forms.add(text, window);
            forms.add_encoded(text, window);
        }
        forms
    }

    fn add(&mut self, text: &str, window: usize) {
        let (letters, marks) = (alphanumeric(text), without_whitespace(text));
        // A few letters among much punctuation would match everywhere.
        if letters.len() >= window || letters.len() * 2 >= marks.len() {
            self.letters.add(&letters, window);
        }
        if marks.len() >= window.min(WINDOW_OF_WORDS) {
            self.marks.add(&marks, window);
        }
    }

    fn add_encoded(&mut self, text: &str, window: usize) {
        let mut add = |form: &str| {
            if form.len() >= window.min(WINDOW_OF_WORDS) {
                self.letters.add(form, window);
            }
        };
        add(&hex(text.as_bytes()));
        // In a longer text it may begin at any of the three offsets of a base64 group. The characters that depend on
        // its neighbours are left out.
        for encoded in aligned_base64(text.as_bytes(), &STANDARD) {
            add(&alphanumeric(&encoded));
        }
    }

    /// Returns `true` if a text contains one of the fragments.
    fn matches(&self, text: &str) -> bool {
        self.letters.occurs_in(&alphanumeric(text)) || self.marks.occurs_in(&without_whitespace(text))
    }
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
        let secrets: Vec<&str> = secrets.iter().map(ExposeSecret::expose_secret).collect();
        Self {
            token: Forms::encoded(&secrets, WINDOW).into(),
            words: Forms::encoded(&secrets, WINDOW_OF_WORDS).into(),
            comment: Arc::default(),
            last: Arc::default(),
        }
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
        let token = Arc::new(Forms::encoded(&[end], WINDOW_OF_NAMES));
        Self { words: Arc::clone(&token), token, comment: Arc::default(), last: Arc::default() }
    }

    /// Returns a guard that also detects the comment.
    pub fn with_comment(&self, comment: Option<&SecretString>) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "computes what an echo of the comment would look like; prints nothing"
        )]
        let comment = comment.map(|comment| comment.expose_secret()).unwrap_or_default();
        let hash = self.token.letters.keys.hash_one(comment);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let comment = match &*last {
            Some((known, forms)) if *known == hash => Arc::clone(forms),
            _ => Arc::clone(&last.insert((hash, Forms::new(comment, WINDOW_OF_COMMENT).into())).1),
        };
        Self { comment, ..self.clone() }
    }

    /// Returns `true` if the text shares [`WINDOW`] consecutive characters with any form of the token.
    pub fn echoes(&self, text: &str) -> bool {
        text.len() > LONGEST || self.shares_fragment(text, &self.token)
    }

    /// Returns `true` if the parts echo the token when they are printed together: parts that are harmless alone may
    /// form an echo.
    pub fn echoes_together(&self, parts: &[&str]) -> bool {
        let [near, apart] = ["", ","].map(|between| parts.join(between));
        self.shares_fragment(&near, &self.token) || self.shares_fragment(&apart, &self.token)
    }

    fn shares_fragment(&self, text: &str, token: &Forms) -> bool {
        let matches = |text: &str| token.matches(text) || self.comment.matches(text);
        let mut decoded = unescaped(text);
        // An escape may itself be escaped.
        let mut more = std::iter::from_fn(|| {
            let text = decoded.take()?;
            decoded = unescaped(&text);
            Some(text)
        });
        matches(text) || more.by_ref().take(MAX_ESCAPES).any(|text| matches(&text)) || more.next().is_some()
    }

    /// Returns `true` if free text quotes part of the token, or contains an ellipsis or asterisks, which services write
    /// when they shorten a quoted token.
    pub fn quotes_token(&self, text: &str) -> bool {
        text.len() > LONGEST
            || text.contains(['*', '…'])
            || text.contains("..")
            || self.shares_fragment(text, &self.words)
    }

    /// Returns the text, unless it echoes the token.
    pub fn unless_echoed<'a>(&self, text: &'a str) -> Option<&'a str> {
        (!self.echoes(text)).then_some(text)
    }
}

fn alphanumeric(text: &str) -> Zeroizing<String> {
    let mut out = Zeroizing::new(String::with_capacity(text.len()));
    out.extend(text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()));
    out
}

fn without_whitespace(text: &str) -> Zeroizing<String> {
    let mut out = Zeroizing::new(String::with_capacity(text.len()));
    out.extend(text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()));
    out
}

fn hex(bytes: &[u8]) -> Zeroizing<String> {
    let mut out = Zeroizing::new(String::with_capacity(bytes.len() * 2));
    for byte in bytes {
        for digit in [byte >> 4, byte & 15] {
            out.extend(char::from_digit(u32::from(digit), 16));
        }
    }
    out
}

/// How a character is escaped in addresses, JSON, programs, HTML and mails: what precedes its number, the base, the
/// least and the most digits, and what follows.
const ESCAPES: &[(&str, u32, usize, usize, &str)] = &[
    ("%u", 16, 4, 4, ""),
    ("%", 16, 2, 2, ""),
    ("\\u{", 16, 1, 6, "}"),
    ("\\u", 16, 4, 4, ""),
    ("\\U", 16, 8, 8, ""),
    ("\\x{", 16, 1, 6, "}"),
    ("\\x", 16, 2, 2, ""),
    ("\\", 8, 3, 3, ""),
    ("&#x", 16, 1, 8, ";"),
    ("&#X", 16, 1, 8, ";"),
    ("&#", 10, 1, 8, ";"),
    ("U+", 16, 4, 6, ""),
    ("=", 16, 2, 2, ""),
];

/// Decodes escapes once. `None` if there are none. Only ASCII is compared, so each byte can become one character.
fn unescaped(text: &str) -> Option<Zeroizing<String>> {
    let mut out = Zeroizing::new(String::with_capacity(text.len() * 2));
    let (mut rest, mut found) = (text, false);
    while let Some(first) = rest.chars().next() {
        let escape = if first.is_ascii_alphanumeric() && first != 'U' { None } else { escape(rest) };
        found |= escape.is_some();
        let (c, length) = escape.unwrap_or((first, first.len_utf8()));
        out.push(c);
        rest = &rest[length..];
    }
    found.then_some(out)
}

/// Returns the character that an escape at the beginning of a text stands for, and the length of the escape.
fn escape(text: &str) -> Option<(char, usize)> {
    ESCAPES.iter().find_map(|&(before, base, least, most, after)| {
        let rest = text.strip_prefix(before)?;
        let digits = rest.bytes().take(most).take_while(|&byte| char::from(byte).is_digit(base)).count();
        let number = u32::from_str_radix(rest.get(..digits).filter(|_| digits >= least)?, base).ok()?;
        rest[digits..].starts_with(after).then_some(())?;
        Some((char::from_u32(number)?, before.len() + digits + after.len()))
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
    shape.then(|| guard.pass(pointer).map(str::to_owned)).flatten()
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
            (*hex(TOKEN.as_bytes())).clone(),
            hex(TOKEN.as_bytes()).to_uppercase(),
            TOKEN.bytes().map(|byte| format!("%{byte:02x}")).collect(),
            TOKEN
                .bytes()
                .map(|byte| if byte % 2 == 0 { format!("%{byte:02X}") } else { char::from(byte).into() })
                .collect(),
        ] {
            assert!(guard.echoes(&text), "{text}");
        }
        let escapes: &[fn(u8) -> String] = &[
            |byte| format!("\\u{byte:04x}"),
            |byte| format!("\\u{byte:04X}"),
            |byte| format!("\\\\u{byte:04x}"),
            |byte| format!("\\u{{{byte:x}}}"),
            |byte| format!("\\U{byte:08x}"),
            |byte| format!("\\x{byte:02x}"),
            |byte| format!("\\x{{{byte:x}}}"),
            |byte| format!("\\{byte:03o}"),
            |byte| format!("&#{byte};"),
            |byte| format!("&#x{byte:x};"),
            |byte| format!("&#X{byte:04X};"),
            |byte| format!("%u{byte:04x}"),
            |byte| format!("%25{byte:02x}"),
            |byte| format!("={byte:02X}"),
            |byte| format!("U+{byte:04X} "),
            |byte| format!("&#92;u{byte:04x}"),
            |byte| format!("\\u005cu{byte:04x}"),
        ];
        for escape in escapes {
            let whole: String = TOKEN.bytes().map(escape).collect();
            assert!(guard.echoes(&whole) && guard.quotes_token(&whole), "{whole}");
            let part = |(at, byte): (usize, u8)| if at % 3 == 0 { escape(byte) } else { char::from(byte).to_string() };
            let mixed: String = TOKEN.bytes().enumerate().map(part).collect();
            assert!(guard.echoes(&mixed), "{mixed}");
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
        for text in ["AbCdEfGh", "d3e4f5", &hex(b"A0B1C2"), &STANDARD.encode("xapp-1-A0B1C2")] {
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
        let guard = guard().with_comment(Some(&SecretString::from(comment)));
        assert!(!guard.echoes_together(&vec!["abababab!c"; 50_000]));
        assert!(guard.echoes("abababababab") && !guard.with_comment(None).echoes("abababababab"));
        // A text that is longer than anything printed is not compared.
        let room = " ".repeat(LONGEST);
        assert!(!guard.echoes(&room) && !guard.quotes_token(&room));
        assert!(guard.echoes(&format!("{room} ")) && guard.quotes_token(&format!("{room} ")));
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
