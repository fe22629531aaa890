//! Atlassian.

use super::{BLANK, FORM, Form, Pattern, Service, TRUFFLEHOG};

pub static SERVICE: Service = Service { name: "Atlassian", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form {
    id: "atlassian/token",
    noun: "an Atlassian token",
    patterns: &[
        Pattern::Text("ATATT3[0-9A-Za-z_.=+/~-]{20,}"),
        Pattern::Text("ATCTT3[0-9A-Za-z_.=+/~-]{20,}"),
        Pattern::Text("ATBB[0-9A-Za-z_.=+/~-]{20,}"),
    ],
    source: TRUFFLEHOG,
    ..FORM
};
