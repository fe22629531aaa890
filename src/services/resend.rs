//! Resend.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Resend",
    docs: "https://resend.com/docs/send-with-smtp",
    read: "2026-11-23",
    forms: &[&KEY],
    words: &["RESEND"],
    fields: &[&KEY_FIELD],
    errors: ERRORS,
    ..BLANK
};

const NODE: Source = Official("https://github.com/resend/resend-node/blob/canary/src/resend.ts");

/// The prefix is documented; the rest is known from examples.
pub static KEY: Form = Form {
    id: "resend/key",
    noun: "a Resend API key",
    patterns: &[Text("re_[0-9A-Za-z]{8}_[0-9A-Za-z]{20,32}")],
    purpose: Purpose::Key,
    advice: "is also the password at Resend's SMTP server, with the user name `resend`",
    source: Example("https://resend.com/docs/send-with-smtp"),
    ..FORM
};

pub static KEY_FIELD: Field = Field {
    place: ("resend", "api_key"),
    noun: "an API key",
    about: "the API key, which begins with `re_`",
    takes: &[&KEY],
    names: &[
        Names::apart(&["API_KEY"], NODE),
        Names::new(&["KEY"], Example("https://github.com/laravel/laravel/blob/12.x/config/services.php")),
    ],
    ..FIELD
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[ErrorText {
    texts: &["API key is invalid"],
    near: &["resend"],
    about: &[&KEY_FIELD],
    says: "Resend does not recognise the API key",
    open: "whether it was deleted",
    source: Example("https://github.com/KeepSoftwareSimple/compass-calendar/issues/3986"),
    ..ERROR
}];
