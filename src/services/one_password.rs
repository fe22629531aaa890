//! 1Password.

use super::{BLANK, FORM, Form, GITLEAKS, Pattern, Service};

pub static SERVICE: Service =
    Service { name: "1Password", docs: "", read: "2026-11-21", forms: &[&SERVICE_ACCOUNT_TOKEN], ..BLANK };

pub static SERVICE_ACCOUNT_TOKEN: Form = Form {
    id: "one-password/service-account-token",
    noun: "a 1Password service account token",
    patterns: &[Pattern::Text("ops_eyJ[0-9A-Za-z_.=+/~-]{100,}")],
    source: GITLEAKS,
    ..FORM
};
