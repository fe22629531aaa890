//! Made-up values: samples of forms, and the values in examples.

use std::collections::BTreeMap;

/// Makes up values. The result of a check must not depend on the bytes of a form, so each value is new.
#[derive(Debug)]
pub struct Maker {
    state: u64,
    /// The values that occur more than once, by their letters.
    named: BTreeMap<String, String>,
}

impl Maker {
    /// Two makers with the same seed make the same values.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed, named: BTreeMap::new() }
    }

    /// Replaces values: `{x*24}` by characters of a class, `{guid}` by a UUID, and `{A}` by the value of `{A:x*24}`.
    pub fn fill(&mut self, text: &str) -> String {
        let mut text = text.replace("guid}", "h*8}-{h*4}-4{h*3}-a{h*3}-{h*12}");
        while let Some(start) = named(&text) {
            let name = text[start + 1..=start + 1].to_owned();
            // A UUID has several parts.
            let end = text[start..].find([' ', '"', ',', '\'', '@', '.', '/']).map_or(text.len(), |end| start + end);
            let value = self.fill_classes(&format!("{{{}", &text[start + 3..end]));
            text.replace_range(start..end, &value);
            self.named.insert(name, value);
        }
        for (name, value) in &self.named {
            text = text.replace(&format!("{{{name}}}"), value);
        }
        self.fill_classes(&text)
    }

    /// Replaces every `{LETTER*NUMBER}` in a text with that many characters of the class.
    fn fill_classes(&mut self, text: &str) -> String {
        replace_classes(text, |alphabet| self.one_of(alphabet))
    }

    fn one_of(&mut self, alphabet: &str) -> char {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = usize::try_from(self.state >> 33).unwrap_or_default() % alphabet.len();
        char::from(alphabet.as_bytes()[number])
    }
}

/// Shows how a sample looks, without a value that a secret scanner would report: `sk_live_xxxx`.
pub fn outline(sample: &str) -> String {
    replace_classes(sample, |alphabet| match alphabet.as_bytes() {
        [b'1', ..] => '0',
        [b'0', ..] if alphabet.ends_with('F') => 'F',
        [b'0' | b'a', .., b'f'] => 'f',
        [b'A', ..] => 'X',
        _ => 'x',
    })
}

/// Replaces every `{LETTER*NUMBER}` in a text with that many characters, each made of the letters of the class.
fn replace_classes(text: &str, mut one_of: impl FnMut(&str) -> char) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, group)) = rest.split_once('{') {
        out.push_str(before);
        if let Some((alphabet, number, behind)) = class(group) {
            out.extend((0..number).map(|_| one_of(alphabet)));
            rest = behind;
        } else {
            out.push('{');
            rest = group;
        }
    }
    out + rest
}

/// Returns the position of `{A:`, where a value gets a name.
fn named(text: &str) -> Option<usize> {
    let is_name = |at: &usize| {
        let name = &text.as_bytes()[*at + 1..];
        matches!(name, [letter, b':', ..] if letter.is_ascii_uppercase())
    };
    text.match_indices('{').map(|(at, _)| at).find(is_name)
}

/// Reads the class and the number behind a brace.
fn class(group: &str) -> Option<(&'static str, usize, &str)> {
    let (inner, behind) = group.split_once('}')?;
    let (class, number) = inner.split_once('*')?;
    let alphabet = match class {
        "9" | "d" => "123456789",
        "h" => "0123456789abcdef",
        "H" => "0123456789ABCDEF",
        "c" => "abcdef",
        "l" => "abcdefghijklmnopqrstuvwxyz",
        "C" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "X" => "ABCDEFGHJKLMNPQRSTUVWXYZ23456789",
        "x" => "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789",
        "w" => "abcdefghijkmnopqrstuvwxyz23456789",
        "u" => "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789-_",
        "b" => "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789+/",
        _ => return None,
    };
    Some((alphabet, number.parse().ok().filter(|number| *number <= 4096)?, behind))
}
