//! What one or two values are, told by their bytes alone: for values that stand in no file yet, but in a console, a prompt
//! or a command line.

use crate::form::{Expander, Form, Reading, Service, StandIn, Wrapping};
use crate::schema::Kind;
use crate::secret::{Facts, Vault};

/// What one or two values are.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Identified {
    /// Each value.
    pub values: Vec<Identity>,
    /// Whether two go together. `None` of one value.
    pub together: Option<Together>,
}

/// What a value is. It holds no byte of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Identity {
    facts: Facts,
}

/// How much is known of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum State {
    /// No characters.
    Empty,
    /// It has a known form.
    Known,
    /// It has a known form within something that keeps it from working, or something is around it that is never part of one.
    Wrapped,
    /// A reference that nothing expanded.
    Unexpanded,
    /// A placeholder.
    Placeholder,
    /// Its form is not known.
    Unknown,
}

impl State {
    /// The word for it in every format.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Known => "known",
            Self::Wrapped => "wrapped",
            Self::Unexpanded => "unexpanded",
            Self::Placeholder => "placeholder",
            Self::Unknown => "unknown",
        }
    }
}

/// Whether two values go together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Together {
    /// They make a pair.
    Fit,
    /// They are an id and a key of one kind, and of different clusters.
    Clusters,
    /// They belong to different pairs.
    Mixed,
    /// They are twice the same half.
    SameHalf,
    /// They are one value twice.
    Equal,
    /// They are used apart from each other.
    Apart,
    /// At least one of them is not known well enough.
    Unknown,
}

impl Together {
    /// The word for it in every format.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fit => "fit",
            Self::Clusters => "different-clusters",
            Self::Mixed => "different-pairs",
            Self::SameHalf => "same-half",
            Self::Equal => "equal",
            Self::Apart => "apart",
            Self::Unknown => "unknown",
        }
    }

    /// Whether they can't be used together.
    #[must_use]
    pub const fn is_wrong(self) -> bool {
        matches!(self, Self::Mixed | Self::SameHalf | Self::Equal | Self::Clusters)
    }
}

/// Says what values are. Nothing is kept of them: what is made here is wiped when this returns.
#[must_use]
pub fn identify<V: AsRef<str>>(values: &[V]) -> Identified {
    let mut vault = Vault::default();
    let handles: Vec<_> = values.iter().map(|value| vault.store(value.as_ref())).collect();
    let facts: Vec<Facts> = handles.into_iter().map(|handle| vault.facts(handle)).collect();
    let together = match facts[..] {
        [one, other] => Some(together(&one, &other)),
        _ => None,
    };
    Identified { values: facts.into_iter().map(|facts| Identity { facts }).collect(), together }
}

fn together(one: &Facts, other: &Facts) -> Together {
    use Form::{AccountId, ApplicationKey, KeyId, MasterKey, MasterKeyId};
    if one.digest == other.digest {
        return Together::Equal;
    }
    let (Some(first), Some(second)) = (one.form(), other.form()) else { return Together::Unknown };
    let (id, key, id_facts, key_facts) = match (first.is_id(), second.is_id()) {
        (true, false) => (first, second, one, other),
        (false, true) => (second, first, other, one),
        (true, true) => return Together::SameHalf,
        (false, false) if first.is_key() && second.is_key() => return Together::SameHalf,
        (false, false) => return Together::Apart,
    };
    match (id, key) {
        (AccountId, ApplicationKey) | (KeyId, MasterKey) => Together::Mixed,
        (KeyId, ApplicationKey) if id_facts.cluster != key_facts.cluster => Together::Clusters,
        (KeyId, ApplicationKey) | (AccountId, MasterKey) => Together::Fit,
        // What goes with the newer ID of a master key is documented nowhere.
        (MasterKeyId, _) if key.is_key() => Together::Unknown,
        _ if key == Form::OldApplicationKey => Together::Unknown,
        _ => Together::Apart,
    }
}

