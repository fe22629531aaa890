//! Whether a text from outside echoes the token: a server may answer with anything that it was sent.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use secrecy::{ExposeSecret, SecretString};
use zeroize::Zeroizing;

/// So many shared characters are an echo. Fewer would withhold every other word, more would let pieces through.
const WINDOW: usize = 6;

/// In free text, where a service may quote a token in part, fewer are enough: what is lost is only a sentence.
const WINDOW_OF_WORDS: usize = 4;

/// A comment is words, and an answer has words of its own.
const WINDOW_OF_COMMENT: usize = 10;

/// The forms in which the token is looked for, reduced to lower-case letters and digits: what differs between two
/// spellings of one text (case, separators, the two alphabets of base64) differs in nothing else.
#[derive(Clone)]
pub struct Guard {
    forms: Arc<[Zeroizing<String>]>,
    /// The comment that is posted along: nobody knows what is in it, so it is not repeated either.
    comment: Zeroizing<String>,
}

impl Guard {
    pub fn new(token: &SecretString) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "computes what an echo of the token would look like; prints nothing"
        )]
        let token = token.expose_secret();
        let mut forms = vec![project(token)];
        forms.push(hex(token.as_bytes()));
        // Inside a longer text the token may begin at any of three places of a base64 group; the characters that
        // depend on its neighbours are left out.
        forms.extend([(0, 0), (1, 2), (2, 3)].map(|(shift, skip)| {
            let mut padded = Zeroizing::new(Vec::with_capacity(shift + token.len()));
            padded.resize(shift, 0);
            padded.extend_from_slice(token.as_bytes());
            let whole = padded.len() * 8 / 6;
            let encoded = Zeroizing::new(STANDARD.encode(&*padded));
            project(encoded.get(skip.min(whole)..whole).unwrap_or_default())
        }));
        Self { forms: forms.into(), comment: Zeroizing::default() }
    }

    /// The same, looking for what is posted along, too.
    pub fn and(&self, comment: Option<&SecretString>) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "computes what an echo of the comment would look like; prints nothing"
        )]
        let comment = comment.map(|comment| project(comment.expose_secret())).unwrap_or_default();
        Self { comment, ..self.clone() }
    }

    /// Whether the text shares [`WINDOW`] characters in a row with any form of the token.
    pub fn echoes(&self, text: &str) -> bool {
        self.shares(text, WINDOW)
    }

    fn shares(&self, text: &str, window: usize) -> bool {
        // Without a `%` there is nothing to decode.
        let decoded = text.contains('%').then(|| percent_decoded(text));
        [Some(text), decoded.as_ref().map(|text| text.as_str())].into_iter().flatten().map(project).any(|text| {
            self.forms.iter().any(|form| shares(&text, form, window)) || shares(&text, &self.comment, WINDOW_OF_COMMENT)
        })
    }

    /// Whether free text quotes the token in part, or leaves something out, as services do when they quote one.
    pub fn quotes(&self, text: &str) -> bool {
        text.contains(['*', '…']) || text.contains("..") || self.shares(text, WINDOW_OF_WORDS)
    }

    /// The text, unless it echoes the token.
    pub fn pass<'a>(&self, text: &'a str) -> Option<&'a str> {
        (!self.echoes(text)).then_some(text)
    }
}

fn shares(text: &str, form: &str, window: usize) -> bool {
    let window = window.min(form.len());
    window > 0 && form.as_bytes().windows(window).any(|piece| contains(text.as_bytes(), piece))
}

fn contains(text: &[u8], piece: &[u8]) -> bool {
    // Most places differ in the first byte, and to compare two slices is a call.
    text.windows(piece.len()).any(|window| window[0] == piece[0] && window == piece)
}

fn project(text: &str) -> Zeroizing<String> {
    let mut out = Zeroizing::new(String::with_capacity(text.len()));
    out.extend(text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()));
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
    fn a_short_token_is_compared_whole() {
        let guard = Guard::new(&SecretString::from("hunter2"));
        assert!(guard.echoes("hunter2!") && guard.echoes("HUNTER-2") && !guard.echoes("hunte"));
    }
}
