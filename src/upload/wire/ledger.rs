//! The one account of how far a request is, kept by the body that is being sent and read by the client that waits.
//!
//! Whether the form was completed decides between *failed* and *uncertain*, so it is decided in one place and once:
//! either the body closes the form, or the client calls it off, and whoever comes second is told.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::Instant;

use tokio::sync::{Notify, watch};

use crate::upload::error::UploadError;
use crate::upload::progress::Progress;

/// Progress is told about every so many bytes: nobody sees more, and telling it is not for nothing.
const REPORTED: u64 = 256 * 1024;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The form is not complete.
    Sending,
    /// Calls off the rest, but lets the connection live until the answer is read.
    Halted,
    /// The rest is called off.
    Aborted,
    /// The last byte was handed over.
    Finished,
}

#[derive(Clone)]
pub struct Ledger {
    account: Arc<Mutex<Account>>,
    /// Told when there is another deadline to wait for.
    notify: Arc<Notify>,
}

pub struct Account {
    pub phase: Phase,
    /// When a byte was last handed over or written; none before the first.
    pub moved: Option<Instant>,
    /// The body has room to send and waits for its source.
    pub starved: bool,
    /// Why the body broke off.
    pub failure: Option<UploadError>,
    pub progress: Progress,
    /// Of everything that is sent, in hexadecimal digits; there before its last byte goes.
    pub sha256: Option<String>,
    report: Option<watch::Sender<Progress>>,
    waker: Option<Waker>,
    notify: Arc<Notify>,
}

impl Ledger {
    pub fn new(total: Option<u64>, report: Option<watch::Sender<Progress>>) -> Self {
        let progress = Progress { taken: 0, total, waiting: None };
        let notify = Arc::new(Notify::new());
        let account = Account {
            phase: Phase::Sending,
            moved: None,
            starved: false,
            failure: None,
            progress,
            sha256: None,
            report,
            waker: None,
            notify: Arc::clone(&notify),
        };
        Self { account: Arc::new(Mutex::new(account)), notify }
    }

    pub fn account(&self) -> MutexGuard<'_, Account> {
        self.account.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is another deadline to wait for.
    pub async fn changed(&self) {
        self.notify.notified().await;
    }

    /// Calls off the rest of the form. True, unless it was completed before.
    pub fn call_off(&self, phase: Phase) -> bool {
        let mut account = self.account();
        match account.phase {
            Phase::Finished => return false,
            Phase::Aborted => return true,
            Phase::Sending | Phase::Halted => account.phase = phase,
        }
        let waker = account.waker.take();
        // Whoever wakes up may want to look at the account.
        drop(account);
        if let Some(waker) = waker {
            waker.wake();
        }
        true
    }
}

impl Account {
    /// Bytes of the file were handed over.
    pub fn handed_over(&mut self, bytes: usize) {
        let first = self.moved.replace(Instant::now()).is_none();
        if std::mem::take(&mut self.starved) || first {
            self.notify.notify_one();
        }
        let before = self.progress.taken / REPORTED;
        self.progress.taken += bytes as u64;
        if let Some(report) = &self.report
            && (first || bytes == 0 || self.progress.taken / REPORTED != before)
        {
            report.send_replace(self.progress);
        }
    }

    /// Bytes that were handed over are written.
    pub fn written(&mut self) {
        self.moved = Some(Instant::now());
    }

    /// The last byte of the form was handed over.
    pub fn finish(&mut self) {
        self.handed_over(0);
        self.phase = Phase::Finished;
        self.notify.notify_one();
    }

    /// The body has to be asked again when the client has decided something.
    pub fn wait(&mut self, waker: &Waker) {
        self.waker = Some(waker.clone());
    }
}
