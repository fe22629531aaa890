//! Dynatrace.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "Dynatrace", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form =
    Form::new("dynatrace/token", "a Dynatrace token", &[Text(r"dt0c01\.[0-9A-Za-z_.=+/~-]{24,}")], GITLEAKS);
