//! Chance, for what nobody outside may guess.

use std::hash::{BuildHasher, RandomState};

/// Random bits that nobody outside can know: the standard library seeds its hashers from the operating system.
pub fn random() -> u64 {
    RandomState::new().hash_one(std::time::Instant::now())
}
