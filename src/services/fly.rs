//! Fly.io.

use super::{BLANK, FORM, Form, GITLEAKS, Pattern, Service};

pub static SERVICE: Service = Service { name: "Fly.io", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form {
    id: "fly/token",
    noun: "a Fly.io token",
    patterns: &[
        Pattern::Text("fo1_[0-9A-Za-z_.=+/~-]{40,}"),
        Pattern::Text("fm1a_[0-9A-Za-z_.=+/~-]{40,}"),
        Pattern::Text("fm1r_[0-9A-Za-z_.=+/~-]{40,}"),
        Pattern::Text("fm2_[0-9A-Za-z_.=+/~-]{40,}"),
    ],
    source: GITLEAKS,
    ..FORM
};
