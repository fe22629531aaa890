//! PlanetScale.

use super::{BLANK, FORM, Form, GITLEAKS, Pattern, Service};

pub static SERVICE: Service = Service { name: "PlanetScale", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form {
    id: "planetscale/token",
    noun: "a PlanetScale token",
    patterns: &[
        Pattern::Text("pscale_tkn_[0-9A-Za-z_.=+/~-]{32,64}"),
        Pattern::Text("pscale_pw_[0-9A-Za-z_.=+/~-]{32,64}"),
        Pattern::Text("pscale_oauth_[0-9A-Za-z_.=+/~-]{32,64}"),
    ],
    source: GITLEAKS,
    ..FORM
};
