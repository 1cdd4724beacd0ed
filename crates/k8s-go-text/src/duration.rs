//! Durations in nanoseconds: parsed as Go does, parsed in the format `duration`, and printed as CEL
//! and Go do.

use core::fmt;

use crate::scan::{Scanner, is_digit, is_whitespace, parse_decimal};
use crate::time::SECONDS_PER_DAY;

/// The number of nanoseconds in a second.
pub const NANOS_PER_SECOND: i64 = 1_000_000_000;

/// The absolute value of the smallest duration, in nanoseconds.
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

/// The additional units of the format `duration`.
const MORE_UNITS: [(&str, i64); 4] = [
    ("hr", HOUR),
    ("d", SECONDS_PER_DAY * NANOS_PER_SECOND),
    ("w", 7 * SECONDS_PER_DAY * NANOS_PER_SECOND),
    ("wk", 7 * SECONDS_PER_DAY * NANOS_PER_SECOND),
];

/// Prefixes of long unit names in the format `duration`.
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

/// The reason why a string does not have the format `duration`. `Display` prints the message of an
/// API server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DurationParseError<'t> {
    /// The string does not contain a number with a unit.
    NotADuration(&'t str),
    /// A number is too large.
    NumberOutOfRange(&'t [u8]),
}

/// Parses a duration in Go's syntax, a sum of numbers with units: `1h30m`, `-1.5s`.
#[must_use]
pub fn parse_duration(string: &str) -> Option<i64> {
    let mut scanner = Scanner(string.as_bytes());
    let sign = scanner.eat_if(|byte| matches!(byte, b'+' | b'-'));
    if scanner.0 == b"0" {
        return Some(0);
    }
    if scanner.is_done() {
        return None;
    }
    let mut nanos: u64 = 0;
    while !scanner.is_done() {
        // As in Go, the sum of two durations of size `MAX_ABSOLUTE` wraps to 0.
        nanos = nanos.wrapping_add(parse_term(&mut scanner)?);
        if nanos > MAX_ABSOLUTE {
            return None;
        }
    }
    if sign == Some(b'-') {
        0_i64.checked_sub_unsigned(nanos)
    } else {
        i64::try_from(nanos).ok()
    }
}

/// Parses a number and its unit.
fn parse_term(scanner: &mut Scanner<'_>) -> Option<u64> {
    let whole = scanner.eat_while(is_digit);
    let fraction = if scanner.eat(b'.') {
        scanner.eat_while(is_digit)
    } else {
        &[]
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let name = scanner.eat_while(|byte| byte != b'.' && !is_digit(byte));
    let (_, unit_nanos) = UNITS.iter().find(|(unit, _)| unit.as_bytes() == name)?;
    let unit_nanos = unit_nanos.unsigned_abs();
    let whole = parse_decimal(whole).filter(|whole| *whole <= MAX_ABSOLUTE / unit_nanos)?;
    Some(whole * unit_nanos + fraction_nanos(fraction, unit_nanos))
        .filter(|sum| *sum <= MAX_ABSOLUTE)
}

/// Returns the fraction of a unit that the digits after a point represent. Digits beyond 63 bits
/// are ignored.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a server computes with floats, and the result is not larger than the unit"
)]
fn fraction_nanos(digits: &[u8], unit: u64) -> u64 {
    let prefixes = digits.iter().scan(0_u64, |number, digit| {
        let scaled = number.checked_mul(10)?;
        *number = scaled.checked_add(u64::from(digit - b'0'))?;
        (*number <= MAX_ABSOLUTE).then_some(*number)
    });
    let (number, divisor) =
        prefixes.fold((0, 1.0), |(_, divisor), number| (number, divisor * 10.0));
    (number as f64 * (unit as f64 / divisor)) as u64
}

/// Parses a string in the format `duration`. Apart from Go's syntax, the string may contain numbers
/// with unit names anywhere, such as `3 days`.
///
/// # Errors
///
/// Returns the error of an API server if the string contains no duration.
pub fn parse_format_duration(string: &str) -> Result<i64, DurationParseError<'_>> {
    match parse_duration(string) {
        Some(nanos) => Ok(nanos),
        None => parse_words(string),
    }
}

