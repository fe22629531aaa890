//! What follows from how a request ended: the one table.
//!
//! `docs/uploading.md` shows the same table; a test compares the two.

use super::wire::ending::Ending;

/// The requests that an upload is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// The one request of `files.upload`: when it ends well, the file is posted.
    Post,
    /// `files.getUploadURLExternal`: a ticket. Nobody sees anything of it.
    Ticket,
    /// The bytes, sent to the address of the ticket. Nobody sees anything of them before the completion.
    Bytes,
    /// `files.completeUploadExternal`: posts the file, once.
    Completion,
    /// A question, which changes nothing.
    Query,
}

impl Step {
    /// Every step.
    pub(super) const ALL: [Self; 5] = [Self::Post, Self::Ticket, Self::Bytes, Self::Completion, Self::Query];

    /// Whether the file is posted when it ends well.
    pub(super) const fn posts(self) -> bool {
        matches!(self, Self::Post | Self::Completion)
    }
}

/// What to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// The step is done.
    Go,
    /// It was taken, though nobody said that it is done.
    Accept,
    /// Try again; failed when there is no time or try left.
    Retry,
    /// Failed: nothing was posted.
    Fail,
    /// Ask the service for the state of the file; uncertain if it can't say.
    LookUp,
    /// Perhaps posted.
    Doubt,
}

/// The table. A step that posts is repeated only if it is known not to have run; any other is repeated freely.
pub(super) const fn next(step: Step, ending: Ending) -> Next {
    use Step::{Bytes, Completion, Post, Query, Ticket};
    match (ending, step) {
        (Ending::Done, _) => Next::Go,
        (Ending::Throttled | Ending::Busy | Ending::Unconnected | Ending::Cut, _) => Next::Retry,
        // Whoever answers so in the place of the service does not know whether it was run.
        (Ending::Refused, Completion) => Next::LookUp,
        (Ending::Denied | Ending::Refused | Ending::Untrusted | Ending::Early | Ending::Local | Ending::Stopped, _) => {
            Next::Fail
        }
        (Ending::Faltered | Ending::Lost, Post) => Next::Doubt,
        (Ending::Faltered | Ending::Lost, Completion) => Next::LookUp,
        (Ending::Faltered | Ending::Lost, Ticket | Bytes | Query) => Next::Retry,
        (Ending::Silent, Post) => Next::Accept,
        // The body of that answer is words for people; its status is the verdict.
        // Source: https://docs.slack.dev/messaging/working-with-files
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

    /// The table of the documentation, cell by cell.
    #[test]
    fn the_documentation_shows_this_table() {
        let page = include_str!("../../docs/uploading.md");
        let rows: Vec<Vec<&str>> = page
            .lines()
            .skip_while(|line| !line.starts_with("| how it ended | `files.upload` |"))
            .skip(2)
            .take_while(|line| line.starts_with('|'))
            .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
            .collect();
        assert_eq!(rows.len(), Ending::ALL.len());
        for (row, ending) in rows.iter().zip(Ending::ALL) {
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
    fn what_posts_is_repeated_only_if_it_did_not_run() {
        for ending in Ending::ALL {
            for step in [Step::Post, Step::Completion] {
                let known = matches!(ending, Ending::Throttled | Ending::Busy | Ending::Unconnected | Ending::Cut);
                assert_eq!(next(step, ending) == Next::Retry, known, "{step:?} {ending:?}");
            }
        }
    }

    #[test]
    fn two_steps_post() {
        assert_eq!(Step::ALL.map(Step::posts), [true, false, false, true, false]);
    }
}
