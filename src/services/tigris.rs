//! Tigris.

use super::prelude::*;

pub static SERVICE: Service = Service {
    name: "Tigris",
    docs: "https://www.tigrisdata.com/docs/sdks/s3/aws-cli/",
    read: "2026-11-23",
    forms: &[&ACCESS_KEY_ID, &SECRET_KEY],
    ..BLANK
};

const DOCS: Source = Official("https://www.tigrisdata.com/docs/sdks/s3/aws-cli/");

pub static ACCESS_KEY_ID: Form = Form {
    purpose: Purpose::Id,
    protocol: Some(Protocol::S3),
    ..Form::new("tigris/access-key-id", "a Tigris access key ID", &[Text("tid_[0-9A-Za-z_-]{16,}")], DOCS)
};

pub static SECRET_KEY: Form = Form {
    purpose: Purpose::Key,
    protocol: Some(Protocol::S3),
    ..Form::new("tigris/secret-key", "a Tigris secret access key", &[Text("tsec_[0-9A-Za-z_+/-]{16,}")], DOCS)
};
