//! The three formats in which an API server parses strings as CEL timestamps.

use super::parse::{Layout, OffsetDateTime, TimeParseError, parse_time};

/// The first and last seconds that CEL accepts: years 1 to 9999.
pub const CEL_TIMESTAMP_SECONDS: core::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

/// Parses a string of format `date`.
///
/// # Errors
///
/// Returns Go's error if the string is not a date.
pub fn parse_date(text: &str) -> Result<OffsetDateTime, TimeParseError<'_>> {
    parse_time(text, Layout::Date)
}

/// Parses a string of format `date-time`: in RFC 3339 format, or without a zone; an empty string is
/// 1970.
///
/// # Errors
///
/// Returns Go's error if the string has neither format.
pub fn parse_date_time(text: &str) -> Result<OffsetDateTime, TimeParseError<'_>> {
    if text.is_empty() {
        return Ok(OffsetDateTime {
            seconds: 0,
            nanos: 0,
            offset: 0,
        });
    }
    // The error of the API server is about the layout that it tries last.
    parse_time(text, Layout::Zoned).or_else(|_| parse_time(text, Layout::Local))
}

/// The reason why CEL does not accept a string as a timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CelTimestampError {
    /// The string has another format.
    InvalidFormat,
    /// The time is outside of the years that CEL accepts.
    OutOfRange,
}

/// Parses a string in RFC 3339 format, in the years that CEL accepts.
///
/// # Errors
///
/// Returns an error if the string has another format, or if the year is out of range.
pub fn parse_rfc3339(text: &str) -> Result<OffsetDateTime, CelTimestampError> {
    let found = parse_time(text, Layout::Zoned).map_err(|_| CelTimestampError::InvalidFormat)?;
    if CEL_TIMESTAMP_SECONDS.contains(&found.seconds) {
        Ok(found)
    } else {
        Err(CelTimestampError::OutOfRange)
    }
}

#[cfg(test)]
mod tests {
    use super::{parse_date, parse_date_time};

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
