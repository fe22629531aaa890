//! Baselines: findings that are known already don't fail a check, new ones do, and gone ones are said.
//!
//! A finding is known by its fingerprint, which holds rule, profile, key and source, and never a value.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::config;
use crate::finding::{self, Finding};
use crate::schema;
use crate::source::Sources;

/// The name of the format.
const SCHEMA: &str = "credlint/baseline/v1";

/// The findings of an earlier check.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Baseline {
    schema: String,
    findings: Vec<BaselineFinding>,
}

/// One of them; all but the fingerprint is for people.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BaselineFinding {
    /// What tells it from others.
    pub fingerprint: String,
    /// The id of the rule.
    pub rule: String,
    /// The profile.
    pub profile: Option<String>,
}

/// How the findings of a check compare with a baseline.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Comparison {
    /// The findings that were known, by their place in the report.
    pub known: HashSet<usize>,
    /// What was known and is gone.
    pub gone: Vec<BaselineFinding>,
}

impl Baseline {
    /// These findings.
    pub(super) fn from_findings(findings: &[Finding], sources: &Sources) -> Self {
        let fingerprints = finding::fingerprints(findings, sources);
        let known = |(finding, fingerprint): (&Finding, String)| BaselineFinding {
            fingerprint,
            rule: finding.rule.to_owned(),
            profile: finding.profile.as_ref().map(ToString::to_string),
        };
        Self { schema: SCHEMA.to_owned(), findings: findings.iter().zip(fingerprints).map(known).collect() }
    }

    /// Reads one. The words in it may be anybody's, and a report repeats them: what is no rule and no profile is masked,
    /// and a file with what is no fingerprint is no baseline.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut baseline = serde_json::from_str::<Self>(text).ok().filter(|baseline| baseline.schema == SCHEMA)?;
        if !baseline.findings.iter().all(|known| is_fingerprint(&known.fingerprint)) {
            return None;
        }
        for known in &mut baseline.findings {
            known.rule = config::shown_rule(&known.rule);
            known.profile = known.profile.as_deref().map(schema::shown_profile);
        }
        Some(baseline)
    }

    /// As it is written to a file.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Nothing in it can fail to be written: strings only.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    pub(super) fn compare(&self, findings: &[Finding], sources: &Sources) -> Comparison {
        let fingerprints = finding::fingerprints(findings, sources);
        let before: HashSet<&str> = self.findings.iter().map(|known| known.fingerprint.as_str()).collect();
        let now: HashSet<&str> = fingerprints.iter().map(String::as_str).collect();
        let known = fingerprints.iter().enumerate().filter(|(_, print)| before.contains(print.as_str()));
        Comparison {
            known: known.map(|(index, _)| index).collect(),
            gone: self.findings.iter().filter(|known| !now.contains(known.fingerprint.as_str())).cloned().collect(),
        }
    }
}

/// Whether it has the form of a [`finding::fingerprints`].
fn is_fingerprint(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}
