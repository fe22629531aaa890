//! `--format gitlab`: a Code Quality report.

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

/// What a check came to, as a list of issues. The format has no place for what went wrong with the check itself, so a
/// problem is an issue, too, and a blocker.
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

/// GitLab does not show the name of a check, so it stands in the text.
fn described(name: &str, message: &str, help: Option<&str>, note: Option<&str>) -> String {
    format!("{name}: {}", place::sentence(message, help, note))
}

/// What tells a problem from the others of a run. Two that are alike would be shown as one.
fn fingerprint(code: &str, number: usize) -> String {
    let digest = Sha256::digest(format!("credlint/v1\0problem\0{code}\0{number}"));
    hex(&digest[..16])
}
