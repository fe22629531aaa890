//! Parses the `Retry-After` header.

use std::time::{Duration, SystemTime};

/// The longest wait: 30 years. Beyond that, the number of seconds makes no difference.
const FOREVER: Duration = Duration::from_secs(30 * 365 * 24 * 3600);

/// Returns how long a service asks to wait: a number of seconds, possibly with a fraction, or a date. A date is
/// compared with the date of the answer if it has one, because the clock of this machine may be wrong. `None` for
/// anything else.
///
/// Source: RFC 9110, section 10.2.3. Fractions are not in it, but some services send them.
pub fn parse(retry_after: &str, date: Option<&str>) -> Option<Duration> {
    let word = retry_after.trim();
    let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
    if !whole.is_empty() && [whole, fraction].iter().all(|digits| digits.bytes().all(|byte| byte.is_ascii_digit())) {
        // A fraction is rounded up to a second, and a number that does not fit is capped.
        let rest = u64::from(fraction.bytes().any(|digit| digit != b'0'));
        let seconds = whole.parse::<u64>().unwrap_or(u64::MAX).saturating_add(rest);
        return Some(Duration::from_secs(seconds).min(FOREVER));
    }
    let until = httpdate::parse_http_date(word).ok()?;
    let now = date.and_then(|date| httpdate::parse_http_date(date.trim()).ok()).unwrap_or_else(SystemTime::now);
    Some(until.duration_since(now).unwrap_or_default().min(FOREVER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_in_every_form() {
        assert_eq!(FOREVER.as_secs(), 946_080_000, "30 years of 365 days");
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
            assert_eq!(parse(value, date).map(|pause| pause.as_secs()), seconds, "{value:?}");
        }
        // Without a date in the answer, the clock of this machine is used.
        let later = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(100));
        let pause = parse(&later, None).unwrap().as_secs();
        assert!((95..=100).contains(&pause), "{pause}");
        assert_eq!(parse(&later, Some("not a date")).unwrap().as_secs() / 10, 9);
    }
}
