//! Quantities as numbers: their order, their sums and their nearest floats.

use core::cmp::Ordering;
use core::fmt;

use super::natural::{Natural, TooManyDigitsError};

/// A quantity.
#[derive(Clone, Debug)]
pub struct Quantity {
    pub(super) amount: Amount,
    pub(super) format: Format,
    /// The string that was parsed, if an API server keeps it as the printed form.
    pub(super) cached_string: Option<Box<str>>,
}

/// The form in which an API server prints a quantity, by the suffix that was parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// A decimal suffix, such as in `1k`, or none.
    DecimalSi,
    /// A binary suffix, such as in `1Ki`.
    BinarySi,
    /// An exponent, such as in `1e3`.
    DecimalExponent,
}

#[derive(Clone, Debug)]
pub(super) enum Amount {
    Int64(Int64Amount),
    InfDec(InfDecAmount),
}

/// A 64-bit number times a power of ten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Int64Amount {
    pub(super) value: i64,
    pub(super) scale: i32,
}

/// A number of any length times a power of ten.
#[derive(Clone, Debug)]
pub(super) struct InfDecAmount {
    pub(super) is_negative: bool,
    pub(super) size: Natural,
    pub(super) scale: i64,
}

impl From<i64> for Quantity {
    fn from(value: i64) -> Self {
        Self {
            amount: Amount::Int64(Int64Amount { value, scale: 0 }),
            format: Format::DecimalExponent,
            cached_string: None,
        }
    }
}

impl Quantity {
    /// Returns the integer, if an API server recognizes the quantity as one.
    #[must_use]
    pub fn as_int64(&self) -> Option<i64> {
        match &self.amount {
            Amount::Int64(small) => small.as_integer(),
            Amount::InfDec(_) => None,
        }
    }

    /// Returns a float that is equal to the quantity or near it.
    #[must_use]
    pub fn as_approximate_float64(&self) -> f64 {
        #[expect(
            clippy::cast_precision_loss,
            reason = "the function is called approximate"
        )]
        let (float, scale) = match &self.amount {
            Amount::Int64(small) => (small.value as f64, small.scale.into()),
            Amount::InfDec(large) if large.size.is_zero() => (0.0, large.scale),
            Amount::InfDec(large) => {
                let sign = if large.is_negative { -1.0 } else { 1.0 };
                (sign * large.size.to_f64(), large.scale)
            }
        };
        if scale == 0 {
            return float;
        }
        float * power_of_ten(scale)
    }

    /// Returns the sign: -1, 0 or 1.
    #[must_use]
    pub fn sign(&self) -> i64 {
        match &self.amount {
            Amount::Int64(small) => small.value.signum(),
            Amount::InfDec(large) if large.size.is_zero() => 0,
            Amount::InfDec(large) if large.is_negative => -1,
            Amount::InfDec(_) => 1,
        }
    }

    /// Returns the sum.
    ///
    /// # Errors
    ///
    /// Returns an error if the sum has too many digits.
    pub fn plus(&self, other: &Self) -> Result<Self, TooManyDigitsError> {
        let number = match (&self.amount, &other.amount) {
            (Amount::Int64(a), Amount::Int64(b)) => a.plus(*b),
            _ => None,
        };
        self.combine(number, other, false)
    }

    /// Returns the difference.
    ///
    /// # Errors
    ///
    /// Returns an error if the difference has too many digits.
    pub fn minus(&self, other: &Self) -> Result<Self, TooManyDigitsError> {
        let number = match (&self.amount, &other.amount) {
            (Amount::Int64(a), Amount::Int64(b)) => {
                // An API server uses the least number as its own negation.
                let value = b.value.wrapping_neg();
                a.plus(Int64Amount { value, ..*b })
            }
            _ => None,
        };
        self.combine(number, other, true)
    }

    /// Returns the sum or the difference: `number`, if it is known. A quantity that is added to
    /// zero keeps its form.
    fn combine(
        &self,
        number: Option<Int64Amount>,
        other: &Self,
        is_difference: bool,
    ) -> Result<Self, TooManyDigitsError> {
        let number = if let Some(small) = number {
            Amount::Int64(small)
        } else {
            let other = other.amount.to_inf_dec();
            let is_negative = other.is_negative != is_difference;
            let other = InfDecAmount {
                is_negative,
                ..other
            };
            Amount::InfDec(self.amount.to_inf_dec().plus(other)?)
        };
        let of = if self.sign() == 0 { other } else { self };
        let form = of.format;
        Ok(Self {
            amount: number,
            format: form,
            cached_string: None,
        })
    }
}

