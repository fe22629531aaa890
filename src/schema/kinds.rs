//! The kinds of profiles, as rows. Another kind needs only another row; all other code reads it from here.

use super::field::{Address, Field, Role, Secret, Type};
use super::kind::{Kind, Probe};
use super::value::shown;
use crate::services::{backblaze, slack};

/// All kinds, sorted by name.
const ALL: &[&Kind] = &[
    &APP,
    &MESSAGING,
    &STORAGE,
    #[cfg(test)]
    &super::third::THIRD,
];

impl Kind {
    /// Returns all kinds, sorted by name.
    #[must_use]
    pub fn all() -> &'static [&'static Self] {
        ALL
    }

    /// Returns the kind with a name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        Self::all().iter().copied().find(|kind| kind.name == name)
    }

    /// Returns the names of all kinds.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> + Clone {
        Self::all().iter().map(|kind| kind.name)
    }
}

/// The values of `upload_method`.
const UPLOAD_METHODS: &[&str] = &["files.upload", "external"];

/// An app of the messaging service, with its own credentials. Source: <https://docs.slack.dev/authentication/tokens>.
pub static APP: Kind = Kind {
    name: "app",
    first: "deploybot",
    credential: "tokens",
    fields: &[
        Field {
            name: "bot_token",
            ty: Type::Secret(Secret::Token),
            role: Role::Secret,
            required: false,
            first: true,
            about: slack::BOT_TOKEN_FIELD.about,
            forms: slack::BOT_TOKEN_FIELD.takes,
            aliases: &["oauth_token"],
            example: "",
        },
        Field {
            name: "app_token",
            ty: Type::Secret(Secret::Token),
            role: Role::Secret,
            required: false,
            first: true,
            about: slack::APP_TOKEN_FIELD.about,
            forms: slack::APP_TOKEN_FIELD.takes,
            aliases: &["socket_mode_token"],
            example: "",
        },
        Field {
            name: "signing_secret",
            ty: Type::Secret(Secret::Key),
            role: Role::Secret,
            required: false,
            first: false,
            about: slack::SIGNING_SECRET_FIELD.about,
            forms: slack::SIGNING_SECRET_FIELD.takes,
            aliases: &["app_signing_secret"],
            example: "",
        },
        Field {
            name: "api_url",
            ty: Type::Url(Address::Api),
            role: Role::Destination,
            required: false,
            first: false,
            about: "where `verify` checks the tokens: {api_url}/api/auth.test",
            forms: &[],
            aliases: &["base_url", "url", "slack_api_url", "endpoint"],
            example: "https://slack.com",
        },
    ],
    pairs: &[],
    probe: Some(Probe::App),
    sender: false,
    service: Some(&slack::SERVICE),
    hosted_by_default: true,
};

/// A workspace of the messaging service.
pub static MESSAGING: Kind = Kind {
    name: "messaging",
    first: "reports",
    credential: "token",
    fields: &[
        Field {
            name: "base_url",
            ty: Type::Url(Address::Api),
            role: Role::Destination,
            required: true,
            first: true,
            about: "address of the service, without `/api`, which credlint adds",
            forms: &[],
            aliases: &["api_url", "url", "slack_api_url", "server_url", "endpoint"],
            example: "https://chat.example.com",
        },
        Field {
            name: "token",
            ty: Type::Secret(Secret::Token),
            role: Role::Secret,
            required: true,
            first: true,
            about: slack::TOKEN_FIELD.about,
            forms: slack::TOKEN_FIELD.takes,
            aliases: &["bot_token", "slack_bot_token"],
            example: "",
        },
        Field {
            name: "channels",
            ty: Type::Channels,
            role: Role::Plain,
            required: false,
            first: true,
            about: "IDs of the channels or direct conversations to share files in",
            forms: &[&slack::CONVERSATION_ID, &slack::USER_ID],
            aliases: &["channel", "channel_id", "channel_ids", "slack_channel"],
            example: "C0123456789",
        },
        Field {
            name: "initial_comment",
            ty: Type::Text,
            role: Role::Plain,
            required: false,
            first: false,
            about: "text posted with the file",
            forms: &[],
            aliases: &["comment", "message", "text"],
            example: "Nightly report",
        },
        Field {
            name: "upload_method",
            ty: Type::Choice(UPLOAD_METHODS),
            role: Role::Plain,
            required: false,
            first: false,
            about: "`files.upload` or `external`; default: chosen by the host",
            forms: &[],
            aliases: &["method"],
            example: "files.upload",
        },
        Field {
            name: "webhook_url",
            ty: Type::Secret(Secret::Webhook),
            role: Role::Secret,
            required: false,
            first: false,
            about: slack::WEBHOOK_FIELD.about,
            forms: slack::WEBHOOK_FIELD.takes,
            aliases: &[],
            example: "",
        },
        Field {
            name: "ca_file",
            ty: Type::Path,
            role: Role::Destination,
            required: false,
            first: false,
            about: "PEM file with certificate authorities to trust in addition to those of the system",
            forms: &[],
            aliases: &["ca_cert", "cafile", "ca_bundle"],
            example: "certificates/authority.pem",
        },
        Field {
            name: "workspace",
            ty: Type::Id(shown::workspace),
            role: Role::Plain,
            required: false,
            first: false,
            about: "ID of the workspace that the token belongs to; `verify` compares it",
            forms: &[&slack::WORKSPACE_ID],
            aliases: &["team", "team_id", "workspace_id"],
            example: "T0123456789",
        },
    ],
    pairs: &[],
    probe: Some(Probe::Token),
    sender: true,
    service: Some(&slack::SERVICE),
    hosted_by_default: false,
};

