//! The kinds of profiles, as rows, and the kinds of services without profiles of their own. Another kind needs only
//! another row; all other code reads it from here.

use std::sync::LazyLock;

use super::kind::{Address, Field, Kind, Probe, Role, Secret, Type};
use super::value::{BaseUrl, shown};
use crate::services::{self, Form, Pair, Purpose, Service, backblaze, slack};
use crate::shorthand::words;

/// All kinds, sorted by name.
const ALL: &[&Kind] = &[
    &APP,
    &MESSAGING,
    &STORAGE,
    #[cfg(test)]
    &tests::THIRD,
];

impl Kind {
    /// Returns all kinds, sorted by name.
    pub fn all() -> &'static [&'static Self] {
        ALL
    }

    /// Returns the kind with a name.
    pub fn find(name: &str) -> Option<&'static Self> {
        Self::all().iter().copied().find(|kind| kind.name == name)
    }

    /// Returns the names of all kinds.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> + Clone {
        Self::all().iter().map(|kind| kind.name)
    }
}

/// Builders for a row. By default, a field is optional and has no forms or aliases.
impl Field {
    pub(super) const fn new(name: &'static str, ty: Type, role: Role, example: &'static str) -> Self {
        Self {
            name,
            ty,
            role,
            required: false,
            first: false,
            row: None,
            own_about: "",
            own_takes: &[],
            aliases: &[],
            example,
        }
    }

    /// Creates a field of a service's row.
    pub(super) const fn of(row: &'static services::Field, ty: Type, role: Role, example: &'static str) -> Self {
        Self { row: Some(row), ..Self::new(row.place.1, ty, role, example) }
    }

    /// Creates a secret of a service's row.
    pub(super) const fn secret(kind: Secret, row: &'static services::Field) -> Self {
        Self::of(row, Type::Secret(kind), Role::Secret, "")
    }

    pub(super) const fn url(name: &'static str, kind: Address, example: &'static str) -> Self {
        Self::new(name, Type::Url(kind), Role::Destination, example)
    }

    pub(super) const fn with_about(self, own_about: &'static str) -> Self {
        Self { own_about, ..self }
    }

    const fn with_forms(self, own_takes: &'static [&'static Form]) -> Self {
        Self { own_takes, ..self }
    }

    const fn with_aliases(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    pub(super) const fn required(self) -> Self {
        Self { required: true, ..self }
    }

    /// Sets it in the starter configuration.
    pub(super) const fn first(self) -> Self {
        Self { first: true, ..self }
    }
}

/// A kind without profiles, fields and uses.
const PLAIN: Kind = Kind {
    name: "",
    first: "",
    credential: "credential",
    fields: &[],
    pairs: &[],
    judged_together: false,
    probe: None,
    sender: false,
    service: None,
    hosted_by_default: false,
};

/// An app of the messaging service, with its own credentials. Source: <https://docs.slack.dev/authentication/tokens>.
static APP: Kind = Kind {
    name: "app",
    first: "deploybot",
    credential: "tokens",
    fields: &[
        Field::secret(Secret::Token, &slack::BOT_TOKEN_FIELD).with_aliases(&["oauth_token"]).first(),
        Field::secret(Secret::Token, &slack::APP_TOKEN_FIELD).with_aliases(&["socket_mode_token"]).first(),
        Field::secret(Secret::Key, &slack::SIGNING_SECRET_FIELD).with_aliases(&["app_signing_secret"]),
        Field::url("api_url", Address::Api, "https://slack.com")
            .with_about("where `verify` checks the tokens: {api_url}/api/auth.test")
            .with_aliases(&["base_url", "url", "slack_api_url", "endpoint"]),
    ],
    judged_together: true,
    probe: Some(Probe::App),
    service: Some(&slack::SERVICE),
    hosted_by_default: true,
    ..PLAIN
};

