//! Stripe.

use super::{FORM, Form, Pattern, Service, Source};

pub static SERVICE: Service = Service {
    name: "Stripe",
    docs: "https://docs.stripe.com/keys",
    read: "2026-11-21",
    forms: &[&SECRET_KEY, &PUBLISHABLE_KEY],
};

pub static SECRET_KEY: Form = Form {
    id: "stripe/secret-key",
    noun: "a secret Stripe key",
    patterns: &[
        Pattern::Text("sk_live_[0-9A-Za-z_]{10,}"),
        Pattern::Text("sk_test_[0-9A-Za-z_]{10,}"),
        Pattern::Text("rk_live_[0-9A-Za-z_]{10,}"),
        Pattern::Text("rk_test_[0-9A-Za-z_]{10,}"),
    ],
    source: Source::Official(SERVICE.docs),
    ..FORM
};

pub static PUBLISHABLE_KEY: Form = Form {
    id: "stripe/publishable-key",
    noun: "a publishable Stripe key",
    patterns: &[Pattern::Text("pk_live_[0-9A-Za-z_]{10,}"), Pattern::Text("pk_test_[0-9A-Za-z_]{10,}")],
    source: Source::Official(SERVICE.docs),
    ..FORM
};
