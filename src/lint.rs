//! The check: profiles × rules × levels and allows → findings and verdicts.

pub mod baseline;
pub mod live;
mod tune;

pub use tune::{Allowed, Override};

use crate::config::{Config, ConfigError, Layer, LoadOptions, Profile};
use crate::finding::{Finding, Severity};
use crate::rules::{self, Sink};
use crate::schema::{self, ProfileId};
use crate::source::{Problem, Sources, Spot};
use crate::text;
use live::Live;
use tune::Tuner;

/// A configuration that was read and merged, with every secret in its vault.
#[derive(Debug)]
pub struct Loaded {
    pub(crate) config: Config,
}

/// Finds, reads and merges a configuration.
///
/// # Errors
/// If a file or a variable can't be read or is malformed. All problems are reported, not the first only.
pub fn load(options: &LoadOptions) -> Result<Loaded, ConfigError> {
    Ok(Loaded { config: Config::load(options)? })
}

impl Loaded {
    /// The layers that were read, low to high.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.config.layers
    }

    /// What was passed over, in words.
    #[must_use]
    pub fn notices(&self) -> &[String] {
        &self.config.notices
    }

    /// The names of the profiles, by kind and name.
    #[must_use]
    pub fn profile_ids(&self) -> Vec<ProfileId> {
        self.config.profiles.iter().map(|profile| profile.id.clone()).collect()
    }

    /// What is wrong with what was asked of it.
    pub(crate) fn error(&self, problems: Vec<Problem>) -> ConfigError {
        ConfigError { problems, sources: self.config.sources.clone(), resolved: self.config.resolved }
    }

    /// The profile of that name.
    ///
    /// # Errors
    /// If there is none, or several kinds have one.
    pub(crate) fn select(&self, name: &str) -> Result<&Profile, ConfigError> {
        let problem = match self.config.named(name)[..] {
            [profile] => return Ok(profile),
            [] => self.unknown(name),
            ref several => {
                let names = several.iter().map(|profile| format!("`{}`", profile.id)).collect::<Vec<_>>().join(" and ");
                Problem::new("ambiguous-profile", format!("`{}` could be {names}", text::name(name)))
                    .help("write the name with its kind")
            }
        };
        Err(self.error(vec![problem]))
    }

    fn unknown(&self, name: &str) -> Problem {
        let bare = name.rsplit_once('.').map_or(name, |(_, bare)| bare);
        let ids: Vec<(String, &str)> =
            self.config.profiles.iter().map(|profile| (profile.id.to_string(), profile.id.name.as_str())).collect();
        let near = text::nearest(name, ids.iter().map(|(full, _)| full.as_str()))
            .or_else(|| text::nearest(bare, ids.iter().map(|&(_, bare)| bare)));
        // What is not nearly a name could be anything, so it is not repeated.
        let shown = if near.is_some() && schema::is_profile_name(bare) {
            format!("`{name}`")
        } else {
            "of that name".to_owned()
        };
        let problem = Problem::new("unknown-profile", format!("there is no profile {shown}"));
        match near {
            Some(near) => problem.help(format!("did you mean `{near}`?")),
            None if ids.is_empty() => problem.help("the configuration has no profiles"),
            None if ids.len() <= 10 => {
                let names = ids.iter().map(|(full, _)| format!("`{full}`")).collect::<Vec<_>>().join(", ");
                problem.help(format!("there is {names}"))
            }
            None => problem.help("`credlint profiles` lists them"),
        }
    }
}

/// What to check.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CheckOptions {
    /// The profiles to check, `kind.name` or the name alone. None means all, and what stands outside any.
    pub profiles: Vec<String>,
    /// The ids of the rules to run. None means all.
    pub rules: Vec<String>,
    /// The severity from which the check fails; if not given, what the configuration says, or else an error.
    pub fail_on: Option<Severity>,
    /// Levels that beat those of the configuration; the last one wins.
    pub overrides: Vec<Override>,
    /// Ignore every allow.
    pub no_allow: bool,
    /// Findings that are known already.
    pub baseline: Option<baseline::Baseline>,
}

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

