//! PyPI. A token says in its first bytes for which index it is.

use super::{BLANK, FORM, Form, GITLEAKS, Pattern, Service, Source};

pub static SERVICE: Service = Service {
    name: "PyPI",
    docs: "https://pypi.org/help/#apitoken",
    read: "2026-11-23",
    forms: &[&TOKEN, &TEST_TOKEN, &OTHER_TOKEN],
    ..BLANK
};

/// A macaroon, whose location is the index.
const LOCATION: Source =
    Source::Official("https://github.com/pypi/warehouse/blob/main/warehouse/macaroons/services.py");

pub static TOKEN: Form = Form {
    id: "pypi/token",
    noun: "an API token of pypi.org",
    patterns: &[Pattern::Text("pypi-AgEIcHlwaS5vcmc[0-9A-Za-z_.=+/~-]{30,}")],
    source: LOCATION,
    ..FORM
};

pub static TEST_TOKEN: Form = Form {
    id: "pypi/test-token",
    noun: "an API token of test.pypi.org",
    patterns: &[Pattern::Text("pypi-AgENdGVzdC5weXBpLm9yZw[0-9A-Za-z_.=+/~-]{30,}")],
    source: LOCATION,
    ..FORM
};

pub static OTHER_TOKEN: Form = Form {
    id: "pypi/other-token",
    noun: "a PyPI token",
    patterns: &[Pattern::Text("pypi-[0-9A-Za-z_.=+/~-]{50,}")],
    source: GITLEAKS,
    ..FORM
};
