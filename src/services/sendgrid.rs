//! SendGrid.

use super::{BLANK, FORM, Form, GITLEAKS, Pattern, Service};

pub static SERVICE: Service = Service { name: "SendGrid", docs: "", read: "2026-11-21", forms: &[&KEY], ..BLANK };

pub static KEY: Form = Form {
    id: "sendgrid/key",
    noun: "a SendGrid key",
    patterns: &[Pattern::Text(r"SG\.[0-9A-Za-z_.=+/~-]{60,80}")],
    source: GITLEAKS,
    ..FORM
};
