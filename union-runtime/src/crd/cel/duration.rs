//! Durations, in nanoseconds.

use core::fmt;

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
        let whole = rest.bytes().take_while(u8::is_ascii_digit).count();
        let fraction = rest[whole..]
            .strip_prefix('.')
            .map(|fraction| &fraction[..fraction.bytes().take_while(u8::is_ascii_digit).count()]);
        if whole == 0 && fraction.is_none_or(str::is_empty) {
            return None;
        }
        let number: i128 = if whole == 0 {
            0
        } else {
            rest[..whole].parse().ok()?
        };
        rest = &rest[whole + fraction.map_or(0, |fraction| fraction.len() + 1)..];
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
        let (name, unit) = units.into_iter().find(|(name, _)| {
            rest.strip_prefix(name).is_some_and(|after| {
                after.is_empty() || after.starts_with(|c: char| c.is_ascii_digit() || c == '.')
            })
        })?;
        rest = &rest[name.len()..];
        total += number.checked_mul(unit)?;
        if let Some(digits) = fraction.filter(|digits| !digits.is_empty()) {
            let digits = &digits[..digits.len().min(18)];
            let scale = 10_i128.pow(u32::try_from(digits.len()).ok()?);
            total += digits.parse::<i128>().ok()? * unit / scale;
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
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        rest = &rest[start..];
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number: i64 = rest[..length].parse().ok()?;
        rest = rest[length..].trim_start();
        let length = rest
            .find(|c: char| !c.is_alphabetic())
            .unwrap_or(rest.len());
        let word = rest[..length].trim_end_matches('s');
        let word = if word.is_empty() {
            &rest[..length]
        } else {
            word
        };
        let unit = UNITS
            .iter()
            .find(|(names, _)| names.contains(&word) || names.contains(&&rest[..length]));
        if let Some((_, unit)) = unit {
            total = Some(
                total
                    .unwrap_or(0_i64)
                    .checked_add(number.checked_mul(*unit)?)?,
            );
        }
        rest = &rest[length..];
    }
    total
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
        assert_eq!(Seconds(-1_500_000_000).to_string(), "-1.5s");
    }
}
