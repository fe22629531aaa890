//! LangSmith.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "LangSmith", docs: "", read: "2026-11-21", forms: &[&KEY], ..BLANK };

pub static KEY: Form = Form::new(
    "langsmith/key",
    "a LangSmith key",
    &[Text("lsv2_pt_[0-9A-Za-z_.=+/~-]{32,80}"), Text("lsv2_sk_[0-9A-Za-z_.=+/~-]{32,80}")],
    TRUFFLEHOG,
);
