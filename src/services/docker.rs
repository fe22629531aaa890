//! Docker Hub.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "Docker Hub", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form::new(
    "docker/token",
    "a Docker Hub token",
    &[Text("dckr_pat_[0-9A-Za-z_.=+/~-]{20,}"), Text("dckr_oat_[0-9A-Za-z_.=+/~-]{20,}")],
    TRUFFLEHOG,
);
