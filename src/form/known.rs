//! The forms of the two services, and a few that many services share.

use super::digits::{is_lower_hex, is_number};
use super::vendors::{self, Vendor};

/// Who issues credentials of a form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Service {
    /// Slack, and what speaks its protocol.
    Messaging,
    /// Backblaze B2.
    Storage,
    /// Somebody else, who is known.
    Other,
    /// Many services use the form.
    Many,
}

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Form {
    /// 12 hex digits; the keyID of the master application key, too.
    AccountId,
    /// Cluster (3 digits), account ID (12 hex digits) and serial (10 hex digits, not all 0).
    KeyId,
    /// The same with a serial of zeros: the newer keyID of a master application key.
    MasterKeyId,
    /// `K`, cluster (3 digits) and 27 letters, digits, `+` or `/`.
    ApplicationKey,
    /// 27 letters, digits, `-` or `_`: what application keys once were. One sample is no form: nothing is said of it.
    OldApplicationKey,
    /// 42 hex digits.
    MasterKey,
    /// 24 hex digits: no credential, but pasted as one.
    BucketId,
    /// What the authorization of the storage service answers; it lives for a day.
    StorageToken,
    /// A keyID and an application key, joined by a colon.
    StoragePair,
    /// `xoxb-`.
    BotToken,
    /// `xoxp-`.
    UserToken,
    /// `xoxe.xoxb-`: a bot's, of an app whose tokens rotate.
    RotatedBotToken,
    /// `xoxe.xoxp-`: a user's, of an app whose tokens rotate.
    RotatedUserToken,
    /// `xapp-`: for the API of sockets and events only.
    AppToken,
    /// `xoxe-1-`: gets new access tokens, and is none.
    RefreshToken,
    /// `xoxc-`, `xoxd-`, `xoxs-`, `xoxo-`: of a browser's session, of use there only.
    SessionToken,
    /// `xoxa-`, `xoxr-`: of workspace apps, which ended in August 2021.
    RetiredToken,
    /// `xwfp-`: given to one step of a workflow, for minutes.
    WorkflowToken,
    /// Two numbers joined by a dot.
    ClientId,
    /// An address below `hooks.slack.com`.
    Webhook,
    /// The path of such an address alone: `T…/B…/…`.
    WebhookPath,
    /// The beginning of such an address.
    WebhookStart,
    /// A link to a channel or a message.
    ChannelLink,
    /// `C…`, `G…`, `D…`, `Z…`: a channel or conversation.
    ConversationId,
    /// `U…`, `W…`.
    UserId,
    /// `T…`, `E…`: a workspace or an organisation.
    WorkspaceId,
    /// `A…`, `B…`, `F…`, `S…`: an app, a bot, a file, a group of users.
    ObjectId,
    /// Ten digits, a dot and six: a message timestamp, which is its id.
    MessageTime,
    /// 32 hex digits: the signing secret and the client secret of an app, and much else.
    Hex32,
    /// A token in three parts that says of itself what it is; every service issues them.
    Jwt,
    /// An e-mail address: what one signs in to a console with.
    Email,
    /// A credential of somebody else.
    Other(&'static Vendor),
}

/// What is known of a form.
struct Row {
    form: Form,
    /// What it is called, with its article.
    noun: &'static str,
    service: Service,
    /// It is a credential, or the half of one; it must not be printed.
    secret: bool,
    /// Nobody else issues what looks so.
    certain: bool,
    /// Where that is documented.
    source: &'static str,
    matches: fn(&str) -> bool,
}

const TOKENS: &str = "https://docs.slack.dev/authentication/tokens";
const IDS: &str = "https://github.com/slackapi/bolt-js/issues/2115";
const GLOSSARY: &str = "b2-sdk-python, doc/source/glossary.rst";

const fn row(
    form: Form,
    noun: &'static str,
    service: Service,
    (secret, certain): (bool, bool),
    source: &'static str,
    matches: fn(&str) -> bool,
) -> Row {
    Row { form, noun, service, secret, certain, source, matches }
}

/// Secret and certain; the same for what is not secret; and for what others issue, too.
const SECRET: (bool, bool) = (true, true);
const PUBLIC: (bool, bool) = (false, true);
const SECRET_PERHAPS: (bool, bool) = (true, false);
const PUBLIC_PERHAPS: (bool, bool) = (false, false);

/// Every form but those of others, the more special before the more general.
const ROWS: &[Row] = &[
    row(
        Form::KeyId,
        "a keyID",
        Service::Storage,
        PUBLIC,
        "b2-sdk-python, b2sdk/_internal/account_info/abstract.py, is_master_key",
        |value| is_key_id(value) && !value.ends_with(ZEROS),
    ),
    row(
        Form::MasterKeyId,
        "the keyID of a master application key",
        Service::Storage,
        PUBLIC,
        "b2-sdk-python, b2sdk/_internal/account_info/abstract.py, is_master_key",
        |value| is_key_id(value) && value.ends_with(ZEROS),
    ),
    row(Form::ApplicationKey, "an application key", Service::Storage, SECRET, GLOSSARY, is_application_key),
    row(Form::OldApplicationKey, "an old application key", Service::Storage, SECRET_PERHAPS, GLOSSARY, |value| {
        let has = |is: fn(&u8) -> bool| value.bytes().any(|byte| is(&byte));
        value.len() == 27
            && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
            && has(u8::is_ascii_digit)
            && has(u8::is_ascii_uppercase)
            && has(u8::is_ascii_lowercase)
    }),
    row(
        Form::MasterKey,
        "a master application key",
        Service::Storage,
        SECRET_PERHAPS,
        "B2_Command_Line_Tool, doc/source/quick_start.rst, and its issue 351",
        |value| value.len() == 42 && is_lower_hex(value),
    ),
    row(Form::AccountId, "an account ID", Service::Storage, PUBLIC_PERHAPS, GLOSSARY, |value| {
        value.len() == 12 && is_lower_hex(value)
    }),
    row(
        Form::BucketId,
        "a bucket ID",
        Service::Storage,
        PUBLIC_PERHAPS,
        "B2_Command_Line_Tool, doc/source/replication.rst",
        |value| value.len() == 24 && is_lower_hex(value),
    ),
    row(
        Form::StorageToken,
        "an authorization token",
        Service::Storage,
        SECRET,
        "https://www.backblaze.com/apidocs/b2-authorize-account",
        is_storage_token,
    ),
    row(Form::StoragePair, "a keyID and a key in one value", Service::Storage, SECRET, GLOSSARY, |value| {
        value.split_once(':').is_some_and(|(id, key)| {
            (is_key_id(id) || id.len() == 12 && is_lower_hex(id))
                && (is_application_key(key) || key.len() == 42 && is_lower_hex(key))
        })
    }),
    row(Form::BotToken, "a bot token", Service::Messaging, SECRET, TOKENS, |value| token(value, &["xoxb-"])),
    row(Form::UserToken, "a user token", Service::Messaging, SECRET, TOKENS, |value| token(value, &["xoxp-"])),
    row(Form::RotatedBotToken, "a rotating bot token", Service::Messaging, SECRET, TOKENS, |value| {
        token(value, &["xoxe.xoxb-"])
    }),
    row(Form::RotatedUserToken, "a rotating user token", Service::Messaging, SECRET, TOKENS, |value| {
        token(value, &["xoxe.xoxp-"])
    }),
    row(Form::AppToken, "an app-level token", Service::Messaging, SECRET, TOKENS, |value| token(value, &["xapp-"])),
    row(Form::RefreshToken, "a refresh token", Service::Messaging, SECRET, TOKENS, |value| {
        value.strip_prefix("xoxe-").and_then(|rest| rest.split_once('-')).is_some_and(|(version, _)| is_number(version))
    }),
    row(
        Form::SessionToken,
        "a browser session token",
        Service::Messaging,
        SECRET,
        "https://github.com/emtunc/SlackPirate/issues/61",
        |value| is_cookie(value) || token(value, &["xoxc-", "xoxs-", "xoxo-"]),
    ),
    row(
        Form::RetiredToken,
        "a retired workspace app token",
        Service::Messaging,
        SECRET,
        "https://docs.slack.dev/changelog/2021-03-workspace-apps-to-retire-in-august-2021",
        |value| token(value, &["xoxa-", "xoxr-"]),
    ),
    row(Form::WorkflowToken, "a workflow token", Service::Messaging, SECRET, TOKENS, |value| token(value, &["xwfp-"])),
    row(
        Form::Webhook,
        "a webhook URL",
        Service::Messaging,
        SECRET,
        "https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks",
        |value| webhook(value) == Some(true),
    ),
    row(
        Form::WebhookStart,
        "the beginning of a webhook URL",
        Service::Messaging,
        SECRET,
        "https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks",
        |value| webhook(value) == Some(false),
    ),
    row(
        Form::WebhookPath,
        "the last part of a webhook URL",
        Service::Messaging,
        SECRET,
        "https://github.com/ansible/awx/issues/6517",
        |value| {
            let path = value.trim_start_matches('/');
            is_webhook_path(path.strip_prefix("services/").unwrap_or(path))
        },
    ),
    row(
        Form::ChannelLink,
        "a link to a channel",
        Service::Messaging,
        PUBLIC,
        "https://github.com/slackapi/bolt-js/issues/2115",
        |value| {
            value.strip_prefix("https://").and_then(|rest| rest.split_once('/')).is_some_and(|(host, path)| {
                host.ends_with(".slack.com") && (path.starts_with("archives/") || path.starts_with("client/"))
            })
        },
    ),
    row(Form::ConversationId, "a channel ID", Service::Messaging, PUBLIC_PERHAPS, IDS, |value| {
        id(value, &['C', 'G', 'D', 'Z'])
    }),
    row(Form::UserId, "a user ID", Service::Messaging, PUBLIC_PERHAPS, IDS, |value| id(value, &['U', 'W'])),
    row(Form::WorkspaceId, "a workspace ID", Service::Messaging, PUBLIC_PERHAPS, IDS, |value| id(value, &['T', 'E'])),
    row(Form::ObjectId, "the ID of an app, a bot or a file", Service::Messaging, PUBLIC_PERHAPS, IDS, |value| {
        id(value, &['A', 'B', 'F', 'S'])
    }),
    row(
        Form::ClientId,
        "a client ID",
        Service::Messaging,
        PUBLIC_PERHAPS,
        "https://docs.slack.dev/authentication/installing-with-oauth",
        |value| numbers(value).is_some_and(|(one, other)| (9..=13).contains(&one) && (9..=14).contains(&other)),
    ),
    row(Form::MessageTime, "a message timestamp", Service::Messaging, PUBLIC_PERHAPS, IDS, |value| {
        numbers(value) == Some((10, 6))
    }),
    row(
        Form::Hex32,
        "32 hex digits",
        Service::Many,
        SECRET_PERHAPS,
        "https://docs.slack.dev/authentication/verifying-requests-from-slack",
        |value| value.len() == 32 && is_lower_hex(value),
    ),
    row(Form::Jwt, "a JSON Web Token", Service::Many, SECRET_PERHAPS, "https://www.rfc-editor.org/rfc/rfc7519", is_jwt),
    row(Form::Email, "an e-mail address", Service::Many, PUBLIC, "https://www.rfc-editor.org/rfc/rfc5322", is_email),
];

/// The serial of a master application key.
const ZEROS: &str = "0000000000";

/// Nothing that the hosted messaging service issues as a token is shorter. Its tokens have a prefix, one or two numbers of
/// ten digits and more, and a secret part of 24 characters; only the least of that is held against a value, which is what
/// scanners ask for: <https://github.com/trufflesecurity/trufflehog/tree/main/pkg/detectors/slack>.
pub(super) const SHORTEST_TOKEN: usize = "xoxb-0123456789-0123456789".len();

impl Form {
    /// The form of a value that stands by itself: what nobody else issues before what others may issue, too.
    pub(super) fn from_value(value: &str) -> Option<Self> {
        let own = |certain| ROWS.iter().find(|row| row.certain == certain && (row.matches)(value)).map(|row| row.form);
        own(true).or_else(|| vendors::find(value).map(Form::Other)).or_else(|| own(false))
    }

    fn row(self) -> Option<&'static Row> {
        ROWS.iter().find(|row| row.form == self)
    }

    /// What it is called, with its article.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Self::Other(vendor) => vendor.noun,
            own => own.row().map_or("a credential", |row| row.noun),
        }
    }

    /// Who issues it.
    #[must_use]
    pub fn service(self) -> Service {
        self.row().map_or(Service::Other, |row| row.service)
    }

    /// Whether it is a credential, or a part of one that must not be printed.
    #[must_use]
    pub fn is_secret(self) -> bool {
        self.row().is_none_or(|row| row.secret)
    }

    /// Whether nobody else issues what looks so.
    #[must_use]
    pub fn is_certain(self) -> bool {
        self.row().is_none_or(|row| row.certain)
    }

    /// Where it is documented.
    #[must_use]
    pub fn source(self) -> &'static str {
        match self {
            Self::Other(vendor) => vendor.source,
            own => own.row().map_or("", |row| row.source),
        }
    }

    /// Whether it is the secret half of a storage pair.
    #[must_use]
    pub const fn is_key(self) -> bool {
        matches!(self, Self::ApplicationKey | Self::MasterKey)
    }

    /// Whether it is the public half of a storage pair.
    #[must_use]
    pub const fn is_id(self) -> bool {
        matches!(self, Self::AccountId | Self::KeyId | Self::MasterKeyId)
    }

    /// Whether it is a token that may upload.
    #[must_use]
    pub const fn is_access_token(self) -> bool {
        matches!(self, Self::BotToken | Self::UserToken | Self::RotatedBotToken | Self::RotatedUserToken)
    }

    /// Whether it is a webhook's address, or a part of one.
    #[must_use]
    pub fn is_webhook(self) -> bool {
        match self {
            Self::Webhook | Self::WebhookPath | Self::WebhookStart => true,
            Self::Other(vendor) => vendor.webhook,
            _ => false,
        }
    }

    /// The account that is part of an id.
    #[must_use]
    pub fn account(self, value: &str) -> Option<&str> {
        match self {
            Self::AccountId => Some(value),
            Self::KeyId | Self::MasterKeyId => value.get(3..15),
            _ => None,
        }
    }

    /// The cluster that is part of an id or a key.
    /// Source for the key: every public sample, and <https://backblaze.com/apidocs/introduction-to-the-b2-native-api>,
    /// which numbers clusters so; documents show a placeholder that mismatches, so this is never more than a warning.
    #[must_use]
    pub fn cluster(self, value: &str) -> Option<&str> {
        match self {
            Self::KeyId | Self::MasterKeyId => value.get(..3),
            Self::ApplicationKey => value.get(1..4),
            _ => None,
        }
    }
}

