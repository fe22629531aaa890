//! OpenRouter.

use super::{BLANK, FORM, Form, Pattern, Service, TRUFFLEHOG};

pub static SERVICE: Service = Service { name: "OpenRouter", docs: "", read: "2026-11-21", forms: &[&KEY], ..BLANK };

pub static KEY: Form = Form {
    id: "openrouter/key",
    noun: "an OpenRouter key",
    patterns: &[Pattern::Text("sk-or-v1-[0-9A-Fa-f]{64}")],
    source: TRUFFLEHOG,
    ..FORM
};