/// A workspace of the messaging service.
pub static MESSAGING: Kind = Kind {
    name: "messaging",
    first: "reports",
    credential: "token",
    fields: &[
        Field::url("base_url", Address::Api, "https://slack.com")
            .with_about("address of the service, without `/api`, which credlint adds")
            .with_aliases(&["api_url", "url", "slack_api_url", "server_url", "endpoint"])
            .required()
            .first(),
        Field::secret(Secret::Token, &slack::TOKEN_FIELD)
            .with_aliases(&["bot_token", "slack_bot_token"])
            .required()
            .first(),
        Field::of(&slack::CHANNELS_FIELD, Type::Channels, Role::Plain, "C0EXAMPLE00")
            .with_about("IDs of the channels or direct conversations to share files in")
            .with_forms(&[&slack::CONVERSATION_ID, &slack::USER_ID])
            .with_aliases(&["channel", "channel_id", "channel_ids", "slack_channel"])
            .first(),
        Field::new("initial_comment", Type::Text, Role::Plain, "Nightly report")
            .with_about("text posted with the file")
            .with_aliases(&["comment", "message", "text"]),
        Field::new("snippet_type", Type::Text, Role::Plain, "python")
            .with_about("type of snippet that a file is posted as, such as `python`"),
        Field::new("upload_method", Type::Choice(&["files.upload", "external"]), Role::Plain, "files.upload")
            .with_about("`files.upload` or `external`; default: chosen by the host")
            .with_aliases(&["method"]),
        Field::secret(Secret::Webhook, &slack::WEBHOOK_URL_FIELD),
        Field::new("ca_file", Type::Path, Role::Destination, "certificates/authority.pem")
            .with_about("PEM file with certificate authorities to trust in addition to those of the system")
            .with_aliases(&["ca_cert", "cafile", "ca_bundle"]),
        Field::new("workspace", Type::Id(shown::workspace), Role::Plain, "T0123456789")
            .with_about("ID of the workspace that the token belongs to; `verify` compares it")
            .with_forms(&[&slack::WORKSPACE_ID])
            .with_aliases(&["team", "team_id", "workspace_id"]),
    ],
    judged_together: true,
    probe: Some(Probe::Token),
    sender: true,
    service: Some(&slack::SERVICE),
    ..PLAIN
};

/// An account of the storage service.
static STORAGE: Kind = Kind {
    name: "storage",
    first: "backups",
    credential: "key",
    fields: &[
        Field::of(
            &backblaze::APPLICATION_KEY_ID_FIELD,
            Type::Id(shown::key_id),
            Role::Identifier,
            "0051a2b3c4d5e6f0000000001",
        )
        .with_about("ID of an application key; goes with application_key")
        .with_aliases(&["access_key", "aws_access_key_id"])
        .first(),
        Field::secret(Secret::Key, &backblaze::APPLICATION_KEY_FIELD)
            .with_about("an application key; goes with application_key_id")
            .with_aliases(&["aws_secret_access_key", "secret"])
            .first(),
        Field::of(&backblaze::ACCOUNT_ID_FIELD, Type::Id(shown::account_id), Role::Identifier, "1a2b3c4d5e6f")
            .with_aliases(&["account", "accountid", "b2_account_id", "key_id", "id"]),
        Field::secret(Secret::Key, &backblaze::MASTER_APPLICATION_KEY_FIELD)
            .with_aliases(&["account_key", "b2_account_key", "key", "secret"]),
        Field::new("bucket", Type::Id(shown::bucket), Role::Plain, "nightly")
            .with_about("bucket the profile is for")
            .with_aliases(&["bucket_name", "bucketname"]),
        Field::of(
            &backblaze::ENDPOINT_FIELD,
            Type::Url(Address::Endpoint),
            Role::Destination,
            "https://s3.eu-central-005.example.com",
        )
        .with_aliases(&["host", "region_endpoint", "url"]),
        Field::url("api_url", Address::Api, "https://api.backblazeb2.com")
            .with_about("where `verify` checks the pair: {api_url}/b2api/v4/b2_authorize_account")
            .with_aliases(&["api", "native_api_url"]),
    ],
    // The application key belongs with its keyID, and the account ID with the master application key. Any other
    // combination fails. Source: the service description, section 5, 5.
    pairs: backblaze::SERVICE.pairs,
    judged_together: true,
    probe: Some(Probe::Pair),
    service: Some(&backblaze::SERVICE),
    hosted_by_default: true,
    ..PLAIN
};

/// A variable of a process whose name only says that it is a secret.
pub static VARIABLE: Kind = Kind {
    name: "variable",
    credential: "secret",
    fields: &[Field::new("value", Type::Secret(Secret::Key), Role::Secret, "").with_about("the value itself")],
    ..PLAIN
};

/// The kinds of services without profiles of their own: one for each set of fields in their rows, created when such a
/// value is first found.
static DERIVED: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    let of = |service: &'static Service| {
        let mut names: Vec<&'static str> = service.fields.iter().map(|field| field.place.0).collect();
        names.dedup();
        let own = names.into_iter().filter(|name| !name.is_empty() && Kind::find(name).is_none());
        own.map(move |name| derive_kind(service, name))
    };
    services::all().iter().flat_map(|service| of(service)).collect()
});

