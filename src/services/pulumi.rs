//! Pulumi.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "Pulumi", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form::new("pulumi/token", "a Pulumi token", &[Text("pul-[0-9A-Fa-f]{40}")], GITLEAKS);
