//! `--format sarif`: SARIF 2.1.0, with all properties that GitHub code scanning uses.

mod log;

use std::collections::BTreeMap;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::place::{self, Checkout, Place};
use super::{CheckOutcome, json_v1};
use crate::finding::{Finding, Severity};
use crate::rules::{Impact, RuleMeta};
use crate::source::Problem;
use crate::text::printable;
use log::{
    Artifact, Base, Configuration, Descriptor, Details, Driver, Help, Invocation, Location, Log, Notification,
    Physical, Properties, Reference, Region, Run, RunProperties, SarifResult, Text, Tool,
};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// The base of relative paths. It has no URI, so that the document doesn't reveal where the repository was checked out.
const ROOT: &str = "%SRCROOT%";
/// Characters that are percent-encoded in a relative reference.
const SPELLED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b':')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');
/// GitHub's maximum length of a description.
const DESCRIPTION: usize = 1024;
/// GitHub's maximum number of results in a run, and of related locations in a result. GitHub rejects a log with more.
const RESULTS: usize = 25_000;
const RELATED: usize = 99;

/// Writes the result of a check as a SARIF log. If nothing was checked, notifications take the place of results.
pub fn document(outcome: CheckOutcome<'_>, checkout: &Checkout) -> String {
    let (findings, problems, metas) = (outcome.findings(), outcome.problems(), outcome.metas());
    let fingerprints = crate::finding::fingerprints(findings, outcome.sources());
    let found = findings.iter().zip(fingerprints).enumerate().map(|(index, (finding, fingerprint))| {
        let state = match outcome {
            CheckOutcome::Checked(report) if report.is_known(index) => Some("unchanged"),
            CheckOutcome::Checked(report) if report.baseline.is_some() => Some("new"),
            _ => None,
        };
        (finding, (fingerprint, state))
    });
    let (kept, left_out) = worst(found.collect(), RESULTS);
    let results = kept.into_iter().map(|(finding, (fingerprint, baseline_state))| SarifResult {
        baseline_state,
        rule_index: metas.iter().position(|meta| meta.id == finding.rule),
        ..result(finding, fingerprint, outcome, checkout)
    });
    let mut notifications: Vec<_> = problems.iter().map(|problem| notification(problem, outcome, checkout)).collect();
    if left_out > 0 {
        notifications.push(Notification {
            descriptor: Reference { id: "too-many-findings" },
            level: "warning",
            message: Text { text: format!("{left_out} more findings, none worse than these, are left out") },
            locations: Vec::new(),
        });
    }
    let asked = matches!(outcome, CheckOutcome::Checked(report) if report.live.is_some());
    // The exit code is 3 then.
    let refused =
        matches!(outcome, CheckOutcome::Checked(report) if report.tally.is_some_and(|tally| tally.refused > 0));
    let driver = Driver {
        name: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        semantic_version: env!("CARGO_PKG_VERSION"),
        information_uri: env!("CARGO_PKG_REPOSITORY"),
        rules: metas.iter().map(|meta| descriptor(meta)).collect(),
    };
    let root = Base { description: Text { text: "The root of the repository".to_owned() } };
    json_v1::to_string(&Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            tool: Tool { driver },
            automation_details: Details { id: if asked { "credlint/verify/" } else { "credlint/check/" } },
            invocations: [Invocation {
                execution_successful: problems.is_empty() && !refused,
                tool_execution_notifications: notifications,
            }],
            original_uri_base_ids: BTreeMap::from([(ROOT, root)]),
            column_kind: "unicodeCodePoints",
            results: results.collect(),
            properties: RunProperties { verdicts: verdicts(outcome) },
        }],
    })
}

