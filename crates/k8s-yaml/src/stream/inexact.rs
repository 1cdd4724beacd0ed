//! Numbers that an API server stores as other numbers.
//!
//! An API server stores signed 64-bit integers, and converts every other number to the nearest
//! float. A float without a fraction is stored as the integer with its shortest digits. A key is
//! converted to a 32-bit float. Another notation of the same number, such as `1.0` for `1`, is
//! exact.

use std::iter;

use k8s_go_text::number::{JsonFloat, JsonNumber};
use serde_json::Value;

use crate::event::{Event, Node};
use crate::scalar::{exact_digits, resolve};

/// A number that an API server stores as another number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InexactNumber<'d> {
    /// The line of the number, from 1.
    pub line: usize,
    /// The number in the source.
    pub written: &'d str,
    /// The stored number, as an API server prints it.
    pub stored: String,
}

impl<'d> InexactNumber<'d> {
    /// Returns the number of an event; `None` if the event is not a number, or its number is exact.
    pub(crate) fn from_event(event: &'d Event) -> Option<Self> {
        let Node::Scalar(scalar) = &event.node else {
            return None;
        };
        let resolved = resolve(scalar).ok()?;
        let source_digits = exact_digits(scalar, &resolved)?;
        let stored = if event.is_key {
            resolved.key().ok()?.into_owned()
        } else {
            let Ok(Value::Number(number)) = resolved.value() else {
                return None;
            };
            match JsonNumber::from_number(&number) {
                JsonNumber::Int(int) => int.to_string(),
                JsonNumber::Float(float) => JsonFloat(float).to_string(),
            }
        };
        let is_exact = Decimal::new(&source_digits) == Decimal::new(&stored);
        (!is_exact).then(|| Self {
            line: event.line,
            written: scalar.text(),
            stored,
        })
    }
}

/// A decimal number: digits, and the power of ten that multiplies them.
#[derive(Clone, Copy)]
struct Decimal<'t> {
    is_negative: bool,
    whole: &'t str,
    fraction: &'t str,
    power: i64,
}

impl<'t> Decimal<'t> {
    fn new(text: &'t str) -> Self {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (mantissa, power) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        // A float is zero or infinite long before an exponent exceeds 64 bits.
        let limit = if power.starts_with('-') {
            i64::MIN
        } else {
            i64::MAX
        };
        Self {
            is_negative: text.starts_with('-'),
            whole,
            fraction,
            power: power.parse().unwrap_or(limit),
        }
    }

    fn digits(self) -> impl Iterator<Item = u8> + use<'t> {
        self.whole.bytes().chain(self.fraction.bytes())
    }

    /// Returns the number of digits before the point if the number is written without an exponent
    /// and without leading zeros: 3 for `1e2`, 0 for `0.5`, -1 for `0.05`. Returns `None` for zero.
    fn magnitude(self) -> Option<i64> {
        let leading_zeros = self.digits().position(|digit| digit != b'0')?;
        let [whole, leading_zeros] = [self.whole.len(), leading_zeros].map(i64::try_from);
        Some(self.power.saturating_add(whole.ok()? - leading_zeros.ok()?))
    }
}

impl PartialEq for Decimal<'_> {
    fn eq(&self, other: &Self) -> bool {
        let (magnitude, other_magnitude) = (self.magnitude(), other.magnitude());
        if magnitude.is_none() || other_magnitude.is_none() {
            return magnitude == other_magnitude;
        }
        let max_digits = [self, other]
            .map(|decimal| decimal.whole.len() + decimal.fraction.len())
            .into_iter()
            .fold(0, usize::max);
        let padded_digits = |decimal: Self| {
            let significant_digits = decimal.digits().skip_while(|digit| *digit == b'0');
            significant_digits
                .chain(iter::repeat(b'0'))
                .take(max_digits)
        };
        self.is_negative == other.is_negative
            && magnitude == other_magnitude
            && padded_digits(*self).eq(padded_digits(*other))
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    #[test]
    fn decimals_are_equal_in_any_notation() {
        for equal in [
            ["0", "-0.000e99999999999999999999"],
            ["100", "1e2"],
            ["100", "+001.000E+2"],
            ["-0.015", "-15e-3"],
            [".5", "0.50"],
            ["5.", "5"],
            ["1.6777216e+07", "16777216"],
        ] {
            let [a, b] = equal.map(Decimal::new);
            assert!(a == b, "{equal:?}");
        }
        for different in [
            ["0", "1e-400"],
            ["1", "-1"],
            ["1", "10"],
            ["1", "1.0000000000000000000001"],
            ["0.1", "0.01"],
            ["1e-99999999999999999999", "0"],
            ["1e-99999999999999999999", "1e99999999999999999999"],
        ] {
            let [a, b] = different.map(Decimal::new);
            assert!(a != b, "{different:?}");
        }
    }
}
