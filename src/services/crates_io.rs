//! crates.io.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "crates.io", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form::new("crates-io/token", "a crates.io token", &[Text("cio[0-9A-Za-z_]{32}")], KINGFISHER);
