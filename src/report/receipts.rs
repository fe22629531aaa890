//! Upload results for people: a line for each file or a summary of the successful ones, advice for failures, and
//! totals.

use std::fmt::Write;

use super::human::Style;
use crate::code::Code;
use crate::schema::ProfileId;
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
        let _ = writeln!(out, "{}", sum(receipts, id));
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

/// Lists failed files. What is wrong with several is said once below them, and advice once for all files that failed in
/// the same way, which its code names if there are several.
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
pub fn sum(receipts: &[Receipt], id: &ProfileId) -> String {
    let mut counts: Vec<(Status, usize)> = Vec::new();
    for receipt in receipts {
        match counts.iter_mut().find(|(status, _)| *status == receipt.status) {
            Some((_, number)) => *number += 1,
            None => counts.push((receipt.status, 1)),
        }
    }
    counts.sort_by_key(|&(status, _)| status as u8);
    let counts: Vec<String> =
        counts.into_iter().map(|(status, number)| format!("{number} {}", status.as_str())).collect();
    let bytes = text::size(receipts.iter().map(|receipt| receipt.bytes).sum());
    format!("{}, {bytes} with {id}: {}", text::count(receipts.len(), "file"), counts.join(", "))
}
