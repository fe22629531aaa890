//! The waits between attempts: how many remain, and where a rate limit stops all files.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::post::random;
use super::settings::Settings;
use super::table::Step;

use crate::shorthand::lock;

/// The remaining attempts and waiting time of a file.
#[derive(Clone, Debug)]
pub(super) struct RetryBudget {
    pub(super) tries: u32,
    /// The attempts at the beginning.
    retries: u32,
    wait: Duration,
    /// The wait before the next attempt, unless the service asks for another.
    pause: Duration,
}

/// The maximum wait that the service did not ask for.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

impl RetryBudget {
    pub(super) fn new(settings: &Settings) -> Self {
        let Settings { retries, max_wait, backoff, .. } = *settings;
        Self { tries: retries, retries, wait: max_wait, pause: backoff }
    }

    /// Returns the wait before another attempt. `None` if there is none left.
    pub(super) fn pause(&mut self, asked: Option<Duration>) -> Option<Duration> {
        self.tries = self.tries.checked_sub(1)?;
        let pause = match asked {
            Some(asked) => spread(asked),
            None => halved(self.pause),
        };
        self.pause = (self.pause * 2).min(LONGEST_PAUSE.max(self.pause));
        // The budget covers the wait that the service asked for; the jitter is extra.
        if asked.unwrap_or(pause) > self.wait {
            return None;
        }
        self.wait = self.wait.saturating_sub(pause);
        Some(pause)
    }

    /// Returns `true` if the upload may be retried at all.
    pub(super) const fn is_retried(&self) -> bool {
        self.retries > 0
    }

    /// Rules out any retry.
    pub(super) const fn end(&mut self) {
        (self.tries, self.retries) = (0, 0);
    }

    /// Waits because the service asks for it, if the budget allows that.
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

/// Returns a wait that the service asked for: never less, and spread out, because other machines may have been asked as
/// well.
pub(super) fn spread(asked: Duration) -> Duration {
    asked + jitter(extra(asked))
}

/// Returns the longest result of [`spread`].
pub(super) fn longest(asked: Duration) -> Duration {
    asked.saturating_add(extra(asked))
}

fn extra(asked: Duration) -> Duration {
    asked.min(Duration::from_secs(10)) / 10
}

/// Returns a wait of which up to half is taken off at random.
pub(super) fn halved(pause: Duration) -> Duration {
    pause / 2 + jitter(pause / 2)
}

/// Gates that stop every upload that needs a rate-limited operation. Once the service has throttled an operation, its gate
/// lets one request pass at a time, in the order of the files, and more as long as all of them are taken.
#[derive(Debug, Default)]
pub(super) struct Gates {
    state: Mutex<GatesState>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct GatesState {
    gates: [Gate; Step::ALL.len()],
    /// The number of places that were given out.
    places: u64,
    /// The number of requests that the service took.
    taken: u64,
}

#[derive(Debug)]
struct Gate {
    /// Closed until then.
    until: Option<Instant>,
    /// How often it was closed.
    closings: u64,
    /// The number of requests that may be under way.
    width: usize,
    under_way: usize,
    /// The number of requests that the service took since the width changed.
    taken: usize,
    /// The places of the uploads that wait.
    waiting: BTreeSet<u64>,
}

impl Default for Gate {
    fn default() -> Self {
        Self { until: None, closings: 0, width: usize::MAX, under_way: 0, taken: 0, waiting: BTreeSet::new() }
    }
}

impl Gates {
    fn state(&self) -> MutexGuard<'_, GatesState> {
        lock(&self.state)
    }

    /// Returns a place in all lines, behind those that were given out before.
    pub(super) fn place(&self) -> u64 {
        let mut state = self.state();
        state.places += 1;
        state.places
    }

    /// Returns the number of requests that the service took.
    pub(super) fn taken(&self) -> u64 {
        self.state().taken
    }

    /// Lines up at the gate of a step.
    pub(super) fn line_up(&self, step: Step, place: u64) -> TurnInLine<'_> {
        self.state().gates[step as usize].waiting.insert(place);
        TurnInLine { gates: self, step, place }
    }

    /// Closes the gate of a step for a while, because the service has throttled a request. `closings` is the number of
    /// its pass: a request that was under way when the gate was closed closes it for longer only if the service asks.
    pub(super) fn close(&self, step: Step, closings: u64, pause: Duration, asked: bool) {
        let mut state = self.state();
        let gate = &mut state.gates[step as usize];
        if gate.closings == closings || asked {
            let until = Instant::now() + pause;
            gate.until = Some(gate.until.map_or(until, |before| before.max(until)));
        }
        if gate.closings == closings {
            (gate.closings, gate.width, gate.taken) = (closings + 1, 1, 0);
        }
    }

    /// Returns `true` if a request with this number was under way when the gate was closed.
    pub(super) fn was_closed(&self, step: Step, closings: u64) -> bool {
        self.state().gates[step as usize].closings != closings
    }
}

/// An upload in line at a gate.
#[derive(Debug)]
pub(super) struct TurnInLine<'a> {
    gates: &'a Gates,
    step: Step,
    place: u64,
}

