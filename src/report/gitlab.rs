//! `--format gitlab`: a GitLab Code Quality report.

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::place::{self, Checkout, Place};
use super::{CheckOutcome, json_v1};
use crate::finding::Severity;
use crate::text::{Position, hex};

#[derive(Serialize)]
struct Issue {
    description: String,
    check_name: &'static str,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Serialize)]
struct Location {
    path: String,
    positions: Positions,
}

#[derive(Serialize)]
struct Positions {
    begin: Point,
    end: Point,
}

#[derive(Serialize)]
struct Point {
    line: usize,
    column: usize,
}

impl From<Position> for Point {
    fn from(Position { line, column, .. }: Position) -> Self {
        Self { line, column }
    }
}

impl From<Place> for Location {
    fn from(Place { path, start, end }: Place) -> Self {
        Self { path, positions: Positions { begin: start.into(), end: end.into() } }
    }
}

/// Writes the result of a check as a list of issues. The format has no place for errors of the check itself, so a
/// problem becomes a blocker issue.
pub fn document(outcome: CheckOutcome<'_>, checkout: &Checkout) -> String {
    let problems = outcome.problems().iter().enumerate().map(|(number, problem)| Issue {
        description: described(problem.code.as_str(), &problem.message, problem.help.as_deref(), None),
        check_name: problem.code.as_str(),
        fingerprint: fingerprint(problem.code.as_str(), number),
        severity: "blocker",
        location: checkout.problem(problem, outcome).into(),
    });
    let fingerprints = crate::finding::fingerprints(outcome.findings(), outcome.sources());
    let findings = outcome.findings().iter().zip(fingerprints).map(|(finding, fingerprint)| {
        let (place, note) = checkout.finding(finding, outcome);
        Issue {
            description: described(finding.rule, &finding.message, Some(&finding.help), note.as_deref()),
            check_name: finding.rule,
            fingerprint,
            severity: match finding.severity {
                Severity::Error => "critical",
                Severity::Warning => "major",
                Severity::Note => "info",
            },
            location: place.into(),
        }
    });
    json_v1::to_string(&problems.chain(findings).collect::<Vec<_>>())
}

/// Prefixes the description with the rule, because GitLab doesn't show the check's name.
fn described(name: &str, message: &str, help: Option<&str>, note: Option<&str>) -> String {
    format!("{name}: {}", place::sentence(message, help, note))
}

/// Returns a fingerprint that is unique among the problems of a run: GitLab merges issues with the same fingerprint.
fn fingerprint(code: &str, number: usize) -> String {
    let digest = Sha256::digest(format!("credlint/v1\0problem\0{code}\0{number}"));
    hex(&digest[..16])
}
