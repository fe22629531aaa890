//! Databricks.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "Databricks", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form =
    Form::new("databricks/token", "a Databricks token", &[Text("dapi[0-9A-Za-z_.=+/~-]{32,34}")], GITLEAKS);
