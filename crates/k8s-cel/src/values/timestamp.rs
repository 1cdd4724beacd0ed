//! Points in time.

use core::cmp::Ordering;
use core::fmt;

pub(crate) use k8s_json_internals::time::Civil;
use k8s_json_internals::time::{Layout, Moment, Unread, read};

use crate::text::duration::NANOS;

/// A point in time, and how many seconds the zone is ahead of UTC in which it was written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timestamp {
    pub(crate) seconds: i64,
    pub(crate) nanos: u32,
    pub(crate) offset: i32,
}

/// The first and last seconds that CEL takes: years 1 to 9999.
const RANGE: core::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

impl Timestamp {
    /// So long after 1970 began, in UTC; `None` beyond the years that CEL takes.
    pub(crate) fn new(seconds: i64, nanos: i64) -> Option<Self> {
        let seconds = seconds.checked_add(nanos.div_euclid(NANOS))?;
        let nanos = u32::try_from(nanos.rem_euclid(NANOS)).ok()?;
        RANGE.contains(&seconds).then_some(Self {
            seconds,
            nanos,
            offset: 0,
        })
    }

    /// Whether the year 1 begins, which Go takes for no time.
    pub(crate) fn is_first(self) -> bool {
        self.seconds == *RANGE.start() && self.nanos == 0
    }

    /// So many nanoseconds later, in the same zone.
    pub(crate) fn plus(self, nanos: i64) -> Option<Self> {
        let seconds = self.seconds.checked_add(nanos.div_euclid(NANOS))?;
        let later = Self::new(seconds, i64::from(self.nanos) + nanos.rem_euclid(NANOS))?;
        Some(Self {
            offset: self.offset,
            ..later
        })
    }

    /// The nanoseconds from another one to this.
    pub(crate) fn minus(self, other: Self) -> Option<i64> {
        let seconds = self.seconds.checked_sub(other.seconds)?;
        let nanos = i64::from(self.nanos) - i64::from(other.nanos);
        seconds.checked_mul(NANOS)?.checked_add(nanos)
    }

    /// As Go prints it.
    pub(crate) fn in_words(self) -> String {
        let civil = self.civil(self.offset.into()).to_string();
        let mut text = civil.replace('T', " ");
        if self.nanos > 0 {
            let nanos = format!("{:09}", self.nanos);
            text = format!("{text}.{}", nanos.trim_end_matches('0'));
        }
        if self.offset == 0 {
            return text + " +0000 UTC";
        }
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.unsigned_abs() / 60;
        let zone = format!("{sign}{:02}{:02}", minutes / 60, minutes % 60);
        format!("{text} {zone} {zone}")
    }

    /// In a zone that is so many seconds ahead of UTC.
    pub(crate) fn civil(self, offset: i64) -> Civil {
        Civil::at(self.seconds.saturating_add(offset))
    }
}

/// The same point in time is the same, whatever the zone is.
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

impl From<Moment> for Timestamp {
    fn from(moment: Moment) -> Self {
        Self {
            seconds: moment.seconds,
            nanos: moment.nanos,
            offset: moment.offset,
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

/// A text of format `date`.
pub(super) fn parse_date(text: &str) -> Result<Timestamp, Unread<'_>> {
    read(text, Layout::Date).map(Timestamp::from)
}

/// A text of format `date-time`: as RFC 3339 has it, or without a zone; an empty one is 1970.
pub(super) fn parse_date_time(text: &str) -> Result<Timestamp, Unread<'_>> {
    if text.is_empty() {
        return Ok(Timestamp {
            seconds: 0,
            nanos: 0,
            offset: 0,
        });
    }
    // What the server says is about the form that it tries last.
    let found = read(text, Layout::Zoned).or_else(|_| read(text, Layout::Local));
    found.map(Timestamp::from)
}

/// What is wrong with a text that is to be a point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misread {
    /// It is not one.
    Form,
    /// It is beyond the years that CEL takes.
    Range,
}

