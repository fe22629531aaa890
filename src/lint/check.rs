//! The rules, run on profiles.

use super::baseline;
use super::loaded::Loaded;
use super::report::{self, Report, verdict};
use super::tune::{self, Override, Tuner};
use crate::code::Code;
use crate::config::{Config, ConfigError, Place, Profile, State};
use crate::finding::{Finding, Severity};
use crate::rule::Sink;
use crate::rules;
use crate::source::Problem;

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

impl CheckOptions {
    /// Checks these profiles only, `kind.name` or the name alone.
    #[must_use]
    pub fn with_profiles(mut self, profiles: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.profiles = profiles.into_iter().map(Into::into).collect();
        self
    }

    /// Runs these rules only.
    #[must_use]
    pub fn with_rules(mut self, rules: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.rules = rules.into_iter().map(Into::into).collect();
        self
    }

    /// Fails from this severity up.
    #[must_use]
    pub fn with_fail_on(mut self, severity: Severity) -> Self {
        self.fail_on = Some(severity);
        self
    }

    /// Adds levels that beat those of the configuration; the last one wins.
    #[must_use]
    pub fn with_overrides(mut self, overrides: impl IntoIterator<Item = Override>) -> Self {
        self.overrides.extend(overrides);
        self
    }

    /// Ignores every allow, or none.
    #[must_use]
    pub fn with_no_allow(mut self, no_allow: bool) -> Self {
        self.no_allow = no_allow;
        self
    }

    /// Does not fail by the findings that this knows.
    #[must_use]
    pub fn with_baseline(mut self, baseline: baseline::Baseline) -> Self {
        self.baseline = Some(baseline);
        self
    }
}

#[cfg(test)]
thread_local! {
    /// How often the rules ran on a profile, in this thread.
    pub(crate) static EXAMINED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// What the rules find in a profile, whatever levels and allows say.
fn examine(profile: &Profile) -> Vec<Finding> {
    #[cfg(test)]
    EXAMINED.with(|examined| examined.set(examined.get() + 1));
    let mut findings = Vec::new();
    for rule in rules::ALL {
        let mut sink = Sink::new(rule.meta(), Some(&profile.id), &mut findings);
        match &profile.found {
            None => rule.profile(profile, &mut sink),
            Some(found) => rule.found(profile, found, &mut sink),
        }
    }
    // What stands in an example is used by nobody, whatever it is.
    if profile.found.as_ref().is_some_and(|found| found.place == Place::Example) {
        for finding in &mut findings {
            finding.severity = Severity::Note;
        }
    }
    // By place, not by name: the order must not depend on what a key that should not be there is called.
    findings.sort_by_key(|finding: &Finding| finding.primary().map(|label| label.at));
    findings
}

/// What the rules find in several profiles together.
fn together(profiles: &[&Profile]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in rules::ALL {
        rule.together(profiles, &mut Sink::new(rule.meta(), None, &mut findings));
    }
    findings
}

/// What the rules find outside any profile.
fn outside(config: &Config, tuner: &Tuner<'_>) -> Vec<Finding> {
    let unknown = [&config.unknown[..], &tuner.unknown()].concat();
    let mut findings = Vec::new();
    for rule in rules::ALL {
        let mut sink = Sink::new(rule.meta(), None, &mut findings);
        rule.outside(&unknown, &config.mistyped, &mut sink);
        config.secrets.iter().for_each(|variable| rule.variable(variable, &mut sink));
    }
    findings
}

/// Why nothing was checked.
fn nothing_to_check(config: &Config) -> Problem {
    if config.layers.is_empty() {
        let message = "no configuration: found no credlint.toml, .yaml or .json in this directory or above it";
        Problem::new(Code::NoConfiguration, message)
            .help("`credlint init` writes one to start from; --config FILE names another")
    } else {
        Problem::new(Code::NothingToCheck, "the configuration has no profiles")
            .help("a profile is a table such as [messaging.reports] or [storage.backups]")
    }
}

/// Runs the rules.
///
/// # Errors
/// If a profile is asked for that does not exist, or whose name is ambiguous.
pub fn check(loaded: &Loaded, options: &CheckOptions) -> Result<Report, ConfigError> {
    check_examined(loaded, options, |_, _| {})
}

/// The profiles that are asked for, each once.
fn select<'a>(loaded: &'a Loaded, names: &[String]) -> Result<Vec<&'a Profile>, ConfigError> {
    let (mut selected, mut problems): (Vec<&Profile>, _) = (Vec::new(), Vec::new());
    for name in names {
        match loaded.select(name) {
            Ok(profile) if selected.iter().any(|known| known.id == profile.id) => {}
            Ok(profile) => selected.push(profile),
            Err(mut error) => problems.append(&mut error.problems),
        }
    }
    if problems.is_empty() { Ok(selected) } else { Err(loaded.error(problems)) }
}

/// The same. `examined` is told what was found in each profile before levels and allows: who sends goes by that.
pub(crate) fn check_examined<'a>(
    loaded: &'a Loaded,
    options: &CheckOptions,
    mut examined: impl FnMut(&'a Profile, &[Finding]),
) -> Result<Report, ConfigError> {
    let Loaded { config } = loaded;
    let mut selected = select(loaded, &options.profiles)?;
    let all = options.profiles.is_empty();
    if all {
        selected = config.profiles.iter().collect();
    }
    let mut tuner = Tuner::new(config, &options.overrides, options.no_allow);
    let (mut findings, mut allowed, mut verdicts) = (Vec::new(), Vec::new(), Vec::new());
    let (mut not_looked_up, mut shared) = (0, together(&selected));
    for profile in selected {
        let (before, mut raw) = (findings.len(), examine(profile));
        examined(profile, &raw);
        raw.extend(shared.extract_if(.., |finding| finding.profile.as_ref() == Some(&profile.id)));
        let mut dropped = Vec::new();
        for finding in raw {
            let count = findings.len();
            let copy = finding.clone();
            tuner.put(finding, &mut findings, &mut allowed);
            if findings.len() == count {
                dropped.push(copy);
            }
        }
        verdicts.push((profile.id.clone(), verdict(profile, &findings[before..], &dropped)));
        not_looked_up += profile.places().filter(|(.., state)| matches!(state, State::Opaque)).count();
    }
    report::concern_others(&findings, &mut verdicts);
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
    // With a policy only one that it names: any other could come with what is checked.
    let counts = config.policy.as_ref().is_none_or(|policy| policy.baseline.is_some());
    let baseline =
        options.baseline.as_ref().filter(|_| counts).map(|baseline| baseline.compare(&findings, &config.sources));
    let empty = verdicts.is_empty() && findings.is_empty() && allowed.is_empty() && !config.search;
    let problems = if empty { vec![nothing_to_check(config)] } else { Vec::new() };
    Ok(Report {
        resolved: config.resolved,
        layers: config.layers.clone(),
        profiles: verdicts,
        not_looked_up,
        findings,
        fail_on: tune::fail_on(config, options.fail_on),
        allowed,
        baseline,
        problems,
        sources: config.sources.clone(),
        anchors: config.profiles.iter().map(|profile| (profile.id.clone(), profile.at)).collect(),
        tally: None,
        live: None,
        timing: None,
    })
}
