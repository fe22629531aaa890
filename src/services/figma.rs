//! Figma.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "Figma", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form::new("figma/token", "a Figma token", &[Text("figd_[0-9A-Za-z_.=+/~-]{20,}")], KINGFISHER);
