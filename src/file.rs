//! Files: opens regular files, reads them up to a limit, writes them atomically, and identifies them.

#[cfg(any(feature = "upload", all(feature = "cli", feature = "sandbox")))]
mod descriptors;
mod links;
mod open;
#[cfg(any(feature = "upload", feature = "sandbox"))]
mod own;
#[cfg(any(feature = "upload", feature = "cli"))]
mod set;
mod write;

#[cfg(any(feature = "upload", all(feature = "cli", feature = "sandbox")))]
pub use descriptors::available;
#[cfg(feature = "upload")]
pub use descriptors::limit;
pub use links::is_behind_link;
#[cfg(feature = "upload")]
pub use links::is_linked;
pub use links::normal;
#[cfg(any(feature = "upload", feature = "cli"))]
pub use open::open_regular;
pub use open::{AnyText, FileError, Opened, read_any, read_text};
#[cfg(feature = "cli")]
pub use open::{decoded, read_wiped};
#[cfg(feature = "sandbox")]
pub use own::to_end;
#[cfg(feature = "upload")]
pub use own::{OwnError, add};
#[cfg(any(feature = "upload", feature = "sandbox"))]
pub use own::{make_private, open_own};
#[cfg(any(feature = "upload", feature = "cli"))]
pub use set::FileSet;
#[cfg(feature = "upload")]
pub use set::identity;
pub use write::{ReplaceError, check_replaceable, replace};
#[cfg(feature = "cli")]
pub use write::{append, create, write_atomically};
