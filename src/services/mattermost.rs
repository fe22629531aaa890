//! Mattermost.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Mattermost",
    docs: "https://docs.mattermost.com/developers/integrate/webhooks/incoming",
    read: "2026-11-21",
    forms: &[&WEBHOOK],
    ..BLANK
};

pub static WEBHOOK: Form = Form {
    id: "mattermost/webhook",
    noun: "a Mattermost webhook",
    patterns: &[Address { hosts: &["*"], path: "hooks/[0-9a-z]{26}" }],
    purpose: Purpose::Webhook,
    protocol: Some(Protocol::SlackWebhook),
    source: Official(SERVICE.docs),
    ..FORM
};
