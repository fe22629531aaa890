//! Suggestions for mistyped words.

/// The maximum length of a word with suggestions, in bytes. The cost of a distance is the product of both lengths.
const LONGEST: usize = 128;

/// Returns the word of `known` nearest to a mistyped `word`, if it is near enough.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST {
        return None;
    }
    let word = word.to_lowercase().replace('-', "_");
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&word, &name.replace('-', "_")), name))
        .filter(|&(distance, name)| distance <= (name.len() / 4).max(1) && distance < name.len())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}

/// Returns `true` if a word is one of `known`, or a typo of one: it has only letters, digits, `-` and `_`, and at most
/// two of them differ. A typo of a name may be printed, so this is stricter than [`nearest`].
pub fn is_typo<'a>(word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> bool {
    // Most keys match exactly, and distances are slow.
    if known.clone().into_iter().any(|name| name == word) {
        return true;
    }
    if word.len() > LONGEST || !super::is_word_of(word, "-_") {
        return false;
    }
    let folded = word.to_lowercase().replace('-', "_");
    known.into_iter().any(|name| {
        let name = name.replace('-', "_");
        let distance = strsim::damerau_levenshtein(&folded, &name);
        // Two names of one letter have nothing in common.
        distance <= (name.len() / 4).clamp(1, 2) && distance < name.len()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_similar_words() {
        let known = ["token", "base_url", "channels"];
        assert_eq!(nearest("tokn", known), Some("token"));
        assert_eq!(nearest("base-url", known), Some("base_url"));
        assert_eq!(nearest("Chanels", known), Some("channels"));
        assert_eq!(nearest("colour", known), None);
    }

    #[test]
    fn limits_distance_of_suggestions() {
        // A quarter of the name, but at least one letter.
        for (word, name, meant) in [
            ("env", "env", true),
            ("enw", "env", true),
            ("en", "env", true),
            ("ew", "env", false),
            ("tkne", "token", false),
            ("tokne", "token", true),
            ("chanels", "channels", true),
            ("chanel", "channels", true),
            ("chane", "channels", false),
            ("aplication_ky", "application_key", true),
            ("apication_ky", "application_key", true),
            ("apcation_ky", "application_key", false),
            ("", "env", false),
            ("t", "_", false),
        ] {
            assert_eq!(nearest(word, [name]).is_some(), meant, "{word} for {name}");
        }
        assert_eq!(nearest("tokem", ["tokens", "token"]), Some("token"), "the nearest");
        assert_eq!(nearest("APPLICATION-KEY", ["application_key"]), Some("application_key"));
        assert_eq!(nearest("no_channels", ["no-channels"]), Some("no-channels"));
    }

    #[test]
    fn typo_has_at_most_two_wrong_letters() {
        for (word, name, slip) in [
            ("token", "token", true),
            ("tokn", "token", true),
            ("tkn", "token", false),
            ("Token", "token", true),
            ("to.ken", "token", false),
            ("to ken", "token", false),
            ("base-url", "base_url", true),
            ("base_ulr", "base_url", true),
            ("bas_ulr", "base_url", true),
            ("bs_ulr", "base_url", false),
            ("aplication_ky", "application_key", true),
            ("apication_ky", "application_key", false),
            ("master_aplication_ky", "master_application_key", true),
            ("master_apication_ky", "master_application_key", false),
            ("en", "env", true),
            ("e", "env", false),
            ("t", "_", false),
        ] {
            assert_eq!(is_typo(word, [name]), slip, "{word} for {name}");
        }
        assert!(is_typo("a.b", ["x", "a.b"]), "what is one of them is one, however it is spelled");
        assert!(!is_typo("a", []));
    }

    #[test]
    fn ignores_very_long_words() {
        for (length, near) in [(LONGEST, true), (LONGEST + 1, false)] {
            let name = "a".repeat(length);
            let word = format!("{}b", &name[1..]);
            assert_eq!((nearest(&word, [name.as_str()]).is_some(), is_typo(&word, [name.as_str()])), (near, near));
            assert!(is_typo(&name, [name.as_str()]));
        }
    }
}
