//! npm.

use super::{BLANK, FORM, Form, GITLEAKS, Pattern, Service};

pub static SERVICE: Service = Service { name: "npm", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form {
    id: "npm/token",
    noun: "an npm token",
    patterns: &[Pattern::Text("npm_[0-9A-Za-z_]{36}")],
    source: GITLEAKS,
    ..FORM
};
