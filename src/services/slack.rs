//! Slack.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Slack",
    docs: "https://docs.slack.dev/authentication/tokens",
    read: "2026-11-21",
    forms: &[
        &BOT_TOKEN, &USER_TOKEN, &ROTATED_BOT_TOKEN, &ROTATED_USER_TOKEN, &APP_TOKEN, &REFRESH_TOKEN, &SESSION_TOKEN,
        &RETIRED_TOKEN, &WORKFLOW_TOKEN, &WEBHOOK, &WEBHOOK_CUT, &WEBHOOK_START, &WEBHOOK_PATH, &CHANNEL_LINK,
        &API_ADDRESS, &ADDRESS, &CHANNEL_NAME, &CONVERSATION_ID, &USER_ID, &WORKSPACE_ID, &OBJECT_ID, &CLIENT_ID,
        &MESSAGE_TIME,
    ],
    words: &["SLACK"],
    // The base of the Web API in many public programs, with or without `/api`; others keep a webhook in it.
    api: &["API_URL", "API_BASE_URL"],
    fields: &[
        &WEBHOOK_FIELD, &BOT_TOKEN_FIELD, &TOKEN_FIELD, &APP_TOKEN_FIELD, &SIGNING_SECRET_FIELD, &REFRESH_TOKEN_FIELD,
        &CLIENT_SECRET_FIELD, &CLIENT_ID_FIELD, &CHANNEL_FIELD,
    ],
    hosts: HOSTS,
    refusals: REFUSALS,
    errors: ERRORS,
    ..BLANK
};

const TOKENS: Source = Official("https://docs.slack.dev/authentication/tokens");
const HOOKS: Source = Official("https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks");
const IDS: Source = Example("https://github.com/slackapi/bolt-js/issues/2115");
const HOOK_HOSTS: &[&str] = &["hooks.slack.com", "hooks.slack-gov.com"];

/// A token, which never contains a second one. It has a prefix, one or two numbers of at least ten digits, and a secret
/// part of 24 characters. Only values shorter than two numbers are rejected, as in secret scanners:
/// <https://github.com/trufflesecurity/trufflehog/tree/main/pkg/detectors/slack>.
const TOKEN: Form = Form {
    without: &["xoxb-", "xoxp-", "xapp-"],
    shortest: "xoxb-0123456789-0123456789".len(),
    source: TOKENS,
    ..FORM
};

pub static BOT_TOKEN: Form = Form {
    id: "slack/bot-token",
    noun: "a bot token",
    patterns: &[Text("xoxb-[0-9A-Za-z_-]+")],
    purpose: Purpose::AccessToken,
    advice: "needs the scope files:write for uploads",
    called: &[("SLACK_BOT_TOKEN", "SDKs and most programs"), ("token", "slack-github-action")],
    ..TOKEN
};

pub static USER_TOKEN: Form = Form {
    id: "slack/user-token",
    noun: "a user token",
    patterns: &[Text("xoxp-[0-9A-Za-z_-]+")],
    purpose: Purpose::AccessToken,
    advice: "needs the scope files:write for uploads",
    called: &[("SLACK_USER_TOKEN", "SDKs and most programs")],
    ..TOKEN
};

/// Of an app with token rotation.
pub static ROTATED_BOT_TOKEN: Form = Form {
    id: "slack/rotated-bot-token",
    noun: "a rotating bot token",
    patterns: &[Text(r"xoxe\.xoxb-[0-9A-Za-z_-]+")],
    advice: "expires within about 12 hours",
    expires: true,
    ..BOT_TOKEN
};

/// Of an app with token rotation.
pub static ROTATED_USER_TOKEN: Form = Form {
    id: "slack/rotated-user-token",
    noun: "a rotating user token",
    patterns: &[Text(r"xoxe\.xoxp-[0-9A-Za-z_-]+")],
    advice: "expires within about 12 hours",
    expires: true,
    ..USER_TOKEN
};

