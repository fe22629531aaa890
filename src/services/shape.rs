//! What a pattern says about every value of it, so that most patterns are never compiled.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::literal::Extractor;
use regex_syntax::hir::{Class, Hir, HirKind};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// The properties of a pattern that can be checked without compiling it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The common prefix of all such values.
    pub prefix: &'static str,
    /// Characters that every such value contains after it.
    pub required: &'static str,
    /// The possible characters, as bits.
    pub alphabet: u128,
    /// The least number of bytes.
    pub shortest: u32,
    /// The greatest number of bytes. `u32::MAX` without a limit.
    pub longest: u32,
}

/// Documents show what people understand.
impl Serialize for Shape {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let is_document = to.is_human_readable();
        let mut out = to.serialize_struct("Shape", 5)?;
        out.serialize_field("prefix", self.prefix)?;
        out.serialize_field("shortest", &self.shortest)?;
        if is_document {
            out.serialize_field("longest", &Some(self.longest).filter(|longest| *longest != u32::MAX))?;
        } else {
            out.serialize_field("longest", &self.longest)?;
            out.serialize_field("required", self.required)?;
            out.serialize_field("alphabet", &self.alphabet)?;
        }
        out.end()
    }
}

/// Parses a regular expression of ASCII.
pub fn parse(pattern: &str) -> Result<Hir, String> {
    if !pattern.is_ascii() {
        return Err("a pattern is ASCII".to_owned());
    }
    // Errors quote the expression in several lines.
    let said = |error: regex_syntax::Error| match error {
        regex_syntax::Error::Parse(error) => error.kind().to_string(),
        regex_syntax::Error::Translate(error) => error.kind().to_string(),
        _ => "not supported".to_owned(),
    };
    let parsed = ParserBuilder::new().unicode(false).utf8(false).build().parse(pattern);
    parsed.map_err(|error| format!("not a regular expression: {}", said(error)))
}

impl Shape {
    /// Examines a regular expression.
    pub fn of(pattern: &str) -> Result<Self, String> {
        let pattern = parse(pattern)?;
        let begins = Extractor::new().extract(&pattern);
        let prefix = begins.longest_common_prefix().map(String::from_utf8_lossy).unwrap_or_default().into_owned();
        let mut bytes = Bytes::default();
        bytes.add(&pattern, true);
        bytes.required.sort_unstable();
        bytes.required.dedup();
        bytes.required.retain(|byte| !prefix.as_bytes().contains(byte));
        let required: String = bytes.required.into_iter().map(char::from).collect();
        let length = |length: Option<usize>| length.and_then(|length| u32::try_from(length).ok()).unwrap_or(u32::MAX);
        let of = pattern.properties();
        Ok(Self {
            prefix: prefix.leak(),
            required: required.leak(),
            alphabet: bytes.alphabet,
            shortest: length(of.minimum_len()),
            longest: length(of.maximum_len()),
        })
    }

    /// Returns `false` if a value can't have the pattern.
    pub fn allows(&self, value: &str) -> bool {
        let bytes = value.as_bytes();
        bytes.first().is_some_and(u8::is_ascii)
            && (self.shortest as usize..=self.longest as usize).contains(&bytes.len())
            && value.starts_with(self.prefix)
            && (self.alphabet == u128::MAX || bytes.iter().all(|byte| self.has(*byte)))
            && self.required.bytes().all(|byte| bytes.contains(&byte))
    }

    /// Returns `true` if a value may contain a byte.
    pub fn has(&self, byte: u8) -> bool {
        byte.is_ascii() && self.alphabet >> byte & 1 == 1
    }
}

/// Returns how the texts begin that a regular expression matches, for people: with `…` where more follows.
pub fn beginnings(pattern: &str) -> Vec<String> {
    let parsed = parse(pattern).unwrap_or_else(|_| Hir::fail());
    let found = Extractor::new().limit_class(1).limit_repeat(1).extract(&parsed);
    let text = |literal: &regex_syntax::hir::literal::Literal| {
        let more = if literal.is_exact() { "" } else { "…" };
        format!("{}{more}", String::from_utf8_lossy(literal.as_bytes()))
    };
    found.literals().map_or_else(|| vec!["…".to_owned()], |literals| literals.iter().map(text).collect())
}

/// Returns how many steps a comparison with a regular expression takes at most, for values up to a length.
pub fn steps(pattern: &str, longest: usize) -> u64 {
    let parsed = parse(pattern).unwrap_or_else(|_| Hir::fail());
    let length = parsed.properties().maximum_len().unwrap_or(longest).min(longest);
    states(&parsed).saturating_mul(1 + length as u64)
}

