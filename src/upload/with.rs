//! Builder methods for [`Settings`] and [`Batch`].

use std::time::Duration;

use super::batch::Batch;
use super::settings::Settings;
use crate::schema::method::Method;
use crate::schema::value::CaFile;

impl Settings {
    /// Sets the upload method, whatever the host.
    #[must_use]
    pub fn with_method(mut self, method: Method) -> Self {
        self.method = Some(method);
        self
    }

    /// Sets the number of retries and the total time to wait for them.
    #[must_use]
    pub fn with_retries(mut self, retries: u32, max_wait: Duration) -> Self {
        (self.retries, self.max_wait) = (retries, max_wait);
        self
    }

    /// Sets the timeouts for connecting, for progress while sending, and for the answer.
    #[must_use]
    pub fn with_timeouts(mut self, connect: Duration, stall: Duration, answer: Duration) -> Self {
        (self.connect_timeout, self.stall_timeout, self.answer_timeout) = (connect, stall, answer);
        self
    }

    /// Sets whether a success without a verdict is uncertain.
    #[must_use]
    pub fn with_require_confirmation(mut self, require: bool) -> Self {
        self.require_confirmation = require;
        self
    }

    /// Sets whether to compute each file's SHA-256.
    #[must_use]
    pub fn with_checksum(mut self, checksum: bool) -> Self {
        self.checksum = checksum;
        self
    }

    /// Sets whether to reuse connections.
    #[must_use]
    pub fn with_keep_connections(mut self, keep: bool) -> Self {
        self.keep_connections = keep;
        self
    }

    /// Trusts the certificates in this file, in addition to those of the system.
    #[must_use]
    pub fn with_ca_file(mut self, file: CaFile) -> Self {
        self.ca_file = Some(file);
        self
    }
}

impl Batch {
    /// Sets the number of files to send at a time.
    #[must_use]
    pub fn with_concurrency(mut self, files: usize) -> Self {
        self.concurrency = Some(files);
        self
    }

    /// Sets whether to stop after a failure.
    #[must_use]
    pub fn with_fail_fast(mut self, fail_fast: bool) -> Self {
        self.fail_fast = fail_fast;
        self
    }

    /// Sets whether to post all files in one message.
    #[must_use]
    pub fn with_one_message(mut self, one_message: bool) -> Self {
        self.one_message = one_message;
        self
    }
}