/// For Socket Mode and event APIs only.
pub static APP_TOKEN: Form = Form {
    id: "slack/app-token",
    noun: "an app-level token",
    patterns: &[Text("xapp-[0-9A-Za-z_-]+")],
    purpose: Purpose::OtherToken,
    looks: "begins with `xapp-`",
    advice: "is for Socket Mode; it can't upload files",
    called: &[("SLACK_APP_TOKEN", "SDKs, Socket Mode")],
    ..TOKEN
};

/// Exchanged for access tokens, and not one itself.
pub static REFRESH_TOKEN: Form = Form {
    purpose: Purpose::OtherToken,
    looks: "begins with `xoxe-` and a number",
    advice: "is exchanged for access tokens",
    ..Form::new("slack/refresh-token", "a refresh token", &[Text("xoxe-[0-9]+-[!-~]*")], TOKENS)
};

/// Usable in a browser only. The cookie may be percent-encoded.
pub static SESSION_TOKEN: Form = Form {
    id: "slack/session-token",
    noun: "a browser session token",
    patterns: &[Text("xoxd-[0-9A-Za-z_%+/=-]+"), Text("xox[cso]-[0-9A-Za-z_-]+")],
    purpose: Purpose::OtherToken,
    looks: "begins with `xoxc-`, `xoxd-`, `xoxs-` or `xoxo-`",
    advice: "belongs to a browser session and works only there",
    source: Example("https://github.com/emtunc/SlackPirate/issues/61"),
    ..TOKEN
};

/// Of workspace apps, which were discontinued in August 2021.
pub static RETIRED_TOKEN: Form = Form {
    id: "slack/retired-token",
    noun: "a retired workspace app token",
    patterns: &[Text("xox[ar]-[0-9A-Za-z_-]+")],
    purpose: Purpose::OtherToken,
    looks: "begins with `xoxa-` or `xoxr-`",
    advice: "is of a type that was retired in 2021",
    source: Official("https://docs.slack.dev/changelog/2021-03-workspace-apps-to-retire-in-august-2021"),
    ..TOKEN
};

/// For one workflow step, for minutes.
pub static WORKFLOW_TOKEN: Form = Form {
    id: "slack/workflow-token",
    noun: "a workflow token",
    patterns: &[Text("xwfp-[0-9A-Za-z_-]+")],
    purpose: Purpose::OtherToken,
    looks: "begins with `xwfp-`",
    advice: "expires after minutes",
    ..TOKEN
};

/// The last pattern is an old form without a leading word.
pub static WEBHOOK: Form = Form {
    id: "slack/webhook",
    noun: "a webhook URL",
    patterns: &[
        Address { hosts: HOOK_HOSTS, path: "(?:services|triggers)/[0-9A-Za-z_-]+/[0-9A-Za-z_-]+/[0-9A-Za-z_-]{8,}" },
        Address { hosts: HOOK_HOSTS, path: "workflows/(?:[0-9A-Za-z_-]+/){3}[0-9A-Za-z_-]{8,}" },
        Address { hosts: HOOK_HOSTS, path: "T[A-Z0-9]{8,20}/B[A-Z0-9]{8,20}/[0-9A-Za-z_-]{8,}" },
    ],
    purpose: Purpose::Webhook,
    protocol: Some(Protocol::SlackWebhook),
    looks: "begins with `https://hooks.slack.com/services/`",
    advice: "posts messages to one channel; it can't upload files",
    called: &[("SLACK_WEBHOOK_URL", "slack-github-action"), ("slack_api_url", "Alertmanager")],
    source: HOOKS,
    ..FORM
};

