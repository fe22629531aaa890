//! What follows from how a request ended: the one table, and the clock of the waits between two tries.
//!
//! `docs/uploading.md` shows the same table; a test compares the two.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use super::Settings;

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
}

/// How a request ended. From top to bottom, the first that fits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// The service said that it is done.
    Done,
    /// 429, or the error `ratelimited`: it was not run.
    Throttled,
    /// An error of the service that says it was not run and may be the next time.
    Busy,
    /// An error of the service after which part of it may have been done all the same.
    Faltered,
    /// Any other error of the service.
    Denied,
    /// A redirect, a web page, a 4xx status: it was not run, and will not be the next time.
    Refused,
    /// No connection was made.
    Unconnected,
    /// The other end is not who it should be, or does not speak TLS.
    Untrusted,
    /// The connection was lost, or stood still, before the last byte of the request was handed over.
    Cut,
    /// An answer other than a refusal came before the last byte of the request was handed over.
    Early,
    /// No answer that can be read came to the whole request, or one with status 408 or 5xx.
    Lost,
    /// A 2xx status, and nothing that says whether it is done.
    Silent,
    /// The file, the journal or this machine is the reason.
    Local,
    /// Whoever runs the program stopped it before the last byte of the request was handed over.
    Stopped,
    /// The same after the last byte.
    StoppedLate,
}

impl Outcome {
    /// Every outcome.
    #[cfg(test)]
    pub(super) const ALL: [Self; 15] = [
        Self::Done,
        Self::Throttled,
        Self::Busy,
        Self::Faltered,
        Self::Denied,
        Self::Refused,
        Self::Unconnected,
        Self::Untrusted,
        Self::Cut,
        Self::Early,
        Self::Lost,
        Self::Silent,
        Self::Local,
        Self::Stopped,
        Self::StoppedLate,
    ];
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
pub(super) const fn next(step: Step, outcome: Outcome) -> Next {
    use Step::{Bytes, Completion, Post, Query, Ticket};
    match (outcome, step) {
        (Outcome::Done, _) => Next::Go,
        (Outcome::Throttled | Outcome::Busy | Outcome::Unconnected | Outcome::Cut, _) => Next::Retry,
        (
            Outcome::Denied
            | Outcome::Refused
            | Outcome::Untrusted
            | Outcome::Early
            | Outcome::Local
            | Outcome::Stopped,
            _,
        ) => Next::Fail,
        (Outcome::Faltered | Outcome::Lost, Post) => Next::Doubt,
        (Outcome::Faltered | Outcome::Lost, Completion) => Next::LookUp,
        (Outcome::Faltered | Outcome::Lost, Ticket | Bytes | Query) => Next::Retry,
        (Outcome::Silent, Post) => Next::Accept,
        // The body of that answer is words for people; its status is the verdict.
        // Source: https://docs.slack.dev/messaging/working-with-files
        (Outcome::Silent, Bytes) => Next::Go,
        (Outcome::Silent, Completion) => Next::LookUp,
        (Outcome::Silent, Ticket | Query) => Next::Fail,
        (Outcome::StoppedLate, Post | Completion) => Next::Doubt,
        (Outcome::StoppedLate, Ticket | Bytes | Query) => Next::Fail,
    }
}

/// Longer is nobody's wait: the 30 years after which no number of seconds means anything.
const FOREVER: Duration = Duration::from_secs(30 * 365 * 24 * 3600);

/// How long a service asks to wait. Seconds, also with a fraction, or a date, which is compared with the date of the
/// answer where it has one, since this machine's clock may be wrong. What is none of these says nothing.
///
/// Source: RFC 9110, 10.2.3; fractions are not in it, and are sent all the same.
pub(super) fn asked(retry_after: &str, date: Option<&str>) -> Option<Duration> {
    let word = retry_after.trim();
    let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
    if !whole.is_empty() && [whole, fraction].iter().all(|digits| digits.bytes().all(|byte| byte.is_ascii_digit())) {
        // A part of a second is a second, and what does not fit in a number is for ever.
        let rest = u64::from(fraction.bytes().any(|digit| digit != b'0'));
        let seconds = whole.parse::<u64>().unwrap_or(u64::MAX).saturating_add(rest);
        return Some(Duration::from_secs(seconds).min(FOREVER));
    }
    let until = httpdate::parse_http_date(word).ok()?;
    let now = date.and_then(|date| httpdate::parse_http_date(date.trim()).ok()).unwrap_or_else(SystemTime::now);
    Some(until.duration_since(now).unwrap_or_default().min(FOREVER))
}

/// How many tries and how much waiting a file has left.
#[derive(Clone, Debug)]
pub(super) struct Patience {
    tries: u32,
    wait: Duration,
    /// The wait before the next try, if the service does not ask for another.
    pause: Duration,
}

/// The longest wait that nobody asked for.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

impl Patience {
    pub(super) fn new(settings: &Settings) -> Self {
        Self { tries: settings.retries, wait: settings.max_wait, pause: settings.backoff }
    }

