//! Formats counts, sizes, durations and bytes.

use std::time::{Duration, SystemTime};

/// `1 error`, `2 errors`, `3 tries`, `4 fixes`.
pub fn count(number: usize, noun: &str) -> String {
    match noun.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u'])) {
        _ if number == 1 => format!("1 {noun}"),
        Some(stem) => format!("{number} {stem}ies"),
        None if noun.ends_with('x') => format!("{number} {noun}es"),
        None => format!("{number} {noun}s"),
    }
}

/// `12 bytes`, `12.30 KiB`.
pub fn size(bytes: u64) -> String {
    if bytes < 1024 {
        count(usize::try_from(bytes).unwrap_or(usize::MAX), "byte")
    } else {
        let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        let power = bytes.ilog2() / 10;
        let hundredths = (u128::from(bytes) * 100) >> (10 * power);
        format!("{}.{:02} {}", hundredths / 100, hundredths % 100, units[power as usize - 1])
    }
}

/// Formats a duration as `90 seconds`, `5 minutes`, `3 hours` or `2 days`, rounded up and only as precise as necessary.
pub fn duration(duration: std::time::Duration) -> String {
    let seconds = duration.as_secs() + u64::from(duration.subsec_nanos() > 0);
    let (unit, noun) = match seconds {
        0..=120 => (1, "second"),
        121..=7200 => (60, "minute"),
        7201..=172_800 => (3600, "hour"),
        _ => (86_400, "day"),
    };
    count(usize::try_from(seconds.div_ceil(unit)).unwrap_or(usize::MAX), noun)
}

/// Formats bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the end of a day such as `2026-12-31`, in UTC.
pub fn end_of_day(text: &str) -> Option<SystemTime> {
    let &[_, _, _, _, b'-', _, _, b'-', _, _] = text.as_bytes() else { return None };
    let part = |range| text.get(range).filter(|part: &&str| part.bytes().all(|byte| byte.is_ascii_digit()));
    let number = |range| part(range)?.parse::<u64>().ok();
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let last = match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    if !(1..=12).contains(&month) || !(1..=last).contains(&day) {
        return None;
    }
    // Counted in years that begin in March, so that a leap day is the last one.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year.checked_sub(1)?, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day;
    const FIRST_OF_1970: u64 = 719_468;
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(days.checked_sub(FIRST_OF_1970)? * 24 * 60 * 60))
}

#[cfg(all(test, feature = "cli", feature = "upload"))]
mod tests {
    use super::*;

    #[test]
    fn forms_plurals() {
        for (number, noun, shown) in [
            (0, "error", "0 errors"),
            (1, "try", "1 try"),
            (2, "try", "2 tries"),
            (1, "fix", "1 fix"),
            (2, "fix", "2 fixes"),
            (2, "day", "2 days"),
        ] {
            assert_eq!(count(number, noun), shown);
        }
    }

    #[test]
    fn formats_sizes_and_durations() {
        for (bytes, shown) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (1023, "1023 bytes"),
            (1024, "1.00 KiB"),
            (1536, "1.50 KiB"),
            (1024 * 1024 - 1, "1023.99 KiB"),
            (1024 * 1024, "1.00 MiB"),
            (u64::MAX, "15.99 EiB"),
        ] {
            assert_eq!(size(bytes), shown);
        }
        for (ms, shown) in [
            (0, "0 seconds"),
            (1, "1 second"),
            (120_000, "120 seconds"),
            (120_001, "3 minutes"),
            (7_200_000, "120 minutes"),
            (7_201_000, "3 hours"),
            (172_801_000, "3 days"),
        ] {
            assert_eq!(duration(std::time::Duration::from_millis(ms)), shown);
        }
    }

    #[test]
    fn parses_only_iso_dates() {
        let end = |text: &str| end_of_day(text).and_then(|end| end.duration_since(SystemTime::UNIX_EPOCH).ok());
        assert_eq!(end("1970-01-01"), Some(Duration::from_secs(24 * 60 * 60)));
        for (text, days) in
            [("2000-02-29", 11_017), ("2000-03-01", 11_018), ("2026-12-31", 20_819), ("9999-12-31", 2_932_897)]
        {
            assert_eq!(end(text), Some(Duration::from_secs(days * 24 * 60 * 60)), "{text}");
        }
        assert_eq!(end("2026-12-31"), end("2026-12-30").map(|end| end + Duration::from_secs(24 * 60 * 60)));
        for text in [
            "", "2026-12-3", "2026-00-01", "2026-12-00", "2026-02-29", "1900-02-29", "1969-12-30", "0000-01-01",
            "2026-12-31 ", " 2026-12-31", "2026-13-01", "2026-02-30", "2026/12/31", "20261231", "2026-12-31T00:00:00Z",
            "2026-12-31T00:00:00.0", "2026-12-31T00:00:00.123456789", "2026-12-31T", "+2026-12-31", "2026-12-3\u{661}",
            "abcd-ef-gh", "abcdefghij",
        ] {
            assert_eq!(end_of_day(text), None, "{text}");
        }
    }

    #[test]
    fn formats_bytes_as_hex() {
        assert_eq!(hex(&[0, 9, 10, 0x5f, 255]), "00090a5fff");
        assert_eq!(hex(&[]), "");
    }
}
