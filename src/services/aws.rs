//! AWS.

use super::{BLANK, FORM, Form, Pattern, Protocol, Purpose, Service, Source};

pub static SERVICE: Service = Service {
    name: "AWS",
    docs: "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids",
    read: "2026-11-21",
    forms: &[&ACCESS_KEY_ID, &PAIR_IN_ADDRESS],
    ..BLANK
};

pub static ACCESS_KEY_ID: Form = Form {
    id: "aws/access-key-id",
    noun: "an AWS access key ID",
    patterns: &[Pattern::Text("AKIA[0-9A-Z]{16}"), Pattern::Text("ASIA[0-9A-Z]{16}")],
    purpose: Purpose::Id,
    protocol: Some(Protocol::S3),
    source: Source::Official(SERVICE.docs),
    ..FORM
};

pub static PAIR_IN_ADDRESS: Form = Form {
    id: "aws/pair-in-address",
    noun: "an AWS access key pair in a URL",
    patterns: &[Pattern::Text("https://AKIA[ -~]{16,}")],
    source: Source::Official(SERVICE.docs),
    ..FORM
};
