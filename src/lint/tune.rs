//! Applies levels and allows to findings. They tune a report only: an upload uses the findings before tuning.

use std::collections::HashMap;

use crate::config::{self, Allow, Config, Tuning, Unknown};
use crate::finding::{Finding, Severity};
use crate::rule::{Sink, Use};
use crate::rules;
use crate::source::Spot;

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

/// Applies levels and allows.
pub(super) struct Tuner<'a> {
    config: &'a Config,
    overrides: &'a [Override],
    uses: Vec<Use<'a>>,
    /// The allows of each rule.
    by_rule: HashMap<&'a str, Vec<usize>>,
}

impl<'a> Tuner<'a> {
    pub(super) fn new(config: &'a Config, overrides: &'a [Override], no_allow: bool) -> Self {
        // With a policy, only its own allows count: others would weaken it.
        let tuning = config.policy.as_ref().unwrap_or(&config.tuning);
        let allows = if no_allow { &[][..] } else { &tuning.allows };
        let uses = allows.iter().map(|allow| {
            let known = rules::find(&allow.rule).is_some();
            Use { allow, used: false, known, near: if known { None } else { rules::nearest(&allow.rule) } }
        });
        let mut by_rule: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, allow) in allows.iter().enumerate() {
            by_rule.entry(&allow.rule).or_default().push(index);
        }
        Self { config, overrides, uses: uses.collect(), by_rule }
    }

    /// Returns the severity of a rule's findings. `None` drops them.
    fn level(&self, rule: &'static str, own: Severity) -> Option<Severity> {
        let level_in = |tuning| stated(tuning, rule).map_or(Some(own), Severity::find);
        let mut level = level_in(&self.config.tuning);
        for Override { rule: name, level: other } in self.overrides {
            if name == rule || (name == "warnings" && level == Some(Severity::Warning)) {
                level = *other;
            }
        }
        match &self.config.policy {
            // `None` sorts below every severity.
            Some(policy) => level.max(level_in(policy)),
            None => level,
        }
    }

    /// Drops, allows or reports a finding.
    pub(super) fn put(&mut self, mut finding: Finding, findings: &mut Vec<Finding>, allowed: &mut Vec<Allowed>) {
        let Some(severity) = self.level(finding.rule, finding.severity) else { return };
        finding.severity = severity;
        match self.allow(&finding) {
            Some(allow) => allowed.push(Allowed { finding, reason: allow.reason.clone(), at: allow.at }),
            None => findings.push(finding),
        }
    }

    /// Returns findings about the allows themselves.
    pub(super) fn allows(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        // An allow in the project's configuration may be used by the check of that configuration.
        let own = self.uses.iter().filter(|one| !self.config.search || one.allow.comment.is_some());
        let uses: Vec<Use<'_>> = own.cloned().collect();
        for rule in rules::ALL {
            rule.allows(&uses, &mut Sink::new(rule.meta(), None, &mut findings));
        }
        findings
    }

    /// Returns the allow that matches a finding.
    fn allow(&mut self, finding: &Finding) -> Option<&'a Allow> {
        let mut first = None;
        for &index in self.by_rule.get(finding.rule).into_iter().flatten() {
            let one = &mut self.uses[index];
            if matches(one.allow, finding, self.config) {
                one.used = true;
                first = first.or(Some(one.allow));
            }
        }
        first.filter(|allow| !allow.reason.is_empty())
    }

    /// Returns levels for unknown rules. In a search, those of the project are found by the check of its configuration.
    pub(super) fn unknown(&self) -> Vec<Unknown> {
        let allows_in = |tuning: &'a Tuning| {
            let levels = tuning.levels.iter().map(|level| (&level.rule, level.at, "lint.levels."));
            let allows = tuning.allows.iter().filter(|allow| allow.comment.is_none());
            levels.chain(allows.map(|allow| (&allow.rule, allow.at, "lint.allow: ")))
        };
        let own = Some(&self.config.tuning).filter(|_| !self.config.search);
        let all = own.into_iter().chain(&self.config.policy).flat_map(allows_in);
        let unknown = all.filter(|(rule, ..)| rules::find(rule).is_none());
        unknown
            .map(|(rule, at, place)| Unknown {
                key: format!("{place}{}", config::shown_rule(rule)),
                at,
                suggestion: rules::nearest(rule).map(str::to_owned),
                meant: None,
                called: Vec::new(),
                expected: Vec::new(),
                variable: false,
            })
            .collect()
    }
}

/// Returns the severity at which the check fails: the stricter of the policy and the other settings.
pub(super) fn fail_on(config: &Config, asked: Option<Severity>) -> Severity {
    let stated = |tuning: &Tuning| tuning.fail_on.as_deref().and_then(Severity::find);
    let own = asked.or_else(|| stated(&config.tuning)).unwrap_or(Severity::Error);
    match &config.policy {
        Some(policy) => own.min(stated(policy).unwrap_or(Severity::Error)),
        None => own,
    }
}

/// Returns the last level that a table sets for a rule.
fn stated<'t>(tuning: &'t Tuning, rule: &str) -> Option<&'t str> {
    tuning.levels.iter().rev().find(|level| level.rule == rule).map(|level| level.level.as_str())
}

fn matches(allow: &Allow, finding: &Finding, config: &Config) -> bool {
    let Some(primary) = finding.primary() else { return false };
    if let Some(comment) = &allow.comment {
        // A comment in one layer does not apply to other layers.
        let line = |at: Spot| config.sources.get(at.source).lines.position(at.span.start).line;
        let spoken_of = [comment.line, line(allow.at)].contains(&line(primary.at));
        return allow.at.source == primary.at.source && spoken_of;
    }
    allow.profiles.as_ref().is_none_or(|profiles| finding.profile.as_ref().is_some_and(|id| profiles.contains(id)))
}
