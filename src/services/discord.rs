//! Discord.

use super::{BLANK, FORM, Form, Pattern, Protocol, Purpose, Service, Source};

pub static SERVICE: Service = Service {
    name: "Discord",
    docs: "https://discord.com/developers/docs/resources/webhook#execute-slackcompatible-webhook",
    read: "2026-11-21",
    forms: &[&SLACK_WEBHOOK, &WEBHOOK],
    ..BLANK
};

pub static SLACK_WEBHOOK: Form = Form {
    id: "discord/slack-webhook",
    noun: "a Slack-compatible Discord webhook",
    patterns: &[Pattern::Address {
        hosts: &["discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com"],
        path: "api/webhooks/[!-~]{4,}/slack",
    }],
    purpose: Purpose::Webhook,
    protocol: Some(Protocol::SlackWebhook),
    source: Source::Official(SERVICE.docs),
    ..FORM
};

pub static WEBHOOK: Form = Form {
    id: "discord/webhook",
    noun: "a Discord webhook",
    patterns: &[Pattern::Address {
        hosts: &["discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com"],
        path: "api/webhooks/[!-~]{4,}",
    }],
    purpose: Purpose::Webhook,
    source: Source::Official("https://discord.com/developers/docs/resources/webhook"),
    ..FORM
};