impl Amount {
    pub(super) fn to_inf_dec(&self) -> InfDecAmount {
        match self {
            Self::Int64(small) => InfDecAmount {
                is_negative: small.value < 0,
                size: small.value.unsigned_abs().into(),
                scale: small.scale.into(),
            },
            Self::InfDec(large) => large.clone(),
        }
    }
}

/// Returns the power of ten that Go computes: the product of two powers, of which one is a power of
/// 10^32, and therefore not always the nearest float.
fn power_of_ten(exponent: i64) -> f64 {
    let exact = |exponent: i64| format!("1e{exponent}").parse().unwrap_or(f64::INFINITY);
    match exponent {
        ..-323 => 0.0,
        309.. => f64::INFINITY,
        exponent if exponent < 0 => {
            let rest = -exponent % 32;
            exact(exponent + rest) / exact(rest)
        }
        exponent => {
            let rest = exponent % 32;
            exact(exponent - rest) * exact(rest)
        }
    }
}

impl Int64Amount {
    pub(super) fn as_integer(self) -> Option<i64> {
        if self.value == 0 && self.scale >= 0 {
            return Some(0);
        }
        let power = 10_i64.checked_pow(u32::try_from(self.scale).ok()?)?;
        self.value.checked_mul(power)
    }

    pub(super) fn plus(self, other: Self) -> Option<Self> {
        // On an API server, a number that is added to zero keeps its scale, and zero does not have
        // a scale.
        if other.value == 0 {
            return Some(self);
        }
        if self.value == 0 {
            return Some(other);
        }
        let scale = self.scale.min(other.scale);
        let at = |small: Self| {
            let more = i64::from(small.scale) - i64::from(scale);
            let power = 10_i64.checked_pow(u32::try_from(more).ok()?)?;
            small.value.checked_mul(power)
        };
        let value = at(self)?.checked_add(at(other)?)?;
        Some(Self { value, scale })
    }
}

impl InfDecAmount {
    pub(super) fn plus(mut self, mut other: Self) -> Result<Self, TooManyDigitsError> {
        let scale = self.scale.min(other.scale);
        for number in [&mut self, &mut other] {
            number.size.shift(number.scale - scale)?;
        }
        let (is_negative, size) = if self.is_negative == other.is_negative {
            (self.is_negative, self.size.plus(&other.size))
        } else if self.size >= other.size {
            (self.is_negative, self.size.minus(&other.size))
        } else {
            (other.is_negative, other.size.minus(&self.size))
        };
        Ok(Self {
            is_negative,
            size,
            scale,
        })
    }
}

/// Prints the number in full, without zeros at the end.
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let large = self.amount.to_inf_dec();
        let sign = if self.sign() < 0 { "-" } else { "" };
        write!(f, "{sign}{}", large.size.to_decimal_string(large.scale))
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Quantity {}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> Ordering {
        if let (Amount::Int64(a), Amount::Int64(b)) = (&self.amount, &other.amount)
            && a.scale == b.scale
        {
            return a.value.cmp(&b.value);
        }
        let sign = self.sign();
        sign.cmp(&other.sign()).then_with(|| {
            if sign == 0 {
                return Ordering::Equal;
            }
            let (a, b) = (self.amount.to_inf_dec(), other.amount.to_inf_dec());
            let order = a.size.cmp_scaled(a.scale, &b.size, b.scale);
            if sign < 0 { order.reverse() } else { order }
        })
    }
}
