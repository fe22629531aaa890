//! Replicate.

use super::{BLANK, FORM, Form, Pattern, Service, TRUFFLEHOG};

pub static SERVICE: Service = Service { name: "Replicate", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form {
    id: "replicate/token",
    noun: "a Replicate token",
    patterns: &[Pattern::Text("r8_[0-9A-Za-z_]{37}")],
    source: TRUFFLEHOG,
    ..FORM
};
