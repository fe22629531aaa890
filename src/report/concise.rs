//! `--format concise`: one line for each finding, for editors and log searches.

use std::fmt::Write;

use super::{CheckOutcome, place, summary};
use crate::source::{Sources, Spot};

/// Writes `FILE:LINE:COLUMN: SEVERITY[RULE] MESSAGE` for each finding, then the summary.
pub fn document(outcome: CheckOutcome<'_>) -> String {
    let mut out = wrong(outcome);
    if let CheckOutcome::Checked(report) = outcome
        && report.problems.is_empty()
    {
        // Writing to a string can't fail.
        let _ = writeln!(out, "{}", summary::line(report));
    }
    out
}

/// Writes the findings without the summary.
pub fn wrong(outcome: CheckOutcome<'_>) -> String {
    let mut out = String::new();
    let sources = outcome.sources();
    // Writing to a string can't fail.
    for finding in outcome.findings() {
        let at = finding.primary().map(|label| at(label.at, sources)).unwrap_or_default();
        let _ = writeln!(out, "{at}{}[{}] {}", finding.severity.name(), finding.rule, finding.message);
    }
    for problem in outcome.problems() {
        let at = problem.labels.first().map(|(spot, _)| at(*spot, sources)).unwrap_or_default();
        let _ = writeln!(out, "{at}error[{}] {}", problem.code, problem.message);
    }
    out
}

/// Formats a location, followed by a colon.
fn at(spot: Spot, sources: &Sources) -> String {
    format!("{}: ", place::name(spot, sources))
}
