//! Amazon S3's protocol, which many services share: its names don't tell whose pair it is, the endpoint does.

use super::{BLANK, FIELD, Field, NAMES, Names, Purpose, Service, Source};

pub static SERVICE: Service = Service {
    name: "S3",
    docs: "https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-envvars.html",
    read: "2026-11-21",
    fields: &[&ID_FIELD, &KEY_FIELD],
    ..BLANK
};

pub static ID_FIELD: Field = Field {
    noun: "an access key ID",
    purpose: Purpose::Id,
    names: &[Names {
        words: &["ACCESS_KEY_ID", "ACCESSKEYID", "ACCESS_KEY"],
        tuple: "access",
        source: Source::Official(SERVICE.docs),
        ..NAMES
    }],
    ..FIELD
};

pub static KEY_FIELD: Field = Field {
    noun: "a secret access key",
    purpose: Purpose::Key,
    names: &[Names {
        words: &["SECRET_ACCESS_KEY", "SECRETACCESSKEY", "SECRET_KEY"],
        tuple: "access",
        source: Source::Official(SERVICE.docs),
        ..NAMES
    }],
    ..FIELD
};
