//! Cloudflare R2.

use super::many;
use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Cloudflare R2",
    docs: "https://developers.cloudflare.com/r2/api/tokens/",
    read: "2026-11-23",
    forms: &[&ENDPOINT, &PUBLIC_ADDRESS],
    words: &["R2"],
    ignored_before: &["CLOUDFLARE", "CF"],
    fields: &[&ID_FIELD, &KEY_FIELD, &ACCOUNT_FIELD, &ENDPOINT_FIELD],
    relations: &[Relation::Agree {
        part: "digits",
        noun: "account",
        words: &[],
        fields: &[&ENDPOINT_FIELD, &ACCOUNT_FIELD],
        advice: "the address of the S3 API begins with the account ID: copy both from the same account",
        source: S3_API,
    }],
    at: HOSTS,
    errors: ERRORS,
    ..BLANK
};

const TOKENS: Source = Official("https://developers.cloudflare.com/r2/api/tokens/");
const S3_API: Source = Official("https://developers.cloudflare.com/r2/api/s3/api/");
pub const BUCKETS: Source = Official("https://developers.cloudflare.com/r2/buckets/public-buckets/");
const SWAPPED: Source = Official("https://github.com/cloudflare/cloudflare-docs/pull/9557");
/// These names are not documented, but programs use them.
const BUILDER: Source = Example("https://github.com/electron-userland/electron-builder/pull/9773");
const MICROFEED: Source = Example("https://github.com/microfeed/microfeed/blob/main/README.md");

/// The address of the S3 API, of an account or of one of its jurisdictions.
pub static ENDPOINT: Form = Form {
    id: "r2/endpoint",
    noun: "the address of an account's R2 storage",
    patterns: &[Address {
        hosts: &[
            "<digits>.r2.cloudflarestorage.com", "<digits>.eu.r2.cloudflarestorage.com",
            "<digits>.fedramp.r2.cloudflarestorage.com",
        ],
        path: "[!-~]*",
    }],
    public: true,
    purpose: Purpose::Endpoint,
    source: S3_API,
    ..FORM
};

/// It serves the files of one bucket, without an API.
pub static PUBLIC_ADDRESS: Form = Form {
    id: "r2/public-address",
    noun: "the public address of an R2 bucket",
    patterns: &[Address { hosts: &["*.r2.dev"], path: "[!-~]*" }],
    public: true,
    source: BUCKETS,
    ..FORM
};

pub static ID_FIELD: Field = Field {
    place: ("r2", "access_key_id"),
    noun: "an access key ID",
    about: "the access key ID, 32 hex digits, which is shown when an R2 API token is made",
    purpose: Purpose::Id,
    takes: &[&many::HEX_32],
    names: &[Names::new(&["ACCESS_KEY_ID"], BUILDER), Names::new(&["ACCESS_KEY"], MICROFEED)],
    ..FIELD
};

/// Its form is documented: a SHA-256, which many other values are.
pub static KEY_FIELD: Field = Field {
    place: ("r2", "secret_access_key"),
    noun: "a secret access key",
    about: "the secret access key, 64 hex digits, which is shown once, when an R2 API token is made",
    purpose: Purpose::Key,
    names: &[Names::new(&["SECRET_ACCESS_KEY"], BUILDER), Names::new(&["SECRET_KEY"], MICROFEED)],
    mistakes: &[Mistake { forms: &[&many::HEX_32], repair: KEY_REPAIR, source: SWAPPED }],
    ..FIELD
};

const ID_REPAIR: &str = "set it to the access key ID that Cloudflare shows when an R2 API token is made, 32 hex digits; 64 hex digits are the secret access key";
const KEY_REPAIR: &str = "set it to the secret access key that Cloudflare shows when an R2 API token is made, 64 hex digits; 32 hex digits are the access key ID or the account ID";

pub static ACCOUNT_FIELD: Field = Field {
    place: ("r2", "account_id"),
    noun: "an account ID",
    about: "the account ID, 32 hex digits, with which the address of the S3 API begins",
    purpose: Purpose::Id,
    takes: &[&many::HEX_32],
    names: &[Names::new(&["ACCOUNT_ID"], MICROFEED)],
    ..FIELD
};

pub static ENDPOINT_FIELD: Field = Field {
    place: ("r2", "endpoint"),
    noun: "the address of the S3 API",
    about: "`https://ACCOUNT_ID.r2.cloudflarestorage.com`",
    takes: &[&ENDPOINT],
    names: &[Names::new(&["ENDPOINT", "ENDPOINT_URL", "S3_ENDPOINT"], MICROFEED)],
    mistakes: &[Mistake {
        forms: &[&PUBLIC_ADDRESS],
        repair: "set it to `https://ACCOUNT_ID.r2.cloudflarestorage.com`; this address only serves files",
        source: BUCKETS,
    }],
    ..FIELD
};

const HOSTS: &[HostRule] = &[
    HostRule {
        hosts: &["*.r2.cloudflarestorage.com"],
        whose: "Cloudflare R2",
        field: &ID_FIELD,
        takes: &[&many::HEX_32],
        only: true,
        noun: "an access key ID of 32 hex digits",
        repair: ID_REPAIR,
        source: TOKENS,
        ..AT
    },
    HostRule {
        hosts: &["*.r2.cloudflarestorage.com"],
        whose: "Cloudflare R2",
        field: &KEY_FIELD,
        refuses: &[&many::HEX_32],
        noun: "a secret access key of 64 hex digits",
        repair: KEY_REPAIR,
        source: TOKENS,
        ..AT
    },
];

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[ErrorText {
    texts: &["Credential access key has length *, should be 32"],
    about: &[&ID_FIELD],
    others: &[("aws", "access_key_id"), ("s3", "access_key_id")],
    says: "the access key ID is not one of R2, whose IDs have 32 characters",
    open: "whether the token's own ID is still at hand: it is shown once, with the secret",
    source: Example("https://github.com/grafana/loki/issues/9224"),
    ..ERROR
}];
