//! Reports: where keys become lines and columns, and nothing but the masked copy of a source is printed.

#[cfg(feature = "cli")]
pub mod human;
pub mod json_v1;
#[cfg(all(feature = "cli", feature = "upload"))]
pub mod upload_v1;

use crate::source::{Source, SourceKind};

/// The page of a rule.
#[must_use]
pub fn url(rule: &str) -> String {
    format!("{}/blob/main/docs/rules/{rule}.md", env!("CARGO_PKG_REPOSITORY"))
}

/// Whether the places of a source have lines and columns.
fn has_lines(source: &Source) -> bool {
    source.kind == SourceKind::File
}
