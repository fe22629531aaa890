//! Shopify.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "Shopify", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form::new(
    "shopify/token",
    "a Shopify token",
    &[
        Text("shpat_[0-9A-Fa-f]{32}"),
        Text("shpca_[0-9A-Fa-f]{32}"),
        Text("shppa_[0-9A-Fa-f]{32}"),
        Text("shpss_[0-9A-Fa-f]{32}"),
    ],
    GITLEAKS,
);
