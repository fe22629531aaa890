//! Runs the rules on profiles.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::time::SystemTime;

use super::baseline;
use super::inventory;
use super::report::{self, Report, verdict};
use super::tune::{self, Allowed, CheckedScope, Override, Tuner};
use crate::code::Code;
use crate::config::{ConfigError, Loaded, Origin, Place, Profile, State, WrittenAs};
use crate::finding::{Finding, Label, Severity};
use crate::profile::{Assessment, assessments};
use crate::rule::Sink;
use crate::rules;
use crate::schema::{ProfileId, Role};
use crate::shorthand::{lock, setters};
use crate::source::{Problem, SourceKind, Sources, Spot};

/// The options of a check.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CheckOptions {
    /// The profiles to check, as `kind.name` or name. Empty means all profiles, and settings outside profiles.
    pub profiles: Vec<String>,
    /// The ids of the rules to run. Empty means all.
    pub rules: Vec<String>,
    /// The severity at which the check fails. `None` uses the configuration, or else errors.
    pub fail_on: Option<Severity>,
    /// Levels that override those of the configuration; the last one wins.
    pub overrides: Vec<Override>,
    /// Ignore every allow.
    pub no_allow: bool,
    /// Known findings.
    pub baseline: Option<baseline::Baseline>,
    /// List every credential, also those that no rule judges.
    pub list_values: bool,
    /// The time that decides whether an allow has expired. `None` means now.
    pub now: Option<SystemTime>,
}

impl CheckOptions {
    setters! {
        /// Checks only these profiles, given as `kind.name` or name.
        with_profiles(profiles: impl IntoIterator<Item = impl Into<String>>) =
            profiles.into_iter().map(Into::into).collect();

        /// Runs only these rules.
        with_rules(rules: impl IntoIterator<Item = impl Into<String>>) = rules.into_iter().map(Into::into).collect();

        /// Fails at this severity or higher.
        with_fail_on(fail_on: Severity) = Some(fail_on);

        /// Sets whether to ignore every allow.
        with_no_allow(no_allow: bool);

        /// Sets whether to list every credential, also those that no rule judges.
        with_list_values(list_values: bool);

        /// Sets a baseline, whose findings don't fail the check.
        with_baseline(baseline: baseline::Baseline) = Some(baseline);
    }

    /// Adds levels that override those of the configuration; the last one wins.
    #[must_use]
    pub fn with_overrides(mut self, overrides: impl IntoIterator<Item = Override>) -> Self {
        self.overrides.extend(overrides);
        self
    }
}

