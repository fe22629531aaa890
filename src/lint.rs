//! The check: profiles × rules × levels and allows → findings and verdicts.

pub mod baseline;
mod check;
pub mod live;
mod loaded;
mod report;
mod search;
mod timing;
mod tune;

#[cfg(test)]
#[allow(unused_imports, reason = "counted where profiles are sent")]
pub(crate) use check::EXAMINED;
#[allow(unused_imports, reason = "who sends goes by it; a library that only lints does not send")]
pub(crate) use check::check_examined;
pub use check::{CheckOptions, check};
pub use loaded::{Loaded, load};
pub use report::{Report, Tally, Verdict};
pub use search::{Search, search};
pub use timing::Timing;
pub use tune::{Allowed, Override};
