//! Upload results. For people: a line for each file or a summary of the successful ones, advice for failures, and
//! totals. `--format json` and `jsonl`: the upload/v1 document. New versions may add keys, but never remove or retype
//! one. With `jsonl`, each line is a document with one upload. The last line has none, but has the findings and totals.

use std::fmt::Write;

use super::human::Style;
use super::json_v1::{self, Object, with_id};
use crate::code::Code;
use crate::config::ConfigError;
use crate::finding::Finding;
use crate::schema::ProfileId;
use crate::source::{Problem, Sources};
use crate::text;
use crate::upload::{Mode, Receipt, Skip, Status};

/// The level of detail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// Every file.
    Full,
    /// A line for each file that was not delivered, and a count of the delivered ones.
    Short,
    /// Failures only; empty if there are none.
    Errors,
}

/// Lists results, with failures last, and totals if there are several files.
pub fn lines(receipts: &[Receipt], id: &ProfileId, mode: Mode, length: Length, style: Style) -> String {
    let mut out = String::new();
    // Failures come last, where people look first.
    let (failed, rest): (Vec<_>, Vec<_>) = receipts.iter().partition(|receipt| is_failure(receipt));
    match length {
        Length::Full => rest.into_iter().for_each(|receipt| line(receipt, mode, style, &mut out)),
        Length::Short => skipped(&rest, style, &mut out),
        Length::Errors if failed.is_empty() => return out,
        Length::Errors => {}
    }
    failures(&failed, mode, length == Length::Full || failed.len() == 1, style, &mut out);
    if receipts.len() > 1 {
        let _ = writeln!(out, "{}", totals(receipts, id));
    }
    out
}

const fn is_failure(receipt: &Receipt) -> bool {
    matches!(receipt.status, Status::Failed | Status::Refused | Status::Uncertain)
}

/// Returns the symbol and the word of a status, coloured.
fn status(status: Status, style: Style) -> (String, String) {
    let (mark, color) = match status {
        Status::Delivered | Status::Accepted | Status::Rehearsed => ("✓", "32"),
        Status::Skipped => ("·", "2"),
        Status::Uncertain => ("?", "33;1"),
        Status::Failed | Status::Refused => ("×", "31;1"),
    };
    (style.paint(mark, color), style.paint(status.as_str(), color))
}

/// Counts skipped files by reason.
fn skipped(receipts: &[&Receipt], style: Style, out: &mut String) {
    let mut reasons: Vec<(Option<Skip>, usize)> = Vec::new();
    for receipt in receipts.iter().filter(|receipt| receipt.status == Status::Skipped) {
        match reasons.iter_mut().find(|(reason, _)| *reason == receipt.skip) {
            Some((_, number)) => *number += 1,
            None => reasons.push((receipt.skip, 1)),
        }
    }
    let (mark, word) = status(Status::Skipped, style);
    for (reason, number) in reasons {
        // Writing to a string can't fail.
        let _ = writeln!(out, "{mark} {}  {word}{}", text::count(number, "file"), why(reason));
    }
}

/// Lists failed files. A problem of several files is printed once below them, and advice once for all files that failed
/// in the same way, with the code if there are several ways.
fn failures(receipts: &[&Receipt], mode: Mode, full: bool, style: Style, out: &mut String) {
    let mut groups: Vec<Vec<&Receipt>> = Vec::new();
    for receipt in receipts {
        match groups.iter_mut().find(|group| receipt.error.is_some() && group[0].error == receipt.error) {
            Some(group) => group.push(receipt),
            None => groups.push(vec![receipt]),
        }
    }
    let mut helps: Vec<(Code, &str)> = Vec::new();
    let mut codes: Vec<Code> = Vec::new();
    for group in groups {
        if full && group.len() == 1 {
            line(group[0], mode, style, out);
            continue;
        }
        for receipt in &group {
            let (mark, word) = status(receipt.status, style);
            let _ = write!(out, "{mark} {}  {word}", receipt.file);
            out.push_str(if group.len() > 1 { "\n" } else { "" });
        }
        if let Some(error) = &group[0].error {
            let _ = write!(out, "  {} [{}]", error.message, error.code);
            let help = error.help.as_deref().map(|help| (error.code, help));
            helps.extend(help.filter(|(_, help)| helps.iter().all(|(_, known)| known != help)));
            codes.extend(Some(error.code).filter(|code| !codes.contains(code)));
        }
        out.push('\n');
    }
    for (code, help) in helps {
        let about = if codes.len() > 1 { format!(" [{code}]") } else { String::new() };
        let _ = writeln!(out, "  help{about}: {help}");
    }
}

fn why(reason: Option<Skip>) -> &'static str {
    match reason {
        Some(Skip::Journal) => "  already delivered by an earlier run (journal)",
        Some(Skip::Input) => "  not started: another file can't be sent",
        Some(Skip::Interrupted) => "  not started: interrupted",
        Some(Skip::FailFast) => "  not started: another file failed",
        Some(Skip::Token) => "  not started: the service rejected the token for another file",
        Some(Skip::Channel) => "  not started: the service rejected the channels for another file",
        Some(Skip::Workspace) => "  not started: the workspace rejected another file",
        Some(Skip::Unreachable) => "  not started: other files did not reach the service",
        Some(Skip::DryRun) => "  dry run",
        None => "",
    }
}

