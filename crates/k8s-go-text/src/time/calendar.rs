//! The proleptic Gregorian calendar.
//!
//! The conversions follow <https://howardhinnant.github.io/date_algorithms.html>: a year begins on
//! March 1, so that a leap day is its last day. An era has 400 years, which are 146,097 days. From
//! 0000-03-01 to 1970-01-01, there are 719,468 days.

use core::fmt;

/// The number of seconds of a day.
pub const SECONDS_PER_DAY: i64 = 86_400;

/// A civil time: a date and a time of day without a time zone.
#[derive(Clone, Copy, Debug)]
pub struct CivilTime {
    /// The year. Year 0 precedes year 1.
    pub year: i64,
    /// The month, from 1 to 12.
    pub month: u32,
    /// The day of the month, from 1.
    pub day: u32,
    /// The hour, from 0 to 23.
    pub hour: i64,
    /// The minute, from 0 to 59.
    pub minute: i64,
    /// The second, from 0 to 59.
    pub second: i64,
    /// The day of the year; January 1 is 0.
    pub day_of_year: i64,
    /// The day of the week; Sunday is 0.
    pub day_of_week: i64,
}

impl CivilTime {
    /// Returns the civil time in UTC of a Unix time.
    #[must_use]
    pub fn from_unix_seconds(seconds: i64) -> Self {
        let days = seconds.div_euclid(SECONDS_PER_DAY);
        let second_of_day = seconds.rem_euclid(SECONDS_PER_DAY);
        let (year, month, day) = civil_from_days(days);
        Self {
            year,
            month,
            day,
            hour: second_of_day / 3600,
            minute: second_of_day / 60 % 60,
            second: second_of_day % 60,
            day_of_year: days - days_from_civil(year, 1, 1),
            // 1970-01-01 was a Thursday.
            day_of_week: (days + 4).rem_euclid(7),
        }
    }
}

/// Prints the time as `2006-01-02T15:04:05`.
impl fmt::Display for CivilTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.year < 0 { "-" } else { "" };
        let year = self.year.unsigned_abs();
        write!(f, "{sign}{year:04}-{:02}-{:02}T", self.month, self.day)?;
        write!(f, "{:02}:{:02}:{:02}", self.hour, self.minute, self.second)
    }
}

/// Returns the number of days from 1970-01-01 to a date.
pub(super) fn days_from_civil(year: i64, month: u32, day: u32) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let month = (i64::from(month) + 9) % 12;
    let day_of_year = (153 * month + 2) / 5 + i64::from(day) - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// Returns the year, the month and the day of a number of days since 1970-01-01.
fn civil_from_days(days: i64) -> (i64, u32, u32) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    let to_u32 = |value: i64| u32::try_from(value).unwrap_or_default();
    (year, to_u32(month), to_u32(day))
}

/// Returns the number of days of a month.
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
    fn consecutive_dates_have_consecutive_days() {
        let mut days = days_from_civil(-1, 1, 1);
        for year in -1..=2401 {
            for month in 1..=12 {
                for day in 1..=days_in_month(year, month) {
                    assert_eq!(days_from_civil(year, month, day), days);
                    let civil = CivilTime::from_unix_seconds(days * SECONDS_PER_DAY + 1);
                    assert_eq!((civil.year, civil.month, civil.day), (year, month, day));
                    days += 1;
                }
            }
        }
    }

    #[test]
    fn dates_have_days_of_the_year_and_four_digit_years() {
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
