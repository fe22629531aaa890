//! How to upload, said step by step.

use std::time::Duration;

use super::batch::Batch;
use super::settings::Settings;
use crate::schema::method::Method;
use crate::schema::value::CaFile;

impl Settings {
    /// Uploads by this method, whatever the host.
    #[must_use]
    pub fn with_method(mut self, method: Method) -> Self {
        self.method = Some(method);
        self
    }

    /// Tries again as often as this, and waits for that no longer than this in all.
    #[must_use]
    pub fn with_retries(mut self, retries: u32, max_wait: Duration) -> Self {
        (self.retries, self.max_wait) = (retries, max_wait);
        self
    }

    /// Waits so long for a connection, for the service to take any further byte, and for its answer.
    #[must_use]
    pub fn with_timeouts(mut self, connect: Duration, stall: Duration, answer: Duration) -> Self {
        (self.connect_timeout, self.stall_timeout, self.answer_timeout) = (connect, stall, answer);
        self
    }

    /// Takes a success that the service does not spell out for uncertain, or for a success.
    #[must_use]
    pub fn with_require_confirmation(mut self, require: bool) -> Self {
        self.require_confirmation = require;
        self
    }

    /// Computes the SHA-256 of each file, or not.
    #[must_use]
    pub fn with_checksum(mut self, checksum: bool) -> Self {
        self.checksum = checksum;
        self
    }

    /// Uses connections again, or not.
    #[must_use]
    pub fn with_keep_connections(mut self, keep: bool) -> Self {
        self.keep_connections = keep;
        self
    }

    /// Trusts the certificates in this file beside those of the system.
    #[must_use]
    pub fn with_ca_file(mut self, file: CaFile) -> Self {
        self.ca_file = Some(file);
        self
    }
}

impl Batch {
    /// Sends so many files at a time.
    #[must_use]
    pub fn with_concurrency(mut self, files: usize) -> Self {
        self.concurrency = Some(files);
        self
    }

    /// Begins no other file after one that failed, or goes on.
    #[must_use]
    pub fn with_fail_fast(mut self, fail_fast: bool) -> Self {
        self.fail_fast = fail_fast;
        self
    }

    /// Posts all files in one message, or each in its own.
    #[must_use]
    pub fn with_one_message(mut self, together: bool) -> Self {
        self.together = together;
        self
    }
}
