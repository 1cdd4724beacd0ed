//! Parses times as Go's `time.Parse` does: RFC 3339 with some extensions, or a part of it.

use core::fmt::{self, Write as _};

use super::calendar::{SECONDS_PER_DAY, days_from_civil, days_in_month};
use crate::scan::{Scanner, is_digit};

/// The layout that a string must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// `2006-01-02`
    Date,
    /// `2006-01-02T15:04:05`
    Local,
    /// `2006-01-02T15:04:05+07:00`, or with `Z` as the zone.
    Zoned,
}

impl Layout {
    /// Returns the layout in Go's notation.
    const fn name(self) -> &'static str {
        match self {
            Self::Date => "2006-01-02",
            Self::Local => "2006-01-02T15:04:05",
            Self::Zoned => "2006-01-02T15:04:05Z07:00",
        }
    }
}

/// A time with an offset from UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffsetDateTime {
    /// The Unix time in seconds.
    pub seconds: i64,
    /// The nanoseconds within the second.
    pub nanos: u32,
    /// The offset from UTC in seconds; 0 without a zone.
    pub offset: i32,
}

/// The reason why a string is not a time. `Display` prints Go's message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeParseError<'t> {
    string: &'t [u8],
    layout: Layout,
    kind: TimeParseErrorKind<'t>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TimeParseErrorKind<'t> {
    /// The rest of the string, and the element of the layout that it should start with.
    UnexpectedInput(&'t [u8], &'static str),
    OutOfRange(&'static str),
    ExtraText(&'t [u8]),
}

/// Parses a time. As in Go, the hour may have one digit, and a comma may precede the fraction of a
/// second. The zone is UTC if the layout has none.
///
/// # Errors
///
/// Returns Go's error. Its message is formatted only when it is printed.
pub fn parse_time(string: &str, layout: Layout) -> Result<OffsetDateTime, TimeParseError<'_>> {
    let string = string.as_bytes();
    let mut parser = TimeParser(Scanner(string));
    let result = parser.parse_date_time(layout);
    result.map_err(|kind| TimeParseError {
        string,
        layout,
        kind,
    })
}

/// A parser that consumes the elements of a time one after the other.
struct TimeParser<'t>(Scanner<'t>);