/// An account of the storage service.
pub static STORAGE: Kind = Kind {
    name: "storage",
    first: "backups",
    credential: "key",
    fields: &[
        Field {
            name: "application_key_id",
            ty: Type::Id(shown::key_id),
            role: Role::Identifier,
            required: false,
            first: true,
            about: "ID of an application key; goes with application_key",
            forms: backblaze::ID_FIELD.takes,
            aliases: &["access_key", "aws_access_key_id"],
            example: "0051a2b3c4d5e6f0000000001",
        },
        Field {
            name: "application_key",
            ty: Type::Secret(Secret::Key),
            role: Role::Secret,
            required: false,
            first: true,
            about: "an application key; goes with application_key_id",
            forms: backblaze::KEY_FIELD.takes,
            aliases: &["aws_secret_access_key", "secret"],
            example: "",
        },
        Field {
            name: "account_id",
            ty: Type::Id(shown::account_id),
            role: Role::Identifier,
            required: false,
            first: false,
            about: backblaze::MASTER_ID_FIELD.about,
            forms: backblaze::MASTER_ID_FIELD.takes,
            aliases: &["account", "accountid", "b2_account_id", "key_id", "id"],
            example: "1a2b3c4d5e6f",
        },
        Field {
            name: "master_application_key",
            ty: Type::Secret(Secret::Key),
            role: Role::Secret,
            required: false,
            first: false,
            about: backblaze::MASTER_KEY_FIELD.about,
            forms: backblaze::MASTER_KEY_FIELD.takes,
            aliases: &["account_key", "b2_account_key", "key", "secret"],
            example: "",
        },
        Field {
            name: "bucket",
            ty: Type::Id(shown::bucket),
            role: Role::Plain,
            required: false,
            first: false,
            about: "bucket the profile is for",
            forms: &[],
            aliases: &["bucket_name", "bucketname"],
            example: "nightly",
        },
        Field {
            name: "endpoint",
            ty: Type::Url(Address::Endpoint),
            role: Role::Destination,
            required: false,
            first: false,
            about: backblaze::ENDPOINT_FIELD.about,
            forms: &[],
            aliases: &["host", "region_endpoint", "url"],
            example: "https://s3.eu-central-005.example.com",
        },
        Field {
            name: "api_url",
            ty: Type::Url(Address::Api),
            role: Role::Destination,
            required: false,
            first: false,
            about: "where `verify` checks the pair: {api_url}/b2api/v4/b2_authorize_account",
            forms: &[],
            aliases: &["api", "native_api_url"],
            example: "https://api.backblazeb2.com",
        },
    ],
    // The application key belongs with its keyID, and the account ID with the master application key. Any other
    // combination fails. Source: the service description, section 5, 5.
    pairs: backblaze::SERVICE.pairs,
    probe: Some(Probe::Pair),
    sender: false,
    service: Some(&backblaze::SERVICE),
    hosted_by_default: true,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_whole() {
        assert!(Kind::all().is_sorted(), "profiles are listed by kind");
        for kind in Kind::all() {
            let mut halves = kind.pairs.iter().flat_map(|pair| [&pair.id, &pair.key]);
            assert!(halves.all(|half| kind.field(half.field).is_some_and(Field::is_credential)), "{kind}");
            for field in kind.fields {
                let secret = matches!(field.ty, Type::Secret(_));
                assert_eq!(field.role == Role::Secret, secret, "{kind}.{}", field.name);
                assert_eq!(field.example.is_empty(), secret, "{kind}.{}", field.name);
                let paired = kind.partner(field.name).is_some();
                assert!(field.role != Role::Identifier || paired, "{kind}.{}: an id goes with a key", field.name);
                assert!(secret || matches!(field.ty, Type::Text) || field.ty.show(field.example).is_some());
            }
        }
    }
}