/// Returns the sum of all numbers that precede a unit name. As on an API server, the sum wraps at
/// 64 bits.
fn parse_words(string: &str) -> Result<i64, DurationParseError<'_>> {
    let mut scanner = Scanner(string.as_bytes());
    let mut sum = None;
    while !scanner.is_done() {
        scanner.eat_while(|byte| !is_digit(byte));
        let digits = scanner.eat_while(is_digit);
        scanner.eat_while(is_whitespace);
        let Some(word) = eat_word(&mut scanner) else {
            continue;
        };
        let number = parse_decimal(digits).and_then(|number| i64::try_from(number).ok());
        let number = number.ok_or(DurationParseError::NumberOutOfRange(digits))?;
        if let Some(unit) = unit_of_word(word) {
            let previous: i64 = sum.unwrap_or_default();
            sum = Some(previous.wrapping_add(number.wrapping_mul(unit)));
        }
    }
    sum.ok_or(DurationParseError::NotADuration(string))
}

/// Consumes a word of ASCII letters and micro signs (U+00B5: the bytes 0xc2 0xb5).
fn eat_word<'t>(scanner: &mut Scanner<'t>) -> Option<&'t [u8]> {
    let start = scanner.0;
    loop {
        scanner.eat_while(|byte| byte.is_ascii_alphabetic());
        match scanner.0 {
            [0xc2, 0xb5, rest @ ..] => scanner.0 = rest,
            rest => {
                let (word, _) = start.split_at(start.len() - rest.len());
                return (!word.is_empty()).then_some(word);
            }
        }
    }
}

/// Returns the unit with a name. The comparison ignores ASCII case.
fn unit_of_word(word: &[u8]) -> Option<i64> {
    let is_name = |name: &str| word.eq_ignore_ascii_case(name.as_bytes());
    let has_prefix = |name: &str| {
        let start = word.get(..name.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
    };
    let mut units = UNITS.iter().chain(&MORE_UNITS);
    let unit = units.find(|(name, _)| is_name(name));
    let unit = unit.or_else(|| NAME_PREFIXES.iter().find(|(name, _)| has_prefix(name)));
    unit.map(|(_, unit)| *unit)
}

impl fmt::Display for DurationParseError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotADuration(string) => write!(f, "unable to parse {string} as duration"),
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

/// Formats a duration as CEL does, in seconds.
pub struct CelDuration(pub i64);

impl fmt::Display for CelDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let nanos = self.0.unsigned_abs();
        let (seconds, remaining_nanos) = (
            nanos / NANOS_PER_SECOND.unsigned_abs(),
            nanos % NANOS_PER_SECOND.unsigned_abs(),
        );
        write!(f, "{sign}{seconds}")?;
        if remaining_nanos > 0 {
            let decimals = format!("{remaining_nanos:09}");
            write!(f, ".{}", decimals.trim_end_matches('0'))?;
        }
        f.write_str("s")
    }
}

/// Formats a duration as Go does, such as `1h0m0.5s` or `1.5ms`.
pub struct GoDuration(pub i64);