#[cfg(test)]
thread_local! {
    /// Counts how often the rules ran on a profile in this thread.
    pub(crate) static EXAMINED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Runs the rules on a profile, before levels and allows. Also returns the number of findings that are only notes because
/// of where the profile is.
fn run_rules(profile: &Profile) -> (Vec<Finding>, usize) {
    #[cfg(test)]
    EXAMINED.with(|examined| examined.set(examined.get() + 1));
    let mut findings = Vec::new();
    for rule in rules::ALL {
        let mut sink = Sink::new(Some(&profile.id), &mut findings);
        if rule.meta().readers.contains(&profile.reader()) {
            rule.profile(profile, &mut sink);
        }
    }
    let mut weakened = 0;
    let instead = profile.found.as_ref().and_then(|found| found.instead);
    for finding in &mut findings {
        if let Some(instead) = instead.filter(|_| is_about_secret(profile, finding)) {
            finding.help += "; git would commit this file, so ";
            finding.help += instead;
        }
        finding.severity = finding.severity.min(severity_cap(profile, finding));
        if finding.severity > Severity::Note && is_weakened(profile, finding) {
            finding.severity = Severity::Note;
            weakened += 1;
        }
    }
    // By location, not by key: the order must not depend on the names of unknown keys.
    findings.sort_by_key(|finding: &Finding| finding.primary().map(|label| label.at));
    (findings, weakened)
}

/// The rules whose advice is another value at the location of the finding.
const OF_VALUES: [&str; 7] = [
    "foreign-credential", "malformed-credential", "mixed-credentials", "placeholder-credential",
    "unexpanded-reference", "unrecognised-credential", "wrong-credential",
];

/// Returns `true` if whoever follows the advice of a finding writes a secret at its location.
fn is_about_secret(profile: &Profile, finding: &Finding) -> bool {
    let is_secret = |label: &Label| {
        let at = profile.settings.iter().find(|setting| setting.at == label.at);
        at.is_some_and(|setting| setting.field.role == Role::Secret && setting.form == WrittenAs::Literal)
    };
    OF_VALUES.contains(&finding.rule) && finding.primary().is_some_and(is_secret)
}

/// The findings of profiles that were judged while their files were read, by many threads.
#[derive(Debug, Default)]
pub(super) struct Judged(Mutex<HashMap<ProfileId, (Vec<Finding>, usize)>>);

impl Judged {
    /// Judges a profile. Returns `true` if a rule reports something about it.
    pub(super) fn judge(&self, profile: &Profile) -> bool {
        let judged = run_rules(profile);
        let any = !judged.0.is_empty();
        // Variables of unknown services have no name of their own.
        if profile.id.file.is_some() {
            lock(&self.0).insert(profile.id.clone(), judged);
        }
        any
    }

    /// Returns the findings of a profile, and the number of those that are only notes.
    fn of(&self, profile: &Profile) -> (Vec<Finding>, usize) {
        let judged = lock(&self.0).remove(&profile.id);
        judged.unwrap_or_else(|| run_rules(profile))
    }
}

/// Returns `true` for any finding in an example, whose values are not used, and for a placeholder that git would commit:
/// it may be meant to be filled in later.
fn is_weakened(profile: &Profile, finding: &Finding) -> bool {
    let place = profile.found.as_ref().map(|found| found.place);
    place.is_some_and(Place::is_example)
        || place == Some(Place::Committed) && finding.rule == rules::PlaceholderCredential::META.id
}

/// Returns the maximum severity of a finding, by whether the value is used.
fn severity_cap(profile: &Profile, finding: &Finding) -> Severity {
    let spare = |label: &Label| profile.unused_credentials().any(|setting| setting.key == label.key);
    // A credential that the job does not use can't break it.
    if finding.primary().is_some_and(spare) { Severity::Warning } else { Severity::Error }
}

/// Removes repeated findings about the same values in other programs' files: an anchor of YAML is merged into many tables.
fn without_copies(findings: &mut Vec<Finding>) {
    let mut seen = HashSet::new();
    findings.retain(|finding| {
        let found = finding.profile.as_ref().is_some_and(|profile| profile.file.is_some());
        let places: Vec<Spot> = finding.labels.iter().map(|label| label.at).collect();
        !found || seen.insert((finding.rule, finding.message.clone(), places))
    });
}

/// Runs the rules that compare several profiles.
fn compare_profiles(profiles: &[&Profile]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in rules::ALL {
        rule.all_profiles(profiles, &mut Sink::new(None, &mut findings));
    }
    findings
}

/// Runs the rules on settings outside profiles.
fn check_outside_profiles<'a>(
    config: &'a Loaded,
    tuner: &Tuner<'_>,
    mut examined: impl FnMut(&'a Profile, &[Finding]),
) -> Vec<Finding> {
    let unknown = [&config.unknown[..], &tuner.unknown_rules()].concat();
    let mut findings = Vec::new();
    for rule in rules::ALL {
        let mut sink = Sink::new(None, &mut findings);
        rule.outside(&unknown, &config.mistyped, &mut sink);
        rule.files(&config.unread, &mut sink);
        rule.required(&config.required, &mut sink);
    }
    for secret in &config.secrets {
        let (found, _) = run_rules(secret);
        examined(secret, &found);
        findings.extend(found.into_iter().map(|finding| Finding { profile: None, ..finding }));
    }
    findings
}

/// Explains why nothing was checked.
pub(crate) fn nothing_to_check(config: &Loaded) -> Problem {
    if config.layers.is_empty() {
        let message = "no configuration: found no credlint.toml, .yaml or .json in this directory or above it";
        Problem::new(Code::NoConfiguration, message)
            .help("`credlint init` writes one to start from; --config FILE names another; `credlint check PATH`, `credlint verify PATH` and --environment need none")
    } else {
        let own = config.layers.iter().any(|layer| layer.origin != Origin::Dotenv);
        Problem::new(Code::NothingToCheck, "the configuration has no profiles").help(if own {
            "a profile is a table such as [messaging.reports] or [storage.backups]"
        } else {
            "the variables of a profile are called like `CREDLINT_MESSAGING__REPORTS__TOKEN`; check those of other programs with `credlint check PATH`"
        })
    }
}

/// Checks the profiles.
///
/// # Errors
///
/// Returns an error if a requested profile does not exist or its name is ambiguous.
pub fn check(loaded: &Loaded, options: &CheckOptions) -> Result<Report, ConfigError> {
    check_examined(loaded, options, |_, _| {})
}

/// Returns the requested profiles, each once.
fn select_profiles<'a>(loaded: &'a Loaded, names: &[String]) -> Result<Vec<&'a Profile>, ConfigError> {
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

/// Checks the profiles, and calls `examined` with the findings of each one before levels and allows, which decide
/// whether it may be used to send.
pub(crate) fn check_examined<'a>(
    loaded: &'a Loaded,
    options: &CheckOptions,
    examined: impl FnMut(&'a Profile, &[Finding]),
) -> Result<Report, ConfigError> {
    Ok(check_part(loaded, options, &CheckedScope::default(), &Judged::default(), examined)?.0)
}

