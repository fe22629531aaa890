//! Cloudflare.

use super::{BLANK, FORM, Form, Pattern, Service, TRUFFLEHOG};

pub static SERVICE: Service = Service { name: "Cloudflare", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form {
    id: "cloudflare/token",
    noun: "a Cloudflare token",
    patterns: &[Pattern::Text("cfut_[0-9A-Za-z_]{32,64}")],
    source: TRUFFLEHOG,
    ..FORM
};
