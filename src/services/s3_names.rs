//! Names in programs that store files on any server with Amazon S3's protocol: the address next to them decides.

use super::prelude::*;
use super::{aws, r2};

pub static SERVICE: Service = Service {
    name: "S3 storage",
    docs: "https://docs.aws.amazon.com/AmazonS3/latest/userguide/RESTAuthentication.html",
    read: "2026-11-23",
    words: &["S3"],
    fields: &[&ID_FIELD, &KEY_FIELD, &SESSION_FIELD, &ENDPOINT_FIELD],
    shared: true,
    at: aws::HOSTS,
    errors: ERRORS,
    ..BLANK
};

const MEDUSA: Source = Example("https://docs.medusajs.com/resources/infrastructure-modules/file/s3");
const OUTLINE: Source = Example("https://github.com/langfuse/langfuse/blob/main/.env.prod.example");
const GITLAB: Source = Example("https://docs.gitlab.com/runner/configuration/advanced-configuration/");

pub static ID_FIELD: Field = Field {
    place: ("s3", "access_key_id"),
    noun: "an access key ID",
    about: "the access key ID of the service whose address is next to it",
    purpose: Purpose::Id,
    takes: aws::ID_FIELD.takes,
    names: &[Names::apart(&["ACCESS_KEY_ID"], MEDUSA), Names::new(&["ACCESS_KEY"], GITLAB)],
    ..FIELD
};

pub static KEY_FIELD: Field = Field {
    place: ("s3", "secret_access_key"),
    noun: "a secret access key",
    about: "the secret access key that belongs to the access key ID",
    purpose: Purpose::Key,
    names: &[Names::apart(&["SECRET_ACCESS_KEY"], MEDUSA), Names::new(&["SECRET_KEY"], GITLAB)],
    mistakes: aws::ID_AS_KEY,
    ..FIELD
};

pub static SESSION_FIELD: Field = Field {
    place: ("s3", "session_token"),
    noun: "a session token",
    about: "the session token, which is issued with temporary credentials",
    purpose: Purpose::OtherToken,
    names: &[Names::apart(
        &["SESSION_TOKEN"],
        Example("https://distribution.github.io/distribution/storage-drivers/s3/"),
    )],
    ..FIELD
};

pub static ENDPOINT_FIELD: Field = Field {
    place: ("s3", "endpoint"),
    noun: "the address of the S3 API",
    about: "the address of the S3 API, without the bucket",
    takes: &[&r2::ENDPOINT],
    names: &[Names::apart(&["ENDPOINT"], OUTLINE), Names::new(&["ENDPOINT_URL"], MEDUSA)],
    mistakes: PUBLIC_ADDRESS,
    ..FIELD
};

const PUBLIC_ADDRESS: &[Mistake] = &[Mistake {
    forms: &[&r2::PUBLIC_ADDRESS],
    repair: "set it to `https://ACCOUNT_ID.r2.cloudflarestorage.com`; this address only serves files",
    source: r2::BUCKETS,
}];

/// Error texts in logs.
static ERRORS: &[ErrorText] = &[
    ErrorText {
        texts: &["InvalidAccessKeyId", "The Access Key Id you provided does not exist in our records"],
        about: &[&ID_FIELD, &ENDPOINT_FIELD],
        says: "the server does not recognise the access key ID",
        open: "whether the key was deleted, and to which server it was sent",
        source: Official("https://github.com/minio/minio/blob/master/cmd/api-errors.go"),
        ..ERROR
    },
    ErrorText {
        texts: &[
            "SignatureDoesNotMatch",
            "The request signature we calculated does not match the signature you provided",
        ],
        about: &[&KEY_FIELD, &ID_FIELD, &ENDPOINT_FIELD],
        says: "the server knows the access key ID, and the secret is another one's",
        open: "whether the secret is of another key, or the name of a file has letters beyond ASCII",
        source: Official("https://github.com/minio/minio/blob/master/cmd/api-errors.go"),
        ..ERROR
    },
];
