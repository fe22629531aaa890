//! How far an upload is.

use crate::code::Code;

/// How far an upload is. Bytes of the file, not of the form around it; handed to the network, not acknowledged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Progress {
    /// Bytes taken so far.
    pub taken: u64,
    /// Bytes in all, where that is known: standard input has no length.
    pub total: Option<u64>,
    /// While it waits to try again: what went wrong.
    pub waiting: Option<Code>,
}
