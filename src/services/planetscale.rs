//! PlanetScale.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "PlanetScale", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form::new(
    "planetscale/token",
    "a PlanetScale token",
    &[
        Text("pscale_tkn_[0-9A-Za-z_.=+/~-]{32,64}"),
        Text("pscale_pw_[0-9A-Za-z_.=+/~-]{32,64}"),
        Text("pscale_oauth_[0-9A-Za-z_.=+/~-]{32,64}"),
    ],
    GITLEAKS,
);
