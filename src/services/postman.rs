//! Postman.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "Postman", docs: "", read: "2026-11-21", forms: &[&KEY], ..BLANK };

pub static KEY: Form = Form::new("postman/key", "a Postman key", &[Text("PMAK-[0-9A-Za-z_.=+/~-]{40,80}")], GITLEAKS);
