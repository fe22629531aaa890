//! Whether a text from outside echoes the token: a server may answer with anything that it was sent.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use secrecy::{ExposeSecret, SecretString};
use zeroize::Zeroizing;

use crate::secret::is_url;

/// So many shared characters are an echo. Fewer would withhold every other word, more would let pieces through.
const WINDOW: usize = 6;

/// In free text, where a service may quote a token in part, fewer are enough: what is lost is only a sentence.
const WINDOW_OF_WORDS: usize = 4;

/// A comment is words, and an answer has words of its own.
const WINDOW_OF_COMMENT: usize = 10;

/// A file may well be named after a word of the token.
const WINDOW_OF_NAMES: usize = 8;

/// No part of an answer that is printed is longer. A longer one is not compared: it counts as an echo.
const LONGEST: usize = 2048;

/// The forms in which the token, and the comment that is posted along, are looked for. Nobody knows what is in a comment,
/// so it is not repeated either.
#[derive(Clone)]
pub struct Guard {
    token: Arc<Forms>,
    words: Arc<Forms>,
    comment: Arc<Forms>,
    /// The forms of the last comment, and its hash: every file of a run has the same.
    last: Arc<Mutex<Last>>,
}

type Last = Option<(u64, Arc<Forms>)>;

/// The pieces of a text, in two spellings: its letters and digits in lower case, since what differs between two spellings
/// (case, separators, the two alphabets of base64) differs in nothing else; and whatever is no white space, for a token
/// that is made of punctuation.
#[derive(Default)]
struct Forms {
    letters: Pieces,
    marks: Pieces,
}

/// Pieces of each length, as keyed hashes: to look one up takes as long in a long text, and no byte of it is kept.
#[derive(Default)]
struct Pieces {
    keys: RandomState,
    /// The hashes of each length, sorted.
    of: BTreeMap<usize, Vec<u64>>,
}

impl Pieces {
    /// Takes in every piece of so many bytes; of a shorter text, the whole.
    fn add(&mut self, text: &str, window: usize) {
        let window = window.min(text.len());
        if window > 0 {
            let known = self.of.entry(window).or_default();
            known.extend(text.as_bytes().windows(window).map(|piece| hash(&self.keys, piece)));
            known.sort_unstable();
            known.dedup();
        }
    }

    fn has_one_of(&self, text: &str) -> bool {
        let is_known = |(&window, known): (&usize, &Vec<u64>)| {
            text.as_bytes().windows(window).any(|piece| known.binary_search(&hash(&self.keys, piece)).is_ok())
        };
        self.of.iter().any(is_known)
    }
}

/// The hash of a piece. Every word of every answer is looked for piece by piece: one number is hashed in half the time of
/// a slice, which is hashed with its length.
fn hash(keys: &RandomState, piece: &[u8]) -> u64 {
    let mut bytes = [0; size_of::<u64>()];
    match bytes.get_mut(..piece.len()) {
        Some(start) => {
            start.copy_from_slice(piece);
            keys.hash_one(u64::from_le_bytes(bytes))
        }
        None => keys.hash_one(piece),
    }
}

impl Forms {
    /// A text as it may be echoed.
    fn new(text: &str, window: usize) -> Self {
        let mut forms = Self::default();
        forms.add(text, window);
        forms
    }

    /// The same of several, and their encodings.
    fn encoded(texts: &[&str], window: usize) -> Self {
        let mut forms = Self::default();
        for text in texts {
            forms.add(text, window);
            forms.add_encoded(text, window);
        }
        forms
    }

    fn add(&mut self, text: &str, window: usize) {
        let (letters, marks) = (letters(text), marks(text));
        // A few letters between many marks would be found everywhere.
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
        // Inside a longer text it may begin at any of three places of a base64 group; the characters that depend on its
        // neighbours are left out.
        for (shift, skip) in [(0, 0), (1, 2), (2, 3)] {
            let mut padded = Zeroizing::new(Vec::with_capacity(shift + text.len()));
            padded.resize(shift, 0);
            padded.extend_from_slice(text.as_bytes());
            let whole = padded.len() * 8 / 6;
            let encoded = Zeroizing::new(STANDARD.encode(&*padded));
            add(&letters(encoded.get(skip.min(whole)..whole).unwrap_or_default()));
        }
    }

    /// Whether a text shares a piece with it.
    fn share(&self, text: &str) -> bool {
        self.letters.has_one_of(&letters(text)) || self.marks.has_one_of(&marks(text))
    }
}

impl Guard {
    pub fn new(token: &SecretString) -> Self {
        Self::of_several(std::slice::from_ref(token))
    }

