//! OpenAI.

use super::{BLANK, FORM, Form, Pattern, Service, TRUFFLEHOG};

pub static SERVICE: Service = Service { name: "OpenAI", docs: "", read: "2026-11-21", forms: &[&KEY], ..BLANK };

pub static KEY: Form = Form {
    id: "openai/key",
    noun: "an OpenAI key",
    patterns: &[
        Pattern::Text("sk-proj-[0-9A-Za-z_.=+/~-]{20,}"),
        Pattern::Text("sk-svcacct-[0-9A-Za-z_.=+/~-]{20,}"),
        Pattern::Text("sk-admin-[0-9A-Za-z_.=+/~-]{20,}"),
    ],
    source: TRUFFLEHOG,
    ..FORM
};
