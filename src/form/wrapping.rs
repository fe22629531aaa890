//! Wrappings and encodings that break a value.

use base64::Engine as _;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;
use zeroize::Zeroizing;

use super::recognise::{self, is_lower_hex, is_number};
use crate::services::{Form, backblaze};
use crate::shorthand::words;
use crate::text;

words! {
    /// A wrapping or encoding of a value.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Wrapping {
        /// `"…"` or `'…'`.
        Quotes = "has quotes around it that are part of the value",
        /// A quote at one end only.
        Quote = "begins or ends with a quote that is part of the value",
        /// Backticks or typographic quotes.
        OddQuotes = "has backticks or typographic quotes around it",
        /// `<…>`, `[…]`, `(…)`, `{…}`.
        Brackets = "has brackets around it",
        /// `NAME=…`, `export NAME=…`.
        Assignment = "is a whole assignment (`NAME=value`)",
        /// `name: …` or `name=…`, which may also be a user and a password.
        Label = "has a name before it",
        /// `Bearer …`, `Token …`, `Basic …`, `Authorization: …`.
        Header = "begins with part of a header, such as `Bearer` or `Authorization:`",
        /// A JSON document with the value in it.
        Json = "is a JSON document",
        /// A trailing `,`, `;` or `.`.
        Punctuation = "ends with punctuation that is not part of it",
        /// A leading `$`, as before an expression of a workflow.
        Dollar = "begins with a `$` that is not part of it",
        /// A trailing literal `\n` or `\t`.
        Escape = "ends with a literal escape sequence such as `\\n`",
        /// A comment after it.
        Comment = "has a comment after it that is part of the value",
        /// A zero-width character.
        Invisible = "contains an invisible character",
        /// A character that looks like the right one, such as a dash.
        NonAscii = "contains a non-ASCII character",
        /// Surrounding whitespace.
        Space = "contains whitespace",
        /// A missing `https://`.
        Scheme = "has no `https://` before it",
        /// Percent-encoded.
        Percent = "is percent-encoded",
        /// Encoded in base64.
        Base64 = "is base64-encoded",
        /// Encoded in hex digits.
        Hex = "is hex-encoded",
        /// Several credentials, separated by whitespace, `,` or `;`.
        Several = "holds several credentials",
        /// The value twice in a row.
        Doubled = "is repeated twice in a row",
        /// Converted to upper or lower case, although case matters.
        Case = "has the wrong case: credentials are case-sensitive",
        /// Truncated or extended: no such credential has this length.
        Length = "begins like a known credential but has the wrong length",
        /// Truncated: shorter than every such credential that the service itself issues.
        Short = "begins like a known credential, and is too short for one",
    }

    /// Describes it, to follow the name of the value.
    pub fn describe;
}

