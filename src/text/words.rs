//! Splits names into words.

/// Returns `true` for a text of letters and digits of ASCII, and of these characters.
pub fn is_word_of(text: &str, others: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || others.as_bytes().contains(&byte))
}

/// Returns `true` for a text that can be the name of a shell variable.
pub fn is_variable_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && is_word_of(text, "_")
}

/// Returns `true` for a text of capitals, digits and `_`.
pub fn is_upper_word(text: &str) -> bool {
    is_word_of(text, "_") && !text.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// Returns `true` if a name ends in one of these phrases, whose words are in lower case.
pub fn ends_in(words: &[String], phrases: &[&str]) -> bool {
    let name = words.join(" ");
    let is_end =
        |phrase: &&str| name.strip_suffix(phrase).is_some_and(|before| before.is_empty() || before.ends_with(' '));
    phrases.iter().any(is_end)
}

/// Returns the words of a name in lower case: `B2_KEY_ID`, `b2-key-id` and `b2KeyId` have the same words.
pub fn words(name: &str) -> Vec<String> {
    #[cfg(test)]
    super::work::add(1 + name.len());
    let mut words = vec![String::new()];
    let mut before = ' ';
    let camel = name.bytes().any(|byte| byte.is_ascii_lowercase());
    for c in name.chars() {
        let begins = c.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit());
        // In an upper-case name, a digit before a letter does not start a word: `B2B_TOKEN`.
        if !c.is_ascii_alphanumeric() || begins && camel {
            words.push(String::new());
        }
        if c.is_ascii_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns the words of a name with `_` around each, so that a word can be found in them.
pub fn joined_words(name: &str) -> String {
    format!("_{}_", words(name).join("_"))
}
