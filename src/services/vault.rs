//! HashiCorp Vault.

use super::prelude::*;

pub static SERVICE: Service =
    Service { name: "HashiCorp Vault", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form::new(
    "vault/token",
    "a Vault token",
    &[Text(r"hvs\.[0-9A-Za-z_.=+/~-]{20,}"), Text(r"hvb\.[0-9A-Za-z_.=+/~-]{20,}")],
    GITLEAKS,
);
