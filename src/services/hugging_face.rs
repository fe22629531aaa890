//! Hugging Face.

use super::{BLANK, FORM, Form, GITLEAKS, Pattern, Service};

pub static SERVICE: Service = Service { name: "Hugging Face", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form {
    id: "hugging-face/token",
    noun: "a Hugging Face token",
    patterns: &[Pattern::Text("hf_[0-9A-Za-z_]{30,45}")],
    source: GITLEAKS,
    ..FORM
};