fn derive_kind(service: &'static Service, name: &'static str) -> Kind {
    let field = |row: &'static services::Field| {
        let (ty, role) = match row.purpose {
            Purpose::Id => (Type::Id(|_| None), Role::Identifier),
            Purpose::Webhook => (Type::Secret(Secret::Webhook), Role::Secret),
            Purpose::Path | Purpose::Any => (Type::Path, Role::Secret),
            // It may hold a password, so it is never printed.
            Purpose::Endpoint | Purpose::Name => (Type::Text, Role::Destination),
            _ => (Type::Secret(Secret::Key), Role::Secret),
        };
        Field::of(row, ty, role, "")
    };
    let own = service.fields.iter().filter(|row| row.place.0 == name);
    let fields: Vec<Field> = own.map(|row| field(row)).collect();
    let hosted_by_default = !service.shared;
    Kind { name, fields: fields.leak(), hosted_by_default, pairs: service.pairs, service: Some(service), ..PLAIN }
}

impl Kind {
    /// Returns the kinds of services without profiles of their own.
    pub(crate) fn derived() -> impl Iterator<Item = &'static Self> {
        DERIVED.iter()
    }

    /// Returns the kind with a name, of a service without profiles of its own.
    pub(crate) fn find_derived(name: &str) -> Option<&'static Self> {
        DERIVED.iter().find(|kind| kind.name == name)
    }

    /// Returns the first kind and field for a form, also for those of services with profiles of their own.
    pub(crate) fn accepting(form: &'static Form) -> Option<(&'static Self, &'static Field)> {
        let kinds = || Self::all().iter().copied().chain(DERIVED.iter());
        // If several services have the form, the one that defines it comes first.
        let own = kinds().filter(|kind| kind.issues(form));
        own.chain(kinds())
            .flat_map(|kind| kind.fields.iter().map(move |field| (kind, field)))
            .find(|(_, field)| field.forms().contains(&form) && field.role == Role::Secret)
    }

    /// Returns the name of the service.
    pub(crate) fn service_name(&self) -> &'static str {
        self.service.map_or("", |service| service.name)
    }

    /// Returns the address of its service's own API.
    pub(crate) fn api_address(&self) -> &'static str {
        self.service.map_or("", |service| service.api_address(""))
    }

    /// Returns `true` if an address is one of its service's own.
    pub fn is_hosted_at(&self, address: &BaseUrl) -> bool {
        self.service.is_some_and(|service| address.belongs_to(service))
    }

    /// Returns `true` if its service issues this form.
    pub(crate) fn issues(&self, form: &'static Form) -> bool {
        self.service.is_some_and(|service| service.forms.contains(&form))
    }

    /// Returns the pair that a form always belongs to.
    pub(crate) fn pair_of(&self, form: Option<&'static Form>) -> Option<&'static Pair> {
        self.pairs.iter().find(|pair| form.and_then(Form::pair) == Some(pair.part))
    }

    /// Returns `true` if one of its fields takes this form.
    pub(crate) fn accepts(&self, form: &'static Form) -> bool {
        self.fields.iter().any(|field| field.forms().contains(&form))
    }

    /// Returns the word that stands for its service in names.
    pub(crate) fn word(&self) -> &'static str {
        self.service.map_or("", Service::word)
    }

    /// Returns `true` for a protocol that many services share.
    pub(crate) fn is_shared(&self) -> bool {
        self.service.is_some_and(|service| service.shared)
    }
}

words! {
    /// An upload method.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[non_exhaustive]
    pub enum Method {
        /// A single request with the whole form.
        FilesUpload = "files.upload",
        /// Three requests: get an upload URL, send the bytes, complete the upload.
        External = "external",
    }

    /// Returns the word used in a configuration.
    pub fn name;
}

impl Method {
    /// Returns the default method of a service. The hosted service has retired `files.upload`.
    #[must_use]
    pub fn for_service(service: &BaseUrl) -> Self {
        if MESSAGING.is_hosted_at(service) { Self::External } else { Self::FilesUpload }
    }

    /// Returns the number of files to send at a time, so that longer runs stay below the hosted service's rate limits:
    /// at least 20 requests a minute for `files.upload`, and at least 100 for each request of `external`.
    ///
    /// Source of the tiers: <https://docs.slack.dev/apis/web-api/rate-limits>.
    pub const fn concurrency(self) -> usize {
        match self {
            Self::FilesUpload => 4,
            Self::External => 8,
        }
    }

