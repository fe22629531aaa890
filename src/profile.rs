//! Profiles as the kinds of services see them: thin views over settings. A rule reads facts and places here; the values
//! stay in the vault.

mod messaging;
mod pair;
mod storage;

pub use messaging::Messaging;
pub use pair::{Halves, Swapped, explains_absence};
pub use storage::{Storage, Values};
