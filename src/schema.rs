//! The schema of the configuration: kinds of profiles with their fields and pairs, as rows, and the rules for what may
//! be printed.
//!
//! This is the only such table. Readers mask by it, variables are split by it, rules and `verify` use it, and typos are
//! resolved with it.

mod kind;
mod kinds;
mod name;
mod public;
pub mod value;

pub(crate) use kind::with_article;
pub use kind::{Address, Field, Kind, Probe, Role, Secret, Type};
pub use kinds::{MESSAGING, Method, VARIABLE};
pub use name::{ProfileId, fold, is_profile_name, name_flaw, shown_profile};
pub use public::{
    ALLOW_KEYS, LINT_KEYS, POLICY_KEYS, REFERENCE_KEYS, TRUST_KEYS, USER_LINT_KEYS, is_ignored_key, is_known_key,
    is_public_key, is_top_key, shown_value, top_keys,
};
