//! What to send, said step by step.

use std::path::PathBuf;

use super::DeliveryOptions;
use crate::upload::{Batch, Exclude, Mode, Post, Settings, Shard};

impl DeliveryOptions {
    /// Sends these files, directories and patterns; `-` is standard input.
    #[must_use]
    pub fn with_files(mut self, files: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        self.files = files.into_iter().map(Into::into).collect();
        self
    }

    /// Sends what this list names as well.
    #[must_use]
    pub fn with_files_from(mut self, list: impl Into<PathBuf>) -> Self {
        self.files_from = Some(list.into());
        self
    }

    /// Leaves these out of directories and patterns.
    #[must_use]
    pub fn with_exclude(mut self, exclude: impl IntoIterator<Item = Exclude>) -> Self {
        self.exclude = exclude.into_iter().collect();
        self
    }

    /// Sends this share of the files; other runs send the others.
    #[must_use]
    pub fn with_shard(mut self, shard: Shard) -> Self {
        self.shard = Some(shard);
        self
    }

    /// Sends this along with every file. No channel or comment means those of the profile.
    #[must_use]
    pub fn with_post(mut self, post: Post) -> Self {
        self.post = post;
        self
    }

    /// Sends for real, or rehearses, or only looks.
    #[must_use]
    pub fn with_mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Asks the service first, or not.
    #[must_use]
    pub fn with_verify(mut self, verify: bool) -> Self {
        self.verify = verify;
        self
    }

    /// Writes down here what was done, so that a run that was broken off is gone on with.
    #[must_use]
    pub fn with_journal(mut self, journal: impl Into<PathBuf>) -> Self {
        self.journal = Some(journal.into());
        self
    }

    /// Sends many files like this.
    #[must_use]
    pub fn with_batch(mut self, batch: Batch) -> Self {
        self.batch = batch;
        self
    }

    /// Sends each file like this.
    #[must_use]
    pub fn with_settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }
}
