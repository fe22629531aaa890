//! The course of a run of many files: whether the next one is begun. None is after a verdict that every other would get as
//! well; and after some that did not reach the service, one at a time finds out whether it is back.

use std::cell::Cell;

use tokio::sync::{Mutex, MutexGuard};

use super::receipt::{Receipt, RunEffect, Skip, Status};

/// So many files in a row that did not reach the service, and the next one goes alone.
const UNREACHED: usize = 3;

/// The course of a run.
#[derive(Default)]
pub(super) struct RunControl {
    stopped: Cell<Option<Skip>>,
    /// Files in a row that did not reach the service.
    unreached: Cell<usize>,
    /// Held by the file that goes alone.
    alone: Mutex<()>,
}

/// Held by a file while it is sent, if it goes alone.
pub(super) type SoloGuard<'a> = Option<MutexGuard<'a, ()>>;

impl RunControl {
    /// Waits for the turn of a file. Whether it is to be sent at all is to be asked after that.
    pub(super) async fn turn(&self) -> SoloGuard<'_> {
        if !self.is_unreached() {
            return None;
        }
        let alone = self.alone.lock().await;
        // The one before may have reached it.
        self.is_unreached().then_some(alone)
    }

    fn is_unreached(&self) -> bool {
        self.stopped.get().is_none() && self.unreached.get() >= UNREACHED
    }

    /// Why no other file is begun, if none is.
    pub(super) fn stopped(&self) -> Option<Skip> {
        self.stopped.get()
    }

    /// Begins no other file. The first reason counts.
    pub(super) fn stop(&self, why: Skip) {
        self.stopped.set(self.stopped.get().or(Some(why)));
    }

    /// Takes in what became of a file; `placed` if it waits for the others of its message.
    pub(super) fn ended(&self, receipt: &Receipt, placed: bool, alone: &SoloGuard<'_>) {
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use futures_util::FutureExt;

    use super::*;

    fn receipt(run_effect: RunEffect) -> Receipt {
        Receipt { run_effect, ..Receipt::refused(Path::new("f"), Vec::new()) }
    }

    fn unreached(run_control: &RunControl) {
        for run_effect in [RunEffect::Unreached, RunEffect::Unreached, RunEffect::Unknown, RunEffect::Unreached] {
            assert!(run_control.turn().now_or_never().unwrap().is_none());
            run_control.ended(&receipt(run_effect), false, &None);
        }
    }

    #[test]
    fn after_three_that_did_not_reach_the_service_one_goes_alone() {
        let run_control = RunControl::default();
        unreached(&run_control);
        let alone = run_control.turn().now_or_never().expect("its turn at once");
        assert!(alone.is_some() && run_control.turn().now_or_never().is_none(), "the others wait");
        // Its own file was at fault: nothing is known by it.
        run_control.ended(&receipt(RunEffect::Unknown), false, &alone);
        drop(alone);
        let alone = run_control.turn().now_or_never().expect("the next one");
        run_control.ended(&receipt(RunEffect::Reached), false, &alone);
        drop(alone);
        assert!(run_control.turn().now_or_never().expect("all of them").is_none() && run_control.stopped().is_none());
        unreached(&run_control);
        let alone = run_control.turn().now_or_never().unwrap();
        run_control.ended(&receipt(RunEffect::Unreached), false, &alone);
        drop(alone);
        assert!(run_control.turn().now_or_never().expect("to be told").is_none());
        assert_eq!(run_control.stopped(), Some(Skip::Unreachable));
    }

    #[test]
    fn files_that_reach_it_in_between_break_the_row() {
        let run_control = RunControl::default();
        for _ in 0..3 {
            run_control.ended(&receipt(RunEffect::Unreached), false, &None);
            run_control.ended(&receipt(RunEffect::Unreached), false, &None);
            run_control.ended(&receipt(RunEffect::Unreached), true, &None);
        }
        assert!(run_control.turn().now_or_never().unwrap().is_none());
    }
}
