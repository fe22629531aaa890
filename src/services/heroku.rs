//! Heroku.

use super::{BLANK, FORM, Form, GITLEAKS, Pattern, Service};

pub static SERVICE: Service = Service { name: "Heroku", docs: "", read: "2026-11-21", forms: &[&KEY], ..BLANK };

pub static KEY: Form = Form {
    id: "heroku/key",
    noun: "a Heroku key",
    patterns: &[Pattern::Text("HRKU-[0-9A-Za-z_.=+/~-]{36,80}")],
    source: GITLEAKS,
    ..FORM
};
