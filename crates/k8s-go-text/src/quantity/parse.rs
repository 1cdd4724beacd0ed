//! The parser of quantities.

use crate::scan::parse_decimal;

use super::amount::{Amount, Format, InfDecAmount, Int64Amount, Quantity};
use super::natural::Natural;
use crate::scan::{split_digits, split_while};

const FORMAT_ERROR: &str =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const SUFFIX_ERROR: &str = "unable to parse quantity's suffix";

/// The exponent of the smallest unit that is kept: a billionth.
const MIN_SCALE: i32 = -9;

/// The factor of a suffix: a power of ten, or of two.
#[derive(Clone, Copy)]
enum Unit {
    Ten(i32),
    Two(u32),
}

/// The parts of a quantity's string.
struct QuantityParts<'t> {
    is_negative: bool,
    /// The digits before the point, without leading zeros.
    before: &'t str,
    /// The digits after the point.
    after: &'t str,
    has_no_digits: bool,
    unit: Unit,
    form: Format,
}

impl Quantity {
    /// Parses a quantity.
    ///
    /// # Errors
    ///
    /// Returns the error of an API server.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        parse(text)
    }
}

fn parse(text: &str) -> Result<Quantity, &'static str> {
    let written = split(text)?;
    let mut read = None;
    let number = match written.to_int64_amount() {
        Some(small) => {
            read = written.is_string_cached(small).then(|| text.into());
            Amount::Int64(small)
        }
        // This branch also has strings without digits.
        None if written.has_no_digits => return Err("unable to parse numeric part of quantity"),
        None => Amount::InfDec(written.to_inf_dec_amount()),
    };
    let form = written.form;
    Ok(Quantity {
        amount: number,
        format: form,
        cached_string: read,
    })
}

fn split(text: &str) -> Result<QuantityParts<'_>, &'static str> {
    if text.is_empty() {
        return Err(FORMAT_ERROR);
    }
    let rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (before, rest) = split_digits(rest);
    let (after, suffix) = match rest.strip_prefix('.') {
        Some(rest) => split_digits(rest),
        None => ("", rest),
    };
    let (_, rest) = split_while(suffix, |c| "eEinumkKMGTP".contains(c));
    let (_, rest) = split_digits(rest.strip_prefix(['+', '-']).unwrap_or(rest));
    if !rest.is_empty() {
        return Err(FORMAT_ERROR);
    }
    let unit = unit(suffix).ok_or(SUFFIX_ERROR)?;
    let form = match (unit, suffix) {
        (Unit::Two(_), _) => Format::BinarySi,
        // `E` without digits is a suffix rather than an exponent.
        (_, "E") => Format::DecimalSi,
        (_, suffix) if suffix.starts_with(['e', 'E']) => Format::DecimalExponent,
        _ => Format::DecimalSi,
    };
    Ok(QuantityParts {
        is_negative: text.starts_with('-'),
        before: before.trim_start_matches('0'),
        after,
        has_no_digits: before.is_empty() && after.is_empty(),
        unit,
        form,
    })
}

fn unit(suffix: &str) -> Option<Unit> {
    Some(match suffix {
        "n" => Unit::Ten(-9),
        "u" => Unit::Ten(-6),
        "m" => Unit::Ten(-3),
        "" => Unit::Ten(0),
        "k" => Unit::Ten(3),
        "M" => Unit::Ten(6),
        "G" => Unit::Ten(9),
        "T" => Unit::Ten(12),
        "P" => Unit::Ten(15),
        "E" => Unit::Ten(18),
        "Ki" => Unit::Two(10),
        "Mi" => Unit::Two(20),
        "Gi" => Unit::Two(30),
        "Ti" => Unit::Two(40),
        "Pi" => Unit::Two(50),
        "Ei" => Unit::Two(60),
        _ => Unit::Ten(exponent(suffix.strip_prefix(['e', 'E'])?)?),
    })
}

/// Parses an exponent, of which an API server keeps the lowest 32 bits.
#[expect(clippy::cast_possible_truncation, reason = "a server does so")]
fn exponent(text: &str) -> Option<i32> {
    text.parse::<i64>().ok().map(|exponent| exponent as i32)
}

