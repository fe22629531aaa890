//! The start time and duration of a check.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The first second that has no year of four digits.
const YEAR_10000: u64 = 253_402_300_800;

/// The start time and duration of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Timing {
    /// The start time.
    pub started: SystemTime,
    /// The time from the start until the first report was written.
    pub elapsed: Duration,
}

impl Timing {
    /// Creates the timing of a check.
    #[must_use]
    pub const fn new(started: SystemTime, elapsed: Duration) -> Self {
        Self { started, elapsed }
    }

    /// Parses `SOURCE_DATE_EPOCH`, which makes reports reproducible: it is the start time, and the duration is 0.
    #[cfg_attr(not(any(feature = "cli", test)), expect(dead_code, reason = "only the program reads the variable"))]
    pub(crate) fn pinned(seconds: &str) -> Option<Self> {
        let digits = !seconds.is_empty() && seconds.bytes().all(|byte| byte.is_ascii_digit());
        let seconds = seconds.parse().ok().filter(|seconds| digits && *seconds < YEAR_10000)?;
        Some(Self::new(UNIX_EPOCH + Duration::from_secs(seconds), Duration::ZERO))
    }

    /// Returns the start time in UTC without a zone, as `JUnit` requires. `None` if the year does not have four digits.
    pub(crate) fn timestamp(self) -> Option<String> {
        let since = self.started.duration_since(UNIX_EPOCH).ok().filter(|since| since.as_secs() < YEAR_10000)?;
        let whole = UNIX_EPOCH + Duration::from_secs(since.as_secs());
        Some(humantime::format_rfc3339_seconds(whole).to_string().trim_end_matches('Z').to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_pinned_by_seconds() {
        for (seconds, timestamp) in [
            ("0", Some("1970-01-01T00:00:00")),
            ("951827696", Some("2000-02-29T12:34:56")),
            ("253402300799", Some("9999-12-31T23:59:59")),
            ("253402300800", None),
            ("99999999999999999999", None),
            ("-1", None),
            ("+1", None),
            ("1.5", None),
            ("", None),
        ] {
            let timing = Timing::pinned(seconds);
            assert_eq!(timing.and_then(Timing::timestamp).as_deref(), timestamp, "{seconds}");
            assert!(timing.is_none_or(|timing| timing.elapsed.is_zero()) && timing.is_some() == timestamp.is_some());
        }
        for started in [UNIX_EPOCH - Duration::from_secs(1), UNIX_EPOCH + Duration::from_secs(YEAR_10000)] {
            assert_eq!(Timing::new(started, Duration::ZERO).timestamp(), None);
        }
    }
}
