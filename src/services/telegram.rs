//! Telegram.

use super::{FORM, Form, Pattern, Service, Source};

pub static SERVICE: Service = Service {
    name: "Telegram",
    docs: "https://core.telegram.org/bots/api#authorizing-your-bot",
    read: "2026-11-21",
    forms: &[&BOT_TOKEN],
};

pub static BOT_TOKEN: Form = Form {
    id: "telegram/bot-token",
    noun: "a Telegram bot token",
    patterns: &[Pattern::Text("[0-9]{8,12}:AA[0-9A-Za-z_-]{33}")],
    source: Source::Official(SERVICE.docs),
    ..FORM
};
