//! Files: opening one that is certain to be a regular file, reading it within a limit, and writing one whole or not at all.

#[cfg(any(feature = "upload", all(feature = "cli", feature = "sandbox")))]
mod descriptors;
mod open;
mod write;

#[cfg(feature = "upload")]
pub use descriptors::limit;
#[cfg(any(feature = "upload", all(feature = "cli", feature = "sandbox")))]
pub use descriptors::spare;
#[cfg(feature = "upload")]
pub use open::open_regular;
pub use open::{FileError, Opened, read_text};
pub use write::{ReplaceError, check_replaceable, replace};
#[cfg(feature = "cli")]
pub use write::{append, create, write_atomically};
