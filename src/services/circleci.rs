//! CircleCI.

use super::{BLANK, FORM, Form, Pattern, Service, TRUFFLEHOG};

pub static SERVICE: Service = Service { name: "CircleCI", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form {
    id: "circleci/token",
    noun: "a CircleCI token",
    patterns: &[Pattern::Text("CCIPAT_[0-9A-Za-z_]{30,80}")],
    source: TRUFFLEHOG,
    ..FORM
};
