//! Parses floats in Go's syntax: `1_000.5`, `0x1.8p3`, `-Inf`.

/// Parses a float; returns `None` if the string is not a float, or if the float is too large.
#[must_use]
pub fn parse(string: &str) -> Option<f64> {
    let (is_negative, digits) = match string.as_bytes() {
        [b'-', ..] => (true, string.get(1..)?),
        [b'+', ..] => (false, string.get(1..)?),
        _ => (false, string),
    };
    let value = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => parse_hexadecimal(digits.get(2..)?)?,
        [first, ..] if first.is_ascii_digit() || *first == b'.' => parse_decimal(digits)?,
        [b'n' | b'N', ..] if digits.len() < string.len() => return None,
        [b'+' | b'-', ..] => return None,
        // Go and Rust parse the same words for infinity and NaN.
        _ => return string.parse().ok(),
    };
    value
        .is_finite()
        .then_some(if is_negative { -value } else { value })
}

fn parse_decimal(string: &str) -> Option<f64> {
    if !string.contains('_') {
        return string.parse().ok();
    }
    has_valid_underscores(string, 10)
        .then(|| string.replace('_', "").parse().ok())
        .flatten()
}

/// Returns true if each underscore is between two digits, or between the prefix `0x` and a digit.
/// With radix 16, `string` is the part after the prefix.
fn has_valid_underscores(string: &str, radix: u32) -> bool {
    let bytes = string.as_bytes();
    let follows_prefix = radix == 16;
    let is_digit = |byte: Option<&u8>| byte.is_some_and(|byte| char::from(*byte).is_digit(radix));
    bytes.iter().enumerate().all(|(index, byte)| {
        let follows_digit = match index.checked_sub(1) {
            Some(previous) => is_digit(bytes.get(previous)),
            None => follows_prefix,
        };
        *byte != b'_' || follows_digit && is_digit(bytes.get(index + 1))
    })
}

/// Parses the part after `0x`: hex digits with an optional point, and the required binary exponent.
fn parse_hexadecimal(string: &str) -> Option<f64> {
    let (mantissa, exponent) = string.split_once(['p', 'P'])?;
    if !has_valid_underscores(string, 16) || !is_exponent(exponent) {
        return None;
    }
    // An exponent that does not parse has too many digits; this limit has the same effect.
    let mut power: i64 =
        exponent
            .replace('_', "")
            .parse()
            .unwrap_or(if exponent.starts_with('-') {
                -100_000
            } else {
                100_000
            });
    // The sums below cannot overflow, and such a power is zero or infinite anyway.
    power = power.clamp(-100_000_000, 100_000_000);
    let (mut bits, mut has_digits, mut is_after_point) = (0_u64, false, false);
    for digit in mantissa.bytes().filter(|digit| *digit != b'_') {
        if digit == b'.' && !is_after_point {
            is_after_point = true;
            continue;
        }
        let digit = char::from(digit).to_digit(16)?;
        has_digits = true;
        if bits >> 60 == 0 {
            bits = bits << 4 | u64::from(digit);
            power -= if is_after_point { 4 } else { 0 };
        } else {
            // A dropped digit matters only if it is not zero, for the rounding.
            bits |= u64::from(digit != 0);
            power += if is_after_point { 0 } else { 4 };
        }
    }
    has_digits.then(|| scale_by_power_of_two(bits, power))
}

fn is_exponent(string: &str) -> bool {
    let digits = string.strip_prefix(['+', '-']).unwrap_or(string);
    digits.starts_with(|first: char| first.is_ascii_digit())
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'_')
}

/// Returns `bits * 2^power`, rounded to the nearest float, and to even on ties.
#[expect(clippy::cast_precision_loss, reason = "at most 53 bits are left")]
fn scale_by_power_of_two(bits: u64, power: i64) -> f64 {
    if bits == 0 {
        return 0.0;
    }
    let length = i64::from(64 - bits.leading_zeros());
    let top_exponent = power + length;
    // A float has 53 bits. Subnormal floats have fewer: the smallest float is 2^-1074.
    let kept_bits = (top_exponent + 1074).min(53);
    if top_exponent > 1024 {
        return f64::INFINITY;
    }
    if kept_bits < 0 {
        return 0.0;
    }
    let dropped_bits = u32::try_from(length - kept_bits).unwrap_or(0);
    let mantissa = bits.checked_shr(dropped_bits).unwrap_or(0);
    let remainder = bits - mantissa.checked_shl(dropped_bits).unwrap_or(0);
    let half = 1_u64
        .checked_shl(dropped_bits.saturating_sub(1))
        .unwrap_or(0);
    let rounds_up =
        dropped_bits > 0 && (remainder > half || remainder == half && mantissa & 1 == 1);
    let mantissa = mantissa + u64::from(rounds_up);
    let mut value = mantissa as f64;
    let mut power = power + i64::from(dropped_bits);
    // Each factor is a float, and each product is exact, because the bits fit.
    while power != 0 && value.is_finite() && value != 0.0 {
        let step = power.clamp(-1000, 1000);
        value *= 2_f64.powi(i32::try_from(step).unwrap_or(0));
        power -= step;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn floats_are_parsed_as_in_go() {
        for (string, expected) in [
            ("1_000", 1000.0),
            ("0_1", 1.0),
            ("1e1_0", 1e10),
            ("1.0_1", 1.01),
            ("-0_1", -1.0),
            ("5.", 5.0),
            (".5", 0.5),
            ("0x_1p0", 1.0),
            ("0x1_0p0", 16.0),
            ("0x1.8p1", 3.0),
            ("-0X.8P-1", -0.25),
            ("0x1p-1074", 5e-324),
            ("0x1p-1075", 0.0),
            ("0x1.8p-1075", 5e-324),
            ("0x1.fffffffffffff8p0", 2.0),
            ("0x1.fffffffffffff7p0", 1.999_999_999_999_999_8),
            ("0x10000000000000000000001p-88", 1.0),
            ("0x1.fffffffffffffp1023", f64::MAX),
            ("0x0p99999999999999999999", 0.0),
            ("+inf", f64::INFINITY),
            ("-Infinity", f64::NEG_INFINITY),
        ] {
            assert_eq!(parse(string), Some(expected), "{string}");
        }
        assert!(parse("NaN").is_some_and(f64::is_nan));
        for string in [
            "",
            "1__0",
            "1_",
            "1_.0",
            "1._0",
            "1e_1",
            "1_e1",
            "_1",
            "0x1",
            "0x",
            "0xp1",
            "0b1",
            "1e400",
            "-nan",
            "+NaN",
            "0x1p1024",
            "0x1.fffffffffffff8p1023",
            "--1",
            "+-1",
            "0_x1p0",
            "0x1p",
            "0x1.1.1p0",
            "e1",
            ".",
            "1 ",
            "0x1p_1",
        ] {
            assert_eq!(parse(string), None, "{string}");
        }
    }
}
