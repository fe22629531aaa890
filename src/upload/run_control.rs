//! Decides whether a run of many files continues. It stops after an error that every file would get. After several
//! files that did not reach the service, one at a time checks whether it is back.

use std::cell::Cell;

use tokio::sync::{Mutex, MutexGuard};

use super::receipt::{Receipt, RunEffect, Skip, Status};
use super::table::Step;
use super::wire::answer::Ending;
use crate::code::Code;

/// After this many consecutive files that did not reach the service, the next one goes alone.
const UNREACHED: usize = 3;

/// The state of a run.
#[derive(Default)]
pub(super) struct RunControl {
    stopped: Cell<Option<Skip>>,
    /// Consecutive files that did not reach the service.
    unreached: Cell<usize>,
    /// Held by the file that goes alone.
    alone: Mutex<()>,
}

/// The lock of a file that goes alone.
pub(super) type SoloGuard<'a> = Option<MutexGuard<'a, ()>>;

impl RunControl {
    /// Waits for the turn of a file. Call [`Self::stopped`] afterwards.
    pub(super) async fn wait_for_turn(&self) -> SoloGuard<'_> {
        if !self.is_unreached() {
            return None;
        }
        let alone = self.alone.lock().await;
        // The file before may have reached the service.
        self.is_unreached().then_some(alone)
    }

    fn is_unreached(&self) -> bool {
        self.stopped.get().is_none() && self.unreached.get() >= UNREACHED
    }

    /// Returns why no other file is started. `None` if the run continues.
    pub(super) fn stopped(&self) -> Option<Skip> {
        self.stopped.get()
    }

    /// Stops the run. The first reason counts.
    pub(super) fn stop(&self, why: Skip) {
        self.stopped.set(self.stopped.get().or(Some(why)));
    }

    /// Records the result of a file. `placed` is true if it waits for the other files of its message.
    pub(super) fn record_result(&self, receipt: &Receipt, placed: bool, alone: &SoloGuard<'_>) {
        let delivered = placed || matches!(receipt.status, Status::Delivered | Status::Accepted);
        match if delivered { RunEffect::Reached } else { receipt.run_effect } {
            RunEffect::Unknown => {}
            RunEffect::Reached => self.unreached.set(0),
            RunEffect::Unreached => {
                self.unreached.set(self.unreached.get() + 1);
                if alone.is_some() {
                    self.stop(Skip::Unreachable);
                }
            }
            RunEffect::Stop(why) => self.stop(why),
        }
    }
}