/// Returns `true` for invisible characters.
const fn is_invisible(c: char) -> bool {
    matches!(c, '\0' | '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Words before a credential in a header.
const SCHEMES: &[&str] = &["bearer ", "bearer:", "token ", "basic ", "authorization:", "authorization="];

impl Wrapping {
    /// Returns `true` if the wrapping leaves the value itself intact.
    pub(super) const fn leaves_value_intact(self) -> bool {
        matches!(self, Self::Quotes | Self::Quote | Self::OddQuotes | Self::Brackets | Self::Assignment | Self::Header)
    }

    /// Returns `true` if the wrapping is a mistake regardless of the content.
    pub(super) fn is_certain(self, value: &str) -> bool {
        match self {
            Self::Quotes => {
                let both = |quote| value.starts_with(quote) && value.ends_with(quote);
                both('"') || both('\'')
            }
            Self::OddQuotes => true,
            Self::Assignment => true,
            Self::Header => {
                let lower = zeroizing_copy(value.trim_start().to_ascii_lowercase());
                lower.starts_with("bearer ") || lower.starts_with("authorization:")
            }
            Self::Json => true,
            _ => false,
        }
    }
}

/// Returns possible wrappings of a value with their content, the outermost first.
pub(super) fn candidates(value: &str) -> Vec<(Wrapping, Zeroizing<String>)> {
    let mut found = Vec::new();
    let mut put = |wrapping, inner: Zeroizing<String>| {
        if !inner.is_empty() && *inner != value {
            found.push((wrapping, inner));
        }
    };
    let trimmed = value.trim();
    if let Some(inner) = string_in_json(trimmed) {
        put(Wrapping::Json, inner);
    }
    let quote = ['"', '\''];
    let unquoted = trimmed.trim_matches(quote);
    if unquoted.len() < trimmed.len() {
        let both = trimmed.starts_with(quote) && trimmed.ends_with(quote);
        put(if both { Wrapping::Quotes } else { Wrapping::Quote }, zeroizing_copy(unquoted));
    }
    let odd = |c: char| "`´“”„‟‘’‚‛«»".contains(c);
    if trimmed.starts_with(odd) && trimmed.ends_with(odd) {
        put(Wrapping::OddQuotes, zeroizing_copy(trimmed.trim_matches(odd)));
    }
    for (open, close) in [('<', '>'), ('[', ']'), ('(', ')'), ('{', '}')] {
        if let Some(inner) = trimmed.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)) {
            put(Wrapping::Brackets, zeroizing_copy(inner.trim()));
        }
    }
    let lower = zeroizing_copy(trimmed.to_ascii_lowercase());
    for scheme in SCHEMES.iter().filter(|scheme| lower.starts_with(**scheme)) {
        put(Wrapping::Header, zeroizing_copy(trimmed[scheme.len()..].trim()));
    }
    if let Some((name, inner)) = split_name(trimmed) {
        let is_variable = trimmed.starts_with("export ") || is_variable_name(name);
        put(if is_variable { Wrapping::Assignment } else { Wrapping::Label }, zeroizing_copy(inner));
    }
    if let Some(inner) = trimmed.strip_prefix('$') {
        put(Wrapping::Dollar, zeroizing_copy(inner));
    }
    let comment = trimmed.find([' ', '\t']).filter(|at| trimmed[*at..].trim_start().starts_with(['#', ';']));
    if let Some(at) = comment {
        put(Wrapping::Comment, zeroizing_copy(&trimmed[..at]));
    }
    let ended = trimmed.trim_end_matches([',', ';', '.', ':', '!', '?']);
    if ended.len() < trimmed.len() {
        put(Wrapping::Punctuation, zeroizing_copy(ended));
    }
    if let Some(inner) = ["\\n", "\\r\\n", "\\t", "%0A", "%0a"].iter().find_map(|end| trimmed.strip_suffix(end)) {
        put(Wrapping::Escape, zeroizing_copy(inner));
    }
    if value.contains(is_invisible) {
        put(Wrapping::Invisible, zeroizing_copy(value.chars().filter(|&c| !is_invisible(c)).collect::<String>()));
    }
    let parts: Vec<&str> = value.split([',', ';', ' ', '\t', '\n', '\r']).filter(|part| !part.is_empty()).collect();
    let is_certain = |part: &&str| recognise::find(part).is_some_and(|form| form.certain && form.is_secret());
    if (2..=8).contains(&parts.len()) && parts.iter().all(is_certain) {
        put(Wrapping::Several, zeroizing_copy(parts[0]));
    }
    put(Wrapping::Space, zeroizing_copy(value.split_whitespace().collect::<String>()));
    if trimmed.starts_with("hooks.") {
        put(Wrapping::Scheme, zeroizing_copy(format!("https://{trimmed}")));
    }
    if trimmed.is_ascii() {
        add_decoded(trimmed, &mut put);
    } else {
        // Only a complete credential counts: text in other languages is not wrapped.
        for instead in ["-", "x", ""] {
            let plain = |c: char| if c.is_ascii() { c.to_string() } else { instead.to_owned() };
            let plain = zeroizing_copy(trimmed.chars().map(plain).collect::<String>());
            if recognise::find(&plain).is_some_and(|form| form.certain) {
                put(Wrapping::NonAscii, plain);
            }
        }
    }
    found
}

/// Why base64 can't be decoded to text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DecodeError {
    /// It is not base64.
    NotBase64,
    /// The bytes are not text.
    NotText,
}

/// Decodes base64 as in the `data` of a Kubernetes Secret, ignoring whitespace. Like Go's decoder, it requires padding
/// and accepts any trailing bits.
pub(crate) fn decode_base64(text: &str) -> Result<Zeroizing<String>, DecodeError> {
    let text = Zeroizing::new(text.split_ascii_whitespace().collect::<String>());
    let engine = GeneralPurpose::new(&STANDARD, GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true));
    let bytes = Zeroizing::new(engine.decode(text.as_bytes()).map_err(|_| DecodeError::NotBase64)?);
    std::str::from_utf8(&bytes).map(zeroizing_copy).map_err(|_| DecodeError::NotText)
}

