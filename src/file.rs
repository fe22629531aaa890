//! Files: opening one that is certain to be a regular file, reading it within a limit, and writing one whole or not at all.

mod open;
mod write;

use std::io;

#[cfg(feature = "upload")]
pub use open::open_regular;
pub use open::{Opened, read_text};
pub use write::{ReplaceError, check_replaceable, replace};
#[cfg(feature = "cli")]
pub use write::{append, create, write_atomically};

/// Why a file was not opened or read.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileError {
    /// There is nothing at that path.
    NotFound,
    /// The path leads to a directory, a pipe, a socket or a device.
    NotRegular(&'static str),
    /// It is larger than the limit, in bytes.
    TooLarge(u64),
    /// It is not UTF-8 from this byte on.
    NotUtf8(usize),
    /// The operating system refused; only its kind is kept.
    Io(io::ErrorKind),
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::NotFound,
            kind => Self::Io(kind),
        }
    }
}

impl std::fmt::Display for FileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFound => f.write_str("there is no such file"),
            Self::NotRegular(what) => write!(f, "it is {what}, not a regular file"),
            Self::TooLarge(limit) => write!(f, "it is larger than {} MiB", limit / (1024 * 1024)),
            Self::NotUtf8(offset) => write!(f, "it is not UTF-8 at byte {offset}"),
            Self::Io(kind) => write!(f, "{kind}"),
        }
    }
}

impl std::error::Error for FileError {}
