//! Findings: plain data that a rule writes and a report renders.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use crate::schema::ProfileId;
use crate::source::{Sources, Spot};

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Works, but is not what was meant or not safe.
    Warning,
    /// Will not work.
    Error,
}

impl Severity {
    /// The word for it in every format.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// The severity of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        [Self::Note, Self::Warning, Self::Error].into_iter().find(|severity| severity.name() == name)
    }
}

impl std::fmt::Display for Severity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A place that a finding points at, and what it says there.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Label {
    /// Whether it is the one place to look first.
    pub primary: bool,
    /// The path of the key, such as `storage.backups.account_id` or `messaging.reports.channels[0]`.
    pub key: String,
    /// What to see there.
    pub text: String,
    /// Where. Lines and columns are looked up when a report is written.
    pub at: Spot,
}

/// Something that does not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Finding {
    /// The id of the rule.
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The profile it speaks of.
    pub profile: Option<ProfileId>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
    /// Where; exactly one label is primary, and it stands first.
    pub labels: Vec<Label>,
}

impl Finding {
    /// The primary label.
    #[must_use]
    pub fn primary(&self) -> Option<&Label> {
        self.labels.first()
    }
}

/// What tells each finding from the others, in every run, wherever it is started, and after lines were moved: rule,
/// profile, key path and source, and a number among those that share all of these (keys that may not be printed do); never a value.
#[must_use]
pub fn fingerprints(findings: &[Finding], sources: &Sources) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let fingerprint = |finding: &Finding| {
        let profile = finding.profile.as_ref().map(ToString::to_string).unwrap_or_default();
        let primary = finding.primary();
        let key = primary.map(|label| label.key.as_str()).unwrap_or_default();
        let source = primary.map(|label| sources.identity(label.at.source)).unwrap_or_default();
        let place = ["credlint/v1", finding.rule, &profile, key, &source].join("\0");
        let number = seen.entry(place.clone()).and_modify(|number| *number += 1).or_insert(0);
        let digest = Sha256::digest(format!("{place}\0{number}"));
        let half = digest.iter().take(16).fold(0_u128, |number, &byte| number << 8 | u128::from(byte));
        format!("{half:032x}")
    };
    findings.iter().map(fingerprint).collect()
}
