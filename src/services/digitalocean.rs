//! DigitalOcean.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "DigitalOcean", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form::new(
    "digitalocean/token",
    "a DigitalOcean token",
    &[Text("dop_v1_[0-9A-Fa-f]{64}"), Text("doo_v1_[0-9A-Fa-f]{64}"), Text("dor_v1_[0-9A-Fa-f]{64}")],
    GITLEAKS,
);
