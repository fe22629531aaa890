//! JSON inside a value: a key file, or the payload of a token.

use std::borrow::Cow;
use std::fmt;

use base64::Engine;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde::Deserializer;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use zeroize::{Zeroize, Zeroizing};

/// Returns `true` if JSON, or JSON in base64, has these keys with these values, and calls a function with its parts.
pub(super) fn has(
    json: &str,
    wanted: &[(&str, &str)],
    parts: &[(&'static str, &'static str)],
    mut part: impl FnMut(&'static str, &str),
) -> bool {
    let decoded = if json.starts_with('{') { None } else { decode(json) };
    let text = match (&decoded, json.starts_with('{')) {
        (_, true) => json,
        (Some(decoded), _) => decoded,
        _ => return false,
    };
    let mut found = vec![false; wanted.len()];
    let mut own: Vec<(&'static str, Zeroizing<String>)> = Vec::new();
    let each = |key: &str, value: &str| {
        for ((name, expected), found) in wanted.iter().zip(&mut found) {
            *found |= *name == key && (*expected == "*" || *expected == value);
        }
        own.extend(
            parts.iter().filter(|(name, _)| *name == key).map(|(_, part)| (*part, Zeroizing::new(value.to_owned()))),
        );
    };
    let keys = |key: &str| wanted.iter().chain(parts).any(|(name, _)| *name == key);
    let mut reader = serde_json::Deserializer::from_str(text);
    let whole = reader.deserialize_map(Keys { keys, each }).is_ok() && reader.end().is_ok();
    let right = whole && found.iter().all(|found| *found);
    if right {
        for (name, value) in &own {
            part(name, value);
        }
    }
    right
}

/// Decodes base64 of either alphabet, with padding or without.
fn decode(text: &str) -> Option<Zeroizing<String>> {
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let text = Zeroizing::new(text.split_ascii_whitespace().collect::<String>());
    let alphabet = if text.contains(['-', '_']) { &URL_SAFE } else { &STANDARD };
    let bytes = Zeroizing::new(GeneralPurpose::new(alphabet, config).decode(text.as_bytes()).ok()?);
    std::str::from_utf8(&bytes).ok().map(|text| Zeroizing::new(text.to_owned()))
}

/// Reads the keys of an object that are asked for, and skips the others, which may be secrets.
struct Keys<K, E> {
    keys: K,
    each: E,
}

impl<'de, K: Fn(&str) -> bool, E: FnMut(&str, &str)> Visitor<'de> for Keys<K, E> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            if (self.keys)(&key) {
                map.next_value_seed(First { key: &key, each: &mut self.each })?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// A string, a number, or the first string of a list.
struct First<'a, E> {
    key: &'a str,
    each: &'a mut E,
}

impl<'de, E: FnMut(&str, &str)> DeserializeSeed<'de> for First<'_, E> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, E: FnMut(&str, &str)> Visitor<'de> for First<'_, E> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_str<X>(self, value: &str) -> Result<(), X> {
        (self.each)(self.key, value);
        Ok(())
    }

    fn visit_string<X>(self, mut value: String) -> Result<(), X> {
        (self.each)(self.key, &value);
        value.zeroize();
        Ok(())
    }

    fn visit_u64<X>(self, value: u64) -> Result<(), X> {
        (self.each)(self.key, &value.to_string());
        Ok(())
    }

    fn visit_i64<X>(self, value: i64) -> Result<(), X> {
        (self.each)(self.key, &value.to_string());
        Ok(())
    }

    fn visit_f64<X>(self, _: f64) -> Result<(), X> {
        Ok(())
    }

    fn visit_bool<X>(self, _: bool) -> Result<(), X> {
        Ok(())
    }

    fn visit_unit<X>(self) -> Result<(), X> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        if list.next_element_seed(self)?.is_some() {
            while list.next_element::<IgnoredAny>()?.is_some() {}
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        (self.each)(self.key, "{}");
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(json: &str, wanted: &[(&str, &str)], names: &[(&'static str, &'static str)]) -> Option<Vec<String>> {
        let mut found = Vec::new();
        has(json, wanted, names, |name, value| found.push(format!("{name}={value}"))).then_some(found)
    }

    #[test]
    fn keys_of_objects_are_compared() {
        let text = r#"{"type": "service_account", "n": 7, "list": ["a", "b"], "deep": {"type": "x"}, "none": null}"#;
        let found = parts(text, &[("type", "service_account"), ("deep", "*")], &[("n", "number"), ("list", "first")]);
        assert_eq!(found, Some(vec!["number=7".to_owned(), "first=a".to_owned()]));
        assert_eq!(parts(text, &[("type", "user")], &[]), None);
        assert_eq!(parts(text, &[("other", "*")], &[]), None);
        for broken in ["{\"type\": \"x\"", "[]", "{}x", "eyJ0", "%%"] {
            assert_eq!(parts(broken, &[("type", "*")], &[]), None, "{broken}");
        }
        // {"role":"anon"} in both alphabets, with and without padding.
        for coded in ["eyJyb2xlIjoiYW5vbiJ9", "eyJyb2xlIjoiYW5vbiIgfQ", "eyJyb2xlIjoiYW5vbiIgfQ=="] {
            assert_eq!(parts(coded, &[("role", "anon")], &[]), Some(Vec::new()), "{coded}");
        }
    }
}
