//! TEMPLATE.

use super::{APART, BLANK, FIELD, FORM, Field, Form, Names, Pattern, Purpose, Service, Source};

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

const DOCS: Source = Source::Official("https://example.com/docs/keys");

/// What the documentation says of the form, and what it leaves open.
pub static KEY: Form = Form {
    id: "template/key",
    noun: "a TEMPLATE key",
    patterns: &[Pattern::Text("template_[0-9A-Za-z]{40}")],
    purpose: Purpose::Key,
    advice: "goes with nothing else",
    source: DOCS,
    ..FORM
};

pub static KEY_FIELD: Field = Field {
    place: ("template", "key"),
    noun: "a key",
    about: "the key, which begins with `template_`",
    purpose: Purpose::Key,
    takes: &[&KEY],
    names: &[Names { words: &["API_KEY"], source: DOCS, ..APART }],
    ..FIELD
};
