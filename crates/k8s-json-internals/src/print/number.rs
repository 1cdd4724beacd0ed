//! Numbers as an API server parses and prints them. A number is an integer if it fits `i64` and has
//! neither a point nor an exponent. Any other number is a float.

use core::fmt;

use serde_json::Number;

/// A number of a JSON document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JsonNumber {
    /// A number that an API server parses as an integer.
    Int(i64),
    /// A number that an API server parses as a float.
    Float(f64),
}

impl JsonNumber {
    /// Converts a number of `serde_json`.
    #[must_use]
    pub fn from_number(number: &Number) -> Self {
        match number.as_i64() {
            Some(integer) => Self::Int(integer),
            None => Self::Float(number.as_f64().unwrap_or(f64::INFINITY)),
        }
    }

    /// Returns the number as a float, which may lose digits of large integers.
    #[expect(
        clippy::cast_precision_loss,
        reason = "an API server computes with the rounded float"
    )]
    #[must_use]
    pub const fn as_float(self) -> f64 {
        match self {
            Self::Int(integer) => integer as f64,
            Self::Float(float) => float,
        }
    }
}

/// Returns the integer part of a float. A float outside the range of `i64` becomes `i64::MIN`, as
/// in Go on amd64.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the range is checked before the cast"
)]
#[must_use]
pub fn truncate(float: f64) -> i64 {
    // 2^63.
    const END: f64 = 9_223_372_036_854_775_808.0;
    if (-END..END).contains(&float) {
        float as i64
    } else {
        i64::MIN
    }
}

/// Returns the integer that an API server reads back after it stores a float. Returns `None` if the
/// server reads back a float.
///
/// Go writes whole floats below 1e21 without a fraction, and parses a number that fits 64 bits as
/// an integer. Beyond 2^53, the integer has the shortest digits of the float: 2^62 is read back as
/// 4611686018427388000. -0.0 is read back as 0.
#[must_use]
pub fn to_stored_integer(float: f64) -> Option<i64> {
    // 2^53. Below, each whole float is printed with its exact digits.
    const MAX_EXACT: f64 = 9_007_199_254_740_992.0;
    if float.fract() != 0.0 {
        None
    } else if float.abs() < MAX_EXACT {
        Some(truncate(float))
    } else {
        // -2^63 is written as -9223372036854776000, which does not fit 64 bits.
        JsonFloat(float).to_string().parse().ok()
    }
}

/// Displays the number as error messages contain it: the shortest digits, with an exponent if the
/// number is at least 1e6 or below 0.0001.
impl fmt::Display for JsonNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(integer) => write!(f, "{integer}"),
            Self::Float(float) => write_float_in_error(*float, f),
        }
    }
}

/// Writes a float as Go's `%v` does, but with an exponent from 1e6 on. Field errors contain floats
/// in this form (`pkg/util/validation/field` of `k8s.io/apimachinery`).
fn write_float_in_error(float: f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let (digits, exponent) = shortest_parts(float);
    if !(-4..6).contains(&exponent) && float != 0.0 {
        return write_with_exponent(&digits, exponent, 2, f);
    }
    f.write_str(&format_shortest(float))
}

/// Displays a float as Go does in JSON.
pub struct JsonFloat(pub f64);

impl fmt::Display for JsonFloat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude = self.0.abs();
        if magnitude != 0.0 && !(1e-6..1e21).contains(&magnitude) {
            let (digits, exponent) = shortest_parts(self.0);
            return write_with_exponent(&digits, exponent, 1, f);
        }
        f.write_str(&format_shortest(self.0))
    }
}

/// Returns the shortest digits that parse as the float, without an exponent. If two candidates are
/// equally near, the last digit is even.
#[must_use]
pub fn format_shortest(float: f64) -> String {
    let shortest = float.to_string();
    let decimal_count = shortest
        .split_once('.')
        .map_or(0, |(_, decimals)| decimals.len());
    if decimal_count == 0 {
        return shortest;
    }
    // Formatting with a precision rounds half to even.
    let rounded_to_even = format!("{float:.decimal_count$}");
    if rounded_to_even.parse() == Ok(float) {
        rounded_to_even
    } else {
        shortest
    }
}

/// Returns the shortest digits, with a sign and a point, and the decimal exponent. If two
/// candidates are equally near, the last digit is even.
fn shortest_parts(float: f64) -> (String, i32) {
    let mut scientific = format!("{float:e}");
    let digits = scientific.split_once('e').map_or("", |(digits, _)| digits);
    if let Some((_, decimals)) = digits.split_once('.') {
        let rounded_to_even = format!("{float:.*e}", decimals.len());
        if rounded_to_even.parse() == Ok(float) {
            scientific = rounded_to_even;
        }
    }
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    (digits.to_owned(), exponent.parse().unwrap_or(0))
}

/// Writes digits with an exponent of at least `width` digits.
fn write_with_exponent(
    digits: &str,
    exponent: i32,
    width: usize,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let sign = if exponent < 0 { '-' } else { '+' };
    write!(f, "{digits}e{sign}{:0width$}", exponent.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::{JsonFloat, JsonNumber, to_stored_integer};

    #[test]
    fn floats_print_as_in_errors_of_an_api_server() {
        let cases = [
            (999_999.5, "999999.5"),
            (1_000_000.5, "1.0000005e+06"),
            (1e-5, "1e-05"),
            (0.0001, "0.0001"),
            (1e21, "1e+21"),
            (0.5, "0.5"),
            // The last digits 2 and 3 are equally near.
            (0.077_686_309_814_453_12, "0.07768630981445312"),
            (-0.077_686_309_814_453_12, "-0.07768630981445312"),
            (-716_776_092_415_352.2, "-7.167760924153522e+14"),
            (-2.5, "-2.5"),
            (3.0, "3"),
            (0.0, "0"),
        ];
        for (float, printed) in cases {
            assert_eq!(JsonNumber::Float(float).to_string(), printed);
        }
    }

    #[test]
    fn floats_in_json_print_as_go_writes_json() {
        let cases = [
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (1e-7, "1e-7"),
            (1e-6, "0.000001"),
            (716_776_092_415_352.2, "716776092415352.2"),
        ];
        for (float, printed) in cases {
            assert_eq!(JsonFloat(float).to_string(), printed);
        }
    }

    #[test]
    fn whole_floats_are_stored_as_the_integer_of_their_digits() {
        let cases = [
            (1.0, Some(1)),
            (-0.0, Some(0)),
            (0.5, None),
            (9_007_199_254_740_992.0, Some(9_007_199_254_740_992)),
            (2_f64.powi(62), Some(4_611_686_018_427_388_000)),
            (9_223_372_036_854_774_784.0, Some(9_223_372_036_854_775_000)),
            (2_f64.powi(63), None),
            (-(2_f64.powi(63)), None),
            (1e30, None),
            (f64::INFINITY, None),
            (f64::NAN, None),
        ];
        for (float, stored) in cases {
            assert_eq!(to_stored_integer(float), stored, "{float}");
        }
    }
}
