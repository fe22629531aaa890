//! `--format gitlab`: a GitLab Code Quality report.

use sha2::{Digest, Sha256};

use super::json_v1::{self, Object};
use super::place::{self, Checkout, FileLocation};
use crate::finding::{Severity, fingerprints};
use crate::lint::Report;
use crate::text::{Position, hex};

/// Writes the result of a check as a list of issues. The format has no place for errors of the check itself, so a
/// problem becomes a blocker issue.
pub fn document(report: &Report, checkout: &Checkout) -> String {
    let problems = report.problems.iter().enumerate().map(|(number, problem)| {
        let (code, place) = (problem.code.as_str(), checkout.problem(problem, report));
        let description = place::sentence(&problem.message, problem.help.as_deref(), None);
        issue(code, &description, fingerprint(code, number), "blocker", place)
    });
    let fingerprints = fingerprints(&report.findings, &report.sources);
    let findings = report.findings.iter().zip(fingerprints).map(|(finding, fingerprint)| {
        let (place, note) = checkout.finding(finding, report);
        let description = place::sentence(&finding.message, Some(&finding.help), note.as_deref());
        let severity = match finding.severity {
            Severity::Error => "critical",
            Severity::Warning => "major",
            Severity::Note => "info",
        };
        issue(finding.rule, &description, fingerprint, severity, place)
    });
    json_v1::to_string(&problems.chain(findings).collect::<Vec<_>>())
}

fn issue(name: &str, description: &str, fingerprint: String, severity: &str, place: FileLocation) -> Object {
    let point = |Position { line, column, .. }| Object::new("line", line).with("column", column);
    let positions = Object::new("begin", point(place.start)).with("end", point(place.end));
    Object::default()
        // With the rule, because GitLab doesn't show the check's name.
        .with("description", format!("{name}: {description}"))
        .with("check_name", name)
        .with("fingerprint", fingerprint)
        .with("severity", severity)
        .with("location", Object::new("path", place.path).with("positions", positions))
}

/// Returns a fingerprint that is unique among the problems of a run: GitLab merges issues with the same fingerprint.
fn fingerprint(code: &str, number: usize) -> String {
    let digest = Sha256::digest(format!("credlint/v1\0problem\0{code}\0{number}"));
    hex(&digest[..16])
}
