//! Fixes findings that have a single correct result. Nothing else in the file changes.
//!
//! A file is read again, and must still have the text that was checked. The new text is parsed before it is written,
//! and must have the same meaning except for the intended change. Rounds run in memory until nothing is left to fix, so
//! each file is written once.

mod diff;
mod edited;
mod element;
mod plan;
mod proof;
mod rename;
mod repairs;
mod round;
mod view;

use std::collections::{BTreeMap, HashSet};

pub use crate::file::ReplaceError;
pub use diff::{DiffLine, Sign};
pub use plan::{FilePlan, Fixed, Plan, Refused};
use repairs::SWAPPED;
use round::{Round, text_of};

use crate::config::{ConfigError, LoadOptions};
use crate::finding::{Finding, Severity};
use crate::lint::{self, CheckOptions, Loaded, Report};
use crate::schema::ProfileId;
use crate::source::{Replaced, SourceId};

/// More rounds than mistakes that can affect one location.
const ROUNDS: usize = 16;

/// Plans all possible fixes without writing a file.
///
/// # Errors
///
/// Returns an error if the configuration can't be read, or a requested profile does not exist.
pub fn plan(load: &LoadOptions, check: &CheckOptions) -> Result<Plan, ConfigError> {
    let run = |load: &LoadOptions| {
        let loaded = lint::load(load)?;
        let report = lint::check(&loaded, check)?;
        Ok((loaded, report))
    };
    let (first, mut report) = run(load)?;
    let mut ineffective = HashSet::new();
    let mut round = Round::look(&first, &report, &load.replaced, &ineffective);
    let (mut load, mut fixed) = (load.clone(), BTreeMap::<SourceId, Vec<Fixed>>::new());
    let mut last: Option<Loaded> = None;
    for _ in 0..ROUNDS {
        if round.edited.is_empty() {
            break;
        }
        let mut next = load.clone();
        for (id, edited) in &round.edited {
            if let Some(file) = &first.config.sources.get(*id).read {
                next.replaced.insert(file.path.clone(), &edited.text);
            }
        }
        // The fix exposed a value that can't be read, so it is discarded.
        let Ok((loaded, after)): Result<_, ConfigError> = run(&next) else { break };
        let worse = ineffective_fixes(&round, &report, &after);
        if !worse.is_empty() {
            ineffective.extend(worse);
            round = Round::look(last.as_ref().unwrap_or(&first), &report, &load.replaced, &ineffective);
            continue;
        }
        (report, ineffective) = (after, HashSet::new());
        load = next;
        for (id, edited) in round.edited {
            fixed.entry(id).or_default().extend(edited.fixed);
        }
        round = Round::look(&loaded, &report, &load.replaced, &ineffective);
        last = Some(loaded);
    }
    let Round { refused, blocked, .. } = round;
    let mut plan = Plan { files: Vec::new(), refused, blocked };
    for (id, fixed) in fixed {
        let (before, after) = (first.config.sources.get(id), last.as_ref().map(|last| last.config.sources.get(id)));
        let (Some(after), Some(file)) = (after, before.read.clone()) else { continue };
        let (old, new) = (text_of(&file, &Replaced::default()), load.replaced.get(&file.path));
        match (old, new) {
            (Ok(old), Some(new)) => {
                let diff = diff::lines([&old, before.masked.as_str()], [&new, after.masked.as_str()]);
                let replaced = load.replaced.clone();
                plan.files.push(FilePlan { name: before.name.clone(), fixed, diff, file, replaced });
            }
            (Err(error), _) => plan.blocked.push((before.name.clone(), error.to_string())),
            (Ok(_), None) => {}
        }
    }
    Ok(plan)
}

/// Returns the keys of pairs that don't fit after a swap either: they have no single correct result.
fn ineffective_fixes(round: &Round, before: &Report, after: &Report) -> Vec<String> {
    let swapped = |finding: &&Finding| {
        let mut fixed = round.edited.iter().flat_map(|(_, edited)| &edited.fixed);
        finding.rule == SWAPPED && fixed.any(|fixed| fixed.rule == SWAPPED && fixed.key == finding.key())
    };
    let errors = |report: &Report, profile: &Option<ProfileId>| -> Vec<&'static str> {
        let errors = report.findings.iter().filter(|finding| finding.severity == Severity::Error);
        errors.filter(|finding| finding.profile == *profile).map(|finding| finding.rule).collect()
    };
    let worse = |finding: &&Finding| {
        let known = errors(before, &finding.profile);
        errors(after, &finding.profile).iter().any(|rule| *rule == SWAPPED || !known.contains(rule))
    };
    before.findings.iter().filter(swapped).filter(worse).map(|finding| finding.key().to_owned()).collect()
}

#[cfg(test)]
mod tests;
