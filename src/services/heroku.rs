//! Heroku.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "Heroku", docs: "", read: "2026-11-21", forms: &[&KEY], ..BLANK };

pub static KEY: Form = Form::new("heroku/key", "a Heroku key", &[Text("HRKU-[0-9A-Za-z_.=+/~-]{36,80}")], GITLEAKS);
