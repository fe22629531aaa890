//! Baselines: findings listed there don't fail a check, new ones do, and resolved ones are reported.
//!
//! A fingerprint identifies a finding. It covers rule, kind, key and source, and never a value.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::config;
use crate::finding::{self, Finding};
use crate::schema;
use crate::source::Sources;

/// The schema name.
const SCHEMA: &str = "credlint/baseline/v1";

/// The findings of an earlier check.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Baseline {
    schema: String,
    findings: Vec<BaselineFinding>,
}

/// A finding in a baseline. Everything but the fingerprint is informational.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BaselineFinding {
    /// The fingerprint that identifies the finding.
    pub fingerprint: String,
    /// The id of the rule.
    pub rule: String,
    /// The profile.
    pub profile: Option<String>,
    /// The file, from the root of the repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// A comparison of the findings of a check with a baseline.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Comparison {
    /// The indexes of the findings that the baseline lists.
    pub known: HashSet<usize>,
    /// Findings in the baseline that no longer exist.
    pub gone: Vec<BaselineFinding>,
}

impl Baseline {
    /// Creates a baseline of these findings.
    pub(super) fn from_findings(findings: &[Finding], sources: &Sources) -> Self {
        let fingerprints = finding::fingerprints(findings, sources);
        let known = |(finding, fingerprint): (&Finding, String)| BaselineFinding {
            fingerprint,
            rule: finding.rule.to_owned(),
            profile: finding.profile.as_ref().map(ToString::to_string),
            path: finding.primary().and_then(|label| sources.file_identity(label.at.source)),
            name: Some(finding.key_path().to_owned()),
            message: Some(finding.message.clone()),
        };
        Self { schema: SCHEMA.to_owned(), findings: findings.iter().zip(fingerprints).map(known).collect() }
    }

    /// Parses a baseline. `None` if it is malformed, or a fingerprint is. Reports repeat its text, which anybody could
    /// have written, so unknown rules and invalid profiles are masked.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut baseline = serde_json::from_str::<Self>(text).ok().filter(|baseline| baseline.schema == SCHEMA)?;
        if !baseline.findings.iter().all(|known| is_fingerprint(&known.fingerprint)) {
            return None;
        }
        for known in &mut baseline.findings {
            known.rule = config::shown_rule(&known.rule);
            known.profile = known.profile.as_deref().map(schema::shown_profile);
            (known.name, known.message) = (None, None);
        }
        Some(baseline)
    }

    /// Returns the file's content.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Serializing strings can't fail.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Compares the findings of a run. A finding is gone only if the run looked at its file.
    pub(super) fn compare(
        &self,
        findings: &[Finding],
        sources: &Sources,
        looked_at: impl Fn(&str) -> bool,
    ) -> Comparison {
        let fingerprints = finding::fingerprints(findings, sources);
        let before: HashSet<&str> = self.findings.iter().map(|known| known.fingerprint.as_str()).collect();
        let now: HashSet<&str> = fingerprints.iter().map(String::as_str).collect();
        let gone = |known: &&BaselineFinding| {
            !now.contains(known.fingerprint.as_str()) && known.path.as_deref().is_none_or(&looked_at)
        };
        let known = fingerprints.iter().enumerate().filter(|(_, print)| before.contains(print.as_str()));
        Comparison {
            known: known.map(|(index, _)| index).collect(),
            gone: self
                .findings
                .iter()
                .filter(gone)
                .map(|known| BaselineFinding { path: None, ..known.clone() })
                .collect(),
        }
    }
}

/// Returns `true` if the text has the form of a [`finding::fingerprints`] entry.
fn is_fingerprint(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::is_fingerprint;

    #[test]
    fn fingerprint_is_32_hex_digits() {
        assert!(is_fingerprint(&"0f".repeat(16)));
        assert!(!is_fingerprint(&"0g".repeat(16)) && !is_fingerprint(&"0F".repeat(16)) && !is_fingerprint("0f"));
    }
}
