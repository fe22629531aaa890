//! Sentry.

use super::{
    APART, BLANK, ERROR, ErrorText, FIELD, FORM, Field, Form, HOST, Host, Issuer, Mistake, NAMES, Names, Pattern,
    Purpose, Relation, Serves, Service, Source, many,
};

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
            source: Source::Example("https://github.com/getsentry/sentry-cli/issues/2381"),
        },
        Relation::Agree {
            part: "url",
            noun: "server",
            words: &[],
            fields: &[&AUTH_TOKEN_FIELD, &URL_FIELD],
            advice: "an organization token holds the URL of its server, and sentry-cli uses that one: remove `SENTRY_URL`, or create a token on the other server; for a region of sentry.io no URL is needed",
            source: Source::Example("https://github.com/getsentry/sentry-cli/issues/3385"),
        },
    ],
    hosts: &[Host {
        hosts: &["sentry.io", "*.sentry.io"],
        serves: Serves::Api,
        home: "https://sentry.io/api/",
        source: Source::Official("https://docs.sentry.io/api/"),
        ..HOST
    }],
    errors: ERRORS,
    ..BLANK
};

const CLI: Source = Source::Official("https://github.com/getsentry/sentry-cli/blob/master/src/config.rs");
const EXPLAINER: Source = Source::Official("https://docs.sentry.io/concepts/key-terms/dsn-explainer/");

/// An organization's says whose it is, and of which server; those of users and integrations don't. Older ones are 64 hex
/// digits.
pub static TOKEN: Form = Form {
    id: "sentry/token",
    noun: "a Sentry token",
    patterns: &[
        Pattern::Json {
            text: "sntrys_(?<json>eyJ[0-9A-Za-z+/=]+)_[0-9A-Za-z+/]{43}",
            has: &[("org", "*")],
            parts: &[("org", "org"), ("url", "url")],
        },
        Pattern::Text("sntrys_[0-9A-Za-z_.=+/~-]{40,}"),
        Pattern::Text("sntryu_[0-9A-Za-z_.=+/~-]{40,}"),
        Pattern::Text("sntrya_[0-9A-Za-z_.=+/~-]{40,}"),
        Pattern::Text("sntryi_[0-9A-Za-z_.=+/~-]{40,}"),
    ],
    purpose: Purpose::AccessToken,
    advice: "calls the API, and uploads releases and source maps; programs send events with the DSN",
    source: Source::Official(
        "https://github.com/getsentry/sentry/blob/master/src/sentry/utils/security/orgauthtoken_token.py",
    ),
    ..FORM
};

/// A region, or an organization's own address, is the same server.
pub static HOSTED_URL: Form = Form {
    id: "sentry/hosted-url",
    noun: "an address of sentry.io",
    patterns: &[Pattern::Address { hosts: &["sentry.io", "*.sentry.io"], path: "" }],
    public: true,
    parts: &[("url", "https://sentry.io")],
    source: Source::Official("https://docs.sentry.io/api/"),
    ..FORM
};

/// It may be published. Compatible servers issue it, too.
pub static DSN: Form = Form {
    id: "sentry/dsn",
    noun: "a Sentry DSN",
    patterns: &[
        Pattern::Text("https://[0-9a-f]{32}@[0-9A-Za-z.:_-]+/[0-9A-Za-z._/-]*[0-9]+"),
        Pattern::Text("http://[0-9a-f]{32}@[0-9A-Za-z.:_-]+/[0-9A-Za-z._/-]*[0-9]+"),
    ],
    issued_by: COMPATIBLE,
    public: true,
    advice: "is the address that programs send events to; the API needs an auth token",
    source: EXPLAINER,
    ..FORM
};

const COMPATIBLE: Issuer = Issuer::Several(&["GlitchTip", "Bugsink"]);

/// The secret in it is not needed any more.
pub static OLD_DSN: Form = Form {
    id: "sentry/old-dsn",
    noun: "a Sentry DSN with a secret key",
    patterns: &[
        Pattern::Text("https://[0-9a-f]{32}:[0-9a-f]{32}@[0-9A-Za-z.:_-]+/[0-9A-Za-z._/-]*[0-9]+"),
        Pattern::Text("http://[0-9a-f]{32}:[0-9a-f]{32}@[0-9A-Za-z.:_-]+/[0-9A-Za-z._/-]*[0-9]+"),
    ],
    issued_by: COMPATIBLE,
    certain: false,
    advice: "is the address that programs send events to; the second half of its key is not needed any more",
    source: EXPLAINER,
    ..FORM
};

/// The address for reports of browsers, which stands beside the DSN on the same page.
pub static SECURITY_ENDPOINT: Form = Form {
    id: "sentry/security-endpoint",
    noun: "the address of a security or minidump endpoint",
    patterns: &[Pattern::Address {
        hosts: &["*"],
        path: r"(?:[!-~]+/)?api/[0-9]+/[a-z]+/?\?sentry_key=[0-9A-Za-z]+[!-~]*",
    }],
    issued_by: COMPATIBLE,
    public: true,
    source: Source::Official("https://docs.sentry.io/security-legal-pii/security/security-policy-reporting/"),
    ..FORM
};

