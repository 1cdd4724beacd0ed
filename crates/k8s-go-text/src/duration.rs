//! Durations, in nanoseconds: as Go parses them, as strings of format `duration` name them, and as
//! CEL prints them.

use core::fmt;

use crate::scan::{Scanner, is_digit, is_whitespace, parse_decimal};
use crate::time::SECONDS_PER_DAY;

/// The nanoseconds of a second.
pub const NANOS_PER_SECOND: i64 = 1_000_000_000;

/// The absolute value of the least duration.
const MAX_ABSOLUTE: u64 = 1 << 63;

const MINUTE: i64 = 60 * NANOS_PER_SECOND;
const HOUR: i64 = 60 * MINUTE;

/// The units of Go. Two code points look like the Greek letter mu.
const UNITS: [(&str, i64); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("\u{b5}s", 1_000),
    ("\u{3bc}s", 1_000),
    ("ms", 1_000_000),
    ("s", NANOS_PER_SECOND),
    ("m", MINUTE),
    ("h", HOUR),
];

/// The further units of format `duration`.
const NAMES: [(&str, i64); 4] = [
    ("hr", HOUR),
    ("d", SECONDS_PER_DAY * NANOS_PER_SECOND),
    ("w", 7 * SECONDS_PER_DAY * NANOS_PER_SECOND),
    ("wk", 7 * SECONDS_PER_DAY * NANOS_PER_SECOND),
];

/// The prefixes of longer unit names of format `duration`.
const NAME_PREFIXES: [(&str, i64); 8] = [
    ("nano", 1),
    ("micro", 1_000),
    ("milli", 1_000_000),
    ("sec", NANOS_PER_SECOND),
    ("min", MINUTE),
    ("hour", HOUR),
    ("day", SECONDS_PER_DAY * NANOS_PER_SECOND),
    ("week", 7 * SECONDS_PER_DAY * NANOS_PER_SECOND),
];

/// The reason why a string of format `duration` is not a duration, with the message of an API
/// server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DurationParseError<'t> {
    /// The string does not contain a number with a unit.
    NotADuration(&'t str),
    /// A number before a word is too large.
    NumberOutOfRange(&'t [u8]),
}

/// Parses a duration as Go writes it, a sum of numbers with units: `1h30m`, `-1.5s`.
#[must_use]
pub fn parse_duration(text: &str) -> Option<i64> {
    let mut text = Scanner(text.as_bytes());
    let sign = text.eat_if(|byte| matches!(byte, b'+' | b'-'));
    if text.0 == b"0" {
        return Some(0);
    }
    if text.is_done() {
        return None;
    }
    let mut sum: u64 = 0;
    while !text.is_done() {
        // In Go too, the sum of two durations of size `MAX_ABSOLUTE` is 0.
        sum = sum.wrapping_add(term(&mut text)?);
        if sum > MAX_ABSOLUTE {
            return None;
        }
    }
    if sign == Some(b'-') {
        0_i64.checked_sub_unsigned(sum)
    } else {
        i64::try_from(sum).ok()
    }
}

/// Parses a number with its unit.
fn term(text: &mut Scanner<'_>) -> Option<u64> {
    let whole = text.eat_while(is_digit);
    let fraction = if text.eat(b'.') {
        text.eat_while(is_digit)
    } else {
        &[]
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let name = text.eat_while(|byte| byte != b'.' && !is_digit(byte));
    let (_, unit) = UNITS.iter().find(|(unit, _)| unit.as_bytes() == name)?;
    let unit = unit.unsigned_abs();
    let whole = parse_decimal(whole).filter(|whole| *whole <= MAX_ABSOLUTE / unit)?;
    Some(whole * unit + part(fraction, unit)).filter(|sum| *sum <= MAX_ABSOLUTE)
}

/// Returns the part of a unit in the digits after a point. Digits that 63 bits do not hold are
/// ignored.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a server computes with floats, and the result is not larger than the unit"
)]
fn part(digits: &[u8], unit: u64) -> u64 {
    let numbers = digits.iter().scan(0_u64, |number, digit| {
        let longer = number.checked_mul(10)?;
        *number = longer.checked_add(u64::from(digit - b'0'))?;
        (*number <= MAX_ABSOLUTE).then_some(*number)
    });
    let (number, of) = numbers.fold((0, 1.0), |(_, of), number| (number, of * 10.0));
    (number as f64 * (unit as f64 / of)) as u64
}

