//! Records how much of a request was sent, and reports the progress. The body writes it, and the waiting client reads it.
//!
//! Whether the form was completed decides between *failed* and *uncertain*, so it is decided once and in one place:
//! either the body completes the form, or the client stops it, and the second one learns that it was too late.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::Waker;
use std::time::{Duration, Instant};

use tokio::sync::{Notify, watch};

use crate::code::Code;
use crate::shorthand::lock;
use crate::source::Problem;

/// The number of bytes between two reports of progress. More reports would cost time without showing more.
const REPORT_INTERVAL: u64 = 256 * 1024;

/// The number of bytes that a system takes before they are on the way: the largest send buffer of Linux, by default.
const HELD: u64 = 4 * 1024 * 1024;

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Phase {
    /// The form is not complete yet.
    #[default]
    Sending,
    /// The rest is not sent, but the connection stays open until the answer was read.
    Halted,
    /// The rest is not sent, and the connection is dropped.
    Aborted,
    /// The last byte was handed over.
    Finished,
}

#[derive(Clone)]
pub struct SentBytes {
    account: Arc<Mutex<Account>>,
    /// Notified when the deadline changes.
    notify: Arc<Notify>,
}

#[derive(Default)]
pub struct Account {
    pub phase: Phase,
    /// When a byte was last handed over or written; `None` before the first.
    pub last_activity: Option<Instant>,
    /// When the first byte was handed over.
    begun: Option<Instant>,
    /// Of the last bytes that a system may hold: how many had been handed over before, and the time that this took.
    marks: VecDeque<(u64, Duration)>,
    /// Since when the source has none, and for how long it had none before.
    starved_since: Option<Instant>,
    starved_for: Duration,
    /// Why the body ended early.
    pub failure: Option<Problem>,
    pub progress: Progress,
    /// The SHA-256 of the payload in hexadecimal, set before its last byte is sent.
    pub sha256: Option<String>,
    report: Option<watch::Sender<Progress>>,
    waker: Option<Waker>,
    notify: Arc<Notify>,
}

impl SentBytes {
    pub fn new(total: Option<u64>, report: Option<watch::Sender<Progress>>) -> Self {
        let progress = Progress { taken: 0, total, waiting: None };
        let notify = Arc::new(Notify::new());
        let account = Account { progress, report, notify: Arc::clone(&notify), ..Account::default() };
        Self { account: Arc::new(Mutex::new(account)), notify }
    }

    pub fn account(&self) -> MutexGuard<'_, Account> {
        lock(&self.account)
    }

    /// Waits until the deadline changes.
    pub async fn changed(&self) {
        self.notify.notified().await;
    }

    /// Ends the sending of the form. Returns `true`, unless the form was already complete.
    pub fn stop(&self, phase: Phase) -> bool {
        let mut account = self.account();
        match account.phase {
            Phase::Finished => return false,
            Phase::Aborted => return true,
            Phase::Sending | Phase::Halted => account.phase = phase,
        }
        let waker = account.waker.take();
        // Release the lock: the woken task may lock the account.
        drop(account);
        if let Some(waker) = waker {
            waker.wake();
        }
        true
    }
}

impl Account {
    /// Records that the source has no bytes at the moment.
    pub fn starve(&mut self) {
        self.starved_since.get_or_insert_with(Instant::now);
    }

    /// Returns `true` if the body could send, and waits for its source.
    pub const fn is_starved(&self) -> bool {
        self.starved_since.is_some()
    }

    /// Returns the time until `now` in which there were bytes to hand over.
    fn spent(&self, now: Instant) -> Duration {
        let whole = self.begun.map_or(Duration::ZERO, |begun| now.saturating_duration_since(begun));
        whole.saturating_sub(self.starved_for)
    }

    /// Returns when the whole request has left this machine if the network continues to take bytes as before: the system
    /// took the last ones at once.
    pub fn sent(&self) -> Option<Instant> {
        let last = self.last_activity?;
        let held = self.marks.front().map_or(Duration::ZERO, |&(_, at)| self.spent(last).saturating_sub(at));
        Some(last + held)
    }

    /// Records that bytes were handed over to the HTTP client.
    pub fn handed_over(&mut self, bytes: usize) {
        let now = Instant::now();
        let first = self.last_activity.replace(now).is_none();
        self.begun.get_or_insert(now);
        let starved_since = self.starved_since.take();
        self.starved_for += starved_since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
        if first || self.marks.back().is_some_and(|&(before, _)| self.progress.taken - before >= REPORT_INTERVAL) {
            self.marks.push_back((self.progress.taken, self.spent(now)));
        }
        // The first mark is the last one before the bytes that may be held.
        while self.marks.get(1).is_some_and(|&(before, _)| self.progress.taken - before >= HELD) {
            self.marks.pop_front();
        }
        if starved_since.is_some() || first {
            self.notify.notify_one();
        }
        let before = self.progress.taken / REPORT_INTERVAL;
        self.progress.taken += bytes as u64;
        if let Some(report) = &self.report
            && (first || bytes == 0 || self.progress.taken / REPORT_INTERVAL != before)
        {
            report.send_replace(self.progress);
        }
    }

    /// Records that the last byte of the form was handed over.
    pub fn finish(&mut self) {
        self.handed_over(0);
        self.phase = Phase::Finished;
        self.notify.notify_one();
    }

    /// Wakes the body when the client changes the phase.
    pub fn wake_on_change(&mut self, waker: &Waker) {
        self.waker = Some(waker.clone());
    }
}

/// The progress of an upload, in bytes of the file without the form. Bytes count when they are passed to the network,
/// not when they are acknowledged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Progress {
    /// The bytes sent so far.
    pub taken: u64,
    /// The size, if it is known: standard input has none.
    pub total: Option<u64>,
    /// Present while waiting to try again.
    pub waiting: Option<Waiting>,
}

/// A wait before a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Waiting {
    /// The failure, of this file or another one that uses the same operation.
    pub why: Code,
    /// The end of the wait.
    pub until: Instant,
    /// The next attempt.
    pub attempt: u32,
    /// The maximum number of attempts.
    pub attempts: u32,
}