pub static DSN_WITHOUT_SCHEME: Form = Form {
    id: "sentry/dsn-without-scheme",
    noun: "a DSN without `https://`",
    patterns: &[
        Pattern::Text("[0-9a-f]{32}[0-9a-f:]*@[0-9A-Za-z.:_-]+/[0-9A-Za-z._/-]*[0-9]+"),
        Pattern::Text("://[0-9a-f]{32}[0-9a-f:]*@[0-9A-Za-z.:_-]+/[0-9A-Za-z._/-]*[0-9]+"),
    ],
    issued_by: COMPATIBLE,
    certain: false,
    source: Source::Example("https://github.com/getsentry/sentry-laravel/issues/150"),
    ..FORM
};

/// Other values look like it: a user and a password.
pub static DSN_KEYS: Form = Form {
    id: "sentry/dsn-keys",
    noun: "two keys of 32 hex digits, as a DSN has",
    patterns: &[Pattern::Text("[0-9a-f]{32}:[0-9a-f]{32}")],
    issued_by: COMPATIBLE,
    certain: false,
    source: Source::Example("https://github.com/getsentry/sentry-react-native/issues/267"),
    ..FORM
};

/// Set to nothing, it switches Sentry off. A program may have it send somewhere else.
pub static DSN_FIELD: Field = Field {
    place: ("sentry", "dsn"),
    noun: "a DSN",
    about: "the DSN of the project, from its page Client Keys: `https://`, a public key, `@`, a host and the project's number",
    purpose: Purpose::Webhook,
    takes: &[&DSN, &OLD_DSN],
    names: &[Names { words: &["DSN"], source: EXPLAINER, ..APART }],
    mistakes: &[
        Mistake {
            form: &SECURITY_ENDPOINT,
            repair: "set it to the DSN on the same page: `https://`, the public key, `@`, the host and the project's number",
            source: Source::Example("https://github.com/getsentry/examples/issues/47"),
        },
        Mistake {
            form: &DSN_WITHOUT_SCHEME,
            repair: "begin it with the scheme, `https://` or `http://`",
            source: Source::Example("https://github.com/getsentry/sentry-laravel/issues/150"),
        },
        Mistake {
            form: &many::HEX_32,
            repair: "set it to the whole DSN: a key alone says neither the host nor the project",
            source: Source::Example("https://github.com/flutter/flutter/issues/65166"),
        },
    ],
};

/// 64 hex digits may be an older token.
pub static AUTH_TOKEN_FIELD: Field = Field {
    place: ("sentry", "auth_token"),
    noun: "an auth token",
    about: "an auth token, which begins with `sntrys_` or `sntryu_`, from the settings of the organization or of the user",
    purpose: Purpose::AccessToken,
    takes: &[&TOKEN],
    names: &[Names { words: &["AUTH_TOKEN"], source: CLI, ..APART }],
    mistakes: &[
        Mistake {
            form: &DSN,
            repair: "set it to an auth token; the DSN is where programs send events, and goes into `SENTRY_DSN`",
            source: CLI,
        },
        Mistake {
            form: &OLD_DSN,
            repair: "set it to an auth token; the DSN is where programs send events, and goes into `SENTRY_DSN`",
            source: CLI,
        },
        Mistake {
            form: &DSN_KEYS,
            repair: "set it to an auth token; these are the keys of a DSN, which is where programs send events",
            source: Source::Example("https://github.com/getsentry/sentry-react-native/issues/267"),
        },
    ],
};

pub static ORG_FIELD: Field = Field {
    place: ("sentry", "org"),
    noun: "the name of an organization",
    about: "the name of the organization in its URL",
    purpose: Purpose::Name,
    names: &[Names { words: &["ORG"], source: CLI, ..NAMES }],
    ..FIELD
};

pub static URL_FIELD: Field = Field {
    place: ("sentry", "url"),
    noun: "the URL of the server",
    about: "the URL of a server of your own; without it, it is sentry.io",
    purpose: Purpose::Endpoint,
    takes: &[&HOSTED_URL],
    names: &[Names { words: &["URL"], source: CLI, ..NAMES }],
    ..FIELD
};

/// What stands in a log.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &["Invalid token (http status: 401)", "http error: Invalid token (401)", "Invalid org token"],
        near: &["sentry"],
        about: &[&AUTH_TOKEN_FIELD, &ORG_FIELD, &URL_FIELD],
        says: "Sentry does not recognise the token",
        open: "whether it was revoked, or is of another organisation or server",
        source: Source::Example("https://github.com/getsentry/sentry-cli/issues/3385"),
        ..ERROR
    },
    ErrorText {
        texts: &["No auth token provided. Will not upload source maps"],
        about: &[&AUTH_TOKEN_FIELD],
        says: "the plugin got no token",
        open: "whether the variable reaches the build",
        source: Source::Example("https://github.com/getsentry/sentry/issues/77920"),
        ..ERROR
    },
];
