//! Fly.io.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "Fly.io", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form::new(
    "fly/token",
    "a Fly.io token",
    &[
        Text("fo1_[0-9A-Za-z_.=+/~-]{40,}"),
        Text("fm1a_[0-9A-Za-z_.=+/~-]{40,}"),
        Text("fm1r_[0-9A-Za-z_.=+/~-]{40,}"),
        Text("fm2_[0-9A-Za-z_.=+/~-]{40,}"),
    ],
    GITLEAKS,
);
