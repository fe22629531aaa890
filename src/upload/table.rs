//! The table that decides what follows from how a request ended.
//!
//! `docs/uploading/retries.md` shows the same table; a test compares them.

use super::wire::answer::Ending;

/// The requests of an upload.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// The only request of `files.upload`. If it succeeds, the file is posted.
    Post,
    /// `files.getUploadURLExternal`: requests an upload URL. Nobody can see the file.
    Ticket,
    /// Sends the bytes to the upload URL. Nobody can see them before the completion.
    Bytes,
    /// `files.completeUploadExternal`: posts the file.
    Completion,
    /// A query, which changes nothing.
    Query,
}

impl Step {
    /// All steps.
    pub(super) const ALL: [Self; 5] = [Self::Post, Self::Ticket, Self::Bytes, Self::Completion, Self::Query];

    /// Returns `true` if the file is posted when the step succeeds.
    pub(super) const fn posts(self) -> bool {
        matches!(self, Self::Post | Self::Completion)
    }
}

/// What to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// The step is done.
    Go,
    /// The service received everything, but did not confirm it.
    Accept,
    /// Try again; fail if there is no time or attempt left.
    Retry,
    /// Failed: nothing was posted.
    Fail,
    /// Ask the service about the file; uncertain if it can't say.
    LookUp,
    /// The file may have been posted.
    Doubt,
}

/// Returns the next action. A step that posts is repeated only if it certainly was not executed; other steps are always
/// repeated.
pub(super) const fn next(step: Step, ending: Ending) -> Next {
    use Step::{Bytes, Completion, Post, Query, Ticket};
    match (ending, step) {
        (Ending::Done, _) => Next::Go,
        (Ending::Throttled | Ending::Busy | Ending::Unconnected | Ending::Cut, _) => Next::Retry,
        // A gateway that answers instead of the service doesn't know whether the request was executed.
        (Ending::Refused | Ending::Page, Completion) => Next::LookUp,
        // A question does no harm, and without its answer a person must look.
        (Ending::Refused | Ending::Page, Query) => Next::Retry,
        (Ending::Page, Post) => Next::Doubt,
        (Ending::Page, Ticket | Bytes) => Next::Fail,
        (Ending::Denied | Ending::Refused | Ending::Untrusted | Ending::Early | Ending::Local | Ending::Stopped, _) => {
            Next::Fail
        }
        (Ending::Faltered | Ending::Lost, Post) => Next::Doubt,
        (Ending::Faltered | Ending::Lost, Completion) => Next::LookUp,
        (Ending::Faltered | Ending::Lost, Ticket | Bytes | Query) => Next::Retry,
        (Ending::Silent, Post) => Next::Accept,
        // The body of that answer is text; the status is the verdict. Source:
        // https://docs.slack.dev/messaging/working-with-files
        (Ending::Silent, Bytes) => Next::Go,
        (Ending::Silent, Completion) => Next::LookUp,
        (Ending::Silent, Ticket | Query) => Next::Fail,
        (Ending::StoppedLate, Post | Completion) => Next::Doubt,
        (Ending::StoppedLate, Ticket | Bytes | Query) => Next::Fail,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares each cell with the table in the documentation.
    /// Every ending.
    const ENDINGS: [Ending; 16] = [
        Ending::Done,
        Ending::Throttled,
        Ending::Busy,
        Ending::Faltered,
        Ending::Denied,
        Ending::Refused,
        Ending::Page,
        Ending::Unconnected,
        Ending::Untrusted,
        Ending::Cut,
        Ending::Early,
        Ending::Lost,
        Ending::Silent,
        Ending::Local,
        Ending::Stopped,
        Ending::StoppedLate,
    ];

    #[test]
    fn documentation_shows_this_table() {
        let page = include_str!("../../docs/uploading/retries.md");
        let rows: Vec<Vec<&str>> = page
            .lines()
            .skip_while(|line| !line.starts_with("| how it ended | `files.upload` |"))
            .skip(2)
            .take_while(|line| line.starts_with('|'))
            .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
            .collect();
        assert_eq!(rows.len(), ENDINGS.len());
        for (row, ending) in rows.iter().zip(ENDINGS) {
            let cells = Step::ALL.map(|step| match next(step, ending) {
                Next::Go => "done",
                Next::Accept => "accepted",
                Next::Retry => "again",
                Next::Fail => "failed",
                Next::LookUp => "look up",
                Next::Doubt => "uncertain",
            });
            assert_eq!(row[1..], cells, "{ending:?}: {}", row[0]);
        }
    }

    #[test]
    fn repeats_posting_steps_only_if_not_executed() {
        for ending in ENDINGS {
            for step in [Step::Post, Step::Completion] {
                let known = matches!(ending, Ending::Throttled | Ending::Busy | Ending::Unconnected | Ending::Cut);
                assert_eq!(next(step, ending) == Next::Retry, known, "{step:?} {ending:?}");
            }
        }
    }

    #[test]
    fn only_two_steps_post() {
        assert_eq!(Step::ALL.map(Step::posts), [true, false, false, true, false]);
    }
}