/// Parses a string of format `duration`, which may also contain numbers and unit names anywhere,
/// such as `3 days`.
///
/// # Errors
///
/// Returns the error of an API server if the string does not name a duration.
pub fn parse_format_duration(text: &str) -> Result<i64, DurationParseError<'_>> {
    match parse_duration(text) {
        Some(nanos) => Ok(nanos),
        None => parse_words(text),
    }
}

/// Returns the sum of all numbers that precede the name of a unit. The sum wraps at 64 bits, as on
/// an API server.
fn parse_words(text: &str) -> Result<i64, DurationParseError<'_>> {
    let mut rest = Scanner(text.as_bytes());
    let mut sum = None;
    while !rest.is_done() {
        rest.eat_while(|byte| !is_digit(byte));
        let digits = rest.eat_while(is_digit);
        rest.eat_while(is_whitespace);
        let Some(word) = word(&mut rest) else {
            continue;
        };
        let number = parse_decimal(digits).and_then(|number| i64::try_from(number).ok());
        let number = number.ok_or(DurationParseError::NumberOutOfRange(digits))?;
        if let Some(unit) = named(word) {
            let before: i64 = sum.unwrap_or_default();
            sum = Some(before.wrapping_add(number.wrapping_mul(unit)));
        }
    }
    sum.ok_or(DurationParseError::NotADuration(text))
}

/// Takes a word: ASCII letters, and the micro sign.
fn word<'t>(text: &mut Scanner<'t>) -> Option<&'t [u8]> {
    let start = text.0;
    loop {
        text.eat_while(|byte| byte.is_ascii_alphabetic());
        match text.0 {
            [0xc2, 0xb5, rest @ ..] => text.0 = rest,
            rest => {
                let (word, _) = start.split_at(start.len() - rest.len());
                return (!word.is_empty()).then_some(word);
            }
        }
    }
}

/// Returns the unit of a name; upper and lower case are equal.
fn named(word: &[u8]) -> Option<i64> {
    let is_name = |name: &str| word.eq_ignore_ascii_case(name.as_bytes());
    let begins = |name: &str| {
        let start = word.get(..name.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
    };
    let mut names = UNITS.iter().chain(&NAMES);
    let unit = names.find(|(name, _)| is_name(name));
    let unit = unit.or_else(|| NAME_PREFIXES.iter().find(|(name, _)| begins(name)));
    unit.map(|(_, unit)| *unit)
}

impl fmt::Display for DurationParseError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotADuration(text) => write!(f, "unable to parse {text} as duration"),
            Self::NumberOutOfRange(digits) => {
                f.write_str("strconv.Atoi: parsing \"")?;
                digits
                    .iter()
                    .try_for_each(|digit| write!(f, "{}", char::from(*digit)))?;
                f.write_str("\": value out of range")
            }
        }
    }
}

/// A duration as CEL prints it: in seconds.
pub struct CelDuration(pub i64);

impl fmt::Display for CelDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let nanos = self.0.unsigned_abs();
        let (whole, rest) = (
            nanos / NANOS_PER_SECOND.unsigned_abs(),
            nanos % NANOS_PER_SECOND.unsigned_abs(),
        );
        write!(f, "{sign}{whole}")?;
        if rest > 0 {
            let rest = format!("{rest:09}");
            write!(f, ".{}", rest.trim_end_matches('0'))?;
        }
        f.write_str("s")
    }
}

/// A duration as Go prints it: `1h0m0.5s`, `1.5ms`.
pub struct GoDuration(pub i64);

