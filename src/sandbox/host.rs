//! The options of the service, and the state that all connections share.

use std::path::PathBuf;
use std::sync::mpsc::SyncSender;
use std::time::Duration;

use super::faults::{Fault, Faults};
use super::files::Files;
use super::operation::Answered;
use crate::shorthand::setters;

/// The default limit of a file's size. A larger file is hardly meant for the disk of a developer.
const MAX_FILE: u64 = 16 * 1024 * 1024 * 1024;

/// The options of the service.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The directory for received files. Without it they are counted and discarded.
    pub store: Option<PathBuf>,
    pub(super) hosted: bool,
    pub(super) max_file: u64,
    pub(super) ledger: Option<PathBuf>,
    pub(super) scopes: Vec<String>,
    pub(super) team: String,
    pub(super) channels: Vec<String>,
    pub(super) bucket: Option<String>,
    pub(super) faults: Vec<Fault>,
    pub(super) delay: Duration,
    pub(super) requests: Option<SyncSender<Answered>>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            store: None,
            hosted: false,
            max_file: MAX_FILE,
            ledger: None,
            scopes: ["files:write", "files:read", "chat:write"].map(str::to_owned).to_vec(),
            team: "T00000000".to_owned(),
            channels: Vec::new(),
            bucket: None,
            faults: Vec::new(),
            delay: Duration::ZERO,
            requests: None,
        }
    }
}

impl Options {
    setters! {
        /// Stores received files in this directory, which is created if it is missing.
        with_store(store: Option<PathBuf>);

        /// Makes the service as strict as the hosted one: it accepts only tokens and IDs of the forms that the hosted
        /// service issues, and `files.upload` is retired.
        with_hosted(hosted: bool);

        /// Sets the size limit of a file, in bytes. The default is 16 GiB.
        with_max_file(max_file: u64);

        /// Appends a line of JSON to this file for each message. The file is created if it is missing.
        with_ledger(ledger: Option<PathBuf>);

        /// Sets the scopes of every token. The default is `files:write`, `files:read` and `chat:write`.
        with_scopes(scopes: Vec<String>);

        /// Sets the workspace of every token. The default is `T00000000`.
        with_team(team: impl Into<String>) = team.into();

        /// Sets the channels that exist. If there are none, every channel exists.
        with_channels(channels: Vec<String>);

        /// Restricts application keys to one bucket. By default they are for all buckets.
        with_bucket(bucket: Option<String>);

        /// Sets the faults to inject. If several apply to a request, the first one that is not used up is injected.
        with_faults(faults: Vec<Fault>);

        /// Waits this long before each answer.
        with_delay(delay: Duration);

        /// Reports each request and its answer to this channel. If the channel is full, the report is dropped.
        with_requests(requests: Option<SyncSender<Answered>>);
    }
}

/// The configuration and the files of the service.
#[derive(Debug)]
pub(super) struct Host {
    pub(super) base: String,
    pub(super) options: Options,
    /// The scopes, joined by commas.
    pub(super) scopes: String,
    pub(super) faults: Faults,
    pub(super) files: Files,
}

impl Host {
    pub(super) fn has_channel(&self, id: &str) -> bool {
        let channels = &self.options.channels;
        channels.is_empty() || channels.iter().any(|channel| channel == id)
    }
}
