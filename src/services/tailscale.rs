//! Tailscale.

use super::{BLANK, FORM, Form, Pattern, Service, TRUFFLEHOG};

pub static SERVICE: Service = Service { name: "Tailscale", docs: "", read: "2026-11-21", forms: &[&KEY], ..BLANK };

pub static KEY: Form = Form {
    id: "tailscale/key",
    noun: "a Tailscale key",
    patterns: &[Pattern::Text("tskey-[0-9A-Za-z_.=+/~-]{16,100}")],
    source: TRUFFLEHOG,
    ..FORM
};
