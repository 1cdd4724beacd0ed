//! The three ways in which an API server reads the texts that CEL takes for points in time.

use super::read::{Layout, Moment, Unread, read};

/// The first and last seconds that CEL takes: years 1 to 9999.
pub const YEARS: core::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

/// Reads a text of format `date`.
///
/// # Errors
///
/// Returns Go's error if the text is not a date.
pub fn parse_date(text: &str) -> Result<Moment, Unread<'_>> {
    read(text, Layout::Date)
}

/// Reads a text of format `date-time`: as RFC 3339 has it, or without a zone; an empty one is 1970.
///
/// # Errors
///
/// Returns Go's error if the text is neither.
pub fn parse_date_time(text: &str) -> Result<Moment, Unread<'_>> {
    if text.is_empty() {
        return Ok(Moment {
            seconds: 0,
            nanos: 0,
            offset: 0,
        });
    }
    // What the server says is about the form that it tries last.
    read(text, Layout::Zoned).or_else(|_| read(text, Layout::Local))
}

/// The reason why CEL does not take a text for a point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misread {
    /// The text has another form.
    Form,
    /// The time is beyond the years that CEL takes.
    Range,
}

/// Reads a text as RFC 3339 has it, in the years that CEL takes.
///
/// # Errors
///
/// Returns an error if the text has another form, or if the year is out of range.
pub fn parse_rfc3339(text: &str) -> Result<Moment, Misread> {
    let found = read(text, Layout::Zoned).map_err(|_| Misread::Form)?;
    if YEARS.contains(&found.seconds) {
        Ok(found)
    } else {
        Err(Misread::Range)
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
