//! The strings that may have the tag `!!timestamp`. JSON has them as strings.

/// Returns true for a timestamp of go-yaml: a date, or a date and a time.
pub(crate) fn is_timestamp(text: &str) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let bytes = text.as_bytes();
    if bytes.iter().take_while(|byte| is_digit(byte)).count() != 4 {
        return false;
    }
    let (Some(year), Some(rest)) = (text.get(..4), text.get(4..)) else {
        return false;
    };
    let mut parser = TimestampParser(rest);
    let (Ok(year), Some(month), Some(day)) = (
        year.parse::<u32>(),
        parser.parse_number_after('-'),
        parser.parse_number_after('-'),
    ) else {
        return false;
    };
    if day == 0 || day > days_in_month(year, month) {
        return false;
    }
    match parser.0.chars().next() {
        None => true,
        Some('T' | 't') => {
            parser.skip();
            parser.skip_time() && parser.skip_zone() && parser.0.is_empty()
        }
        Some(' ') => {
            parser.0 = parser.0.trim_start_matches(' ');
            parser.skip_time() && parser.0.is_empty()
        }
        Some(_) => false,
    }
}

/// Returns the number of days of a month; 0 if there is no such month.
const fn days_in_month(year: u32, month: u32) -> u32 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        _ => 0,
    }
}

/// A parser of timestamps, which contains the rest of the string.
struct TimestampParser<'t>(&'t str);

impl TimestampParser<'_> {
    fn skip(&mut self) {
        self.0 = self.0.get(1..).unwrap_or_default();
    }

    fn skip_character(&mut self, expected: char) -> Option<()> {
        self.0 = self.0.strip_prefix(expected)?;
        Some(())
    }

    /// Parses one or two digits.
    fn parse_number(&mut self) -> Option<u32> {
        let count = self
            .0
            .bytes()
            .take(2)
            .take_while(u8::is_ascii_digit)
            .count();
        let (digits, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        digits.parse().ok()
    }

    fn parse_number_after(&mut self, expected: char) -> Option<u32> {
        self.skip_character(expected)?;
        self.parse_number()
    }

    /// Skips hours, minutes and seconds, optionally with a fraction. Returns false if they are
    /// invalid.
    fn skip_time(&mut self) -> bool {
        let (hour, minute) = (self.parse_number(), self.parse_number_after(':'));
        let second = self.parse_number_after(':');
        let is_below = |number: Option<u32>, limit| number.is_some_and(|number| number < limit);
        if !is_below(hour, 24) || !is_below(minute, 60) || !is_below(second, 60) {
            return false;
        }
        if let Some(rest) = self.0.strip_prefix(['.', ','])
            && rest.starts_with(|c: char| c.is_ascii_digit())
        {
            self.0 = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        }
        true
    }

    /// Skips `Z`, or an offset of hours and minutes. Returns false if the offset is invalid.
    fn skip_zone(&mut self) -> bool {
        if self.skip_character('Z').is_some() {
            return true;
        }
        let Some(([plus_or_minus, hours @ .., b':', tens, ones], rest)) =
            self.0.as_bytes().split_at_checked(6)
        else {
            return false;
        };
        let parse_two_digits = |digits: &[u8]| match digits {
            [tens, ones] if tens.is_ascii_digit() && ones.is_ascii_digit() => {
                (tens - b'0') * 10 + (ones - b'0')
            }
            _ => u8::MAX,
        };
        let is_offset = matches!(plus_or_minus, b'+' | b'-')
            && parse_two_digits(hours) <= 24
            && parse_two_digits(&[*tens, *ones]) <= 60;
        let is_at_end = rest.is_empty();
        if is_offset && is_at_end {
            self.0 = "";
        }
        is_offset
    }
}
