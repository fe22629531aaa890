//! Postman.

use super::{BLANK, FORM, Form, GITLEAKS, Pattern, Service};

pub static SERVICE: Service = Service { name: "Postman", docs: "", read: "2026-11-21", forms: &[&KEY], ..BLANK };

pub static KEY: Form = Form {
    id: "postman/key",
    noun: "a Postman key",
    patterns: &[Pattern::Text("PMAK-[0-9A-Za-z_.=+/~-]{40,80}")],
    source: GITLEAKS,
    ..FORM
};