/// With the ID of a workspace, so that nothing is appended to it.
pub static WEBHOOK_CUT: Form = Form {
    id: "slack/webhook-cut",
    noun: "a webhook URL without its end",
    patterns: &[Address {
        hosts: HOOK_HOSTS,
        path: "services/[TE][A-Z0-9]{7,20}(?:/[AB]?[A-Z0-9]*(?:/[0-9A-Za-z_-]{0,7})?)?",
    }],
    purpose: Purpose::Webhook,
    missing: Missing::Short,
    advice: "is only part of it; copy the whole URL",
    source: HOOKS,
    ..FORM
};

pub static WEBHOOK_START: Form = Form {
    id: "slack/webhook-start",
    noun: "the beginning of a webhook URL",
    patterns: &[Address { hosts: HOOK_HOSTS, path: "[0-9A-Za-z_/-]*" }],
    purpose: Purpose::Webhook,
    missing: Missing::Piece,
    advice: "is only part of it; copy the whole URL",
    source: HOOKS,
    ..FORM
};

/// The path of a webhook alone: the IDs of a workspace and a webhook, and the webhook's secret.
pub static WEBHOOK_PATH: Form = Form {
    id: "slack/webhook-path",
    noun: "the last part of a webhook URL",
    patterns: &[Text("/*(?:services/)?[TE][A-Z0-9]{8,20}/[BAX][A-Z0-9]{8,20}/[0-9A-Za-z]{16,}")],
    purpose: Purpose::Webhook,
    missing: Missing::Piece,
    advice: "is only part of it; copy the whole URL",
    source: Example("https://github.com/ansible/awx/issues/6517"),
    ..FORM
};

pub static CHANNEL_LINK: Form = Form {
    id: "slack/channel-link",
    noun: "a link to a channel",
    patterns: &[Address { hosts: &["*.slack.com"], path: "(?:archives|client)/[!-~]*" }],
    public: true,
    advice: "is not a credential",
    source: IDS,
    ..FORM
};

pub static API_ADDRESS: Form = Form {
    id: "slack/api-address",
    noun: "the address of Slack's API",
    patterns: &[Address { hosts: &["slack.com", "*.slack.com"], path: "api(?:/[!-~]*)?" }],
    public: true,
    advice: "is not a credential",
    source: Official("https://docs.slack.dev/apis/web-api/"),
    ..FORM
};

/// Any other address of the service. Some are webhooks of a kind that is no longer made.
pub static ADDRESS: Form = Form {
    id: "slack/address",
    noun: "another address of Slack",
    patterns: &[Address { hosts: &["slack.com", "*.slack.com"], path: "[!-~]*" }],
    public: true,
    rest: true,
    advice: "is not a credential",
    source: Official("https://docs.slack.dev/apis/web-api/"),
    ..FORM
};

pub static CHANNEL_NAME: Form = Form {
    id: "slack/channel-name",
    noun: "a channel's name",
    patterns: &[Text("#[a-z0-9_-]{1,80}")],
    with: &[],
    advice: "is not a credential; the API takes a channel's ID",
    ..ID
};

/// An ID: capitals and digits. A word in capitals is not an ID.
const ID: Form = Form {
    with: &[Class::Digit],
    certain: false,
    public: true,
    advice: "is an ID, not a credential",
    source: IDS,
    ..FORM
};

pub static CONVERSATION_ID: Form =
    Form { id: "slack/conversation-id", noun: "a channel ID", patterns: &[Text("[CGDZ][A-Z0-9]{8,20}")], ..ID };

pub static USER_ID: Form =
    Form { id: "slack/user-id", noun: "a user ID", patterns: &[Text("[UW][A-Z0-9]{8,20}")], ..ID };

pub static WORKSPACE_ID: Form =
    Form { id: "slack/workspace-id", noun: "a workspace ID", patterns: &[Text("[TE][A-Z0-9]{8,20}")], ..ID };

pub static OBJECT_ID: Form = Form {
    id: "slack/object-id",
    noun: "the ID of an app, a bot or a file",
    patterns: &[Text("[ABFS][A-Z0-9]{8,20}")],
    ..ID
};

