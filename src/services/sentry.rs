//! Sentry.

use super::{BLANK, FORM, Form, Pattern, Service, TRUFFLEHOG};

pub static SERVICE: Service = Service { name: "Sentry", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form {
    id: "sentry/token",
    noun: "a Sentry token",
    patterns: &[Pattern::Text("sntrys_[0-9A-Za-z_.=+/~-]{40,}"), Pattern::Text("sntryu_[0-9A-Za-z_.=+/~-]{40,}")],
    source: TRUFFLEHOG,
    ..FORM
};
