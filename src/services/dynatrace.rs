//! Dynatrace.

use super::{BLANK, FORM, Form, GITLEAKS, Pattern, Service};

pub static SERVICE: Service = Service { name: "Dynatrace", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form {
    id: "dynatrace/token",
    noun: "a Dynatrace token",
    patterns: &[Pattern::Text(r"dt0c01\.[0-9A-Za-z_.=+/~-]{24,}")],
    source: GITLEAKS,
    ..FORM
};
