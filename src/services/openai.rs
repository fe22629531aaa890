//! OpenAI, and the protocol of its API, which many servers use: the address next to a key tells whose it is.

use super::prelude::*;
use super::{anthropic, azure, groq, hugging_face, openrouter};

pub static SERVICE: Service = Service {
    name: "OpenAI",
    docs: "https://platform.openai.com/docs/api-reference/authentication",
    read: "2026-11-23",
    forms: &[&KEY, &ADMIN_KEY, &ORGANIZATION],
    words: &["OPENAI"],
    fields: &[&API_KEY_FIELD, &ADMIN_KEY_FIELD, &ORGANIZATION_FIELD, &BASE_URL_FIELD],
    shared: true,
    at: &[
        HostRule {
            hosts: &["api.openai.com", "*.api.openai.com"],
            whose: "OpenAI",
            field: &API_KEY_FIELD,
            takes: &[&KEY, &ADMIN_KEY],
            noun: "a key of its own, which begins with `sk-`",
            repair: "set it to an OpenAI key, or the address to that of the service whose key this is",
            source: AUTHENTICATION,
            ..AT
        },
        HostRule {
            hosts: &["openrouter.ai", "*.openrouter.ai"],
            whose: "OpenRouter",
            field: &API_KEY_FIELD,
            takes: &[&openrouter::KEY],
            noun: "a key of its own, which begins with `sk-or-`",
            repair: "set it to an OpenRouter key, or the address to that of the service whose key this is",
            source: Official("https://openrouter.ai/docs/quickstart"),
            ..AT
        },
        HostRule {
            hosts: &["api.groq.com"],
            whose: "Groq",
            field: &API_KEY_FIELD,
            takes: &[&groq::KEY],
            noun: "a key of its own, which begins with `gsk_`",
            repair: "set it to a Groq key, or the address to that of the service whose key this is",
            source: Official("https://console.groq.com/docs/openai"),
            ..AT
        },
        HostRule {
            hosts: &[
                "*.openai.azure.com", "*.openai.azure.us", "*.cognitiveservices.azure.com", "*.services.ai.azure.com",
            ],
            whose: "Azure OpenAI",
            field: &API_KEY_FIELD,
            takes: &[&azure::AI_KEY],
            noun: "the key of the resource at that address",
            repair: "set it to a key of the resource, from its page \"Keys and Endpoint\", or take the address away",
            source: Official("https://learn.microsoft.com/azure/ai-services/openai/reference"),
            ..AT
        },
        HostRule {
            hosts: &["api.anthropic.com"],
            whose: "Anthropic",
            field: &API_KEY_FIELD,
            takes: &[&anthropic::KEY],
            noun: "a key of its own, which begins with `sk-ant-api`",
            repair: "set it to an Anthropic key, or the address to that of the service whose key this is",
            source: Official("https://docs.anthropic.com/en/api/openai-sdk"),
            ..AT
        },
        HostRule {
            hosts: &["router.huggingface.co"],
            whose: "Hugging Face",
            field: &API_KEY_FIELD,
            takes: &[&hugging_face::TOKEN],
            noun: "a token of its own, which begins with `hf_`",
            repair: "set it to a Hugging Face token, or the address to that of the service whose key this is",
            source: Official("https://huggingface.co/docs/inference-providers/index"),
            ..AT
        },
    ],
    errors: ERRORS,
    ..BLANK
};

const AUTHENTICATION: Source = Official("https://platform.openai.com/docs/api-reference/authentication");
const PYTHON: Source = Official("https://github.com/openai/openai-python/blob/main/src/openai/_client.py");

/// Of a project, of a service account, and the older ones of a user.
pub static KEY: Form = Form {
    id: "openai/key",
    noun: "an OpenAI key",
    patterns: &[
        Text("sk-proj-[0-9A-Za-z_.=+/~-]{20,}"),
        Text("sk-svcacct-[0-9A-Za-z_.=+/~-]{20,}"),
        Text("sk-[0-9A-Za-z]{20}T3BlbkFJ[0-9A-Za-z]{20}"),
    ],
    advice: "is for OpenAI's own address; no organization or project needs to stand next to it",
    source: TRUFFLEHOG,
    ..FORM
};