fn is_key_id(value: &str) -> bool {
    value.len() == 25 && is_lower_hex(value) && is_number(&value[..3])
}

fn is_application_key(value: &str) -> bool {
    value.len() == 31
        && value.starts_with('K')
        && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/".contains(&byte))
        && is_number(&value[1..4])
}

/// `N_`, a keyID's digits, three parts and `acct_…`.
fn is_storage_token(value: &str) -> bool {
    let parts: Vec<&str> = value.splitn(5, '_').collect();
    let [version, id, _, _, rest] = parts[..] else { return false };
    is_number(version) && id.len() == 25 && is_lower_hex(id) && rest.starts_with("acct_")
}

/// One of the prefixes, and what a token is made of, once.
fn token(value: &str, prefixes: &[&str]) -> bool {
    let body = prefixes.iter().find_map(|prefix| value.strip_prefix(prefix));
    body.is_some_and(|body| {
        let word = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        !body.is_empty()
            && body.bytes().all(word)
            && !["xoxb-", "xoxp-", "xapp-"].iter().any(|second| body.contains(second))
    })
}

/// `xoxd-`: a cookie, so it may be percent-encoded.
fn is_cookie(value: &str) -> bool {
    value.strip_prefix("xoxd-").is_some_and(|body| {
        !body.is_empty() && body.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_%+/=".contains(&byte))
    })
}

