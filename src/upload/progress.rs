//! How far an upload is.

use std::time::Instant;

use crate::code::Code;

/// How far an upload is. Bytes of the file, not of the form around it; handed to the network, not acknowledged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Progress {
    /// Bytes taken so far.
    pub taken: u64,
    /// Bytes in all, where that is known: standard input has no length.
    pub total: Option<u64>,
    /// While it waits to try again: until when, and why.
    pub waiting: Option<Waiting>,
}

/// A wait before a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Waiting {
    /// What went wrong, with this file or with another one that needed the same operation.
    pub why: Code,
    /// When it goes on.
    pub until: Instant,
    /// The attempt that comes then.
    pub attempt: u32,
    /// The last attempt that there can be.
    pub attempts: u32,
}
