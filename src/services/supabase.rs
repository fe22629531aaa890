//! Supabase.

use super::{BLANK, FORM, Form, Pattern, Service, TRUFFLEHOG};

pub static SERVICE: Service = Service { name: "Supabase", docs: "", read: "2026-11-21", forms: &[&KEY], ..BLANK };

pub static KEY: Form = Form {
    id: "supabase/key",
    noun: "a Supabase key",
    patterns: &[Pattern::Text("sbp_[0-9A-Za-z_.=+/~-]{20,80}")],
    source: TRUFFLEHOG,
    ..FORM
};
