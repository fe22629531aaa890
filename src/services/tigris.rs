//! Tigris.

use super::{BLANK, FORM, Form, Pattern, Protocol, Purpose, Service, Source};

pub static SERVICE: Service = Service {
    name: "Tigris",
    docs: "https://www.tigrisdata.com/docs/sdks/s3/aws-cli/",
    read: "2026-11-23",
    forms: &[&ACCESS_KEY_ID, &SECRET_KEY],
    ..BLANK
};

const DOCS: Source = Source::Official("https://www.tigrisdata.com/docs/sdks/s3/aws-cli/");

pub static ACCESS_KEY_ID: Form = Form {
    id: "tigris/access-key-id",
    noun: "a Tigris access key ID",
    patterns: &[Pattern::Text("tid_[0-9A-Za-z_-]{16,}")],
    purpose: Purpose::Id,
    protocol: Some(Protocol::S3),
    source: DOCS,
    ..FORM
};

pub static SECRET_KEY: Form = Form {
    id: "tigris/secret-key",
    noun: "a Tigris secret access key",
    patterns: &[Pattern::Text("tsec_[0-9A-Za-z_+/-]{16,}")],
    purpose: Purpose::Key,
    protocol: Some(Protocol::S3),
    source: DOCS,
    ..FORM
};
