//! Reports: where keys become lines and columns, and nothing but the masked copy of a source is printed.

#[cfg(feature = "cli")]
pub mod config_schema;
#[cfg(feature = "cli")]
pub mod human;
pub mod json_v1;
#[cfg(feature = "cli")]
pub mod page;
#[cfg(feature = "cli")]
pub mod profiles_v1;
#[cfg(feature = "cli")]
pub mod rules_v1;
#[cfg(feature = "cli")]
pub mod starter;
#[cfg(all(feature = "cli", feature = "upload"))]
pub mod upload_v1;

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use crate::finding::Finding;
use crate::source::{Source, SourceKind, Sources};

/// What tells each finding from the others, in every run and after lines were moved: rule, profile, key path and
/// source, and a number among those that share all of these (keys that may not be printed do); never a value.
#[must_use]
pub fn fingerprints(findings: &[Finding], sources: &Sources) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let fingerprint = |finding: &Finding| {
        let profile = finding.profile.as_ref().map(ToString::to_string).unwrap_or_default();
        let primary = finding.primary();
        let key = primary.map(|label| label.key.as_str()).unwrap_or_default();
        let source = primary.map(|label| sources.get(label.at.source).name.as_str()).unwrap_or_default();
        let place = ["credlint/v1", finding.rule, &profile, key, source].join("\0");
        let number = seen.entry(place.clone()).and_modify(|number| *number += 1).or_insert(0);
        let digest = Sha256::digest(format!("{place}\0{number}"));
        let half = digest.iter().take(16).fold(0_u128, |number, &byte| number << 8 | u128::from(byte));
        format!("{half:032x}")
    };
    findings.iter().map(fingerprint).collect()
}

/// The page of a rule.
#[must_use]
pub fn url(rule: &str) -> String {
    format!("{}/blob/main/docs/rules/{rule}.md", env!("CARGO_PKG_REPOSITORY"))
}

/// Whether the places of a source have lines and columns.
fn has_lines(source: &Source) -> bool {
    source.kind == SourceKind::File
}
