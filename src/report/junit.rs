//! `--format junit`: a suite for each kind of profile, a test for each profile.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

use super::place::{self, Checkout};
use crate::finding::{Finding, Severity};
use crate::lint::live::Validity;
use crate::lint::{Report, Timing, Verdict};
use crate::rules::live;
use crate::schema::{Kind, ProfileId};
use crate::source::Sources;

/// The suite for findings outside profiles, and for errors of the check itself.
const OUTSIDE: &str = "configuration";

/// The output of a test whose profile was not fully judged. The test passes because the check does; a skipped test
/// would mean that it did not run.
const UNJUDGED: &str = "no findings, but a value is of unknown form\n";

struct Suite {
    name: &'static str,
    cases: Vec<Case>,
}

struct Case {
    /// Unique with the file, which is written before it: GitLab tells tests apart by their names alone.
    name: String,
    /// The file in the repository.
    file: Option<String>,
    verdict: TestResult,
    /// Findings that don't fail the test.
    notes: String,
}

/// Findings that fail a test, and the others.
type Findings<'a> = (Vec<&'a Finding>, Vec<&'a Finding>);

enum TestResult {
    Passed,
    /// Findings at or above the threshold: the rules, a one-line summary, and the full text.
    Failed(String, String, String),
    /// The test could not be run.
    Error(&'static str, String),
}

/// Writes the result of a check. A test fails if its findings fail the check; lower severities and known findings go to
/// its output.
pub fn document(report: &Report, checkout: &Checkout) -> String {
    let mut suites = Vec::new();
    let mut findings: HashMap<Option<&ProfileId>, Findings<'_>> = HashMap::new();
    for (index, finding) in report.findings.iter().enumerate() {
        let (failed, noted) = findings.entry(finding.profile.as_ref()).or_default();
        if report.fails_by(index) { failed.push(finding) } else { noted.push(finding) }
    }
    // Also those of services without profiles of their own.
    let kinds: BTreeSet<&Kind> = report.profiles.iter().map(|(id, _)| id.kind).collect();
    for kind in kinds {
        let cases = report.profiles.iter().filter(|(id, _)| id.kind == kind).map(|(id, verdict)| {
            let found = findings.get(&Some(id)).cloned().unwrap_or_default();
            // A credential that no service can verify is reported as a note, and is not an error of the test.
            let open = |one: &&Finding| one.rule == live::UNVERIFIED.id && one.severity > Severity::Note;
            let unknown =
                report.live_of(id).is_some_and(|live| live.state == Validity::Unknown) && found.1.iter().any(open);
            let defined = report.anchors.iter().find(|(known, _)| known == id).map(|(_, at)| *at);
            let file = defined.and_then(|at| checkout.place(at, &report.sources)).map(|place| place.path);
            let mut case = Case { file, ..case(id.to_string(), found, &report.sources) };
            if *verdict == Verdict::Unjudged {
                case.notes.insert_str(0, UNJUDGED);
            }
            if unknown && matches!(case.verdict, TestResult::Passed) {
                // The reasons are in the test's output.
                case.verdict = TestResult::Error(live::UNVERIFIED.id, "the service did not say".to_owned());
            }
            case
        });
        suites.push(Suite { name: kind.name, cases: cases.collect() });
    }
    let mut files: BTreeMap<Option<String>, Findings<'_>> = BTreeMap::new();
    if let Some((failed, noted)) = findings.remove(&None) {
        let file = |finding: &Finding| Some(checkout.place(finding.primary()?.at, &report.sources)?.path);
        for finding in failed {
            files.entry(file(finding)).or_default().0.push(finding);
        }
        for finding in noted {
            files.entry(file(finding)).or_default().1.push(finding);
        }
    }
    let cases =
        files.into_iter().map(|(file, found)| Case { file, ..case(OUTSIDE.to_owned(), found, &report.sources) });
    suites.push(Suite { name: OUTSIDE, cases: cases.collect() });
    let mut problems: BTreeMap<(Option<String>, &str), Vec<String>> = BTreeMap::new();
    for problem in &report.problems {
        let file =
            problem.labels.iter().find_map(|&(at, _)| checkout.place(at, &report.sources)).map(|place| place.path);
        let text = place::sentence(&problem.message, problem.help.as_deref(), None);
        problems.entry((file, problem.code.as_str())).or_default().push(text);
    }
    let problems = problems.into_iter().map(|((file, code), texts)| Case {
        name: code.to_owned(),
        file,
        verdict: TestResult::Error(code, texts.join("\n")),
        notes: String::new(),
    });
    suites.push(Suite { name: OUTSIDE, cases: problems.collect() });
    suites.retain(|suite| !suite.cases.is_empty());
    xml(&suites, report.timing)
}

fn case(name: String, (failed, noted): Findings<'_>, sources: &Sources) -> Case {
    // Many readers show only the first failure of a test, so all findings go into one.
    let verdict = match failed[..] {
        [] => TestResult::Passed,
        [one] => TestResult::Failed(one.rule.to_owned(), one.message.clone(), words(&failed, sources)),
        [first, ..] => {
            let mut rules: Vec<&str> = failed.iter().map(|finding| finding.rule).collect();
            rules.dedup();
            let message = format!("{} (and {} more)", first.message, failed.len() - 1);
            TestResult::Failed(rules.join(", "), message, words(&failed, sources))
        }
    };
    Case { name, file: None, verdict, notes: words(&noted, sources) }
}

/// Describes each finding with its locations.
fn words(findings: &[&Finding], sources: &Sources) -> String {
    let mut out = String::new();
    for finding in findings {
        // Writing to a string can't fail.
        let _ = writeln!(out, "{}[{}]: {}", finding.severity, finding.rule, finding.message);
        for label in &finding.labels {
            let _ = writeln!(out, "  {}: {}", place::name(label.at, sources), label.text);
        }
        let _ = writeln!(out, "  help: {}\n  {}", finding.help, super::url(finding.rule));
    }
    out
}

fn xml(suites: &[Suite], timing: Option<Timing>) -> String {
    let tests: usize = suites.iter().map(|suite| suite.cases.len()).sum();
    let elapsed = timing.map_or(0, |timing| timing.elapsed.as_millis());
    // What is checked is read as a whole and compared with each other, so no test has a time that is its own. Readers add up
    // those of the tests: with equal shares they add up to the duration of the check, to the millisecond.
    let until = |test: usize| elapsed * test as u128 / tests.max(1) as u128;
    let mut begun = 0;
    let sum = |suites: &[Suite], elapsed: u128| {
        let count = |wanted: fn(&TestResult) -> bool| {
            suites.iter().flat_map(|suite| &suite.cases).filter(|case| wanted(&case.verdict)).count()
        };
        let (all, failures) = (count(|_| true), count(|verdict| matches!(verdict, TestResult::Failed(..))));
        let errors = count(|verdict| matches!(verdict, TestResult::Error(..)));
        format!("tests=\"{all}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{}\"", seconds(elapsed))
    };
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" {}>\n",
        env!("CARGO_PKG_NAME"),
        sum(suites, elapsed)
    );
    let timestamp = timing.and_then(Timing::timestamp).map(|time| format!(" timestamp=\"{time}\"")).unwrap_or_default();
    for suite in suites {
        let sum = sum(std::slice::from_ref(suite), until(begun + suite.cases.len()) - until(begun));
        let _ = writeln!(out, "  <testsuite name=\"{}\" {sum} skipped=\"0\"{timestamp}>", suite.name);
        for case in &suite.cases {
            let file = case.file.as_ref().map(|file| format!(" file=\"{}\"", escaped(file))).unwrap_or_default();
            let path = case.file.as_ref().map(|file| format!("{}: ", escaped(file))).unwrap_or_default();
            let (name, time) = (escaped(&case.name), seconds(until(begun + 1) - until(begun)));
            begun += 1;
            let _ = write!(
                out,
                "    <testcase classname=\"credlint.{}\" name=\"{path}{name}\"{file} time=\"{time}\"",
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

/// Escapes text for an element or attribute. Characters that XML can't contain, even escaped, are spelled out.
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
        let times = |milliseconds| {
            let timing = Timing::new(std::time::UNIX_EPOCH, std::time::Duration::from_millis(milliseconds));
            let text = xml(&suites, Some(timing));
            let times = text.split(" time=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned());
            times.collect::<Vec<_>>().join(" ")
        };
        // All, then the first suite with both its tests, then the second.
        assert_eq!(times(2500), "2.500 1.666 0.833 0.833 0.834 0.834");
        assert_eq!(times(1), "0.001 0 0 0 0.001 0.001");
        assert_eq!(times(0), "0 0 0 0 0 0");
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
