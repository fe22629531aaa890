//! The forms of the two services' values, and some that many services share.

use super::digits::{is_lower_hex, is_number};
use super::vendors::{self, Vendor};

/// The issuer of a form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Service {
    /// Slack, and services with the same protocol.
    Messaging,
    /// Backblaze B2.
    Storage,
    /// Another known service.
    Other,
    /// Many services share the form.
    Many,
}

/// The form of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Form {
    /// 12 hex digits; also the keyID of the master application key.
    AccountId,
    /// Cluster (3 digits), account ID (12 hex digits) and serial (10 hex digits, not all 0).
    KeyId,
    /// A keyID with a serial of zeros: the newer keyID of a master application key.
    MasterKeyId,
    /// `K`, cluster (3 digits) and 27 letters, digits, `+` or `/`.
    ApplicationKey,
    /// 27 letters, digits, `-` or `_`: the former form of application keys. It is known from a single sample, so it is
    /// not used in findings.
    OldApplicationKey,
    /// 42 hex digits.
    MasterKey,
    /// 24 hex digits: not a credential, but often pasted as one.
    BucketId,
    /// The token that the storage service's authorization returns. It is valid for a day.
    StorageToken,
    /// A keyID and an application key, joined by a colon.
    StoragePair,
    /// `xoxb-`.
    BotToken,
    /// `xoxp-`.
    UserToken,
    /// `xoxe.xoxb-`: a bot token of an app with token rotation.
    RotatedBotToken,
    /// `xoxe.xoxp-`: a user token of an app with token rotation.
    RotatedUserToken,
    /// `xapp-`: for Socket Mode and event APIs only.
    AppToken,
    /// `xoxe-1-`: exchanged for access tokens, and not one itself.
    RefreshToken,
    /// `xoxc-`, `xoxd-`, `xoxs-`, `xoxo-`: tokens of a browser session, usable only there.
    SessionToken,
    /// `xoxa-`, `xoxr-`: tokens of workspace apps, which were discontinued in August 2021.
    RetiredToken,
    /// `xwfp-`: valid for one workflow step, for minutes.
    WorkflowToken,
    /// Two numbers joined by a dot.
    ClientId,
    /// An address on `hooks.slack.com`.
    Webhook,
    /// The path of a webhook alone: `T…/B…/…`.
    WebhookPath,
    /// The start of a webhook.
    WebhookStart,
    /// A link to a channel or message.
    ChannelLink,
    /// Another address of the messaging service, such as its API's.
    ServiceAddress,
    /// `C…`, `G…`, `D…`, `Z…`: a channel or conversation.
    ConversationId,
    /// `U…`, `W…`.
    UserId,
    /// `T…`, `E…`: a workspace or organisation.
    WorkspaceId,
    /// `A…`, `B…`, `F…`, `S…`: an app, a bot, a file or a user group.
    ObjectId,
    /// Ten digits, a dot and six digits: a message timestamp, which identifies the message.
    MessageTime,
    /// 32 hex digits: an app's signing secret or client secret, and many other values.
    Hex32,
    /// A JSON Web Token; many services issue them.
    Jwt,
    /// An e-mail address, used to sign in to a console.
    Email,
    /// A credential of another service.
    Other(&'static Vendor),
}

/// The properties of a form.
struct Row {
    form: Form,
    /// The noun with its article.
    noun: &'static str,
    service: Service,
    /// True for (part of) a credential that must not be printed.
    secret: bool,
    /// True if no other service issues this form.
    certain: bool,
    /// The documentation.
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

/// Flags (secret, certain): for secrets, for other values, and for forms that other services share.
const SECRET: (bool, bool) = (true, true);
const PUBLIC: (bool, bool) = (false, true);
const SECRET_PERHAPS: (bool, bool) = (true, false);
const PUBLIC_PERHAPS: (bool, bool) = (false, false);

/// All forms except those of other vendors, the more specific first.
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
    row(
        Form::ServiceAddress,
        "an address of Slack that is not a webhook",
        Service::Messaging,
        PUBLIC,
        "https://docs.slack.dev/apis/web-api/",
        |value| {
            let host = value.strip_prefix("https://").and_then(|rest| rest.split('/').next());
            host.is_some_and(|host| host == "slack.com" || host.ends_with(".slack.com"))
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

/// The minimum length of the hosted messaging service's tokens, which have a prefix, one or two numbers of at least ten
/// digits, and a secret part of 24 characters. Only the shortest combination is rejected, as in secret scanners:
/// <https://github.com/trufflesecurity/trufflehog/tree/main/pkg/detectors/slack>.
pub(super) const SHORTEST_TOKEN: usize = "xoxb-0123456789-0123456789".len();

impl Form {
    /// Returns the form of an unwrapped value. Certain forms take precedence over shared ones.
    pub(super) fn from_value(value: &str) -> Option<Self> {
        let own = |certain| ROWS.iter().find(|row| row.certain == certain && (row.matches)(value)).map(|row| row.form);
        own(true).or_else(|| vendors::find(value).map(Form::Other)).or_else(|| own(false))
    }

    fn row(self) -> Option<&'static Row> {
        ROWS.iter().find(|row| row.form == self)
    }

    /// Returns the noun with its article.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Self::Other(vendor) => vendor.noun,
            own => own.row().map_or("a credential", |row| row.noun),
        }
    }

