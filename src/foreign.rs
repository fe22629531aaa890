//! Other programs' files, and the variables of a process: which values are credentials of the two services, and which
//! belong together. Names and programs are rows (`names`, `program`); entries that belong together form a group
//! (`group`).

mod configuration;
mod expansion;
mod group;
mod names;
mod profiles;
mod program;
mod read;
mod storage;
#[cfg(feature = "cli")]
mod walk;

pub use program::FileType;
pub use read::{Candidate, Searched, environment, read, text};
#[cfg(feature = "cli")]
pub use walk::{Files, Paths};
