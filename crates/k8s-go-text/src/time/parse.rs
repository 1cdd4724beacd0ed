//! The parser of points in time, as Go parses them: RFC 3339 with some extensions, or a part of it.

use core::fmt::{self, Write as _};

use super::calendar::{SECONDS_PER_DAY, days_from_civil, days_in_month};
use crate::scan::{Scanner, is_digit};

/// The required layout of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// `2006-01-02`
    Date,
    /// `2006-01-02T15:04:05`
    Local,
    /// `2006-01-02T15:04:05+07:00`, or with a `Z`.
    Zoned,
}

impl Layout {
    /// Returns the layout as Go writes it.
    const fn name(self) -> &'static str {
        match self {
            Self::Date => "2006-01-02",
            Self::Local => "2006-01-02T15:04:05",
            Self::Zoned => "2006-01-02T15:04:05Z07:00",
        }
    }
}

/// A point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffsetDateTime {
    /// The seconds since 1970 began, in UTC.
    pub seconds: i64,
    /// The nanoseconds of the second.
    pub nanos: u32,
    /// The seconds by which the zone is ahead of UTC; 0 without a zone.
    pub offset: i32,
}

/// The reason why a string is not a point in time, with Go's message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeParseError<'t> {
    text: &'t [u8],
    layout: Layout,
    kind: TimeParseErrorKind<'t>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TimeParseErrorKind<'t> {
    /// The rest, which does not begin with the next piece of the layout, and the piece.
    UnexpectedInput(&'t [u8], &'static str),
    OutOfRange(&'static str),
    ExtraText(&'t [u8]),
}

/// Parses a point in time. The hour may have one digit, and a comma may precede parts of a second.
/// The zone is UTC if the layout has none.
///
/// # Errors
///
/// Returns Go's error, whose message is formatted only when it is printed.
pub fn parse_time(text: &str, layout: Layout) -> Result<OffsetDateTime, TimeParseError<'_>> {
    let text = text.as_bytes();
    let mut reader = TimeParser(Scanner(text));
    let found = reader.date_time(layout);
    found.map_err(|why| TimeParseError {
        text,
        layout,
        kind: why,
    })
}

struct TimeParser<'t>(Scanner<'t>);

