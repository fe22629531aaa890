//! `--format github`: workflow commands, which the runner turns into annotations, and a job summary.

use std::fmt::Write;

use super::place::{self, Checkout, FileLocation};
use super::summary;
use crate::finding::{Finding, Severity};
use crate::lint::{Report, Verdict};
use crate::text::{Markup, outgoing, printable};

/// The number of annotations of each severity that GitHub shows for a step. It silently drops the rest.
const SHOWN: usize = 10;
/// The maximum number of unjudged profiles that are named.
const NAMED: usize = 20;
/// The maximum size of the summary. GitHub's limit is 1 MiB for a step, which other tools may share.
const SUMMARY: usize = 512 * 1024;

/// Writes the result of a check: the ten worst findings as commands, then a count of the rest, then the rest as plain
/// log lines.
pub fn document(report: &Report, checkout: &Checkout) -> String {
    let mut out = String::new();
    for problem in &report.problems {
        let message = place::sentence(&problem.message, problem.help.as_deref(), None);
        let place = problem.labels.iter().find_map(|&(at, _)| checkout.place(at, &report.sources));
        command(&mut out, "error", place.as_ref(), &format!("credlint: {}", problem.code), &message);
    }
    let findings = worst_first(report);
    for finding in findings.iter().take(SHOWN) {
        let (place, note) = checkout.finding(finding, report);
        let message = place::sentence(&finding.message, Some(&finding.help), note.as_deref());
        command(&mut out, command_name(finding.severity), Some(&place), &title(finding), &message);
    }
    if findings.len() > SHOWN {
        let message = format!(
            "{}; the worst {SHOWN} are annotated, all are in the log and in the summary of the job",
            summary::line(report)
        );
        command(&mut out, "notice", None, "credlint", &message);
        for finding in &findings[SHOWN..] {
            let at = finding.primary().map(|label| place::name(label.at, &report.sources)).unwrap_or_default();
            let message = place::sentence(&finding.message, Some(&finding.help), None);
            out.push_str(&plain(&format!("{}[{}] {at}: {message}", finding.severity, finding.rule)));
            out.push('\n');
        }
    }
    out
}

/// Writes the job summary, in Markdown.
pub fn job_summary(report: &Report) -> String {
    let mut out = String::from("## credlint\n\n");
    if report.problems.is_empty() {
        // Writing to a string can't fail.
        let _ = writeln!(out, "{}\n", summary::line(report));
        out.push_str(&unjudged(report));
    }
    for problem in &report.problems {
        let message = place::sentence(&problem.message, problem.help.as_deref(), None);
        let _ = writeln!(out, "- **{}**: {}", problem.code, cell(&message));
    }
    let findings = worst_first(report);
    if !findings.is_empty() {
        out.push_str("| | rule | place | what is wrong, and what to do |\n|---|---|---|---|\n");
    }
    for (index, finding) in findings.iter().enumerate() {
        let at = finding.primary().map(|label| place::name(label.at, &report.sources)).unwrap_or_default();
        let message = place::sentence(&finding.message, Some(&finding.help), None);
        let row = format!(
            "| {} | [{}]({}) | {} | {} |\n",
            finding.severity,
            finding.rule,
            super::url(finding.rule),
            code(&at),
            cell(&message)
        );
        if out.len() + row.len() > SUMMARY {
            let _ = writeln!(out, "\nand {} more", findings.len() - index);
            break;
        }
        out.push_str(&row);
    }
    out.push('\n');
    out
}

/// Lists profiles without findings whose credentials were not all recognised. The table has no row for them.
fn unjudged(report: &Report) -> String {
    let open = report.profiles.iter().filter(|(_, verdict)| *verdict == Verdict::Unjudged);
    let names: Vec<String> = open.map(|(id, _)| code(&id.to_string())).collect();
    let more = match names.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    if names.is_empty() {
        names.concat()
    } else {
        format!("Unknown form: {}{more}\n\n", names[..names.len().min(NAMED)].join(", "))
    }
}

/// Returns the findings that are not in the baseline, worst first: known findings would crowd out new ones.
fn worst_first(report: &Report) -> Vec<&Finding> {
    let mut findings: Vec<&Finding> = report.new_findings().collect();
    // The sort is stable, so findings of equal severity keep their order.
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings
}

