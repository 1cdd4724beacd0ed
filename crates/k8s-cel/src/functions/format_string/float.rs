//! Formats floats for `%f` and `%e`, with English separators.

use k8s_json_internals::number::format_shortest;

use super::specifier::Precision;

/// The output for a specifier whose precision is out of bounds.
const NO_VERB: &str = "%!(NOVERB)";

impl Precision {
    /// Returns true if Go's `fmt` rejects the precision. Before it adds the last digit, it compares
    /// the number with 1,000,000.
    const fn is_out_of_bounds(&self) -> bool {
        self.0 / 10 > 1_000_000
    }
}

/// Appends a float such as `1,234.500000`.
pub(super) fn write_fixed(value: f64, precision: &Precision, out: &mut String) {
    if precision.is_out_of_bounds() {
        out.push_str(NO_VERB);
        return;
    }
    if let Some(name) = special_value(value) {
        out.push_str(name);
        return;
    }
    // The server stores the maximum number of decimals in a signed 16-bit integer, and the minimum
    // number in 8 bits. A negative maximum stands for the shortest form of the float.
    let max_decimals = usize::try_from(precision.0 & 0xffff).unwrap_or_default();
    let min_decimals = max_decimals & 0xff;
    let number = value.abs();
    let formatted = if max_decimals < 0x8000 {
        // Further decimals are zero for every float.
        format!("{number:.*}", max_decimals.min(1100))
    } else {
        format_shortest(number)
    };
    let (whole, decimals) = formatted.split_once('.').unwrap_or((&formatted, ""));
    if value < 0.0 {
        out.push('-');
    }
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    let decimals = decimals.trim_end_matches('0');
    if decimals.is_empty() && min_decimals == 0 {
        return;
    }
    out.push('.');
    out.push_str(decimals);
    out.extend(core::iter::repeat_n(
        '0',
        min_decimals.saturating_sub(decimals.len()),
    ));
}

/// Appends a float such as `1.234500×10⁰³`, always with six decimals. The precision is the minimum
/// length of the output. `times` is the sign of the product.
pub(super) fn write_scientific(value: f64, precision: &Precision, times: &str, out: &mut String) {
    if precision.is_out_of_bounds() {
        out.push_str(NO_VERB);
        return;
    }
    let formatted = match special_value(value) {
        Some(name) => name.to_owned(),
        None => format_scientific(value, times),
    };
    let min_length = usize::try_from(precision.0 & 0xffff).unwrap_or_default();
    let padding = min_length.saturating_sub(formatted.chars().count());
    out.extend(core::iter::repeat_n(' ', padding));
    out.push_str(&formatted);
}

/// Formats a float in scientific notation, with superscript digits.
fn format_scientific(value: f64, times: &str) -> String {
    const SUPERSCRIPT_DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let formatted = format!("{:.6e}", value.abs());
    let (mantissa, exponent) = formatted.split_once('e').unwrap_or((&formatted, "0"));
    let sign = if value < 0.0 { "-" } else { "" };
    let (exponent_sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ("⁻", exponent),
        None => ("", exponent),
    };
    let digits = format!("{exponent:0>2}");
    let digits = digits.chars().filter_map(|digit| {
        let digit = usize::try_from(digit.to_digit(10)?).ok()?;
        SUPERSCRIPT_DIGITS.get(digit)
    });
    let digits: String = digits.collect();
    format!("{sign}{mantissa}{times}10{exponent_sign}{digits}")
}

const fn special_value(value: f64) -> Option<&'static str> {
    if value.is_nan() {
        Some("NaN")
    } else if value.is_finite() {
        None
    } else if value > 0.0 {
        Some("∞")
    } else {
        Some("-∞")
    }
}

#[cfg(test)]
mod tests {
    use super::{Precision, write_fixed, write_scientific};

    #[test]
    fn fixed_floats_have_decimals_and_commas() {
        for (value, precision, expected) in [
            (1.5, 6, "1.500000"),
            (-1e-9, 6, "-0.000000"),
            (-0.0, 6, "0.000000"),
            (2.5, 0, "2"),
            (0.25, 1, "0.2"),
            (1_234_567.123_456_7, 7, "1,234,567.1234567"),
            (999_999.999_999_9, 6, "1,000,000.000000"),
            (123.0, 0, "123"),
            (0.1, 20, "0.10000000000000000555"),
            // The minimum number of decimals wraps around at 256, and the maximum at 65,536.
            (0.5, 256, "0.5"),
            (0.5, 258, "0.50"),
            (0.1, 65_536 + 3, "0.100"),
            (0.1, 32_768, "0.1"),
            (0.1, 10_000_010, "%!(NOVERB)"),
            (f64::NEG_INFINITY, 3, "-∞"),
        ] {
            let mut out = String::new();
            write_fixed(value, &Precision(precision), &mut out);
            assert_eq!(out, expected, "{value} {precision}");
        }
    }

    #[test]
    fn exponents_are_superscript() {
        for (value, precision, expected) in [
            (1234.5, 6, "1.234500×10⁰³"),
            (-1e-300, 2, "-1.000000×10⁻³⁰⁰"),
            (-0.0, 0, "0.000000×10⁰⁰"),
            (0.1, 16, "  1.000000×10⁻⁰¹"),
            (9.999_999_9, 6, "1.000000×10⁰¹"),
            (f64::NAN, 6, "   NaN"),
            (f64::INFINITY, 65_536, "∞"),
        ] {
            let mut out = String::new();
            write_scientific(value, &Precision(precision), "×", &mut out);
            assert_eq!(out, expected, "{value} {precision}");
        }
    }
}
