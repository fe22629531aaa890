//! Amazon S3's protocol, which many services use: the endpoint tells whose pair it is, not the names.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "S3",
    docs: "https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-envvars.html",
    read: "2026-11-21",
    fields: &[&ID_FIELD, &KEY_FIELD],
    ..BLANK
};

/// Names in Docker's registry.
const REGISTRY: Source = Official("https://distribution.github.io/distribution/storage-drivers/s3/");
/// Names in CloudNativePG.
const BARMAN: Source = Official("https://cloudnative-pg.io/docs/1.29/appendixes/object_stores/");

pub static ID_FIELD: Field = Field {
    noun: "an access key ID",
    purpose: Purpose::Id,
    names: &[
        Names {
            tuple: "access",
            ..Names::new(&["ACCESS_KEY_ID", "ACCESSKEYID", "ACCESS_KEY"], Official(SERVICE.docs))
        },
        Names { tuple: "access", ..Names::new(&["ACCESSKEY"], REGISTRY) },
    ],
    ..FIELD
};

pub static KEY_FIELD: Field = Field {
    noun: "a secret access key",
    purpose: Purpose::Key,
    names: &[
        Names {
            tuple: "access",
            ..Names::new(&["SECRET_ACCESS_KEY", "SECRETACCESSKEY", "SECRET_KEY"], Official(SERVICE.docs))
        },
        Names { tuple: "access", ..Names::new(&["SECRETKEY"], REGISTRY) },
        Names { tuple: "access", ..Names::new(&["ACCESS_SECRET_KEY"], BARMAN) },
    ],
    ..FIELD
};
