//! Forms that belong to no single service: many services issue them, or users create them.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "",
    docs: "https://www.rfc-editor.org/",
    read: "2026-11-21",
    forms: &[&PRIVATE_KEY, &HEX_32, &GUID, &JWT, &EMAIL],
    errors: ERRORS,
    ..BLANK
};

pub static PRIVATE_KEY: Form = Form {
    id: "many/private-key",
    noun: "a private key",
    patterns: &[
        Text(r"-----BEGIN (?:(?:RSA|EC|OPENSSH|ENCRYPTED|DSA) )?PRIVATE KEY(?s:.*)"),
        Text("PuTTY-User-Key-File-(?s:.*)"),
    ],
    spaced: true,
    source: Official("https://www.rfc-editor.org/rfc/rfc7468"),
    ..FORM
};

/// An app's signing secret or client secret, and many other values.
pub static HEX_32: Form = Form {
    id: "many/hex-32",
    noun: "32 hex digits",
    patterns: &[Text("(?<digits>[0-9a-f]{32})")],
    issued_by: Issuer::Many,
    certain: false,
    advice: "could be an app's signing secret or client secret, or many other things",
    source: Official("https://docs.slack.dev/authentication/verifying-requests-from-slack"),
    ..FORM
};

pub static GUID: Form = Form {
    id: "many/guid",
    noun: "a GUID",
    patterns: &[Text("[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}")],
    issued_by: Issuer::Many,
    certain: false,
    source: Official("https://www.rfc-editor.org/rfc/rfc9562"),
    ..FORM
};

pub static JWT: Form = Form {
    id: "many/jwt",
    noun: "a JSON Web Token",
    patterns: &[Text(r"eyJ[0-9A-Za-z_-]{6,}\.[0-9A-Za-z_-]{9,}\.[0-9A-Za-z_-]{9,}")],
    issued_by: Issuer::Many,
    certain: false,
    source: Official("https://www.rfc-editor.org/rfc/rfc7519"),
    ..FORM
};

pub static EMAIL: Form = Form {
    id: "many/email",
    noun: "an e-mail address",
    patterns: &[Text(r"[0-9A-Za-z._%+-]+@(?:[0-9A-Za-z-]+\.)+[A-Za-z]{2,}")],
    issued_by: Issuer::Many,
    public: true,
    source: Official("https://www.rfc-editor.org/rfc/rfc5322"),
    ..FORM
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &["file name too long", "name too long, lstat"],
        near: &["GOOGLE_APPLICATION_CREDENTIALS", "service_account", "private_key"],
        others: &[("google", "credentials_path"), ("google", "service_account")],
        says: "the content of a file was given where its path belongs",
        open: "which variable the program got it from",
        source: Example("https://github.com/pulumi/pulumi/issues/13295"),
        ..ERROR
    },
    ErrorText {
        texts: &["invalid port number"],
        near: &["connection string", "database URL"],
        others: &[("database", "url")],
        says: "an address has a character in its password that must be percent-encoded, such as `#`, `/` or `?`",
        open: "which address the program parsed",
        source: Example("https://github.com/prisma/prisma/issues/6423"),
        ..ERROR
    },
    ErrorText {
        texts: &["invalid header field value", "Invalid character in header content [\"Authorization\"]"],
        near: &["Authorization", "Bearer", "token"],
        rules: &["malformed-credential"],
        says: "a token has a line break or another character that a header can't hold",
        open: "which token was sent",
        source: Example("https://github.com/kiali/kiali/issues/3021"),
        ..ERROR
    },
    ErrorText {
        texts: &[
            "Invalid PEM formatted message", "ERR_OSSL_PEM_NO_START_LINE", "1E08010C:DECODER routines::unsupported",
        ],
        rules: &["malformed-credential"],
        says: "a private key in PEM lost its line breaks, its first or last line, or is in quotes",
        open: "whether the program itself replaces `\\n`",
        source: Example("https://github.com/gladly-team/next-firebase-auth/issues/94"),
        ..ERROR
    },
    ErrorText {
        texts: &["PEM routines:get_name:no start line"],
        near: &["Sign.sign", "private key", "retrieve auth metadata"],
        rules: &["malformed-credential"],
        says: "a private key in PEM lost its line breaks or its first line, or is empty",
        open: "whether the program itself replaces `\\n`",
        source: Example("https://github.com/voltrue2/in-app-purchase/issues/327"),
        ..ERROR
    },
    ErrorText {
        texts: &["certificate signed by unknown authority"],
        says: "the other side's certificate was not accepted, before any credential was sent",
        open: "install the authority's certificate, or check the proxy in between",
        source: Example("https://github.com/rclone/rclone/issues/788"),
        ..ERROR
    },
    ErrorText {
        texts: &["getaddrinfo ENOTFOUND"],
        says: "the name of the host was not found, before any credential was sent",
        open: "whether the address is right, and the network is there",
        source: Example("https://github.com/gmpetrov/openai-chatgpt/issues/7"),
        ..ERROR
    },
    ErrorText {
        texts: &["dial tcp: lookup * no such host"],
        says: "the name of the host was not found, before any credential was sent",
        open: "whether the address is right, and the network is there",
        source: Example("https://github.com/bacalhau-project/bacalhau/issues/3652"),
        ..ERROR
    },
    ErrorText {
        texts: &["RequestTimeTooSkewed"],
        says: "the clock of this machine is wrong",
        open: "set the clock, by NTP; the credentials were not judged",
        source: Example("https://github.com/minio/minio-py/issues/285"),
        ..ERROR
    },
];
