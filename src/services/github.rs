//! GitHub.

use super::{BLANK, FORM, Form, Pattern, Service, Source};

pub static SERVICE: Service = Service {
    name: "GitHub",
    docs: "https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github#githubs-token-formats",
    read: "2026-11-21",
    forms: &[&TOKEN, &FINE_GRAINED_TOKEN],
    ..BLANK
};

pub static TOKEN: Form = Form {
    id: "github/token",
    noun: "a GitHub token",
    patterns: &[
        Pattern::Text("ghp_[0-9A-Za-z_.=+/~-]{16,}"),
        Pattern::Text("gho_[0-9A-Za-z_.=+/~-]{16,}"),
        Pattern::Text("ghu_[0-9A-Za-z_.=+/~-]{16,}"),
        Pattern::Text("ghs_[0-9A-Za-z_.=+/~-]{16,}"),
        Pattern::Text("ghr_[0-9A-Za-z_.=+/~-]{16,}"),
    ],
    source: Source::Official(SERVICE.docs),
    ..FORM
};

pub static FINE_GRAINED_TOKEN: Form = Form {
    id: "github/fine-grained-token",
    noun: "a fine-grained GitHub token",
    patterns: &[Pattern::Text("github_pat_[0-9A-Za-z_]{20,}")],
    source: Source::Official(SERVICE.docs),
    ..FORM
};
