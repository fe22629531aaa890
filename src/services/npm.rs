//! npm.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "npm", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form::new("npm/token", "an npm token", &[Text("npm_[0-9A-Za-z_]{36}")], GITLEAKS);
