//! The result of a check.

use std::collections::HashMap;

use super::baseline;
use super::inventory::Inventoried;
use super::live::{Live, Validity};
use super::tune::Allowed;
use crate::config::{Layer, Profile};
use crate::finding::{Finding, Severity};
use crate::profile::Assessment;
use crate::rules::{self, Impact};
use crate::schema::ProfileId;
use crate::shorthand::words;
use crate::source::{Problem, Sources, Spot};

words! {
    /// The verdict on a profile.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[non_exhaustive]
    pub enum Verdict {
        /// Every credential has a form that fits its field, and there are no findings above notes.
        Fits = "fits",
        /// There are no findings, but whether the profile fits is unknown: a credential has an unknown form, was not
        /// looked up, or its findings are allowed.
        Unjudged = "unjudged",
        /// There are warnings.
        Warned = "warned",
        /// There are errors.
        Rejected = "rejected",
    }

    /// Returns the word used in every format.
    pub fn name;
}

impl Verdict {
    /// Returns the verdict after the service was asked: a credential that it accepts fits, whatever its form.
    pub(crate) fn after_verification(self, findings: &[Finding], state: Validity) -> Self {
        match findings.iter().map(|finding| finding.severity).max() {
            Some(Severity::Error) => Self::Rejected,
            Some(Severity::Warning) => Self::Warned,
            _ if state == Validity::Valid => Self::Fits,
            _ => self,
        }
    }
}

/// The result of a check.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// True if references were resolved.
    pub resolved: bool,
    /// The layers that were read, low to high.
    pub layers: Vec<Layer>,
    /// The profiles that were checked, with their verdicts.
    pub profiles: Vec<(ProfileId, Verdict)>,
    /// The credentials that were looked at, if a list was asked for.
    pub(crate) values: Option<Vec<Inventoried>>,
    /// True if a service can be asked about a value of unknown form.
    pub(crate) can_ask: bool,
    /// The number of references that were not looked up.
    pub not_looked_up: usize,
    /// The number of findings that are only notes because they are in an example, or about a placeholder that git would
    /// commit.
    pub weakened: usize,
    /// The number of findings that levels turn off, or that are of rules that were not asked for.
    pub off: usize,
    /// The findings, by profile and location.
    pub findings: Vec<Finding>,
    /// The severity at which the check fails.
    pub fail_on: Severity,
    /// Allowed findings, with the reasons.
    pub allowed: Vec<Allowed>,
    /// The comparison with the baseline.
    pub baseline: Option<baseline::Comparison>,
    /// The reasons why nothing was checked.
    pub problems: Vec<Problem>,
    /// The sources that labels refer to.
    pub sources: Sources,
    /// The definition of each profile: in the highest file that has it, or else its first variable. Reports use it for
    /// findings that are in no file.
    pub anchors: Vec<(ProfileId, Spot)>,
    /// The inputs of a search. `None` if the configuration was checked.
    pub search_stats: Option<SearchStats>,
    /// True if an input was named, so that nothing else was looked at.
    pub(crate) is_alone: bool,
    /// The services' answers about the verified profiles. `None` if no verification was requested.
    pub live: Option<Vec<(ProfileId, Live)>>,
}

/// The inputs of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct SearchStats {
    /// The number of files.
    pub files: usize,
    /// The number of variables.
    pub variables: usize,
    /// The number of credentials whose form fits their field.
    pub recognised: usize,
    /// The number of credentials whose form is unknown.
    pub unknown: usize,
    /// The number of empty credentials.
    pub empty: usize,
    /// The number of profiles of the configuration that were checked, too.
    pub profiles: usize,
    /// The number of named files and directories that could not be read.
    pub refused: usize,
    /// The number of other directories that could not be searched.
    pub unsearched: usize,
    /// The number of ignored directories, in which only files with names for credentials were read.
    pub ignored: usize,
    /// True if the directory was searched because it has no configuration.
    pub implied: bool,
    /// The number of files that `[lint] exclude` leaves out.
    pub left_out: usize,
}

