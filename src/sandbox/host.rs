//! The state that all connections share.

use std::sync::mpsc::SyncSender;
use std::time::Duration;

use super::faults::Faults;
use super::files::Files;
use super::requests::Answered;

/// The configuration and the files of the service.
#[derive(Debug)]
pub(super) struct Host {
    pub(super) base: String,
    /// Whether the service is as strict as the hosted one.
    pub(super) hosted: bool,
    /// The scopes, joined by commas.
    pub(super) scopes: String,
    pub(super) team: String,
    pub(super) channels: Vec<String>,
    pub(super) bucket: Option<String>,
    pub(super) faults: Faults,
    pub(super) delay: Duration,
    /// The size limit of a file, in bytes.
    pub(super) max_file: u64,
    pub(super) files: Files,
    pub(super) requests: Option<SyncSender<Answered>>,
}

impl Host {
    pub(super) fn has_channel(&self, id: &str) -> bool {
        self.channels.is_empty() || self.channels.iter().any(|channel| channel == id)
    }
}
