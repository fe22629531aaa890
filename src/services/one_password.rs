//! 1Password.

use super::prelude::*;

pub static SERVICE: Service =
    Service { name: "1Password", docs: "", read: "2026-11-21", forms: &[&SERVICE_ACCOUNT_TOKEN], ..BLANK };

pub static SERVICE_ACCOUNT_TOKEN: Form = Form::new(
    "one-password/service-account-token",
    "a 1Password service account token",
    &[Text("ops_eyJ[0-9A-Za-z_.=+/~-]{100,}")],
    GITLEAKS,
);
