//! Grafana.

use super::{BLANK, FORM, Form, GITLEAKS, Pattern, Service};

pub static SERVICE: Service = Service { name: "Grafana", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form {
    id: "grafana/token",
    noun: "a Grafana token",
    patterns: &[Pattern::Text("glsa_[0-9A-Za-z_.=+/~-]{32,}"), Pattern::Text("glc_[0-9A-Za-z_.=+/~-]{32,}")],
    source: GITLEAKS,
    ..FORM
};
