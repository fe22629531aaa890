//! Doppler.

use super::{BLANK, FORM, Form, Pattern, Service, TRUFFLEHOG};

pub static SERVICE: Service = Service { name: "Doppler", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form {
    id: "doppler/token",
    noun: "a Doppler token",
    patterns: &[
        Pattern::Text(r"dp\.pt\.[0-9A-Za-z_.=+/~-]{20,}"),
        Pattern::Text(r"dp\.st\.[0-9A-Za-z_.=+/~-]{20,}"),
        Pattern::Text(r"dp\.ct\.[0-9A-Za-z_.=+/~-]{20,}"),
        Pattern::Text(r"dp\.sa\.[0-9A-Za-z_.=+/~-]{20,}"),
        Pattern::Text(r"dp\.scim\.[0-9A-Za-z_.=+/~-]{20,}"),
        Pattern::Text(r"dp\.audit\.[0-9A-Za-z_.=+/~-]{20,}"),
    ],
    source: TRUFFLEHOG,
    ..FORM
};
