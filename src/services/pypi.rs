//! PyPI.

use super::{BLANK, FORM, Form, GITLEAKS, Pattern, Service};

pub static SERVICE: Service = Service { name: "PyPI", docs: "", read: "2026-11-21", forms: &[&TOKEN], ..BLANK };

pub static TOKEN: Form = Form {
    id: "pypi/token",
    noun: "a PyPI token",
    patterns: &[Pattern::Text("pypi-[0-9A-Za-z_.=+/~-]{50,}")],
    source: GITLEAKS,
    ..FORM
};
