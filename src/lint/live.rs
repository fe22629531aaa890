//! A service's answers about the credential of a profile. This is plain data, and all of it may be printed.

use crate::shorthand::words;

words! {
    /// Whether a credential is valid.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    #[non_exhaustive]
    pub enum Validity {
        /// The service accepts it.
        Valid = "alive",
        /// The service rejects it.
        Invalid = "dead",
        /// The service did not say.
        #[default]
        Unknown = "unknown",
    }

    /// Returns the word used in every format.
    pub fn name;
}

words! {
    /// Whether files can be shared in a channel.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[non_exhaustive]
    pub enum ChannelAccess {
        /// They can.
        Yes = "yes",
        /// They can't.
        No = "no",
        /// The service did not say.
        Unknown = "unknown",
    }

    /// Returns the word used in every format.
    pub fn name;
}

/// A service's answers about a profile. Unanswered questions are absent.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Live {
    /// Whether the credential is valid.
    pub state: Validity,
    /// The service that was asked: scheme, host and port. `None` if no service was asked.
    pub service: Option<String>,
    /// The names of the credentials in another program's file or variables that were asked about.
    pub names: Vec<String>,
    /// Those that were not asked about, with reasons. The name is empty for a whole profile.
    pub not_asked: Vec<(String, String)>,
    /// The validity of each credential that is verified on its own, by name: those of an app.
    pub credentials: Vec<(String, Validity)>,
    /// The kind of a token: `bot` or `user`.
    pub token_kind: Option<&'static str>,
    /// The number of seconds until a token expires.
    pub expires_in: Option<u64>,
    /// The workspace of a token.
    pub workspace: Option<String>,
    /// The scopes of a token.
    pub scopes: Option<Vec<String>>,
    /// The channels for display, and whether files can be shared there.
    pub channels: Vec<(String, ChannelAccess)>,
    /// The ID of each of these channels that was found by its name.
    pub channel_ids: Vec<Option<String>>,
    /// The capabilities of a key.
    pub capabilities: Option<Vec<String>>,
    /// The buckets to which a key is restricted.
    pub buckets: Option<Vec<String>>,
}

impl Live {
    /// Returns each channel for display, with its ID if it was found by its name.
    pub(crate) fn channels_with_ids(&self) -> impl Iterator<Item = (&str, Option<&str>, ChannelAccess)> {
        let ids = self.channel_ids.iter().map(Option::as_deref).chain(std::iter::repeat(None));
        self.channels.iter().zip(ids).map(|((shown, reach), id)| (shown.as_str(), id, *reach))
    }
}