/// Where other programs take a credential of a form: the name, and whose it is.
/// Sources: the documentation of each program; `docs/identify.md` lists them.
const NAMES: &[(Form, &[(&str, &str)])] = &[
    (Form::BotToken, &[("SLACK_BOT_TOKEN", "SDKs and most programs"), ("token", "slack-github-action")]),
    (Form::UserToken, &[("SLACK_USER_TOKEN", "SDKs and most programs")]),
    (Form::AppToken, &[("SLACK_APP_TOKEN", "SDKs, Socket Mode")]),
    (Form::Webhook, &[("SLACK_WEBHOOK_URL", "slack-github-action"), ("slack_api_url", "Alertmanager")]),
    (
        Form::KeyId,
        &[
            ("B2_APPLICATION_KEY_ID", "b2, terraform"),
            ("B2_ACCOUNT_ID", "restic"),
            ("account", "rclone"),
            ("AWS_ACCESS_KEY_ID", "S3 programs, with the S3 endpoint"),
        ],
    ),
    (
        Form::ApplicationKey,
        &[
            ("B2_APPLICATION_KEY", "b2, terraform"),
            ("B2_ACCOUNT_KEY", "restic"),
            ("key", "rclone"),
            ("AWS_SECRET_ACCESS_KEY", "S3 programs, with the S3 endpoint"),
        ],
    ),
    (Form::AccountId, &[("B2_ACCOUNT_ID", "restic, with the master key")]),
    (Form::MasterKey, &[("B2_ACCOUNT_KEY", "restic, with the account ID")]),
];

impl Identity {
    /// How much is known of it.
    #[must_use]
    pub fn state(&self) -> State {
        let Reading { unexpanded, stand_in, wrapping, form, .. } = self.facts.reading;
        if self.facts.empty {
            State::Empty
        } else if unexpanded.is_some() {
            State::Unexpanded
        } else if stand_in.is_some() {
            State::Placeholder
        } else if wrapping.is_some() || self.facts.odd() {
            State::Wrapped
        } else if form.is_some() {
            State::Known
        } else {
            State::Unknown
        }
    }

    /// What it is, within its wrapping.
    #[must_use]
    pub(crate) fn form(&self) -> Option<Form> {
        self.facts.reading.form
    }