/// Returns `true` for a placeholder, or a reference that some tool expands.
pub(crate) fn awaits_substitution(text: &str) -> bool {
    let text = text.trim();
    super::unexpanded::find(text).is_some() || super::placeholder::find(text).is_some()
}

/// Decodes percent-encoding as in addresses.
pub(crate) fn decode_percent(text: &str) -> Option<Zeroizing<String>> {
    percent_decode_str(text).decode_utf8().ok().map(zeroizing_copy)
}

/// Makes a copy that is zeroized on drop.
fn zeroizing_copy(text: impl AsRef<str> + Into<String>) -> Zeroizing<String> {
    Zeroizing::new(text.into())
}

/// Tries encodings, repetition and changes of case.
fn add_decoded(value: &str, put: &mut impl FnMut(Wrapping, Zeroizing<String>)) {
    if value.contains('%')
        && let Ok(inner) = percent_decode_str(value).decode_utf8()
    {
        put(Wrapping::Percent, zeroizing_copy(inner));
    }
    let half = value.len() / 2;
    if value.len().is_multiple_of(2) && value[..half] == value[half..] {
        put(Wrapping::Doubled, zeroizing_copy(&value[..half]));
    }
    if value.len().is_multiple_of(2) && value.len() >= 24 && value.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        let byte = |at: usize| u8::from_str_radix(&value[at..at + 2], 16).ok();
        let bytes: Option<Vec<u8>> = (0..value.len()).step_by(2).map(byte).collect();
        if let Some(inner) = bytes.and_then(printable_ascii) {
            put(Wrapping::Hex, zeroizing_copy(inner.trim()));
        }
    }
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    for alphabet in [&STANDARD, &URL_SAFE] {
        let bytes = GeneralPurpose::new(alphabet, config).decode(value).ok();
        if let Some(inner) = bytes.and_then(printable_ascii) {
            put(Wrapping::Base64, zeroizing_copy(inner.trim()));
            break;
        }
    }
    put(Wrapping::Case, zeroizing_copy(value.to_ascii_lowercase()));
    // A lower-cased key is lost, but its length and cluster are intact.
    if value.starts_with("k0") {
        put(Wrapping::Case, zeroizing_copy(value.replacen('k', "K", 1)));
    }
    let capitals = zeroizing_copy(value.to_ascii_uppercase());
    // A random value may have the alphabet of an ID.
    let lowered = !value.bytes().any(|byte| byte.is_ascii_uppercase());
    let ids = lowered && capitals.starts_with(['C', 'G', 'D', 'T']) && value.len() >= 9;
    if ids || capitals.starts_with("AKIA") {
        put(Wrapping::Case, capitals);
    }
}

/// Returns printable ASCII text.
fn printable_ascii(bytes: Vec<u8>) -> Option<Zeroizing<String>> {
    String::from_utf8(bytes).ok().filter(|text| text.is_ascii()).map(Zeroizing::new)
}

/// Splits `NAME=value`, `export NAME=value`, `name: value` and `set NAME=value`.
fn split_name(value: &str) -> Option<(&str, &str)> {
    let rest = ["export ", "set ", "setenv ", "env ", "declare -x ", "$env:", "-e ", "--"]
        .iter()
        .find_map(|word| value.strip_prefix(word));
    let line = rest.unwrap_or(value).trim();
    let at = line.find(['=', ':'])?;
    let (name, inner) = (line[..at].trim(), line[at + 1..].trim());
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    // Two credentials that are joined by a colon are not an assignment: a long name has separators, or no digits.
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    let is_name = begins
        && text::is_word_of(name, "_-.")
        && !(name.len() >= 24 && digits >= 3 && !name.contains(['_', '-', '.']));
    (is_name && !inner.is_empty() && !inner.starts_with(['=', '/'])).then_some((name, inner))
}

/// Returns `true` for a variable's name in capitals. No value starts like this by chance.
fn is_variable_name(name: &str) -> bool {
    name.contains('_')
        && text::is_upper_word(name)
        && ["TOKEN", "KEY", "SECRET", "URL", "URI", "DSN", "STRING", "ENDPOINT", "ID", "SID", "WEBHOOK", "PASSWORD"]
            .iter()
            .any(|end| name.ends_with(end))
}

