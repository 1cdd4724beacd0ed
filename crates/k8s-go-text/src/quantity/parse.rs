//! Parses quantities.

use crate::scan::parse_decimal;

use super::amount::{Amount, Format, InfDecAmount, Int64Amount, Quantity};
use super::natural::Natural;
use crate::scan::{split_digits, split_while};

const FORMAT_ERROR: &str =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const SUFFIX_ERROR: &str = "unable to parse quantity's suffix";

/// The exponent of the smallest unit that is kept, a billionth.
const MIN_SCALE: i32 = -9;

/// The factor of a suffix: a power of ten or of two, with its exponent.
#[derive(Clone, Copy)]
enum Unit {
    Ten(i32),
    Two(u32),
}

/// The components of a quantity's string.
struct QuantityParts<'t> {
    is_negative: bool,
    /// The digits before the point, without leading zeros.
    integer_digits: &'t str,
    /// The digits after the point.
    fraction_digits: &'t str,
    has_no_digits: bool,
    unit: Unit,
    format: Format,
}

impl Quantity {
    /// Parses a quantity.
    ///
    /// # Errors
    ///
    /// Returns the error of an API server if the string is not a quantity.
    pub fn parse(string: &str) -> Result<Self, &'static str> {
        parse(string)
    }
}

fn parse(string: &str) -> Result<Quantity, &'static str> {
    let parts = parse_parts(string)?;
    let mut cached_string = None;
    let amount = match parts.to_int64_amount() {
        Some(int64) => {
            cached_string = parts.is_string_cached(int64).then(|| string.into());
            Amount::Int64(int64)
        }
        // As on a server, `P` without digits is zero, and `Ei` without digits is an error.
        None if parts.has_no_digits => return Err("unable to parse numeric part of quantity"),
        None => Amount::InfDec(parts.to_inf_dec_amount()),
    };
    let format = parts.format;
    Ok(Quantity {
        amount,
        format,
        cached_string,
    })
}

/// Splits a quantity into its components, and checks the syntax.
fn parse_parts(string: &str) -> Result<QuantityParts<'_>, &'static str> {
    if string.is_empty() {
        return Err(FORMAT_ERROR);
    }
    let rest = string.strip_prefix(['+', '-']).unwrap_or(string);
    let (integer_digits, rest) = split_digits(rest);
    let (fraction_digits, suffix) = match rest.strip_prefix('.') {
        Some(rest) => split_digits(rest),
        None => ("", rest),
    };
    let (_, rest) = split_while(suffix, |c| "eEinumkKMGTP".contains(c));
    let (_, rest) = split_digits(rest.strip_prefix(['+', '-']).unwrap_or(rest));
    if !rest.is_empty() {
        return Err(FORMAT_ERROR);
    }
    let unit = parse_unit(suffix).ok_or(SUFFIX_ERROR)?;
    let format = match (unit, suffix) {
        (Unit::Two(_), _) => Format::BinarySi,
        // `E` without digits is a suffix, not an exponent.
        (_, "E") => Format::DecimalSi,
        (_, suffix) if suffix.starts_with(['e', 'E']) => Format::DecimalExponent,
        _ => Format::DecimalSi,
    };
    Ok(QuantityParts {
        is_negative: string.starts_with('-'),
        integer_digits: integer_digits.trim_start_matches('0'),
        fraction_digits,
        has_no_digits: integer_digits.is_empty() && fraction_digits.is_empty(),
        unit,
        format,
    })
}

fn parse_unit(suffix: &str) -> Option<Unit> {
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
        _ => Unit::Ten(parse_exponent(suffix.strip_prefix(['e', 'E'])?)?),
    })
}

/// Parses an exponent. An API server keeps its lowest 32 bits.
#[expect(
    clippy::cast_possible_truncation,
    reason = "an API server casts in the same way"
)]
fn parse_exponent(string: &str) -> Option<i32> {
    string.parse::<i64>().ok().map(|exponent| exponent as i32)
}

