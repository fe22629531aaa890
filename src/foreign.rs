//! Other programs' files, and the variables of a process: which values are credentials of a service, and which
//! belong together. Names and programs are rows (`services`, `programs`); entries that belong together form a group
//! (`group`).

mod committed;
mod concern;
mod configuration;
mod expansion;
mod file_type;
mod group;
#[cfg(all(test, feature = "cli"))]
mod hook;
mod misspelt;
mod names;
mod oddity;
mod profiles;
mod read;
mod repeated;
mod runner;
mod secrets;
mod storage;
#[cfg(feature = "cli")]
mod walk;

pub use file_type::FileType;
pub use names::field_under;
pub use names::{expected_value, is_credential_name, is_in_any_pair, word_of_built_in};
pub use read::{Candidate, KeptValues, Process, ReadOptions, SearchResult, read, read_environment, read_stdin};
pub use storage::pair_in_address;
#[cfg(feature = "cli")]
pub use walk::{Files, Paths};
