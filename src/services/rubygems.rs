//! RubyGems.

use super::prelude::*;

pub static SERVICE: Service = Service { name: "RubyGems", docs: "", read: "2026-11-21", forms: &[&KEY], ..BLANK };

pub static KEY: Form = Form::new("rubygems/key", "a RubyGems key", &[Text("rubygems_[0-9A-Fa-f]{48}")], GITLEAKS);
