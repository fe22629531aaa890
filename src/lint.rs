//! The check: profiles × rules × levels and allows → findings and verdicts.

pub mod baseline;
mod check;
pub mod live;
mod loaded;
mod report;
mod search;
mod tune;

#[cfg(test)]
pub(crate) use check::EXAMINED;
#[cfg(feature = "upload")]
pub(crate) use check::check_examined;
pub use check::{CheckOptions, check};
pub use loaded::{Loaded, load};
pub use report::{Report, Tally, Verdict};
pub use search::{Search, search};
pub use tune::{Allowed, Override};
