//! Tests of the whole program, and of the rules of this repository.

#![expect(clippy::unwrap_used, reason = "a test that panics has failed, and says where")]

mod any_name;
#[cfg(all(feature = "upload", feature = "sandbox"))]
mod app;
mod baselines;
mod check;
#[cfg(all(unix, feature = "upload", feature = "sandbox"))]
mod chosen;
#[cfg(feature = "sandbox")]
mod clients;
#[cfg(all(feature = "upload", feature = "sandbox"))]
mod combinations;
mod corpus;
#[cfg(all(unix, feature = "upload", feature = "sandbox"))]
mod docs;
#[cfg(all(feature = "upload", feature = "sandbox"))]
mod external;
#[cfg(all(unix, feature = "upload", feature = "sandbox"))]
mod files;
mod floors;
mod foreign;
mod formats;
#[cfg(all(feature = "upload", feature = "sandbox"))]
mod found;
mod fuzz;
mod harness;
mod help;
mod identify;
#[cfg(all(feature = "upload", feature = "sandbox"))]
mod journal;
#[cfg(all(feature = "upload", feature = "sandbox"))]
mod kept;
mod layers;
#[cfg(all(feature = "upload", feature = "sandbox"))]
mod leaks;
mod learning;
mod levels;
mod library;
mod limits;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(all(feature = "upload", feature = "sandbox"))]
mod one_message;
mod options;
mod own_names;
#[cfg(all(feature = "upload", feature = "sandbox", unix))]
mod own_secret;
mod own_services;
mod pages;
#[cfg(all(unix, feature = "upload", feature = "sandbox"))]
mod partly;
mod paths;
#[cfg(all(target_os = "linux", feature = "upload", feature = "sandbox"))]
mod pictures;
mod piped;
mod places;
mod printed;
mod properties;
#[cfg(target_os = "linux")]
mod quiet;
mod readers;
#[cfg(all(feature = "upload", feature = "sandbox"))]
mod readme;
#[cfg(unix)]
mod recipes;
#[cfg(all(feature = "upload", feature = "sandbox"))]
mod retry;
#[cfg(all(unix, feature = "upload", feature = "sandbox"))]
mod runs;
#[cfg(feature = "sandbox")]
mod sandbox;
mod search;
mod sentences;
#[cfg(all(feature = "upload", feature = "sandbox"))]
mod server;
mod services;
#[cfg(all(unix, feature = "upload", feature = "sandbox"))]
mod shards;
#[cfg(all(unix, feature = "upload", feature = "sandbox"))]
mod shown;
mod snapshots;
#[cfg(all(feature = "upload", feature = "sandbox"))]
mod throttle;
#[cfg(all(feature = "upload", feature = "sandbox"))]
mod tls;
mod trust;
mod unstuck;
#[cfg(all(feature = "upload", feature = "sandbox"))]
mod upload;
mod user_errors;
#[cfg(all(feature = "upload", feature = "sandbox"))]
mod verify;
#[cfg(all(feature = "upload", feature = "sandbox"))]
mod why;
#[cfg(all(feature = "upload", feature = "sandbox"))]
mod wire;
mod words;
