//! The exit codes: the same in every format.

use std::process::ExitCode;

#[cfg(feature = "upload")]
use crate::upload::{Receipt, Skip, Status};

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(feature = "upload"), allow(dead_code, reason = "a check ends in fewer ways than an upload"))]
pub enum Exit {
    /// Checked, and nothing at or above the threshold; or every file delivered, accepted, rehearsed or skipped.
    Done,
    /// Findings at or above the threshold; an upload refused.
    Findings,
    /// Usage; a configuration that can't be read; an unknown profile; no channel at all.
    Usage,
    /// Not done, safe to run again.
    NotDone,
    /// A delivery is uncertain: do not run again blindly.
    Uncertain,
    /// Interrupted (SIGINT).
    Interrupted,
    /// Terminated (SIGTERM).
    Terminated,
    /// A command could not be started, as shells tell it.
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
            Self::Interrupted => 130,
            Self::Terminated => 143,
            Self::Other(code) => code,
        }
    }

    /// How an upload ended by what became of its files. None at all is not done.
    #[cfg(feature = "upload")]
    pub fn from_receipts(receipts: &[Receipt]) -> Self {
        let exits = receipts.iter().map(|receipt| match receipt.status {
            // Not done, and nothing that anybody wanted so.
            Status::Skipped
                if matches!(
                    receipt.skip,
                    Some(Skip::FailFast | Skip::Token | Skip::Channel | Skip::Workspace | Skip::Unreachable)
                ) =>
            {
                Self::NotDone
            }
            Status::Delivered | Status::Accepted | Status::Rehearsed | Status::Skipped => Self::Done,
            Status::Refused => Self::Findings,
            Status::Failed => Self::NotDone,
            Status::Uncertain => Self::Uncertain,
        });
        exits.reduce(Self::worst).unwrap_or(Self::NotDone)
    }

    /// The worse of two: 2, 4, 1, 3, 0. Whoever stopped the program knows that, so a signal beats them all.
    pub fn worst(self, other: Self) -> Self {
        let rank = |exit| match exit {
            Self::Terminated | Self::Other(_) => 6,
            Self::Interrupted => 5,
            Self::Usage => 4,
            Self::Uncertain => 3,
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
    use super::Exit::{Done, Findings, NotDone, Uncertain, Usage};

    #[test]
    fn the_worst_wins_in_the_documented_order() {
        let order = [Usage, Uncertain, Findings, NotDone, Done];
        for (index, worse) in order.iter().enumerate() {
            for better in &order[index..] {
                assert_eq!(worse.worst(*better), *worse);
                assert_eq!(better.worst(*worse), *worse);
            }
        }
    }
}
