//! The numeric value of quantities: order, sums, and the nearest floats.

use core::cmp::Ordering;
use core::fmt;

use super::natural::{Natural, TooManyDigitsError};

/// A quantity.
#[derive(Clone, Debug)]
pub struct Quantity {
    pub(super) amount: Amount,
    pub(super) format: Format,
    /// The parsed string, if an API server prints the quantity in this form.
    pub(super) cached_string: Option<Box<str>>,
}

/// The form in which an API server prints a quantity, which the parsed suffix determines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// A decimal suffix, as in `1k`, or no suffix.
    DecimalSi,
    /// A binary suffix, as in `1Ki`.
    BinarySi,
    /// An exponent, as in `1e3`.
    DecimalExponent,
}

/// The numeric value of a quantity, in one of the two forms of an API server.
#[derive(Clone, Debug)]
pub(super) enum Amount {
    Int64(Int64Amount),
    InfDec(InfDecAmount),
}

/// A 64-bit integer times a power of ten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Int64Amount {
    pub(super) value: i64,
    pub(super) scale: i32,
}

/// An integer of any length times a power of ten.
#[derive(Clone, Debug)]
pub(super) struct InfDecAmount {
    pub(super) is_negative: bool,
    /// The absolute value of the integer.
    pub(super) size: Natural,
    pub(super) scale: i64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    Add,
    Subtract,
}

/// Converts an integer that a CEL rule adds to a quantity. As on an API server, the integer has the
/// format of quantities with an exponent.
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
    /// Returns the integer value, if an API server treats the quantity as an integer.
    #[must_use]
    pub fn as_int64(&self) -> Option<i64> {
        match &self.amount {
            Amount::Int64(int64) => int64.as_integer(),
            Amount::InfDec(_) => None,
        }
    }

    /// Returns a float that approximates the quantity.
    #[must_use]
    pub fn as_approximate_float64(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "the result is approximate")]
        let (float, scale) = match &self.amount {
            Amount::Int64(int64) => (int64.value as f64, int64.scale.into()),
            Amount::InfDec(inf_dec) if inf_dec.size.is_zero() => (0.0, inf_dec.scale),
            Amount::InfDec(inf_dec) => {
                let sign = if inf_dec.is_negative { -1.0 } else { 1.0 };
                (sign * inf_dec.size.to_f64(), inf_dec.scale)
            }
        };
        if scale == 0 {
            return float;
        }
        float * power_of_ten(scale)
    }

    /// Returns the sign of the quantity: -1, 0 or 1.
    #[must_use]
    pub fn sign(&self) -> i64 {
        match &self.amount {
            Amount::Int64(int64) => int64.value.signum(),
            Amount::InfDec(inf_dec) if inf_dec.size.is_zero() => 0,
            Amount::InfDec(inf_dec) if inf_dec.is_negative => -1,
            Amount::InfDec(_) => 1,
        }
    }

    /// Returns the sum of two quantities.
    ///
    /// # Errors
    ///
    /// Returns an error if the sum has too many digits.
    pub fn plus(&self, other: &Self) -> Result<Self, TooManyDigitsError> {
        let int64_result = match (&self.amount, &other.amount) {
            (Amount::Int64(a), Amount::Int64(b)) => a.plus(*b),
            _ => None,
        };
        self.combine(int64_result, other, Operation::Add)
    }

    /// Returns the difference of two quantities.
    ///
    /// # Errors
    ///
    /// Returns an error if the difference has too many digits.
    pub fn minus(&self, other: &Self) -> Result<Self, TooManyDigitsError> {
        let int64_result = match (&self.amount, &other.amount) {
            (Amount::Int64(a), Amount::Int64(b)) => {
                // As on an API server, the smallest integer is its own negation.
                let value = b.value.wrapping_neg();
                a.plus(Int64Amount { value, ..*b })
            }
            _ => None,
        };
        self.combine(int64_result, other, Operation::Subtract)
    }

    /// Returns the sum or the difference, which is `int64_result` if it is known. A zero takes the
    /// format of the other quantity.
    fn combine(
        &self,
        int64_result: Option<Int64Amount>,
        other: &Self,
        operation: Operation,
    ) -> Result<Self, TooManyDigitsError> {
        let amount = if let Some(int64) = int64_result {
            Amount::Int64(int64)
        } else {
            let other_amount = other.amount.to_inf_dec();
            let is_negative = other_amount.is_negative != (operation == Operation::Subtract);
            let signed_amount = InfDecAmount {
                is_negative,
                ..other_amount
            };
            Amount::InfDec(self.amount.to_inf_dec().plus(signed_amount)?)
        };
        let format_source = if self.sign() == 0 { other } else { self };
        let format = format_source.format;
        Ok(Self {
            amount,
            format,
            cached_string: None,
        })
    }
}

impl Amount {
    pub(super) fn to_inf_dec(&self) -> InfDecAmount {
        match self {
            Self::Int64(int64) => InfDecAmount {
                is_negative: int64.value < 0,
                size: int64.value.unsigned_abs().into(),
                scale: int64.scale.into(),
            },
            Self::InfDec(inf_dec) => inf_dec.clone(),
        }
    }
}

/// Returns a power of ten as Go's `math.Pow10` computes it: the product of two powers, one of which
/// is a power of 10^32. The result is therefore not always the nearest float. Beyond the exponents
/// of floats, the result is zero or infinite.
fn power_of_ten(exponent: i64) -> f64 {
    let exact_power = |exponent: i64| format!("1e{exponent}").parse().unwrap_or(f64::INFINITY);
    match exponent {
        ..-323 => 0.0,
        309.. => f64::INFINITY,
        exponent if exponent < 0 => {
            let remainder = -exponent % 32;
            exact_power(exponent + remainder) / exact_power(remainder)
        }
        exponent => {
            let remainder = exponent % 32;
            exact_power(exponent - remainder) * exact_power(remainder)
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
        // As on an API server, adding zero to a number keeps the scale of the number, and zero
        // takes the scale of the other number.
        if other.value == 0 {
            return Some(self);
        }
        if self.value == 0 {
            return Some(other);
        }
        let scale = self.scale.min(other.scale);
        let rescale = |int64: Self| {
            let exponent = i64::from(int64.scale) - i64::from(scale);
            let power = 10_i64.checked_pow(u32::try_from(exponent).ok()?)?;
            int64.value.checked_mul(power)
        };
        let value = rescale(self)?.checked_add(rescale(other)?)?;
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

/// Prints the number with all its digits, without trailing zeros.
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inf_dec = self.amount.to_inf_dec();
        let sign = if self.sign() < 0 { "-" } else { "" };
        write!(f, "{sign}{}", inf_dec.size.to_decimal_string(inf_dec.scale))
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
