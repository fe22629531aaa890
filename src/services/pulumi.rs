//! Pulumi.

use super::{BLANK, FORM, Form, GITLEAKS, Pattern, Service};

pub static SERVICE: Service = Service { name: "Pulumi", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form {
    id: "pulumi/token",
    noun: "a Pulumi token",
    patterns: &[Pattern::Text("pul-[0-9A-Fa-f]{40}")],
    source: GITLEAKS,
    ..FORM
};