/// Why an upload can't pass yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Blocked {
    /// The gate is closed until then.
    Until(Instant),
    /// Others go first.
    Turn,
}

impl<'a> TurnInLine<'a> {
    /// Passes the gate.
    pub(super) fn pass(&self) -> Result<Pass<'a>, Blocked> {
        let mut state = self.gates.state();
        let gate = &mut state.gates[self.step as usize];
        match gate.until {
            Some(until) if until > Instant::now() => Err(Blocked::Until(until)),
            _ if gate.under_way < gate.width && gate.waiting.first() == Some(&self.place) => {
                gate.waiting.remove(&self.place);
                gate.under_way += 1;
                Ok(Pass { gates: self.gates, step: self.step, closings: gate.closings })
            }
            _ => Err(Blocked::Turn),
        }
    }

    /// Waits until [`Self::pass`] may have another result. Must be created before that is called.
    pub(super) fn changed(&self) -> tokio::sync::futures::Notified<'a> {
        self.gates.changed.notified()
    }
}

impl Drop for TurnInLine<'_> {
    fn drop(&mut self) {
        if self.gates.state().gates[self.step as usize].waiting.remove(&self.place) {
            self.gates.changed.notify_waiters();
        }
    }
}

/// A request that has passed a gate, until it ends.
#[derive(Debug)]
pub(super) struct Pass<'a> {
    gates: &'a Gates,
    step: Step,
    /// How often the gate had been closed before.
    pub(super) closings: u64,
}

impl Pass<'_> {
    /// Records that the service took the request.
    pub(super) fn was_taken(&self) {
        let mut state = self.gates.state();
        state.taken += 1;
        let gate = &mut state.gates[self.step as usize];
        gate.taken += 1;
        if gate.taken >= gate.width.saturating_mul(2) {
            (gate.width, gate.taken) = (gate.width + 1, 0);
        }
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        self.gates.state().gates[self.step as usize].under_way -= 1;
        self.gates.changed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(retries: u32, max_wait: u64) -> RetryBudget {
        RetryBudget { tries: retries, retries, wait: Duration::from_secs(max_wait), pause: Duration::from_secs(1) }
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
        let [first, second] = [1, 2].map(|place| gates.line_up(Step::Ticket, place));
        let passed = first.pass().unwrap();
        gates.close(Step::Ticket, passed.closings, Duration::from_secs(100), false);
        assert!(gates.was_closed(Step::Ticket, passed.closings));
        // This one was under way as well.
        let until = second.pass().unwrap_err();
        gates.close(Step::Ticket, passed.closings, Duration::from_secs(500), false);
        assert_eq!(second.pass().unwrap_err(), until);
        gates.close(Step::Ticket, passed.closings, Duration::from_secs(500), true);
        assert!(matches!((second.pass(), until), (Err(Blocked::Until(late)), Blocked::Until(until)) if late > until));
        assert!(gates.line_up(Step::Completion, 3).pass().is_ok());
        let bytes = gates.line_up(Step::Bytes, 3);
        gates.close(Step::Bytes, 0, Duration::ZERO, false);
        assert!(bytes.pass().is_ok());
    }

    #[test]
    fn behind_a_gate_that_was_closed_the_first_in_line_goes_first() {
        let gates = Gates::default();
        gates.close(Step::Post, 0, Duration::ZERO, false);
        let [third, first, second] = [3, 1, 2].map(|place| gates.line_up(Step::Post, place));
        assert_eq!((third.pass().unwrap_err(), second.pass().unwrap_err()), (Blocked::Turn, Blocked::Turn));
        let pass = first.pass().unwrap();
        assert_eq!(second.pass().unwrap_err(), Blocked::Turn, "one at a time");
        pass.was_taken();
        drop(pass);
        // Who gives up lets the others pass.
        drop(second);
        let pass = third.pass().unwrap();
        pass.was_taken();
        assert_eq!(gates.taken(), 2);
        // Two were taken one after the other, so two may be under way.
        assert!(gates.line_up(Step::Post, 4).pass().is_ok());
        let fifth = gates.line_up(Step::Post, 5);
        let under_way = fifth.pass().unwrap();
        let sixth = gates.line_up(Step::Post, 6);
        assert_eq!(sixth.pass().unwrap_err(), Blocked::Turn);
        drop((pass, under_way));
        assert!(sixth.pass().is_ok());
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
    fn spent_attempts_are_gone() {
        let mut budget = budget(1, 60);
        assert!(!budget.spend(Duration::from_secs(61)) && budget.spend(Duration::from_secs(20)));
        assert!(!budget.spend(Duration::from_secs(41)) && budget.spend(Duration::from_secs(40)));
        assert!(!budget.spend(Duration::from_nanos(1)) && budget.spend(Duration::ZERO));
    }

    #[test]
    fn budget_follows_settings() {
        let mut settings = Settings::default();
        (settings.retries, settings.max_wait, settings.backoff) = (7, Duration::from_secs(8), Duration::from_secs(9));
        let RetryBudget { tries, wait, pause, .. } = RetryBudget::new(&settings);
        assert_eq!((tries, wait, pause), (7, Duration::from_secs(8), Duration::from_secs(9)));
    }
}
