//! Square.

use super::{BLANK, FORM, Form, Pattern, Service, TRUFFLEHOG};

pub static SERVICE: Service = Service { name: "Square", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form {
    id: "square/token",
    noun: "a Square token",
    patterns: &[
        Pattern::Text("sq0atp-[0-9A-Za-z_.=+/~-]{22,80}"),
        Pattern::Text("sq0csp-[0-9A-Za-z_.=+/~-]{22,80}"),
        Pattern::Text("EAAAE[0-9A-Za-z_.=+/~-]{22,80}"),
    ],
    source: TRUFFLEHOG,
    ..FORM
};
