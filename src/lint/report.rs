//! What a check found.

use std::collections::HashMap;

use super::baseline;
use super::live::{Life, Live};
use super::timing::Timing;
use super::tune::Allowed;
use crate::config::{Layer, Profile};
use crate::finding::{Finding, Severity};
use crate::profile::Standing;
use crate::rules::{self, Harm};
use crate::schema::ProfileId;
use crate::source::{Problem, Sources, Spot};

/// How a profile came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Verdict {
    /// Every credential has a form that belongs in its field, and nothing was found but notes.
    Fits,
    /// Nothing was found, but the form of some credential is not known, it was not looked up, or what was found of it is
    /// allowed: whether it fits is not known.
    Unjudged,
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
            Self::Unjudged => "unjudged",
            Self::Warned => "warned",
            Self::Rejected => "rejected",
        }
    }
}

impl Verdict {
    /// The same, once the service was asked, too: what it takes fits, whatever its form.
    #[cfg_attr(not(feature = "upload"), expect(dead_code, reason = "nobody can be asked"))]
    pub(crate) fn with(self, findings: &[Finding], state: Life) -> Self {
        match findings.iter().map(|finding| finding.severity).max() {
            Some(Severity::Error) => Self::Rejected,
            Some(Severity::Warning) => Self::Warned,
            _ if state == Life::Alive => Self::Fits,
            _ => self,
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
    /// How many references in them were not looked up.
    pub not_looked_up: usize,
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
    /// What was read, where files and variables were searched, each for itself.
    pub tally: Option<Tally>,
    /// What the services said of the profiles that were asked for. Nothing, if none was to be asked.
    pub live: Option<Vec<(ProfileId, Live)>>,
    /// When it was checked, if whoever asked says so.
    pub timing: Option<Timing>,
}

/// What a search read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Tally {
    /// How many files.
    pub files: usize,
    /// How many variables of the process.
    pub variables: usize,
    /// How many credentials have a form that belongs where they stand.
    pub recognised: usize,
}

impl Report {
    /// Says when it was checked, for [`Report::to_junit`].
    #[must_use]
    pub fn with_timing(mut self, timing: Timing) -> Self {
        self.timing = Some(timing);
        self
    }

    /// The findings, to be known from now on.
    #[must_use]
    pub fn to_baseline(&self) -> baseline::Baseline {
        baseline::Baseline::from_findings(&self.findings, &self.sources)
    }

    /// How many profiles came out so.
    #[must_use]
    pub fn came_out(&self, verdict: Verdict) -> usize {
        self.profiles.iter().filter(|(_, own)| *own == verdict).count()
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

/// How a profile came out that has these findings. `dropped` were found, and do not count here.
pub(crate) fn verdict(profile: &Profile, findings: &[Finding], dropped: &[Finding]) -> Verdict {
    match findings.iter().map(|finding| finding.severity).max() {
        Some(Severity::Error) => Verdict::Rejected,
        Some(Severity::Warning) => Verdict::Warned,
        _ if !recognised(profile) || dropped.iter().any(is_of_fit) => Verdict::Unjudged,
        _ => Verdict::Fits,
    }
}

/// A finding that points into other profiles than its own says something of them, too.
pub(super) fn concern_others(findings: &[Finding], verdicts: &mut [(ProfileId, Verdict)]) {
    // By name: a search may find thousands.
    let places: HashMap<String, usize> =
        verdicts.iter().enumerate().map(|(index, (id, _))| (id.to_string(), index)).collect();
    for finding in findings {
        let Some(own) = finding.profile.as_ref().map(ToString::to_string) else { continue };
        for label in &finding.labels {
            let Some((other, _)) = label.key.rsplit_once('.').filter(|(other, _)| *other != own) else { continue };
            let verdict = places.get(other).and_then(|&index| verdicts.get_mut(index));
            if let Some((_, verdict @ (Verdict::Fits | Verdict::Unjudged))) = verdict
                && finding.severity > Severity::Note
            {
                *verdict = Verdict::Warned;
            }
        }
    }
}

/// Whether every credential of a profile has a form that belongs in its field.
fn recognised(profile: &Profile) -> bool {
    let mut credentials = profile.credentials().peekable();
    credentials.peek().is_some()
        && credentials.all(|one| matches!(Standing::of_setting(profile, one), Standing::Recognised(_)))
}

/// Whether a finding says that a credential does not fit.
fn is_of_fit(finding: &Finding) -> bool {
    let harm = rules::meta(finding.rule).map(|meta| meta.harm);
    matches!(harm, Some(Harm::Unfit | Harm::Doubtful)) && finding.severity > Severity::Note
}
