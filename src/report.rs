//! Report formats. Keys become lines and columns here, and only the masked copy of a source is printed.

pub mod concise;
#[cfg(feature = "cli")]
pub mod config_schema;
mod formats;
pub mod github;
pub mod gitlab;
#[cfg(feature = "cli")]
pub mod human;
#[cfg(feature = "cli")]
pub mod identify_v1;
pub mod json_v1;
#[cfg(feature = "cli")]
pub mod own;
#[cfg(feature = "cli")]
pub mod page;
pub mod place;
#[cfg(all(feature = "cli", feature = "upload"))]
pub mod receipts;
pub mod sarif;
#[cfg(feature = "cli")]
pub mod service_page;
#[cfg(feature = "cli")]
pub mod service_schema;
#[cfg(feature = "cli")]
pub mod starter;
pub mod summary;
#[cfg(all(test, feature = "cli"))]
mod third;
#[cfg(feature = "cli")]
pub mod values;
#[cfg(feature = "cli")]
pub mod why_v1;

use crate::config::ConfigError;
use crate::finding::Finding;
use crate::lint::Report;
use crate::rules;
use crate::source::{Source, SourceKind};

impl From<&ConfigError> for Report {
    /// Creates the report of a configuration that can't be read: the reasons why, and nothing else.
    fn from(error: &ConfigError) -> Self {
        let ConfigError { resolved, problems, sources, .. } = error.clone();
        Self { resolved, problems, sources, ..Self::default() }
    }
}

impl Report {
    /// Returns the findings that the baseline doesn't list.
    fn new_findings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().enumerate().filter(|(index, _)| !self.is_known(*index)).map(|(_, finding)| finding)
    }

    /// Returns `true` if nothing was checked. An error in one of several files does not hide findings in others.
    #[cfg(feature = "cli")]
    pub(crate) fn is_unchecked(&self) -> bool {
        !self.problems.is_empty() && self.search_stats.is_none()
    }
}

/// Returns the address of the page of a rule or of a `verify` finding.
pub fn url(rule: &str) -> String {
    let kind = if rules::live::ALL.iter().any(|meta| meta.id == rule) { "verify" } else { "rules" };
    format!("{}/blob/main/docs/{kind}/{rule}.md", env!("CARGO_PKG_REPOSITORY"))
}

/// Returns `true` if positions in the source have lines and columns.
fn has_lines(source: &Source) -> bool {
    source.kind == SourceKind::File
}
