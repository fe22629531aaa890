//! Ids of channels.

use super::shown;
use crate::secret::{self, MASK};

/// The id of a channel or conversation. Ids are opaque: anything but what can't be sent as one.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ChannelId(String);

/// What is wrong with a channel id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ChannelFlaw {
    /// No characters.
    Empty,
    /// A comma, which separates ids.
    Comma,
    /// White space or a control character.
    Whitespace,
    /// A URL.
    Url,
}

impl ChannelFlaw {
    /// The flaw in words, to follow "a channel".
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Empty => "is empty",
            Self::Comma => "holds a comma",
            Self::Whitespace => "holds white space or a control character",
            Self::Url => "is a URL",
        }
    }
}

impl ChannelId {
    /// Checks an id.
    ///
    /// # Errors
    /// The first flaw found.
    pub fn parse(value: &str) -> Result<Self, ChannelFlaw> {
        if value.is_empty() {
            Err(ChannelFlaw::Empty)
        } else if secret::is_url(value.trim()) {
            Err(ChannelFlaw::Url)
        } else if value.contains(',') {
            Err(ChannelFlaw::Comma)
        } else if value.chars().any(|c| c.is_whitespace() || c.is_control()) {
            Err(ChannelFlaw::Whitespace)
        } else {
            Ok(Self(value.to_owned()))
        }
    }

    /// Whether it is a name (`#general`, `@ann`) and not an id.
    #[must_use]
    pub fn is_name(&self) -> bool {
        self.0.starts_with(['#', '@'])
    }

    /// The id, to be sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The id as it may be printed.
    #[must_use]
    pub fn shown(&self) -> String {
        shown::channel(&self.0).unwrap_or_else(|| MASK.to_owned())
    }
}

impl std::fmt::Debug for ChannelId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ChannelId({})", self.shown())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels() {
        for (value, flaw) in [
            ("C0123456789", None),
            ("#general", None),
            ("", Some(ChannelFlaw::Empty)),
            ("C1,C2", Some(ChannelFlaw::Comma)),
            ("C1 ", Some(ChannelFlaw::Whitespace)),
            ("https://h.example/a,b", Some(ChannelFlaw::Url)),
        ] {
            assert_eq!(ChannelId::parse(value).err(), flaw, "{value:?}");
        }
        assert_eq!(shown::channel("#general").as_deref(), Some("#general"));
        assert_eq!(shown::channel("xoxb-1-2"), None);
        assert_eq!(format!("{:?}", ChannelId::parse("hunter2").unwrap()), "ChannelId(********)");
    }

    #[test]
    fn what_is_wrong_with_a_channel() {
        for (value, flaw) in [
            ("C0\t1", Some(ChannelFlaw::Whitespace)),
            ("C0\u{7}1", Some(ChannelFlaw::Whitespace)),
            (" https://h.example ", Some(ChannelFlaw::Url)),
            ("C1, C2", Some(ChannelFlaw::Comma)),
            ("@ann", None),
        ] {
            assert_eq!(ChannelId::parse(value).err(), flaw, "{value:?}");
        }
        let id = |value: &str| ChannelId::parse(value).unwrap();
        assert!(id("#general").is_name() && id("@ann").is_name() && !id("C0123456789").is_name());
        assert_eq!(
            (id("hunter2").as_str(), id("hunter2").shown(), id("C01").shown()),
            ("hunter2", MASK.to_owned(), "C01".to_owned())
        );
    }

    #[test]
    fn each_flaw_of_a_channel_has_words_of_its_own() {
        use ChannelFlaw::{Comma, Empty, Url, Whitespace};
        let words = [Empty, Comma, Whitespace, Url].map(ChannelFlaw::describe);
        let mut different = words.to_vec();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), words.len(), "{words:?}");
    }
}
