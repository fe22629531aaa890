//! The result of an upload, which tells whether it may be repeated, and the labels of files, which may be named after a
//! secret.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::post::Post;
use super::secrets::OwnSecrets;
use super::wire::guard::{Guard, show_file, show_together, show_ts};
use super::wire::ledger::Account;
use crate::code::Code;
use crate::secret::MASK;
use crate::shorthand::{debug, words};
use crate::source::Problem;
use crate::text;

words! {
    /// The status of a file.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[non_exhaustive]
    pub enum Status {
        /// The service confirmed that it has every byte.
        Delivered = "delivered",
        /// The service received every byte and answered 2xx, without a verdict.
        Accepted = "accepted",
        /// Not delivered: this file may be sent again.
        Failed = "failed",
        /// Possibly delivered: check before sending it again.
        Uncertain = "uncertain",
        /// Not sent, because the profile has errors.
        Refused = "refused",
        /// Not sent, for the reason given.
        Skipped = "skipped",
        /// Delivered to the sandbox.
        Rehearsed = "rehearsed",
    }

    /// Returns the word used in JSON.
    pub fn as_str;
}

words! {
    /// Whether files are really sent.
    #[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
    pub enum Mode {
        /// To the service.
        #[default]
        Live = "live",
        /// To the sandbox.
        Rehearsal = "rehearsal",
        /// Not at all.
        DryRun = "dry-run",
    }

    /// Returns the word used in JSON.
    pub fn as_str;
}

words! {
    /// Why a file was skipped.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[non_exhaustive]
    pub enum Skip {
        /// A dry run sends nothing.
        DryRun = "dry-run",
        /// The journal says that it was delivered.
        Journal = "journal",
        /// Another file that was named can't be sent, so nothing was.
        Input = "input",
        /// The run was interrupted before this file.
        Interrupted = "interrupted",
        /// Another file failed, and `fail_fast` ended the run.
        FailFast = "fail-fast",
        /// The service rejects the token for every file.
        Token = "token",
        /// The service rejects the channels or the thread for every file.
        Channel = "channel",
        /// The workspace currently accepts no files, or none from this app.
        Workspace = "workspace",
        /// Several consecutive files did not reach the service, and neither did the last one, sent alone.
        Unreachable = "unreachable",
    }

    /// Returns the word used in JSON.
    pub fn as_str;
}

/// What the result of a file means for the files after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum RunEffect {
    /// No effect.
    #[default]
    Unknown,
    /// The service answers.
    Reached,
    /// The service was not reached.
    Unreached,
    /// No other file can succeed.
    Stop(Skip),
}

/// The result of one file. All of it may be printed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Receipt {
    /// The name that the file is posted under, or the path for display if it was not opened.
    pub file: String,
    /// The status.
    pub status: Status,
    /// The bytes of the file that were sent.
    pub bytes: u64,
    /// The channels for display.
    pub channels: Vec<String>,
    /// The SHA-256 of the bytes sent, in hexadecimal digits, if requested.
    pub sha256: Option<String>,
    /// The ID that the service assigned.
    pub file_id: Option<String>,
    /// A link to the file.
    pub permalink: Option<String>,
    /// The timestamp of the message, in the first channel.
    pub ts: Option<String>,
    /// The number of attempts: 1, and one more for each repeated step.
    pub attempts: u32,
    /// The time from the start of the upload to its result.
    pub elapsed: Duration,
    /// Why it was skipped.
    pub skip: Option<Skip>,
    /// Why it failed or is uncertain.
    pub error: Option<Problem>,
    /// What it means for the files after it.
    pub(crate) run_effect: RunEffect,
}

impl Receipt {
    /// Creates a receipt for a file that could not be opened, or a client that could not be created.
    #[must_use]
    pub fn failed(file: &Path, channels: Vec<String>, error: Problem) -> Self {
        Self { error: Some(error), ..Self::not_sent(file, channels, Status::Failed) }
    }

