//! Summarises a check in one line.

use crate::finding::Severity;
use crate::lint::live::Validity;
use crate::lint::{Report, SearchStats, Verdict};
use crate::services::Form;
use crate::text::count;

/// `3 profiles checked: 1 error, 2 warnings`.
pub fn line(report: &Report) -> String {
    if let Some(tally) = &report.search_stats {
        return searched(report, tally);
    }
    let mut profiles = format!("{} checked", count(report.profiles.len(), "profile"));
    profiles += &verified(report);
    let (counts, off) = (counts(report), off(report));
    let open = not_known(report);
    if counts.is_empty() {
        let open = open.map(|open| if report.resolved { open } else { format!("no mismatch found; {open}") });
        let said = match (report.allowed.len(), open) {
            (0, _) if report.live.is_some() => format!("{profiles}: every credential is valid"),
            (0, None) => format!("{profiles}: every credential fits"),
            (0, Some(open)) => format!("{profiles}: {open}"),
            (allowed, None) => format!("{profiles}: only allowed findings ({allowed})"),
            (allowed, Some(open)) => format!("{profiles}: only allowed findings ({allowed}); {open}"),
        };
        said + &off + if report.is_alone { "; nothing else was looked at" } else { "" }
    } else {
        let open = open.map(|open| format!("; {open}")).unwrap_or_default();
        format!("{profiles}: {}{}{}{off}{open}", counts.join(", "), known(report), threshold(report))
    }
}

/// Counts the findings that are not reported.
fn off(report: &Report) -> String {
    counted(report.off, |number| format!("; {} turned off", are(number)))
}

/// Summarises a search: `3 files and 41 variables read, 5 credentials recognised, none wrong`. Without it, silence
/// would read as approval.
fn searched(report: &Report, tally: &SearchStats) -> String {
    let files = (tally.files > 0 || tally.variables == 0).then(|| count(tally.files, "file"));
    let variables = (tally.variables > 0).then(|| count(tally.variables, "variable"));
    let read: Vec<String> = files.into_iter().chain(variables).collect();
    let refused = counted(tally.refused, |number| format!("; {} could not be read", count(number, "path")));
    let unsearched =
        counted(tally.unsearched, |number| format!("; {} could not be searched", count(number, "directory")));
    let ignored = counted(tally.ignored, |number| {
        format!("; in {} only names such as .env were read", count(number, "ignored directory"))
    });
    let weakened = counted(report.weakened, |number| {
        let notes = if number == 1 { "a note" } else { "notes" };
        format!("; {} only {notes}: in an example, or a placeholder that git would commit", are(number))
    });
    let left_out = counted(tally.left_out, |number| format!("; [lint] exclude leaves out {}", count(number, "file")));
    let counts = counts(report);
    let recognised = match tally.recognised {
        0 if !counts.is_empty() || report.off > 0 => String::new(),
        0 => ", no credential recognised".to_owned(),
        number => format!(", {} recognised", count(number, "credential")),
    };
    let unknown = counted(tally.unknown, |number| format!(", {number} of unknown form"));
    let empty = counted(tally.empty, |number| format!(", {number} empty"));
    let wrong = match (counts.is_empty(), report.allowed.len(), tally.recognised) {
        (true, 0, _) if report.off > 0 => String::new(),
        (true, 0, 0) => ", nothing found".to_owned(),
        (true, 0, _) => ", none wrong".to_owned(),
        (true, allowed, _) => format!(", only allowed findings ({allowed})"),
        (false, ..) => format!(": {}{}{}", counts.join(", "), known(report), threshold(report)),
    };
    let off = off(report);
    let implied = if tally.implied { "no configuration, so this directory was searched: " } else { "" };
    let verified = verified(report);
    let profiles = counted(tally.profiles, |number| format!("{} checked, ", count(number, "profile")));
    format!(
        "{implied}{profiles}{} read{recognised}{unknown}{empty}{verified}{wrong}{weakened}{off}{refused}{unsearched}{ignored}{left_out}",
        read.join(" and ")
    )
}

fn are(number: usize) -> String {
    format!("{} {}", count(number, "finding"), if number == 1 { "is" } else { "are" })
}

/// Counts what a service gave a verdict on.
fn verified(report: &Report) -> String {
    let Some(live) = &report.live else { return String::new() };
    let verified = live.iter().filter(|(_, live)| live.service.is_some() && live.state != Validity::Unknown).count();
    format!(", {verified} verified online")
}

/// Counts findings by severity, and sources that could not be read.
fn counts(report: &Report) -> Vec<String> {
    [Severity::Error, Severity::Warning, Severity::Note]
        .into_iter()
        .map(|severity| (report.count(severity), severity.name()))
        .chain([(report.problems.len(), "problem")])
        .filter(|&(number, _)| number > 0)
        .map(|(number, name)| count(number, name))
        .collect()
}

/// Counts findings that the baseline lists.
fn known(report: &Report) -> String {
    let known = report.baseline.as_ref().map_or(0, |comparison| comparison.known.len());
    counted(known, |known| format!(" ({known} of them known)"))
}

/// Returns a text about a number, empty for none.
fn counted(number: usize, text: impl FnOnce(usize) -> String) -> String {
    if number == 0 { String::new() } else { text(number) }
}

/// Explains why a check without errors fails.
fn threshold(report: &Report) -> String {
    let failing = (0..report.findings.len()).filter(|&index| report.is_failing(index));
    match failing.map(|index| report.findings[index].severity).max() {
        None | Some(Severity::Error) => String::new(),
        Some(_) => format!(" (--fail-on {})", report.fail_on.name()),
    }
}

/// Returns a hint about the worst new finding. `None` if there is none.
pub fn more(report: &Report) -> Option<String> {
    // The first of those with the highest severity.
    let worst = report
        .new_findings()
        .reduce(|worst, finding| if finding.severity > worst.severity { finding } else { worst })?;
    Some(format!("for details, run `credlint explain {}`", worst.rule))
}

/// Returns the word for the state of a value, for people.
pub fn state(name: &'static str, form: Option<&'static Form>) -> &'static str {
    match (name, form) {
        // It has a form, but nothing tells whether this place takes it.
        ("unjudged", Some(form)) if form.identifies_issuer() => "not judged here",
        ("unjudged", _) => "unknown form",
        _ => name,
    }
}

/// Describes what is still unknown.
fn not_known(report: &Report) -> Option<String> {
    let (fits, unjudged) = (report.count_profiles(Verdict::Fits), report.count_profiles(Verdict::Unjudged));
    if report.not_looked_up > 0 {
        let (references, were) =
            (count(report.not_looked_up, "reference"), if report.not_looked_up == 1 { "was" } else { "were" });
        return Some(format!("{references} {were} not looked up"));
    }
    let fit = match fits {
        0 => String::new(),
        1 => "1 fits, ".to_owned(),
        more => format!("{more} fit, "),
    };
    // After `verify`, suggesting `verify` again is pointless.
    let way = if report.live.is_some() || !report.can_ask { "" } else { " (`credlint verify` asks the service)" };
    (unjudged > 0).then(|| format!("{fit}{unjudged} of unknown form{way}"))
}
