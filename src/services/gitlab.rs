//! GitLab.

use super::{BLANK, FORM, Form, Pattern, Service, Source};

pub static SERVICE: Service = Service {
    name: "GitLab",
    docs: "https://docs.gitlab.com/security/tokens/#token-prefixes",
    read: "2026-11-21",
    forms: &[&TOKEN],
    ..BLANK
};

pub static TOKEN: Form = Form {
    id: "gitlab/token",
    noun: "a GitLab token",
    patterns: &[
        Pattern::Text("glpat-[0-9A-Za-z_.=+/~-]{16,}"),
        Pattern::Text("gldt-[0-9A-Za-z_.=+/~-]{16,}"),
        Pattern::Text("glrt-[0-9A-Za-z_.=+/~-]{16,}"),
        Pattern::Text("glcbt-[0-9A-Za-z_.=+/~-]{16,}"),
        Pattern::Text("glptt-[0-9A-Za-z_.=+/~-]{16,}"),
        Pattern::Text("glft-[0-9A-Za-z_.=+/~-]{16,}"),
        Pattern::Text("glsoat-[0-9A-Za-z_.=+/~-]{16,}"),
        Pattern::Text("glagent-[0-9A-Za-z_.=+/~-]{16,}"),
        Pattern::Text("gloas-[0-9A-Za-z_.=+/~-]{16,}"),
        Pattern::Text("glimt-[0-9A-Za-z_.=+/~-]{16,}"),
        Pattern::Text("glffct-[0-9A-Za-z_.=+/~-]{16,}"),
    ],
    source: Source::Official(SERVICE.docs),
    ..FORM
};
