//! Groq.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Groq",
    docs: "https://console.groq.com/docs/quickstart",
    read: "2026-11-23",
    forms: &[&KEY],
    words: &["GROQ"],
    fields: &[&API_KEY_FIELD],
    errors: ERRORS,
    ..BLANK
};

pub static KEY: Form = Form {
    advice: "is for Groq's own address; at OpenAI's client it goes with `https://api.groq.com/openai/v1`",
    ..Form::new("groq/key", "a Groq key", &[Text("gsk_[0-9A-Za-z_]{40,60}")], TRUFFLEHOG)
};

pub static API_KEY_FIELD: Field = Field {
    place: ("groq", "api_key"),
    noun: "an API key",
    about: "the API key, which begins with `gsk_`",
    purpose: Purpose::Key,
    takes: &[&KEY],
    names: &[Names::new(&["API_KEY"], Official("https://github.com/groq/groq-python/blob/main/src/groq/_client.py"))],
    ..FIELD
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[ErrorText {
    texts: &[
        "{\"error\":{\"message\":\"Invalid API Key\",\"type\":\"invalid_request_error\",\"code\":\"invalid_api_key\"}}",
    ],
    near: &["groq"],
    about: &[&API_KEY_FIELD],
    says: "Groq does not recognise the API key; a key for Grok is of xAI",
    open: "whether it was deleted",
    source: Example("https://github.com/ag5826000/resume-commentor/issues/4"),
    ..ERROR
}];
