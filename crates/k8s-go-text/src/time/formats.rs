//! The three formats of strings that an API server converts to CEL timestamps.

use super::parse::{Layout, OffsetDateTime, TimeParseError, parse_time};

/// The Unix times that CEL accepts: years 1 to 9999.
pub const CEL_TIMESTAMP_SECONDS: core::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

/// Parses a string of the format `date`.
///
/// # Errors
///
/// Returns Go's error if the string is not a date.
pub fn parse_date(string: &str) -> Result<OffsetDateTime, TimeParseError<'_>> {
    parse_time(string, Layout::Date)
}

/// Parses a string of the format `date-time`: a time of RFC 3339, or without a zone. The empty
/// string is the start of 1970.
///
/// # Errors
///
/// Returns Go's error if the string has neither format.
pub fn parse_date_time(string: &str) -> Result<OffsetDateTime, TimeParseError<'_>> {
    if string.is_empty() {
        return Ok(OffsetDateTime {
            seconds: 0,
            nanos: 0,
            offset: 0,
        });
    }
    // As on an API server, the error is about the layout that is tried last.
    parse_time(string, Layout::Zoned).or_else(|_| parse_time(string, Layout::Local))
}

/// The reason why CEL rejects a string as a timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CelTimestampError {
    /// The string does not have the format of RFC 3339.
    InvalidFormat,
    /// The time is outside of the years that CEL accepts.
    OutOfRange,
}

/// Parses a time of RFC 3339 in the years that CEL accepts.
///
/// # Errors
///
/// Returns an error if the string has another format, or if the year is out of range.
pub fn parse_rfc3339(string: &str) -> Result<OffsetDateTime, CelTimestampError> {
    let time = parse_time(string, Layout::Zoned).map_err(|_| CelTimestampError::InvalidFormat)?;
    if CEL_TIMESTAMP_SECONDS.contains(&time.seconds) {
        Ok(time)
    } else {
        Err(CelTimestampError::OutOfRange)
    }
}

#[cfg(test)]
mod tests {
    use super::{parse_date, parse_date_time};

    #[test]
    fn messages_are_those_of_the_server() {
        let local_layout_error = |string: &str, rest: &str, element: &str| {
            format!(
                "parsing time {string:?} as \"2006-01-02T15:04:05\": cannot parse {rest:?} as {element:?}"
            )
        };
        let cases = [
            ("", None),
            ("2018-11-13T20:20:39,5", None),
            ("2018-11-13T2:20:39.123456789123Z", None),
            ("2018-11-13T20:20:39+24:60", None),
            (
                "2018-11-13",
                Some(local_layout_error("2018-11-13", "", "T")),
            ),
            (
                "2018-11-13t20:20:39z",
                Some(local_layout_error(
                    "2018-11-13t20:20:39z",
                    "t20:20:39z",
                    "T",
                )),
            ),
            (
                "2018-1-13",
                Some(local_layout_error("2018-1-13", "1-13", "01")),
            ),
            ("no", Some(local_layout_error("no", "no", "2006"))),
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
        for (string, expected) in cases {
            assert_eq!(
                parse_date_time(string).err().map(|error| error.to_string()),
                expected,
                "{string}"
            );
        }
        assert_eq!(
            parse_date("2021-02-29")
                .err()
                .map(|error| error.to_string()),
            Some("parsing time \"2021-02-29\": day out of range".into())
        );
    }
}
