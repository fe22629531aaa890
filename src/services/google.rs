//! Google.

use super::{BLANK, FORM, Form, GITLEAKS, KINGFISHER, Pattern, Protocol, Purpose, Service, Source, TRUFFLEHOG};

pub static SERVICE: Service = Service {
    name: "Google",
    docs: "https://developers.google.com/workspace/chat/quickstart/webhooks",
    read: "2026-11-21",
    forms: &[&API_KEY, &CLIENT_SECRET, &ACCESS_TOKEN, &HMAC_KEY, &CHAT_WEBHOOK],
    ..BLANK
};

pub static API_KEY: Form = Form {
    id: "google/api-key",
    noun: "a Google API key",
    patterns: &[Pattern::Text("AIza[0-9A-Za-z_.=+/~-]{35}")],
    source: GITLEAKS,
    ..FORM
};

pub static CLIENT_SECRET: Form = Form {
    id: "google/client-secret",
    noun: "a Google OAuth client secret",
    patterns: &[Pattern::Text("GOCSPX-[0-9A-Za-z_.=+/~-]{20,40}")],
    source: KINGFISHER,
    ..FORM
};

pub static ACCESS_TOKEN: Form = Form {
    id: "google/access-token",
    noun: "a Google OAuth access token",
    patterns: &[Pattern::Text(r"ya29\.[0-9A-Za-z_.=+/~-]{20,}")],
    source: TRUFFLEHOG,
    ..FORM
};

pub static HMAC_KEY: Form = Form {
    id: "google/hmac-key",
    noun: "a Google Cloud HMAC key",
    patterns: &[Pattern::Text("GOOG1E[0-9A-Za-z_]{20,60}")],
    purpose: Purpose::Id,
    protocol: Some(Protocol::S3),
    source: KINGFISHER,
    ..FORM
};

pub static CHAT_WEBHOOK: Form = Form {
    id: "google/chat-webhook",
    noun: "a Google Chat webhook",
    patterns: &[Pattern::Address { hosts: &["chat.googleapis.com"], path: "v1/spaces/[!-~]{4,}" }],
    purpose: Purpose::Webhook,
    source: Source::Official(SERVICE.docs),
    ..FORM
};