pub static CLIENT_ID: Form = Form {
    id: "slack/client-id",
    noun: "a client ID",
    patterns: &[Text(r"[0-9]{9,13}\.[0-9]{9,14}")],
    certain: false,
    public: true,
    advice: "is public and goes with the client secret",
    source: Official("https://docs.slack.dev/authentication/installing-with-oauth"),
    ..FORM
};

/// Identifies a message.
pub static MESSAGE_TIME: Form = Form {
    certain: false,
    public: true,
    ..Form::new("slack/message-time", "a message timestamp", &[Text(r"[0-9]{10}\.[0-9]{6}")], IDS)
};

const ACTION: Source = Official("https://github.com/rtCamp/action-slack-notify");
const BOLT: Source = Official("https://docs.slack.dev/tools/bolt-js/getting-started");
const OAUTH: Source = Official("https://docs.slack.dev/authentication/installing-with-oauth");

/// Values that are never a token.
const NO_TOKENS: &[&Form] = &[&CHANNEL_NAME, &CONVERSATION_ID, &USER_ID, &WORKSPACE_ID, &OBJECT_ID];

/// Values that are never a webhook.
const NO_WEBHOOKS: &[Mistake] = &[Mistake {
    forms: &[&API_ADDRESS, &CHANNEL_LINK, &CHANNEL_NAME, &CONVERSATION_ID],
    repair: NO_WEBHOOK,
    source: HOOKS,
}];
const NO_WEBHOOK: &str = "set it to the whole URL of the webhook: `https://hooks.slack.com/services/…`";

/// `SLACK_API_URL` is Alertmanager's global webhook, and the address of the API for others.
pub static WEBHOOK_FIELD: Field = Field {
    place: ("messaging", "webhook_url"),
    noun: "a webhook URL",
    about: "the URL of an incoming webhook; it can't upload files",
    takes: &[&WEBHOOK],
    names: &[
        Names {
            also: AliasUse::Alone,
            ..Names::apart(&["WEBHOOK", "WEBHOOK_URL", "WEBHOOK_URI", "WEBHOOKURL"], ACTION)
        },
        Names { also: AliasUse::Alone, ..Names::apart(&["HOOK_URL"], ACTION) },
        Names::new(&["WEB_HOOK", "WEB_HOOK_URL", "HOOK", "INCOMING_WEBHOOK", "INCOMING_WEBHOOK_URL"], ACTION),
        Names {
            unless: &[&API_ADDRESS],
            // In that case it may be the service's own.
            within: false,
            ..Names::new(
                &["API_URL"],
                Official("https://prometheus.io/docs/alerting/latest/configuration/#file-layout-and-global-settings"),
            )
        },
    ],
    mistakes: NO_WEBHOOKS,
    ..FIELD
};

pub static BOT_TOKEN_FIELD: Field = Field {
    place: ("app", "bot_token"),
    noun: "an access token",
    about: "Bot User OAuth Token, shown under OAuth & Permissions of the app",
    takes: &[&BOT_TOKEN, &ROTATED_BOT_TOKEN],
    names: &[
        Names { also: AliasUse::Alone, ..Names::apart(&["BOT_TOKEN", "BOT_ACCESS_TOKEN"], BOLT) },
        Names::new(&["BOT_USER_OAUTH_TOKEN", "BOT_OAUTH_TOKEN", "BOT_USER_TOKEN"], BOLT),
    ],
    mistakes: &[Mistake {
        forms: NO_TOKENS,
        repair: "set it to the bot token, which begins with `xoxb-`",
        source: TOKENS,
    }],
    ..FIELD
};

