//! The check: profiles × rules × levels and allows → findings and verdicts.

pub mod baseline;
mod check;
pub(crate) mod inventory;
pub mod live;
mod loaded;
#[cfg(feature = "cli")]
pub(crate) mod own_services;
mod report;
mod search;
mod tune;

pub use crate::config::Loaded;
#[cfg(test)]
#[allow(unused_imports, reason = "only tests of deliveries count")]
pub(crate) use check::EXAMINED;
#[allow(unused_imports, reason = "only deliveries and verification use it")]
pub(crate) use check::check_examined;
pub(crate) use check::nothing_to_check;
pub use check::{CheckOptions, check};
pub use loaded::load;
#[cfg(feature = "cli")]
pub use own_services::load_services;
pub use report::{Report, SearchStats, Verdict};
pub use search::{Search, search};
#[allow(unused_imports, reason = "only verification uses it")]
pub(crate) use search::{SearchOutcome, search_examined};
pub(crate) use search::{Text, excluded_patterns, search_with_profiles};
pub use tune::{Allowed, Override};
