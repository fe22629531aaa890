//! `upload --format json`: upload/v1. It may gain keys, and never loses or retypes one.

use serde::Serialize;

use super::json_v1::{self, FindingV1, Named, ProblemV1};
use crate::config::ConfigError;
use crate::finding::Finding;
use crate::schema::ProfileId;
use crate::source::Sources;
use crate::upload::Receipt;

/// The name of the format.
pub const SCHEMA: &str = "credlint/upload/v1";

/// Whether files were really sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// To the service.
    Live,
    /// To the embedded service.
    Rehearsal,
    /// Not at all.
    DryRun,
}

impl Mode {
    const fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Rehearsal => "rehearsal",
            Self::DryRun => "dry-run",
        }
    }
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    mode: &'static str,
    profile: Option<Named<'a>>,
    destination: Option<&'a str>,
    uploads: Vec<UploadV1<'a>>,
    findings: Vec<FindingV1<'a>>,
    problems: Vec<ProblemV1<'a>>,
}

#[derive(Serialize)]
struct UploadV1<'a> {
    file: &'a str,
    status: &'static str,
    bytes: u64,
    /// Only with a checksum.
    sha256: Option<&'a str>,
    channels: &'a [String],
    file_id: Option<&'a str>,
    permalink: Option<&'a str>,
    attempts: u32,
    elapsed_ms: u64,
    error: Option<ErrorV1<'a>>,
}

#[derive(Serialize)]
struct ErrorV1<'a> {
    code: &'static str,
    message: &'a str,
    help: Option<&'a str>,
}

impl<'a> From<&'a Receipt> for UploadV1<'a> {
    fn from(receipt: &'a Receipt) -> Self {
        Self {
            file: &receipt.file,
            status: receipt.status.as_str(),
            bytes: receipt.bytes,
            sha256: receipt.sha256.as_deref(),
            channels: &receipt.channels,
            file_id: receipt.file_id.as_deref(),
            permalink: receipt.permalink.as_deref(),
            attempts: receipt.attempts,
            elapsed_ms: u64::try_from(receipt.elapsed.as_millis()).unwrap_or(u64::MAX),
            error: receipt.error.as_ref().map(|error| ErrorV1 {
                code: error.code,
                message: &error.message,
                help: error.help.as_deref(),
            }),
        }
    }
}

/// What came of an upload, as one JSON document.
#[must_use]
pub fn receipts(
    mode: Mode,
    profile: &ProfileId,
    destination: Option<&str>,
    receipts: &[Receipt],
    findings: &[Finding],
    sources: &Sources,
) -> String {
    json_v1::to_string(&Document {
        schema: SCHEMA,
        mode: mode.name(),
        profile: Some(profile.into()),
        destination,
        uploads: receipts.iter().map(UploadV1::from).collect(),
        findings: json_v1::findings(findings, sources),
        problems: Vec::new(),
    })
}

/// The same document where there was nothing to send with, or nowhere to send to.
#[must_use]
pub fn error(mode: Mode, profile: Option<&ProfileId>, error: &ConfigError) -> String {
    json_v1::to_string(&Document {
        schema: SCHEMA,
        mode: mode.name(),
        profile: profile.map(Named::from),
        destination: None,
        uploads: Vec::new(),
        findings: Vec::new(),
        problems: error.problems.iter().map(|problem| json_v1::problem(problem, &error.sources)).collect(),
    })
}
