//! When a check ran, and for how long.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The first second that has no year of four digits.
const YEAR_10000: u64 = 253_402_300_800;

/// When a check began, and how long it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Timing {
    /// When it began.
    pub began: SystemTime,
    /// From then until its report was written.
    pub took: Duration,
}

impl Timing {
    /// Of a check that began then and took so long.
    #[must_use]
    pub const fn new(began: SystemTime, took: Duration) -> Self {
        Self { began, took }
    }

    /// What `SOURCE_DATE_EPOCH` stands for: whoever wants the same report from the same input says when that is.
    #[cfg_attr(not(any(feature = "cli", test)), expect(dead_code, reason = "only the program reads the variable"))]
    pub(crate) fn pinned(seconds: &str) -> Option<Self> {
        let digits = !seconds.is_empty() && seconds.bytes().all(|byte| byte.is_ascii_digit());
        let seconds = seconds.parse().ok().filter(|seconds| digits && *seconds < YEAR_10000)?;
        Some(Self::new(UNIX_EPOCH + Duration::from_secs(seconds), Duration::ZERO))
    }

    /// When it began, in UTC and without a zone, as `JUnit` wants it; nothing, for a clock that is off by ages.
    pub(crate) fn timestamp(self) -> Option<String> {
        let since = self.began.duration_since(UNIX_EPOCH).ok().filter(|since| since.as_secs() < YEAR_10000)?;
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
            assert!(timing.is_none_or(|timing| timing.took.is_zero()));
        }
        let before = Timing::new(UNIX_EPOCH - Duration::from_secs(1), Duration::ZERO);
        assert_eq!(before.timestamp(), None);
    }
}