/// Returns what a failure means for the files after it. `status` is the status of the answer, if there was one.
pub(super) fn run_effect(step: Step, ending: Ending, status: Option<u16>, code: Code) -> RunEffect {
    // The upload URL depends on neither token nor channel.
    let asked = step != Step::Bytes;
    match ending {
        Ending::Denied if asked => {
            let stops = Skip::ALL.iter().find(|skip| code.stops() == Some(skip.as_str()));
            stops.map_or(RunEffect::Reached, |why| RunEffect::Stop(*why))
        }
        Ending::Refused if asked && status == Some(401) => RunEffect::Stop(Skip::Token),
        // A page instead of an answer of the service: several in a row are not about their files.
        Ending::Page if asked => RunEffect::Unreached,
        Ending::Refused if asked && matches!(status, Some(200..=399 | 403 | 404)) => RunEffect::Unreached,
        Ending::Lost if matches!(status, Some(502..=504)) => RunEffect::Unreached,
        Ending::Unconnected | Ending::Untrusted => RunEffect::Unreached,
        // The request for an upload URL is small, so the file can't be the cause.
        Ending::Lost | Ending::Cut if step == Step::Ticket => RunEffect::Unreached,
        Ending::Lost | Ending::Cut | Ending::Local | Ending::Stopped | Ending::StoppedLate => RunEffect::Unknown,
        Ending::Done
        | Ending::Throttled
        | Ending::Busy
        | Ending::Faltered
        | Ending::Denied
        | Ending::Refused
        | Ending::Page
        | Ending::Early
        | Ending::Silent => RunEffect::Reached,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use std::path::Path;

    fn receipt(run_effect: RunEffect) -> Receipt {
        Receipt { run_effect, ..Receipt::refused(Path::new("f"), Vec::new()) }
    }

    fn unreached(run_control: &RunControl) {
        for run_effect in [RunEffect::Unreached, RunEffect::Unreached, RunEffect::Unknown, RunEffect::Unreached] {
            assert!(run_control.wait_for_turn().now_or_never().unwrap().is_none());
            run_control.record_result(&receipt(run_effect), false, &None);
        }
    }

    #[test]
    fn sends_one_file_alone_after_three_unreached() {
        let run_control = RunControl::default();
        unreached(&run_control);
        let alone = run_control.wait_for_turn().now_or_never().expect("its turn at once");
        assert!(alone.is_some() && run_control.wait_for_turn().now_or_never().is_none(), "the others wait");
        // The error was specific to its file, so it says nothing about the others.
        run_control.record_result(&receipt(RunEffect::Unknown), false, &alone);
        drop(alone);
        let alone = run_control.wait_for_turn().now_or_never().expect("the next one");
        run_control.record_result(&receipt(RunEffect::Reached), false, &alone);
        drop(alone);
        assert!(
            run_control.wait_for_turn().now_or_never().expect("all of them").is_none()
                && run_control.stopped().is_none()
        );
        unreached(&run_control);
        let alone = run_control.wait_for_turn().now_or_never().unwrap();
        run_control.record_result(&receipt(RunEffect::Unreached), false, &alone);
        drop(alone);
        assert!(run_control.wait_for_turn().now_or_never().expect("to be told").is_none());
        assert_eq!(run_control.stopped(), Some(Skip::Unreachable));
    }

    #[test]
    fn success_resets_count_of_unreached_files() {
        let run_control = RunControl::default();
        for _ in 0..3 {
            run_control.record_result(&receipt(RunEffect::Unreached), false, &None);
            run_control.record_result(&receipt(RunEffect::Unreached), false, &None);
            run_control.record_result(&receipt(RunEffect::Unreached), true, &None);
        }
        assert!(run_control.wait_for_turn().now_or_never().unwrap().is_none());
    }

    #[test]
    fn failures_have_documented_effect_on_run() {
        use Step::{Bytes, Completion, Post, Ticket};
        let token = RunEffect::Stop(Skip::Token);
        for (step, ending, status, code, expected) in [
            (Post, Ending::Denied, Some(200), Code::InvalidAuth, token),
            (Completion, Ending::Denied, Some(200), Code::ChannelNotFound, RunEffect::Stop(Skip::Channel)),
            (Ticket, Ending::Denied, Some(200), Code::UnknownMethod, RunEffect::Stop(Skip::Workspace)),
            (Post, Ending::Denied, Some(200), Code::FileTypeNotAllowed, RunEffect::Reached),
            (Post, Ending::Refused, Some(401), Code::HttpStatus, token),
            (Post, Ending::Denied, Some(200), Code::IsArchived, RunEffect::Stop(Skip::Channel)),
            (Post, Ending::Denied, Some(200), Code::StorageLimitReached, RunEffect::Stop(Skip::Workspace)),
            (Post, Ending::Refused, Some(413), Code::HttpStatus, RunEffect::Reached),
            (Post, Ending::Refused, Some(403), Code::HttpStatus, RunEffect::Unreached),
            (Ticket, Ending::Page, Some(200), Code::HtmlAnswer, RunEffect::Unreached),
            (Bytes, Ending::Page, Some(200), Code::HtmlAnswer, RunEffect::Reached),
            (Ticket, Ending::Refused, Some(302), Code::Redirected, RunEffect::Unreached),
            (Bytes, Ending::Refused, Some(404), Code::HttpStatus, RunEffect::Reached),
            (Post, Ending::Lost, Some(503), Code::HttpStatus, RunEffect::Unreached),
            // A file may have such an effect on the service.
            (Post, Ending::Lost, Some(500), Code::HttpStatus, RunEffect::Unknown),
            // The token is not sent there.
            (Bytes, Ending::Denied, Some(200), Code::InvalidAuth, RunEffect::Reached),
            (Bytes, Ending::Refused, Some(401), Code::HttpStatus, RunEffect::Reached),
            (Bytes, Ending::Unconnected, None, Code::ConnectionRefused, RunEffect::Unreached),
            (Post, Ending::Untrusted, None, Code::TlsFailed, RunEffect::Unreached),
            (Ticket, Ending::Lost, Some(503), Code::HttpStatus, RunEffect::Unreached),
            (Ticket, Ending::Cut, None, Code::ConnectionLost, RunEffect::Unreached),
            // The size may be the cause.
            (Post, Ending::Cut, None, Code::ConnectionLost, RunEffect::Unknown),
            (Post, Ending::Local, None, Code::FileChanged, RunEffect::Unknown),
        ] {
            assert_eq!(run_effect(step, ending, status, code), expected, "{step:?} {ending:?} {code}");
        }
    }
}
