//! Mailgun.

use super::{BLANK, FORM, Form, GITLEAKS, Pattern, Service};

pub static SERVICE: Service = Service { name: "Mailgun", docs: "", read: "2026-11-21", forms: &[&KEY], ..BLANK };

pub static KEY: Form = Form {
    id: "mailgun/key",
    noun: "a Mailgun key",
    patterns: &[Pattern::Text("key-[0-9A-Fa-f]{32}")],
    source: GITLEAKS,
    ..FORM
};
