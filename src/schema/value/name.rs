//! The spelling of bucket names.

use crate::text::is_url;

/// Why a name can't be a bucket's. The first variant that applies wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NameFlaw {
    /// A URL with any scheme.
    Url,
    /// A `/`: a path, or a bucket with a path.
    Slash,
    /// A `.`: a domain, or a name that only other services accept.
    Dot,
    /// An `_`.
    Underscore,
    /// A character other than letters, digits and `-`.
    Character,
    /// Fewer than six characters.
    Short,
    /// More than 63 characters.
    Long,
    /// The prefix `b2-`, which the hosted storage service reserves.
    Reserved,
}

impl NameFlaw {
    /// Returns the first flaw of a name.
    pub(crate) fn find(value: &str) -> Option<Self> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
        Some(match value {
            _ if is_url(value.trim()) => Self::Url,
            _ if !value.bytes().all(plain) => Self::Character,
            _ if value.contains('/') => Self::Slash,
            _ if value.contains('.') => Self::Dot,
            _ if value.contains('_') => Self::Underscore,
            _ if value.len() < 6 => Self::Short,
            _ if value.len() > 63 => Self::Long,
            _ if value.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("b2-")) => Self::Reserved,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flaws_of_a_name() {
        use NameFlaw::{Character, Dot, Long, Reserved, Short, Slash, Underscore, Url};
        let (longest, longer) = ("a".repeat(63), "a".repeat(64));
        for (value, flaw) in [
            ("nightly", None),
            ("Nightly-2026", None),
            ("85644d98debc657d880b0e1e", None),
            ("abcdef", None),
            ("b2nightly", None),
            (&longest, None),
            (&longer, Some(Long)),
            ("abcde", Some(Short)),
            ("b2-nightly", Some(Reserved)),
            ("B2-nightly", Some(Reserved)),
            ("s3://nightly", Some(Url)),
            ("b2://nightly/reports", Some(Url)),
            ("nightly/reports", Some(Slash)),
            ("nightly.example.com", Some(Dot)),
            ("nightly_reports", Some(Underscore)),
            ("nightly reports", Some(Character)),
            ("nächtlich", Some(Character)),
            ("a_b/c.d", Some(Slash)),
        ] {
            assert_eq!(NameFlaw::find(value), flaw, "{value:?}");
        }
    }
}