/// Returns the first string of a JSON document.
fn string_in_json(value: &str) -> Option<Zeroizing<String>> {
    if !(value.starts_with('{') || value.starts_with('[')) {
        return None;
    }
    fn first_string(value: &serde_json::Value) -> Option<&str> {
        use serde_json::Value;
        match value {
            Value::String(text) => Some(text).filter(|text| !text.is_empty()).map(String::as_str),
            Value::Array(items) => items.iter().find_map(first_string),
            Value::Object(fields) => {
                // A string of known form takes precedence over others.
                let known = |text: &&str| recognise::find(text).is_some();
                fields.values().filter_map(first_string).find(known).or_else(|| fields.values().find_map(first_string))
            }
            _ => None,
        }
    }
    first_string(&serde_json::from_str(value).ok()?).map(zeroizing_copy)
}

/// Returns the form that a value would have, if its prefix matches but its length doesn't.
pub(super) fn wrong_length(value: &str) -> Option<(Wrapping, &'static Form)> {
    let key = value.strip_prefix('K').is_some_and(|rest| {
        (12..=60).contains(&rest.len())
            && rest.len() != 30
            && rest.starts_with("00")
            && rest.get(..3).is_some_and(is_number)
            && text::is_word_of(rest, "+/")
            && rest.bytes().any(|byte| byte.is_ascii_uppercase())
            && rest.bytes().any(|byte| byte.is_ascii_lowercase())
    });
    if key {
        return Some((Wrapping::Length, &backblaze::APPLICATION_KEY));
    }
    // A keyID's first digits and account, but not ten further digits.
    let id = value.starts_with("00") && is_lower_hex(value) && value.bytes().take(3).all(|byte| byte.is_ascii_digit());
    if id && (20..=30).contains(&value.len()) && ![24, 25].contains(&value.len()) && value.contains("000000") {
        return Some((Wrapping::Length, &backblaze::KEY_ID));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unwrapped_content_differs_from_value() {
        for value in ["abc", "\"\"", "''", "“”", "ab cd", "<>", "x=", "%41", "abab", ","] {
            let found = candidates(value);
            assert!(found.iter().all(|(_, inner)| !inner.is_empty() && **inner != value), "{value}");
        }
    }

    #[test]
    fn recognises_keys_of_wrong_length_by_prefix() {
        let letters = "aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH";
        for (value, form) in [
            (format!("K005{}", &letters[..9]), Some(&backblaze::APPLICATION_KEY)),
            (format!("K005{}", &letters[..8]), None),
            (format!("K005{}", &letters[..26]), Some(&backblaze::APPLICATION_KEY)),
            (format!("K005{}", &letters[..27]), None),
            (format!("K005{}", &letters[..57]), Some(&backblaze::APPLICATION_KEY)),
            (format!("K005{}", &letters[..58]), None),
            (format!("K105{}", &letters[..26]), None),
            (format!("K00a{}", &letters[..26]), None),
            (format!("K005{}!", &letters[..26]), None),
            (format!("K00\u{200b}5{}", &letters[..26]), None),
            (format!("K005{}", letters[..26].to_ascii_lowercase()), None),
            (format!("K005{}", letters[..26].to_ascii_uppercase()), None),
            ("0051a2b3c4d5e6f0000000".to_owned(), Some(&backblaze::KEY_ID)),
            ("0051a2b3c4d5e6f000000000".to_owned(), None),
            ("0051a2b3c4d5e6f0000000000".to_owned(), None),
            ("0051a2b3c4d5e6f00000000001".to_owned(), Some(&backblaze::KEY_ID)),
            ("0051a2b3c4d5e6f0000000000000001".to_owned(), None),
            ("0051a2b3c4d5e6f7a8b9c0".to_owned(), None),
            ("0051A2B3C4D5E6F0000000".to_owned(), None),
            ("1051a2b3c4d5e6f0000000".to_owned(), None),
            ("00f1a2b3c4d5e6f0000000".to_owned(), None),
        ] {
            assert_eq!(wrong_length(&value), form.map(|form| (Wrapping::Length, form)), "{value}");
        }
    }
}
