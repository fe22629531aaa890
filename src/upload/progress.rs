//! The progress of an upload.

use std::time::Instant;

use crate::code::Code;

/// The progress of an upload, in bytes of the file without the form. Bytes count when they are passed to the network,
/// not when they are acknowledged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Progress {
    /// The bytes sent so far.
    pub taken: u64,
    /// The size, if it is known: standard input has none.
    pub total: Option<u64>,
    /// Present while waiting to try again.
    pub waiting: Option<Waiting>,
}

/// A wait before a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Waiting {
    /// The failure, of this file or another one that uses the same operation.
    pub why: Code,
    /// The end of the wait.
    pub until: Instant,
    /// The next attempt.
    pub attempt: u32,
    /// The maximum number of attempts.
    pub attempts: u32,
}
