//! What a service said of the credential of a profile: plain data, all of which may be printed.

/// Whether a credential is in force.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Validity {
    /// The service takes it.
    Valid,
    /// The service says that it is not in force.
    Invalid,
    /// Nobody knows: the service did not say.
    Unknown,
}

impl Validity {
    /// The word for it in every format.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Valid => "alive",
            Self::Invalid => "dead",
            Self::Unknown => "unknown",
        }
    }
}

/// Whether a file can be shared in a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ChannelAccess {
    /// It can.
    Yes,
    /// It can't.
    No,
    /// Nobody knows.
    Unknown,
}

impl ChannelAccess {
    /// The word for it in every format.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Unknown => "unknown",
        }
    }
}

/// What a service said of a profile. What it did not say is absent.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Live {
    /// Whether the credential is in force.
    pub state: Validity,
    /// Who was asked: scheme, host and port. Nothing, if nobody was.
    pub service: Option<String>,
    /// The credentials that stand for themselves, by field, and whether each is in force: of an app.
    pub credentials: Vec<(&'static str, Validity)>,
    /// Of a token: `bot` or `user`.
    pub token_kind: Option<&'static str>,
    /// In how many seconds a token expires.
    pub expires_in: Option<u64>,
    /// The workspace of a token.
    pub workspace: Option<String>,
    /// The scopes of a token.
    pub scopes: Option<Vec<String>>,
    /// The channels as they may be shown, and whether a file can be shared there.
    pub channels: Vec<(String, ChannelAccess)>,
    /// The capabilities of a key.
    pub capabilities: Option<Vec<String>>,
    /// The buckets that a key is limited to.
    pub buckets: Option<Vec<String>>,
}

impl Live {
    /// Nothing but a state.
    #[cfg_attr(not(feature = "upload"), expect(dead_code, reason = "nobody can be asked"))]
    pub(crate) const fn new(state: Validity, service: Option<String>) -> Self {
        Self {
            state,
            service,
            credentials: Vec::new(),
            token_kind: None,
            expires_in: None,
            workspace: None,
            scopes: None,
            channels: Vec::new(),
            capabilities: None,
            buckets: None,
        }
    }
}