/// A text as RFC 3339 has it, in the years that CEL takes.
pub(crate) fn parse_rfc3339(text: &str) -> Result<Timestamp, Misread> {
    let found = read(text, Layout::Zoned).map_err(|_| Misread::Form)?;
    if RANGE.contains(&found.seconds) {
        Ok(found.into())
    } else {
        Err(Misread::Range)
    }
}

#[cfg(test)]
mod tests {
    use super::{Misread, parse_date, parse_date_time, parse_rfc3339};
    use crate::text::duration::NANOS;

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
                Ok(seconds),
                "{text}"
            );
        }
        let day = parse_rfc3339("2024-03-01T00:00:00.5Z")
            .expect("a time")
            .civil(0);
        assert_eq!((day.year, day.month, day.day), (2024, 3, 1));
        assert_eq!((day.day_of_year, day.day_of_week), (60, 5));
        let wrong = |text| parse_rfc3339(text).err();
        assert_eq!(wrong("2023-02-29T00:00:00Z"), Some(Misread::Form));
        assert_eq!(wrong("9999-12-31T23:59:59-00:01"), Some(Misread::Range));
    }

    #[test]
    fn zones_are_kept_and_do_not_count() {
        let time = |text| parse_rfc3339(text).expect(text);
        for (text, printed) in [
            (
                "2011-08-18T19:03:37.01+01:00",
                "2011-08-18T19:03:37.01+01:00",
            ),
            ("2011-08-18T19:03:37-24:60", "2011-08-18T19:03:37-25:00"),
            ("2011-08-18T19:03:37-00:00", "2011-08-18T19:03:37Z"),
        ] {
            assert_eq!(time(text).to_string(), printed);
        }
        let here = time("2011-08-18T19:03:37+01:00");
        assert_eq!(here, time("2011-08-18T18:03:37Z"));
        let later = here.plus(NANOS).map(|later| later.to_string());
        assert_eq!(later.as_deref(), Some("2011-08-18T19:03:38+01:00"));
    }

    #[test]
    fn what_is_wrong_is_said_as_a_server_says_it() {
        let as_local = |text: &str, rest: &str, piece: &str| {
            format!(
                "parsing time {text:?} as \"2006-01-02T15:04:05\": cannot parse {rest:?} as {piece:?}"
            )
        };
        let cases = [
            ("", None),
            ("2018-11-13T20:20:39,5", None),
            ("2018-11-13T2:20:39.123456789123Z", None),
            ("2018-11-13T20:20:39+24:60", None),
            ("2018-11-13", Some(as_local("2018-11-13", "", "T"))),
            (
                "2018-11-13t20:20:39z",
                Some(as_local("2018-11-13t20:20:39z", "t20:20:39z", "T")),
            ),
            ("2018-1-13", Some(as_local("2018-1-13", "1-13", "01"))),
            ("no", Some(as_local("no", "no", "2006"))),
            (
                "2018-13-01",
                Some("parsing time \"2018-13-01\": month out of range".into()),
            ),
            (
                "2020-02-29T23:59:59+99:99",
                Some("parsing time \"2020-02-29T23:59:59+99:99\": extra text: \"+99:99\"".into()),
            ),
            (
                "2018-11-13T24:00:00Z",
                Some("parsing time \"2018-11-13T24:00:00Z\": hour out of range".into()),
            ),
            (
                "2018-11-13T20:20:39é",
                Some(
                    "parsing time \"2018-11-13T20:20:39\\xc3\\xa9\": extra text: \"\\xc3\\xa9\""
                        .into(),
                ),
            ),
        ];
        for (text, wanted) in cases {
            assert_eq!(
                parse_date_time(text).err().map(|e| e.to_string()),
                wanted,
                "{text}"
            );
        }
        assert_eq!(
            parse_date("2021-02-29").err().map(|e| e.to_string()),
            Some("parsing time \"2021-02-29\": day out of range".into())
        );
    }
}
