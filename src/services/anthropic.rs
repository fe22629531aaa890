//! Anthropic.

use super::{BLANK, FORM, Form, Pattern, Service, TRUFFLEHOG};

pub static SERVICE: Service = Service { name: "Anthropic", docs: "", read: "2026-11-21", forms: &[&KEY], ..BLANK };

pub static KEY: Form = Form {
    id: "anthropic/key",
    noun: "an Anthropic key",
    patterns: &[Pattern::Text("sk-ant-[0-9A-Za-z_.=+/~-]{20,}")],
    source: TRUFFLEHOG,
    ..FORM
};
