//! The mask.

/// Replaces everything that is not known to be public. Its fixed width hides the length of the value.
pub const MASK: &str = "********";

/// Returns `true` if a value starts with a scheme and `://`.
pub(crate) fn is_url(value: &str) -> bool {
    value.split_once("://").is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    })
}
