//! Formats quantities as an API server does: with the suffix that leaves the fewest digits.

use super::amount::{Format, InfDecAmount, Quantity};
use super::natural::Natural;

/// The suffixes of powers of 1000, from the smallest.
const DECIMAL_SUFFIXES: [&str; 10] = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];

/// The power of ten of the first suffix.
const MIN_EXPONENT: i64 = -9;

/// The suffixes of powers of 1024.
const BINARY_SUFFIXES: [&str; 7] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

impl Quantity {
    /// Returns the quantity as an API server prints it, such as `1536Mi`. As on a server, a power
    /// that has no suffix is lost: `15000E` prints as `15`.
    #[must_use]
    pub fn canonical(&self) -> String {
        if let Some(cached) = &self.cached_string {
            return cached.to_string();
        }
        let InfDecAmount {
            is_negative,
            mut size,
            mut scale,
        } = self.amount.to_inf_dec();
        if size.is_zero() {
            return "0".to_owned();
        }
        let sign = if is_negative { "-" } else { "" };
        if self.format == Format::BinarySi
            && let Some((number, suffix)) = format_binary(&size, scale)
        {
            return format!("{sign}{number}{suffix}");
        }
        scale += size.strip_trailing_zeros();
        let shift = scale.rem_euclid(3);
        if size.shift(shift).is_ok() {
            scale -= shift;
        }
        let number = size.to_decimal_string(0);
        match self.format {
            Format::DecimalExponent if scale == 0 => format!("{sign}{number}"),
            Format::DecimalExponent => format!("{sign}{number}e{scale}"),
            _ => {
                let index = usize::try_from((scale - MIN_EXPONENT) / 3).ok();
                let suffix = index
                    .and_then(|index| DECIMAL_SUFFIXES.get(index))
                    .unwrap_or(&"");
                format!("{sign}{number}{suffix}")
            }
        }
    }
}

/// Formats an integer of at least 1024 with a binary suffix; `None` for other quantities, which
/// have decimal suffixes.
fn format_binary(size: &Natural, scale: i64) -> Option<(String, &'static str)> {
    let mut whole = size.clone();
    if scale < 0 {
        let places = usize::try_from(scale.unsigned_abs()).ok()?;
        if whole.truncate(places) {
            return None;
        }
    } else {
        whole.shift(scale).ok()?;
    }
    if whole < 1024.into() {
        return None;
    }
    let power = whole.divide_by_1024();
    Some((
        whole.to_decimal_string(0),
        BINARY_SUFFIXES.get(power).unwrap_or(&""),
    ))
}

#[cfg(test)]
mod tests {
    use super::Quantity;

    #[test]
    fn quantities_are_formatted_as_on_a_server() {
        for (string, canonical) in [
            ("12E", "12E"),
            ("1e3", "1e3"),
            ("1.5Gi", "1536Mi"),
            ("1024Ki", "1Mi"),
            ("0.1", "100m"),
            ("1.10", "1100m"),
            ("15000E", "15"),
            ("1e31", "10e30"),
            ("12345e-2", "123450e-3"),
            ("0.5Ki", "512"),
            ("-1Mi", "-1Mi"),
            ("-1.5Ki", "-1536"),
            ("8Ei", "9223372036854775807"),
            ("1e1", "10"),
            ("0.0001m", "100n"),
            (
                "123456789012345678901234567890",
                "123456789012345678901234567890",
            ),
            ("1.0001Ki", "1024102400u"),
            ("-0e5", "0"),
            ("1.", "1."),
            ("+1", "+1"),
            ("-01Ki", "-01Ki"),
            ("01000", "1k"),
            ("+8Ki", "8Ki"),
            ("+500Ki", "+500Ki"),
            ("1E+3", "1E+3"),
            ("01e1", "10"),
            ("+1.5", "1500m"),
            ("1.500", "1.500"),
            ("-02.125k", "-02.125k"),
            ("2.5e4", "2.5e4"),
            ("2.5e3", "2500"),
            ("0.001", "1m"),
            ("0.125", "125m"),
            (".125", "125m"),
            ("0.0125", "12500u"),
            ("7.000", "7"),
            ("7.0001", "7000100u"),
            ("1.234567", "1.234567"),
            ("1.50n", "2n"),
            ("0100Ti", "100Ti"),
        ] {
            let result = Quantity::parse(string).map(|quantity| quantity.canonical());
            assert_eq!(result, Ok(canonical.to_owned()), "{string}");
        }
    }

    #[test]
    fn sums_keep_the_format_of_the_first_term() {
        let quantity = |text: &str| Quantity::parse(text).expect(text);
        for (left, right, canonical) in [
            (quantity("1Ki"), quantity("1e3"), "2024"),
            (quantity("0"), quantity("1Ki"), "1Ki"),
            (quantity("0"), Quantity::from(5000), "5e3"),
            (quantity("1e3"), quantity("1"), "1001"),
            // A sum may exceed the maximum of parsed quantities with a binary suffix.
            (
                quantity("1Mi"),
                quantity("1048576e20"),
                "100000000000000000001Mi",
            ),
            (quantity("8Ei"), quantity("8Ei"), "18446744073709551614"),
            (quantity("1Ki"), quantity("1.5e19"), "14648437500000001Ki"),
            (quantity("4Ei"), quantity("4611686018427387904e3"), "4004Ei"),
            (quantity("1Ki"), quantity("-1e20"), "-97656249999999999Ki"),
            (
                quantity("1Ki"),
                quantity("1267650600228229401496703205375e0"),
                "1267650600228229401496703206399",
            ),
            (
                quantity("1Ki"),
                quantity("1180591620717411303424"),
                "1152921504606846977Ki",
            ),
            // The seventh power of 1024 has no suffix, and is lost.
            (quantity("1Ki"), quantity("1180591620717411302400"), "1"),
        ] {
            let sum = left.plus(&right).map(|sum| sum.canonical());
            assert_eq!(sum.as_deref(), Ok(canonical));
        }
    }
}
