//! Figma.

use super::{BLANK, FORM, Form, KINGFISHER, Pattern, Service};

pub static SERVICE: Service = Service { name: "Figma", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form {
    id: "figma/token",
    noun: "a Figma token",
    patterns: &[Pattern::Text("figd_[0-9A-Za-z_.=+/~-]{20,}")],
    source: KINGFISHER,
    ..FORM
};