    /// Returns the method with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|method| method.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::twilio;

    const fn id(row: &'static services::Field, example: &'static str) -> Field {
        Field::of(row, Type::Id(shown::bucket), Role::Identifier, example).first()
    }

    const fn key(row: &'static services::Field) -> Field {
        Field::secret(Secret::Key, row).first()
    }

    /// An account that sends text messages: an additional kind, to test that a row is all a kind needs.
    pub(crate) static THIRD: Kind = Kind {
        name: "twilio",
        first: "texts",
        credential: "key",
        fields: &[
            Field::url("url", Address::Api, "https://api.twilio.com")
                .with_about("address of the API")
                .required()
                .first(),
            id(&twilio::ACCOUNT_SID_FIELD, "mailer"),
            key(&twilio::AUTH_TOKEN_FIELD),
            id(&twilio::API_KEY_FIELD, "ann"),
            key(&twilio::API_SECRET_FIELD),
            Field::url("gateway", Address::Endpoint, "https://sms.example.com")
                .with_about("host that other programs send to"),
        ],
        pairs: twilio::SERVICE.pairs,
        service: Some(&twilio::SERVICE),
        judged_together: true,
        ..PLAIN
    };

    #[test]
    fn rows_are_complete() {
        assert!(Kind::names().is_sorted(), "profiles are listed by kind");
        for kind in Kind::all() {
            let mut halves = kind.pairs.iter().flat_map(|pair| [&pair.id, &pair.key]);
            assert!(halves.all(|half| kind.field(half.field).is_some_and(Field::is_credential)), "{kind}");
            for field in kind.fields {
                let secret = matches!(field.ty, Type::Secret(_));
                assert_eq!(field.role == Role::Secret, secret, "{kind}.{}", field.name);
                assert_eq!(field.example.is_empty(), secret, "{kind}.{}", field.name);
                let paired = kind.partner(field.name).is_some();
                assert!(field.row.is_none_or(|row| row.place == (kind.name, field.name)), "{kind}.{}", field.name);
                assert!(field.role != Role::Identifier || paired, "{kind}.{}: an id goes with a key", field.name);
                assert!(secret || matches!(field.ty, Type::Text) || field.ty.show(field.example).is_some());
            }
        }
    }

    #[test]
    fn lists_kinds_of_profiles() {
        for (kind, said, fields, pairs, probe, sender, hosted) in [
            (&APP, ["app", "deploybot", "tokens", "Slack"], 4, 0, Some(Probe::App), false, true),
            (&MESSAGING, ["messaging", "reports", "token", "Slack"], 9, 0, Some(Probe::Token), true, false),
            (&STORAGE, ["storage", "backups", "key", "Backblaze B2"], 7, 2, Some(Probe::Pair), false, true),
            (&VARIABLE, ["variable", "", "secret", ""], 1, 0, None, false, false),
        ] {
            assert_eq!([kind.name, kind.first, kind.credential, kind.service_name()], said);
            assert_eq!((kind.fields.len(), kind.pairs.len()), (fields, pairs), "{kind}");
            assert_eq!((kind.probe, kind.sender, kind.hosted_by_default), (probe, sender, hosted), "{kind}");
            assert!(kind.fields.iter().all(|field| !field.about().is_empty()), "{kind}");
        }
        let field = |name| MESSAGING.field(name).unwrap();
        assert_eq!(field("workspace").forms(), [&slack::WORKSPACE_ID]);
        assert_eq!(field("channels").forms(), [&slack::CONVERSATION_ID, &slack::USER_ID]);
        assert!(field("base_url").required && !field("workspace").required);
    }

    #[test]
    fn type_of_field_follows_from_purpose() {
        use services::google;
        let of = |row: &services::Field| {
            let kind = Kind::find_derived(row.place.0).unwrap();
            (kind, kind.field(row.place.1).unwrap())
        };
        let (kind, id) = of(&google::CLIENT_ID_FIELD);
        assert!(id.role == Role::Identifier && matches!(id.ty, Type::Id(_)));
        assert_eq!(kind.describe_value(id), "the client ID, which ends in `.apps.googleusercontent.com`");
        let (kind, path) = of(&google::CREDENTIALS_PATH_FIELD);
        assert!(path.role == Role::Secret && matches!(path.ty, Type::Path));
        assert_eq!(Kind::accepting(&google::SERVICE_ACCOUNT).map(|(kind, _)| kind), Some(kind));
        // A client ID is public.
        assert!(Kind::accepting(&google::CLIENT_ID).is_none());
    }
}
