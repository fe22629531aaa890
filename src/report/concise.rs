//! `--format concise`: one line for each finding, for editors and log searches.

use std::fmt::Write;

use super::{place, summary};
use crate::lint::Report;
use crate::source::Spot;

/// Writes `FILE:LINE:COLUMN: SEVERITY[RULE] MESSAGE` for each finding that the baseline does not list, then the summary.
pub fn document(report: &Report) -> String {
    let mut out = without_summary(report);
    if report.problems.is_empty() {
        out.extend([&summary::line(report), "\n"]);
    }
    out
}

/// Writes the findings that the baseline does not list, without the summary.
pub fn without_summary(report: &Report) -> String {
    let mut out = String::new();
    let at = |spot: Spot| format!("{}: ", place::name(spot, &report.sources));
    // Writing to a string can't fail.
    for finding in report.new_findings() {
        let at = finding.primary().map(|label| at(label.at)).unwrap_or_default();
        let _ = writeln!(out, "{at}{}[{}] {}", finding.severity.name(), finding.rule, finding.message);
    }
    for problem in &report.problems {
        let at = problem.labels.first().map(|(spot, _)| at(*spot)).unwrap_or_default();
        let _ = writeln!(out, "{at}error[{}] {}", problem.code, problem.message);
    }
    out
}
