//! Notion.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "Notion", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form::new("notion/token", "a Notion token", &[Text("ntn_[0-9A-Za-z_]{40,60}")], GITLEAKS);
