//! Durations, in nanoseconds.

use core::fmt;

use super::split::{split_digits, split_while};
use super::time::{DAY, NANOS};

/// A duration as Go writes it: `1h30m`, `-1.5s`.
pub(super) fn parse_duration(text: &str) -> Option<i64> {
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total = 0_i128;
    while !rest.is_empty() {
        let (whole, after) = split_digits(rest);
        let (fraction, after) = match after.strip_prefix('.') {
            Some(after) => split_digits(after),
            None => ("", after),
        };
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let number: i128 = if whole.is_empty() {
            0
        } else {
            whole.parse().ok()?
        };
        let units = [
            ("ns", 1),
            ("us", 1000),
            ("µs", 1000),
            ("μs", 1000),
            ("ms", 1_000_000),
            ("s", 1_000_000_000),
            ("m", 60_000_000_000),
            ("h", 3_600_000_000_000_i128),
        ];
        let unit;
        (rest, unit) = units.into_iter().find_map(|(name, unit)| {
            let after = after.strip_prefix(name)?;
            let is_whole =
                after.is_empty() || after.starts_with(|c: char| c.is_ascii_digit() || c == '.');
            is_whole.then_some((after, unit))
        })?;
        total = number.checked_mul(unit)?.checked_add(total)?;
        if !fraction.is_empty() {
            let digits = fraction.get(..18).unwrap_or(fraction);
            let scale = 10_i128.pow(u32::try_from(digits.len()).ok()?);
            total = total.checked_add(digits.parse::<i128>().ok()? * unit / scale)?;
        }
        if total > 1 << 63 {
            return None;
        }
    }
    i64::try_from(if negative { -total } else { total }).ok()
}

/// A text of format `duration`, where words such as `3 days` count too.
pub(super) fn parse_format_duration(text: &str) -> Result<i64, String> {
    parse_duration(text)
        .or_else(|| in_words(text))
        .ok_or_else(|| format!("unable to parse {text} as duration"))
}

/// The sum of all numbers that stand before a unit.
fn in_words(text: &str) -> Option<i64> {
    const UNITS: [(&[&str], i64); 8] = [
        (&["ns", "nano"], 1),
        (&["us", "µs", "micro"], 1000),
        (&["ms", "milli"], 1_000_000),
        (&["s", "sec"], NANOS),
        (&["m", "min"], 60 * NANOS),
        (&["h", "hr", "hour"], 3600 * NANOS),
        (&["d", "day"], DAY * NANOS),
        (&["w", "wk", "week"], 7 * DAY * NANOS),
    ];
    let mut total = None;
    let mut rest = from_first_digit(text);
    while !rest.is_empty() {
        let (digits, after) = split_digits(rest);
        let number: i64 = digits.parse().ok()?;
        let (whole, after) = split_while(after.trim_start(), char::is_alphabetic);
        let word = match whole.trim_end_matches('s') {
            "" => whole,
            word => word,
        };
        let unit = UNITS
            .iter()
            .find(|(names, _)| names.contains(&word) || names.contains(&whole));
        if let Some((_, unit)) = unit {
            total = Some(
                total
                    .unwrap_or(0_i64)
                    .checked_add(number.checked_mul(*unit)?)?,
            );
        }
        rest = from_first_digit(after);
    }
    total
}

fn from_first_digit(text: &str) -> &str {
    text.trim_start_matches(|c: char| !c.is_ascii_digit())
}

/// A duration as CEL prints it: in seconds.
pub(super) struct Seconds(pub(super) i64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let nanos = self.0.unsigned_abs();
        let (whole, rest) = (nanos / NANOS.unsigned_abs(), nanos % NANOS.unsigned_abs());
        write!(f, "{sign}{whole}")?;
        if rest > 0 {
            let rest = format!("{rest:09}");
            write!(f, ".{}", rest.trim_end_matches('0'))?;
        }
        f.write_str("s")
    }
}

#[cfg(test)]
mod tests {
    use super::{Seconds, parse_duration};

    #[test]
    fn durations_are_read_and_printed() {
        for (text, nanos) in [
            ("1h30m", 5_400_000_000_000),
            ("-1.5s", -1_500_000_000),
            ("0", 0),
        ] {
            assert_eq!(parse_duration(text), Some(nanos), "{text}");
        }
        assert_eq!(parse_duration("3 days"), None);
        let long = format!("1ns{}ns", i128::MAX);
        assert_eq!(parse_duration(&long), None, "a sum beyond 128 bits");
        assert_eq!(Seconds(-1_500_000_000).to_string(), "-1.5s");
    }
}
