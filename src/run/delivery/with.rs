//! Builder methods for [`DeliveryOptions`].

use std::path::PathBuf;

use super::DeliveryOptions;
use crate::upload::{Batch, Exclude, Mode, Post, Settings, Shard};

impl DeliveryOptions {
    /// Adds files, directories and patterns; `-` is standard input.
    #[must_use]
    pub fn with_files(mut self, files: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        self.files = files.into_iter().map(Into::into).collect();
        self
    }

    /// Adds the files that a list names.
    #[must_use]
    pub fn with_files_from(mut self, list: impl Into<PathBuf>) -> Self {
        self.files_from = Some(list.into());
        self
    }

    /// Excludes what matches these patterns from directories and patterns.
    #[must_use]
    pub fn with_exclude(mut self, exclude: impl IntoIterator<Item = Exclude>) -> Self {
        self.exclude = exclude.into_iter().collect();
        self
    }

    /// Sends only this share of the files; other runs send the rest.
    #[must_use]
    pub fn with_shard(mut self, shard: Shard) -> Self {
        self.shard = Some(shard);
        self
    }

    /// Sets the message. Empty channels and comment mean those of the profile.
    #[must_use]
    pub fn with_post(mut self, post: Post) -> Self {
        self.post = post;
        self
    }

    /// Sets whether to send, rehearse or only check.
    #[must_use]
    pub fn with_mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Sets whether to verify the credential first.
    #[must_use]
    pub fn with_verify(mut self, verify: bool) -> Self {
        self.verify = verify;
        self
    }

    /// Keeps a journal in this file, so that an interrupted run can be resumed.
    #[must_use]
    pub fn with_journal(mut self, journal: impl Into<PathBuf>) -> Self {
        self.journal = Some(journal.into());
        self
    }

    /// Sets the options for sending several files.
    #[must_use]
    pub fn with_batch(mut self, batch: Batch) -> Self {
        self.batch = batch;
        self
    }

    /// Sets the network settings for each file.
    #[must_use]
    pub fn with_settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }
}
