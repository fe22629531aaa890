//! CircleCI.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "CircleCI", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form =
    Form::new("circleci/token", "a CircleCI token", &[Text("CCIPAT_[0-9A-Za-z_]{30,80}")], TRUFFLEHOG);
