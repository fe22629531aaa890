//! Linear.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "Linear", docs: "", read: "2026-11-21", forms: &[&KEY], ..BLANK };

pub static KEY: Form = Form::new("linear/key", "a Linear key", &[Text("lin_api_[0-9A-Za-z_]{32,64}")], GITLEAKS);
