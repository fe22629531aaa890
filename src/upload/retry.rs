//! The waits between attempts: how many remain, and where a rate limit stops all files.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::post::random;
use super::settings::Settings;
use super::table::Step;

/// The remaining attempts and waiting time of a file.
#[derive(Clone, Debug)]
pub(super) struct RetryBudget {
    pub(super) tries: u32,
    wait: Duration,
    /// The wait before the next attempt, unless the service asks for another.
    pause: Duration,
}

/// The maximum wait that the service did not ask for.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

impl RetryBudget {
    pub(super) fn new(settings: &Settings) -> Self {
        Self { tries: settings.retries, wait: settings.max_wait, pause: settings.backoff }
    }

    /// Returns the wait before another attempt. `None` if there is none left.
    pub(super) fn pause(&mut self, asked: Option<Duration>) -> Option<Duration> {
        self.tries = self.tries.checked_sub(1)?;
        let pause = match asked {
            // Never earlier than asked, and spread out, so that files don't all resume at once.
            Some(asked) => asked + jitter(asked.min(Duration::from_secs(10)) / 10),
            None => self.pause / 2 + jitter(self.pause / 2),
        };
        self.pause = (self.pause * 2).min(LONGEST_PAUSE.max(self.pause));
        // The budget covers the wait that the service asked for; the jitter is extra.
        if asked.unwrap_or(pause) > self.wait {
            return None;
        }
        self.wait = self.wait.saturating_sub(pause);
        Some(pause)
    }

    /// Returns the same wait where another file has used up the attempt.
    pub(super) fn next_pause_after_others(&mut self, asked: Option<Duration>) -> Option<Duration> {
        let tries = self.tries;
        let pause = self.pause(asked);
        self.tries = tries;
        pause
    }

    /// Waits because of other files, if the budget allows it.
    pub(super) fn spend(&mut self, pause: Duration) -> bool {
        let enough = pause <= self.wait;
        if enough {
            self.wait -= pause;
        }
        enough
    }
}

/// Returns a random duration up to `most`.
fn jitter(most: Duration) -> Duration {
    most.mul_f64(f64::from((random() >> 32) as u32) / f64::from(u32::MAX))
}

/// Gates that stop every upload that needs a rate-limited operation.
#[derive(Debug, Default)]
pub(super) struct Gates([Mutex<Option<Instant>>; Step::ALL.len()]);

impl Gates {
    fn gate(&self, step: Step) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.0[step as usize].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Closes the gate of an operation for a while.
    pub(super) fn close(&self, step: Step, pause: Duration) {
        let until = Instant::now() + pause;
        let mut gate = self.gate(step);
        *gate = Some(gate.map_or(until, |before| before.max(until)));
    }

    /// Returns how long the gate stays closed.
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
    fn keeps_requested_pause_or_fails() {
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
    fn gate_stops_one_operation_for_a_while() {
        let gates = Gates::default();
        gates.close(Step::Ticket, Duration::from_secs(100));
        gates.close(Step::Ticket, Duration::from_secs(1));
        assert!(gates.closed(Step::Ticket).unwrap() > Duration::from_secs(90));
        assert_eq!(gates.closed(Step::Completion), None);
        gates.close(Step::Bytes, Duration::ZERO);
        assert_eq!(gates.closed(Step::Bytes), None);
    }

    #[test]
    fn jitter_is_uniform_up_to_the_limit() {
        let most = Duration::from_secs(8);
        let drawn: Vec<Duration> = (0..200).map(|_| jitter(most)).collect();
        assert!(drawn.iter().all(|pause| *pause <= most));
        // Each half occurs, except with a probability of 2⁻²⁰⁰.
        assert!(drawn.iter().any(|pause| *pause > most / 2) && drawn.iter().any(|pause| *pause < most / 2));
        assert_eq!(jitter(Duration::ZERO), Duration::ZERO);
    }

    #[test]
    fn requested_pause_gets_limited_jitter() {
        for (asked, most) in [(1_000, 1_100), (5_000, 5_500), (10_000, 11_000), (100_000, 101_000)] {
            let (asked, most) = (Duration::from_millis(asked), Duration::from_millis(most));
            let drawn: Vec<Duration> = (0..100).map(|_| budget(1, 1_000).pause(Some(asked)).unwrap()).collect();
            assert!(drawn.iter().all(|pause| asked <= *pause && *pause <= most), "{asked:?}: {drawn:?}");
            assert!(drawn.iter().any(|pause| *pause > (asked + most) / 2), "{asked:?}: {drawn:?}");
        }
        assert_eq!(budget(1, 0).pause(Some(Duration::ZERO)), Some(Duration::ZERO));
    }

    #[test]
    fn long_first_pause_does_not_grow() {
        let mut budget = RetryBudget { pause: Duration::from_secs(60), ..budget(3, 10_000) };
        for _ in 0..3 {
            let pause = budget.pause(None).unwrap();
            assert!((30..=60).contains(&pause.as_secs()), "{pause:?}");
        }
    }

    #[test]
    fn waiting_with_others_uses_no_attempt() {
        let mut joined = budget(1, 60);
        let pause = joined.next_pause_after_others(Some(Duration::from_secs(50))).unwrap();
        assert!(pause >= Duration::from_secs(50));
        assert_eq!(joined.clone().pause(Some(Duration::from_secs(11))), None, "the wait is spent");
        assert!(joined.pause(Some(Duration::from_secs(5))).is_some(), "the try is not");
        assert_eq!(joined.next_pause_after_others(Some(Duration::ZERO)), None, "nobody joins without one");
        let mut ended = budget(9, 60);
        ended.tries = 0;
        assert_eq!(ended.pause(Some(Duration::ZERO)), None);
    }

    #[test]
    fn stops_after_last_attempt() {
        let mut budget = budget(1, 60);
        assert!(!budget.spend(Duration::from_secs(61)) && budget.spend(Duration::from_secs(20)));
        assert!(!budget.spend(Duration::from_secs(41)) && budget.spend(Duration::from_secs(40)));
        assert!(!budget.spend(Duration::from_nanos(1)) && budget.spend(Duration::ZERO));
    }

    #[test]
    fn budget_follows_settings() {
        let mut settings = Settings::default();
        (settings.retries, settings.max_wait, settings.backoff) = (7, Duration::from_secs(8), Duration::from_secs(9));
        let RetryBudget { tries, wait, pause } = RetryBudget::new(&settings);
        assert_eq!((tries, wait, pause), (7, Duration::from_secs(8), Duration::from_secs(9)));
    }
}
