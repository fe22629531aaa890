//! What an upload came to, in words that say whether it may be repeated.

use std::path::Path;
use std::time::{Duration, Instant};

use super::error::UploadError;
use super::wire::ledger::Account;
use crate::code::Code;
use crate::text;

/// What became of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Status {
    /// The service took every byte and said so.
    Delivered,
    /// The service took every byte and answered 2xx, without a verdict.
    Accepted,
    /// Not delivered; safe to run again.
    Failed,
    /// Perhaps delivered: look before running it again.
    Uncertain,
    /// Not tried, because the profile has errors.
    Refused,
    /// Not tried, because that was asked for.
    Skipped,
    /// Delivered to the embedded service.
    Rehearsed,
}

impl Status {
    /// The word used in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Delivered => "delivered",
            Self::Accepted => "accepted",
            Self::Failed => "failed",
            Self::Uncertain => "uncertain",
            Self::Refused => "refused",
            Self::Skipped => "skipped",
            Self::Rehearsed => "rehearsed",
        }
    }
}

/// Whether files are really sent.
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
    /// The word used in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Rehearsal => "rehearsal",
            Self::DryRun => "dry-run",
        }
    }
}

/// Why a file was left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Skip {
    /// Nothing was to be sent.
    DryRun,
    /// The journal says that it was delivered.
    Journal,
    /// The run was interrupted before it was begun.
    Interrupted,
    /// Another file failed, and that was to end the run.
    FailFast,
    /// The service refuses the token, whichever file comes with it.
    Token,
    /// The service does not take the channels or the thread, whichever file is for them.
    Channel,
    /// The workspace takes no file now, or none from this app.
    Workspace,
    /// Several files in a row did not reach the service, nor did the last one that tried alone.
    Unreachable,
}

impl Skip {
    /// The word used in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::DryRun => "dry-run",
            Self::Journal => "journal",
            Self::Interrupted => "interrupted",
            Self::FailFast => "fail-fast",
            Self::Token => "token",
            Self::Channel => "channel",
            Self::Workspace => "workspace",
            Self::Unreachable => "unreachable",
        }
    }
}

/// What the end of a file says of those that come after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum RunEffect {
    /// Nothing.
    #[default]
    Unknown,
    /// The service answers.
    Reached,
    /// The service was not reached.
    Unreached,
    /// None of them can fare better.
    Stop(Skip),
}

/// What became of one file. Everything in it may be printed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Receipt {
    /// The name it is posted under; the path, as far as it may be shown, of one that was not opened.
    pub file: String,
    /// What became of it.
    pub status: Status,
    /// Bytes of the file that were handed over.
    pub bytes: u64,
    /// The channels it was meant for, as they may be shown.
    pub channels: Vec<String>,
    /// The SHA-256 of what was sent, in hexadecimal digits, if that was asked for.
    pub sha256: Option<String>,
    /// The id the service gave the file.
    pub file_id: Option<String>,
    /// Where to look at it.
    pub permalink: Option<String>,
    /// How often it was tried: 1, and one more for each time that a step had to be repeated.
    pub attempts: u32,
    /// From the start of the upload to its verdict.
    pub elapsed: Duration,
    /// Why it was left out, if it was.
    pub skip: Option<Skip>,
    /// Why it was not (certainly) done.
    pub error: Option<UploadError>,
    /// What that says of the files that come after it.
    pub(crate) run_effect: RunEffect,
}

impl Receipt {
    /// A file that could not be opened, or a client that could not be built.
    #[must_use]
    pub fn failed(file: &Path, channels: Vec<String>, error: UploadError) -> Self {
        Self { error: Some(error), ..Self::untried(file, channels, Status::Failed) }
    }

    /// A file that was left out on purpose.
    #[must_use]
    pub fn skipped(file: &Path, channels: Vec<String>, why: Skip) -> Self {
        Self { skip: Some(why), ..Self::untried(file, channels, Status::Skipped) }
    }

    /// A file that was not sent because its profile has errors.
    #[must_use]
    pub fn refused(file: &Path, channels: Vec<String>) -> Self {
        let error = UploadError::new(Code::ProfileHasErrors, "not sent: the profile has errors")
            .help("run `credlint check` and fix what it reports");
        Self { error: Some(error), ..Self::untried(file, channels, Status::Refused) }
    }

    /// The receipt of a delivery to the embedded service: says so in place of `delivered`.
    #[must_use]
    pub fn rehearsed(mut self) -> Self {
        if matches!(self.status, Status::Delivered | Status::Accepted) {
            self.status = Status::Rehearsed;
            // The service ends with the rehearsal, and the link with it.
            self.permalink = None;
        }
        self
    }

    /// Takes in how far the sending came.
    pub(super) fn account(&mut self, account: &Account) {
        self.bytes = account.progress.taken;
        self.sha256.clone_from(&account.sha256);
    }

    /// The same with the time since it was begun.
    pub(super) fn ended(mut self, started: Instant) -> Self {
        self.elapsed = started.elapsed();
        self
    }

    fn untried(file: &Path, channels: Vec<String>, status: Status) -> Self {
        Self::blank(text::file_or_path(file), channels, status)
    }

    /// One to fill in. `file` is the name as it may be printed.
    pub(super) const fn blank(file: String, channels: Vec<String>, status: Status) -> Self {
        Self {
            file,
            status,
            bytes: 0,
            channels,
            sha256: None,
            file_id: None,
            permalink: None,
            attempts: 0,
            elapsed: Duration::ZERO,
            skip: None,
            error: None,
            run_effect: RunEffect::Unknown,
        }
    }
}
