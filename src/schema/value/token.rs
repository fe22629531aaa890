//! Access tokens.

use secrecy::{ExposeSecret, SecretString};

use crate::secret;
use crate::shorthand::words;

/// An access token that is valid in an `Authorization` header.
#[derive(Clone, Debug)]
pub struct BearerToken(SecretString);

words! {
    /// What is wrong with a token. It reveals nothing about its bytes.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[non_exhaustive]
    pub enum TokenFlaw {
        /// It is empty.
        Empty = "is empty",
        /// It is a URL, such as a webhook.
        Url = "is a URL",
        /// It contains whitespace, control or non-ASCII characters, or starts with `Bearer `.
        Malformed = "contains a character that a header can't hold",
    }

    /// Describes the flaw, to follow "the token".
    pub fn describe;
}

impl std::fmt::Display for TokenFlaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the token {}", self.describe())
    }
}

impl std::error::Error for TokenFlaw {}

impl BearerToken {
    /// Creates a token.
    ///
    /// # Errors
    ///
    /// Returns the first flaw.
    pub fn new(value: SecretString) -> Result<Self, TokenFlaw> {
        #[expect(
            clippy::disallowed_methods,
            reason = "checks that the token is valid in a header; keeps only the verdict"
        )]
        let text = value.expose_secret();
        if text.is_empty() {
            Err(TokenFlaw::Empty)
        } else if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            Err(TokenFlaw::Malformed)
        } else if secret::is_url(text) {
            Err(TokenFlaw::Url)
        } else {
            Ok(Self(value))
        }
    }

    /// Returns `true` if the prefix is that of a bot token. Source: <https://docs.slack.dev/authentication/tokens>.
    pub(crate) fn is_bot(&self) -> bool {
        #[expect(
            clippy::disallowed_methods,
            reason = "reads the kind of the token from its prefix; keeps only the verdict"
        )]
        let text = self.0.expose_secret();
        text.strip_prefix("xoxe.").unwrap_or(text).starts_with("xoxb-")
    }

    /// Returns the token in its wrapper.
    pub const fn secret(&self) -> &SecretString {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_tokens() {
        let flaw = |value: &str| BearerToken::new(SecretString::from(value)).err();
        assert_eq!(flaw("xoxb-1"), None);
        assert_eq!(flaw(""), Some(TokenFlaw::Empty));
        assert_eq!(flaw("https://hooks.example.com/x"), Some(TokenFlaw::Url));
        assert_eq!(flaw("Bearer x"), Some(TokenFlaw::Malformed));
        assert_eq!(flaw("é"), Some(TokenFlaw::Malformed));
        assert_eq!(TokenFlaw::Empty.to_string(), "the token is empty");
    }

    #[test]
    fn recognises_bot_tokens_by_prefix() {
        let bot = |value: &str| BearerToken::new(SecretString::from(value)).unwrap().is_bot();
        assert!(bot("xoxb-1") && bot("xoxe.xoxb-1-a"));
        assert!(!bot("xoxp-1") && !bot("xoxe.xoxp-1-a") && !bot("xoxe-1-a") && !bot("a-xoxb-1"));
    }

    #[test]
    fn finds_flaws_of_tokens() {
        let flaw = |value: &str| BearerToken::new(SecretString::from(value)).err();
        for value in ["a b", "a\n", "a\u{7f}", "\u{7}"] {
            assert_eq!(flaw(value), Some(TokenFlaw::Malformed), "{value:?}");
        }
        assert_eq!((flaw("!"), flaw("~")), (None, None));
        let token = BearerToken::new(SecretString::from("xoxb-1")).unwrap();
        assert_eq!(format!("{token:?} {:?}", token.secret()).matches("xoxb").count(), 0);
    }
}