    /// What it is, in words with an article.
    #[must_use]
    pub fn noun(&self) -> &'static str {
        if let Some(form) = self.form() {
            return form.noun();
        }
        match (self.state(), self.facts.reading.unexpanded.map(|found| found.by)) {
            (State::Empty, _) => "empty",
            (_, Some(Expander::Path)) => "a file path",
            (_, Some(Expander::Variable)) => "a variable name",
            (_, Some(Expander::Manager(_))) => "a secret manager reference",
            (_, Some(Expander::Encrypted(_))) => "an encrypted value",
            (State::Unexpanded, _) => "a reference that was not expanded",
            (State::Placeholder, _) => match self.facts.reading.stand_in {
                Some(StandIn::Null) => "a word that stands for a missing value",
                Some(StandIn::Redacted) => "a redacted value",
                _ => "a placeholder",
            },
            _ => "not recognised",
        }
    }

    /// Who issues it.
    #[must_use]
    pub fn service(&self) -> Option<&'static str> {
        match self.form()?.service() {
            Service::Messaging => Some("Slack"),
            Service::Storage => Some("Backblaze B2"),
            Service::Other | Service::Many => None,
        }
    }

    /// Whether nobody else issues what looks so.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.form().is_some_and(Form::is_certain)
    }

    /// Whether it has to be kept secret, as far as that is known.
    #[must_use]
    pub fn is_secret(&self) -> Option<bool> {
        self.form().map(Form::is_secret)
    }

    /// What keeps it from working as it stands.
    #[must_use]
    pub fn flaw(&self) -> Option<&'static str> {
        Some(match self.facts.reading.wrapping {
            Some(Wrapping::Quotes) => "it has quotes around it",
            Some(Wrapping::OddQuotes) => "it has backticks or typographic quotes around it",
            Some(Wrapping::Brackets) => "it has brackets around it",
            Some(Wrapping::Assignment) => "it is an assignment, NAME=value",
            Some(Wrapping::Header) => "it begins with part of a header, such as Bearer",
            Some(Wrapping::Json) => "it is a JSON document",
            Some(Wrapping::Punctuation) => "it ends with punctuation that is not part of it",
            Some(Wrapping::Escape) => "it ends with a literal escape sequence",
            Some(Wrapping::Invisible) => "it contains an invisible character",
            Some(Wrapping::Scheme) => "it has no https:// in front",
            Some(Wrapping::Percent) => "it is percent-encoded",
            Some(Wrapping::Base64) => "it is base64-encoded",
            Some(Wrapping::Hex) => "it is hex-encoded",
            Some(Wrapping::Doubled) => "it is repeated twice in a row",
            Some(Wrapping::Case) => "it has the wrong case",
            Some(Wrapping::Length) => "it begins like a known credential but has the wrong length",
            _ if self.facts.whitespace => "it contains whitespace",
            _ if self.facts.odd() => "it contains a character that no credential has",
            _ => return None,
        })
    }

    /// The fields of credlint where it belongs, `kind.field`.
    #[must_use]
    pub fn fields(&self) -> Vec<String> {
        let Some(form) = self.form() else { return Vec::new() };
        // Beside the first pair that it belongs to, another one takes it as well; the first is what is meant.
        let first = |kind: &&'static Kind| {
            let field = kind.fields.iter().find(|field| field.forms.contains(&form))?;
            let better = kind.fields.iter().find(|field| field.forms.first() == Some(&form));
            Some(format!("{kind}.{}", better.unwrap_or(field).name))
        };
        Kind::all().iter().filter_map(first).collect()
    }

    /// Where other programs take it: the name, and whose it is.
    #[must_use]
    pub fn names(&self) -> &'static [(&'static str, &'static str)] {
        let form = match self.form() {
            Some(Form::MasterKeyId) => Some(Form::AccountId),
            Some(Form::RotatedBotToken) => Some(Form::BotToken),
            Some(Form::RotatedUserToken) => Some(Form::UserToken),
            form => form,
        };
        NAMES.iter().find(|(own, _)| Some(*own) == form).map_or(&[], |(_, names)| names)
    }

    /// What goes with it, or what to know of it.
    #[must_use]
    pub fn advice(&self) -> Option<&'static str> {
        Some(match self.form()? {
            Form::KeyId => "goes with the application key that was shown with it",
            Form::MasterKeyId | Form::AccountId => "goes with the master application key",
            Form::ApplicationKey => "goes with its keyID (25 digits)",
            Form::MasterKey => "goes with the account ID (12 digits); the S3-compatible API does not accept it",
            Form::OldApplicationKey => "may be an older application key; credlint does not judge it",
            Form::BucketId => "is the ID of a bucket, not a credential",
            Form::StorageToken => "is the result of a login and expires within a day",
            Form::StoragePair => "is two values: the keyID before the colon, the key after it",
            Form::BotToken | Form::UserToken => "needs the scope files:write for uploads",
            Form::RotatedBotToken | Form::RotatedUserToken => "expires within about 12 hours",
            Form::AppToken => "opens sockets; it can't upload files",
            Form::RefreshToken => "is exchanged for access tokens",
            Form::SessionToken => "belongs to a browser session and works only there",
            Form::RetiredToken => "is of a type that was retired in 2021",
            Form::WorkflowToken => "expires after minutes",
            Form::ClientId => "is public and goes with the client secret",
            Form::Webhook => "posts messages to one channel; it can't upload files",
            Form::WebhookPath | Form::WebhookStart => "is only part of it; copy the whole URL",
            Form::Hex32 => "could be an app's signing secret or client secret, or many other things",
            Form::ConversationId | Form::UserId | Form::WorkspaceId | Form::ObjectId | Form::ChannelLink => {
                "is an ID, not a credential"
            }
            _ => return None,
        })
    }
}
