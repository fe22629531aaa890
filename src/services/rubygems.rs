//! RubyGems.

use super::{BLANK, FORM, Form, GITLEAKS, Pattern, Service};

pub static SERVICE: Service = Service { name: "RubyGems", docs: "", read: "2026-11-21", forms: &[&KEY], ..BLANK };

pub static KEY: Form = Form {
    id: "rubygems/key",
    noun: "a RubyGems key",
    patterns: &[Pattern::Text("rubygems_[0-9A-Fa-f]{48}")],
    source: GITLEAKS,
    ..FORM
};
