//! The search of the proofs: finds pieces of a secret in a text, in any spelling. Because its silence must mean
//! something, tests prove that it finds them.

use std::cell::RefCell;

use aho_corasick::AhoCorasick;

/// The spellings in which a program or a person may pass on a secret.
pub const SPELLINGS: [Spelling; 9] = [
    ("plain", |secret| secret.to_owned()),
    ("upper case", |secret| secret.to_uppercase()),
    ("lower case", |secret| secret.to_lowercase()),
    ("mixed case", |secret| {
        let flipped = |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
        secret.chars().enumerate().map(|(index, c)| if index % 2 == 0 { flipped(c) } else { c }).collect()
    }),
    ("percent-encoded", |secret| secret.bytes().map(|byte| format!("%{byte:02X}")).collect()),
    ("base64", |secret| base64(secret.as_bytes())),
    ("hex", |secret| hex(secret.as_bytes())),
    ("JSON-escaped", |secret| secret.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect()),
    ("zero-width", |secret| secret.chars().flat_map(|c| [c, '\u{200b}']).collect()),
];

/// The name of a spelling, and its function.
pub type Spelling = (&'static str, fn(&str) -> String);

/// The number of consecutive characters that count as a piece of a secret.
pub const WINDOW: usize = 8;

/// A secret in every form in which it is looked for.
pub struct Search {
    /// Reduced to lower-case letters and digits, like the searched text: spellings differ only in the rest.
    pieces: AhoCorasick,
    forms: Vec<String>,
}

impl Search {
    pub fn new(secret: &str) -> Self {
        let mut forms = vec![reduced(secret), hex(secret.as_bytes())];
        // In a longer text it begins at any of the three offsets of a group; the characters that depend on its
        // neighbours are left out.
        for (shift, skip) in [(0, 0), (1, 2), (2, 3)] {
            let padded = [&vec![0; shift], secret.as_bytes()].concat();
            let whole = padded.len() * 8 / 6;
            forms.push(reduced(&base64(&padded)[skip..whole]));
        }
        let long = forms.iter().filter(|form| form.len() > 2);
        let pieces = long.flat_map(|form| form.as_bytes().windows(WINDOW.min(form.len())));
        let pieces = AhoCorasick::new(pieces).unwrap();
        Self { pieces, forms }
    }

    /// Returns the first piece of the secret in the text that is not `known` for another reason.
    pub fn find(&self, text: &str, known: &str) -> Option<String> {
        /// The views of the last text: two runs whose secrets agree in facts print the same.
        type Last = (String, Vec<String>);
        thread_local! {
            static LAST: RefCell<Last> = const { RefCell::new((String::new(), Vec::new())) };
        }
        LAST.with_borrow_mut(|(last, views)| {
            if last != text {
                *views = self::views(text);
                text.clone_into(last);
            }
            views.iter().find_map(|text| {
                let mut pieces = self.pieces.find_overlapping_iter(text).map(|found| &text[found.range()]);
                pieces.find(|piece| !known.contains(piece)).map(str::to_owned)
            })
        })
    }
}

/// Returns a text unchanged, and with its escapes decoded.
fn views(text: &str) -> Vec<String> {
    let decoded = unescaped(text);
    let mut views = vec![reduced(text)];
    if decoded != text {
        views.push(reduced(&decoded));
        // An escape inside an escape, such as percent-encoded text in JSON.
        let twice = unescaped(&decoded);
        if twice != decoded {
            views.push(reduced(&twice));
        }
    }
    views
}

/// Reduces a text to lower-case letters and digits, because its spellings differ only in the rest (case, punctuation,
/// characters without a width, the alphabets of base64).
pub fn reduced(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    // A loop over bytes, because iterators over characters are slow without optimisation.
    for &byte in text.as_bytes() {
        match byte {
            b'0'..=b'9' | b'a'..=b'z' => out.push(byte),
            b'A'..=b'Z' => out.push(byte | 0x20),
            _ => {}
        }
    }
    String::from_utf8(out).unwrap()
}

/// Decodes `%41`, `\u0041`, `\u{41}`, `\x41`, `&#65;` and `&#x41;`; everything else stays.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr3(b'%', b'\\', b'&', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some((c, len)) = escape(rest) {
            out.push(c);
            rest = &rest[len..];
        } else {
            out.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    out + rest
}

