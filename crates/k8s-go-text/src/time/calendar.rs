//! The Gregorian calendar, also for times before its introduction.

use core::fmt;

/// The seconds of a day.
pub const SECONDS_PER_DAY: i64 = 86_400;

/// A point in time, in the fields of the calendar.
#[derive(Clone, Copy, Debug)]
pub struct CivilTime {
    /// The year; the year before 1 is 0.
    pub year: i64,
    /// The month, from 1.
    pub month: u32,
    /// The day of the month, from 1.
    pub day: u32,
    /// The hour, from 0.
    pub hour: i64,
    /// The minute, from 0.
    pub minute: i64,
    /// The second, from 0.
    pub second: i64,
    /// The day of the year, from 0, which is the first of January.
    pub day_of_year: i64,
    /// The day of the week, from 0, which is Sunday.
    pub day_of_week: i64,
}

impl CivilTime {
    /// Returns the point in time `seconds` after the beginning of 1970, in UTC.
    #[must_use]
    pub fn from_unix_seconds(seconds: i64) -> Self {
        let days = seconds.div_euclid(SECONDS_PER_DAY);
        let rest = seconds.rem_euclid(SECONDS_PER_DAY);
        let (year, month, day) = civil_from_days(days);
        Self {
            year,
            month,
            day,
            hour: rest / 3600,
            minute: rest / 60 % 60,
            second: rest % 60,
            day_of_year: days - days_from_civil(year, 1, 1),
            day_of_week: (days + 4).rem_euclid(7),
        }
    }
}

/// Prints `2006-01-02T15:04:05`.
impl fmt::Display for CivilTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.year < 0 { "-" } else { "" };
        let year = self.year.unsigned_abs();
        write!(f, "{sign}{year:04}-{:02}-{:02}T", self.month, self.day)?;
        write!(f, "{:02}:{:02}:{:02}", self.hour, self.minute, self.second)
    }
}

/// Returns the days of a date since 1970.
pub(super) fn days_from_civil(year: i64, month: u32, day: u32) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let month = (i64::from(month) + 9) % 12;
    let of_year = (153 * month + 2) / 5 + i64::from(day) - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

fn civil_from_days(days: i64) -> (i64, u32, u32) {
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

/// Returns the days of a month.
pub(super) const fn days_in_month(year: i64, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::{CivilTime, SECONDS_PER_DAY, days_from_civil, days_in_month};

    #[test]
    fn each_day_follows_the_one_before() {
        let mut days = days_from_civil(-1, 1, 1);
        for year in -1..=2401 {
            for month in 1..=12 {
                for day in 1..=days_in_month(year, month) {
                    assert_eq!(days_from_civil(year, month, day), days);
                    let found = CivilTime::from_unix_seconds(days * SECONDS_PER_DAY + 1);
                    assert_eq!((found.year, found.month, found.day), (year, month, day));
                    days += 1;
                }
            }
        }
    }

    #[test]
    fn days_have_numbers_and_years_have_four_digits() {
        let leap_day = CivilTime::from_unix_seconds(951_822_000);
        assert_eq!(leap_day.to_string(), "2000-02-29T11:00:00");
        assert_eq!((leap_day.day_of_year, leap_day.day_of_week), (59, 2));
        let before = CivilTime::from_unix_seconds(days_from_civil(0, 1, 1) * SECONDS_PER_DAY - 1);
        assert_eq!(before.to_string(), "-0001-12-31T23:59:59");
        assert_eq!(
            CivilTime::from_unix_seconds(days_from_civil(7, 1, 2) * SECONDS_PER_DAY).to_string(),
            "0007-01-02T00:00:00"
        );
    }
}
