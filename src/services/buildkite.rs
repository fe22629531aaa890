//! Buildkite.

use super::{BLANK, FORM, Form, Pattern, Service, TRUFFLEHOG};

pub static SERVICE: Service = Service { name: "Buildkite", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form {
    id: "buildkite/token",
    noun: "a Buildkite token",
    patterns: &[Pattern::Text("bkua_[0-9A-Za-z_]{30,50}")],
    source: TRUFFLEHOG,
    ..FORM
};