/// Compares the findings with the baseline. A policy must name it: any other could be part of the very change under review.
pub(super) fn compare_with_baseline(
    config: &Loaded,
    options: &CheckOptions,
    findings: &[Finding],
    sources: &Sources,
    looked_at: &HashSet<String>,
) -> Option<baseline::Comparison> {
    let counts = config.policy.as_ref().is_none_or(|policy| policy.baseline.is_some());
    // Nothing of a file that was removed is there any more.
    let looked_at = |path: &str| looked_at.contains(path) || !sources.is_in_repository(path);
    options.baseline.as_ref().filter(|_| counts).map(|baseline| baseline.compare(findings, sources, looked_at))
}

/// Checks the profiles as a part of a run. Also returns the locations of the allows in tables that match a finding.
pub(super) fn check_part<'a>(
    loaded: &'a Loaded,
    options: &CheckOptions,
    seen: &CheckedScope,
    judged: &Judged,
    mut examined: impl FnMut(&'a Profile, &[Finding]),
) -> Result<(Report, Vec<Spot>), ConfigError> {
    let all = options.profiles.is_empty();
    let selected = if all { loaded.profiles.iter().collect() } else { select_profiles(loaded, &options.profiles)? };
    let mut tuner = Tuner::new(loaded, &options.overrides, options.no_allow, options.now);
    let (mut findings, mut allowed, mut verdicts) = (Vec::new(), Vec::new(), Vec::new());
    let (mut can_ask, mut weakened) = (false, 0);
    let (mut not_looked_up, mut shared) = (0, compare_profiles(&selected));
    for profile in selected {
        let (before, (mut raw, notes)) = (findings.len(), judged.of(profile));
        weakened += notes;
        examined(profile, &raw);
        raw.extend(shared.extract_if(.., |finding| finding.profile.as_ref() == Some(&profile.id)));
        raw.sort_by_key(|finding| finding.primary().map(|label| label.at));
        let mut doubted = false;
        for finding in raw {
            let (count, about_fit) = (findings.len(), report::is_about_fit(&finding));
            tuner.apply(finding, &mut findings, &mut allowed);
            doubted |= about_fit && findings.len() == count;
        }
        // The service can't be asked about a field without a known form, such as a signing secret.
        can_ask |= assessments(profile).any(|(setting, _, assessment)| {
            matches!(assessment, Assessment::Unjudged | Assessment::Unrecognised(_))
                && !setting.field.forms().is_empty()
        });
        verdicts.push((profile.id.clone(), verdict(profile, &findings[before..], doubted)));
        not_looked_up += profile.places().filter(|(.., state)| matches!(state, State::Opaque)).count();
    }
    report::update_other_verdicts(&findings, &mut verdicts);
    without_copies(&mut findings);
    if all {
        for finding in check_outside_profiles(loaded, &tuner, &mut examined) {
            tuner.apply(finding, &mut findings, &mut allowed);
        }
        // Only a complete check can tell whether an allow is unused.
        for finding in tuner.allow_findings(seen) {
            tuner.apply(finding, &mut findings, &mut allowed);
        }
    }
    let values = options.list_values.then(|| {
        let all = findings.iter().chain(allowed.iter().map(|allowed: &Allowed| &allowed.finding));
        let mut values = inventory::list(loaded, all.enumerate(), true);
        values.retain(|one| one.state.is_some());
        // In the order of a file's lines. That of variables would tell how their names compare.
        let of_file = |at: Spot| loaded.sources.get(at.source).kind == SourceKind::File;
        values.sort_by_key(|one| of_file(one.at).then_some((one.at.source, one.at.span.start)));
        values
    });
    let all_rules = findings.len();
    findings.retain(|finding| options.rules.is_empty() || options.rules.iter().any(|id| id == finding.rule));
    let off = tuner.off + all_rules - findings.len();
    let looked_at = loaded.sources.file_identities();
    let baseline = compare_with_baseline(loaded, options, &findings, &loaded.sources, &looked_at);
    let empty = verdicts.is_empty() && findings.is_empty() && allowed.is_empty() && !loaded.search;
    let problems = if empty { vec![nothing_to_check(loaded)] } else { Vec::new() };
    let report = Report {
        resolved: loaded.resolved,
        layers: loaded.layers.clone(),
        profiles: verdicts,
        can_ask,
        not_looked_up,
        weakened,
        off,
        values,
        findings,
        fail_on: tune::fail_on(loaded, options.fail_on),
        allowed,
        baseline,
        problems,
        sources: loaded.sources.clone(),
        anchors: loaded.profiles.iter().map(|profile| (profile.id.clone(), profile.at)).collect(),
        ..Report::default()
    };
    Ok((report, tuner.used_tables()))
}
