//! Profiles as the kinds of services see them: thin views over settings. A rule reads facts and places here; the values
//! stay in the vault.

mod messaging;
mod pair;
mod sides;
mod standing;
mod storage;

pub use messaging::Messaging;
pub use pair::{Halves, Swapped, explains_absence};
pub use sides::{Genuine, Half, joined, whole_pair};
pub use standing::{Standing, is_hosted, standings};
pub use storage::{Storage, Values, is_judged};
