//! Buildkite.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "Buildkite", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form =
    Form::new("buildkite/token", "a Buildkite token", &[Text("bkua_[0-9A-Za-z_]{30,50}")], TRUFFLEHOG);
