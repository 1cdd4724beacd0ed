//! Reads points in time, and says of a text that is none what an API server says.

use core::fmt;

use super::{DAY, Timestamp, days_in, days_of};

const DATE: &str = "2006-01-02";
const LOCAL: &str = "2006-01-02T15:04:05";
const WITH_ZONE: &str = "2006-01-02T15:04:05Z07:00";

/// A text of format `date`.
pub(crate) fn parse_date(text: &str) -> Result<Timestamp, String> {
    let mut reader = Reader::new(text, DATE);
    let date = reader.date()?;
    let seconds = reader.end(&date)? * DAY;
    Ok(Timestamp { seconds, nanos: 0 })
}

/// A text of format `date-time`: as RFC 3339 has it, or without a zone; an empty one is 1970.
pub(crate) fn parse_date_time(text: &str) -> Result<Timestamp, String> {
    if text.is_empty() {
        return Ok(Timestamp {
            seconds: 0,
            nanos: 0,
        });
    }
    // What the server says is about the form that it tries last.
    Reader::new(text, WITH_ZONE)
        .date_time(true)
        .or_else(|_| Reader::new(text, LOCAL).date_time(false))
}

/// A text as RFC 3339 has it, in the years that CEL takes.
pub(crate) fn parse_rfc3339(text: &str) -> Option<Timestamp> {
    let found = Reader::new(text, WITH_ZONE).date_time(true).ok()?;
    Timestamp::new(found.seconds, found.nanos.into())
}

struct Reader<'t> {
    text: &'t str,
    /// As Go writes it.
    layout: &'static str,
    rest: &'t str,
}

struct Date {
    year: u32,
    month: u32,
    day: u32,
}

impl<'t> Reader<'t> {
    const fn new(text: &'t str, layout: &'static str) -> Self {
        Self {
            text,
            layout,
            rest: text,
        }
    }

    fn date(&mut self) -> Result<Date, String> {
        let year = self.number(4, "2006")?;
        self.sign("-")?;
        let month = self.number(2, "01")?;
        if !(1..=12).contains(&month) {
            return Err(self.out_of_range("month"));
        }
        self.sign("-")?;
        let day = self.number(2, "02")?;
        Ok(Date { year, month, day })
    }

    fn date_time(mut self, has_zone: bool) -> Result<Timestamp, String> {
        let date = self.date()?;
        self.sign("T")?;
        let hours = self.hour()?;
        self.sign(":")?;
        let minutes = self.below_60("04", "minute")?;
        self.sign(":")?;
        let seconds = self.below_60("05", "second")?;
        let nanos = self.fraction();
        let offset = if has_zone { self.zone()? } else { 0 };
        let of_day = i64::from(hours) * 3600 + i64::from(minutes) * 60 + i64::from(seconds);
        let seconds = self.end(&date)? * DAY + of_day - offset;
        Ok(Timestamp { seconds, nanos })
    }

    /// The days since 1970, if nothing is left and there is such a day.
    fn end(&self, date: &Date) -> Result<i64, String> {
        if !self.rest.is_empty() {
            return Err(self.wrong(&format!("extra text: {}", Quoted(self.rest))));
        }
        let (year, month, day) = (i64::from(date.year), date.month, date.day);
        if day < 1 || day > days_in(year, month) {
            return Err(self.out_of_range("day"));
        }
        Ok(days_of(year, month, day))
    }

    /// So many digits.
    fn number(&mut self, digits: usize, piece: &str) -> Result<u32, String> {
        let found = self.rest.get(..digits).filter(|found| is_number(found));
        let found = found.and_then(|found| found.parse().ok());
        let found = found.ok_or_else(|| self.cannot(piece))?;
        self.rest = self.rest.get(digits..).unwrap_or_default();
        Ok(found)
    }

    /// One digit or two.
    fn hour(&mut self) -> Result<u32, String> {
        let digits = if self.rest.get(1..2).is_some_and(is_number) {
            2
        } else {
            1
        };
        match self.number(digits, "15")? {
            24.. => Err(self.out_of_range("hour")),
            hour => Ok(hour),
        }
    }

    fn below_60(&mut self, piece: &str, name: &str) -> Result<u32, String> {
        match self.number(2, piece)? {
            60.. => Err(self.out_of_range(name)),
            found => Ok(found),
        }
    }

    /// Parts of a second, in nanoseconds.
    fn fraction(&mut self) -> u32 {
        let Some(fraction) = self.rest.strip_prefix(['.', ',']) else {
            return 0;
        };
        let length = fraction.bytes().take_while(u8::is_ascii_digit).count();
        let Some((digits, rest)) = fraction.split_at_checked(length).filter(|_| length > 0) else {
            return 0;
        };
        self.rest = rest;
        format!("{digits:0<9}")
            .get(..9)
            .and_then(|nine| nine.parse().ok())
            .unwrap_or_default()
    }

    /// How many seconds a zone is ahead of UTC.
    fn zone(&mut self) -> Result<i64, String> {
        if let Some(rest) = self.rest.strip_prefix('Z') {
            self.rest = rest;
            return Ok(0);
        }
        let direction = match self.rest.get(..1) {
            Some("+") => 1,
            Some("-") => -1,
            _ => return Err(self.cannot("Z07:00")),
        };
        self.rest = self.rest.get(1..).unwrap_or_default();
        let hours = self.number(2, "Z07:00")?;
        self.sign(":")?;
        let minutes = self.number(2, "Z07:00")?;
        // The server takes whole days and hours here.
        if hours > 24 || minutes > 60 {
            return Err(self.out_of_range("time zone offset"));
        }
        Ok(direction * (i64::from(hours) * 3600 + i64::from(minutes) * 60))
    }

    fn sign(&mut self, sign: &str) -> Result<(), String> {
        self.rest = self
            .rest
            .strip_prefix(sign)
            .ok_or_else(|| self.cannot(sign))?;
        Ok(())
    }

    fn cannot(&self, piece: &str) -> String {
        let [text, layout, rest, piece] = [self.text, self.layout, self.rest, piece].map(Quoted);
        format!("parsing time {text} as {layout}: cannot parse {rest} as {piece}")
    }

    fn out_of_range(&self, what: &str) -> String {
        self.wrong(&format!("{what} out of range"))
    }

    fn wrong(&self, why: &str) -> String {
        format!("parsing time {}: {why}", Quoted(self.text))
    }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A text as these errors quote it: what is not plain ASCII, byte by byte.
struct Quoted<'t>(&'t str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for byte in self.0.bytes() {
            match byte {
                b'"' | b'\\' => write!(f, "\\{}", char::from(byte))?,
                b' '..=0x7f => write!(f, "{}", char::from(byte))?,
                _ => write!(f, "\\x{byte:02x}")?,
            }
        }
        f.write_str("\"")
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
            assert_eq!(parse_date_time(text).err(), wanted, "{text}");
        }
        assert_eq!(
            parse_date("2021-02-29").err(),
            Some("parsing time \"2021-02-29\": day out of range".into())
        );
    }
}