fn line(receipt: &Receipt, mode: Mode, style: Style, out: &mut String) {
    let (mark, word) = status(receipt.status, style);
    let _ = write!(out, "{mark} {}  {word}", receipt.file);
    if matches!(receipt.status, Status::Delivered | Status::Accepted | Status::Rehearsed) {
        if receipt.bytes > 0 || receipt.attempts > 0 {
            let (bytes, channels, ms) =
                (text::size(receipt.bytes), receipt.channels.join(", "), receipt.elapsed.as_millis());
            let _ = write!(out, "  {bytes} to {channels} in {ms} ms");
        }
        if receipt.attempts > 1 {
            let _ = write!(out, ", {}", text::count(receipt.attempts as usize, "try"));
        }
        if let Some(file_id) = &receipt.file_id {
            let _ = write!(out, ", file {file_id}");
        }
        if let Some(ts) = &receipt.ts {
            let _ = write!(out, ", message {ts}");
        }
    }
    match receipt.skip {
        Some(Skip::DryRun) if mode == Mode::DryRun => {
            let _ = write!(out, "  dry run, would go to {}", receipt.channels.join(", "));
        }
        reason => out.push_str(why(reason)),
    }
    out.push('\n');
    if let Some(permalink) = &receipt.permalink {
        let _ = writeln!(out, "  {permalink}");
    }
    if let Some(sha256) = &receipt.sha256 {
        let _ = writeln!(out, "  sha256 {sha256}");
    }
    if let Some(error) = &receipt.error {
        let _ = writeln!(out, "  {} [{}]", error.message, error.code);
        if let Some(help) = &error.help {
            let _ = writeln!(out, "  help: {help}");
        }
    }
}

/// Counts files by status, in the same order in every run.
pub fn totals(receipts: &[Receipt], id: &ProfileId) -> String {
    let counts: Vec<String> = Status::ALL
        .iter()
        .map(|status| (count(receipts, *status), status.as_str()))
        .filter(|(number, _)| *number > 0)
        .map(|(number, status)| format!("{number} {status}"))
        .collect();
    let bytes = text::size(receipts.iter().map(|receipt| receipt.bytes).sum());
    format!("{}, {bytes} with {id}: {}", text::count(receipts.len(), "file"), counts.join(", "))
}

/// The facts that every document of a run contains.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// Whether files are really sent.
    pub mode: Mode,
    /// The profile.
    pub profile: Option<&'a ProfileId>,
    /// The destination.
    pub destination: Option<&'a str>,
}

impl Head<'_> {
    fn document(
        self,
        receipts: &[Receipt],
        summary: Option<&[Receipt]>,
        findings: &[Object],
        problems: &[Object],
    ) -> String {
        let document = Object::new("schema", "credlint/upload/v1")
            .with("mode", self.mode.as_str())
            .with("profile", self.profile.map(with_id))
            .with("destination", self.destination)
            .with_list("uploads", receipts.iter().map(upload))
            .with_some("summary", summary.map(counts))
            .with("findings", findings)
            .with("problems", problems);
        json_v1::to_string(&document)
    }

    /// Returns the results of an upload as a JSON document.
    pub fn receipts(self, receipts: &[Receipt], findings: &[Finding], sources: &Sources) -> String {
        self.document(receipts, Some(receipts), &json_v1::findings(findings, sources, |_| false), &[])
    }

    /// Returns the result of one file as a line.
    pub fn line(self, receipt: &Receipt) -> String {
        self.document(std::slice::from_ref(receipt), None, &[], &[])
    }

    /// Returns the last line.
    pub fn last_line(self, receipts: &[Receipt], findings: &[Finding], sources: &Sources) -> String {
        self.document(&[], Some(receipts), &json_v1::findings(findings, sources, |_| false), &[])
    }

    /// Returns the document for a run that could not send anything.
    pub fn error(self, error: &ConfigError) -> String {
        self.document(&[], None, &[], &json_v1::problems(&error.problems, &error.sources))
    }
}

fn upload(receipt: &Receipt) -> Object {
    let error = receipt.error.as_ref().map(|Problem { code, message, help, .. }| {
        Object::new("code", code.as_str()).with("message", message).with("help", help)
    });
    Object::new("file", &receipt.file)
        .with("status", receipt.status.as_str())
        .with("bytes", receipt.bytes)
        .with("sha256", &receipt.sha256)
        .with("channels", &receipt.channels)
        .with("file_id", &receipt.file_id)
        .with("permalink", &receipt.permalink)
        .with("ts", &receipt.ts)
        .with("attempts", receipt.attempts)
        .with("elapsed_ms", u64::try_from(receipt.elapsed.as_millis()).unwrap_or(u64::MAX))
        .with("reason", receipt.skip.map(Skip::as_str))
        .with("error", error)
}

/// Counts files by status.
fn counts(receipts: &[Receipt]) -> Object {
    let bytes: u64 = receipts.iter().map(|receipt| receipt.bytes).sum();
    let sum = Object::new("files", receipts.len()).with("bytes", bytes);
    Status::ALL.iter().fold(sum, |sum, status| sum.with(status.as_str(), count(receipts, *status)))
}

fn count(receipts: &[Receipt], status: Status) -> usize {
    receipts.iter().filter(|receipt| receipt.status == status).count()
}
