//! `upload --format json` and `jsonl`: the upload/v1 document. New versions may add keys, but never remove or retype
//! one.
//!
//! With `jsonl`, each line is a document with one upload. The last line has none, but has the findings and totals.

use serde::Serialize;

use super::json_v1::{self, FindingV1, NamedV1, ProblemV1};
use crate::config::ConfigError;
use crate::finding::Finding;
use crate::schema::ProfileId;
use crate::source::Sources;
use crate::upload::{Mode, Receipt, Skip, Status};

/// The schema name.
pub const SCHEMA: &str = "credlint/upload/v1";

#[derive(Serialize)]
struct UploadsV1<'a> {
    schema: &'static str,
    mode: &'static str,
    profile: Option<NamedV1<'a>>,
    destination: Option<&'a str>,
    uploads: Vec<UploadV1<'a>>,
    /// The number of files by status; absent in the line of a single file.
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<CountsV1>,
    findings: Vec<FindingV1<'a>>,
    problems: Vec<ProblemV1<'a>>,
}

/// Numbers of files by status.
#[derive(Serialize, Clone, Copy, Default, Debug)]
pub struct CountsV1 {
    files: usize,
    bytes: u64,
    delivered: usize,
    accepted: usize,
    failed: usize,
    uncertain: usize,
    refused: usize,
    skipped: usize,
    rehearsed: usize,
}

impl CountsV1 {
    /// Counts receipts by status.
    pub fn from_receipts(receipts: &[Receipt]) -> Self {
        let mut sum = Self { files: receipts.len(), ..Self::default() };
        for receipt in receipts {
            sum.bytes += receipt.bytes;
            *match receipt.status {
                Status::Delivered => &mut sum.delivered,
                Status::Accepted => &mut sum.accepted,
                Status::Failed => &mut sum.failed,
                Status::Uncertain => &mut sum.uncertain,
                Status::Refused => &mut sum.refused,
                Status::Skipped => &mut sum.skipped,
                Status::Rehearsed => &mut sum.rehearsed,
            } += 1;
        }
        sum
    }
}

#[derive(Serialize)]
struct UploadV1<'a> {
    file: &'a str,
    status: &'static str,
    bytes: u64,
    /// Present only if a checksum was computed.
    sha256: Option<&'a str>,
    channels: &'a [String],
    file_id: Option<&'a str>,
    permalink: Option<&'a str>,
    ts: Option<&'a str>,
    attempts: u32,
    elapsed_ms: u64,
    /// Why the file was skipped.
    reason: Option<&'static str>,
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
            ts: receipt.ts.as_deref(),
            attempts: receipt.attempts,
            elapsed_ms: u64::try_from(receipt.elapsed.as_millis()).unwrap_or(u64::MAX),
            reason: receipt.skip.map(Skip::as_str),
            error: receipt.error.as_ref().map(|error| ErrorV1 {
                code: error.code.as_str(),
                message: &error.message,
                help: error.help.as_deref(),
            }),
        }
    }
}

/// The keys that every document of a run shares.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// Whether files are really sent.
    pub mode: Mode,
    /// The profile.
    pub profile: &'a ProfileId,
    /// The destination.
    pub destination: Option<&'a str>,
}

impl Head<'_> {
    fn document<'a>(&'a self, receipts: &'a [Receipt]) -> UploadsV1<'a> {
        UploadsV1 {
            schema: SCHEMA,
            mode: self.mode.as_str(),
            profile: Some(self.profile.into()),
            destination: self.destination,
            uploads: receipts.iter().map(UploadV1::from).collect(),
            summary: None,
            findings: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// Returns the results of an upload as a JSON document.
    pub fn receipts(&self, receipts: &[Receipt], findings: &[Finding], sources: &Sources) -> String {
        let findings = json_v1::findings(findings, sources);
        json_v1::to_string(&UploadsV1 {
            summary: Some(CountsV1::from_receipts(receipts)),
            findings,
            ..self.document(receipts)
        })
    }

    /// Returns the result of one file as a line.
    pub fn line(&self, receipt: &Receipt) -> String {
        json_v1::to_string(&self.document(std::slice::from_ref(receipt)))
    }

    /// Returns the last line.
    pub fn last_line(&self, receipts: &[Receipt], findings: &[Finding], sources: &Sources) -> String {
        let findings = json_v1::findings(findings, sources);
        json_v1::to_string(&UploadsV1 {
            summary: Some(CountsV1::from_receipts(receipts)),
            findings,
            ..self.document(&[])
        })
    }
}

/// Returns the document for a run that could not send anything.
pub fn error(mode: Mode, profile: Option<&ProfileId>, error: &ConfigError) -> String {
    json_v1::to_string(&UploadsV1 {
        schema: SCHEMA,
        mode: mode.as_str(),
        profile: profile.map(NamedV1::from),
        destination: None,
        uploads: Vec::new(),
        summary: None,
        findings: Vec::new(),
        problems: error.problems.iter().map(|problem| json_v1::problem(problem, &error.sources)).collect(),
    })
}