/// What the rules find in a profile, whatever levels and allows say.
pub(crate) fn examine(profile: &Profile) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in rules::ALL {
        rule.profile(profile, &mut Sink::new(rule.meta(), Some(&profile.id), &mut findings));
    }
    // By place, not by name: the order must not depend on what a key that should not be there is called.
    findings.sort_by_key(|finding: &Finding| finding.primary().map(|label| label.at));
    findings
}

/// What the rules find outside any profile.
fn outside(config: &Config, tuner: &Tuner<'_>) -> Vec<Finding> {
    let unknown = [&config.unknown[..], &tuner.unknown()].concat();
    let mut findings = Vec::new();
    for rule in rules::ALL {
        rule.outside(&unknown, &config.mistyped, &mut Sink::new(rule.meta(), None, &mut findings));
    }
    findings
}

pub(crate) fn verdict(findings: &[Finding]) -> Verdict {
    match findings.iter().map(|finding| finding.severity).max() {
        Some(Severity::Error) => Verdict::Rejected,
        Some(Severity::Warning) => Verdict::Warned,
        _ => Verdict::Fits,
    }
}

/// Runs the rules.
///
/// # Errors
/// If a profile is asked for that does not exist, or whose name is ambiguous.
pub fn check(loaded: &Loaded, options: &CheckOptions) -> Result<Report, ConfigError> {
    let Loaded { config } = loaded;
    let mut selected = Vec::new();
    let mut problems = Vec::new();
    for name in &options.profiles {
        match loaded.select(name) {
            Ok(profile) if selected.iter().any(|known: &&Profile| known.id == profile.id) => {}
            Ok(profile) => selected.push(profile),
            Err(mut error) => problems.append(&mut error.problems),
        }
    }
    if !problems.is_empty() {
        return Err(loaded.error(problems));
    }
    let all = options.profiles.is_empty();
    if all {
        selected = config.profiles.iter().collect();
    }
    let mut tuner = Tuner::new(config, &options.overrides, options.no_allow);
    let (mut findings, mut allowed, mut verdicts) = (Vec::new(), Vec::new(), Vec::new());
    for profile in selected {
        let before = findings.len();
        for finding in examine(profile) {
            tuner.put(finding, &mut findings, &mut allowed);
        }
        verdicts.push((profile.id.clone(), verdict(&findings[before..])));
    }
    if all {
        for finding in outside(config, &tuner) {
            tuner.put(finding, &mut findings, &mut allowed);
        }
        // Whether an allow is needed can be told only if everything was looked at.
        for finding in tuner.allows() {
            tuner.put(finding, &mut findings, &mut allowed);
        }
    }
    if !options.rules.is_empty() {
        findings.retain(|finding| options.rules.iter().any(|id| id == finding.rule));
    }
    let baseline = options.baseline.as_ref().map(|baseline| baseline.compare(&findings, &config.sources));
    let mut problems = Vec::new();
    if verdicts.is_empty() && findings.is_empty() && allowed.is_empty() {
        problems.push(if config.layers.is_empty() {
            Problem::new("no-configuration", "there is no configuration")
                .help("write credlint.toml in this directory or one above, or name a file with --config")
        } else {
            Problem::new("nothing-to-check", "the configuration has no profiles")
                .help("a profile is a table such as [messaging.reports] or [storage.backups]")
        });
    }
    Ok(Report {
        resolved: config.resolved,
        layers: config.layers.clone(),
        profiles: verdicts,
        findings,
        fail_on: tune::fail_on(config, options.fail_on),
        allowed,
        baseline,
        problems,
        sources: config.sources.clone(),
        anchors: config.profiles.iter().map(|profile| (profile.id.clone(), profile.at)).collect(),
        live: None,
    })
}
