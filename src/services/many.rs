//! Forms that belong to no service: many issue them, or anybody makes them.

use super::{BLANK, FORM, Form, Issuer, Pattern, Service, Source};

pub static SERVICE: Service = Service {
    name: "",
    docs: "https://www.rfc-editor.org/",
    read: "2026-11-21",
    forms: &[&PRIVATE_KEY, &HEX_32, &JWT, &EMAIL],
    ..BLANK
};

pub static PRIVATE_KEY: Form = Form {
    id: "many/private-key",
    noun: "a private key",
    patterns: &[
        Pattern::Text(r"-----BEGIN (?:(?:RSA|EC|OPENSSH|ENCRYPTED|DSA) )?PRIVATE KEY(?s:.*)"),
        Pattern::Text("PuTTY-User-Key-File-(?s:.*)"),
    ],
    source: Source::Official("https://www.rfc-editor.org/rfc/rfc7468"),
    ..FORM
};

/// An app's signing secret or client secret, and many other values.
pub static HEX_32: Form = Form {
    id: "many/hex-32",
    noun: "32 hex digits",
    patterns: &[Pattern::Text("[0-9a-f]{32}")],
    issued_by: Issuer::Many,
    certain: false,
    advice: "could be an app's signing secret or client secret, or many other things",
    source: Source::Official("https://docs.slack.dev/authentication/verifying-requests-from-slack"),
    ..FORM
};

pub static JWT: Form = Form {
    id: "many/jwt",
    noun: "a JSON Web Token",
    patterns: &[Pattern::Text(r"eyJ[0-9A-Za-z_-]{6,}\.[0-9A-Za-z_-]{9,}\.[0-9A-Za-z_-]{9,}")],
    issued_by: Issuer::Many,
    certain: false,
    source: Source::Official("https://www.rfc-editor.org/rfc/rfc7519"),
    ..FORM
};

pub static EMAIL: Form = Form {
    id: "many/email",
    noun: "an e-mail address",
    patterns: &[Pattern::Text(r"[0-9A-Za-z._%+-]+@(?:[0-9A-Za-z-]+\.)+[A-Za-z]{2,}")],
    issued_by: Issuer::Many,
    public: true,
    source: Source::Official("https://www.rfc-editor.org/rfc/rfc5322"),
    ..FORM
};
