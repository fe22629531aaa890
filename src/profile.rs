//! Profiles as the kinds of services see them: thin views over settings. A rule reads facts and places here; the values
//! stay in the vault.

mod app;
mod messaging;
mod named;
mod pair;
mod sides;
mod split;
mod standing;
mod storage;

pub use app::App;
pub use messaging::Messaging;
pub use named::{Named, environments, one_is_master};
pub use pair::{Halves, Swapped, explains_absence};
pub use sides::{Genuine, Half, joined, whole_pair};
pub use split::Split;
pub use standing::{Standing, expires, is_hosted, standings};
pub use storage::{Storage, Values, is_judged};
