//! Discord.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Discord",
    docs: "https://discord.com/developers/docs/reference#authentication",
    read: "2026-11-23",
    forms: &[&SLACK_WEBHOOK, &WEBHOOK, &BOT_TOKEN, &CLIENT_SECRET, &WEBHOOK_TOKEN],
    words: &["DISCORD"],
    fields: &[&BOT_TOKEN_FIELD, &WEBHOOK_FIELD, &CLIENT_SECRET_FIELD, &CLIENT_ID_FIELD],
    errors: ERRORS,
    ..BLANK
};

const HOOKS: Source = Official("https://discord.com/developers/docs/resources/webhook");
const BOT: Source =
    Official("https://github.com/discordjs/discord.js/blob/main/packages/discord.js/src/client/Client.js");
const START: Source = Official("https://discord.com/developers/docs/quick-start/getting-started");
const ACTIVITY: Source = Official("https://discord.com/developers/docs/activities/building-an-activity");

const HOSTS: &[&str] = &["discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com"];

pub static SLACK_WEBHOOK: Form = Form {
    id: "discord/slack-webhook",
    noun: "a Slack-compatible Discord webhook",
    patterns: &[Address { hosts: HOSTS, path: "api/webhooks/[!-~]{4,}/slack" }],
    purpose: Purpose::Webhook,
    protocol: Some(Protocol::SlackWebhook),
    source: Official("https://discord.com/developers/docs/resources/webhook#execute-slackcompatible-webhook"),
    ..FORM
};

pub static WEBHOOK: Form = Form {
    id: "discord/webhook",
    noun: "a Discord webhook",
    patterns: &[
        Address { hosts: HOSTS, path: "api/webhooks/[!-~]{4,}" },
        Address { hosts: HOSTS, path: "api/v[0-9]+/webhooks/[!-~]{4,}" },
    ],
    purpose: Purpose::Webhook,
    source: HOOKS,
    ..FORM
};

/// The number of the bot's user in base64, a time, and a signature. Digits in base64 consist of a few letters. The
/// lengths are those of examples, and longer ones have been seen.
pub static BOT_TOKEN: Form = Form {
    id: "discord/bot-token",
    noun: "a Discord bot token",
    patterns: &[Text(r"[MNO][DTjz][AEIMQUYcgk][wxyz0-5][0-9A-Za-z_-]{19,24}\.[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{27,}")],
    purpose: Purpose::AccessToken,
    advice: "is the token from the page Bot of the application",
    source: Example("https://discord.com/developers/docs/reference#authentication"),
    ..FORM
};

/// Many other values look like it.
pub static CLIENT_SECRET: Form = Form {
    id: "discord/client-secret",
    noun: "32 letters and digits, as a client secret has",
    patterns: &[Text("[0-9A-Za-z_-]{32}")],
    with: &[Class::Digit, Class::Lower, Class::Upper],
    issued_by: Issuer::Many,
    certain: false,
    purpose: Purpose::Key,
    source: GITLEAKS,
    ..FORM
};

/// The last part of a webhook's address. Many other values look like it.
pub static WEBHOOK_TOKEN: Form = Form {
    id: "discord/webhook-token",
    noun: "68 letters and digits, as the token of a webhook has",
    patterns: &[Text("[0-9A-Za-z_-]{68}")],
    with: &[Class::Digit, Class::Lower, Class::Upper],
    issued_by: Issuer::Many,
    certain: false,
    source: Official("https://github.com/discordjs/discord.js/blob/main/packages/discord.js/src/util/Util.js"),
    ..FORM
};

pub static BOT_TOKEN_FIELD: Field = Field {
    place: ("discord", "bot_token"),
    noun: "a bot token",
    about: "the bot token from the page Bot of the application, three parts with points between them",
    takes: &[&BOT_TOKEN],
    names: &[Names::new(&["TOKEN"], BOT), Names::apart(&["BOT_TOKEN"], START)],
    mistakes: &[
        Mistake {
            forms: &[&CLIENT_SECRET],
            repair: "set it to the bot token from the page Bot, three parts with points between them; the client secret of the page OAuth2 is no token",
            source: Example("https://github.com/discordjs/discord.js/issues/5286"),
        },
        Mistake {
            forms: &[&WEBHOOK],
            repair: "set it to the bot token from the page Bot; a webhook is an address for messages, and no bot",
            source: Example("https://github.com/Rapptz/discord.py/issues/366"),
        },
        Mistake {
            forms: &[&WEBHOOK_TOKEN],
            repair: "set it to the bot token from the page Bot, three parts with points between them; the token of a webhook is no bot's",
            source: Example("https://github.com/MiraWaNeko/DiscordIntegration/issues/64"),
        },
    ],
    ..FIELD
};

/// Programs also use these names for the addresses of other services.
pub static WEBHOOK_FIELD: Field = Field {
    place: ("discord", "webhook_url"),
    noun: "a webhook",
    about: "the address of the webhook, from the channel's settings",
    takes: &[&WEBHOOK, &SLACK_WEBHOOK],
    names: &[Names::apart(&["WEBHOOK_URL", "WEBHOOK", "WEBHOOKURL", "WEB_HOOK"], DIUN)],
    ..FIELD
};

const DIUN: Source = Example("https://crazymax.dev/diun/notif/discord/");

pub static CLIENT_SECRET_FIELD: Field = Field {
    place: ("discord", "client_secret"),
    noun: "a client secret",
    about: "the client secret from the page OAuth2 of the application",
    takes: &[&CLIENT_SECRET],
    names: &[Names::apart(&["CLIENT_SECRET"], ACTIVITY)],
    ..FIELD
};

/// A number, like many other values.
pub static CLIENT_ID_FIELD: Field = Field {
    place: ("discord", "client_id"),
    noun: "the application's ID",
    about: "the ID of the application, 17 to 19 digits",
    purpose: Purpose::Id,
    names: &[Names::apart(&["CLIENT_ID", "APPLICATION_ID"], START)],
    ..FIELD
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[ErrorText {
    texts: &["Improper token has been passed", "An invalid token was provided"],
    near: &["discord"],
    about: &[&BOT_TOKEN_FIELD],
    says: "Discord does not recognise the bot token; a client secret or an ID is not one",
    open: "whether it was reset",
    source: Example("https://github.com/Rapptz/discord.py/issues/7336"),
    ..ERROR
}];
