//! LangSmith.

use super::{BLANK, FORM, Form, Pattern, Service, TRUFFLEHOG};

pub static SERVICE: Service = Service { name: "LangSmith", docs: "", read: "2026-11-21", forms: &[&KEY], ..BLANK };

pub static KEY: Form = Form {
    id: "langsmith/key",
    noun: "a LangSmith key",
    patterns: &[Pattern::Text("lsv2_pt_[0-9A-Za-z_.=+/~-]{32,80}"), Pattern::Text("lsv2_sk_[0-9A-Za-z_.=+/~-]{32,80}")],
    source: TRUFFLEHOG,
    ..FORM
};
