//! TEMPLATE.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "TEMPLATE",
    // The page on which the service describes its credentials.
    docs: "https://example.com/docs/keys",
    read: "0000-00-00",
    forms: &[&KEY],
    words: &["TEMPLATE"],
    fields: &[&KEY_FIELD],
    ..BLANK
};

const DOCS: Source = Official("https://example.com/docs/keys");

/// What the documentation says about the form, and what it leaves open.
pub static KEY: Form = Form {
    purpose: Purpose::Key,
    advice: "goes with nothing else",
    ..Form::new("template/key", "a TEMPLATE key", &[Text("template_[0-9A-Za-z]{40}")], DOCS)
};

pub static KEY_FIELD: Field = Field {
    place: ("template", "key"),
    noun: "a key",
    about: "the key, which begins with `template_`",
    takes: &[&KEY],
    names: &[Names::apart(&["API_KEY"], DOCS)],
    ..FIELD
};
