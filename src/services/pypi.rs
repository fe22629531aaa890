//! PyPI. A token says in its first bytes for which index it is.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "PyPI",
    docs: "https://pypi.org/help/#apitoken",
    read: "2026-11-23",
    forms: &[&TOKEN, &TEST_TOKEN, &OTHER_TOKEN],
    ..BLANK
};

/// A macaroon, whose location is the index.
const LOCATION: Source = Official("https://github.com/pypi/warehouse/blob/main/warehouse/macaroons/services.py");

pub static TOKEN: Form = Form::of(
    "pypi/token",
    "an API token of pypi.org",
    &[Text("pypi-AgEIcHlwaS5vcmc[0-9A-Za-z_.=+/~-]{30,}")],
    LOCATION,
);

pub static TEST_TOKEN: Form = Form::of(
    "pypi/test-token",
    "an API token of test.pypi.org",
    &[Text("pypi-AgENdGVzdC5weXBpLm9yZw[0-9A-Za-z_.=+/~-]{30,}")],
    LOCATION,
);

pub static OTHER_TOKEN: Form =
    Form::of("pypi/other-token", "a PyPI token", &[Text("pypi-[0-9A-Za-z_.=+/~-]{50,}")], GITLEAKS);
