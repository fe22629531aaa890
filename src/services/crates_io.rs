//! crates.io.

use super::{BLANK, FORM, Form, KINGFISHER, Pattern, Service};

pub static SERVICE: Service = Service { name: "crates.io", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form {
    id: "crates-io/token",
    noun: "a crates.io token",
    patterns: &[Pattern::Text("cio[0-9A-Za-z_]{32}")],
    source: KINGFISHER,
    ..FORM
};
