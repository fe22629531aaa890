//! DigitalOcean.

use super::{BLANK, FORM, Form, GITLEAKS, Pattern, Service};

pub static SERVICE: Service = Service { name: "DigitalOcean", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form {
    id: "digitalocean/token",
    noun: "a DigitalOcean token",
    patterns: &[
        Pattern::Text("dop_v1_[0-9A-Fa-f]{64}"),
        Pattern::Text("doo_v1_[0-9A-Fa-f]{64}"),
        Pattern::Text("dor_v1_[0-9A-Fa-f]{64}"),
    ],
    source: GITLEAKS,
    ..FORM
};
