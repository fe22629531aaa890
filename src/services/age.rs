//! age.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "age", docs: "", read: "2026-11-21", forms: &[&KEY], ..BLANK };

pub static KEY: Form = Form::new("age/key", "an age key", &[Text("AGE-SECRET-KEY-1[0-9A-Z]{58}")], GITLEAKS);