pub static TOKEN_FIELD: Field = Field {
    place: ("messaging", "token"),
    noun: "an access token",
    about: "access token, sent as `Authorization: Bearer …`",
    takes: &[&BOT_TOKEN, &USER_TOKEN, &ROTATED_BOT_TOKEN, &ROTATED_USER_TOKEN],
    names: &[
        Names { also: AliasUse::Referred, ..Names::new(&["TOKEN"], TOKENS) },
        Names {
            also: AliasUse::Alone,
            ..Names::apart(&["API_TOKEN", "ACCESS_TOKEN", "OAUTH_TOKEN", "USER_TOKEN", "AUTH_TOKEN"], TOKENS)
        },
        Names::new(&["OAUTH_ACCESS_TOKEN"], TOKENS),
    ],
    mistakes: &[Mistake {
        forms: NO_TOKENS,
        repair: "set it to the token, which begins with `xoxb-` or `xoxp-`",
        source: TOKENS,
    }],
    ..FIELD
};

pub static APP_TOKEN_FIELD: Field = Field {
    place: ("app", "app_token"),
    noun: "an app-level token",
    about: "App-Level Token, shown under Basic Information of the app",
    takes: &[&APP_TOKEN],
    names: &[
        // "App token" may mean the token of the app's bot.
        Names { also: AliasUse::Referred, ..Names::new(&["APP_TOKEN", "XAPP_TOKEN"], BOLT) },
        Names { also: AliasUse::Alone, ..Names::apart(&["APP_LEVEL_TOKEN"], BOLT) },
    ],
    mistakes: &[Mistake {
        forms: NO_TOKENS,
        repair: "set it to the app-level token, which begins with `xapp-`",
        source: TOKENS,
    }],
    ..FIELD
};

/// 32 hex digits, like many other values.
pub static SIGNING_SECRET_FIELD: Field = Field {
    place: ("app", "signing_secret"),
    noun: "a signing secret",
    about: "Signing Secret, shown under Basic Information of the app",
    names: &[Names { also: AliasUse::Alone, ..Names::apart(&["SIGNING_SECRET"], BOLT) }],
    ..FIELD
};

pub static REFRESH_TOKEN_FIELD: Field = Field {
    noun: "a refresh token",
    takes: &[&REFRESH_TOKEN],
    names: &[Names {
        also: AliasUse::Alone,
        ..Names::apart(&["REFRESH_TOKEN"], Official("https://docs.slack.dev/authentication/using-token-rotation"))
    }],
    ..FIELD
};

/// The kind of the values that identify an app during installation. It has no profiles.
const OAUTH_APP: &str = "slack-oauth";

pub static CLIENT_SECRET_FIELD: Field = Field {
    place: (OAUTH_APP, "client_secret"),
    noun: "a client secret",
    about: "the client secret, on the app's page under \"Basic Information\"",
    names: &[Names { also: AliasUse::Alone, ..Names::apart(&["CLIENT_SECRET"], OAUTH) }],
    ..FIELD
};

pub static CLIENT_ID_FIELD: Field = Field {
    place: (OAUTH_APP, "client_id"),
    noun: "a client ID",
    about: "the client ID, two numbers with a dot between them, on the app's page under \"Basic Information\"",
    purpose: Purpose::Id,
    takes: &[&CLIENT_ID],
    names: &[Names { also: AliasUse::Alone, ..Names::apart(&["CLIENT_ID"], OAUTH) }],
    ..FIELD
};

/// It is not a credential: only a credential here is reported.
pub static CHANNEL_FIELD: Field = Field {
    place: ("messaging", "channels"),
    noun: "a channel",
    about: "ID of a channel, shown at the end of its details",
    purpose: Purpose::Other,
    takes: &[&CONVERSATION_ID, &CHANNEL_NAME, &USER_ID],
    names: &[Names::new(&["CHANNEL", "CHANNEL_ID"], ACTION)],
    ..FIELD
};

const API: Source = Official("https://docs.slack.dev/apis/web-api/");

