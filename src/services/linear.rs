//! Linear.

use super::{BLANK, FORM, Form, GITLEAKS, Pattern, Service};

pub static SERVICE: Service = Service { name: "Linear", docs: "", read: "2026-11-21", forms: &[&KEY], ..BLANK };

pub static KEY: Form = Form {
    id: "linear/key",
    noun: "a Linear key",
    patterns: &[Pattern::Text("lin_api_[0-9A-Za-z_]{32,64}")],
    source: GITLEAKS,
    ..FORM
};
