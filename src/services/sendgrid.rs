//! SendGrid.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "SendGrid",
    docs: "https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys",
    read: "2026-11-23",
    forms: &[&KEY, &KEY_ID],
    words: &["SENDGRID"],
    fields: &[&KEY_FIELD],
    errors: ERRORS,
    ..BLANK
};

const NODE: Source = Official("https://github.com/sendgrid/sendgrid-nodejs/blob/main/packages/client/README.md");

/// SendGrid documents 69 characters, and its client the prefix `SG.`. Older keys may have another length.
pub static KEY: Form = Form {
    id: "sendgrid/key",
    noun: "a SendGrid key",
    patterns: &[Text(r"SG\.[0-9A-Za-z_.=+/~-]{60,80}")],
    purpose: Purpose::Key,
    advice: "is also the password at SendGrid's SMTP server, with the user name `apikey`",
    source: Official("https://github.com/sendgrid/sendgrid-nodejs/blob/main/packages/client/src/classes/client.js"),
    ..FORM
};

/// The part of a key between its points. Many other values look like it.
pub static KEY_ID: Form = Form {
    id: "sendgrid/key-id",
    noun: "22 letters and digits",
    patterns: &[Text("[0-9A-Za-z_-]{22}")],
    with: &[Class::Digit, Class::Lower, Class::Upper],
    issued_by: Issuer::Many,
    certain: false,
    source: Example("https://github.com/sendgrid/sendgrid-php/issues/239"),
    ..FORM
};

pub static KEY_FIELD: Field = Field {
    place: ("sendgrid", "api_key"),
    noun: "an API key",
    about: "the API key, which begins with `SG.` and has 69 characters",
    takes: &[&KEY],
    names: &[Names::apart(&["API_KEY"], NODE)],
    mistakes: &[Mistake {
        forms: &[&KEY_ID],
        repair: "set it to the API key itself, which begins with `SG.` and is shown once; the page of keys shows the API key ID, which is no key",
        source: Example("https://github.com/sendgrid/sendgrid-php/issues/239"),
    }],
    ..FIELD
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[ErrorText {
    texts: &["The provided authorization grant is invalid, expired, or revoked"],
    about: &[&KEY_FIELD],
    others: &[("smtp", "password")],
    says: "SendGrid does not recognise the API key; its ID, which the console shows, is not a key",
    open: "whether it was deleted, and whether the subuser's region has another address",
    source: Official("https://support.sendgrid.com/hc/en-us/articles/18322114821403"),
    ..ERROR
}];
