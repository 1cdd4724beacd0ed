//! Points in time.

mod read;

use core::fmt;

pub(super) use read::{parse_date, parse_date_time, parse_rfc3339};

/// A point in time, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Timestamp {
    pub(super) seconds: i64,
    pub(super) nanos: u32,
}

/// A timestamp as people read it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Civil {
    pub(super) year: i64,
    pub(super) month: u32,
    pub(super) day: u32,
    pub(super) hour: i64,
    pub(super) minute: i64,
    pub(super) second: i64,
    /// From 0, which is the first of January.
    pub(super) day_of_year: i64,
    /// From 0, which is Sunday.
    pub(super) day_of_week: i64,
}

pub(super) const NANOS: i64 = 1_000_000_000;
pub(super) const DAY: i64 = 86_400;

/// The first and last seconds that CEL takes: years 1 to 9999.
const RANGE: core::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

impl Timestamp {
    pub(super) fn new(seconds: i64, nanos: i64) -> Option<Self> {
        let seconds = seconds.checked_add(nanos.div_euclid(NANOS))?;
        let nanos = u32::try_from(nanos.rem_euclid(NANOS)).ok()?;
        RANGE.contains(&seconds).then_some(Self { seconds, nanos })
    }

    pub(super) fn plus(self, nanos: i64) -> Option<Self> {
        let seconds = self.seconds.checked_add(nanos.div_euclid(NANOS))?;
        Self::new(seconds, i64::from(self.nanos) + nanos.rem_euclid(NANOS))
    }

    /// The nanoseconds from another one to this.
    pub(super) fn minus(self, other: Self) -> Option<i64> {
        let seconds = self.seconds.checked_sub(other.seconds)?;
        let nanos = i64::from(self.nanos) - i64::from(other.nanos);
        seconds.checked_mul(NANOS)?.checked_add(nanos)
    }

    /// In a zone that is so many seconds ahead of UTC.
    pub(super) fn civil(self, offset: i64) -> Civil {
        let seconds = self.seconds + offset;
        let days = seconds.div_euclid(DAY);
        let rest = seconds.rem_euclid(DAY);
        let (year, month, day) = date_of(days);
        Civil {
            year,
            month,
            day,
            hour: rest / 3600,
            minute: rest / 60 % 60,
            second: rest % 60,
            day_of_year: days - days_of(year, 1, 1),
            day_of_week: (days + 4).rem_euclid(7),
        }
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let c = self.civil(0);
        write!(f, "{:04}-{:02}-{:02}T", c.year, c.month, c.day)?;
        write!(f, "{:02}:{:02}:{:02}", c.hour, c.minute, c.second)?;
        if self.nanos > 0 {
            let nanos = format!("{:09}", self.nanos);
            write!(f, ".{}", nanos.trim_end_matches('0'))?;
        }
        f.write_str("Z")
    }
}

/// Days since 1970 of a date in the Gregorian calendar.
fn days_of(year: i64, month: u32, day: u32) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let month = (i64::from(month) + 9) % 12;
    let of_year = (153 * month + 2) / 5 + i64::from(day) - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

fn date_of(days: i64) -> (i64, u32, u32) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    let small = |value: i64| u32::try_from(value).unwrap_or_default();
    (year, small(month), small(day))
}

fn days_in(year: i64, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn digits(text: &str, count: usize) -> Option<(u32, &str)> {
    let (digits, rest) = text.split_at_checked(count)?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    Some((digits.parse().ok().filter(|_| is_number)?, rest))
}

/// A zone such as `+01:30`, in seconds; the sign may be missing.
pub(super) fn offset(text: &str) -> Option<i64> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (hours, rest) = digits(rest, 2)?;
    let (minutes, rest) = digits(rest.strip_prefix(':')?, 2)?;
    let is_zone = rest.is_empty() && hours <= 24 && minutes < 60;
    is_zone.then(|| sign * (i64::from(hours) * 3600 + i64::from(minutes) * 60))
}

#[cfg(test)]
mod tests {
    use super::read::parse_rfc3339;

    #[test]
    fn timestamps_are_read_and_printed() {
        let cases = [
            ("1970-01-01T00:00:00Z", 0),
            ("2000-02-29T12:00:00+01:00", 951_822_000),
            ("0001-01-01T00:00:00Z", -62_135_596_800),
            ("9999-12-31T23:59:59Z", 253_402_300_799),
        ];
        for (text, seconds) in cases {
            assert_eq!(
                parse_rfc3339(text).map(|t| t.seconds),
                Some(seconds),
                "{text}"
            );
        }
        let day = parse_rfc3339("2024-03-01T00:00:00.5Z")
            .expect("a time")
            .civil(0);
        assert_eq!((day.year, day.month, day.day), (2024, 3, 1));
        assert_eq!((day.day_of_year, day.day_of_week), (60, 5));
        assert!(parse_rfc3339("2023-02-29T00:00:00Z").is_none());
    }
}
