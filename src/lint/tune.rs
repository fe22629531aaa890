//! Applies levels and allows to findings. They tune a report only: an upload uses the findings before tuning.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::{Duration, SystemTime};

use crate::config::{self, Allow, Loaded, Tuning, Unknown, UnknownKind};
use crate::file::PathPattern;
use crate::finding::{Finding, Label, Severity};
use crate::rule::{Sink, Use};
use crate::rules;
use crate::schema::ProfileId;
use crate::source::{SourceId, Spot};
use crate::text::{self, Span};

/// A level for a rule, or for all warnings.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Override {
    /// The id of a rule, or `warnings`.
    pub rule: String,
    /// The severity of its findings. `None` drops them.
    pub level: Option<Severity>,
}

impl Override {
    /// Creates a level for a rule or for `warnings`.
    ///
    /// # Errors
    ///
    /// Returns the nearest id if there is no such rule.
    pub fn new(rule: &str, level: Option<Severity>) -> Result<Self, Option<&'static str>> {
        if rule == "warnings" || rules::find(rule).is_some() {
            Ok(Self { rule: rule.to_owned(), level })
        } else {
            Err(rules::nearest(rule))
        }
    }
}

/// An allowed finding.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Allowed {
    /// The finding.
    pub finding: Finding,
    /// The reason.
    pub reason: String,
    /// The location of the allow.
    pub at: Spot,
}

/// What a run checked, which decides whether an allow may be called unused.
#[derive(Clone, Debug, Default)]
pub(super) struct CheckedScope {
    /// True if all files and variables were checked that an allow could be meant for.
    pub(super) everything: bool,
    /// Allows of this configuration, by location, that match a finding elsewhere.
    pub(super) used: HashSet<Span>,
}

/// What an allow applies to.
#[derive(PartialEq, Eq, Hash)]
enum AllowScope {
    All,
    Profile(ProfileId),
    /// A line of a source. A comment in one layer does not apply to other layers.
    Line(SourceId, usize),
}

/// Applies levels and allows.
pub(super) struct Tuner<'a> {
    config: &'a Loaded,
    overrides: &'a [Override],
    allows: &'a [Allow],
    /// The allows of each rule by reach.
    by_reach: HashMap<(&'a str, AllowScope), Vec<usize>>,
    /// The allows that match a finding.
    used: BTreeSet<usize>,
    /// The number of findings of rules that are off.
    pub(super) off: usize,
    now: SystemTime,
}

impl<'a> Tuner<'a> {
    pub(super) fn new(config: &'a Loaded, overrides: &'a [Override], no_allow: bool, now: Option<SystemTime>) -> Self {
        // With a policy, only its own allows count: others would weaken it.
        let tuning = config.policy.as_ref().unwrap_or(&config.tuning);
        let allows = if no_allow { &[][..] } else { &tuning.allows };
        let mut by_reach: HashMap<_, Vec<usize>> = HashMap::new();
        for (index, allow) in allows.iter().enumerate() {
            for reach in scopes(allow, config) {
                by_reach.entry((allow.rule.as_str(), reach)).or_default().push(index);
            }
        }
        Self {
            config,
            overrides,
            allows,
            by_reach,
            used: BTreeSet::new(),
            off: 0,
            now: now.unwrap_or_else(SystemTime::now),
        }
    }

    /// Returns the severity of a rule's findings. `None` drops them.
    fn level(&self, rule: &'static str, own: Severity) -> Option<Severity> {
        let level_in = |tuning: &Tuning| configured_level(tuning, rule).map_or(Some(own), Severity::find);
        let mut level = if is_about_run(rule) { Some(own) } else { level_in(&self.config.tuning) };
        for Override { rule: name, level: other } in self.overrides {
            if name == rule || (name == "warnings" && level == Some(Severity::Warning)) {
                level = *other;
            }
        }
        // `None` sorts below every severity.
        stricter(self.config).map(level_in).fold(level, Option::max)
    }

    /// Drops, allows or reports a finding.
    pub(super) fn apply(&mut self, mut finding: Finding, findings: &mut Vec<Finding>, allowed: &mut Vec<Allowed>) {
        let Some(severity) = self.level(finding.rule, finding.severity) else {
            self.off += 1;
            return;
        };
        finding.severity = severity;
        match self.find_allow(&finding) {
            Some(allow) => allowed.push(Allowed { finding, reason: allow.reason.clone(), at: allow.at }),
            None => findings.push(finding),
        }
    }

    /// Returns findings about the allows themselves.
    pub(super) fn allow_findings(&self, seen: &CheckedScope) -> Vec<Finding> {
        let told = |(index, allow): &(usize, &Allow)| self.used.contains(index) || self.can_tell_use(allow, seen);
        let uses = self.allows.iter().enumerate().filter(told).map(|(index, allow)| {
            let known = rules::find(&allow.rule).is_some();
            let elsewhere = allow.comment.is_none() && seen.used.contains(&allow.at.span);
            let used = elsewhere || self.used.contains(&index);
            let near = if known { None } else { rules::nearest(&allow.rule) };
            Use { allow, used, known, near, time_left: self.time_left(allow) }
        });
        let uses: Vec<Use<'_>> = uses.collect();
        let mut findings = Vec::new();
        for rule in rules::ALL {
            rule.allows(&uses, &mut Sink::new(None, &mut findings));
        }
        findings
    }

