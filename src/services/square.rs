//! Square.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "Square", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form::new(
    "square/token",
    "a Square token",
    &[
        Text("sq0atp-[0-9A-Za-z_.=+/~-]{22,80}"),
        Text("sq0csp-[0-9A-Za-z_.=+/~-]{22,80}"),
        Text("EAAAE[0-9A-Za-z_.=+/~-]{22,80}"),
    ],
    TRUFFLEHOG,
);
