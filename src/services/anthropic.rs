//! Anthropic, and the protocol of its API, which gateways also use: the address next to a key tells whose it is.

use super::openrouter;
use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Anthropic",
    docs: "https://docs.anthropic.com/en/api/overview",
    read: "2026-11-23",
    forms: &[&KEY, &OAUTH_TOKEN, &ADMIN_KEY],
    words: &["CLAUDE_CODE", "ANTHROPIC"],
    fields: &[&API_KEY_FIELD, &AUTH_TOKEN_FIELD, &OAUTH_TOKEN_FIELD, &BASE_URL_FIELD],
    shared: true,
    at: &[
        HostRule {
            hosts: &["api.anthropic.com"],
            whose: "Anthropic",
            field: &API_KEY_FIELD,
            takes: &[&KEY, &OAUTH_TOKEN, &ADMIN_KEY],
            noun: "a key of its own, which begins with `sk-ant-api`",
            repair: "set it to an Anthropic key, or the address to that of the service whose key this is",
            source: Official("https://docs.anthropic.com/en/api/overview"),
            ..AT
        },
        HostRule {
            hosts: &["openrouter.ai"],
            whose: "OpenRouter",
            field: &AUTH_TOKEN_FIELD,
            takes: &[&openrouter::KEY],
            noun: "a key of its own, which begins with `sk-or-`",
            repair: "set it to an OpenRouter key, or take the address away",
            source: Official("https://openrouter.ai/docs/guides/coding-agents/claude-code-integration"),
            ..AT
        },
    ],
    errors: ERRORS,
    ..BLANK
};

const PYTHON: Source =
    Official("https://github.com/anthropics/anthropic-sdk-python/blob/main/src/anthropic/_client.py");
const CLAUDE_CODE: Source = Official("https://docs.anthropic.com/en/docs/claude-code/settings");

pub static KEY: Form = Form {
    id: "anthropic/key",
    noun: "an Anthropic key",
    patterns: &[Text("sk-ant-api[0-9]{2}-[0-9A-Za-z_.=+/~-]{20,}")],
    advice: "is sent as `x-api-key`",
    source: Official("https://docs.anthropic.com/en/api/admin-api/apikeys/get-api-key"),
    ..FORM
};

/// Of a subscription.
pub static OAUTH_TOKEN: Form = Form {
    id: "anthropic/oauth-token",
    noun: "an Anthropic OAuth token",
    patterns: &[Text("sk-ant-oat[0-9]{2}-[0-9A-Za-z_.=+/~-]{20,}")],
    purpose: Purpose::AccessToken,
    advice: "is sent as a bearer token; `CLAUDE_CODE_OAUTH_TOKEN` and `ANTHROPIC_AUTH_TOKEN` take it",
    source: Example("https://github.com/anthropics/anthropic-sdk-python/blob/main/examples/workload_identity.py"),
    ..FORM
};

pub static ADMIN_KEY: Form = Form {
    id: "anthropic/admin-key",
    noun: "an Anthropic admin key",
    patterns: &[Text("sk-ant-admin[0-9]{2}-[0-9A-Za-z_.=+/~-]{20,}")],
    advice: "manages an organization; it does not call models",
    source: GITLEAKS,
    ..FORM
};

/// Some programs recognise an OAuth token by its prefix, and send it as one.
pub static API_KEY_FIELD: Field = Field {
    place: ("anthropic", "api_key"),
    noun: "an API key",
    about: "the API key, which begins with `sk-ant-api`, or the key of the gateway that the base URL names",
    purpose: Purpose::Key,
    takes: &[&KEY],
    names: &[Names::new(&["API_KEY"], PYTHON)],
    mistakes: &[
        Mistake {
            forms: &[&OAUTH_TOKEN],
            repair: "set it to an API key, which begins with `sk-ant-api`; an OAuth token belongs in `CLAUDE_CODE_OAUTH_TOKEN` or `ANTHROPIC_AUTH_TOKEN`",
            source: Unsure("https://github.com/alpha-omega-security/scrutineer/pull/121"),
        },
        Mistake {
            forms: &[&ADMIN_KEY],
            repair: "set it to an API key, which begins with `sk-ant-api`; an admin key does not call models",
            source: Unsure("https://docs.anthropic.com/en/api/administration-api"),
        },
    ],
};

pub static AUTH_TOKEN_FIELD: Field = Field {
    place: ("anthropic", "auth_token"),
    noun: "a bearer token",
    about: "the token that is sent as `Authorization: Bearer`: that of a gateway, or an OAuth token",
    takes: &[&OAUTH_TOKEN, &KEY],
    names: &[Names::new(&["AUTH_TOKEN"], PYTHON)],
    ..FIELD
};

pub static OAUTH_TOKEN_FIELD: Field = Field {
    place: ("anthropic", "oauth_token"),
    noun: "an OAuth token",
    about: "the token of a subscription, which begins with `sk-ant-oat`",
    takes: &[&OAUTH_TOKEN],
    names: &[Names::new(&["OAUTH_TOKEN"], CLAUDE_CODE)],
    ..FIELD
};

pub static BASE_URL_FIELD: Field = Field {
    place: ("anthropic", "base_url"),
    noun: "a base URL",
    about: "the address of the server that speaks Anthropic's API",
    purpose: Purpose::Endpoint,
    names: &[
        Names::new(&["BASE_URL"], PYTHON),
        Names::new(&["API_BASE"], Example("https://docs.litellm.ai/docs/providers/anthropic")),
        Names::new(&["API_URL"], Example("https://github.com/danny-avila/LibreChat/blob/main/.env.example")),
    ],
    ..FIELD
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &["invalid x-api-key"],
        about: &[&API_KEY_FIELD, &AUTH_TOKEN_FIELD, &BASE_URL_FIELD],
        says: "Anthropic does not recognise the API key; the token of a login belongs in another variable",
        open: "whether it was deleted",
        source: Example("https://github.com/abi/screenshot-to-code/issues/272"),
        ..ERROR
    },
    ErrorText {
        texts: &[
            "Could not resolve authentication method. Expected either apiKey or authToken to be set",
            "Could not resolve authentication method. Expected one of api_key",
            "Could not resolve authentication method. Expected either api_key or auth_token to be set",
        ],
        about: &[&API_KEY_FIELD, &AUTH_TOKEN_FIELD],
        says: "no key arrived",
        open: "whether the variable reaches the program",
        source: Example("https://github.com/anthropics/claude-code/issues/5590"),
        ..ERROR
    },
];
