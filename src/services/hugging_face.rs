//! Hugging Face.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "Hugging Face", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form =
    Form::new("hugging-face/token", "a Hugging Face token", &[Text("hf_[0-9A-Za-z_]{30,45}")], GITLEAKS);
