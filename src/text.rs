//! Text: where something stands in it, its masked copy, near misses, and what may be printed.

mod masked;
mod near;
mod shown;
mod span;
mod spelled;

pub use masked::Masked;
pub use near::{is_slip, nearest};
#[cfg(feature = "upload")]
pub use shown::file_or_path;
pub use shown::{file, name, opaque, opaque_path, path, printable};
pub use span::{LineIndex, Position, Span};
#[cfg(any(feature = "cli", feature = "upload"))]
pub use spelled::count;
#[cfg(feature = "upload")]
pub use spelled::duration;
#[cfg(any(feature = "cli", feature = "sandbox", feature = "upload"))]
pub use spelled::hex;
#[cfg(all(feature = "cli", feature = "upload"))]
pub use spelled::size;

/// What is printed in place of anything that is not known to be public: the same width for every value,
/// so that not even a length shows.
pub const MASK: &str = "********";

/// Whether a value begins with a scheme and `://`.
pub(crate) fn is_url(value: &str) -> bool {
    value.split_once("://").is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    })
}
