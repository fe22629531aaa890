//! Ruby on Rails: the key of its encrypted credentials.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Rails",
    docs: "https://guides.rubyonrails.org/security.html#custom-credentials",
    read: "2026-11-24",
    forms: &[&SECRET],
    words: &["RAILS"],
    fields: &[&MASTER_KEY_FIELD],
    ..BLANK
};

/// AES with 128 bits, and `Encryption key must be exactly 32 characters.`
const ENCRYPTED: Source =
    Official("https://github.com/rails/rails/blob/main/activesupport/lib/active_support/encrypted_file.rb");

/// What `rails secret` writes.
pub static SECRET: Form = Form {
    id: "rails/secret",
    noun: "128 hex digits, as a secret key base of Rails has",
    patterns: &[Text("[0-9a-f]{128}")],
    issued_by: Issuer::Many,
    certain: false,
    purpose: Purpose::Key,
    source: Official("https://github.com/rails/rails/blob/main/railties/lib/rails/commands/secret/secret_command.rb"),
    ..FORM
};

/// Ruby reads hex digits of either case.
pub static MASTER_KEY_FIELD: Field = Field {
    place: ("rails", "master_key"),
    noun: "a master key",
    about: "the content of `config/master.key`: 32 hex digits",
    purpose: Purpose::Key,
    names: &[Names::new(&["MASTER_KEY"], ENCRYPTED)],
    mistakes: &[Mistake {
        forms: &[&SECRET],
        repair: "set it to the content of `config/master.key`, 32 hex digits long; 128 belong in `SECRET_KEY_BASE`",
        source: ENCRYPTED,
    }],
    ..FIELD
};
