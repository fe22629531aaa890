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
pub mod junit;
#[cfg(feature = "cli")]
pub mod page;
pub mod place;
#[cfg(feature = "cli")]
pub mod profiles_v1;
#[cfg(all(feature = "cli", feature = "upload"))]
pub mod receipts;
#[cfg(feature = "cli")]
pub mod rules_v1;
pub mod sarif;
#[cfg(feature = "cli")]
pub mod service_page;
#[cfg(feature = "cli")]
pub mod starter;
pub mod summary;
#[cfg(all(test, feature = "cli"))]
mod third;
#[cfg(all(feature = "cli", feature = "upload"))]
pub mod upload_v1;
#[cfg(feature = "cli")]
pub mod why_v1;

use crate::config::ConfigError;
use crate::finding::Finding;
use crate::lint::Report;
use crate::rules;
use crate::rules::RuleMeta;
use crate::source::{Problem, Source, SourceKind, Sources};

/// The result of a check.
#[derive(Clone, Copy, Debug)]
pub enum CheckOutcome<'a> {
    /// The check ran, or there was nothing to check.
    Checked(&'a Report),
    /// The configuration can't be read, or has no such profile.
    Unread(&'a ConfigError),
}

impl<'a> CheckOutcome<'a> {
    fn findings(self) -> &'a [Finding] {
        match self {
            Self::Checked(report) => &report.findings,
            Self::Unread(_) => &[],
        }
    }

    /// Returns all rules that may have findings.
    fn metas(self) -> Vec<&'static RuleMeta> {
        let asked = matches!(self, Self::Checked(report) if report.live.is_some());
        let live = if asked { rules::live::ALL } else { &[] };
        rules::ALL.iter().map(|rule| rule.meta()).chain(live.iter().copied()).collect()
    }

    /// Returns the reasons why nothing was checked.
    pub fn problems(self) -> &'a [Problem] {
        match self {
            Self::Checked(report) => &report.problems,
            Self::Unread(error) => &error.problems,
        }
    }

    /// Returns the sources that labels refer to.
    pub fn sources(self) -> &'a Sources {
        match self {
            Self::Checked(report) => &report.sources,
            Self::Unread(error) => &error.sources,
        }
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