impl Report {
    /// Returns a baseline of the findings.
    #[must_use]
    pub fn to_baseline(&self) -> baseline::Baseline {
        baseline::Baseline::from_findings(&self.findings, &self.sources)
    }

    /// Returns the number of profiles with a verdict.
    #[must_use]
    pub fn count_profiles(&self, verdict: Verdict) -> usize {
        self.profiles.iter().filter(|(_, own)| *own == verdict).count()
    }

    /// Returns the number of findings with a severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// Returns `true` if the baseline lists the finding with this index.
    #[must_use]
    pub fn is_known(&self, index: usize) -> bool {
        self.baseline.as_ref().is_some_and(|comparison| comparison.known.contains(&index))
    }

    /// Returns `true` if the finding with this index fails the check: it reaches the threshold, and the baseline doesn't
    /// list it.
    #[must_use]
    pub fn is_failing(&self, index: usize) -> bool {
        self.findings.get(index).is_some_and(|finding| finding.severity >= self.fail_on) && !self.is_known(index)
    }

    /// Returns the service's answers about a profile.
    #[must_use]
    pub fn live_answers(&self, profile: &ProfileId) -> Option<&Live> {
        self.live.iter().flatten().find(|(id, _)| id == profile).map(|(_, live)| live)
    }

    /// Returns `true` if a service did not answer a question that it may answer later.
    #[must_use]
    pub fn is_unanswered(&self) -> bool {
        let open = |finding: &Finding| finding.rule == rules::live::UNVERIFIED.id && finding.severity > Severity::Note;
        self.findings.iter().any(open)
    }

    /// Returns `true` if any finding fails the check.
    #[must_use]
    pub fn fails(&self) -> bool {
        (0..self.findings.len()).any(|index| self.is_failing(index))
    }
}

/// Returns the verdict on a profile with these findings. `doubted` is true if levels or allows removed a finding about
/// its fit.
pub(crate) fn verdict(profile: &Profile, findings: &[Finding], doubted: bool) -> Verdict {
    match findings.iter().map(|finding| finding.severity).max() {
        Some(Severity::Error) => Verdict::Rejected,
        Some(Severity::Warning) => Verdict::Warned,
        _ if !has_only_known_forms(profile) || doubted => Verdict::Unjudged,
        _ => Verdict::Fits,
    }
}

/// Updates the verdicts of other profiles that a finding refers to.
pub(super) fn update_other_verdicts(findings: &[Finding], verdicts: &mut [(ProfileId, Verdict)]) {
    // Indexed by name, because a search may find thousands of profiles.
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

/// Returns `true` if every credential of a profile has a form that fits its field.
fn has_only_known_forms(profile: &Profile) -> bool {
    let mut credentials = profile.credentials().peekable();
    credentials.peek().is_some()
        && credentials.all(|one| matches!(Assessment::from_setting(profile, one), Assessment::Recognised(_)))
}

/// Returns `true` if a finding says that a credential does not fit.
pub(super) fn is_about_fit(finding: &Finding) -> bool {
    let impact = rules::meta(finding.rule).map(|meta| meta.impact);
    matches!(impact, Some(Impact::Unfit | Impact::Doubtful)) && finding.severity > Severity::Note
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepted_credential_fits_unless_something_else_is_wrong() {
        let finding = |severity| Finding {
            rule: "missing-channel",
            severity,
            message: String::new(),
            profile: None,
            labels: Vec::new(),
            help: String::new(),
        };
        for (severity, state, verdict) in [
            (None, Validity::Valid, Verdict::Fits),
            (Some(Severity::Note), Validity::Valid, Verdict::Fits),
            (Some(Severity::Warning), Validity::Valid, Verdict::Warned),
            (Some(Severity::Error), Validity::Valid, Verdict::Rejected),
            (None, Validity::Unknown, Verdict::Unjudged),
        ] {
            let findings: Vec<Finding> = severity.map(finding).into_iter().collect();
            assert_eq!(Verdict::Unjudged.after_verification(&findings, state), verdict, "{severity:?} {state:?}");
        }
    }
}
