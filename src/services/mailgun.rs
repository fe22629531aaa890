//! Mailgun.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Mailgun",
    docs: "https://documentation.mailgun.com/docs/mailgun/api-reference/mg-auth",
    read: "2026-11-23",
    forms: &[&KEY, &NEW_KEY, &MIXED_KEY],
    words: &["MAILGUN"],
    fields: &[&KEY_FIELD],
    errors: ERRORS,
    ..BLANK
};

pub static KEY: Form = Form {
    purpose: Purpose::Key,
    ..Form::new("mailgun/key", "a Mailgun key", &[Text("key-[0-9A-Fa-f]{32}")], GITLEAKS)
};

/// API keys, signing keys of webhooks and SMTP passwords that Mailgun makes.
pub static NEW_KEY: Form = Form {
    id: "mailgun/new-key",
    noun: "a Mailgun key or SMTP password",
    patterns: &[Text("[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}")],
    certain: false,
    purpose: Purpose::Key,
    source: GITLEAKS,
    ..FORM
};

/// What people make of a new key because an example says that keys start with `key-`.
pub static MIXED_KEY: Form = Form {
    id: "mailgun/mixed-key",
    noun: "a Mailgun key with `key-` before it",
    patterns: &[Text("key-[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}")],
    purpose: Purpose::Key,
    source: MIXED,
    ..FORM
};

const MIXED: Source = Example("https://github.com/mailgun/mailgun.js/issues/393");

/// 32 hex digits may also be a key.
pub static KEY_FIELD: Field = Field {
    place: ("mailgun", "api_key"),
    noun: "an API key",
    about: "an API key of the account, or a sending key of the domain",
    takes: &[&KEY, &NEW_KEY],
    names: &[
        Names::apart(&["API_KEY"], Official("https://github.com/mailgun/mailgun.js/blob/main/README.md")),
        Names::new(&["SECRET"], Example("https://laravel.com/docs/mail#mailgun-driver")),
        Names::new(&["SENDING_KEY"], Example("https://github.com/kentcdodds/kentcdodds.com/blob/main/.env.example")),
    ],
    mistakes: &[Mistake {
        forms: &[&MIXED_KEY],
        repair: "remove the `key-` before it: only keys of the old form begin so",
        source: MIXED,
    }],
    ..FIELD
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &[
            "Mailgun\\Exception\\HttpClientException: Your credentials are incorrect",
            "{ status: 401, details: 'Forbidden', type: 'MailgunAPIError' }",
        ],
        about: &[&KEY_FIELD],
        says: "Mailgun refused the API key",
        open: "whether the key is of this account and region; without a domain in the address Mailgun answers the same",
        source: Example("https://github.com/mailgun/mailgun-php/issues/454"),
        ..ERROR
    },
    ErrorText {
        texts: &["details: '{\"message\":\"Invalid private key\"}'"],
        about: &[&KEY_FIELD],
        says: "the key of one domain was sent where the key of the account belongs",
        open: "whether the program calls more than that domain",
        source: Example("https://github.com/mailgun/mailgun.js/issues/227"),
        ..ERROR
    },
];