impl<'t> TimeParser<'t> {
    fn parse_date_time(
        &mut self,
        layout: Layout,
    ) -> Result<OffsetDateTime, TimeParseErrorKind<'t>> {
        let (year, month, day) = self.parse_date()?;
        let (mut seconds_of_day, mut nanos, mut offset) = (0, 0, 0);
        if layout != Layout::Date {
            self.parse_separator(b'T', "T")?;
            seconds_of_day = self.parse_time_of_day()?;
            nanos = self.parse_fraction();
        }
        if layout == Layout::Zoned {
            offset = self.parse_zone()?;
            seconds_of_day -= i64::from(offset);
        }
        if !self.0.is_done() {
            return Err(TimeParseErrorKind::ExtraText(self.0.0));
        }
        if !(1..=days_in_month(year, month)).contains(&day) {
            return Err(TimeParseErrorKind::OutOfRange("day"));
        }
        let seconds = days_from_civil(year, month, day) * SECONDS_PER_DAY + seconds_of_day;
        Ok(OffsetDateTime {
            seconds,
            nanos,
            offset,
        })
    }

    fn parse_date(&mut self) -> Result<(i64, u32, u32), TimeParseErrorKind<'t>> {
        let year = self.parse_number(4, "2006")?;
        self.parse_separator(b'-', "-")?;
        let month = self.parse_number(2, "01")?;
        if !(1..=12).contains(&month) {
            return Err(TimeParseErrorKind::OutOfRange("month"));
        }
        self.parse_separator(b'-', "-")?;
        let day = self.parse_number(2, "02")?;
        Ok((year.into(), month, day))
    }

    /// Parses a time of day, and returns the seconds since midnight.
    fn parse_time_of_day(&mut self) -> Result<i64, TimeParseErrorKind<'t>> {
        let time_of_day = TimeOfDay::parse(&mut self.0, 1);
        time_of_day
            .map(TimeOfDay::seconds)
            .map_err(|error| match error {
                TimeOfDayError::MissingHour => TimeParseErrorKind::UnexpectedInput(self.0.0, "15"),
                TimeOfDayError::MissingColon => TimeParseErrorKind::UnexpectedInput(self.0.0, ":"),
                TimeOfDayError::MissingMinute => {
                    TimeParseErrorKind::UnexpectedInput(self.0.0, "04")
                }
                TimeOfDayError::MissingSecond => {
                    TimeParseErrorKind::UnexpectedInput(self.0.0, "05")
                }
                TimeOfDayError::OutOfRange(element) => TimeParseErrorKind::OutOfRange(element),
            })
    }

    /// Parses the fraction of a second, and returns nanoseconds; 0 without a fraction.
    fn parse_fraction(&mut self) -> u32 {
        let mut rest = self.0;
        if rest.eat_if(|byte| matches!(byte, b'.' | b',')).is_none() {
            return 0;
        }
        let digits = rest.eat_while(is_digit);
        if !digits.is_empty() {
            self.0 = rest;
        }
        let nano_digits = digits.iter().chain(core::iter::repeat(&b'0')).take(9);
        nano_digits.fold(0, |number, digit| number * 10 + u32::from(digit - b'0'))
    }

    /// Parses a zone, and returns its offset from UTC in seconds.
    fn parse_zone(&mut self) -> Result<i32, TimeParseErrorKind<'t>> {
        if self.0.eat(b'Z') {
            return Ok(0);
        }
        let unexpected_error = TimeParseErrorKind::UnexpectedInput(self.0.0, "Z07:00");
        let Some(([sign, hours_and_minutes @ ..], after_zone)) = self.0.0.split_first_chunk::<6>()
        else {
            return Err(unexpected_error);
        };
        // As in Go, an offset may have up to 24 hours and up to 60 minutes.
        let (hours, minutes) = match parse_hours_and_minutes(hours_and_minutes)
            .ok_or(unexpected_error)?
        {
            // Go checks the hours and then the minutes, and reports the last error.
            (Some(_), Some(61..)) => {
                return Err(TimeParseErrorKind::OutOfRange("time zone offset minute"));
            }
            (Some(25..), _) => return Err(TimeParseErrorKind::OutOfRange("time zone offset hour")),
            (Some(hours), Some(minutes)) => (hours, minutes),
            _ => return Err(unexpected_error),
        };
        let offset = i32::try_from(hours * 60 + minutes).map_err(|_| unexpected_error)? * 60;
        let offset = match sign {
            b'+' => offset,
            b'-' => -offset,
            _ => return Err(unexpected_error),
        };
        self.0.0 = after_zone;
        Ok(offset)
    }

    fn parse_number(
        &mut self,
        digit_count: usize,
        element: &'static str,
    ) -> Result<u32, TimeParseErrorKind<'t>> {
        let rest = self.0.0;
        self.0
            .eat_number(digit_count)
            .ok_or(TimeParseErrorKind::UnexpectedInput(rest, element))
    }

    fn parse_separator(
        &mut self,
        separator: u8,
        element: &'static str,
    ) -> Result<(), TimeParseErrorKind<'t>> {
        if self.0.eat(separator) {
            Ok(())
        } else {
            Err(TimeParseErrorKind::UnexpectedInput(self.0.0, element))
        }
    }
}

/// A time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeOfDay {
    hour: u32,
    minute: u32,
    second: u32,
}

/// The reason why parsing a time of day failed. The scanner then is at the position of the error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeOfDayError {
    /// The hour is missing.
    MissingHour,
    /// The colon before the minute or the second is missing.
    MissingColon,
    /// The minute is missing.
    MissingMinute,
    /// The second is missing.
    MissingSecond,
    /// A number is too large. The string is the name of the number.
    OutOfRange(&'static str),
}

