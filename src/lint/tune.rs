//! Levels and allows: what a finding counts for here, and which are wanted. They tune a report, and nothing else: an
//! upload asks the rules themselves.

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
    /// What its findings count for. `None` drops them.
    pub level: Option<Severity>,
}

impl Override {
    /// A level for the rule of that id, or for `warnings`.
    ///
    /// # Errors
    /// The nearest id, if there is no such rule.
    pub fn new(rule: &str, level: Option<Severity>) -> Result<Self, Option<&'static str>> {
        if rule == "warnings" || rules::find(rule).is_some() {
            Ok(Self { rule: rule.to_owned(), level })
        } else {
            Err(rules::nearest(rule))
        }
    }
}

/// A finding that is allowed, and why.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Allowed {
    /// The finding.
    pub finding: Finding,
    /// Why.
    pub reason: String,
    /// Where that is said.
    pub at: Spot,
}

/// What decides on a finding.
pub(super) struct Tuner<'a> {
    config: &'a Config,
    overrides: &'a [Override],
    uses: Vec<Use<'a>>,
    /// The allows for each rule.
    by_rule: HashMap<&'a str, Vec<usize>>,
}

impl<'a> Tuner<'a> {
    pub(super) fn new(config: &'a Config, overrides: &'a [Override], no_allow: bool) -> Self {
        // Beside a policy only its own allows count: any other would weaken it.
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

    /// What a finding counts for. `None` drops it.
    fn level(&self, rule: &'static str, own: Severity) -> Option<Severity> {
        let said = |tuning| stated(tuning, rule).map_or(Some(own), Severity::find);
        let mut level = said(&self.config.tuning);
        for Override { rule: name, level: other } in self.overrides {
            if name == rule || (name == "warnings" && level == Some(Severity::Warning)) {
                level = *other;
            }
        }
        match &self.config.policy {
            // Nothing is less than anything.
            Some(policy) => level.max(said(policy)),
            None => level,
        }
    }

    /// Sorts a finding: dropped, allowed, or reported.
    pub(super) fn put(&mut self, mut finding: Finding, findings: &mut Vec<Finding>, allowed: &mut Vec<Allowed>) {
        let Some(severity) = self.level(finding.rule, finding.severity) else { return };
        finding.severity = severity;
        match self.allow(&finding) {
            Some(allow) => allowed.push(Allowed { finding, reason: allow.reason.clone(), at: allow.at }),
            None => findings.push(finding),
        }
    }

    /// What is to be said of the allows themselves.
    pub(super) fn allows(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        // What the project allows in its own configuration is used there.
        let own = self.uses.iter().filter(|one| !self.config.search || one.allow.comment.is_some());
        let uses: Vec<Use<'_>> = own.cloned().collect();
        for rule in rules::ALL {
            rule.allows(&uses, &mut Sink::new(rule.meta(), None, &mut findings));
        }
        findings
    }

    /// The allow that lets a finding pass.
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

    /// Levels for rules that don't exist.
    pub(super) fn unknown(&self) -> Vec<Unknown> {
        let said = |tuning: &'a Tuning| {
            let levels = tuning.levels.iter().map(|level| (&level.rule, level.at, "lint.levels."));
            let allows = tuning.allows.iter().filter(|allow| allow.comment.is_none());
            levels.chain(allows.map(|allow| (&allow.rule, allow.at, "lint.allow: ")))
        };
        let all = std::iter::once(&self.config.tuning).chain(&self.config.policy).flat_map(said);
        let unknown = all.filter(|(rule, ..)| !self.config.search && rules::find(rule).is_none());
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

/// The severity from which a check fails: the stricter of what the policy and everything else say.
pub(super) fn fail_on(config: &Config, asked: Option<Severity>) -> Severity {
    let stated = |tuning: &Tuning| tuning.fail_on.as_deref().and_then(Severity::find);
    let own = asked.or_else(|| stated(&config.tuning)).unwrap_or(Severity::Error);
    match &config.policy {
        Some(policy) => own.min(stated(policy).unwrap_or(Severity::Error)),
        None => own,
    }
}

/// What a table says of a rule: the last word on it.
fn stated<'t>(tuning: &'t Tuning, rule: &str) -> Option<&'t str> {
    tuning.levels.iter().rev().find(|level| level.rule == rule).map(|level| level.level.as_str())
}

fn matches(allow: &Allow, finding: &Finding, config: &Config) -> bool {
    let Some(primary) = finding.primary() else { return false };
    if let Some(comment) = &allow.comment {
        // A comment in one layer does not speak for another.
        let line = |at: Spot| config.sources.get(at.source).lines.position(at.span.start).line;
        let spoken_of = [comment.line, line(allow.at)].contains(&line(primary.at));
        return allow.at.source == primary.at.source && spoken_of;
    }
    allow.profiles.as_ref().is_none_or(|profiles| finding.profile.as_ref().is_some_and(|id| profiles.contains(id)))
}
