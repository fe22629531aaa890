//! Random numbers that nobody else can predict.

use std::hash::{BuildHasher, RandomState};

/// Returns random bits. The standard library seeds its hashers from the operating system.
pub fn random() -> u64 {
    RandomState::new().hash_one(std::time::Instant::now())
}
