//! What a check found.

use super::baseline;
use super::live::Live;
use super::tune::Allowed;
use crate::config::Layer;
use crate::finding::{Finding, Severity};
use crate::rules;
use crate::schema::ProfileId;
use crate::source::{Problem, Sources, Spot};

/// How a profile came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Verdict {
    /// Nothing found, or notes only.
    Fits,
    /// Warnings.
    Warned,
    /// Errors.
    Rejected,
}

impl Verdict {
    /// The word for it in every format.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fits => "fits",
            Self::Warned => "warned",
            Self::Rejected => "rejected",
        }
    }
}

/// What a check found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// Whether references were resolved.
    pub resolved: bool,
    /// The layers that were read, low to high.
    pub layers: Vec<Layer>,
    /// The profiles that were checked, and how they came out.
    pub profiles: Vec<(ProfileId, Verdict)>,
    /// The findings: by profile, then by place.
    pub findings: Vec<Finding>,
    /// The severity from which the check fails.
    pub fail_on: Severity,
    /// Findings that are allowed, with the reasons.
    pub allowed: Vec<Allowed>,
    /// How the findings compare with those that were known.
    pub baseline: Option<baseline::Comparison>,
    /// Why nothing was checked.
    pub problems: Vec<Problem>,
    /// What the labels point into.
    pub sources: Sources,
    /// Where each profile is defined: in the highest file that has it, or else by its first variable. There a report
    /// shows what stands in no file.
    pub anchors: Vec<(ProfileId, Spot)>,
    /// What the services said of the profiles that were asked for. Nothing, if none was to be asked.
    pub live: Option<Vec<(ProfileId, Live)>>,
}

impl Report {
    /// The findings, to be known from now on.
    #[must_use]
    pub fn to_baseline(&self) -> baseline::Baseline {
        baseline::Baseline::from_findings(&self.findings, &self.sources)
    }

    /// How many findings have that severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// Whether a baseline knows the finding of that index.
    #[must_use]
    pub fn is_known(&self, index: usize) -> bool {
        self.baseline.as_ref().is_some_and(|comparison| comparison.known.contains(&index))
    }

    /// Whether the finding of that index makes the check fail: it is bad enough, and no baseline knows it.
    #[must_use]
    pub fn fails_by(&self, index: usize) -> bool {
        self.findings.get(index).is_some_and(|finding| finding.severity >= self.fail_on) && !self.is_known(index)
    }

    /// What the service said of a profile.
    #[must_use]
    pub fn said(&self, profile: &ProfileId) -> Option<&Live> {
        self.live.iter().flatten().find(|(id, _)| id == profile).map(|(_, live)| live)
    }

    /// Whether a question was not answered that may be the next time.
    #[must_use]
    pub fn is_unanswered(&self) -> bool {
        let open = |finding: &Finding| finding.rule == rules::live::UNVERIFIED.id && finding.severity > Severity::Note;
        self.findings.iter().any(open)
    }

    /// Whether any finding makes the check fail.
    #[must_use]
    pub fn fails(&self) -> bool {
        (0..self.findings.len()).any(|index| self.fails_by(index))
    }
}

/// How a profile came out that has these findings.
pub(crate) fn verdict(findings: &[Finding]) -> Verdict {
    match findings.iter().map(|finding| finding.severity).max() {
        Some(Severity::Error) => Verdict::Rejected,
        Some(Severity::Warning) => Verdict::Warned,
        _ => Verdict::Fits,
    }
}
