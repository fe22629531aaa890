//! New Relic.

use super::{BLANK, FORM, Form, GITLEAKS, Pattern, Service};

pub static SERVICE: Service = Service { name: "New Relic", docs: "", read: "2026-11-21", forms: &[&KEY], ..BLANK };

pub static KEY: Form = Form {
    id: "new-relic/key",
    noun: "a New Relic key",
    patterns: &[
        Pattern::Text("NRAK-[0-9A-Za-z_.=+/~-]{16,40}"),
        Pattern::Text("NRJS-[0-9A-Za-z_.=+/~-]{16,40}"),
        Pattern::Text("NRII-[0-9A-Za-z_.=+/~-]{16,40}"),
    ],
    source: GITLEAKS,
    ..FORM
};
