//! How a value looks, in fixed words: for whoever must repair it and may not see it. Two values that look alike give the
//! same words.

use crate::text::is_url;

include!(concat!(env!("OUT_DIR"), "/words_looks.rs"));

/// What the names and the addresses of servers begin with for which the same services and texts stand.
const KINDS: [&str; 6] = ["postgres", "mysql", "mongo", "redis", "minio", "aws"];

/// Returns the kind of server with whose name a text begins.
pub fn kind_of_server(text: &str) -> Option<&'static str> {
    let begins = |kind: &&str| text.get(..kind.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(kind));
    KINDS.into_iter().find(begins)
}

/// How a value looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Looks {
    shape: Shape,
    /// The number of characters, if they were made by a machine and there are at least 20.
    length: Option<usize>,
    /// The number of parts, and what joins them.
    parts: Option<(usize, &'static str)>,
    /// True for quotes around it.
    quoted: bool,
    /// What else is at its ends or inside, to follow "with".
    around: Option<&'static str>,
}

/// What a value consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    Address,
    Json,
    Pem(&'static str),
    Guid,
    Hex,
    Alphanumeric,
    Base64,
    UrlBase64,
    Short,
    /// Letters, or words: somebody may have chosen it.
    Words,
    Other,
}

/// A shorter value is only called short.
const LEAST: usize = 20;

/// The maximum number of parts that is said.
const MOST_PARTS: usize = 9;

impl Looks {
    pub fn from_value(value: &str) -> Self {
        let bare = value.trim();
        let inner = ['"', '\'', '`'].into_iter().find_map(|quote| bare.strip_prefix(quote)?.strip_suffix(quote));
        let (quoted, text) = (inner.is_some(), inner.unwrap_or(bare));
        let shape = shape(text);
        let is_pem = matches!(shape, Shape::Pem(_));
        let around = if value.ends_with(['\n', '\r']) && !is_pem {
            Some("a line break at its end")
        } else if bare.len() < value.len() && !is_pem {
            Some("a blank at an end")
        } else if text.contains('\n') && !is_pem {
            Some("line breaks")
        } else {
            None
        };
        let has = |is: fn(&u8) -> bool| text.bytes().any(|byte| is(&byte));
        let counts = matches!(shape, Shape::Hex | Shape::Alphanumeric | Shape::Base64 | Shape::UrlBase64);
        let mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic);
        let length = (counts && mixed).then_some(text.len());
        let parts = [('.', "dots"), (':', "colons")].into_iter().find_map(|(by, joint)| {
            let parts = text.split(by).count();
            let whole = shape == Shape::Other && parts > 1 && text.split(by).all(|part| !part.is_empty());
            whole.then_some((parts.min(MOST_PARTS), joint))
        });
        Self { shape, length, parts, quoted, around }
    }

    /// Describes it, to follow "looks like". Of what somebody may have chosen, only what is no part of a password is said.
    pub fn describe(self, is_chosen: bool) -> String {
        let made = match self.shape {
            Shape::Address => "an address".to_owned(),
            Shape::Json => "a JSON object".to_owned(),
            Shape::Pem(header) => format!("a PEM text with `{header}` in its first line"),
            Shape::Words => "text".to_owned(),
            _ if is_chosen => "text".to_owned(),
            Shape::Short => "a short value".to_owned(),
            Shape::Guid => "a GUID".to_owned(),
            Shape::Hex => self.counted("hex digits"),
            Shape::Alphanumeric => self.counted("letters and digits"),
            Shape::Base64 => self.counted("characters of base64"),
            Shape::UrlBase64 => self.counted("characters of URL-safe base64"),
            Shape::Other => match self.parts {
                Some((parts, joint)) => format!("{parts} parts joined by {joint}"),
                None => "other characters".to_owned(),
            },
        };
        let quotes = if self.quoted { " in quotes" } else { "" };
        let around = self.around.map(|around| format!(" with {around}")).unwrap_or_default();
        format!("{made}{quotes}{around}")
    }

    fn counted(self, what: &str) -> String {
        self.length.map_or_else(|| what.to_owned(), |length| format!("{length} {what}"))
    }
}

fn shape(text: &str) -> Shape {
    let all = |is: fn(u8) -> bool| text.bytes().all(is);
    let header = text.strip_prefix("-----BEGIN ").and_then(|rest| rest.split_once("-----"));
    let pem = header.and_then(|(words, _)| PEM.iter().find(|known| **known == words));
    match pem {
        _ if is_url(text) => Shape::Address,
        _ if text.starts_with('{') && text.ends_with('}') => Shape::Json,
        Some(known) => Shape::Pem(known),
        None if all(|byte| byte.is_ascii_alphabetic() || b" _.-".contains(&byte)) => Shape::Words,
        None if text.len() < LEAST => Shape::Short,
        None if is_guid(text) => Shape::Guid,
        None if all(|byte| byte.is_ascii_hexdigit()) => Shape::Hex,
        None if all(|byte| byte.is_ascii_alphanumeric()) => Shape::Alphanumeric,
        None if all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte)) => Shape::Base64,
        None if all(|byte| byte.is_ascii_alphanumeric() || b"-_=".contains(&byte)) => Shape::UrlBase64,
        None => Shape::Other,
    }
}

fn is_guid(text: &str) -> bool {
    let groups = text.split('-').map(str::len).eq([8, 4, 4, 4, 12]);
    groups && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn describes_what_does_not_tell_values_apart() {
        for (value, looks, chosen) in [
            ("0123456789abcdef0123456789abcdef01234567", "40 hex digits", "text"),
            ("0123456789abcdef0123456789abcdef0123456", "39 hex digits", "text"),
            ("abcdefGHIJKL0123456789mnop", "26 letters and digits", "text"),
            ("abcdefGHIJKL0123456789mnop==", "28 characters of base64", "text"),
            ("abcdefGHIJKL0123456789-nop_", "27 characters of URL-safe base64", "text"),
            ("0a1b2c3d-0000-4000-8000-00000000000c", "a GUID", "text"),
            ("abcdefGHIJKL.0123456789.mnop", "3 parts joined by dots", "text"),
            ("abcdefGHIJKL!0123456789.", "other characters", "text"),
            ("s3cret", "a short value", "text"),
            ("Correct horse", "text", "text"),
            ("AbcdefghijklmnopqrstuvwxyzAbcdefghijkl", "text", "text"),
            ("https://u:p@h.example/", "an address", "an address"),
            ("{\"a\": 1}", "a JSON object", "a JSON object"),
            ("'s3cret'", "a short value in quotes", "text in quotes"),
            ("s3cret\n", "a short value with a line break at its end", "text with a line break at its end"),
            (" s3cret", "a short value with a blank at an end", "text with a blank at an end"),
            (
                "-----BEGIN RSA PRIVATE KEY-----\nMII", "a PEM text with `RSA PRIVATE KEY` in its first line",
                "a PEM text with `RSA PRIVATE KEY` in its first line",
            ),
            ("-----BEGIN MY S3CRET-----\nMII", "other characters with line breaks", "text with line breaks"),
        ] {
            let found = Looks::from_value(value);
            assert_eq!((found.describe(false).as_str(), found.describe(true).as_str()), (looks, chosen), "{value:?}");
        }
    }
}
