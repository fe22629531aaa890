//! Grafana.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "Grafana", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form::new(
    "grafana/token",
    "a Grafana token",
    &[Text("glsa_[0-9A-Za-z_.=+/~-]{32,}"), Text("glc_[0-9A-Za-z_.=+/~-]{32,}")],
    GITLEAKS,
);
