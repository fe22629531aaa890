//! Sentry.

use super::many;
use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Sentry",
    docs: "https://docs.sentry.io/concepts/key-terms/dsn-explainer/",
    read: "2026-11-23",
    forms: &[&TOKEN, &HOSTED_URL, &DSN, &OLD_DSN, &SECURITY_ENDPOINT, &DSN_WITHOUT_SCHEME, &DSN_KEYS],
    words: &["SENTRY"],
    fields: &[&DSN_FIELD, &AUTH_TOKEN_FIELD, &ORG_FIELD, &URL_FIELD],
    relations: &[
        Relation::Agree {
            part: "org",
            noun: "organization",
            words: &[],
            fields: &[&AUTH_TOKEN_FIELD, &ORG_FIELD],
            advice: "an organization token holds the name of its organization, and sentry-cli uses that one: set `SENTRY_ORG` to it, or create a token in the other organization",
            source: Example("https://github.com/getsentry/sentry-cli/issues/2381"),
        },
        Relation::Agree {
            part: "url",
            noun: "server",
            words: &[],
            fields: &[&AUTH_TOKEN_FIELD, &URL_FIELD],
            advice: "an organization token holds the URL of its server, and sentry-cli uses that one: remove `SENTRY_URL`, or create a token on the other server; for a region of sentry.io no URL is needed",
            source: Example("https://github.com/getsentry/sentry-cli/issues/3385"),
        },
    ],
    hosts: &[Host {
        hosts: &["sentry.io", "*.sentry.io"],
        serves: Serves::Api,
        home: "https://sentry.io/api/",
        source: Official("https://docs.sentry.io/api/"),
        ..HOST
    }],
    errors: ERRORS,
    ..BLANK
};

const CLI: Source = Official("https://github.com/getsentry/sentry-cli/blob/master/src/config.rs");
const EXPLAINER: Source = Official("https://docs.sentry.io/concepts/key-terms/dsn-explainer/");

/// An organization's token contains the organization and the server; tokens of users and integrations don't. Older ones
/// are 64 hex digits.
pub static TOKEN: Form = Form {
    id: "sentry/token",
    noun: "a Sentry token",
    patterns: &[
        Json {
            text: "sntrys_(?<json>eyJ[0-9A-Za-z+/=]+)_[0-9A-Za-z+/]{43}",
            has: &[("org", "*")],
            parts: &[("org", "org"), ("url", "url")],
        },
        Text("sntrys_[0-9A-Za-z_.=+/~-]{40,}"),
        Text("sntryu_[0-9A-Za-z_.=+/~-]{40,}"),
        Text("sntrya_[0-9A-Za-z_.=+/~-]{40,}"),
        Text("sntryi_[0-9A-Za-z_.=+/~-]{40,}"),
    ],
    purpose: Purpose::AccessToken,
    advice: "calls the API, and uploads releases and source maps; programs send events with the DSN",
    source: Official("https://github.com/getsentry/sentry/blob/master/src/sentry/utils/security/orgauthtoken_token.py"),
    ..FORM
};

/// A region, or an organization's own address, is the same server.
pub static HOSTED_URL: Form = Form {
    id: "sentry/hosted-url",
    noun: "an address of sentry.io",
    patterns: &[Address { hosts: &["sentry.io", "*.sentry.io"], path: "" }],
    public: true,
    parts: &[("url", "https://sentry.io")],
    source: Official("https://docs.sentry.io/api/"),
    ..FORM
};

/// It may be published. Compatible servers also issue it.
pub static DSN: Form = Form {
    id: "sentry/dsn",
    noun: "a Sentry DSN",
    patterns: &[
        Text("https://[0-9a-f]{32}@[0-9A-Za-z.:_-]+/[0-9A-Za-z._/-]*[0-9]+"),
        Text("http://[0-9a-f]{32}@[0-9A-Za-z.:_-]+/[0-9A-Za-z._/-]*[0-9]+"),
    ],
    issued_by: COMPATIBLE,
    public: true,
    advice: "is the address that programs send events to; the API needs an auth token",
    source: EXPLAINER,
    ..FORM
};

const COMPATIBLE: Issuer = Issuer::Several(&["GlitchTip", "Bugsink"]);

/// The secret in it is no longer needed.
pub static OLD_DSN: Form = Form {
    id: "sentry/old-dsn",
    noun: "a Sentry DSN with a secret key",
    patterns: &[
        Text("https://[0-9a-f]{32}:[0-9a-f]{32}@[0-9A-Za-z.:_-]+/[0-9A-Za-z._/-]*[0-9]+"),
        Text("http://[0-9a-f]{32}:[0-9a-f]{32}@[0-9A-Za-z.:_-]+/[0-9A-Za-z._/-]*[0-9]+"),
    ],
    issued_by: COMPATIBLE,
    certain: false,
    advice: "is the address that programs send events to; the second half of its key is not needed any more",
    source: EXPLAINER,
    ..FORM
};

