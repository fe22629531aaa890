//! JSON inside a value: a key file, or the payload of a token.

use std::borrow::Cow;
use std::collections::HashMap;

use base64::Engine;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde_json::value::RawValue;
use zeroize::Zeroizing;

/// Returns `true` if JSON, or JSON in base64, has these keys with these values, and calls a function with its parts.
pub(super) fn match_json(
    json: &str,
    wanted: &[(&str, &str)],
    parts: &[(&'static str, &'static str)],
    mut part: impl FnMut(&'static str, &str),
) -> bool {
    let decoded = if json.starts_with('{') { None } else { decode_base64(json) };
    let text = decoded.as_ref().map_or(json, |decoded| decoded.as_str());
    // Other values may be secret, so they are not copied.
    let Ok(keys) = serde_json::from_str::<HashMap<Cow<'_, str>, &RawValue>>(text) else { return false };
    let value = |key: &str| scalar_text(keys.get(key)?.get());
    let is = |(key, expected): &(&str, &str)| value(key).is_some_and(|word| *expected == "*" || *word == *expected);
    let right = wanted.iter().all(is);
    for (key, name) in parts.iter().filter(|_| right) {
        if let Some(word) = value(key) {
            part(name, &word);
        }
    }
    right
}

/// Returns `true` for the middle part of a JWT alone: claims in base64.
pub fn is_token_payload(text: &str) -> bool {
    const CLAIMS: [&str; 5] = ["exp", "iat", "iss", "sub", "aud"];
    let decoded = if text.starts_with("eyJ") { decode_base64(text) } else { None };
    let Some(decoded) = decoded else { return false };
    let Ok(keys) = serde_json::from_str::<HashMap<Cow<'_, str>, &RawValue>>(&decoded) else { return false };
    keys.keys().filter(|key| CLAIMS.contains(&key.as_ref())).count() > 1
}

/// Returns a string, a number, or the first string of a list; `{}` for an object.
fn scalar_text(json: &str) -> Option<Zeroizing<String>> {
    match json.as_bytes().first()? {
        b'"' => serde_json::from_str(json).ok().map(Zeroizing::new),
        b'{' => Some(Zeroizing::new("{}".to_owned())),
        b'[' => scalar_text(serde_json::from_str::<Vec<&RawValue>>(json).ok()?.first()?.get()),
        b'-' | b'0'..=b'9' => Some(Zeroizing::new(json.to_owned())),
        _ => None,
    }
}

/// Decodes base64 of either alphabet, with padding or without.
fn decode_base64(text: &str) -> Option<Zeroizing<String>> {
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let text = Zeroizing::new(text.split_ascii_whitespace().collect::<String>());
    let alphabet = if text.contains(['-', '_']) { &URL_SAFE } else { &STANDARD };
    let bytes = Zeroizing::new(GeneralPurpose::new(alphabet, config).decode(text.as_bytes()).ok()?);
    std::str::from_utf8(&bytes).ok().map(|text| Zeroizing::new(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collect_parts(
        json: &str,
        wanted: &[(&str, &str)],
        names: &[(&'static str, &'static str)],
    ) -> Option<Vec<String>> {
        let mut found = Vec::new();
        match_json(json, wanted, names, |name, value| found.push(format!("{name}={value}"))).then_some(found)
    }

    #[test]
    fn compares_keys_of_json_objects() {
        let text = r#"{"type": "service_account", "n": 7, "list": ["a", "b"], "deep": {"type": "x"}, "none": null}"#;
        let found =
            collect_parts(text, &[("type", "service_account"), ("deep", "*")], &[("n", "number"), ("list", "first")]);
        assert_eq!(found, Some(vec!["number=7".to_owned(), "first=a".to_owned()]));
        assert_eq!(collect_parts(text, &[("type", "user")], &[]), None);
        assert_eq!(collect_parts(text, &[("other", "*")], &[]), None);
        for broken in ["{\"type\": \"x\"", "[]", "{}x", "eyJ0", "%%"] {
            assert_eq!(collect_parts(broken, &[("type", "*")], &[]), None, "{broken}");
        }
        // {"role":"anon"} in both alphabets, with and without padding.
        for coded in ["eyJyb2xlIjoiYW5vbiJ9", "eyJyb2xlIjoiYW5vbiIgfQ", "eyJyb2xlIjoiYW5vbiIgfQ=="] {
            assert_eq!(collect_parts(coded, &[("role", "anon")], &[]), Some(Vec::new()), "{coded}");
        }
    }
}
