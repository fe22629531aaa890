//! What is wrong with addresses.

/// What is wrong with an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum UrlFlaw {
    /// Holds white space, a control character or a backslash.
    Character,
    /// Is not an absolute http or https URL.
    NotHttp,
    /// Carries `user@` or `user:password@`.
    UserPart,
    /// Carries a `?query`.
    Query,
    /// Carries a `#fragment`.
    Fragment,
    /// Stands in quotes or brackets that are a part of it.
    Quotes,
    /// Begins with a host: `https://` is missing.
    NoScheme,
    /// Begins with `https://` twice.
    TwoSchemes,
}

impl UrlFlaw {
    /// The flaw in words, to follow "the base URL".
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Character => "contains whitespace, a control character or a backslash",
            Self::NotHttp => "is not an HTTP or HTTPS address with a host",
            Self::UserPart => "contains a username or password (`user:password@`)",
            Self::Query => "has a query string (`?…`)",
            Self::Fragment => "has a fragment (`#…`)",
            Self::Quotes => "has quotes or brackets around it that are part of the value",
            Self::NoScheme => "has no `https://` before the host",
            Self::TwoSchemes => "begins with `https://` twice",
        }
    }
}

/// Whether quotes or angle brackets stand around a value, or at one end of it: no address begins or ends so.
pub(super) fn is_enclosed(value: &str) -> bool {
    let value = value.trim();
    value.starts_with(ENCLOSING) || value.ends_with(ENCLOSING)
}

const ENCLOSING: [char; 9] = ['"', '\'', '`', '<', '>', '“', '”', '‘', '’'];

/// Whether what follows the scheme is a scheme again. Without its colon, it reads as a host with a path.
pub(super) fn begins_twice(value: &str) -> bool {
    let rest = value.split_once("//").map(|(_, rest)| rest.to_ascii_lowercase()).unwrap_or_default();
    ["http:/", "https:/", "http//", "https//"].iter().any(|scheme| rest.starts_with(scheme))
}