impl QuantityParts<'_> {
    /// Returns the quantity as 64 bits with a scale, if an API server stores it so: if it has few
    /// digits.
    fn to_int64_amount(&self) -> Option<Int64Amount> {
        // The zero before a point counts as a digit.
        let count = self.before.len().max(1) + self.after.len();
        let (times, scale) = match self.unit {
            Unit::Ten(exponent) if count <= 18 => {
                let places = i32::try_from(self.after.len()).ok()?;
                (1, exponent.wrapping_sub(places))
            }
            Unit::Two(exponent) if self.after.is_empty() => {
                // An API server counts three digits for ten bits.
                let digits = usize::try_from(exponent * 3 / 10).ok()?;
                if count + digits > 14 {
                    return None;
                }
                (1_i64.checked_shl(exponent)?, 0)
            }
            _ => return None,
        };
        if scale < MIN_SCALE {
            return None;
        }
        let digits = [self.before, self.after].concat();
        let value = i64::try_from(parse_decimal(digits.as_bytes())?).ok()?;
        let value = value.checked_mul(times)?;
        let value = if self.is_negative { -value } else { value };
        Some(Int64Amount { value, scale })
    }

    /// Returns true if an API server keeps the string of a small quantity: if the API server takes
    /// the suffix for the only suitable one.
    fn is_string_cached(&self, small: Int64Amount) -> bool {
        let digits = [self.before, self.after].concat();
        match self.unit {
            // The digits after the point count as digits before a smaller suffix.
            Unit::Ten(_) => {
                small.scale % 3 == 0 && !self.before.is_empty() && !digits.ends_with("000")
            }
            // An API server uses 8 instead of 1024 for the divisor.
            Unit::Two(_) => parse_decimal(digits.as_bytes()).is_some_and(|digits| digits % 8 != 0),
        }
    }

    /// Returns the quantity in billionths. Smaller parts are rounded away from zero. With a binary
    /// unit, the quantity has an upper limit.
    fn to_inf_dec_amount(&self) -> InfDecAmount {
        let mut size = Natural::from_digits(self.before.bytes().chain(self.after.bytes()));
        let places = i64::try_from(self.after.len()).unwrap_or(i64::MAX);
        let mut scale = match self.unit {
            Unit::Ten(exponent) => i64::from(exponent) - places,
            Unit::Two(exponent) => {
                size = size.times_power_of_two(exponent);
                -places
            }
        };
        let finest = i64::from(MIN_SCALE);
        if size.is_zero() {
            // Zero is not rounded.
        } else if scale < finest {
            let has_more = size.truncate(usize::try_from(finest - scale).unwrap_or(usize::MAX));
            if has_more {
                size = size.plus(&1.into());
            }
            scale = finest;
        } else if size.shift(scale - finest).is_ok() {
            scale = finest;
        }
        if matches!(self.unit, Unit::Two(_)) {
            let largest = Natural::from(i64::MAX.unsigned_abs());
            if !size.is_zero() && largest.cmp_scaled(0, &size, scale).is_lt() {
                (size, scale) = (largest, 0);
            }
        }
        InfDecAmount {
            is_negative: self.is_negative,
            size,
            scale,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FORMAT_ERROR, SUFFIX_ERROR, parse};

    #[test]
    fn what_is_wrong_is_said_as_a_server_says_it() {
        for (text, said) in [
            ("", FORMAT_ERROR),
            ("x", FORMAT_ERROR),
            ("1.2.3", FORMAT_ERROR),
            ("1 k", FORMAT_ERROR),
            ("1e1e1", FORMAT_ERROR),
            ("--1", SUFFIX_ERROR),
            ("1ee3", SUFFIX_ERROR),
            ("1e", SUFFIX_ERROR),
            ("1K", SUFFIX_ERROR),
            ("Ei", "unable to parse numeric part of quantity"),
            ("1e9223372036854775808", SUFFIX_ERROR),
        ] {
            assert_eq!(parse(text).err(), Some(said), "{text}");
        }
    }

    #[test]
    fn what_is_too_fine_or_too_large_is_rounded() {
        for (text, wanted) in [
            ("0.1n", "1n"),
            ("-1.0000000001", "-1.000000001"),
            ("1e-999999999", "1n"),
            ("1e-2147483648", "1n"),
            ("0e-999999999", "0"),
            ("1.0000000000", "1"),
            ("8.5Ei", "9223372036854775807"),
            ("-99999999999999999999Ki", "-9223372036854775807"),
        ] {
            assert_eq!(parse(text), parse(wanted), "{text}");
        }
    }
}