    /// Returns `true` if this run can tell whether an allow is used. A comment applies to its own line; the allow of a
    /// profile of this configuration, to that profile. Any other allow may be meant for a file or variable elsewhere,
    /// and a policy's for other projects.
    fn can_tell_use(&self, allow: &Allow, seen: &CheckedScope) -> bool {
        if allow.comment.is_some() {
            return true;
        }
        // In a search, the check of the project's configuration judges the project's allows.
        let own = allow.profiles.as_ref().is_some_and(|profiles| !profiles.is_empty());
        let judged = self.config.policy.is_none() && (own || seen.everything);
        !self.config.search && (judged || allow.reason.is_empty())
    }

    /// Returns the locations of the allows in tables that match a finding.
    pub(super) fn used_tables(&self) -> Vec<Spot> {
        let used = self.used.iter().map(|&index| &self.allows[index]);
        used.filter(|allow| allow.comment.is_none()).map(|allow| allow.at).collect()
    }

    /// Returns the time until an allow expires, zero if it has expired. `None` if it never does.
    fn time_left(&self, allow: &Allow) -> Option<Duration> {
        allow.until.as_ref().map(|(_, end)| end.duration_since(self.now).unwrap_or_default())
    }

    /// Returns `true` if an allow applies to a finding at this location, and has not expired.
    fn applies(&self, allow: &Allow, label: &Label) -> bool {
        let path = |pattern: &PathPattern| pattern.matches(&self.config.sources.identity(label.at.source));
        allow.path.as_ref().is_none_or(path)
            && allow.variable.as_ref().is_none_or(|name| ends_of_key(&label.key).any(|key| name.matches(key)))
            && self.time_left(allow).is_none_or(|left| !left.is_zero())
    }

    /// Returns the allow that matches a finding.
    fn find_allow(&mut self, finding: &Finding) -> Option<&'a Allow> {
        let label = finding.primary().filter(|_| !is_about_run(finding.rule) || self.config.policy.is_some())?;
        let at = label.at;
        let line = self.config.sources.get(at.source).lines.position(at.span.start).line;
        let profile = finding.profile.clone().map(AllowScope::Profile);
        let mut first = None;
        for reach in [AllowScope::All, AllowScope::Line(at.source, line)].into_iter().chain(profile) {
            let Some(allows) = self.by_reach.get(&(finding.rule, reach)) else { continue };
            let matching = allows.iter().copied().filter(|&index| self.applies(&self.allows[index], label));
            let matching: Vec<usize> = matching.collect();
            let found = matching.iter().copied().find(|&index| !self.allows[index].reason.is_empty());
            first = first.into_iter().chain(found).min();
            self.used.extend(matching);
        }
        first.map(|index| &self.allows[index])
    }

    /// Returns levels for unknown rules. In a search, the check of the project's configuration finds those of the
    /// project.
    pub(super) fn unknown_rules(&self) -> Vec<Unknown> {
        let allows_in = |tuning: &'a Tuning| {
            let levels = tuning.levels.iter().map(|level| (&level.rule, level.at, "lint.levels."));
            let allows = tuning.allows.iter().filter(|allow| allow.comment.is_none());
            levels.chain(allows.map(|allow| (&allow.rule, allow.at, "lint.allow: ")))
        };
        let own = Some(&self.config.tuning).filter(|_| !self.config.search);
        let all = own.into_iter().chain(&self.config.policy).flat_map(allows_in);
        let unknown = all.filter(|(rule, ..)| rules::find(rule).is_none());
        unknown
            .map(|(rule, at, place)| {
                // The excerpt also shows a key.
                let key = match place {
                    "lint.levels." if text::is_plain_name(rule) => format!("{place}{rule}"),
                    _ => format!("{place}{}", config::shown_rule(rule)),
                };
                let suggestion = rules::nearest(rule).map(str::to_owned);
                Unknown { suggestion, ..Unknown::new(UnknownKind::Rule, key, at) }
            })
            .collect()
    }
}

/// Returns `true` for a rule about the run itself: the checked files can't allow that something was not read.
fn is_about_run(rule: &str) -> bool {
    rule == rules::UnreadFile::META.id
}

/// Returns the severity at which the check fails: the stricter of the policy and the other settings.
pub(super) fn fail_on(config: &Loaded, asked: Option<Severity>) -> Severity {
    let stated = |tuning: &Tuning| tuning.fail_on.as_deref().and_then(Severity::find);
    let own = asked.or_else(|| stated(&config.tuning)).unwrap_or(Severity::Error);
    stricter(config).filter_map(stated).fold(own, Severity::min)
}

/// Returns the settings that can only make the check stricter.
fn stricter(config: &Loaded) -> impl Iterator<Item = &Tuning> {
    config.policy.iter().chain(&config.stricter)
}

/// Returns a key without the tables around it, one after the other: a name may have dots.
fn ends_of_key(key: &str) -> impl Iterator<Item = &str> {
    std::iter::once(key).chain(key.match_indices('.').map(|(at, _)| &key[at + 1..]))
}

/// Returns the last level that a table sets for a rule.
fn configured_level<'t>(tuning: &'t Tuning, rule: &str) -> Option<&'t str> {
    tuning.levels.iter().rev().find(|level| level.rule == rule).map(|level| level.level.as_str())
}

fn scopes(allow: &Allow, config: &Loaded) -> Vec<AllowScope> {
    if let Some(comment) = &allow.comment {
        if comment.inert.is_some() {
            return Vec::new();
        }
        let own = config.sources.get(allow.at.source).lines.position(allow.at.span.start).line;
        return BTreeSet::from([own, comment.line])
            .into_iter()
            .map(|line| AllowScope::Line(allow.at.source, line))
            .collect();
    }
    match &allow.profiles {
        None => vec![AllowScope::All],
        Some(profiles) => profiles.iter().cloned().map(AllowScope::Profile).collect(),
    }
}
