//! OpenRouter.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "OpenRouter",
    docs: "https://openrouter.ai/docs/api-reference/authentication",
    read: "2026-11-23",
    forms: &[&KEY],
    words: &["OPENROUTER"],
    fields: &[&API_KEY_FIELD],
    errors: ERRORS,
    ..BLANK
};

pub static KEY: Form = Form {
    advice: "is for OpenRouter's own address; at OpenAI's client it goes with `https://openrouter.ai/api/v1`",
    ..Form::new("openrouter/key", "an OpenRouter key", &[Text("sk-or-v1-[0-9A-Fa-f]{64}")], TRUFFLEHOG)
};

pub static API_KEY_FIELD: Field = Field {
    place: ("openrouter", "api_key"),
    noun: "an API key",
    about: "the API key, which begins with `sk-or-v1-`",
    purpose: Purpose::Key,
    takes: &[&KEY],
    names: &[
        Names::new(&["API_KEY"], Official("https://openrouter.ai/docs/api-reference/authentication")),
        Names::new(&["KEY"], Example("https://github.com/danny-avila/LibreChat/blob/main/.env.example")),
    ],
    ..FIELD
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &["HTTP 401: User not found", "{'message': 'User not found.', 'code': 401}"],
        near: &["openrouter"],
        about: &[&API_KEY_FIELD],
        says: "OpenRouter does not recognise the API key",
        open: "whether it was deleted or has expired",
        source: Example("https://github.com/NousResearch/hermes-agent/issues/14637"),
        ..ERROR
    },
    ErrorText {
        texts: &["{\"message\":\"No auth credentials found\",\"code\":401}"],
        about: &[&API_KEY_FIELD],
        says: "no key arrived",
        open: "whether the variable reaches the program",
        source: Example("https://github.com/musistudio/claude-code-router/issues/227"),
        ..ERROR
    },
];