    /// Returns the issuer.
    #[must_use]
    pub fn service(self) -> Service {
        self.row().map_or(Service::Other, |row| row.service)
    }

    /// Returns `true` for a credential, or part of one, that must not be printed.
    #[must_use]
    pub fn is_secret(self) -> bool {
        self.row().is_none_or(|row| row.secret)
    }

    /// Returns `true` if no other service issues this form.
    #[must_use]
    pub fn is_certain(self) -> bool {
        self.row().is_none_or(|row| row.certain)
    }

    /// Returns the source of this information.
    #[must_use]
    pub fn source(self) -> &'static str {
        match self {
            Self::Other(vendor) => vendor.source,
            own => own.row().map_or("", |row| row.source),
        }
    }

    /// Returns `true` for the key of a storage pair.
    #[must_use]
    pub const fn is_key(self) -> bool {
        matches!(self, Self::ApplicationKey | Self::MasterKey)
    }

    /// Returns `true` for the ID of a storage pair.
    #[must_use]
    pub const fn is_id(self) -> bool {
        matches!(self, Self::AccountId | Self::KeyId | Self::MasterKeyId)
    }

    /// Returns `true` for a token that may upload.
    #[must_use]
    pub const fn is_access_token(self) -> bool {
        matches!(self, Self::BotToken | Self::UserToken | Self::RotatedBotToken | Self::RotatedUserToken)
    }

    /// Returns `true` for a webhook or part of one.
    #[must_use]
    pub fn is_webhook(self) -> bool {
        match self {
            Self::Webhook | Self::WebhookPath | Self::WebhookStart => true,
            Self::Other(vendor) => vendor.webhook,
            _ => false,
        }
    }

    /// Returns the account in an ID.
    #[must_use]
    pub fn account(self, value: &str) -> Option<&str> {
        match self {
            Self::AccountId => Some(value),
            Self::KeyId | Self::MasterKeyId => value.get(3..15),
            _ => None,
        }
    }

    /// Returns the cluster in an ID or key. Source for the key: every public sample, and
    /// <https://backblaze.com/apidocs/introduction-to-the-b2-native-api>, which numbers clusters this way. The
    /// documentation has a placeholder that doesn't match, so a mismatch is only a warning.
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

/// Returns `true` for `N_`, a keyID's digits, three parts and `acct_…`.
fn is_storage_token(value: &str) -> bool {
    let parts: Vec<&str> = value.splitn(5, '_').collect();
    let [version, id, _, _, rest] = parts[..] else { return false };
    is_number(version) && id.len() == 25 && is_lower_hex(id) && rest.starts_with("acct_")
}

/// Returns `true` for one of the prefixes, followed by the characters of a token.
fn token(value: &str, prefixes: &[&str]) -> bool {
    let body = prefixes.iter().find_map(|prefix| value.strip_prefix(prefix));
    body.is_some_and(|body| {
        let word = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        !body.is_empty()
            && body.bytes().all(word)
            && !["xoxb-", "xoxp-", "xapp-"].iter().any(|second| body.contains(second))
    })
}

/// Returns `true` for `xoxd-`, a cookie that may be percent-encoded.
fn is_cookie(value: &str) -> bool {
    value.strip_prefix("xoxd-").is_some_and(|body| {
        !body.is_empty() && body.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_%+/=".contains(&byte))
    })
}

fn id(value: &str, first: &[char]) -> bool {
    value.starts_with(first)
        && (9..=21).contains(&value.len())
        && value.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        // A word in capitals is not an ID.
        && value.bytes().any(|byte| byte.is_ascii_digit())
}

/// Returns the lengths of two numbers joined by a dot.
fn numbers(value: &str) -> Option<(usize, usize)> {
    let (one, other) = value.split_once('.')?;
    (is_number(one) && is_number(other)).then_some((one.len(), other.len()))
}

/// Webhook hosts of the hosted messaging service.
const HOOKS: [&str; 2] = ["hooks.slack.com", "hooks.slack-gov.com"];

/// Returns whether a webhook of these hosts is complete. `None` for other addresses.
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
        // An old form without a leading word.
        [team, hook, secret] => id(team, &['T']) && id(hook, &['B']) && secret.len() >= 8,
        _ => false,
    })
}

/// Returns `true` for `T…/B…/…`: the IDs of a workspace and a webhook, and the webhook's secret.
fn is_webhook_path(value: &str) -> bool {
    let parts: Vec<&str> = value.split('/').collect();
    let [team, hook, secret] = parts[..] else { return false };
    id(team, &['T', 'E'])
        && id(hook, &['B', 'A', 'X'])
        && secret.len() >= 16
        && secret.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Returns `true` for three base64 parts, the first of which starts like a JSON object.
fn is_jwt(value: &str) -> bool {
    let word = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    value.starts_with("eyJ")
        && value.split('.').count() == 3
        && value.split('.').all(|part| part.len() > 8 && word(part))
}

/// Returns `true` for `local@host.domain` without the characters of a URL.
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