impl<'t> TimeParser<'t> {
    fn date_time(&mut self, layout: Layout) -> Result<OffsetDateTime, TimeParseErrorKind<'t>> {
        let (year, month, day) = self.date()?;
        let (mut of_day, mut nanos, mut offset) = (0, 0, 0);
        if layout != Layout::Date {
            self.separator(b'T', "T")?;
            of_day = self.time_of_day()?;
            nanos = self.fraction();
        }
        if layout == Layout::Zoned {
            offset = self.zone()?;
            of_day -= i64::from(offset);
        }
        if !self.0.is_done() {
            return Err(TimeParseErrorKind::ExtraText(self.0.0));
        }
        if !(1..=days_in_month(year, month)).contains(&day) {
            return Err(TimeParseErrorKind::OutOfRange("day"));
        }
        let seconds = days_from_civil(year, month, day) * SECONDS_PER_DAY + of_day;
        Ok(OffsetDateTime {
            seconds,
            nanos,
            offset,
        })
    }

    fn date(&mut self) -> Result<(i64, u32, u32), TimeParseErrorKind<'t>> {
        let year = self.number(4, "2006")?;
        self.separator(b'-', "-")?;
        let month = self.number(2, "01")?;
        if !(1..=12).contains(&month) {
            return Err(TimeParseErrorKind::OutOfRange("month"));
        }
        self.separator(b'-', "-")?;
        let day = self.number(2, "02")?;
        Ok((year.into(), month, day))
    }

    /// Parses a time of day, in seconds.
    fn time_of_day(&mut self) -> Result<i64, TimeParseErrorKind<'t>> {
        let clock = TimeOfDay::parse(&mut self.0, 1);
        clock.map(TimeOfDay::seconds).map_err(|stop| match stop {
            TimeOfDayError::MissingHour => TimeParseErrorKind::UnexpectedInput(self.0.0, "15"),
            TimeOfDayError::MissingColon => TimeParseErrorKind::UnexpectedInput(self.0.0, ":"),
            TimeOfDayError::MissingMinute => TimeParseErrorKind::UnexpectedInput(self.0.0, "04"),
            TimeOfDayError::MissingSecond => TimeParseErrorKind::UnexpectedInput(self.0.0, "05"),
            TimeOfDayError::OutOfRange(what) => TimeParseErrorKind::OutOfRange(what),
        })
    }

    /// Parses parts of a second, in nanoseconds.
    fn fraction(&mut self) -> u32 {
        let mut after = self.0;
        if after.eat_if(|byte| matches!(byte, b'.' | b',')).is_none() {
            return 0;
        }
        let digits = after.eat_while(is_digit);
        if !digits.is_empty() {
            self.0 = after;
        }
        let nine = digits.iter().chain(core::iter::repeat(&b'0')).take(9);
        nine.fold(0, |number, digit| number * 10 + u32::from(digit - b'0'))
    }

    /// Parses a zone, as the seconds by which it is ahead of UTC.
    fn zone(&mut self) -> Result<i32, TimeParseErrorKind<'t>> {
        if self.0.eat(b'Z') {
            return Ok(0);
        }
        let cannot = TimeParseErrorKind::UnexpectedInput(self.0.0, "Z07:00");
        let Some(([sign, rest @ ..], after)) = self.0.0.split_first_chunk::<6>() else {
            return Err(cannot);
        };
        // An API server accepts 24 hours and 60 minutes here.
        let (hours, minutes) = match parse_hours_and_minutes(rest).ok_or(cannot)? {
            // Go also parses the minutes, and reports the last error.
            (Some(_), Some(61..)) => {
                return Err(TimeParseErrorKind::OutOfRange("time zone offset minute"));
            }
            (Some(25..), _) => return Err(TimeParseErrorKind::OutOfRange("time zone offset hour")),
            (Some(hours), Some(minutes)) => (hours, minutes),
            _ => return Err(cannot),
        };
        let offset = i32::try_from(hours * 60 + minutes).map_err(|_| cannot)? * 60;
        let offset = match sign {
            b'+' => offset,
            b'-' => -offset,
            _ => return Err(cannot),
        };
        self.0.0 = after;
        Ok(offset)
    }

    fn number(
        &mut self,
        digits: usize,
        piece: &'static str,
    ) -> Result<u32, TimeParseErrorKind<'t>> {
        let rest = self.0.0;
        self.0
            .eat_number(digits)
            .ok_or(TimeParseErrorKind::UnexpectedInput(rest, piece))
    }

    fn separator(&mut self, sign: u8, piece: &'static str) -> Result<(), TimeParseErrorKind<'t>> {
        if self.0.eat(sign) {
            Ok(())
        } else {
            Err(TimeParseErrorKind::UnexpectedInput(self.0.0, piece))
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

/// The position and reason at which the parser of a time of day stopped.
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
    /// A number is too large; its name.
    OutOfRange(&'static str),
}

impl TimeOfDay {
    /// Takes `15:04:05`; the hour has at least `hour_digits` digits.
    ///
    /// # Errors
    ///
    /// Returns an error if a part is missing, at the position where `text` then is.
    pub fn parse(text: &mut Scanner<'_>, hour_digits: usize) -> Result<Self, TimeOfDayError> {
        let has_two = matches!(text.0, [_, second, ..] if is_digit(*second));
        let digits = if has_two { 2 } else { hour_digits };
        let hour = text.eat_number(digits).ok_or(TimeOfDayError::MissingHour)?;
        if hour > 23 {
            return Err(TimeOfDayError::OutOfRange("hour"));
        }
        let mut below_60 = |missing, name| {
            if !text.eat(b':') {
                return Err(TimeOfDayError::MissingColon);
            }
            match text.eat_number(2).ok_or(missing)? {
                60.. => Err(TimeOfDayError::OutOfRange(name)),
                number => Ok(number),
            }
        };
        Ok(Self {
            hour,
            minute: below_60(TimeOfDayError::MissingMinute, "minute")?,
            second: below_60(TimeOfDayError::MissingSecond, "second")?,
        })
    }

    /// Returns the seconds since midnight.
    fn seconds(self) -> i64 {
        i64::from((self.hour * 60 + self.minute) * 60 + self.second)
    }
}

/// Returns the hours and the minutes of `07:00`; each is `None` if it does not have two digits.
/// Returns `None` without the colon.
#[must_use]
pub fn parse_hours_and_minutes(text: &[u8; 5]) -> Option<(Option<u32>, Option<u32>)> {
    let [h1, h2, b':', m1, m2] = *text else {
        return None;
    };
    let number = |digits: [u8; 2]| Scanner(&digits).eat_number(2);
    Some((number([h1, h2]), number([m1, m2])))
}

impl fmt::Display for TimeParseError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "parsing time {}", AsciiQuoted(self.text))?;
        match self.kind {
            TimeParseErrorKind::UnexpectedInput(rest, piece) => {
                let [layout, piece] =
                    [self.layout.name(), piece].map(|text| AsciiQuoted(text.as_bytes()));
                write!(
                    f,
                    " as {layout}: cannot parse {} as {piece}",
                    AsciiQuoted(rest)
                )
            }
            TimeParseErrorKind::OutOfRange(what) => write!(f, ": {what} out of range"),
            TimeParseErrorKind::ExtraText(rest) => write!(f, ": extra text: {}", AsciiQuoted(rest)),
        }
    }
}