/// The number of states of an expression, about.
fn states(part: &Hir) -> u64 {
    match part.kind() {
        HirKind::Literal(text) => text.0.len() as u64,
        HirKind::Class(_) => 1,
        HirKind::Repetition(of) => {
            let times = of.max.unwrap_or(of.min.saturating_add(1));
            states(&of.sub).saturating_add(1).saturating_mul(u64::from(times))
        }
        HirKind::Capture(of) => states(&of.sub).saturating_add(2),
        HirKind::Concat(parts) => parts.iter().map(states).fold(0, u64::saturating_add),
        HirKind::Alternation(parts) => parts.iter().map(states).fold(1, u64::saturating_add),
        HirKind::Empty | HirKind::Look(_) => 1,
    }
}

/// The bytes of an expression.
#[derive(Default)]
struct Bytes {
    alphabet: u128,
    required: Vec<u8>,
}

impl Bytes {
    /// Adds the bytes of a part of the expression. `always` is true if every value has the part.
    fn add(&mut self, part: &Hir, always: bool) {
        match part.kind() {
            HirKind::Literal(text) => {
                self.alphabet |= text.0.iter().fold(0, |bits, byte| bits | 1_u128 << (byte & 127));
                self.required.extend(text.0.iter().filter(|_| always));
            }
            HirKind::Class(Class::Bytes(class)) => {
                for range in class.ranges() {
                    let to = if range.end().is_ascii() { range.end() } else { 127 };
                    let from = if range.end().is_ascii() { range.start() } else { 0 };
                    self.alphabet |= (u128::MAX << from) & (u128::MAX >> (127 - to));
                }
            }
            HirKind::Class(Class::Unicode(_)) => self.alphabet = u128::MAX,
            HirKind::Repetition(of) => self.add(&of.sub, always && of.min > 0),
            HirKind::Capture(of) => self.add(&of.sub, always),
            HirKind::Concat(parts) => parts.iter().for_each(|part| self.add(part, always)),
            HirKind::Alternation(parts) => parts.iter().for_each(|part| self.add(part, false)),
            HirKind::Empty | HirKind::Look(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(pattern: &str) -> Shape {
        Shape::of(pattern).unwrap()
    }

    #[test]
    fn shape_follows_from_pattern() {
        const ANY: u32 = u32::MAX;
        for (pattern, prefix, required, length) in [
            (r"xoxe\.xoxb-[a-z]+", "xoxe.xoxb-", "", (11, ANY)),
            ("(?<a>[0-1]{3})[0-9a-f]{12}0{10}", "", "0", (25, 25)),
            ("K(?<a>[0-9]{3})[a-z]{1,27}", "K", "", (5, 31)),
            ("[AB]/*(?:services/)?[TE]", "", "", (2, ANY)),
            ("ab+c?", "ab", "", (2, ANY)),
            ("[_-]+@(?:[a-z]+)", "", "@", (3, ANY)),
            ("a_(?<mode>live|test)-[0-9]{2}", "a_", "-", (9, 9)),
            (r"(?:a|b(?:c|\()){2}://", "", "/:", (5, 7)),
            (r"[^a]", "", "", (1, 1)),
        ] {
            let found = shape(pattern);
            assert_eq!((found.prefix, found.required, (found.shortest, found.longest)), (prefix, required, length));
        }
        // The words of a group, and repeated groups.
        assert!(shape("a_(?<mode>live|test)_[0-9]{2}").allows("a_live_12"));
        assert!(shape("[^a]").allows("b") && !shape("[0-30-1]{2}").allows("04"));
        assert!(shape("[TE][A-Z0-9]{2}").allows("T0A") && !shape("[TE][A-Z0-9]{2}").allows("T0a"));
        assert!(!shape("[0-9]:[0-9]").allows("123") && shape("[0-9]:[0-9]").allows("1:3"));
        for (wrong, message) in [("(", "unclosed group"), ("é", "a pattern is ASCII"), (r"\p{L}", "Unicode")] {
            assert!(Shape::of(wrong).unwrap_err().contains(message), "{wrong}: {:?}", Shape::of(wrong));
        }
    }

    #[test]
    #[cfg(feature = "cli")]
    fn steps_grow_with_repetitions_and_length() {
        for (pattern, expected) in
            [("abc", 3 * 4), ("[a-z]{9}", 18 * 10), ("a*", 2 * 101), ("(?<a>x|y)", 3 * 2), ("(?:a{9}){9}", 171 * 82)]
        {
            assert!(steps(pattern, 100).abs_diff(expected) <= expected / 2, "{pattern}: {}", steps(pattern, 100));
        }
        assert!(steps("(?:(?:a{1000}){1000}){1000}", 2048) > 1 << 40);
    }

    #[test]
    #[cfg(feature = "cli")]
    fn shows_how_values_begin() {
        for (pattern, begins) in [
            ("sk_(?<mode>live|test)_[0-9A-Za-z]{10,}", &["sk_live_…", "sk_test_…"][..]),
            (r"SG\.[0-9A-Za-z]{22}", &["SG.…"]),
            ("apikey", &["apikey"]),
            ("rediss?://x", &["rediss://x", "redis://x"]),
            ("[0-9]{3}", &["…"]),
        ] {
            assert_eq!(beginnings(pattern), begins, "{pattern}");
        }
    }
}
