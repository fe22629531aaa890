//! The words of a log, and what is looked for among them: words in an order, with other words between them. Case,
//! punctuation, quotes, line breaks and colours don't count.

/// How many words a `*` stands for at most.
const MOST: usize = 12;

/// The words of a text, as ranges of its bytes.
pub struct Words<'t> {
    text: &'t str,
    at: Vec<(u32, u32)>,
}

impl<'t> Words<'t> {
    /// Finds the words of a text in lower case.
    pub fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let (mut at, mut next) = (Vec::new(), 0);
        while next < bytes.len() {
            let start = next;
            match bytes[next] {
                0x1b => next = behind_escape(bytes, next),
                b'\\' => next += escaped(&bytes[next..]),
                byte if is_in_word(byte) => {
                    while next < bytes.len() && is_in_word(bytes[next]) {
                        next += 1;
                    }
                    if let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(next)) {
                        at.push((start, end));
                    }
                }
                _ => next += 1,
            }
        }
        Self { text, at }
    }

    /// Returns the number of words.
    pub fn len(&self) -> usize {
        self.at.len()
    }

    /// Returns a word.
    pub fn get(&self, number: usize) -> Option<&'t str> {
        let &(start, end) = self.at.get(number)?;
        self.text.get(start as usize..end as usize)
    }

    /// Returns the number of line breaks before a word.
    pub fn line(&self, number: usize) -> usize {
        let end = self.at.get(number).map_or(0, |&(start, _)| start as usize);
        self.text.get(..end).map_or(0, |before| before.matches('\n').count())
    }
}

/// What is looked for: the words in lower case, and whether others may precede each.
pub struct Pattern(Vec<(bool, String)>);

impl Pattern {
    /// Reads a row's text. A `*` stands for other words.
    pub fn new(text: &str) -> Self {
        let (mut words, mut gap) = (Vec::new(), false);
        for piece in text.split_ascii_whitespace() {
            gap |= piece.contains('*');
            for word in pieces(piece) {
                words.push((gap, word));
                gap = false;
            }
        }
        Self(words)
    }

    /// Returns the first word.
    pub fn first(&self) -> Option<&str> {
        self.0.first().map(|(_, word)| word.as_str())
    }

    /// Returns the number of words.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns `true` if it begins at a word of a text. Of several ways to read a `*`, the shortest counts.
    pub fn is_at(&self, words: &Words<'_>, start: usize) -> bool {
        let mut next = start;
        self.0.iter().all(|(gap, word)| {
            let room = if *gap { MOST } else { 0 };
            let found = (next..=next + room).find(|&at| words.get(at) == Some(word));
            next = found.map_or(next, |at| at + 1);
            found.is_some()
        })
    }
}

/// Returns the words of a row's text in lower case.
pub fn pieces(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_ascii() || !is_in_word(c as u8)).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect()
}

const fn is_in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns where the text goes on behind a terminal's escape sequence.
fn behind_escape(bytes: &[u8], start: usize) -> usize {
    let rest = &bytes[start + 1..];
    let find = |ends: fn(&u8) -> bool| rest.iter().skip(1).take(256).position(ends).map_or(1, |at| start + 3 + at);
    match rest.first() {
        Some(b'[') => find(|byte| (0x40..=0x7e).contains(byte)),
        // A title, a link: it ends in a bell or another escape.
        Some(b']') => find(|byte| matches!(byte, 0x07 | 0x1b)),
        _ => start + 1,
    }
    .max(start + 1)
}

/// Returns the length of an escape of JSON and of programs that quote what they print.
fn escaped(bytes: &[u8]) -> usize {
    match bytes {
        [_, b'u', digits @ ..] if digits.len() >= 4 && digits[..4].iter().all(u8::is_ascii_hexdigit) => 6,
        [_, b'n' | b'r' | b't', ..] => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(pattern: &str, text: &str) -> bool {
        let text = text.to_ascii_lowercase();
        let words = Words::new(&text);
        (0..words.len()).any(|at| Pattern::new(pattern).is_at(&words, at))
    }

    #[test]
    fn words_that_stay_are_found_whatever_varies() {
        for text in [
            "Credential access key has length 40, should be 32",
            "credential access key has\n│ length 7, should be 32",
            "\u{1b}[31mCredential\u{1b}[0m access key has length \u{1b}]0;title\u{7}12 should be 32",
            r#"{"m":"\nCredential \u0027access\u0027 key\thas \"length\" 20, should be 32"}"#,
        ] {
            assert!(has("credential access key has length * should be 32", text), "{text}");
        }
        assert!(!has("access key has length * should be 32", "access key has length 40, should be 33"));
        assert!(!has("invalid_auth", "invalid_authorization invalid auth"));
        assert!(!has("a * b", "a 1 2 3 4 5 6 7 8 9 10 11 12 13 b") && has("a * b", "a b"));
        assert!(!has("a", "") && Pattern::new("* .").first().is_none());
    }
}