    /// No other try, whatever is left.
    pub(super) fn end(&mut self) {
        self.tries = 0;
    }

    /// The wait before another try, or nothing if there is to be none.
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
    most.mul_f64(f64::from((super::random() >> 32) as u32) / f64::from(u32::MAX))
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
        assert_eq!(rows.len(), Outcome::ALL.len());
        for (row, outcome) in rows.iter().zip(Outcome::ALL) {
            let cells = Step::ALL.map(|step| match next(step, outcome) {
                Next::Go => "done",
                Next::Accept => "accepted",
                Next::Retry => "again",
                Next::Fail => "failed",
                Next::LookUp => "look up",
                Next::Doubt => "uncertain",
            });
            assert_eq!(row[1..], cells, "{outcome:?}: {}", row[0]);
        }
    }

    #[test]
    fn what_posts_is_repeated_only_if_it_did_not_run() {
        for outcome in Outcome::ALL {
            for step in [Step::Post, Step::Completion] {
                let known = matches!(outcome, Outcome::Throttled | Outcome::Busy | Outcome::Unconnected | Outcome::Cut);
                assert_eq!(next(step, outcome) == Next::Retry, known, "{step:?} {outcome:?}");
            }
        }
    }

    #[test]
    fn retry_after_in_every_form() {
        let date = Some("Sun, 06 Nov 1994 08:49:00 GMT");
        for (value, seconds) in [
            ("0", Some(0)),
            ("30", Some(30)),
            (" 30 ", Some(30)),
            ("1.5", Some(2)),
            ("2.0", Some(2)),
            ("99999999999999999999999", Some(FOREVER.as_secs())),
            ("86400000000", Some(FOREVER.as_secs())),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(37)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", Some(37)),
            ("Sun Nov  6 08:49:37 1994", Some(37)),
            ("Sun, 06 Nov 1994 08:48:37 GMT", Some(0)),
            ("Sat, 06 Nov 2094 08:49:37 GMT", Some(FOREVER.as_secs())),
            ("-5", None),
            ("+5", None),
            ("1e3", None),
            ("soon", None),
            (".5", None),
            ("", None),
            ("30, 30", None),
            ("\u{0663}", None),
        ] {
            assert_eq!(asked(value, date).map(|pause| pause.as_secs()), seconds, "{value:?}");
        }
        // Without a date in the answer, this machine's clock has to do.
        let later = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(100));
        let pause = asked(&later, None).unwrap().as_secs();
        assert!((95..=100).contains(&pause), "{pause}");
        assert_eq!(asked(&later, Some("not a date")).unwrap().as_secs() / 10, 9);
    }

    fn patience(retries: u32, max_wait: u64) -> Patience {
        Patience { tries: retries, wait: Duration::from_secs(max_wait), pause: Duration::from_secs(1) }
    }

    #[test]
    fn pauses_double_within_bounds() {
        let mut patience = patience(8, 10_000);
        for base in [1, 2, 4, 8, 16, 30, 30, 30] {
            let pause = patience.pause(None).unwrap();
            let base = Duration::from_secs(base);
            assert!(base / 2 <= pause && pause <= base, "{pause:?} of {base:?}");
        }
        assert_eq!(patience.pause(None), None, "no try is left");
    }

    #[test]
    fn what_is_asked_for_is_kept_or_given_up_at_once() {
        let ask = |seconds| Some(Duration::from_secs(seconds));
        let mut patience = patience(8, 60);
        assert_eq!(patience.clone().pause(ask(61)), None);
        for _ in 0..20 {
            let pause = patience.clone().pause(ask(60)).unwrap();
            assert!((60..=61).contains(&pause.as_secs()), "{pause:?}");
        }
        patience.pause(ask(40)).unwrap();
        assert_eq!(patience.clone().pause(ask(21)), None, "what was waited counts");
        assert!(patience.pause(ask(5)).is_some());
        assert!(!patience.spend(Duration::from_secs(20)) && patience.spend(Duration::from_secs(3)));
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
