//! age.

use super::{BLANK, FORM, Form, GITLEAKS, Pattern, Service};

pub static SERVICE: Service = Service { name: "age", docs: "", read: "2026-11-21", forms: &[&KEY], ..BLANK };

pub static KEY: Form = Form {
    id: "age/key",
    noun: "an age key",
    patterns: &[Pattern::Text("AGE-SECRET-KEY-1[0-9A-Z]{58}")],
    source: GITLEAKS,
    ..FORM
};