impl QuantityParts<'_> {
    /// Returns the quantity as a 64-bit integer with a scale, if it has so few digits that an API
    /// server stores it in this form.
    fn to_int64_amount(&self) -> Option<Int64Amount> {
        // A zero before the point counts as a digit.
        let digit_count = self.integer_digits.len().max(1) + self.fraction_digits.len();
        let (factor, scale) = match self.unit {
            // The limit is `maxInt64Factors` of apimachinery.
            Unit::Ten(exponent) if digit_count <= 18 => {
                let places = i32::try_from(self.fraction_digits.len()).ok()?;
                (1, exponent.wrapping_sub(places))
            }
            Unit::Two(exponent) if self.fraction_digits.is_empty() => {
                // An API server estimates three digits for ten bits, and stores up to 14 digits.
                let unit_digits = usize::try_from(exponent * 3 / 10).ok()?;
                if digit_count + unit_digits > 14 {
                    return None;
                }
                (1_i64.checked_shl(exponent)?, 0)
            }
            _ => return None,
        };
        if scale < MIN_SCALE {
            return None;
        }
        let digits = [self.integer_digits, self.fraction_digits].concat();
        let value = i64::try_from(parse_decimal(digits.as_bytes())?).ok()?;
        let value = value.checked_mul(factor)?;
        let value = if self.is_negative { -value } else { value };
        Some(Int64Amount { value, scale })
    }

    /// Returns true if an API server keeps the parsed string of a small quantity, because the
    /// suffix seems to be canonical.
    fn is_string_cached(&self, int64: Int64Amount) -> bool {
        let digits = [self.integer_digits, self.fraction_digits].concat();
        match self.unit {
            // The digits after the point count as digits before a smaller suffix.
            Unit::Ten(_) => {
                int64.scale % 3 == 0 && !self.integer_digits.is_empty() && !digits.ends_with("000")
            }
            // An API server tests divisibility by 8 instead of 1024.
            Unit::Two(_) => parse_decimal(digits.as_bytes()).is_some_and(|digits| digits % 8 != 0),
        }
    }

    /// Returns the quantity in billionths. Smaller fractions are rounded away from zero, and
    /// quantities with a binary unit are capped.
    fn to_inf_dec_amount(&self) -> InfDecAmount {
        let mut size = Natural::from_digits(
            self.integer_digits
                .bytes()
                .chain(self.fraction_digits.bytes()),
        );
        let places = i64::try_from(self.fraction_digits.len()).unwrap_or(i64::MAX);
        let mut scale = match self.unit {
            Unit::Ten(exponent) => i64::from(exponent) - places,
            Unit::Two(exponent) => {
                size = size.times_power_of_two(exponent);
                -places
            }
        };
        let min_scale = i64::from(MIN_SCALE);
        if size.is_zero() {
            // Zero needs no rounding.
        } else if scale < min_scale {
            let has_dropped_digits =
                size.truncate(usize::try_from(min_scale - scale).unwrap_or(usize::MAX));
            if has_dropped_digits {
                size = size.plus(&1.into());
            }
            scale = min_scale;
        } else if size.shift(scale - min_scale).is_ok() {
            scale = min_scale;
        }
        if matches!(self.unit, Unit::Two(_)) {
            let max_size = Natural::from(i64::MAX.unsigned_abs());
            if !size.is_zero() && max_size.cmp_scaled(0, &size, scale).is_lt() {
                (size, scale) = (max_size, 0);
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
    fn messages_are_those_of_the_server() {
        for (string, message) in [
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
            assert_eq!(parse(string).err(), Some(message), "{string}");
        }
    }

    #[test]
    fn small_fractions_and_large_numbers_are_rounded() {
        for (string, expected) in [
            ("0.1n", "1n"),
            ("-1.0000000001", "-1.000000001"),
            ("1e-999999999", "1n"),
            ("1e-2147483648", "1n"),
            ("0e-999999999", "0"),
            ("1.0000000000", "1"),
            ("8.5Ei", "9223372036854775807"),
            ("-99999999999999999999Ki", "-9223372036854775807"),
        ] {
            assert_eq!(parse(string), parse(expected), "{string}");
        }
    }
}