    /// The same for several secrets: a service that gets one after the other may answer with any of them.
    pub fn of_several(secrets: &[SecretString]) -> Self {
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

    /// Looks for a secret in the names of files: those are words, and not of a server. Of an address only the end is secret.
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

    /// The same, looking for what is posted along, too.
    pub fn and(&self, comment: Option<&SecretString>) -> Self {
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

    /// Whether the text shares [`WINDOW`] characters in a row with any form of the token.
    pub fn echoes(&self, text: &str) -> bool {
        text.len() > LONGEST || self.shares(text, &self.token)
    }

    /// Whether what is printed together does so: what is harmless piece by piece may not be so in a row.
    pub fn echo_together(&self, parts: &[&str]) -> bool {
        let [near, apart] = ["", ","].map(|between| parts.join(between));
        self.shares(&near, &self.token) || self.shares(&apart, &self.token)
    }

    fn shares(&self, text: &str, token: &Forms) -> bool {
        // Without a `%` there is nothing to decode.
        let decoded = text.contains('%').then(|| percent_decoded(text));
        let mut texts = [Some(text), decoded.as_ref().map(|text| text.as_str())].into_iter().flatten();
        texts.any(|text| token.share(text) || self.comment.share(text))
    }

    /// Whether free text quotes the token in part, or leaves something out, as services do when they quote one.
    pub fn quotes(&self, text: &str) -> bool {
        text.len() > LONGEST || text.contains(['*', '…']) || text.contains("..") || self.shares(text, &self.words)
    }

    /// The text, unless it echoes the token.
    pub fn pass<'a>(&self, text: &'a str) -> Option<&'a str> {
        (!self.echoes(text)).then_some(text)
    }
}

fn letters(text: &str) -> Zeroizing<String> {
    let mut out = Zeroizing::new(String::with_capacity(text.len()));
    out.extend(text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()));
    out
}

fn marks(text: &str) -> Zeroizing<String> {
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

fn percent_decoded(text: &str) -> Zeroizing<String> {
    // Only ASCII takes part in the comparison, so a byte for a character will do.
    let mut out = Zeroizing::new(String::with_capacity(text.len() * 2));
    out.extend(percent_decode_str(text).map(char::from));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "xoxb-4815162342-AbCdEfGhIjKl";

    fn guard() -> Guard {
        Guard::new(&SecretString::from(TOKEN))
    }

    #[test]
    fn every_spelling_of_the_token_is_an_echo() {
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
    fn each_of_several_is_looked_for() {
        let guard = Guard::of_several(&[SecretString::from(TOKEN), SecretString::from("xapp-1-A0B1C2-d3e4f5g6h7")]);
        for text in ["AbCdEfGh", "d3e4f5", &hex(b"A0B1C2"), &STANDARD.encode("xapp-1-A0B1C2")] {
            assert!(guard.echoes(text), "{text}");
        }
        // Where one ends and the other begins is in neither.
        assert!(!guard.echoes("IjKlxa") && !guard.echoes("invalid_auth"));
    }

    #[test]
    fn a_short_token_is_compared_whole() {
        let guard = Guard::new(&SecretString::from("hunter2"));
        assert!(guard.echoes("hunter2!") && guard.echoes("HUNTER-2") && !guard.echoes("hunte"));
        let guard = Guard::new(&SecretString::from("ab-12"));
        assert!(guard.echoes("xab12x") && guard.echoes("AB-12") && !guard.echoes("ab1"));
        assert!(!Guard::new(&SecretString::from("")).echoes("a"));
    }

    #[test]
    fn a_token_of_punctuation_is_found() {
        let guard = Guard::new(&SecretString::from("!$&'()*+,;=@a~^"));
        for text in ["https://h.example/!$&'()x", "x ()*+,;", "%21%24%26%27%28%29", "*+,;=@A~"] {
            assert!(guard.echoes(text), "{text}");
        }
        // The one letter is no piece of its own.
        for text in ["https://h.example/files/a", "a", "a,b;c"] {
            assert!(!guard.echoes(text), "{text}");
        }
    }

    #[test]
    fn what_is_printed_together_is_compared_together() {
        let guard = guard();
        let pieces = ["xoxb4", "81516", "23-42"];
        assert!(pieces.iter().all(|piece| !guard.echoes(piece)) && guard.echo_together(&pieces));
        assert!(!guard.echo_together(&["files:write", "T0123", "chat:write"]) && !guard.echo_together(&[]));
        // The comma between two is a character of the token.
        let guard = Guard::new(&SecretString::from("(,),(,),(,)"));
        assert!(guard.echo_together(&["(", ")", "(", ")"]) && !guard.echo_together(&["(", ")"]));
    }

    /// A piece at every place of the one with a piece at every place of the other would take hours.
    #[test]
    fn a_long_answer_is_compared_with_a_long_comment_in_one_go() {
        let comment = "ab".repeat(500_000);
        let guard = guard().and(Some(&SecretString::from(comment)));
        assert!(!guard.echo_together(&vec!["abababab!c"; 50_000]));
        assert!(guard.echoes("abababababab") && !guard.and(None).echoes("abababababab"));
        // What is longer than anything that is printed is not even looked at.
        let room = " ".repeat(LONGEST);
        assert!(!guard.echoes(&room) && !guard.quotes(&room));
        assert!(guard.echoes(&format!("{room} ")) && guard.quotes(&format!("{room} ")));
    }
}
