//! Floats as `%f` and `%e` format them, with the separators of English.

use k8s_json_internals::number::format_shortest;

use super::specifier::Precision;

/// The output for a clause whose precision is out of bounds.
const NO_VERB: &str = "%!(NOVERB)";

impl Precision {
    /// Returns true if Go does not parse the precision: the parser stops at a large number.
    const fn is_out_of_bounds(&self) -> bool {
        self.0 / 10 > 1_000_000
    }
}

/// Appends a float such as `1,234.500000`.
pub(super) fn fixed(value: f64, precision: &Precision, out: &mut String) {
    if precision.is_out_of_bounds() {
        out.push_str(NO_VERB);
        return;
    }
    if let Some(word) = word(value) {
        out.push_str(word);
        return;
    }
    // The server stores the maximum number of decimals in 16 bits, with a sign, and the minimum
    // number in 8.
    let most = usize::try_from(precision.0 & 0xffff).unwrap_or_default();
    let least = most & 0xff;
    let number = value.abs();
    let text = if most < 0x8000 {
        // Decimals beyond these are zero for every float.
        format!("{number:.*}", most.min(1100))
    } else {
        format_shortest(number)
    };
    let (whole, places) = text.split_once('.').unwrap_or((&text, ""));
    if value < 0.0 {
        out.push('-');
    }
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    let places = places.trim_end_matches('0');
    if places.is_empty() && least == 0 {
        return;
    }
    out.push('.');
    out.push_str(places);
    out.extend(core::iter::repeat_n(
        '0',
        least.saturating_sub(places.len()),
    ));
}

/// Appends a float such as `1.234500×10⁰³`, always with six decimals. The precision is the minimum
/// length of the string.
pub(super) fn scientific(value: f64, precision: &Precision, out: &mut String) {
    if precision.is_out_of_bounds() {
        out.push_str(NO_VERB);
        return;
    }
    let text = match word(value) {
        Some(word) => word.to_owned(),
        None => with_exponent(value),
    };
    let least = usize::try_from(precision.0 & 0xffff).unwrap_or_default();
    let missing = least.saturating_sub(text.chars().count());
    out.extend(core::iter::repeat_n(' ', missing));
    out.push_str(&text);
}

fn with_exponent(value: f64) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let text = format!("{:.6e}", value.abs());
    let (number, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let sign = if value < 0.0 { "-" } else { "" };
    let (minus, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ("⁻", exponent),
        None => ("", exponent),
    };
    let digits = format!("{exponent:0>2}");
    let digits = digits.chars().filter_map(|digit| {
        let digit = usize::try_from(digit.to_digit(10)?).ok()?;
        DIGITS.get(digit)
    });
    let digits: String = digits.collect();
    format!("{sign}{number}×10{minus}{digits}")
}

const fn word(value: f64) -> Option<&'static str> {
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
    use super::{Precision, fixed, scientific};

    #[test]
    fn floats_have_places_and_commas() {
        for (value, precision, text) in [
            (1.5, 6, "1.500000"),
            (-1e-9, 6, "-0.000000"),
            (-0.0, 6, "0.000000"),
            (2.5, 0, "2"),
            (0.25, 1, "0.2"),
            (1_234_567.123_456_7, 7, "1,234,567.1234567"),
            (999_999.999_999_9, 6, "1,000,000.000000"),
            (123.0, 0, "123"),
            (0.1, 20, "0.10000000000000000555"),
            (0.5, 256, "0.5"),
            (0.5, 258, "0.50"),
            (0.1, 65_536 + 3, "0.100"),
            (0.1, 32_768, "0.1"),
            (0.1, 10_000_010, "%!(NOVERB)"),
            (f64::NEG_INFINITY, 3, "-∞"),
        ] {
            let mut out = String::new();
            fixed(value, &Precision(precision), &mut out);
            assert_eq!(out, text, "{value} {precision}");
        }
    }

    #[test]
    fn exponents_are_raised() {
        for (value, precision, text) in [
            (1234.5, 6, "1.234500×10⁰³"),
            (-1e-300, 2, "-1.000000×10⁻³⁰⁰"),
            (-0.0, 0, "0.000000×10⁰⁰"),
            (0.1, 16, "  1.000000×10⁻⁰¹"),
            (9.999_999_9, 6, "1.000000×10⁰¹"),
            (f64::NAN, 6, "   NaN"),
            (f64::INFINITY, 65_536, "∞"),
        ] {
            let mut out = String::new();
            scientific(value, &Precision(precision), &mut out);
            assert_eq!(out, text, "{value} {precision}");
        }
    }
}