impl fmt::Display for GoDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let nanos = self.0.unsigned_abs();
        let fraction = |nanos: u64, digits: usize| {
            let part = format!("{nanos:0digits$}");
            let part = part.trim_end_matches('0');
            let point = if part.is_empty() { "" } else { "." };
            format!("{point}{part}")
        };
        let (unit, digits, name) = match nanos {
            0 => return f.write_str("0s"),
            1..1_000 => (1, 0, "ns"),
            1_000..1_000_000 => (1_000, 3, "µs"),
            1_000_000..1_000_000_000 => (1_000_000, 6, "ms"),
            _ => {
                let (seconds, rest) = (nanos / 1_000_000_000, nanos % 1_000_000_000);
                let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
                f.write_str(sign)?;
                if hours > 0 {
                    write!(f, "{hours}h")?;
                }
                if hours > 0 || minutes > 0 {
                    write!(f, "{minutes}m")?;
                }
                return write!(f, "{}{}s", seconds % 60, fraction(rest, 9));
            }
        };
        let rest = if digits == 0 {
            String::new()
        } else {
            fraction(nanos % unit, digits)
        };
        write!(f, "{sign}{}{rest}{name}", nanos / unit)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn durations_are_printed_as_go_prints_them() {
        for (nanos, printed) in [
            (0, "0s"),
            (1, "1ns"),
            (-1_500, "-1.5µs"),
            (2_000_000, "2ms"),
            (1_000_000_001, "1.000000001s"),
            (60_000_000_000, "1m0s"),
            (-5_400_500_000_000, "-1h30m0.5s"),
        ] {
            assert_eq!(GoDuration(nanos).to_string(), printed);
        }
    }

    use super::{
        CelDuration, GoDuration, MAX_ABSOLUTE, UNITS, parse_duration, parse_format_duration, part,
    };

    #[test]
    fn durations_are_read_and_printed() {
        for (text, nanos) in [
            ("1h30m", 5_400_000_000_000),
            ("-1.5s", -1_500_000_000),
            ("0", 0),
            ("+0", 0),
            (".5h", 1_800_000_000_000),
            ("1.s", 1_000_000_000),
            ("1\u{b5}s1\u{3bc}s", 2_000),
            ("9223372036854775807ns", i64::MAX),
            ("-9223372036854775808ns", i64::MIN),
            ("-2562047h47m16.854775808s", i64::MIN),
            // Two durations of size `MAX_ABSOLUTE` add up to 0.
            ("9223372036854775808ns9223372036854775808ns", 0),
            // Rounded by float arithmetic.
            ("0.3333333333333333333h", 1_200_000_000_000),
            ("0.99999999999999999999ns", 1),
        ] {
            assert_eq!(parse_duration(text), Some(nanos), "{text}");
            assert_eq!(parse_format_duration(text), Ok(nanos), "{text}");
        }
        for text in [
            "",
            "-",
            "1",
            ".",
            ".s",
            "1S",
            "3 days",
            "9223372036854775808ns",
            "2562047h48m",
        ] {
            assert_eq!(parse_duration(text), None, "{text}");
        }
        let long = format!("1ns{}ns", i128::MAX);
        assert_eq!(parse_duration(&long), None, "a sum beyond 128 bits");
        assert_eq!(CelDuration(-1_500_000_000).to_string(), "-1.5s");
    }

    /// The results of an API server.
    #[test]
    fn words_name_units() {
        const DAY: i64 = 86_400_000_000_000;
        for (text, nanos) in [
            ("3 days", 3 * DAY),
            ("P1D", DAY),
            ("xx 3d yy 2 cats", 3 * DAY),
            ("3 minutes 4 HOURS", 14_580_000_000_000),
            ("1 \u{b5}S 1 nanosecond", 1_001),
            ("1 wk\t2hr", 7 * DAY + 7_200_000_000_000),
            // The result wraps, because its numbers have 64 bits.
            ("15251 weeks", -9_222_939_273_709_551_616),
            ("1 2 3 s", 3_000_000_000),
        ] {
            assert_eq!(parse_format_duration(text), Ok(nanos), "{text}");
        }
        for (text, said) in [
            ("a \"b\"", "unable to parse a \"b\" as duration"),
            ("1 \u{a0}s", "unable to parse 1 \u{a0}s as duration"),
            ("1", "unable to parse 1 as duration"),
            (
                "1h 99999999999999999999 d",
                "strconv.Atoi: parsing \"99999999999999999999\": value out of range",
            ),
        ] {
            let unread = parse_format_duration(text).err();
            assert_eq!(
                unread.map(|unread| unread.to_string()).as_deref(),
                Some(said)
            );
        }
    }

    /// All fractions of a few digits equal the results of integer arithmetic.
    #[test]
    fn parts_of_units_are_exact_where_floats_are() {
        for (unit, nanos) in UNITS {
            let nanos = nanos.unsigned_abs();
            for (count, parts) in [(1, 10), (2, 100), (3, 1000), (4, 10_000)] {
                for number in 0..parts {
                    let digits = format!("{number:0count$}");
                    let wanted = number * nanos / parts;
                    assert_eq!(part(digits.as_bytes(), nanos), wanted, "0.{digits}{unit}");
                }
            }
        }
    }

    #[test]
    fn digits_that_do_not_fit_make_nothing() {
        let full = MAX_ABSOLUTE.to_string();
        for more in ["0", "9", "123456789"] {
            let long = format!("{full}{more}");
            assert_eq!(
                part(long.as_bytes(), 1 << 40),
                part(full.as_bytes(), 1 << 40)
            );
        }
        let small = format!("{}9", "0".repeat(400));
        assert_eq!(part(small.as_bytes(), 1 << 40), 0);
        assert_eq!(part(&[], 1 << 40), 0);
    }
}