/// The domain for governments is hosted too: <https://docs.slack.dev/govslack>. There, the purpose of `api.` and the
/// location of web pages are not documented.
const HOSTS: &[Host] = &[
    Host {
        hosts: &["slack.com", "*.slack.com", "slack-gov.com", "*.slack-gov.com"],
        under: &["archives", "client", "messages"],
        serves: Serves::Link,
        noun: "a link to a channel or a message",
        source: IDS,
        ..HOST
    },
    Host { hosts: &["app.slack.com", "app.slack-gov.com"], noun: "the Slack web client", source: API, ..HOST },
    Host {
        hosts: &["files.slack.com", "files.slack-gov.com"],
        serves: Serves::Other,
        noun: "Slack's file host",
        source: API,
        ..HOST
    },
    Host { hosts: HOOK_HOSTS, serves: Serves::Other, noun: "Slack's webhook host", source: HOOKS, ..HOST },
    Host {
        hosts: &["api.slack.com", "docs.slack.com", "docs.slack.dev"],
        noun: "Slack's developer site",
        source: API,
        ..HOST
    },
    Host {
        hosts: &["status.slack.com", "my.slack.com", "join.slack.com"],
        noun: "a page of Slack's website",
        source: API,
        ..HOST
    },
    Host {
        hosts: &["slack.com", "*.slack.com"],
        serves: Serves::Api,
        noun: "a page of Slack's website",
        home: "https://slack.com",
        source: API,
        ..HOST
    },
    Host {
        hosts: &["slack-gov.com", "*.slack-gov.com"],
        serves: Serves::Api,
        noun: "a page of Slack's website",
        home: "https://slack-gov.com",
        source: Official("https://docs.slack.dev/govslack"),
        ..HOST
    },
];

const SET_TOKEN: &str =
    "set {credential} to a token that is valid for this workspace; run `credlint check` to see whether its type fits";
const SET_CHANNELS: &str = "set `channels` to the channel ID: the last part of a link to the channel";
const SEE_CHANNELS: &str = "if the ID in `channels` is right, invite the app to the channel, or use a token of the workspace that the channel is in";
const JOIN: &str = "invite the app to the channel, or remove the channel from `channels`";
const ASK: &str = "ask an administrator of the workspace to allow it";
const AGAIN: &str = "try again later";
const LOOK: &str = "the file may have been posted anyway: look in the channel before you run it again";
const SET_METHOD: &str = "set `upload_method = \"external\"`, the method that the service supports now";
const CHECK_BASE: &str = "check {address}: credlint calls {operations}{operation}";
const REPORT: &str = "check that {address} is a service that supports {operation}; it rejects the documented request";

