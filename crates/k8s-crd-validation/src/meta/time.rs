//! Times of metadata: as Go reads them, which is more than RFC 3339 allows, and as it writes them.

use core::fmt::Write as _;

use k8s_cel::format::date::days;

/// How times are written; errors say so.
const LAYOUT: &str = "2006-01-02T15:04:05Z07:00";

/// When there is none.
const ZERO: &str = "0001-01-01T00:00:00Z";

/// Seconds since the year 0 began. Parts of a second are not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Time(i64);

impl Time {
    /// Reads a time.
    ///
    /// # Errors
    ///
    /// As Go words it.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        Reader {
            whole: text,
            rest: text.as_bytes(),
        }
        .time()
    }

    /// The time as it is always written, in UTC and whole seconds; `None` where the text is that already.
    pub(super) fn plain(text: &str) -> Option<String> {
        // Of this length and with this end, it has nothing but digits to be read from.
        if text.len() == ZERO.len() && text.ends_with('Z') {
            return None;
        }
        Some(Self::parse(text).ok()?.to_text())
    }

    pub(super) fn is_zero(plain: &str) -> bool {
        plain == ZERO
    }

    fn to_text(self) -> String {
        const DAY: i64 = 86_400;
        let seconds = self.0.rem_euclid(DAY);
        let days_since = self.0.div_euclid(DAY);
        let (sign, mut year, mut left) = match u32::try_from(days_since) {
            Ok(days) => ("", days / 366, days),
            // By its offset, a time of the year 0 may lie in the year before. That has the days of the year 1.
            Err(_) => ("-", 1, u32::try_from(days_since + 731).unwrap_or(0)),
        };
        // Years differ by a day, so the guess is near.
        while days_before_year(year + 1) <= left {
            year += 1;
        }
        left -= days_before_year(year);
        let mut month = 1;
        while left >= days(year, month) {
            left -= days(year, month);
            month += 1;
        }
        let mut text = String::with_capacity(ZERO.len());
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "{sign}{year:04}-{month:02}-{:02}T{:02}:{:02}:{:02}Z",
            left + 1,
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60
        );
        text
    }
}

const fn days_before_year(year: u32) -> u32 {
    match year.checked_sub(1) {
        None => 0,
        // The year 0 is a leap year.
        Some(last) => year * 365 + last / 4 - last / 100 + last / 400 + 1,
    }
}

struct Reader<'t> {
    whole: &'t str,
    rest: &'t [u8],
}

impl<'t> Reader<'t> {
    fn time(mut self) -> Result<Time, String> {
        let year = self.year()?;
        self.sign(b'-')?;
        let month = self.number("01", "month", 1..=12, 2)?;
        self.sign(b'-')?;
        let day = self.number("02", "", 0..=99, 2)?;
        self.sign(b'T')?;
        let hour = self.number("15", "hour", 0..=23, 1)?;
        self.sign(b':')?;
        let minute = self.number("04", "minute", 0..=59, 2)?;
        self.sign(b':')?;
        let second = self.number("05", "second", 0..=59, 2)?;
        self.skip_fraction();
        let offset = self.zone()?;
        if !self.rest.is_empty() {
            return Err(self.says(&format!("extra text: {}", Quoted(self.rest))));
        }
        if !(1..=days(year, month)).contains(&day) {
            return Err(self.says("day out of range"));
        }
        let months = (1..month).map(|month| days(year, month)).sum::<u32>();
        let days = i64::from(days_before_year(year) + months + day - 1);
        let minutes = (days * 24 + i64::from(hour)) * 60 + i64::from(minute);
        Ok(Time(minutes * 60 + i64::from(second) - offset))
    }

    fn year(&mut self) -> Result<u32, String> {
        let digits = self.rest.split_first_chunk::<4>();
        let year = digits.and_then(|(digits, rest)| Some((number(digits)?, rest)));
        let (year, rest) = year.ok_or_else(|| self.cannot(self.rest, "2006"))?;
        self.rest = rest;
        Ok(year)
    }

    fn sign(&mut self, sign: u8) -> Result<(), String> {
        match self.rest.split_first() {
            Some((first, rest)) if *first == sign => {
                self.rest = rest;
                Ok(())
            }
            _ => Err(self.cannot(self.rest, char::from(sign).encode_utf8(&mut [0; 4]))),
        }
    }

    /// A number of two digits, or of one where that is enough.
    fn number(
        &mut self,
        element: &str,
        name: &str,
        range: core::ops::RangeInclusive<u32>,
        least: usize,
    ) -> Result<u32, String> {
        let digits = self
            .rest
            .iter()
            .take(2)
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let (digits, rest) = self.rest.split_at(digits);
        let number = number(digits).filter(|_| digits.len() >= least);
        let number = number.ok_or_else(|| self.cannot(self.rest, element))?;
        if !range.contains(&number) {
            return Err(self.says(&format!("{name} out of range")));
        }
        self.rest = rest;
        Ok(number)
    }

    fn skip_fraction(&mut self) {
        if let [b'.' | b',', digits @ ..] = self.rest {
            let count = digits
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .count();
            if count > 0 {
                (_, self.rest) = digits.split_at(count);
            }
        }
    }

    /// The offset in seconds.
    fn zone(&mut self) -> Result<i64, String> {
        let cannot = |reader: &Self| reader.cannot(reader.rest, "Z07:00");
        if let [b'Z', rest @ ..] = self.rest {
            self.rest = rest;
            return Ok(0);
        }
        let [sign, h1, h2, b':', m1, m2, rest @ ..] = self.rest else {
            return Err(cannot(self));
        };
        let hours = number(&[*h1, *h2]);
        let minutes = hours.and_then(|_| number(&[*m1, *m2]));
        if hours.is_some_and(|hours| hours > 24) {
            // Go goes on to the minutes, and says what it found last.
            let minutes_are_too_many = minutes.is_some_and(|minutes| minutes > 60);
            let name = if minutes_are_too_many {
                "minute"
            } else {
                "hour"
            };
            return Err(self.says(&format!("time zone offset {name} out of range")));
        }
        if minutes.is_some_and(|minutes| minutes > 60) {
            return Err(self.says("time zone offset minute out of range"));
        }
        let (Some(hours), Some(minutes)) = (hours, minutes) else {
            return Err(cannot(self));
        };
        let offset = i64::from(hours * 60 + minutes) * 60;
        let offset = match sign {
            b'+' => offset,
            b'-' => -offset,
            _ => return Err(cannot(self)),
        };
        self.rest = rest;
        Ok(offset)
    }

    fn cannot(&self, text: &'t [u8], element: &str) -> String {
        format!(
            "parsing time {} as {}: cannot parse {} as {}",
            Quoted(self.whole.as_bytes()),
            Quoted(LAYOUT.as_bytes()),
            Quoted(text),
            Quoted(element.as_bytes()),
        )
    }

    fn says(&self, what: &str) -> String {
        format!("parsing time {}: {what}", Quoted(self.whole.as_bytes()))
    }
}

fn number(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let digit = |number, digit: &u8| number * 10 + u32::from(digit - b'0');
    Some(digits.iter().fold(0, digit))
}

/// A text as errors about times quote it: byte by byte.
struct Quoted<'t>(&'t [u8]);

impl core::fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
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
