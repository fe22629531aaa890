//! Reports: where keys become lines and columns, and nothing but the masked copy of a source is printed.

#[cfg(feature = "cli")]
pub mod human;
pub mod json_v1;
#[cfg(feature = "upload")]
pub mod upload_v1;

use sha2::{Digest, Sha256};

use crate::finding::Finding;
use crate::source::{Source, SourceKind, Sources};

/// What tells a finding from others, in every run and after lines were moved: rule, profile, key path and source;
/// never a value.
#[must_use]
pub fn fingerprint(finding: &Finding, sources: &Sources) -> String {
    let profile = finding.profile.as_ref().map(ToString::to_string).unwrap_or_default();
    let (key, source) = finding
        .primary()
        .map(|label| (label.key.as_str(), sources.get(label.at.source).name.as_str()))
        .unwrap_or_default();
    let mut hash = Sha256::new();
    for part in ["credlint/v1", finding.rule, &profile, key, source] {
        hash.update(part);
        hash.update([0]);
    }
    let digest = hash.finalize();
    let half = digest.iter().take(16).fold(0_u128, |number, &byte| number << 8 | u128::from(byte));
    format!("{half:032x}")
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
