//! The clock of the waits between two tries: how much is left of them, and where everybody waits.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::random::random;
use super::settings::Settings;
use super::table::Step;

/// How many tries and how much waiting a file has left.
#[derive(Clone, Debug)]
pub(super) struct RetryBudget {
    tries: u32,
    wait: Duration,
    /// The wait before the next try, if the service does not ask for another.
    pause: Duration,
}

/// The longest wait that nobody asked for.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

impl RetryBudget {
    pub(super) fn new(settings: &Settings) -> Self {
        Self { tries: settings.retries, wait: settings.max_wait, pause: settings.backoff }
    }

    /// No other try, whatever is left.
    pub(super) fn end(&mut self) {
        self.tries = 0;
    }

    /// The wait before another try, or `None` if there is to be none.
    pub(super) fn pause(&mut self, asked: Option<Duration>) -> Option<Duration> {
        self.tries = self.tries.checked_sub(1)?;
        let pause = match asked {
            // Never earlier, and not everybody in the same moment.
            Some(asked) => asked + jitter(asked.min(Duration::from_secs(10)) / 10),
            None => self.pause / 2 + jitter(self.pause / 2),
        };
        self.pause = (self.pause * 2).min(LONGEST_PAUSE.max(self.pause));
        // What the service asked for is what it is measured by: the jitter is ours.
        if asked.unwrap_or(pause) > self.wait {
            return None;
        }
        self.wait = self.wait.saturating_sub(pause);
        Some(pause)
    }

    /// The same where another file has spent the try.
    pub(super) fn join(&mut self, asked: Option<Duration>) -> Option<Duration> {
        let tries = self.tries;
        let pause = self.pause(asked);
        self.tries = tries;
        pause
    }

    /// Waits for others' sake, if there is time for it.
    pub(super) fn spend(&mut self, pause: Duration) -> bool {
        let enough = pause <= self.wait;
        if enough {
            self.wait -= pause;
        }
        enough
    }
}

/// Anything from nothing to that.
fn jitter(most: Duration) -> Duration {
    most.mul_f64(f64::from((random() >> 32) as u32) / f64::from(u32::MAX))
}

/// Where a 429 stops every upload that needs the same operation.
#[derive(Debug, Default)]
pub(super) struct Gates([Mutex<Option<Instant>>; Step::ALL.len()]);

impl Gates {
    fn gate(&self, step: Step) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.0[step as usize].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops everybody for so long.
    pub(super) fn close(&self, step: Step, pause: Duration) {
        let until = Instant::now() + pause;
        let mut gate = self.gate(step);
        *gate = Some(gate.map_or(until, |before| before.max(until)));
    }

    /// How long it stays closed.
    pub(super) fn closed(&self, step: Step) -> Option<Duration> {
        let left = self.gate(step).as_ref()?.saturating_duration_since(Instant::now());
        (!left.is_zero()).then_some(left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(retries: u32, max_wait: u64) -> RetryBudget {
        RetryBudget { tries: retries, wait: Duration::from_secs(max_wait), pause: Duration::from_secs(1) }
    }

    #[test]
    fn pauses_double_within_bounds() {
        let mut budget = budget(8, 10_000);
        for base in [1, 2, 4, 8, 16, 30, 30, 30] {
            let pause = budget.pause(None).unwrap();
            let base = Duration::from_secs(base);
            assert!(base / 2 <= pause && pause <= base, "{pause:?} of {base:?}");
        }
        assert_eq!(budget.pause(None), None, "no try is left");
    }

    #[test]
    fn what_is_asked_for_is_kept_or_given_up_at_once() {
        let ask = |seconds| Some(Duration::from_secs(seconds));
        let mut budget = budget(8, 60);
        assert_eq!(budget.clone().pause(ask(61)), None);
        for _ in 0..20 {
            let pause = budget.clone().pause(ask(60)).unwrap();
            assert!((60..=61).contains(&pause.as_secs()), "{pause:?}");
        }
        budget.pause(ask(40)).unwrap();
        assert_eq!(budget.clone().pause(ask(21)), None, "what was waited counts");
        assert!(budget.pause(ask(5)).is_some());
        assert!(!budget.spend(Duration::from_secs(20)) && budget.spend(Duration::from_secs(3)));
    }

    #[test]
    fn a_gate_is_one_operations_and_opens_by_itself() {
        let gates = Gates::default();
        gates.close(Step::Ticket, Duration::from_secs(100));
        gates.close(Step::Ticket, Duration::from_secs(1));
        assert!(gates.closed(Step::Ticket).unwrap() > Duration::from_secs(90));
        assert_eq!(gates.closed(Step::Completion), None);
        gates.close(Step::Bytes, Duration::ZERO);
        assert_eq!(gates.closed(Step::Bytes), None);
    }
}
