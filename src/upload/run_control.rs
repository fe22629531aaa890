//! Decides whether a run of many files continues. It stops after an error that every file would get. After several
//! files that did not reach the service, one at a time checks whether it is back.

use std::cell::Cell;

use tokio::sync::{Mutex, MutexGuard};

use super::receipt::{Receipt, RunEffect, Skip, Status};

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
    pub(super) async fn turn(&self) -> SoloGuard<'_> {
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
    fn after_three_unreached_files_one_goes_alone() {
        let run_control = RunControl::default();
        unreached(&run_control);
        let alone = run_control.turn().now_or_never().expect("its turn at once");
        assert!(alone.is_some() && run_control.turn().now_or_never().is_none(), "the others wait");
        // The error was specific to its file, so it says nothing about the others.
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
    fn a_file_that_reaches_the_service_resets_the_count() {
        let run_control = RunControl::default();
        for _ in 0..3 {
            run_control.ended(&receipt(RunEffect::Unreached), false, &None);
            run_control.ended(&receipt(RunEffect::Unreached), false, &None);
            run_control.ended(&receipt(RunEffect::Unreached), true, &None);
        }
        assert!(run_control.turn().now_or_never().unwrap().is_none());
    }
}