impl TimeOfDay {
    /// Consumes a time such as `15:04:05`. The hour has at least `hour_digits` digits.
    ///
    /// # Errors
    ///
    /// Returns an error if an element is missing or out of range. The scanner then is at its
    /// position.
    pub fn parse(scanner: &mut Scanner<'_>, hour_digits: usize) -> Result<Self, TimeOfDayError> {
        let has_two_digits = matches!(scanner.0, [_, second, ..] if is_digit(*second));
        let digit_count = if has_two_digits { 2 } else { hour_digits };
        let hour = scanner
            .eat_number(digit_count)
            .ok_or(TimeOfDayError::MissingHour)?;
        if hour > 23 {
            return Err(TimeOfDayError::OutOfRange("hour"));
        }
        let mut parse_below_60 = |missing, name| {
            if !scanner.eat(b':') {
                return Err(TimeOfDayError::MissingColon);
            }
            match scanner.eat_number(2).ok_or(missing)? {
                60.. => Err(TimeOfDayError::OutOfRange(name)),
                number => Ok(number),
            }
        };
        Ok(Self {
            hour,
            minute: parse_below_60(TimeOfDayError::MissingMinute, "minute")?,
            second: parse_below_60(TimeOfDayError::MissingSecond, "second")?,
        })
    }

    /// Returns the seconds since midnight.
    fn seconds(self) -> i64 {
        i64::from((self.hour * 60 + self.minute) * 60 + self.second)
    }
}

/// Parses hours and minutes such as `07:00`. Each is `None` if it is not a number of two digits.
/// Returns `None` if the colon is missing.
#[must_use]
pub fn parse_hours_and_minutes(string: &[u8; 5]) -> Option<(Option<u32>, Option<u32>)> {
    let [h1, h2, b':', m1, m2] = *string else {
        return None;
    };
    let parse_number = |digits: [u8; 2]| Scanner(&digits).eat_number(2);
    Some((parse_number([h1, h2]), parse_number([m1, m2])))
}

impl fmt::Display for TimeParseError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "parsing time {}", AsciiQuoted(self.string))?;
        match self.kind {
            TimeParseErrorKind::UnexpectedInput(rest, element) => {
                let [layout, element] =
                    [self.layout.name(), element].map(|string| AsciiQuoted(string.as_bytes()));
                write!(
                    f,
                    " as {layout}: cannot parse {} as {element}",
                    AsciiQuoted(rest)
                )
            }
            TimeParseErrorKind::OutOfRange(name) => write!(f, ": {name} out of range"),
            TimeParseErrorKind::ExtraText(rest) => {
                write!(f, ": extra text: {}", AsciiQuoted(rest))
            }
        }
    }
}

/// Formats bytes in quotes. Like Go's `time` package, escapes quotes, backslashes, and bytes below
/// 0x20 and above 0x7f.
struct AsciiQuoted<'t>(&'t [u8]);

