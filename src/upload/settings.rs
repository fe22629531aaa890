//! Network settings, and the criteria for success.

use std::time::Duration;

use super::secrets::OwnSecrets;
use crate::schema::Method;
use crate::schema::value::CaFile;

/// Network settings, and the criteria for success.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The timeout of a connection, including name lookup and TLS. Default: 10 seconds.
    pub connect_timeout: Duration,
    /// The maximum time without progress while sending. A slow upload that progresses is never aborted. Default: 60
    /// seconds.
    pub stall_timeout: Duration,
    /// The maximum time from the last byte of the request to the last byte of the answer. Default: 120 seconds.
    pub answer_timeout: Duration,
    /// Treat a success without a verdict (no `ok` in the answer) as uncertain. Default: off.
    pub require_confirmation: bool,
    /// After the upload, look up the file until it is in each channel; otherwise it is uncertain. Default: off.
    pub confirm_shares: bool,
    /// The upload method. Default: depends on the host.
    pub method: Option<Method>,
    /// The most files that one message takes; those beyond it go into further messages. The text is in the first one that
    /// is posted. Default: 14 at Slack's own addresses, and no limit elsewhere.
    pub files_per_message: Option<usize>,
    /// The number of retries for a file, or for a message of several, after a temporary failure. Default: 4.
    pub retries: u32,
    /// The total time to wait for temporary failures, including waits that the service asks for. Default: 120 seconds.
    pub max_wait: Duration,
    /// The wait before the second attempt, unless the service asks for another. It doubles with each attempt, up to 30
    /// seconds. Default: 1 second.
    pub backoff: Duration,
    /// Compute the SHA-256 of each file while sending. Default: off.
    pub checksum: bool,
    /// Reuse connections for the next file, which is faster for many small files. With reuse, the service may close a
    /// connection at the moment the next request is sent; if the last bytes are on the way, that delivery is uncertain.
    /// Default: off.
    pub keep_connections: bool,
    /// Certificates (PEM) of authorities to trust in addition to those of the system; read for https addresses only.
    /// Default: none.
    pub ca_file: Option<CaFile>,
    /// Secrets that no file may contain, in addition to the token. Default: none.
    pub own_secrets: OwnSecrets,
}

/// The hosted service answers `internal_error` to a completion of more files. Reported in
/// <https://github.com/slackapi/python-slack-sdk/issues/1653>; not documented.
pub(crate) const FILES_PER_MESSAGE: usize = 14;

impl Settings {
    /// Limits each time to ten years, so that no sum of them overflows.
    pub(super) fn limited(mut self) -> Self {
        const LONGEST: Duration = Duration::from_secs(10 * 365 * 24 * 60 * 60);
        for time in [
            &mut self.connect_timeout, &mut self.stall_timeout, &mut self.answer_timeout, &mut self.max_wait,
            &mut self.backoff,
        ] {
            *time = LONGEST.min(*time);
        }
        self
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            stall_timeout: Duration::from_secs(60),
            answer_timeout: Duration::from_secs(120),
            require_confirmation: false,
            confirm_shares: false,
            method: None,
            files_per_message: None,
            retries: 4,
            max_wait: Duration::from_secs(120),
            backoff: Duration::from_secs(1),
            checksum: false,
            keep_connections: false,
            ca_file: None,
            own_secrets: OwnSecrets::default(),
        }
    }
}
