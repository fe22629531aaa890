//! Flaws of addresses.

use crate::shorthand::words;

words! {
    /// What is wrong with an address.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[non_exhaustive]
    pub enum UrlFlaw {
        /// It contains white space, a control character or a backslash.
        Character = "contains whitespace, a control character or a backslash",
        /// It is not an absolute http or https URL.
        NotHttp = "is not an HTTP or HTTPS address with a host",
        /// It has `user@` or `user:password@`.
        UserPart = "contains a username or password (`user:password@`)",
        /// It has a `?query`.
        Query = "has a query string (`?…`)",
        /// It has a `#fragment`.
        Fragment = "has a fragment (`#…`)",
        /// It begins or ends with a quote or bracket.
        Quotes = "begins or ends with a quote or bracket that is part of the value",
        /// It lacks `https://`.
        NoScheme = "has no `https://` before the host",
        /// It starts with `https://` twice.
        TwoSchemes = "begins with `https://` twice",
    }

    /// Describes the flaw, to follow "the base URL".
    pub fn describe;
}

impl std::fmt::Display for UrlFlaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the address {}", self.describe())
    }
}

impl std::error::Error for UrlFlaw {}

/// Returns `true` if a value starts or ends with a quote or angle bracket, which no address does.
pub(super) fn is_enclosed(value: &str) -> bool {
    let value = value.trim();
    value.starts_with(ENCLOSING) || value.ends_with(ENCLOSING)
}

const ENCLOSING: [char; 9] = ['"', '\'', '`', '<', '>', '“', '”', '‘', '’'];

/// Returns `true` if the scheme occurs twice. Without the second colon, it would parse as a host with a path.
pub(super) fn begins_twice(value: &str) -> bool {
    let rest = value.split_once("//").map(|(_, rest)| rest.to_ascii_lowercase()).unwrap_or_default();
    ["http:/", "https:/", "http//", "https//"].iter().any(|scheme| rest.starts_with(scheme))
}
