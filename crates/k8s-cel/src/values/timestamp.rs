//! Timestamps.

use core::cmp::Ordering;
use core::fmt;

use k8s_go_text::duration::NANOS_PER_SECOND;
pub(crate) use k8s_go_text::time::CivilTime;
use k8s_go_text::time::{CEL_TIMESTAMP_SECONDS, OffsetDateTime};

/// A timestamp in a time zone that is `offset` seconds ahead of UTC.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timestamp {
    pub(crate) seconds: i64,
    pub(crate) nanos: u32,
    pub(crate) offset: i32,
}

impl Timestamp {
    /// Returns the timestamp with a Unix time in UTC; `None` outside of the years that CEL
    /// supports.
    pub(crate) fn new(seconds: i64, nanos: i64) -> Option<Self> {
        let seconds = seconds.checked_add(nanos.div_euclid(NANOS_PER_SECOND))?;
        let nanos = u32::try_from(nanos.rem_euclid(NANOS_PER_SECOND)).ok()?;
        CEL_TIMESTAMP_SECONDS.contains(&seconds).then_some(Self {
            seconds,
            nanos,
            offset: 0,
        })
    }

    /// Returns true for Go's zero time, the start of year 1.
    pub(crate) fn is_zero(self) -> bool {
        self.seconds == *CEL_TIMESTAMP_SECONDS.start() && self.nanos == 0
    }

    /// Returns the time plus some nanoseconds, in the same time zone.
    pub(crate) fn checked_add_nanos(self, nanos: i64) -> Option<Self> {
        let seconds = self
            .seconds
            .checked_add(nanos.div_euclid(NANOS_PER_SECOND))?;
        let sum = Self::new(
            seconds,
            i64::from(self.nanos) + nanos.rem_euclid(NANOS_PER_SECOND),
        )?;
        Some(Self {
            offset: self.offset,
            ..sum
        })
    }

    /// Returns the nanoseconds from `other` to this time.
    pub(crate) fn checked_sub(self, other: Self) -> Option<i64> {
        let seconds = self.seconds.checked_sub(other.seconds)?;
        let nanos = i64::from(self.nanos) - i64::from(other.nanos);
        seconds.checked_mul(NANOS_PER_SECOND)?.checked_add(nanos)
    }

    /// Returns the time in the format of Go's `Time.String`.
    pub(crate) fn to_go_string(self) -> String {
        let civil = self.civil(self.offset.into()).to_string();
        let mut formatted = civil.replace('T', " ");
        if self.nanos > 0 {
            let nanos = format!("{:09}", self.nanos);
            formatted = format!("{formatted}.{}", nanos.trim_end_matches('0'));
        }
        if self.offset == 0 {
            return formatted + " +0000 UTC";
        }
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.unsigned_abs() / 60;
        let zone = format!("{sign}{:02}{:02}", minutes / 60, minutes % 60);
        format!("{formatted} {zone} {zone}")
    }

    /// Returns the civil time in a zone that is `offset` seconds ahead of UTC.
    pub(crate) fn civil(self, offset: i64) -> CivilTime {
        CivilTime::from_unix_seconds(self.seconds.saturating_add(offset))
    }
}

/// Compares the instants. The time zone does not matter.
impl PartialEq for Timestamp {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Timestamp {}

impl PartialOrd for Timestamp {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Timestamp {
    fn cmp(&self, other: &Self) -> Ordering {
        let seconds = self.seconds.cmp(&other.seconds);
        seconds.then(self.nanos.cmp(&other.nanos))
    }
}

impl From<OffsetDateTime> for Timestamp {
    fn from(time: OffsetDateTime) -> Self {
        Self {
            seconds: time.seconds,
            nanos: time.nanos,
            offset: time.offset,
        }
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.civil(self.offset.into()))?;
        if self.nanos > 0 {
            let nanos = format!("{:09}", self.nanos);
            write!(f, ".{}", nanos.trim_end_matches('0'))?;
        }
        if self.offset == 0 {
            return f.write_str("Z");
        }
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.unsigned_abs() / 60;
        write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::Timestamp;
    use k8s_go_text::duration::NANOS_PER_SECOND;
    use k8s_go_text::time::{self, CelTimestampError};

    fn parse_rfc3339(string: &str) -> Result<Timestamp, CelTimestampError> {
        time::parse_rfc3339(string).map(Timestamp::from)
    }

    #[test]
    fn timestamps_are_parsed_and_printed() {
        let cases = [
            ("1970-01-01T00:00:00Z", 0),
            ("2000-02-29T12:00:00+01:00", 951_822_000),
            ("0001-01-01T00:00:00Z", -62_135_596_800),
            ("9999-12-31T23:59:59Z", 253_402_300_799),
        ];
        for (string, seconds) in cases {
            assert_eq!(
                parse_rfc3339(string).map(|t| t.seconds),
                Ok(seconds),
                "{string}"
            );
        }
        let day = parse_rfc3339("2024-03-01T00:00:00.5Z")
            .expect("a time")
            .civil(0);
        assert_eq!((day.year, day.month, day.day), (2024, 3, 1));
        assert_eq!((day.day_of_year, day.day_of_week), (60, 5));
        let error = |string| parse_rfc3339(string).err();
        assert_eq!(
            error("2023-02-29T00:00:00Z"),
            Some(CelTimestampError::InvalidFormat)
        );
        assert_eq!(
            error("9999-12-31T23:59:59-00:01"),
            Some(CelTimestampError::OutOfRange)
        );
    }

    #[test]
    fn time_zones_are_kept_but_not_compared() {
        let time = |string| parse_rfc3339(string).expect(string);
        for (string, expected) in [
            (
                "2011-08-18T19:03:37.01+01:00",
                "2011-08-18T19:03:37.01+01:00",
            ),
            ("2011-08-18T19:03:37-24:60", "2011-08-18T19:03:37-25:00"),
            ("2011-08-18T19:03:37-00:00", "2011-08-18T19:03:37Z"),
        ] {
            assert_eq!(time(string).to_string(), expected);
        }
        let here = time("2011-08-18T19:03:37+01:00");
        assert_eq!(here, time("2011-08-18T18:03:37Z"));
        let sum = here
            .checked_add_nanos(NANOS_PER_SECOND)
            .map(|sum| sum.to_string());
        assert_eq!(sum.as_deref(), Some("2011-08-18T19:03:38+01:00"));
    }
}
