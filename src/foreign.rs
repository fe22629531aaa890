//! Other programs' files, and the variables of a process: which values are credentials of a service, and which
//! belong together. Names and programs are rows (`services`, `programs`); entries that belong together form a group
//! (`group`).

mod concern;
mod configuration;
mod expansion;
mod file_type;
mod group;
mod names;
mod profiles;
mod read;
mod storage;
#[cfg(feature = "cli")]
mod walk;

pub use file_type::FileType;
#[cfg(feature = "cli")]
pub use names::{field_under, is_credential_name, wanted_under};
pub use read::{Candidate, Kept, Process, Reading, Searched, environment, read, text};
#[cfg(feature = "cli")]
pub use storage::pair_in_address;
#[cfg(feature = "cli")]
pub use walk::{Files, Paths};
