//! Telegram.

use super::{Also, BLANK, FIELD, FORM, Field, Form, Mistake, NAMES, Names, Pattern, Purpose, Service, Source};

pub static SERVICE: Service = Service {
    name: "Telegram",
    docs: "https://core.telegram.org/bots/api#authorizing-your-bot",
    read: "2026-11-22",
    forms: &[&BOT_TOKEN],
    words: &["TELEGRAM"],
    fields: &[&BOT_TOKEN_FIELD, &CHAT_ID_FIELD],
    ..BLANK
};

const SERVER: Source =
    Source::Official("https://github.com/tdlib/telegram-bot-api/blob/master/telegram-bot-api/ClientManager.cpp");
/// Nobody documents these names; programs have them.
const APPS: Source = Source::Example("https://github.com/appleboy/telegram-action");

/// The number of the bot, and a secret. Programs add `/test` for the test servers. The lengths are the usual ones.
pub static BOT_TOKEN: Form = Form {
    id: "telegram/bot-token",
    noun: "a Telegram bot token",
    patterns: &[Pattern::Text("[1-9][0-9]{7,11}:AA[0-9A-Za-z_-]{33}")],
    purpose: Purpose::AccessToken,
    advice: "is of one bot; the chat it writes to has an ID of its own",
    source: SERVER,
    ..FORM
};

pub static BOT_TOKEN_FIELD: Field = Field {
    place: ("telegram", "bot_token"),
    noun: "a bot token",
    about: "the token from BotFather: a number, a colon and 35 more characters",
    purpose: Purpose::AccessToken,
    takes: &[&BOT_TOKEN],
    names: &[
        Names { words: &["BOT_TOKEN"], also: Also::Alone, source: APPS, ..NAMES },
        Names { words: &["TOKEN"], source: APPS, ..NAMES },
    ],
    ..FIELD
};

/// A number, or `@` and the name of a channel: many other values are such.
pub static CHAT_ID_FIELD: Field = Field {
    place: ("telegram", "chat_id"),
    noun: "a chat ID",
    about: "the ID of the chat: a number, or `@` and the name of a channel",
    purpose: Purpose::Id,
    names: &[
        Names { words: &["CHAT_ID"], also: Also::Alone, source: APPS, ..NAMES },
        Names { words: &["TO"], source: APPS, ..NAMES },
    ],
    mistakes: &[Mistake {
        form: &BOT_TOKEN,
        repair: "set it to the ID of the chat: a number, or `@` and the name of a channel",
        source: Source::Example("https://github.com/yagop/node-telegram-bot-api/issues/1249"),
    }],
    ..FIELD
};
