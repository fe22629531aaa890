//! The mask, and what is masked whole.

/// What is printed in place of anything that is not known to be public: the same width for every value,
/// so that not even a length shows.
pub const MASK: &str = "********";

/// Whether a value begins with a scheme and `://`.
pub(crate) fn is_url(value: &str) -> bool {
    value.split_once("://").is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    })
}