impl fmt::Display for GoDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let nanos = self.0.unsigned_abs();
        let format_fraction = |nanos: u64, digits: usize| {
            let decimals = format!("{nanos:0digits$}");
            let decimals = decimals.trim_end_matches('0');
            let point = if decimals.is_empty() { "" } else { "." };
            format!("{point}{decimals}")
        };
        let (unit, digits, name) = match nanos {
            0 => return f.write_str("0s"),
            1..1_000 => (1, 0, "ns"),
            1_000..1_000_000 => (1_000, 3, "µs"),
            1_000_000..1_000_000_000 => (1_000_000, 6, "ms"),
            _ => {
                let (seconds, remaining_nanos) = (nanos / 1_000_000_000, nanos % 1_000_000_000);
                let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
                f.write_str(sign)?;
                if hours > 0 {
                    write!(f, "{hours}h")?;
                }
                if hours > 0 || minutes > 0 {
                    write!(f, "{minutes}m")?;
                }
                return write!(
                    f,
                    "{}{}s",
                    seconds % 60,
                    format_fraction(remaining_nanos, 9)
                );
            }
        };
        let decimals = if digits == 0 {
            String::new()
        } else {
            format_fraction(nanos % unit, digits)
        };
        write!(f, "{sign}{}{decimals}{name}", nanos / unit)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        CelDuration, GoDuration, MAX_ABSOLUTE, UNITS, fraction_nanos, parse_duration,
        parse_format_duration,
    };

    #[test]
    fn durations_are_formatted_as_in_go() {
        for (nanos, expected) in [
            (0, "0s"),
            (1, "1ns"),
            (-1_500, "-1.5µs"),
            (2_000_000, "2ms"),
            (1_000_000_001, "1.000000001s"),
            (60_000_000_000, "1m0s"),
            (-5_400_500_000_000, "-1h30m0.5s"),
        ] {
            assert_eq!(GoDuration(nanos).to_string(), expected);
        }
    }

    #[test]
    fn durations_are_parsed_and_formatted() {
        for (string, nanos) in [
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
            // Two durations of size `MAX_ABSOLUTE` wrap to 0.
            ("9223372036854775808ns9223372036854775808ns", 0),
            // These values are rounded, because the computation uses floats.
            ("0.3333333333333333333h", 1_200_000_000_000),
            ("0.99999999999999999999ns", 1),
        ] {
            assert_eq!(parse_duration(string), Some(nanos), "{string}");
            assert_eq!(parse_format_duration(string), Ok(nanos), "{string}");
        }
        for string in [
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
            assert_eq!(parse_duration(string), None, "{string}");
        }
        let long_string = format!("1ns{}ns", i128::MAX);
        assert_eq!(parse_duration(&long_string), None, "a sum beyond 128 bits");
        assert_eq!(CelDuration(-1_500_000_000).to_string(), "-1.5s");
    }

    /// An API server returns the same results.
    #[test]
    fn numbers_with_unit_names_are_added() {
        const DAY: i64 = 86_400_000_000_000;
        for (string, nanos) in [
            ("3 days", 3 * DAY),
            ("P1D", DAY),
            ("xx 3d yy 2 cats", 3 * DAY),
            ("3 minutes 4 HOURS", 14_580_000_000_000),
            ("1 \u{b5}S 1 nanosecond", 1_001),
            ("1 wk\t2hr", 7 * DAY + 7_200_000_000_000),
            // The result wraps, because numbers have 64 bits.
            ("15251 weeks", -9_222_939_273_709_551_616),
            ("1 2 3 s", 3_000_000_000),
        ] {
            assert_eq!(parse_format_duration(string), Ok(nanos), "{string}");
        }
        for (string, message) in [
            ("a \"b\"", "unable to parse a \"b\" as duration"),
            ("1 \u{a0}s", "unable to parse 1 \u{a0}s as duration"),
            ("1", "unable to parse 1 as duration"),
            (
                "1h 99999999999999999999 d",
                "strconv.Atoi: parsing \"99999999999999999999\": value out of range",
            ),
        ] {
            let error = parse_format_duration(string).err();
            assert_eq!(
                error.map(|error| error.to_string()).as_deref(),
                Some(message)
            );
        }
    }

    /// The result for each fraction of up to four digits equals the result of integer arithmetic.
    #[test]
    fn short_fractions_are_exact() {
        for (unit, nanos) in UNITS {
            let nanos = nanos.unsigned_abs();
            for (count, parts) in [(1, 10), (2, 100), (3, 1000), (4, 10_000)] {
                for number in 0..parts {
                    let digits = format!("{number:0count$}");
                    let expected = number * nanos / parts;
                    assert_eq!(
                        fraction_nanos(digits.as_bytes(), nanos),
                        expected,
                        "0.{digits}{unit}"
                    );
                }
            }
        }
    }

    #[test]
    fn digits_beyond_63_bits_are_ignored() {
        let max_digits = MAX_ABSOLUTE.to_string();
        for further_digits in ["0", "9", "123456789"] {
            let long_digits = format!("{max_digits}{further_digits}");
            assert_eq!(
                fraction_nanos(long_digits.as_bytes(), 1 << 40),
                fraction_nanos(max_digits.as_bytes(), 1 << 40)
            );
        }
        let small_fraction = format!("{}9", "0".repeat(400));
        assert_eq!(fraction_nanos(small_fraction.as_bytes(), 1 << 40), 0);
        assert_eq!(fraction_nanos(&[], 1 << 40), 0);
    }
}
