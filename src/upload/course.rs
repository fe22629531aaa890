//! The course of a run of many files: whether the next one is begun. None is after a verdict that every other would get as
//! well; and after some that did not reach the service, one at a time finds out whether it is back.

use std::cell::Cell;

use tokio::sync::{Mutex, MutexGuard};

use super::receipt::{Outlook, Receipt, Skip, Status};

/// So many files in a row that did not reach the service, and the next one goes alone.
const UNREACHED: usize = 3;

/// The course of a run.
#[derive(Default)]
pub(super) struct Course {
    stopped: Cell<Option<Skip>>,
    /// Files in a row that did not reach the service.
    unreached: Cell<usize>,
    /// Held by the file that goes alone.
    alone: Mutex<()>,
}

/// Held by a file while it is sent, if it goes alone.
pub(super) type Alone<'a> = Option<MutexGuard<'a, ()>>;

impl Course {
    /// Waits for the turn of a file. Whether it is to be sent at all is to be asked after that.
    pub(super) async fn turn(&self) -> Alone<'_> {
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
    pub(super) fn ended(&self, receipt: &Receipt, placed: bool, alone: &Alone<'_>) {
        let delivered = placed || matches!(receipt.status, Status::Delivered | Status::Accepted);
        match if delivered { Outlook::Reached } else { receipt.outlook } {
            Outlook::Unknown => {}
            Outlook::Reached => self.unreached.set(0),
            Outlook::Unreached => {
                self.unreached.set(self.unreached.get() + 1);
                if alone.is_some() {
                    self.stop(Skip::Unreachable);
                }
            }
            Outlook::Stop(why) => self.stop(why),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use futures_util::FutureExt;

    use super::*;

    fn receipt(outlook: Outlook) -> Receipt {
        Receipt { outlook, ..Receipt::refused(Path::new("f"), Vec::new()) }
    }

    fn unreached(course: &Course) {
        for outlook in [Outlook::Unreached, Outlook::Unreached, Outlook::Unknown, Outlook::Unreached] {
            assert!(course.turn().now_or_never().unwrap().is_none());
            course.ended(&receipt(outlook), false, &None);
        }
    }

    #[test]
    fn after_three_that_did_not_reach_the_service_one_goes_alone() {
        let course = Course::default();
        unreached(&course);
        let alone = course.turn().now_or_never().expect("its turn at once");
        assert!(alone.is_some() && course.turn().now_or_never().is_none(), "the others wait");
        // Its own file was at fault: nothing is known by it.
        course.ended(&receipt(Outlook::Unknown), false, &alone);
        drop(alone);
        let alone = course.turn().now_or_never().expect("the next one");
        course.ended(&receipt(Outlook::Reached), false, &alone);
        drop(alone);
        assert!(course.turn().now_or_never().expect("all of them").is_none() && course.stopped().is_none());
        unreached(&course);
        let alone = course.turn().now_or_never().unwrap();
        course.ended(&receipt(Outlook::Unreached), false, &alone);
        drop(alone);
        assert!(course.turn().now_or_never().expect("to be told").is_none());
        assert_eq!(course.stopped(), Some(Skip::Unreachable));
    }

    #[test]
    fn files_that_reach_it_in_between_break_the_row() {
        let course = Course::default();
        for _ in 0..3 {
            course.ended(&receipt(Outlook::Unreached), false, &None);
            course.ended(&receipt(Outlook::Unreached), false, &None);
            course.ended(&receipt(Outlook::Unreached), true, &None);
        }
        assert!(course.turn().now_or_never().unwrap().is_none());
    }
}
