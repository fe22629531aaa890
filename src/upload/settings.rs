//! How an upload is done: by which method, how long it waits, what it takes for a success.

use std::time::Duration;

use super::secrets::OwnSecrets;
use crate::schema::method::Method;
use crate::schema::value::CaFile;

/// How long to wait, and what to take for a success.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// For a connection, name lookup and TLS included. 10 seconds.
    pub connect_timeout: Duration,
    /// For the service to take any further byte of the file. 60 seconds. A slow upload that moves is never cut off.
    pub stall_timeout: Duration,
    /// From the last byte of the request to the last byte of the answer. 120 seconds.
    pub answer_timeout: Duration,
    /// Take a success that the service does not spell out (no `ok` in the answer) for uncertain. Off.
    pub require_confirmation: bool,
    /// How to upload. Left out, it follows from the host.
    pub method: Option<Method>,
    /// How often a file, or a message, is tried again after something that passes. 4.
    pub retries: u32,
    /// How long it waits for that in all, also if the service asks for it. 120 seconds.
    pub max_wait: Duration,
    /// The wait before the second try, if the service does not ask for another; it doubles from try to try, up to 30
    /// seconds. 1 second.
    pub backoff: Duration,
    /// Compute the SHA-256 of each file while it is sent. Off.
    pub checksum: bool,
    /// Use a connection again, for the next file. On is faster for many small files; off rules out that a service
    /// closes a connection in the moment it is used again, which makes a delivery uncertain if that is on its way to
    /// this machine when the last bytes go. Off.
    pub keep_connections: bool,
    /// Certificates (PEM) of authorities to trust beside those of the system; read for an https address only. None.
    pub ca_file: Option<CaFile>,
    /// What no file that is sent may contain, beside the token. None.
    pub own_secrets: OwnSecrets,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            connect_timeout: Duration::from_secs(10),
            stall_timeout: Duration::from_secs(60),
            answer_timeout: Duration::from_secs(120),
            require_confirmation: false,
            method: None,
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