/// Returns the character of an escape at the beginning of a text, and the length of the escape.
fn escape(text: &str) -> Option<(char, usize)> {
    let code = |digits: &str, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
    let until = |start: usize, end: char| text[start..].char_indices().take(9).find(|&(_, c)| c == end);
    let fixed = |start: usize, len: usize| Some((code(text.get(start..start + len)?, 16)?, start + len));
    let open = |start: usize, end: char, radix| {
        let (at, _) = until(start, end)?;
        Some((code(&text[start..start + at], radix)?, start + at + 1))
    };
    if text.starts_with("\\u{") {
        open(3, '}', 16)
    } else if text.starts_with("\\u") {
        fixed(2, 4)
    } else if text.starts_with("\\x") {
        fixed(2, 2)
    } else if text.starts_with("&#x") {
        open(3, ';', 16)
    } else if text.starts_with("&#") {
        open(2, ';', 10)
    } else if text.starts_with('%') {
        fixed(1, 2)
    } else {
        None
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |bytes: &[u8]| {
        let number =
            bytes.iter().fold(0_usize, |number, &byte| number << 8 | usize::from(byte)) << (8 * (3 - bytes.len()));
        (0..4)
            .map(|place| if place <= bytes.len() { char::from(ALPHABET[number >> (18 - 6 * place) & 63]) } else { '=' })
            .collect::<String>()
    };
    bytes.chunks(3).map(group).collect()
}

#[test]
fn the_search_finds_a_secret_in_every_encoding_and_document() {
    assert_eq!([base64(b"a"), base64(b"ab"), base64(b"abc"), base64(&[255; 3])], ["YQ==", "YWI=", "YWJj", "////"]);
    let secrets =
        ["xoxb-7391842650-QzWvXkPjHyBd", "K005Qz7Wv/Xk+PjHyBd39Tm18Rf64Lc", "qz7!vX k)Pj;Hy", "918273645546372819"];
    for secret in secrets {
        let search = Search::new(secret);
        let whole: Vec<char> = secret.chars().collect();
        // The whole secret, and any piece that is long enough.
        let mut pieces = vec![secret.to_owned()];
        pieces.extend(whole.windows(12).map(|piece| piece.iter().collect::<String>()));
        for (name, spell) in SPELLINGS {
            for piece in &pieces {
                let spelled = spell(piece);
                // Punctuation inside an escape makes it another text.
                let within = spelled.contains(['%', '\\']);
                let separated =
                    spelled.chars().map(|c| if within { format!("{c}") } else { format!("{c}-") }).collect();
                for text in [
                    spelled.clone(),
                    format!("error: the token {spelled} is not known\n"),
                    serde_json::json!({"findings": [{"message": spelled}]}).to_string(),
                    serde_json::json!({"a": serde_json::json!({"message": spelled}).to_string()}).to_string(),
                    format!("<failure message=\"{}\"/>", spelled.replace('&', "&amp;").replace('"', "&quot;")),
                    format!("::error file=a::{}", spelled.replace('%', "%25").replace('\n', "%0A")),
                    separated,
                ] {
                    // A percent sign that was encoded is one more escape, and `\u0025` in JSON another.
                    assert!(search.find(&text, "").is_some(), "{name} of {piece} is not found in {text}");
                }
            }
        }
        let neighbours = ["", "a", "ab", "Bearer ", "user:"];
        for (neighbour, text) in
            neighbours.map(|neighbour| (neighbour, base64(format!("{neighbour}{secret}!").as_bytes())))
        {
            assert!(search.find(&text, "").is_some(), "{neighbour}");
            assert!(search.find(&text.replace('+', "-").replace('/', "_"), "").is_some(), "{neighbour}");
        }
        for entity in ["&#x{};", "&#{};"] {
            let text: String = secret
                .chars()
                .map(|c| {
                    let code = u32::from(c);
                    entity.replace("{}", &if entity.contains('x') { format!("{code:x}") } else { code.to_string() })
                })
                .collect();
            assert!(search.find(&text, "").is_some(), "{text}");
        }
        // No match without a secret, or with too little of it.
        for text in
            ["", "********", "error[missing-token]: `messaging.r` has no token", "100 %, \\u, &#; &#xzz; \\u{110000}"]
        {
            assert_eq!(search.find(text, ""), None);
        }
        let short: String = whole[..5].iter().collect();
        assert_eq!(search.find(&short, ""), None);
        assert_eq!(search.find(secret, &search.forms.concat()), None, "text known for another reason");
    }
}
