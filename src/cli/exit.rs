//! Exit codes. They are the same for every format.

use std::process::ExitCode;

use crate::code::Code;
use crate::lint::Report;
use crate::source::Problem;

#[cfg(feature = "upload")]
use crate::run::Outcome;

/// The result of a command, as its exit code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(feature = "upload"), allow(dead_code, reason = "a check uses fewer exit codes than an upload"))]
pub enum Exit {
    /// No findings at or above the threshold, or every file delivered, accepted, rehearsed or skipped.
    Done,
    /// Findings at or above the threshold, or an upload refused.
    Findings,
    /// Usage error, unreadable configuration, unknown profile, or no channel.
    Usage,
    /// Nothing was posted, or the journal knows what was: it is safe to run the command again.
    NotDone,
    /// A delivery is uncertain: check before running the command again.
    Uncertain,
    /// Some files were posted and others not: run the command that is printed, which sends only the others.
    Partly,
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

    /// Returns the worse of two codes, in the order 2, 4, 5, 1, 3, 0. A signal outranks them all: the user caused it and
    /// knows.
    pub fn worse_of(self, other: Self) -> Self {
        let rank = |exit| match exit {
            Self::Terminated | Self::HungUp | Self::Other(_) => 7,
            Self::Interrupted => 6,
            Self::Usage => 5,
            Self::Uncertain => 4,
            Self::Partly => 3,
            Self::Findings => 2,
            Self::NotDone => 1,
            Self::Done => 0,
        };
        if rank(other) > rank(self) { other } else { self }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::Exit::{Done, Findings, NotDone, Partly, Uncertain, Usage};

    #[test]
    fn worse_exit_code_wins_in_the_documented_order() {
        let order = [Usage, Uncertain, Partly, Findings, NotDone, Done];
        for (index, worse) in order.iter().enumerate() {
            for better in &order[index..] {
                assert_eq!(worse.worse_of(*better), *worse);
                assert_eq!(better.worse_of(*worse), *worse);
            }
        }
    }
}
