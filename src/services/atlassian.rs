//! Atlassian.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "Atlassian", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form::new(
    "atlassian/token",
    "an Atlassian token",
    &[
        Text("ATATT3[0-9A-Za-z_.=+/~-]{20,}"),
        Text("ATCTT3[0-9A-Za-z_.=+/~-]{20,}"),
        Text("ATBB[0-9A-Za-z_.=+/~-]{20,}"),
    ],
    TRUFFLEHOG,
);