/// Source: <https://docs.slack.dev/reference/methods/files.upload>.
const REFUSALS: &[Refusal] = &[
    Refusal("access_denied", "the token has no permission to do this", ASK),
    Refusal("accesslimited", "the service does not accept requests from this network address", ASK),
    Refusal("account_inactive", "the account or workspace of the token is deleted or disabled", SET_TOKEN),
    Refusal("blocked_file_type", "files of this type are blocked in the workspace", ASK),
    Refusal("cannot_dm_bot", "bots can't receive direct messages from each other", "remove that ID from `channels`"),
    Refusal("channel_is_archived", "the channel is archived", "remove that channel from `channels`"),
    Refusal("channel_not_found", "one of the channels does not exist, or the token can't see it", SEE_CHANNELS),
    Refusal("channels_limit_exceeded", "there are too many channels", "list fewer IDs in `channels`"),
    Refusal("deprecated_endpoint", "the service has retired this operation", SET_METHOD),
    Refusal("ekm_access_denied", "the administrators have suspended posting", ASK),
    Refusal("enterprise_is_restricted", "the operation can't be used with an enterprise-wide token", SET_TOKEN),
    Refusal("fatal_error", "the service failed", LOOK),
    Refusal(
        "file_not_found",
        "the service does not have the content of the file, or it was already posted",
        "run it again; each run requests a new upload",
    ),
    Refusal("file_type_not_allowed", "files of this type are not allowed in the workspace", ASK),
    Refusal("file_update_failed", "the service could not post the file", AGAIN),
    Refusal("file_upload_size_restricted", "the file is larger than the workspace allows", "send a smaller file"),
    Refusal("file_uploads_disabled", "uploads are disabled in the workspace", ASK),
    Refusal("file_uploads_except_images_disabled", "uploads other than images are disabled in the workspace", ASK),
    Refusal("internal_error", "the service failed", LOOK),
    Refusal("invalid_arg_name", "the service does not know a field of the request", REPORT),
    Refusal("invalid_arguments", "the service rejects a value of the request", "{arguments}"),
    Refusal("invalid_array_arg", "the service rejects a value of the request", "{arguments}"),
    Refusal("invalid_auth", "the token is not valid", SET_TOKEN),
    Refusal("invalid_channel", "a channel ID is not valid", SET_CHANNELS),
    Refusal("invalid_charset", "the service rejects the format of the request", REPORT),
    Refusal("invalid_form_data", "the service rejects the format of the request", REPORT),
    Refusal("invalid_post_type", "the service rejects the format of the request", REPORT),
    Refusal(
        "invalid_thread_ts",
        "no message has this timestamp",
        "pass --thread the `ts` of the first message of the thread, such as `1700000000.000100`",
    ),
    Refusal("is_archived", "the channel is archived", "remove that channel from `channels`"),
    Refusal("is_bot", "bots are not allowed to do this", SET_TOKEN),
    Refusal(
        "malware_detected",
        "the service classified the file as malware",
        "look at the file; if it is harmless, ask an administrator of the workspace",
    ),
    Refusal("method_deprecated", "the service has retired this operation", SET_METHOD),
    Refusal("method_not_allowed", "the service does not support this kind of request", CHECK_BASE),
    Refusal(
        "method_not_supported_for_channel_type", "a conversation of this kind does not support this",
        "remove that channel from `channels`",
    ),
    Refusal("missing_argument", "a field is missing from the request", REPORT),
    Refusal("missing_post_type", "the service rejects the format of the request", REPORT),
    Refusal(
        "missing_scope",
        "the token lacks a scope",
        "add the scope `{scope}` to the app, reinstall it, and set {credential} to the new token",
    ),
    Refusal("no_file", "the service found no file in the request", "some services reject empty files"),
    Refusal("no_file_data", "the service found no file in the request", "some services reject empty files"),
    Refusal("no_permission", "the token has no permission to do this", ASK),
    Refusal(
        "not_allowed_token_type",
        "a token of this kind can't upload files",
        "set {credential} to a bot or user token with the scope `files:write`",
    ),
    Refusal(
        "not_authed",
        "the service found no token in the request",
        "set {credential}; if it is set, a proxy may have removed it",
    ),
    Refusal("not_in_channel", "the app is not a member of one of the channels", JOIN),
    Refusal("org_login_required", "the workspace is being moved to an organisation", AGAIN),
    Refusal("post_contents_too_large", "the file is too large", "send a smaller file"),
    Refusal("posting_to_channel_denied", "the token may not post to one of the channels", JOIN),
    Refusal("posting_to_general_channel_denied", "the token may not post to the general channel", JOIN),
    Refusal("ratelimited", "too many requests", AGAIN),
    Refusal("request_timeout", "the upload was too slow or incomplete", AGAIN),
    Refusal("restricted_action", "a workspace policy forbids this", ASK),
    Refusal(
        "restricted_action_non_threadable_channel", "a channel does not allow replies in threads",
        "leave out --thread, or choose another channel",
    ),
    Refusal(
        "restricted_action_read_only_channel",
        "a channel is read-only for the app",
        "allow the app to post there, or remove that channel from `channels`",
    ),
    Refusal("restricted_action_thread_locked", "the thread is locked", "choose another thread with --thread"),
    Refusal(
        "restricted_action_thread_only_channel", "a channel allows only replies in threads",
        "pass --thread the `ts` of a message in the channel",
    ),
    Refusal("service_unavailable", "the service is unavailable", AGAIN),
    Refusal("slack_connect_blocked_file_type", "files of this type are blocked in a shared channel", JOIN),
    Refusal("slack_connect_clip_sharing_blocked", "clips are blocked in a shared channel", JOIN),
    Refusal("slack_connect_file_upload_sharing_blocked", "uploads are blocked in a shared channel", JOIN),
    Refusal("storage_limit_reached", "the storage of the workspace is full", ASK),
    Refusal("team_access_not_granted", "the token has no access to this workspace", SET_TOKEN),
    Refusal("team_added_to_org", "the workspace is being moved to an organisation", AGAIN),
    Refusal(
        "thread_not_found",
        "no message has this timestamp",
        "pass --thread the `ts` of the first message of the thread, such as `1700000000.000100`",
    ),
    Refusal("token_expired", "the token has expired", SET_TOKEN),
    Refusal("token_revoked", "the token was revoked", SET_TOKEN),
    Refusal("two_factor_setup_required", "the account of the token must set up two-factor authentication", ASK),
    Refusal("unknown_method", "the service does not know this operation", CHECK_BASE),
    Refusal("upgrade_required", "the plan of the workspace does not include this", ASK),
];

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &["invalid_auth"],
        near: &["slack", "slacker"],
        about: &[&TOKEN_FIELD, &BOT_TOKEN_FIELD, &APP_TOKEN_FIELD],
        says: "Slack does not recognise the token",
        open: "whether it was revoked, or is of another workspace",
        source: Official("https://docs.slack.dev/reference/methods/files.upload"),
        ..ERROR
    },
    ErrorText {
        texts: &["not_authed"],
        near: &["slack", "slacker"],
        about: &[&TOKEN_FIELD, &BOT_TOKEN_FIELD],
        says: "no token arrived",
        open: "whether the variable reaches the program",
        source: Official("https://docs.slack.dev/reference/methods/files.upload"),
        ..ERROR
    },
    ErrorText {
        texts: &["not_allowed_token_type"],
        near: &["slack", "slacker"],
        about: &[&TOKEN_FIELD, &BOT_TOKEN_FIELD, &APP_TOKEN_FIELD],
        says: "the token is of a kind that this method does not accept",
        open: "whether the method accepts a bot token at all",
        source: Official("https://docs.slack.dev/reference/methods/files.upload"),
        ..ERROR
    },
    ErrorText {
        texts: &["missing_scope"],
        near: &["slack", "slacker"],
        says: "the token is right, and the app lacks a scope",
        open: "add the scope to the app and install it again; `credlint verify` lists the scopes",
        source: Official("https://docs.slack.dev/reference/methods/files.upload"),
        ..ERROR
    },
    ErrorText {
        texts: &["not_in_channel"],
        near: &["slack", "slacker"],
        says: "the token is right, and the bot is not in the channel",
        open: "invite the bot to the channel",
        source: Official("https://docs.slack.dev/reference/methods/files.upload"),
        ..ERROR
    },
    ErrorText {
        texts: &["channel_not_found"],
        near: &["slack", "slacker"],
        about: &[&CHANNEL_FIELD],
        says: "Slack has no channel with this ID, or the bot can't see it",
        open: "whether the bot is in a private channel",
        source: Official("https://docs.slack.dev/reference/methods/files.upload"),
        ..ERROR
    },
    ErrorText {
        texts: &["no_service", "no_active_hooks", "no_team"],
        near: &["slack", "slacker"],
        about: &[&WEBHOOK_FIELD],
        says: "the webhook does not exist any more, or its address is incomplete",
        open: "whether the webhook was removed",
        source: Official("https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks"),
        ..ERROR
    },
];
