//! Natural numbers of any length, as decimal digits.

use core::cmp::Ordering;
use core::iter;

/// An error for a number with too many digits.
#[derive(Debug, PartialEq, Eq)]
pub struct TooManyDigitsError;

/// The maximum number of zeros that are appended to a number. An API server has no limit, and may
/// compute for a very long time.
const MAX_ZEROS: i64 = 10_000;

/// A natural number as digits from 0 to 9, the most significant first, without leading zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Natural(Vec<u8>);

impl From<u64> for Natural {
    fn from(number: u64) -> Self {
        Self::from_digits(number.to_string().bytes())
    }
}

impl Natural {
    /// Returns the number with these ASCII digits. Other bytes are ignored.
    pub(super) fn from_digits(digits: impl Iterator<Item = u8>) -> Self {
        let digits = digits.filter(u8::is_ascii_digit).map(|digit| digit - b'0');
        Self(digits.skip_while(|digit| *digit == 0).collect())
    }

    /// Returns the number with these digits, the least significant first.
    fn from_reversed_digits(mut digits: Vec<u8>) -> Self {
        while digits.last() == Some(&0) {
            digits.pop();
        }
        digits.reverse();
        Self(digits)
    }

    pub(super) const fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes the last `count` digits. Returns true if one of them was not zero.
    pub(super) fn truncate(&mut self, count: usize) -> bool {
        let kept_length = self.0.len().saturating_sub(count);
        let removed = self.0.split_off(kept_length);
        removed.iter().any(|digit| *digit != 0)
    }

    /// Removes the trailing zeros, and returns their number.
    pub(super) fn strip_trailing_zeros(&mut self) -> i64 {
        let old_length = self.0.len();
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        i64::try_from(old_length - self.0.len()).unwrap_or(i64::MAX)
    }

    /// Appends `count` zeros, which multiplies the number by a power of ten.
    pub(super) fn shift(&mut self, count: i64) -> Result<(), TooManyDigitsError> {
        if self.is_zero() {
            return Ok(());
        }
        if count > MAX_ZEROS {
            return Err(TooManyDigitsError);
        }
        let count = usize::try_from(count).unwrap_or_default();
        self.0.extend(iter::repeat_n(0, count));
        Ok(())
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        let (long, short) = if self.0.len() < other.0.len() {
            (other, self)
        } else {
            (self, other)
        };
        let mut sum = Vec::with_capacity(long.0.len() + 1);
        let mut carry = 0;
        let short_digits = short.0.iter().rev().copied().chain(iter::repeat(0));
        for (a, b) in long.0.iter().rev().zip(short_digits) {
            let digit = a + b + carry;
            carry = digit / 10;
            sum.push(digit % 10);
        }
        sum.push(carry);
        Self::from_reversed_digits(sum)
    }

    /// Returns the difference. `other` must not be larger.
    pub(super) fn minus(&self, other: &Self) -> Self {
        let mut difference = Vec::with_capacity(self.0.len());
        let mut borrowed = 0;
        let other_digits = other.0.iter().rev().copied().chain(iter::repeat(0));
        for (a, b) in self.0.iter().rev().zip(other_digits) {
            let digit = 10 + a - b - borrowed;
            borrowed = u8::from(digit < 10);
            difference.push(digit % 10);
        }
        Self::from_reversed_digits(difference)
    }

    /// Returns the number times `2^exponent`.
    pub(super) fn times_power_of_two(&self, exponent: u32) -> Self {
        let mut product = Vec::with_capacity(self.0.len() + 20);
        let mut carry = 0_u128;
        let mut digits = self.0.iter().rev();
        loop {
            let digit = digits.next();
            if digit.is_none() && carry == 0 {
                return Self::from_reversed_digits(product);
            }
            carry += u128::from(digit.copied().unwrap_or_default()) << exponent;
            product.push(u8::try_from(carry % 10).unwrap_or_default());
            carry /= 10;
        }
    }

    /// Divides the number, which must not be 0, by 1024 as often as possible. Returns the number of
    /// divisions.
    pub(super) fn divide_by_1024(&mut self) -> usize {
        let mut division_count = 0;
        // Large steps come first, because long numbers may be divisible by many powers.
        for step in [5, 1] {
            while let Some(quotient) = self.divided_by_power_of_two(10 * step) {
                *self = quotient;
                division_count += usize::from(step);
            }
        }
        division_count
    }

