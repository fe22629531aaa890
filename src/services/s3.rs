//! Amazon S3's protocol, which many services share: its names don't tell whose pair it is, the endpoint does.

use super::{BLANK, FIELD, Field, NAMES, Names, Purpose, Service, Source};

pub static SERVICE: Service = Service {
    name: "S3",
    docs: "https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-envvars.html",
    read: "2026-11-21",
    fields: &[&ID_FIELD, &KEY_FIELD],
    ..BLANK
};

/// Of Docker's registry.
const REGISTRY: Source = Source::Official("https://distribution.github.io/distribution/storage-drivers/s3/");
/// Of CloudNativePG.
const BARMAN: Source = Source::Official("https://cloudnative-pg.io/docs/1.29/appendixes/object_stores/");

pub static ID_FIELD: Field = Field {
    noun: "an access key ID",
    purpose: Purpose::Id,
    names: &[
        Names {
            words: &["ACCESS_KEY_ID", "ACCESSKEYID", "ACCESS_KEY"],
            tuple: "access",
            source: Source::Official(SERVICE.docs),
            ..NAMES
        },
        Names { words: &["ACCESSKEY"], tuple: "access", source: REGISTRY, ..NAMES },
    ],
    ..FIELD
};

pub static KEY_FIELD: Field = Field {
    noun: "a secret access key",
    purpose: Purpose::Key,
    names: &[
        Names {
            words: &["SECRET_ACCESS_KEY", "SECRETACCESSKEY", "SECRET_KEY"],
            tuple: "access",
            source: Source::Official(SERVICE.docs),
            ..NAMES
        },
        Names { words: &["SECRETKEY"], tuple: "access", source: REGISTRY, ..NAMES },
        Names { words: &["ACCESS_SECRET_KEY"], tuple: "access", source: BARMAN, ..NAMES },
    ],
    ..FIELD
};