fn id(value: &str, first: &[char]) -> bool {
    value.starts_with(first)
        && (9..=21).contains(&value.len())
        && value.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        // A word in capitals is none.
        && value.bytes().any(|byte| byte.is_ascii_digit())
}

/// How long two numbers are that are joined by a dot.
fn numbers(value: &str) -> Option<(usize, usize)> {
    let (one, other) = value.split_once('.')?;
    (is_number(one) && is_number(other)).then_some((one.len(), other.len()))
}

/// The hosts of the webhooks of the hosted messaging service.
const HOOKS: [&str; 2] = ["hooks.slack.com", "hooks.slack-gov.com"];

/// Whether an address is one of these hosts', and whole: `None` if it is not theirs.
fn webhook(value: &str) -> Option<bool> {
    let rest = value.strip_prefix("https://").or_else(|| value.strip_prefix("http://"))?;
    let host =
        HOOKS.iter().find(|host| rest.get(..host.len()).is_some_and(|start| start.eq_ignore_ascii_case(host)))?;
    let path = &rest[host.len()..];
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_/".contains(&byte);
    if !(path.is_empty() || path.starts_with('/')) || !path.bytes().all(plain) {
        return None;
    }
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    Some(match parts[..] {
        ["workflows", _, _, _, secret] | ["services" | "triggers", _, _, secret] => secret.len() >= 8,
        // An old form, without a word before it.
        [team, hook, secret] => id(team, &['T']) && id(hook, &['B']) && secret.len() >= 8,
        _ => false,
    })
}

/// `T…/B…/…`: an id of a workspace, one of a webhook, and its secret.
fn is_webhook_path(value: &str) -> bool {
    let parts: Vec<&str> = value.split('/').collect();
    let [team, hook, secret] = parts[..] else { return false };
    id(team, &['T', 'E'])
        && id(hook, &['B', 'A', 'X'])
        && secret.len() >= 16
        && secret.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Three parts of base64, the first of which begins as a JSON object does.
fn is_jwt(value: &str) -> bool {
    let word = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    value.starts_with("eyJ")
        && value.split('.').count() == 3
        && value.split('.').all(|part| part.len() > 8 && word(part))
}

/// `local@host.domain`, and nothing of a URL.
fn is_email(value: &str) -> bool {
    let plain = |part: &str, marks: &[u8]| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || marks.contains(&byte))
    };
    value.split_once('@').is_some_and(|(local, host)| {
        plain(local, b"._%+-")
            && host.split('.').all(|label| plain(label, b"-"))
            && host
                .rsplit_once('.')
                .is_some_and(|(_, top)| top.len() >= 2 && top.bytes().all(|b| b.is_ascii_alphabetic()))
    })
}