impl fmt::Display for AsciiQuoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for byte in self.0 {
            match byte {
                b'"' | b'\\' => write!(f, "\\{}", char::from(*byte))?,
                b' '..=0x7f => f.write_char(char::from(*byte))?,
                _ => write!(f, "\\x{byte:02x}")?,
            }
        }
        f.write_char('"')
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Layout, OffsetDateTime, TimeOfDay, TimeOfDayError, parse_hours_and_minutes, parse_time,
    };
    use crate::scan::Scanner;

    #[test]
    fn extensions_of_rfc_3339_are_parsed() {
        for (string, seconds, nanos, offset) in [
            ("1970-01-01T00:00:00Z", 0, 0, 0),
            ("1969-12-31T23:59:59.25Z", -1, 250_000_000, 0),
            ("2000-02-29T12:00:00+01:00", 951_822_000, 0, 3600),
            (
                "2000-02-29T1:00:00,1234567899-24:60",
                951_876_000,
                123_456_789,
                -90_000,
            ),
            ("0000-01-01T00:00:00+24:60", -62_167_309_200, 0, 90_000),
        ] {
            assert_eq!(
                parse_time(string, Layout::Zoned),
                Ok(OffsetDateTime {
                    seconds,
                    nanos,
                    offset
                }),
                "{string}"
            );
        }
        let noon = parse_time("2000-02-29T12:00:00", Layout::Local);
        assert_eq!(noon.map(|noon| noon.seconds), Ok(951_825_600));
        let day = parse_time("2000-02-29", Layout::Date);
        assert_eq!(day.map(|day| day.seconds), Ok(951_782_400));
    }

    #[test]
    fn messages_are_those_of_go() {
        const START: &str = "2020-02-29T01:02:03";
        let zone_error = |rest: &str| {
            format!(" as \"2006-01-02T15:04:05Z07:00\": cannot parse {rest:?} as \"Z07:00\"")
        };
        for (end, message) in [
            ("", zone_error("")),
            (".", zone_error(".")),
            ("+01:3", zone_error("+01:3")),
            ("+01-30", zone_error("+01-30")),
            ("+aa:61", zone_error("+aa:61")),
            ("x01:30", zone_error("x01:30")),
            ("x25:30", ": time zone offset hour out of range".to_owned()),
            (
                "+25:61",
                ": time zone offset minute out of range".to_owned(),
            ),
            ("+25:aa", ": time zone offset hour out of range".to_owned()),
            (
                "+24:61",
                ": time zone offset minute out of range".to_owned(),
            ),
            ("Zz\u{e9}", ": extra text: \"z\\xc3\\xa9\"".to_owned()),
        ] {
            let string = format!("{START}{end}");
            let result = parse_time(&string, Layout::Zoned).map_err(|error| error.to_string());
            let quoted = string.replace('\u{e9}', "\\xc3\\xa9");
            assert_eq!(result, Err(format!("parsing time \"{quoted}\"{message}")));
        }
        for (string, message) in [
            ("2020-2-29", "cannot parse \"2-29\" as \"01\""),
            ("2020-13-29", "\"2020-13-29\": month out of range"),
            ("2021-02-29T", "extra text: \"T\""),
            ("2021-02-29", "day out of range"),
            ("2021-02-00", "day out of range"),
            ("202a-02-29", "cannot parse \"202a-02-29\" as \"2006\""),
        ] {
            let error = parse_time(string, Layout::Date)
                .expect_err(string)
                .to_string();
            assert!(error.ends_with(message), "{error}");
        }
    }

    #[test]
    fn errors_of_a_time_of_day_have_their_position() {
        for (string, expected) in [
            ("1:02:03", TimeOfDayError::MissingHour),
            ("24:02:03", TimeOfDayError::OutOfRange("hour")),
            ("01-02:03", TimeOfDayError::MissingColon),
            ("01:2:03", TimeOfDayError::MissingMinute),
            ("01:60:03", TimeOfDayError::OutOfRange("minute")),
            ("01:02", TimeOfDayError::MissingColon),
            ("01:02:3", TimeOfDayError::MissingSecond),
            ("01:02:60", TimeOfDayError::OutOfRange("second")),
        ] {
            assert_eq!(
                TimeOfDay::parse(&mut Scanner(string.as_bytes()), 2),
                Err(expected),
                "{string}"
            );
        }
        let mut scanner = Scanner(b"1:02:03Z");
        assert_eq!(
            TimeOfDay::parse(&mut scanner, 1).map(TimeOfDay::seconds),
            Ok(3723)
        );
        assert_eq!(scanner.0, b"Z");
    }

    #[test]
    fn offsets_are_digits_around_a_colon() {
        assert_eq!(parse_hours_and_minutes(b"07:30"), Some((Some(7), Some(30))));
        assert_eq!(parse_hours_and_minutes(b"99:a0"), Some((Some(99), None)));
        assert_eq!(parse_hours_and_minutes(b"07-30"), None);
    }
}
