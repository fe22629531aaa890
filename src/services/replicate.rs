//! Replicate.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "Replicate", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form::new("replicate/token", "a Replicate token", &[Text("r8_[0-9A-Za-z_]{37}")], TRUFFLEHOG);
