//! credlint finds the credential that is in the wrong place, before a deploy, and uploads files to a messaging service
//! with the profiles that pass.
//!
//! ```
//! use credlint::{CheckOptions, Environment, LoadOptions};
//!
//! # fn main() -> Result<(), credlint::ConfigError> {
//! # let directory = tempfile::tempdir().unwrap();
//! # std::fs::write(directory.path().join("credlint.toml"), "[storage.backups]\napplication_key = { env = 'KEY' }\n").unwrap();
//! # let directory = directory.path();
//! // What a command in this directory would read; `Environment::process()` is the real one.
//! let environment = Environment::from_iter([("CREDLINT_STORAGE__BACKUPS__ACCOUNT_ID", "1a2b3c4d5e6f"), ("KEY", "K005abcdefghijklmnopqrstuvwxyz1")]);
//! let loaded = credlint::load(&LoadOptions::new(directory, environment))?;
//! let report = credlint::check(&loaded, &CheckOptions::default())?;
//! assert_eq!(report.findings[0].rule, "mixed-key-pair");
//! assert!(report.fails());
//! # Ok(())
//! # }
//! ```
//!
//! `docs/architecture.md` describes how the code is organised.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(all(feature = "cli", feature = "upload", feature = "sandbox")),
    allow(dead_code, unused_imports, reason = "each feature uses its own part")
)]

/// The examples of the page about the library.
#[cfg(all(doctest, feature = "upload"))]
#[doc = include_str!("../docs/library.md")]
struct Library;

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
mod code;
mod config;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod examples;
mod file;
mod finding;
mod foreign;
mod form;
mod identify;
mod lint;
mod profile;
mod programs;
mod report;
mod rule;
pub mod rules;
#[cfg(feature = "upload")]
mod run;
#[cfg(feature = "sandbox")]
pub mod sandbox;
mod schema;
mod secret;
mod services;
mod shorthand;
mod source;
mod text;
#[cfg(feature = "upload")]
pub mod upload;
#[cfg(feature = "cli")]
mod why;

pub use code::Code;
pub use config::{ConfigError, Environment, Layer, LoadOptions, Origin};
pub use finding::{Finding, Label, Severity};
pub use foreign::{Candidate, FileType};
pub use identify::{Identified, Identity, Relation, State as IdentityState, identify};
pub use lint::baseline::{Baseline, BaselineFinding, Comparison};
pub use lint::live::{ChannelAccess, Live, Validity};
#[cfg(feature = "cli")]
pub use lint::load_services;
pub use lint::{Allowed, CheckOptions, Loaded, Override, Report, Search, SearchStats, Verdict, check, load, search};
#[cfg(feature = "cli")]
pub use report::human::Style;
pub use report::place::Checkout;
#[cfg(feature = "upload")]
pub use run::{
    Delivered, Delivery, DeliveryError, DeliveryOptions, Event, Observer, Outcome, Verification, VerifyOptions,
};
pub use schema::value::{BaseUrl, BearerToken, CaFile, ChannelFlaw, ChannelId, TokenFlaw, UrlFlaw};
pub use schema::{Kind, ProfileId};
/// The type of tokens passed to the library. It hides its content from `Debug` and is zeroized on drop.
#[doc(no_inline)]
pub use secrecy::SecretString;
pub use source::{Problem, Source, SourceId, SourceKind, Sources, Spot};
pub use text::{LineIndex, Masked, Position, Span};
