//! What became of files, for people: a line for each, what to do where something is to be done, and the sum.

use std::fmt::Write;

use crate::schema::ProfileId;
use crate::text;
use crate::upload::{Mode, Receipt, Skip, Status};

/// The lines of every file, and the sum if there are several.
#[must_use]
pub fn lines(receipts: &[Receipt], id: &ProfileId, mode: Mode) -> String {
    let mut out = String::new();
    for receipt in receipts {
        line(receipt, mode, &mut out);
    }
    if receipts.len() > 1 {
        let _ = writeln!(out, "{}", sum(receipts, id));
    }
    out
}

fn line(receipt: &Receipt, mode: Mode, out: &mut String) {
    let mark = match receipt.status {
        Status::Delivered | Status::Accepted | Status::Rehearsed => "✓",
        Status::Skipped => "·",
        Status::Uncertain => "?",
        Status::Failed | Status::Refused => "×",
    };
    // Writing to a string can't fail.
    let _ = write!(out, "{mark} {}  {}", receipt.file, receipt.status.as_str());
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
    }
    match receipt.skip {
        Some(Skip::DryRun) if mode == Mode::DryRun => {
            let _ = write!(out, "  dry run, would go to {}", receipt.channels.join(", "));
        }
        Some(Skip::Journal) => out.push_str("  already delivered by an earlier run (journal)"),
        Some(Skip::Interrupted) => out.push_str("  not started: interrupted"),
        Some(Skip::FailFast) => out.push_str("  not started: another file failed"),
        Some(Skip::Token) => out.push_str("  not started: the service rejected the token for another file"),
        Some(Skip::Channel) => out.push_str("  not started: the service rejected the channels for another file"),
        Some(Skip::Workspace) => out.push_str("  not started: the workspace rejected another file"),
        Some(Skip::Unreachable) => out.push_str("  not started: the service can't be reached"),
        _ => {}
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

/// How many files there were, and how many came to what.
#[must_use]
pub fn sum(receipts: &[Receipt], id: &ProfileId) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for receipt in receipts {
        match counts.iter_mut().find(|(word, _)| *word == receipt.status.as_str()) {
            Some((_, number)) => *number += 1,
            None => counts.push((receipt.status.as_str(), 1)),
        }
    }
    let counts: Vec<String> = counts.into_iter().map(|(word, number)| format!("{number} {word}")).collect();
    let bytes = text::size(receipts.iter().map(|receipt| receipt.bytes).sum());
    format!("{}, {bytes} with {id}: {}", text::count(receipts.len(), "file"), counts.join(", "))
}
