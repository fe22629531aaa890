//! Cloudflare R2.

use super::{
    AT, At, BLANK, ERROR, ErrorText, FIELD, FORM, Field, Form, Mistake, NAMES, Names, Pattern, Purpose, Relation,
    Service, Source, many,
};

pub static SERVICE: Service = Service {
    name: "Cloudflare R2",
    docs: "https://developers.cloudflare.com/r2/api/tokens/",
    read: "2026-11-23",
    forms: &[&ENDPOINT, &PUBLIC_ADDRESS],
    words: &["R2"],
    aside: &["CLOUDFLARE", "CF"],
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

const TOKENS: Source = Source::Official("https://developers.cloudflare.com/r2/api/tokens/");
const S3_API: Source = Source::Official("https://developers.cloudflare.com/r2/api/s3/api/");
pub const BUCKETS: Source = Source::Official("https://developers.cloudflare.com/r2/buckets/public-buckets/");
const SWAPPED: Source = Source::Official("https://github.com/cloudflare/cloudflare-docs/pull/9557");
/// Nobody documents these names; programs have them.
const BUILDER: Source = Source::Example("https://github.com/electron-userland/electron-builder/pull/9773");
const MICROFEED: Source = Source::Example("https://github.com/microfeed/microfeed/blob/main/README.md");

/// The address of the S3 API, of an account or of one of its jurisdictions.
pub static ENDPOINT: Form = Form {
    id: "r2/endpoint",
    noun: "the address of an account's R2 storage",
    patterns: &[Pattern::Address {
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

/// It serves the files of one bucket, and has no API.
pub static PUBLIC_ADDRESS: Form = Form {
    id: "r2/public-address",
    noun: "the public address of an R2 bucket",
    patterns: &[Pattern::Address { hosts: &["*.r2.dev"], path: "[!-~]*" }],
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
    names: &[
        Names { words: &["ACCESS_KEY_ID"], source: BUILDER, ..NAMES },
        Names { words: &["ACCESS_KEY"], source: MICROFEED, ..NAMES },
    ],
    ..FIELD
};

/// Its form is documented: a SHA-256, which many other values are.
pub static KEY_FIELD: Field = Field {
    place: ("r2", "secret_access_key"),
    noun: "a secret access key",
    about: "the secret access key, 64 hex digits, which is shown once, when an R2 API token is made",
    purpose: Purpose::Key,
    names: &[
        Names { words: &["SECRET_ACCESS_KEY"], source: BUILDER, ..NAMES },
        Names { words: &["SECRET_KEY"], source: MICROFEED, ..NAMES },
    ],
    mistakes: &[Mistake { form: &many::HEX_32, repair: KEY_REPAIR, source: SWAPPED }],
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
    names: &[Names { words: &["ACCOUNT_ID"], source: MICROFEED, ..NAMES }],
    ..FIELD
};

pub static ENDPOINT_FIELD: Field = Field {
    place: ("r2", "endpoint"),
    noun: "the address of the S3 API",
    about: "`https://ACCOUNT_ID.r2.cloudflarestorage.com`",
    purpose: Purpose::Endpoint,
    takes: &[&ENDPOINT],
    names: &[Names { words: &["ENDPOINT", "ENDPOINT_URL", "S3_ENDPOINT"], source: MICROFEED, ..NAMES }],
    mistakes: &[Mistake {
        form: &PUBLIC_ADDRESS,
        repair: "set it to `https://ACCOUNT_ID.r2.cloudflarestorage.com`; this address only serves files",
        source: BUCKETS,
    }],
};

const HOSTS: &[At] = &[
    At {
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
    At {
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

/// What stands in a log.
static ERRORS: &[ErrorText] = &[ErrorText {
    texts: &["Credential access key has length *, should be 32"],
    about: &[&ID_FIELD],
    others: &[("aws", "access_key_id"), ("s3", "access_key_id")],
    says: "the access key ID is not one of R2, whose IDs have 32 characters",
    open: "whether the token's own ID is still at hand: it is shown once, with the secret",
    source: Source::Example("https://github.com/grafana/loki/issues/9224"),
    ..ERROR
}];
