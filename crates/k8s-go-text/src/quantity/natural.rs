//! Natural numbers of any length, in decimal digits.

use core::cmp::Ordering;
use core::iter;

/// The error of a sum with too many digits.
#[derive(Debug, PartialEq, Eq)]
pub struct TooManyDigitsError;

/// The maximum number of zeros that are appended to a number. An API server adds numbers of any
/// size, however long that takes.
const MAX_ZEROS: i64 = 10_000;

/// A natural number: digits from 0 to 9, the highest first, without leading zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Natural(Vec<u8>);

impl From<u64> for Natural {
    fn from(number: u64) -> Self {
        Self::from_digits(number.to_string().bytes())
    }
}

impl Natural {
    /// Returns the number of ASCII digits. Other bytes are ignored.
    pub(super) fn from_digits(digits: impl Iterator<Item = u8>) -> Self {
        let digits = digits.filter(u8::is_ascii_digit).map(|digit| digit - b'0');
        Self(digits.skip_while(|digit| *digit == 0).collect())
    }

    /// Returns the number of digits with the lowest first.
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

    /// Removes `count` digits at the end, and returns true if one of them was not zero.
    pub(super) fn truncate(&mut self, count: usize) -> bool {
        let kept = self.0.len().saturating_sub(count);
        let rest = self.0.split_off(kept);
        rest.iter().any(|digit| *digit != 0)
    }

    /// Removes the zeros at the end, and returns their number.
    pub(super) fn strip_trailing_zeros(&mut self) -> i64 {
        let before = self.0.len();
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        i64::try_from(before - self.0.len()).unwrap_or(i64::MAX)
    }

    /// Appends `count` zeros.
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
        let short = short.0.iter().rev().copied().chain(iter::repeat(0));
        for (a, b) in long.0.iter().rev().zip(short) {
            let digit = a + b + carry;
            carry = digit / 10;
            sum.push(digit % 10);
        }
        sum.push(carry);
        Self::from_reversed_digits(sum)
    }

    /// Returns the difference to a number that is not larger.
    pub(super) fn minus(&self, other: &Self) -> Self {
        let mut left = Vec::with_capacity(self.0.len());
        let mut borrowed = 0;
        let other = other.0.iter().rev().copied().chain(iter::repeat(0));
        for (a, b) in self.0.iter().rev().zip(other) {
            let digit = 10 + a - b - borrowed;
            borrowed = u8::from(digit < 10);
            left.push(digit % 10);
        }
        Self::from_reversed_digits(left)
    }

    /// Returns the number times `2^times`.
    pub(super) fn times_power_of_two(&self, times: u32) -> Self {
        let mut product = Vec::with_capacity(self.0.len() + 20);
        let mut carry = 0_u128;
        let mut digits = self.0.iter().rev();
        loop {
            let digit = digits.next();
            if digit.is_none() && carry == 0 {
                return Self::from_reversed_digits(product);
            }
            carry += u128::from(digit.copied().unwrap_or_default()) << times;
            product.push(u8::try_from(carry % 10).unwrap_or_default());
            carry /= 10;
        }
    }

    /// Divides the number, which is not 0, by 1024 as often as possible, and returns how often.
    pub(super) fn divide_by_1024(&mut self) -> usize {
        let mut powers = 0;
        // Large steps first, because long numbers may have many powers.
        for step in [5, 1] {
            while let Some(part) = self.divided_by_power_of_two(10 * step) {
                *self = part;
                powers += usize::from(step);
            }
        }
        powers
    }

    /// Returns the number divided by `2^times`, which is below 2^60; `None` if it does not divide
    /// the number.
    fn divided_by_power_of_two(&self, times: u16) -> Option<Self> {
        let mut rest = 0_u64;
        let digits = self.0.iter().map(|digit| {
            rest = rest * 10 + u64::from(*digit);
            let part = rest >> times;
            rest -= part << times;
            u8::try_from(part).unwrap_or_default()
        });
        let part: Vec<u8> = digits.skip_while(|digit| *digit == 0).collect();
        (rest == 0 && !part.is_empty()).then_some(Self(part))
    }

    /// Returns the number times `10^scale`, in full. A very large power is printed as an exponent.
    pub(super) fn to_decimal_string(&self, scale: i64) -> String {
        let digits = self.0.iter().map(|digit| char::from(b'0' + digit));
        let mut text: String = digits.collect();
        if text.is_empty() {
            return "0".to_owned();
        }
        let Ok(places) = usize::try_from(scale.unsigned_abs()) else {
            return format!("{text}e{scale}");
        };
        if scale > MAX_ZEROS {
            return format!("{text}e{scale}");
        }
        if scale >= 0 {
            text.extend(iter::repeat_n('0', places));
            return text;
        }
        let missing = (places + 1).saturating_sub(text.len());
        let text: String = iter::repeat_n('0', missing).chain(text.chars()).collect();
        let (whole, part) = text.split_at(text.len() - places);
        let part = part.trim_end_matches('0');
        let point = if part.is_empty() { "" } else { "." };
        format!("{whole}{point}{part}")
    }

    /// Returns the nearest float.
    pub(super) fn to_f64(&self) -> f64 {
        let digits = self.0.iter().map(|digit| char::from(b'0' + digit));
        let text: String = iter::once('0').chain(digits).collect();
        text.parse().unwrap_or_default()
    }

    /// Compares two numbers that are not 0, each times a power of ten.
    pub(super) fn cmp_scaled<'a>(
        &'a self,
        scale: i64,
        other: &'a Self,
        other_scale: i64,
    ) -> Ordering {
        let top = |number: &Self, scale: i64| {
            let length = i64::try_from(number.0.len()).unwrap_or(i64::MAX);
            length.saturating_add(scale)
        };
        top(self, scale)
            .cmp(&top(other, other_scale))
            .then_with(|| {
                // The shorter number is extended by zeros.
                let length = self.0.len().max(other.0.len());
                let digits = |number: &'a Self| {
                    let zeros = iter::repeat(&0);
                    number.0.iter().chain(zeros).take(length)
                };
                digits(self).cmp(digits(other))
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
        fn they_compute_as_numbers_do(a in any::<u32>(), b in any::<u32>(), times in 0_u32..32) {
            let [one, other] = [a, b].map(|number| Natural::from(u64::from(number)));
            let (a, b) = (u64::from(a), u64::from(b));
            assert_eq!(one.plus(&other), (a + b).into());
            assert_eq!(one.times_power_of_two(times), (a << times).into());
            assert_eq!(one.cmp(&other), a.cmp(&b));
            let larger = if a > b { one.minus(&other) } else { other.minus(&one) };
            assert_eq!(larger, a.abs_diff(b).into());
            let more = times % 6;
            let mut kibi = other.times_power_of_two(10 * more).times_power_of_two(50);
            if b != 0 {
                let own = b.trailing_zeros() / 10;
                assert_eq!(kibi.divide_by_1024(), usize::try_from(own + more + 5).unwrap_or_default());
                assert_eq!(kibi, (b >> (10 * own)).into());
            }
        }
    }
}
