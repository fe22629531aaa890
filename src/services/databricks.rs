//! Databricks.

use super::{BLANK, FORM, Form, GITLEAKS, Pattern, Service};

pub static SERVICE: Service = Service { name: "Databricks", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form {
    id: "databricks/token",
    noun: "a Databricks token",
    patterns: &[Pattern::Text("dapi[0-9A-Za-z_.=+/~-]{32,34}")],
    source: GITLEAKS,
    ..FORM
};