/// A string as these errors quote it: bytes that are not plain ASCII are escaped.
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
    fn more_than_rfc_3339_is_read() {
        for (text, seconds, nanos, offset) in [
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
                parse_time(text, Layout::Zoned),
                Ok(OffsetDateTime {
                    seconds,
                    nanos,
                    offset
                }),
                "{text}"
            );
        }
        let noon = parse_time("2000-02-29T12:00:00", Layout::Local);
        assert_eq!(noon.map(|noon| noon.seconds), Ok(951_825_600));
        let day = parse_time("2000-02-29", Layout::Date);
        assert_eq!(day.map(|day| day.seconds), Ok(951_782_400));
    }

    #[test]
    fn what_is_wrong_is_said_as_go_says_it() {
        const START: &str = "2020-02-29T01:02:03";
        let zone = |rest: &str| {
            format!(" as \"2006-01-02T15:04:05Z07:00\": cannot parse {rest:?} as \"Z07:00\"")
        };
        for (end, said) in [
            ("", zone("")),
            (".", zone(".")),
            ("+01:3", zone("+01:3")),
            ("+01-30", zone("+01-30")),
            ("+aa:61", zone("+aa:61")),
            ("x01:30", zone("x01:30")),
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
            let text = format!("{START}{end}");
            let found = parse_time(&text, Layout::Zoned).map_err(|unread| unread.to_string());
            let quoted = text.replace('\u{e9}', "\\xc3\\xa9");
            assert_eq!(found, Err(format!("parsing time \"{quoted}\"{said}")));
        }
        for (text, said) in [
            ("2020-2-29", "cannot parse \"2-29\" as \"01\""),
            ("2020-13-29", "\"2020-13-29\": month out of range"),
            ("2021-02-29T", "extra text: \"T\""),
            ("2021-02-29", "day out of range"),
            ("2021-02-00", "day out of range"),
            ("202a-02-29", "cannot parse \"202a-02-29\" as \"2006\""),
        ] {
            let unread = parse_time(text, Layout::Date).expect_err(text).to_string();
            assert!(unread.ends_with(said), "{unread}");
        }
    }

    #[test]
    fn a_clock_stops_where_something_is_missing() {
        for (text, wanted) in [
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
                TimeOfDay::parse(&mut Scanner(text.as_bytes()), 2),
                Err(wanted),
                "{text}"
            );
        }
        let mut text = Scanner(b"1:02:03Z");
        assert_eq!(
            TimeOfDay::parse(&mut text, 1).map(TimeOfDay::seconds),
            Ok(3723)
        );
        assert_eq!(text.0, b"Z");
    }

    #[test]
    fn offsets_are_digits_around_a_colon() {
        assert_eq!(parse_hours_and_minutes(b"07:30"), Some((Some(7), Some(30))));
        assert_eq!(parse_hours_and_minutes(b"99:a0"), Some((Some(99), None)));
        assert_eq!(parse_hours_and_minutes(b"07-30"), None);
    }
}
