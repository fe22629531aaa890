//! What a mistyped word was meant to be.

/// The nearest of `known` to a mistyped `word`, if one is near enough to be meant.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase().replace('-', "_");
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&word, &name.replace('-', "_")), name))
        .filter(|&(distance, name)| distance <= (name.len() / 4).max(1))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}

/// Whether a word is one of `known`, or so little beside one that it can only be a slip: nothing but letters, digits, `-`
/// and `_`, and at most two of them wrong. What is nearly a name may be printed, so this is stricter than [`nearest`].
pub fn is_slip<'a>(word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> bool {
    // Nearly every key is one of them, and to measure distances is slow.
    if known.clone().into_iter().any(|name| name == word) {
        return true;
    }
    let plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    let folded = word.to_lowercase().replace('-', "_");
    plain
        && known.into_iter().any(|name| {
            let name = name.replace('-', "_");
            strsim::damerau_levenshtein(&folded, &name) <= (name.len() / 4).clamp(1, 2)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_misses() {
        let known = ["token", "base_url", "channels"];
        assert_eq!(nearest("tokn", known), Some("token"));
        assert_eq!(nearest("base-url", known), Some("base_url"));
        assert_eq!(nearest("Chanels", known), Some("channels"));
        assert_eq!(nearest("colour", known), None);
    }
}
