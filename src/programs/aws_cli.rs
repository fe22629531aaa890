//! The AWS CLI and the SDKs: their shared file of credentials.

use super::{BLANK, Group, Mark, Program};
use crate::services::{Source, aws};

pub static PROGRAM: Program = Program {
    name: "aws",
    groups: &[Group {
        mark: Mark::File("credentials"),
        keys: &[
            ("aws_access_key_id", &aws::ID_FIELD, ""),
            ("aws_secret_access_key", &aws::KEY_FIELD, ""),
            ("aws_session_token", &aws::SESSION_FIELD, ""),
            ("endpoint_url", &aws::ENDPOINT_FIELD, ""),
        ],
    }],
    source: Source::Official("https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html"),
    ..BLANK
};
