//! Brevo, formerly Sendinblue.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Brevo",
    docs: "https://developers.brevo.com/docs/smtp-integration",
    read: "2026-11-23",
    forms: &[&API_KEY, &SMTP_KEY],
    words: &["SENDINBLUE", "BREVO"],
    fields: &[&API_KEY_FIELD, &SMTP_KEY_FIELD],
    errors: ERRORS,
    ..BLANK
};

/// Brevo says that they can't replace each other; their forms are known only from scanners' lists and reports.
const NOT_FOR_SMTP: Source = Example("https://github.com/sendinblue/APIv3-ruby-library/issues/81");

pub static API_KEY: Form = Form {
    purpose: Purpose::Key,
    advice: "is for HTTP calls; SMTP needs an SMTP key",
    ..Form::new("brevo/api-key", "a Brevo API key", &[Text("xkeysib-[0-9A-Za-z]{64}-[0-9A-Za-z]{16}")], GITLEAKS)
};

pub static SMTP_KEY: Form = Form {
    purpose: Purpose::Key,
    advice: "is the password at Brevo's SMTP server; HTTP calls need an API key",
    ..Form::new("brevo/smtp-key", "a Brevo SMTP key", &[Text("xsmtpsib-[0-9A-Za-z]{64}-[0-9A-Za-z]{16}")], NOT_FOR_SMTP)
};

pub static API_KEY_FIELD: Field = Field {
    place: ("brevo", "api_key"),
    noun: "an API key",
    about: "the API key, which begins with `xkeysib-`",
    takes: &[&API_KEY],
    names: &[Names::apart(&["API_KEY"], Official("https://developers.brevo.com/docs/api-key-authentication"))],
    mistakes: &[Mistake {
        forms: &[&SMTP_KEY],
        repair: "set it to an API key, which begins with `xkeysib-`; the SMTP key is a password for SMTP only",
        source: NOT_FOR_SMTP,
    }],
    ..FIELD
};

pub static SMTP_KEY_FIELD: Field = Field {
    place: ("brevo", "smtp_key"),
    noun: "an SMTP key",
    about: "the SMTP key, which begins with `xsmtpsib-`",
    takes: &[&SMTP_KEY],
    names: &[Names::new(
        &["SMTP_KEY"],
        Example("https://dev.to/omnigenz/send-app-emails-through-the-brevo-smtp-relay-with-nodejs-nodemailer-3j2j"),
    )],
    mistakes: &[Mistake {
        forms: &[&API_KEY],
        repair: "set it to an SMTP key, which begins with `xsmtpsib-`; the API key is for HTTP calls only",
        source: NOT_FOR_SMTP,
    }],
    ..FIELD
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &["{\"message\":\"Key not found\",\"code\":\"unauthorized\"}"],
        near: &["sib-request-id", "brevo", "sendinblue"],
        about: &[&API_KEY_FIELD, &SMTP_KEY_FIELD],
        says: "Brevo does not recognise the API key",
        open: "whether it was deleted, or is the short form that the console shows",
        source: Example("https://github.com/sendinblue/APIv3-python-library/issues/63"),
        ..ERROR
    },
    ErrorText {
        texts: &["authentication not found in headers"],
        near: &["sib-request-id", "brevo", "sendinblue"],
        about: &[&API_KEY_FIELD],
        says: "no key arrived",
        open: "whether the variable reaches the program",
        source: Example("https://github.com/getbrevo/brevo-python/issues/13"),
        ..ERROR
    },
];