    /// Creates a receipt for a file that was skipped.
    #[must_use]
    pub fn skipped(file: &Path, channels: Vec<String>, why: Skip) -> Self {
        Self { skip: Some(why), ..Self::not_sent(file, channels, Status::Skipped) }
    }

    /// Creates a receipt for a file that was not sent because its profile has errors.
    #[must_use]
    pub fn refused(file: &Path, channels: Vec<String>) -> Self {
        let error = Problem::new(Code::ProfileHasErrors, "not sent: the profile has errors")
            .help("run `credlint check` and fix what it reports");
        Self { error: Some(error), ..Self::not_sent(file, channels, Status::Refused) }
    }

    /// Marks a delivery to the sandbox as rehearsed.
    #[must_use]
    pub fn rehearsed(mut self) -> Self {
        if matches!(self.status, Status::Delivered | Status::Accepted) {
            self.status = Status::Rehearsed;
            // The link and the message become invalid when the sandbox ends.
            (self.permalink, self.ts) = (None, None);
        }
        self
    }

    /// Records the bytes sent.
    pub(super) fn record_sent(&mut self, account: &Account) {
        self.bytes = account.progress.taken;
        self.sha256.clone_from(&account.sha256);
    }

    /// Records the service's record of the file, as far as it may be printed.
    pub(super) fn record(&mut self, record: &Value, post: &Post, guard: &Guard) {
        let (id, permalink) = show_file(record, guard);
        let id = id.or_else(|| self.file_id.take());
        (self.file_id, self.permalink) = show_together(id, permalink, guard);
        self.ts = show_ts(record, post, guard).filter(|ts| {
            let parts = [self.file_id.as_deref(), self.permalink.as_deref(), Some(ts)];
            !guard.echoes_together(&parts.into_iter().flatten().collect::<Vec<_>>())
        });
    }

    /// Records the elapsed time.
    pub(super) fn with_elapsed(mut self, started: Instant) -> Self {
        self.elapsed = started.elapsed();
        self
    }

    fn not_sent(file: &Path, channels: Vec<String>, status: Status) -> Self {
        Self::blank(text::file_to_send(file), channels, status)
    }

    /// Creates a receipt to fill in. `file` is the name for display.
    pub(super) const fn blank(file: String, channels: Vec<String>, status: Status) -> Self {
        Self {
            file,
            status,
            bytes: 0,
            channels,
            sha256: None,
            file_id: None,
            permalink: None,
            ts: None,
            attempts: 0,
            elapsed: Duration::ZERO,
            skip: None,
            error: None,
            run_effect: RunEffect::Unknown,
        }
    }
}

/// Recognises the secrets of the profile.
#[derive(Clone, Default)]
pub(crate) struct FileLabels(Arc<[Guard]>);

debug!(FileLabels, |own| "FileLabels({})", own.0.len());

impl FileLabels {
    pub(crate) fn new(secrets: &OwnSecrets) -> Self {
        Self(secrets.secrets().map(Guard::for_names).collect())
    }

    /// Returns `true` if a path contains a secret, or too much of one.
    pub(crate) fn must_hide(&self, path: &Path) -> bool {
        let path = path.to_string_lossy();
        self.0.iter().any(|guard| guard.echoes_together(&[&path]))
    }

    /// Returns the path of an existing file for display.
    pub(crate) fn shown_path(&self, path: &Path) -> String {
        if self.must_hide(path) { MASK.to_owned() } else { text::file(path) }
    }

    /// Returns a receipt without the file's name, if that must be hidden.
    pub(crate) fn mask(&self, path: &Path, mut receipt: Receipt) -> Receipt {
        if self.must_hide(path) {
            MASK.clone_into(&mut receipt.file);
            if let Some(error) = &mut receipt.error {
                error.message = error.message.replace(&text::file_to_send(path), MASK);
            }
        }
        receipt
    }
}
