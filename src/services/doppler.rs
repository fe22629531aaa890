//! Doppler.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "Doppler", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form::new(
    "doppler/token",
    "a Doppler token",
    &[
        Text(r"dp\.pt\.[0-9A-Za-z_.=+/~-]{20,}"),
        Text(r"dp\.st\.[0-9A-Za-z_.=+/~-]{20,}"),
        Text(r"dp\.ct\.[0-9A-Za-z_.=+/~-]{20,}"),
        Text(r"dp\.sa\.[0-9A-Za-z_.=+/~-]{20,}"),
        Text(r"dp\.scim\.[0-9A-Za-z_.=+/~-]{20,}"),
        Text(r"dp\.audit\.[0-9A-Za-z_.=+/~-]{20,}"),
    ],
    TRUFFLEHOG,
);
