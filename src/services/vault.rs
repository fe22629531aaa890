//! HashiCorp Vault.

use super::{BLANK, FORM, Form, GITLEAKS, Pattern, Service};

pub static SERVICE: Service =
    Service { name: "HashiCorp Vault", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form {
    id: "vault/token",
    noun: "a Vault token",
    patterns: &[Pattern::Text(r"hvs\.[0-9A-Za-z_.=+/~-]{20,}"), Pattern::Text(r"hvb\.[0-9A-Za-z_.=+/~-]{20,}")],
    source: GITLEAKS,
    ..FORM
};