/// The address for reports of browsers, shown next to the DSN on the same page.
pub static SECURITY_ENDPOINT: Form = Form {
    id: "sentry/security-endpoint",
    noun: "the address of a security or minidump endpoint",
    patterns: &[Address { hosts: &["*"], path: r"(?:[!-~]+/)?api/[0-9]+/[a-z]+/?\?sentry_key=[0-9A-Za-z]+[!-~]*" }],
    issued_by: COMPATIBLE,
    public: true,
    source: Official("https://docs.sentry.io/security-legal-pii/security/security-policy-reporting/"),
    ..FORM
};

pub static DSN_WITHOUT_SCHEME: Form = Form {
    id: "sentry/dsn-without-scheme",
    noun: "a DSN without `https://`",
    patterns: &[
        Text("[0-9a-f]{32}[0-9a-f:]*@[0-9A-Za-z.:_-]+/[0-9A-Za-z._/-]*[0-9]+"),
        Text("://[0-9a-f]{32}[0-9a-f:]*@[0-9A-Za-z.:_-]+/[0-9A-Za-z._/-]*[0-9]+"),
    ],
    issued_by: COMPATIBLE,
    certain: false,
    source: Example("https://github.com/getsentry/sentry-laravel/issues/150"),
    ..FORM
};

/// Other values look like it: a user and a password.
pub static DSN_KEYS: Form = Form {
    id: "sentry/dsn-keys",
    noun: "two keys of 32 hex digits, as a DSN has",
    patterns: &[Text("[0-9a-f]{32}:[0-9a-f]{32}")],
    issued_by: COMPATIBLE,
    certain: false,
    source: Example("https://github.com/getsentry/sentry-react-native/issues/267"),
    ..FORM
};

/// An empty value turns Sentry off. A program may send reports somewhere else.
pub static DSN_FIELD: Field = Field {
    place: ("sentry", "dsn"),
    noun: "a DSN",
    about: "the DSN of the project, from its page Client Keys: `https://`, a public key, `@`, a host and the project's number",
    purpose: Purpose::Webhook,
    takes: &[&DSN, &OLD_DSN],
    names: &[Names::apart(&["DSN"], EXPLAINER)],
    mistakes: &[
        Mistake {
            forms: &[&SECURITY_ENDPOINT],
            repair: "set it to the DSN on the same page: `https://`, the public key, `@`, the host and the project's number",
            source: Example("https://github.com/getsentry/examples/issues/47"),
        },
        Mistake {
            forms: &[&DSN_WITHOUT_SCHEME],
            repair: "begin it with the scheme, `https://` or `http://`",
            source: Example("https://github.com/getsentry/sentry-laravel/issues/150"),
        },
        Mistake {
            forms: &[&many::HEX_32],
            repair: "set it to the whole DSN: a key alone says neither the host nor the project",
            source: Example("https://github.com/flutter/flutter/issues/65166"),
        },
    ],
};

/// 64 hex digits may be an older token.
pub static AUTH_TOKEN_FIELD: Field = Field {
    place: ("sentry", "auth_token"),
    noun: "an auth token",
    about: "an auth token, which begins with `sntrys_` or `sntryu_`, from the settings of the organization or of the user",
    takes: &[&TOKEN],
    names: &[Names::apart(&["AUTH_TOKEN"], CLI)],
    mistakes: &[
        Mistake {
            forms: &[&DSN, &OLD_DSN],
            repair: "set it to an auth token; the DSN is where programs send events, and goes into `SENTRY_DSN`",
            source: CLI,
        },
        Mistake {
            forms: &[&DSN_KEYS],
            repair: "set it to an auth token; these are the keys of a DSN, which is where programs send events",
            source: Example("https://github.com/getsentry/sentry-react-native/issues/267"),
        },
    ],
    ..FIELD
};

pub static ORG_FIELD: Field = Field {
    place: ("sentry", "org"),
    noun: "the name of an organization",
    about: "the name of the organization in its URL",
    purpose: Purpose::Name,
    names: &[Names::new(&["ORG"], CLI)],
    ..FIELD
};

pub static URL_FIELD: Field = Field {
    place: ("sentry", "url"),
    noun: "the URL of the server",
    about: "the URL of a server of your own; without it, it is sentry.io",
    purpose: Purpose::Endpoint,
    takes: &[&HOSTED_URL],
    names: &[Names::new(&["URL"], CLI)],
    ..FIELD
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &["Invalid token (http status: 401)", "http error: Invalid token (401)", "Invalid org token"],
        near: &["sentry"],
        about: &[&AUTH_TOKEN_FIELD, &ORG_FIELD, &URL_FIELD],
        says: "Sentry does not recognise the token",
        open: "whether it was revoked, or is of another organisation or server",
        source: Example("https://github.com/getsentry/sentry-cli/issues/3385"),
        ..ERROR
    },
    ErrorText {
        texts: &["No auth token provided. Will not upload source maps"],
        about: &[&AUTH_TOKEN_FIELD],
        says: "the plugin got no token",
        open: "whether the variable reaches the build",
        source: Example("https://github.com/getsentry/sentry/issues/77920"),
        ..ERROR
    },
];
