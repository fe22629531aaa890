//! Docker Hub.

use super::{BLANK, FORM, Form, Pattern, Service, TRUFFLEHOG};

pub static SERVICE: Service = Service { name: "Docker Hub", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form {
    id: "docker/token",
    noun: "a Docker Hub token",
    patterns: &[Pattern::Text("dckr_pat_[0-9A-Za-z_.=+/~-]{20,}"), Pattern::Text("dckr_oat_[0-9A-Za-z_.=+/~-]{20,}")],
    source: TRUFFLEHOG,
    ..FORM
};
