//! Telegram.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Telegram",
    docs: "https://core.telegram.org/bots/api#authorizing-your-bot",
    read: "2026-11-23",
    forms: &[&BOT_TOKEN, &BOT_AND_TOKEN, &CHAT_LINK],
    words: &["TELEGRAM", "TG"],
    fields: &[&BOT_TOKEN_FIELD, &CHAT_ID_FIELD],
    relations: &[Relation::Differ {
        part: "bot",
        field: &BOT_TOKEN_FIELD,
        other: &CHAT_ID_FIELD,
        noun: "the number of the bot",
        repair: "set it to the ID of the chat that the bot writes to; `getMe` shows the bot's own, `getUpdates` that of a chat in which somebody wrote to it",
        source: Example("https://github.com/boredazfcuk/docker-icloudpd/issues/234"),
    }],
    errors: ERRORS,
    ..BLANK
};

const SERVER: Source =
    Official("https://github.com/tdlib/telegram-bot-api/blob/master/telegram-bot-api/ClientManager.cpp");
/// These names are not documented, but programs use them.
const APPS: Source = Example("https://github.com/appleboy/telegram-action");

const NOTI: Source = Example("https://github.com/variadico/noti/blob/main/docs/noti.md");

/// The number of the bot, and a secret. Programs add `/test` for the test servers. The lengths are the usual ones.
pub static BOT_TOKEN: Form = Form {
    id: "telegram/bot-token",
    noun: "a Telegram bot token",
    patterns: &[Text("(?<bot>[1-9][0-9]{7,11}):AA[0-9A-Za-z_-]{33}")],
    purpose: Purpose::AccessToken,
    advice: "is of one bot; the chat it writes to has an ID of its own",
    source: SERVER,
    ..FORM
};

/// As in the addresses of the API.
pub static BOT_AND_TOKEN: Form = Form::new(
    "telegram/bot-and-token",
    "a bot token with `bot` before it",
    &[Text("bot[1-9][0-9]{7,11}:AA[0-9A-Za-z_-]{33}")],
    SERVER,
);

pub static CHAT_LINK: Form = Form {
    id: "telegram/chat-link",
    noun: "a link to a chat",
    patterns: &[Address { hosts: &["t.me", "telegram.me"], path: "[+0-9A-Za-z_/?=-]+" }],
    public: true,
    purpose: Purpose::Name,
    source: Official("https://core.telegram.org/api/links"),
    ..FORM
};

pub static BOT_TOKEN_FIELD: Field = Field {
    place: ("telegram", "bot_token"),
    noun: "a bot token",
    about: "the token from BotFather; a number, a colon and 35 more characters",
    purpose: Purpose::AccessToken,
    takes: &[&BOT_TOKEN],
    names: &[Names::apart(&["BOT_TOKEN"], APPS), Names::new(&["TOKEN"], APPS)],
    // A script may append it to the address literally.
    mistakes: &[Mistake {
        forms: &[&BOT_AND_TOKEN],
        repair: "set it to the token without `bot`, unless the program appends the value to an address as it is",
        source: Unsure("https://github.com/Robertof/perl-www-telegram-botapi/issues/20"),
    }],
    ..FIELD
};

/// A number, or `@` and the name of a channel, like many other values.
pub static CHAT_ID_FIELD: Field = Field {
    place: ("telegram", "chat_id"),
    noun: "a chat ID",
    about: "the ID of the chat: a number, or `@` and the name of a channel",
    purpose: Purpose::Id,
    names: &[Names::apart(&["CHAT_ID"], APPS), Names::new(&["CHATID"], NOTI), Names::new(&["TO"], APPS)],
    mistakes: &[
        Mistake {
            forms: &[&BOT_TOKEN],
            repair: "set it to the ID of the chat: a number, or `@` and the name of a channel",
            source: Example("https://github.com/ak545/dns-domain-expiration-checker/issues/19"),
        },
        Mistake {
            forms: &[&CHAT_LINK],
            repair: "set it to the ID of the chat: a number, or `@` and the name of a channel; few programs look a chat up by its link",
            source: Unsure("https://github.com/sibalzer/impfbot/issues/62"),
        },
    ],
    ..FIELD
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &[
            "ETELEGRAM: 404 Not Found",
            "ETELEGRAM: 401 Unauthorized",
            "A request to the Telegram API was unsuccessful. Error code: 401",
            "UnauthorizedError: (u'Unauthorized', 401",
            "Unauthorized: invalid token specified",
            "telegram.error.Unauthorized: Unauthorized",
            "Error getting updates: [401] Unauthorized",
        ],
        about: &[&BOT_TOKEN_FIELD],
        says: "Telegram does not recognise the bot token; a 404 means that it does not look like one",
        open: "whether @BotFather has revoked it",
        source: Official("https://github.com/tdlib/telegram-bot-api/blob/master/telegram-bot-api/ClientManager.cpp"),
        ..ERROR
    },
    ErrorText {
        texts: UNAUTHORIZED,
        hosts: &["api.telegram.org"],
        about: &[&BOT_TOKEN_FIELD],
        says: "Telegram refused the bot token",
        open: "whether @BotFather has revoked it",
        source: Example("https://github.com/jptsantossilva/BEC/issues/8"),
        ..ERROR
    },
    ErrorText {
        texts: &["Bad Request: chat not found"],
        about: &[&CHAT_ID_FIELD],
        says: "the token is right, and this bot does not recognise the chat",
        open: "whether somebody has written to the bot in that chat",
        source: Example("https://github.com/RITlug/teleirc/issues/353"),
        ..ERROR
    },
];
