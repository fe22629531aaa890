//! `--format junit`: a suite for each kind of profile, a test for each profile.

use std::collections::HashMap;
use std::fmt::Write;

use super::place::Checkout;
use super::{CheckOutcome, place};
use crate::finding::{Finding, Severity};
use crate::lint::Timing;
use crate::lint::Verdict;
use crate::lint::live::Life;
use crate::rules::live;
use crate::schema::{Kind, ProfileId};

/// A suite of what stands outside any profile, and of what kept the check from its work.
const OUTSIDE: &str = "configuration";

/// What the output of a test says of a profile that nothing is held against. It passed, since nothing fails the check; a
/// test that was skipped would be one that did not run.
const UNJUDGED: &str = "unjudged: no findings, but not every credential was recognised\n";

struct Suite {
    name: &'static str,
    cases: Vec<Case>,
}

struct Case {
    name: String,
    /// The file of the repository that it is about.
    file: Option<String>,
    verdict: TestResult,
    /// What did not fail it.
    notes: String,
}

/// The findings that fail a test, and the others.
type Findings<'a> = (Vec<&'a Finding>, Vec<&'a Finding>);

enum TestResult {
    Passed,
    /// Findings from the threshold up: the rules, one line, and everything.
    Failed(String, String, String),
    /// It could not be tested.
    Error(&'static str, String),
}

/// What a check came to. A test fails by what fails the check; what lies below the threshold, or is
/// known, is in its output.
pub fn document(outcome: CheckOutcome<'_>, checkout: &Checkout, timing: Option<Timing>) -> String {
    let mut suites = Vec::new();
    if let CheckOutcome::Checked(report) = outcome {
        let mut findings: HashMap<Option<&ProfileId>, Findings<'_>> = HashMap::new();
        for (index, finding) in report.findings.iter().enumerate() {
            let (failed, noted) = findings.entry(finding.profile.as_ref()).or_default();
            if report.fails_by(index) { failed.push(finding) } else { noted.push(finding) }
        }
        for &kind in Kind::all() {
            let cases = report.profiles.iter().filter(|(id, _)| id.kind == kind).map(|(id, verdict)| {
                let found = findings.get(&Some(id)).cloned().unwrap_or_default();
                // What no service can be asked about is noted, and could not have been answered.
                let open = |one: &&Finding| one.rule == live::UNVERIFIED.id && one.severity > Severity::Note;
                let unknown =
                    report.said(id).is_some_and(|live| live.state == Life::Unknown) && found.1.iter().any(open);
                let defined = report.anchors.iter().find(|(known, _)| known == id).map(|(_, at)| *at);
                let file = defined.and_then(|at| checkout.place(at, outcome)).map(|place| place.path);
                let mut case = Case { file, ..case(id.to_string(), found, outcome) };
                if *verdict == Verdict::Unjudged {
                    case.notes.insert_str(0, UNJUDGED);
                }
                if unknown && matches!(case.verdict, TestResult::Passed) {
                    // Its reasons are in the output.
                    case.verdict = TestResult::Error(live::UNVERIFIED.id, "the service did not say".to_owned());
                }
                case
            });
            suites.push(Suite { name: kind.name, cases: cases.collect() });
        }
        if let Some(outside) = findings.remove(&None) {
            suites.push(Suite { name: OUTSIDE, cases: vec![case(OUTSIDE.to_owned(), outside, outcome)] });
        }
    }
    let problems = outcome.problems().iter().map(|problem| Case {
        name: problem.code.to_string(),
        file: problem.labels.iter().find_map(|&(at, _)| checkout.place(at, outcome)).map(|place| place.path),
        verdict: TestResult::Error(
            problem.code.as_str(),
            place::sentence(&problem.message, problem.help.as_deref(), None),
        ),
        notes: String::new(),
    });
    suites.push(Suite { name: OUTSIDE, cases: problems.collect() });
    suites.retain(|suite| !suite.cases.is_empty());
    xml(&suites, timing)
}

fn case(name: String, (failed, noted): Findings<'_>, outcome: CheckOutcome<'_>) -> Case {
    // Many readers take one failure a test only, so all are in one.
    let verdict = match failed[..] {
        [] => TestResult::Passed,
        [one] => TestResult::Failed(one.rule.to_owned(), one.message.clone(), words(&failed, outcome)),
        [first, ..] => {
            let mut rules: Vec<&str> = failed.iter().map(|finding| finding.rule).collect();
            rules.dedup();
            let message = format!("{} (and {} more)", first.message, failed.len() - 1);
            TestResult::Failed(rules.join(", "), message, words(&failed, outcome))
        }
    };
    Case { name, file: None, verdict, notes: words(&noted, outcome) }
}

/// Every finding with its places.
fn words(findings: &[&Finding], outcome: CheckOutcome<'_>) -> String {
    let mut out = String::new();
    for finding in findings {
        // Writing to a string can't fail.
        let _ = writeln!(out, "{}[{}]: {}", finding.severity, finding.rule, finding.message);
        for label in &finding.labels {
            let _ = writeln!(out, "  {}: {}", place::name(label.at, outcome.sources()), label.text);
        }
        let _ = writeln!(out, "  help: {}\n  {}", finding.help, super::url(finding.rule));
    }
    out
}

fn xml(suites: &[Suite], timing: Option<Timing>) -> String {
    let tests: usize = suites.iter().map(|suite| suite.cases.len()).sum();
    let took = timing.map_or(0, |timing| timing.took.as_millis());
    // What is checked is read as a whole and compared with each other, so no test has a time that is its own. Readers add up
    // those of the tests: with equal shares they come to what the check took, to the millisecond.
    let until = |test: usize| took * test as u128 / tests.max(1) as u128;
    let mut begun = 0;
    let sum = |suites: &[Suite], took: u128| {
        let count = |wanted: fn(&TestResult) -> bool| {
            suites.iter().flat_map(|suite| &suite.cases).filter(|case| wanted(&case.verdict)).count()
        };
        let (all, failures) = (count(|_| true), count(|verdict| matches!(verdict, TestResult::Failed(..))));
        let errors = count(|verdict| matches!(verdict, TestResult::Error(..)));
        format!("tests=\"{all}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{}\"", seconds(took))
    };
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" {}>\n",
        env!("CARGO_PKG_NAME"),
        sum(suites, took)
    );
    let timestamp = timing.and_then(Timing::timestamp).map(|time| format!(" timestamp=\"{time}\"")).unwrap_or_default();
    for suite in suites {
        let sum = sum(std::slice::from_ref(suite), until(begun + suite.cases.len()) - until(begun));
        let _ = writeln!(out, "  <testsuite name=\"{}\" {sum} skipped=\"0\"{timestamp}>", suite.name);
        for case in &suite.cases {
            let file = case.file.as_ref().map(|file| format!(" file=\"{}\"", escaped(file))).unwrap_or_default();
            let (name, time) = (escaped(&case.name), seconds(until(begun + 1) - until(begun)));
            begun += 1;
            let _ = write!(
                out,
                "    <testcase classname=\"credlint.{}\" name=\"{name}\"{file} time=\"{time}\"",
                suite.name
            );
            let inside = inside(case);
            let _ = if inside.is_empty() { writeln!(out, "/>") } else { writeln!(out, ">{inside}</testcase>") };
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

/// Seconds; the readers with the strictest schema take three decimals.
fn seconds(milliseconds: u128) -> String {
    if milliseconds == 0 { "0".to_owned() } else { format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000) }
}

fn inside(case: &Case) -> String {
    let mut out = match &case.verdict {
        TestResult::Passed => String::new(),
        TestResult::Failed(rules, message, words) => format!(
            "<failure type=\"{}\" message=\"{}\">{}</failure>",
            escaped(rules),
            escaped(message),
            escaped(words)
        ),
        TestResult::Error(code, message) => {
            format!("<error type=\"{code}\" message=\"{0}\">{0}</error>", escaped(message))
        }
    };
    if !case.notes.is_empty() {
        out.extend(["<system-out>", &escaped(&case.notes), "</system-out>"]);
    }
    out
}

/// A text for an element or an attribute. Characters that XML can't hold, not even escaped, are spelt out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push('\n'),
            '\u{fffe}' | '\u{ffff}' => out.extend(c.escape_unicode()),
            c if c.is_control() => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_come_to_the_whole() {
        let case =
            |name: &str| Case { name: name.to_owned(), file: None, verdict: TestResult::Passed, notes: String::new() };
        let suites =
            [Suite { name: "a", cases: vec![case("a"), case("b")] }, Suite { name: "b", cases: vec![case("c")] }];
        let took = |milliseconds| {
            let timing = Timing::new(std::time::UNIX_EPOCH, std::time::Duration::from_millis(milliseconds));
            let text = xml(&suites, Some(timing));
            let times = text.split(" time=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned());
            times.collect::<Vec<_>>().join(" ")
        };
        // All, then the first suite with both its tests, then the second.
        assert_eq!(took(2500), "2.500 1.666 0.833 0.833 0.834 0.834");
        assert_eq!(took(1), "0.001 0 0 0 0.001 0.001");
        assert_eq!(took(0), "0 0 0 0 0 0");
        assert!(!xml(&suites, None).contains("timestamp"));
    }

    #[test]
    fn texts_are_escaped() {
        assert_eq!(
            escaped("<a b=\"c\">&\u{1b}\u{0}\u{ffff}\n"),
            "&lt;a b=&quot;c&quot;&gt;&amp;\\u{1b}\\u{0}\\u{ffff}\n"
        );
    }
}
