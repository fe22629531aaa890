//! Exit codes. They are the same for every format.

use std::process::ExitCode;

use crate::code::Code;
use crate::lint::Report;
use crate::source::Problem;

#[cfg(feature = "upload")]
use crate::run::Outcome;

/// The result of a command, as its exit code. Of two, the greater wins: 2, 4, 5, 1, 3, 0. A signal outranks them all: the
/// user caused it and knows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(not(feature = "upload"), allow(dead_code, reason = "a check uses fewer exit codes than an upload"))]
pub enum Exit {
    /// No findings at or above the threshold, or every file delivered, accepted, rehearsed or skipped.
    Done,
    /// Nothing was posted, or the journal knows what was: it is safe to run the command again.
    NotDone,
    /// Findings at or above the threshold, or an upload refused.
    Findings,
    /// Some files were posted and others not: run the command that is printed, which sends only the others.
    Partly,
    /// A delivery is uncertain: check before running the command again.
    Uncertain,
    /// Usage error, unreadable configuration, unknown profile, or no channel.
    Usage,
    /// Interrupted (SIGINT).
    Interrupted,
    /// Terminated (SIGTERM).
    Terminated,
    /// The terminal was closed (SIGHUP).
    HungUp,
    /// `exec` could not start the command; the code that shells use.
    Other(u8),
}

impl Exit {
    pub const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Findings => 1,
            Self::Usage => 2,
            Self::NotDone => 3,
            Self::Uncertain => 4,
            Self::Partly => 5,
            Self::HungUp => 129,
            Self::Interrupted => 130,
            Self::Terminated => 143,
            Self::Other(code) => code,
        }
    }

    /// Returns the exit code for a report.
    pub fn from_report(report: &Report, exit_zero: bool) -> Self {
        let nothing = |problem: &Problem| matches!(problem.code, Code::NothingToCheck | Code::NoConfiguration);
        match report.fails() && !exit_zero {
            _ if !report.problems.iter().all(nothing) => Self::Usage,
            true => Self::Findings,
            false if !report.problems.is_empty() || report.is_unanswered() => Self::NotDone,
            // Something was refused, so not everything was checked.
            false if report.search_stats.is_some_and(|stats| stats.refused > 0) => Self::NotDone,
            false => Self::Done,
        }
    }

    /// Returns the exit code for the results of an upload.
    #[cfg(feature = "upload")]
    pub const fn from_outcome(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Done => Self::Done,
            Outcome::NotDone => Self::NotDone,
            Outcome::Refused => Self::Findings,
            Outcome::Partly => Self::Partly,
            Outcome::Uncertain => Self::Uncertain,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::Exit::{Done, Findings, HungUp, Interrupted, NotDone, Partly, Terminated, Uncertain, Usage};

    #[test]
    fn worse_exit_code_wins_in_the_documented_order() {
        let order = [Done, NotDone, Findings, Partly, Uncertain, Usage];
        assert!(order.is_sorted() && Usage < Interrupted && Usage < Terminated && Usage < HungUp);
    }
}