fn title(finding: &Finding) -> String {
    finding.profile.as_ref().map_or_else(|| finding.rule.to_owned(), |profile| format!("{} in {profile}", finding.rule))
}

const fn command_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    }
}

/// Writes one command. A range over several lines has no columns, because the runner applies them to a single line.
fn command(out: &mut String, word: &str, place: Option<&FileLocation>, title: &str, message: &str) {
    let _ = write!(out, "::{word} ");
    if let Some(FileLocation { path, start, end }) = place {
        let _ = write!(out, "file={},line={},endLine={},", property(path), start.line, end.line);
        if start.line == end.line {
            let _ = write!(out, "col={},endColumn={},", start.column, end.column);
        }
    }
    let _ = writeln!(out, "title={}::{}", property(title), data(message));
}

/// Escapes the message of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Formats a log line so that the runner never reads it as a command.
fn plain(text: &str) -> String {
    outgoing(&printable(text), Markup::Plain).into_owned()
}

/// Escapes text for a table cell, so that no link, image, tag or new cell starts in it. Text between two backticks
/// becomes code if the pairs are unambiguous.
fn cell(text: &str) -> String {
    let text = printable(text);
    let spans = text.matches('`').count().is_multiple_of(2) && !text.contains("``");
    if !spans {
        return escape_markup(&text);
    }
    let pieces = text.split('`').enumerate();
    pieces.map(|(index, piece)| if index % 2 == 1 { code(piece) } else { escape_markup(piece) }).collect()
}

/// Escapes all Markdown markup.
fn escape_markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            // A name after `@` would notify a user.
            '@' => out.push_str("@<!-- -->"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '$' => out.extend(['\\', c]),
            // GitHub links an address even without a scheme.
            ':' if rest.as_str().starts_with('/') => out.push_str("\\:"),
            '.' if out.ends_with(['w', 'W']) => out.push_str("\\."),
            c => out.push(c),
        }
    }
    out
}

/// Formats a file or variable name, which may contain any character, as code.
fn code(text: &str) -> String {
    format!("`{}`", printable(text).replace('`', "'").replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Position;

    #[test]
    fn escapes_commands_and_omits_columns_of_several_lines() {
        let position = |line, column| Position { line, column, offset: 0 };
        let mut out = String::new();
        let place = FileLocation { path: "a,b:c%.toml".to_owned(), start: position(2, 3), end: position(2, 9) };
        command(&mut out, "error", Some(&place), "x: y, z", "100% of a:\r\nb, c");
        assert_eq!(
            out,
            "::error file=a%2Cb%3Ac%25.toml,line=2,endLine=2,col=3,endColumn=9,title=x%3A y%2C z::100%25 of a:%0D%0Ab, c\n"
        );
        let mut out = String::new();
        let place = FileLocation { path: "a".to_owned(), start: position(2, 3), end: position(4, 1) };
        command(&mut out, "notice", Some(&place), "t", "m");
        assert_eq!(out, "::notice file=a,line=2,endLine=4,title=t::m\n");
        assert_eq!(plain("a ##[error]b\n::c"), "a # #[error]b\\u{a}::c");
        assert_eq!(plain("::error::"), ": :error::");
        assert_eq!(code("`|"), "`'\\|`");
    }

    #[test]
    fn summary_escapes_markup() {
        for (text, escaped) in [
            ("a|b<c>", "a\\|b&lt;c>"),
            ("![x](https://evil.example)", "!\\[x\\](https\\://evil.example)"),
            ("www.evil.example", "www\\.evil.example"),
            ("`a|_` *b* _c_ ~d~", "`a\\|_` \\*b\\* \\_c\\_ \\~d\\~"),
            ("`a` b` [c](d)", "\\`a\\` b\\` \\[c\\](d)"),
            ("`a``b` `[c](d)`", "\\`a\\`\\`b\\` \\`\\[c\\](d)\\`"),
            ("@team &amp; #1", "@<!-- -->team &amp;amp; \\#1"),
            ("a\n# b\u{202e}", "a\\\\u{a}\\# b\\\\u{202e}"),
            ("it is, 100%; 'so'?", "it is, 100%; 'so'?"),
        ] {
            assert_eq!(cell(text), escaped, "{text:?}");
        }
    }
}