pub static ADMIN_KEY: Form = Form {
    id: "openai/admin-key",
    noun: "an OpenAI admin key",
    patterns: &[Text("sk-admin-[0-9A-Za-z_.=+/~-]{20,}T3BlbkFJ[0-9A-Za-z_.=+/~-]{20,}")],
    advice: "manages an organization; it does not call models",
    source: Official("https://platform.openai.com/docs/api-reference/administration"),
    ..FORM
};

pub static ORGANIZATION: Form = Form {
    id: "openai/organization",
    noun: "the ID of an OpenAI organization",
    patterns: &[Text("org-[0-9A-Za-z]{24}")],
    public: true,
    purpose: Purpose::Name,
    source: AUTHENTICATION,
    ..FORM
};

/// Without an address next to it, it may be for any server: programs also have addresses in their code.
pub static API_KEY_FIELD: Field = Field {
    place: ("openai", "api_key"),
    noun: "an API key",
    about: "the key of the server that the base URL names, or an OpenAI key if nothing names one",
    purpose: Purpose::Key,
    takes: &[&KEY],
    names: &[Names::new(&["API_KEY"], PYTHON)],
    mistakes: &[
        Mistake {
            forms: &[&ADMIN_KEY],
            repair: "set it to a key of a project, which begins with `sk-proj-`; an admin key does not call models and belongs in `OPENAI_ADMIN_KEY`",
            source: Unsure("https://platform.openai.com/docs/api-reference/administration"),
        },
        Mistake {
            forms: &[&ORGANIZATION],
            repair: "set it to a key, which begins with `sk-`; the ID of the organization belongs in `OPENAI_ORG_ID`",
            source: AUTHENTICATION,
        },
    ],
};

pub static ORGANIZATION_FIELD: Field = Field {
    place: ("openai", "organization"),
    noun: "the ID of an organization",
    about: "the ID of the organization, which begins with `org-`; most keys need none",
    takes: &[&ORGANIZATION],
    names: &[Names::new(&["ORG_ID"], PYTHON)],
    mistakes: &[Mistake {
        forms: &[&KEY],
        repair: "set it to the ID of the organization, which begins with `org-`; or remove it",
        source: AUTHENTICATION,
    }],
    ..FIELD
};

pub static ADMIN_KEY_FIELD: Field = Field {
    place: ("openai", "admin_key"),
    noun: "an admin key",
    about: "an admin key of the organization, which begins with `sk-admin-`",
    purpose: Purpose::Key,
    takes: &[&ADMIN_KEY],
    names: &[Names::new(&["ADMIN_KEY"], PYTHON)],
    ..FIELD
};

pub static BASE_URL_FIELD: Field = Field {
    place: ("openai", "base_url"),
    noun: "a base URL",
    about: "the address of the server that speaks OpenAI's API",
    purpose: Purpose::Endpoint,
    names: &[
        Names::new(&["BASE_URL"], PYTHON),
        Names::new(&["API_BASE"], Official("https://github.com/openai/openai-python/blob/v0.28.1/openai/__init__.py")),
        Names::new(&["API_BASE_URL"], Example("https://docs.openwebui.com/getting-started/env-configuration")),
        Names::new(&["PROXY_URL"], Example("https://github.com/lobehub/lobe-chat/blob/main/.env.example")),
        Names::new(&["REVERSE_PROXY"], Example("https://github.com/danny-avila/LibreChat/blob/main/.env.example")),
    ],
    ..FIELD
};

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &["Incorrect API key provided"],
        near: &["openai", "OPENAI_API_KEY", "OPENAI_BASE_URL"],
        about: &[&API_KEY_FIELD, &BASE_URL_FIELD],
        says: "the server at the base URL does not recognise the key",
        open: "whether it was deleted, and whether the key is for another server than the one it went to",
        source: Official("https://help.openai.com/en/articles/6882433-incorrect-api-key-provided"),
        ..ERROR
    },
    ErrorText {
        texts: &["You exceeded your current quota, please check your plan and billing details"],
        says: "the key is right, and its account has no credit left",
        open: "pay, or use the key of another account",
        source: Example("https://github.com/ChatGPTNextWeb/NextChat/issues/1792"),
        ..ERROR
    },
];
