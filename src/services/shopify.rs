//! Shopify.

use super::{BLANK, FORM, Form, GITLEAKS, Pattern, Service};

pub static SERVICE: Service = Service { name: "Shopify", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form {
    id: "shopify/token",
    noun: "a Shopify token",
    patterns: &[
        Pattern::Text("shpat_[0-9A-Fa-f]{32}"),
        Pattern::Text("shpca_[0-9A-Fa-f]{32}"),
        Pattern::Text("shppa_[0-9A-Fa-f]{32}"),
        Pattern::Text("shpss_[0-9A-Fa-f]{32}"),
    ],
    source: GITLEAKS,
    ..FORM
};