/// Returns the verdict of each profile. Profiles without findings have no result that could tell it.
fn verdicts(outcome: CheckOutcome<'_>) -> BTreeMap<String, &'static str> {
    let CheckOutcome::Checked(report) = outcome else { return BTreeMap::new() };
    report.profiles.iter().map(|(id, verdict)| (id.to_string(), verdict.name())).collect()
}

/// Returns the `most` worst findings, and the number of the others.
fn worst<T>(mut found: Vec<(&Finding, T)>, most: usize) -> (Vec<(&Finding, T)>, usize) {
    let left_out = found.len().saturating_sub(most);
    if left_out > 0 {
        found.sort_by_key(|(finding, _)| std::cmp::Reverse(finding.severity));
        found.truncate(most);
    }
    (found, left_out)
}

fn result(finding: &Finding, fingerprint: String, outcome: CheckOutcome<'_>, checkout: &Checkout) -> SarifResult {
    let (at, note) = checkout.finding(finding, outcome);
    let mut text = unlinked(&place::sentence(&finding.message, Some(&finding.help), note.as_deref()));
    let mut related = Vec::new();
    for label in finding.labels.iter().skip(1).take(RELATED) {
        let words = printable(&label.text);
        let Some(there) = checkout.place(label.at, outcome) else {
            // A location outside files can't be linked, but it can be named.
            text.push_str(&unlinked(&format!("; {words}: {}", place::name(label.at, outcome.sources()))));
            continue;
        };
        let id = related.len() + 1;
        // GitHub shows a related location only if the message links to it.
        text.push_str(&format!("; see [{}]({id})", escaped(&words)));
        related.push(Location { id: Some(id), message: Some(Text { text: unlinked(&words) }), ..location(there) });
    }
    SarifResult {
        rule_id: finding.rule,
        rule_index: None,
        level: finding.severity.name(),
        message: Text { text },
        locations: [location(at)],
        related_locations: related,
        partial_fingerprints: BTreeMap::from([
            ("primaryLocationLineHash", fingerprint.clone()),
            ("credlint/v1", fingerprint),
        ]),
        baseline_state: None,
    }
}

fn notification(problem: &Problem, outcome: CheckOutcome<'_>, checkout: &Checkout) -> Notification {
    let text = unlinked(&place::sentence(&problem.message, problem.help.as_deref(), None));
    let locations = problem.labels.iter().filter_map(|&(at, _)| checkout.place(at, outcome));
    Notification {
        descriptor: Reference { id: problem.code.as_str() },
        level: "error",
        message: Text { text },
        locations: locations.map(location).collect(),
    }
}

fn location(place: Place) -> Location {
    let region = Region {
        start_line: place.start.line,
        start_column: place.start.column,
        end_line: place.end.line,
        end_column: place.end.column,
    };
    let artifact_location = Artifact { uri: utf8_percent_encode(&place.path, SPELLED).to_string(), uri_base_id: ROOT };
    Location { id: None, physical: Physical { artifact_location, region }, message: None }
}

fn descriptor(meta: &'static RuleMeta) -> Descriptor {
    let page = meta.page.trim();
    // The first paragraph after the title.
    let body = page.split_once('\n').map_or(page, |(_, body)| body.trim_start());
    let first = body.split("\n\n").next().unwrap_or(body).replace('\n', " ");
    let full = if first.is_empty() { capital(meta.summary) } else { first };
    let severity = match meta.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "recommendation",
    };
    let security = security(meta.impact);
    let mut tags = vec!["credentials", "configuration"];
    if security.is_some() {
        // With this tag and a severity, GitHub shows a security alert.
        tags.insert(0, "security");
    }
    Descriptor {
        id: meta.id,
        name: meta.id.split('-').map(capital).collect(),
        short_description: Text { text: limited(&capital(meta.summary)) },
        full_description: Text { text: limited(&full) },
        // The page is included once; viewers that can't show Markdown get its address.
        help: Help { text: format!("{}: {}", capital(meta.summary), super::url(meta.id)), markdown: page },
        help_uri: super::url(meta.id),
        default_configuration: Configuration { level: meta.severity.name() },
        properties: Properties { tags, precision: "high", severity, security },
    }
}

/// Returns the severity on the CVSS scale: critical from 9, high from 7, medium from 4, low below. A finding that does
/// not affect a credential has none, because GitHub would call it a vulnerability.
const fn security(impact: Impact) -> Option<&'static str> {
    Some(match impact {
        Impact::SentElsewhere => "8.8",
        Impact::SentInTheClear => "8.1",
        Impact::Exposed => "7.5",
        Impact::Readable => "5.5",
        Impact::Unfit => "4.0",
        Impact::Doubtful => "2.0",
        Impact::None => return None,
    })
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

fn limited(text: &str) -> String {
    if text.chars().count() <= DESCRIPTION {
        return text.to_owned();
    }
    text.chars().take(DESCRIPTION - 1).chain(['…']).collect()
}

/// Escapes the text of a link.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]")
}

/// Escapes text so that it contains no link.
fn unlinked(text: &str) -> String {
    text.replace("](", "] (")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_worst_findings_are_kept() {
        let finding = |rule, severity| Finding {
            rule,
            severity,
            profile: None,
            message: String::new(),
            help: String::new(),
            labels: Vec::new(),
        };
        let all = [finding("a", Severity::Note), finding("b", Severity::Error), finding("c", Severity::Warning)];
        let kept = |most| {
            let (kept, left_out) = worst(all.iter().map(|finding| (finding, String::new())).collect(), most);
            (kept.iter().map(|(finding, _)| finding.rule).collect::<String>(), left_out)
        };
        assert_eq!(kept(3), ("abc".to_owned(), 0));
        assert_eq!(kept(2), ("bc".to_owned(), 1));
    }

    #[test]
    fn paths_and_texts_are_escaped() {
        assert_eq!(utf8_percent_encode("a b/ä:%#?.toml", SPELLED).to_string(), "a%20b/%C3%A4%3A%25%23%3F.toml");
        assert_eq!(escaped("channels[0] \\"), "channels\\[0\\] \\\\");
        assert_eq!(unlinked("[a](1)"), "[a] (1)");
        assert_eq!(limited(&"ä".repeat(2000)).chars().count(), DESCRIPTION);
    }
}
