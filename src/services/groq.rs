//! Groq.

use super::{BLANK, FORM, Form, Pattern, Service, TRUFFLEHOG};

pub static SERVICE: Service = Service { name: "Groq", docs: "", read: "2026-11-21", forms: &[&KEY], ..BLANK };

pub static KEY: Form = Form {
    id: "groq/key",
    noun: "a Groq key",
    patterns: &[Pattern::Text("gsk_[0-9A-Za-z_]{40,60}")],
    source: TRUFFLEHOG,
    ..FORM
};
