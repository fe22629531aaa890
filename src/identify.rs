//! Identifies one or two values by their bytes alone, before they are put in a file.

use crate::form::{Expander, Form, Placeholder, Reading, Service, Wrapping};
use crate::schema::Kind;
use crate::secret::{Facts, Vault};

/// The result of identifying one or two values.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Identified {
    /// The values.
    pub values: Vec<Identity>,
    /// How two values relate. `None` for a single value.
    pub relation: Option<Relation>,
}

/// The identity of a value. It has no byte of the value.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Identity {
    facts: Facts,
}

/// How much is known about a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum State {
    /// It is empty.
    Empty,
    /// It has a known form.
    Known,
    /// It has a known form with something around it that breaks it, or characters that no credential has.
    Wrapped,
    /// A reference that no tool has expanded.
    Unexpanded,
    /// A placeholder.
    Placeholder,
    /// Its form is unknown.
    Unknown,
}

impl State {
    /// Returns the word used in every format.
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

/// How two values relate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Relation {
    /// They form a pair.
    Fit,
    /// They are an ID and a key of the same type, but from different clusters.
    Clusters,
    /// They belong to different pairs.
    Mixed,
    /// They are two IDs or two keys.
    SameHalf,
    /// They are the same value.
    Equal,
    /// They are not used together.
    Apart,
    /// At least one of them is not recognised.
    Unknown,
}

impl Relation {
    /// Returns the word used in every format.
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

    /// Returns `true` if they can't be used together.
    #[must_use]
    pub const fn is_wrong(self) -> bool {
        matches!(self, Self::Mixed | Self::SameHalf | Self::Equal | Self::Clusters)
    }
}

/// Identifies values. Everything made from them is wiped before this returns.
#[must_use]
pub fn identify<V: AsRef<str>>(values: &[V]) -> Identified {
    let mut vault = Vault::default();
    let handles: Vec<_> = values.iter().map(|value| vault.store(value.as_ref())).collect();
    let facts: Vec<Facts> = handles.into_iter().map(|handle| vault.facts(handle)).collect();
    let relation = match facts[..] {
        [one, other] => Some(relation(&one, &other)),
        _ => None,
    };
    Identified { values: facts.into_iter().map(|facts| Identity { facts }).collect(), relation }
}

fn relation(one: &Facts, other: &Facts) -> Relation {
    use Form::{AccountId, ApplicationKey, KeyId, MasterKey, MasterKeyId};
    if one.digest == other.digest {
        return Relation::Equal;
    }
    let (Some(first), Some(second)) = (one.form(), other.form()) else { return Relation::Unknown };
    let (id, key, id_facts, key_facts) = match (first.is_id(), second.is_id()) {
        (true, false) => (first, second, one, other),
        (false, true) => (second, first, other, one),
        (true, true) => return Relation::SameHalf,
        (false, false) if first.is_key() && second.is_key() => return Relation::SameHalf,
        (false, false) => return Relation::Apart,
    };
    match (id, key) {
        (AccountId, ApplicationKey) | (KeyId, MasterKey) => Relation::Mixed,
        (KeyId, ApplicationKey) if id_facts.cluster != key_facts.cluster => Relation::Clusters,
        (KeyId, ApplicationKey) | (AccountId, MasterKey) => Relation::Fit,
        // The form of the key for a newer master key ID is not documented.
        (MasterKeyId, _) if key.is_key() => Relation::Unknown,
        _ if key == Form::OldApplicationKey => Relation::Unknown,
        _ => Relation::Apart,
    }
}

/// Names that other programs use for a form of credential, with the program. Sources: each program's documentation,
/// listed in `docs/identify.md`.
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
    /// Returns how much is known.
    #[must_use]
    pub fn state(&self) -> State {
        let Reading { unexpanded, placeholder, wrapping, form, .. } = self.facts.reading;
        if self.facts.empty {
            State::Empty
        } else if unexpanded.is_some() {
            State::Unexpanded
        } else if placeholder.is_some() {
            State::Placeholder
        } else if wrapping.is_some() || self.facts.has_odd_characters() {
            State::Wrapped
        } else if form.is_some() {
            State::Known
        } else {
            State::Unknown
        }
    }

    /// Returns the form of the value inside its wrapping.
    #[must_use]
    pub(crate) fn form(&self) -> Option<Form> {
        self.facts.reading.form
    }

    /// Returns the noun with its article.
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
            (State::Placeholder, _) => match self.facts.reading.placeholder {
                Some(Placeholder::Null) => "a word that stands for a missing value",
                Some(Placeholder::Redacted) => "a redacted value",
                _ => "a placeholder",
            },
            _ => "not recognised",
        }
    }

    /// Returns the service that issues it.
    #[must_use]
    pub fn service(&self) -> Option<&'static str> {
        match self.form()?.service() {
            Service::Messaging => Some("Slack"),
            Service::Storage => Some("Backblaze B2"),
            Service::Other | Service::Many => None,
        }
    }

    /// Returns `true` if no other service issues this form.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.form().is_some_and(Form::is_certain)
    }

    /// Returns `true` if it must be kept secret. `None` if that is unknown.
    #[must_use]
    pub fn is_secret(&self) -> Option<bool> {
        self.form().map(Form::is_secret)
    }

    /// Returns why it does not work as it is.
    #[must_use]
    pub fn flaw(&self) -> Option<&'static str> {
        Some(match self.facts.reading.wrapping {
            Some(Wrapping::Quotes) => "it has quotes around it",
            Some(Wrapping::Quote) => "it begins or ends with a quote",
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
            _ if self.facts.has_odd_characters() => "it contains a character that no credential has",
            _ => return None,
        })
    }

    /// Returns the credlint fields that take it, as `kind.field`.
    #[must_use]
    pub fn fields(&self) -> Vec<String> {
        let Some(form) = self.form() else { return Vec::new() };
        // Several pairs may accept it; the first is the intended one.
        let first = |kind: &&'static Kind| {
            let field = kind.fields.iter().find(|field| field.forms.contains(&form))?;
            let better = kind.fields.iter().find(|field| field.forms.first() == Some(&form));
            Some(format!("{kind}.{}", better.unwrap_or(field).name))
        };
        Kind::all().iter().filter_map(first).collect()
    }

    /// Returns the names that other programs use for it, with the program.
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

    /// Returns a note on what belongs with it or how to use it.
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
            Form::AppToken => "is for Socket Mode; it can't upload files",
            Form::RefreshToken => "is exchanged for access tokens",
            Form::SessionToken => "belongs to a browser session and works only there",
            Form::RetiredToken => "is of a type that was retired in 2021",
            Form::WorkflowToken => "expires after minutes",
            Form::ClientId => "is public and goes with the client secret",
            Form::Webhook => "posts messages to one channel; it can't upload files",
            Form::WebhookPath | Form::WebhookStart => "is only part of it; copy the whole URL",
            Form::Hex32 => "could be an app's signing secret or client secret, or many other things",
            Form::ConversationId | Form::UserId | Form::WorkspaceId | Form::ObjectId => "is an ID, not a credential",
            Form::ChannelLink | Form::ServiceAddress => "is not a credential",
            _ => return None,
        })
    }
}
