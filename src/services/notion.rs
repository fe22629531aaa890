//! Notion.

use super::{BLANK, FORM, Form, GITLEAKS, Pattern, Service};

pub static SERVICE: Service = Service { name: "Notion", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form {
    id: "notion/token",
    noun: "a Notion token",
    patterns: &[Pattern::Text("ntn_[0-9A-Za-z_]{40,60}")],
    source: GITLEAKS,
    ..FORM
};
