//! Findings: plain data that rules write and reports render.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use crate::schema::ProfileId;
use crate::shorthand::words;
use crate::source::{Sources, Spot};

words! {
    /// The severity of a finding.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    #[non_exhaustive]
    pub enum Severity {
        /// Information.
        Note = "note",
        /// It works, but is unsafe or probably not intended.
        Warning = "warning",
        /// It will fail.
        #[default]
        Error = "error",
    }

    /// Returns the word used in every format.
    pub fn name;
}

impl Severity {
    /// Returns the severity with a name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|severity| severity.name() == name)
    }
}

impl std::fmt::Display for Severity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A location that a finding refers to, with a text.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Label {
    /// True for the location to look at first.
    pub primary: bool,
    /// The path of the key, such as `storage.backups.account_id` or `messaging.reports.channels[0]`.
    pub key: String,
    /// The text.
    pub text: String,
    /// The location. Reports convert it to lines and columns.
    pub at: Spot,
}

/// A problem found by a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Finding {
    /// The id of the rule.
    pub rule: &'static str,
    /// The severity.
    pub severity: Severity,
    /// The profile, if the finding is about one.
    pub profile: Option<ProfileId>,
    /// The problem.
    pub message: String,
    /// The advice.
    pub help: String,
    /// The labels. Exactly one is primary, and it comes first.
    pub labels: Vec<Label>,
}

impl Finding {
    /// Returns the primary label.
    pub fn primary(&self) -> Option<&Label> {
        self.labels.first()
    }

    /// Returns the path of the key with the primary label.
    pub(crate) fn key_path(&self) -> &str {
        self.primary().map(|label| label.key.as_str()).unwrap_or_default()
    }
}

/// Returns a fingerprint for each finding. It is stable across runs, directories, and moved lines and list elements: it
/// covers rule, kind, key path and source, and a number if several findings share these (as keys that may not be printed
/// do). It never covers a value.
pub fn fingerprints(findings: &[Finding], sources: &Sources) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let fingerprint = |finding: &Finding| {
        // The key of a configuration has the profile's name. Elsewhere, other credentials of the file decide about it.
        let kind = finding.profile.as_ref().map(|profile| profile.kind.name).unwrap_or_default();
        let primary = finding.primary();
        let source = primary.map(|label| sources.identity(label.at.source)).unwrap_or_default();
        let place = ["credlint/v1", finding.rule, kind, &without_numbers(finding.key_path()), &source].join("\0");
        let number = seen.entry(place.clone()).and_modify(|number| *number += 1).or_insert(0);
        let digest = Sha256::digest(format!("{place}\0{number}"));
        let half = digest.iter().take(16).fold(0_u128, |number, &byte| number << 8 | u128::from(byte));
        format!("{half:032x}")
    };
    findings.iter().map(fingerprint).collect()
}

/// Returns a key without the places in lists: another element may be put above.
fn without_numbers(key: &str) -> String {
    let mut parts = key.split('[');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |before, part| before + "[" + part.trim_start_matches(|c: char| c.is_ascii_digit()))
}