    /// Returns the number divided by `2^exponent`, which must be less than 2^60; `None` if the
    /// division leaves a remainder.
    fn divided_by_power_of_two(&self, exponent: u16) -> Option<Self> {
        let mut remainder = 0_u64;
        let digits = self.0.iter().map(|digit| {
            remainder = remainder * 10 + u64::from(*digit);
            let digit = remainder >> exponent;
            remainder -= digit << exponent;
            u8::try_from(digit).unwrap_or_default()
        });
        let quotient: Vec<u8> = digits.skip_while(|digit| *digit == 0).collect();
        (remainder == 0 && !quotient.is_empty()).then_some(Self(quotient))
    }

    /// Returns the number times `10^scale` with all digits, or with an exponent if the power is
    /// very large.
    pub(super) fn to_decimal_string(&self, scale: i64) -> String {
        let digits = self.0.iter().map(|digit| char::from(b'0' + digit));
        let mut string: String = digits.collect();
        if string.is_empty() {
            return "0".to_owned();
        }
        let Ok(places) = usize::try_from(scale.unsigned_abs()) else {
            return format!("{string}e{scale}");
        };
        if scale > MAX_ZEROS {
            return format!("{string}e{scale}");
        }
        if scale >= 0 {
            string.extend(iter::repeat_n('0', places));
            return string;
        }
        let missing_zeros = (places + 1).saturating_sub(string.len());
        let string: String = iter::repeat_n('0', missing_zeros)
            .chain(string.chars())
            .collect();
        let (whole, fraction) = string.split_at(string.len() - places);
        let fraction = fraction.trim_end_matches('0');
        let point = if fraction.is_empty() { "" } else { "." };
        format!("{whole}{point}{fraction}")
    }

    /// Returns the nearest float.
    pub(super) fn to_f64(&self) -> f64 {
        let digits = self.0.iter().map(|digit| char::from(b'0' + digit));
        let string: String = iter::once('0').chain(digits).collect();
        string.parse().unwrap_or_default()
    }

    /// Compares two nonzero numbers, each times a power of ten.
    pub(super) fn cmp_scaled<'a>(
        &'a self,
        scale: i64,
        other: &'a Self,
        other_scale: i64,
    ) -> Ordering {
        let magnitude = |number: &Self, scale: i64| {
            let length = i64::try_from(number.0.len()).unwrap_or(i64::MAX);
            length.saturating_add(scale)
        };
        magnitude(self, scale)
            .cmp(&magnitude(other, other_scale))
            .then_with(|| {
                // The shorter number is extended with zeros.
                let length = self.0.len().max(other.0.len());
                let padded_digits = |number: &'a Self| {
                    let zeros = iter::repeat(&0);
                    number.0.iter().chain(zeros).take(length)
                };
                padded_digits(self).cmp(padded_digits(other))
            })
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_length = self.0.len().cmp(&other.0.len());
        by_length.then_with(|| self.0.cmp(&other.0))
    }
}

#[cfg(test)]
mod tests {
    use super::Natural;
    use proptest::prelude::{any, proptest};

    proptest! {
        #[test]
        fn natural_numbers_compute_as_integers(a in any::<u32>(), b in any::<u32>(), times in 0_u32..32) {
            let [left, right] = [a, b].map(|number| Natural::from(u64::from(number)));
            let (a, b) = (u64::from(a), u64::from(b));
            assert_eq!(left.plus(&right), (a + b).into());
            assert_eq!(left.times_power_of_two(times), (a << times).into());
            assert_eq!(left.cmp(&right), a.cmp(&b));
            let larger = if a > b { left.minus(&right) } else { right.minus(&left) };
            assert_eq!(larger, a.abs_diff(b).into());
            let kibi_exponent = times % 6;
            let mut kibi = right.times_power_of_two(10 * kibi_exponent).times_power_of_two(50);
            if b != 0 {
                let exponent_of_b = b.trailing_zeros() / 10;
                assert_eq!(kibi.divide_by_1024(), usize::try_from(exponent_of_b + kibi_exponent + 5).unwrap_or_default());
                assert_eq!(kibi, (b >> (10 * exponent_of_b)).into());
            }
        }
    }
}
