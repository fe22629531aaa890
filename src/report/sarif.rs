//! `--format sarif`: SARIF 2.1.0, with all properties that GitHub code scanning uses.

use std::collections::{BTreeMap, BTreeSet};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::json_v1::{self, Object};
use super::place::{self, Checkout, FileLocation};
use crate::finding::{Finding, Severity, fingerprints};
use crate::lint::Report;
use crate::rules::{self, Impact, RuleMeta};
use crate::source::Problem;
use crate::text::printable;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// The base of relative paths. It has no URI, so that the document doesn't reveal where the repository was checked out.
const ROOT: &str = "%SRCROOT%";
/// The characters that are percent-encoded in a relative reference.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// GitHub's maximum length of a description.
const DESCRIPTION: usize = 1024;
/// GitHub's maximum number of results in a run, and of related locations in a result. GitHub rejects a log with more.
const RESULTS: usize = 25_000;
const RELATED: usize = 99;

/// Writes the result of a check as a SARIF log. If nothing was checked, notifications take the place of results.
pub fn document(report: &Report, checkout: &Checkout) -> String {
    let found = report.findings.iter().zip(fingerprints(&report.findings, &report.sources)).enumerate();
    let found = found.map(|(index, (finding, fingerprint))| {
        let state = report.is_known(index).then_some("unchanged").or(report.baseline.as_ref().map(|_| "new"));
        (finding, (fingerprint, state))
    });
    let (kept, left_out) = worst(found.collect(), RESULTS);
    let ids: BTreeSet<&str> = kept.iter().map(|(finding, _)| finding.rule).collect();
    let results = kept.into_iter().map(|(finding, (fingerprint, state))| {
        let rule_index = ids.iter().position(|id| *id == finding.rule);
        result(finding, rule_index, fingerprint, report, checkout).with_some("baselineState", state)
    });
    let mut notifications: Vec<_> = report.problems.iter().map(|one| notification(one, report, checkout)).collect();
    if left_out > 0 {
        let message = format!("{left_out} more findings, none worse than these, are left out");
        let descriptor = Object::new("id", "too-many-findings");
        notifications
            .push(Object::new("descriptor", descriptor).with("level", "warning").with("message", text(&message)));
    }
    // The exit code is 3 then.
    let refused = report.search_stats.is_some_and(|tally| tally.refused > 0);
    let invocation = Object::new("executionSuccessful", report.problems.is_empty() && !refused)
        .with_some("toolExecutionNotifications", Some(notifications).filter(|all| !all.is_empty()));
    let driver = Object::new("name", env!("CARGO_PKG_NAME"))
        .with("version", env!("CARGO_PKG_VERSION"))
        .with("semanticVersion", env!("CARGO_PKG_VERSION"))
        .with("informationUri", env!("CARGO_PKG_REPOSITORY"))
        .with_list("rules", ids.iter().filter_map(|id| rules::meta(id)).map(descriptor));
    // Distinguishes runs: GitHub uses the part before the last `/` as the category.
    let id = if report.live.is_some() { "credlint/verify/" } else { "credlint/check/" };
    let root = Object::new("description", text("The root of the repository"));
    // Profiles without findings have no result that could tell their verdict.
    let verdicts: BTreeMap<String, &str> =
        report.profiles.iter().map(|(id, verdict)| (id.to_string(), verdict.name())).collect();
    let run = Object::new("tool", Object::new("driver", driver))
        .with("automationDetails", Object::new("id", id))
        .with("invocations", [invocation])
        .with("originalUriBaseIds", Object::new(ROOT, root))
        .with("columnKind", "unicodeCodePoints")
        .with_list("results", results)
        .with("properties", Object::new("verdicts", verdicts));
    json_v1::to_string(&Object::new("$schema", SCHEMA).with("version", "2.1.0").with("runs", [run]))
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

fn text(text: &str) -> Object {
    Object::new("text", text)
}

fn result(
    finding: &Finding,
    rule_index: Option<usize>,
    fingerprint: String,
    report: &Report,
    checkout: &Checkout,
) -> Object {
    let (at, note) = checkout.finding(finding, report);
    let mut message = unlinked(&place::sentence(&finding.message, Some(&finding.help), note.as_deref()));
    let mut related = Vec::new();
    for label in finding.labels.iter().skip(1).take(RELATED) {
        let words = printable(&label.text);
        let Some(there) = checkout.place(label.at, &report.sources) else {
            // A location outside files can't be linked, but it can be named.
            message.push_str(&unlinked(&format!("; {words}: {}", place::name(label.at, &report.sources))));
            continue;
        };
        let id = related.len() + 1;
        // GitHub shows a related location only if the message links to it.
        message.push_str(&format!("; see [{}]({id})", escaped(&words)));
        related.push(Object::new("id", id).with_all(location(&there)).with("message", text(&unlinked(&words))));
    }
    let fingerprints = Object::new("credlint/v1", &fingerprint).with("primaryLocationLineHash", fingerprint);
    Object::new("ruleId", finding.rule)
        .with_some("ruleIndex", rule_index)
        .with("level", finding.severity.name())
        .with("message", text(&message))
        .with("locations", [location(&at)])
        .with_some("relatedLocations", Some(related).filter(|related| !related.is_empty()))
        .with("partialFingerprints", fingerprints)
}

fn notification(problem: &Problem, report: &Report, checkout: &Checkout) -> Object {
    let message = unlinked(&place::sentence(&problem.message, problem.help.as_deref(), None));
    let places = problem.labels.iter().filter_map(|&(at, _)| checkout.place(at, &report.sources));
    let locations: Vec<Object> = places.map(|place| location(&place)).collect();
    Object::new("descriptor", Object::new("id", problem.code.as_str()))
        .with("level", "error")
        .with("message", text(&message))
        .with_some("locations", Some(locations).filter(|locations| !locations.is_empty()))
}

fn location(FileLocation { path, start, end }: &FileLocation) -> Object {
    let uri = utf8_percent_encode(path, ENCODED).to_string();
    let region = Object::new("startLine", start.line)
        .with("startColumn", start.column)
        .with("endLine", end.line)
        // After the last character.
        .with("endColumn", end.column);
    let artifact = Object::new("uri", uri).with("uriBaseId", ROOT);
    Object::new("physicalLocation", Object::new("artifactLocation", artifact).with("region", region))
}

fn descriptor(meta: &RuleMeta) -> Object {
    // The first paragraph after the title.
    let paragraph = meta.page.trim().split("\n\n").nth(1).unwrap_or_default().replace('\n', " ");
    let url = super::url(meta.id);
    let severity = match meta.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "recommendation",
    };
    let security = security_severity(meta.impact);
    // With this tag and a severity, GitHub shows a security alert.
    let tags: &[&str] = match security {
        Some(_) => &["security", "credentials", "configuration"],
        None => &["credentials", "configuration"],
    };
    let properties = Object::new("tags", tags)
        .with("precision", "high")
        .with("problem.severity", severity)
        .with_some("security-severity", security);
    let help = text(&format!("{paragraph} {url}")).with("markdown", format!("{paragraph}\n\n[{}]({url})", meta.id));
    Object::new("id", meta.id)
        .with("name", meta.id.split('-').map(capitalized).collect::<String>())
        .with("shortDescription", text(&truncated(&capitalized(meta.summary))))
        .with("fullDescription", text(&truncated(&paragraph)))
        .with("help", help)
        .with("helpUri", url)
        .with("defaultConfiguration", Object::new("level", meta.severity.name()))
        .with("properties", properties)
}

/// Returns the severity on the CVSS scale: critical from 9, high from 7, medium from 4, low below. A finding that does
/// not affect a credential has none, because GitHub would call it a vulnerability.
const fn security_severity(impact: Impact) -> Option<&'static str> {
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

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

fn truncated(text: &str) -> String {
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
    fn keeps_only_the_worst_findings() {
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
    fn escapes_paths_and_texts() {
        assert_eq!(utf8_percent_encode("a b/ä:%#?.toml", ENCODED).to_string(), "a%20b/%C3%A4%3A%25%23%3F.toml");
        assert_eq!(escaped("channels[0] \\"), "channels\\[0\\] \\\\");
        assert_eq!(unlinked("[a](1)"), "[a] (1)");
        assert_eq!(truncated(&"ä".repeat(2000)).chars().count(), DESCRIPTION);
    }
}
