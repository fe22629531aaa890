//! PyPI. The first bytes of a token tell which index it is for.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "PyPI",
    docs: "https://pypi.org/help/#apitoken",
    read: "2026-11-23",
    forms: &[&TOKEN, &TEST_TOKEN, &OTHER_TOKEN],
    ..BLANK
};

/// A macaroon that is bound to the index.
const LOCATION: Source = Official("https://github.com/pypi/warehouse/blob/main/warehouse/macaroons/services.py");

pub static TOKEN: Form = Form::new(
    "pypi/token",
    "an API token of pypi.org",
    &[Text("pypi-AgEIcHlwaS5vcmc[0-9A-Za-z_.=+/~-]{30,}")],
    LOCATION,
);

pub static TEST_TOKEN: Form = Form::new(
    "pypi/test-token",
    "an API token of test.pypi.org",
    &[Text("pypi-AgENdGVzdC5weXBpLm9yZw[0-9A-Za-z_.=+/~-]{30,}")],
    LOCATION,
);

pub static OTHER_TOKEN: Form =
    Form::new("pypi/other-token", "a PyPI token", &[Text("pypi-[0-9A-Za-z_.=+/~-]{50,}")], GITLEAKS);
