//! Comparison of numbers of different types.

use crate::values::value::Val;

/// Returns true if two floats are equal numbers.
pub(super) fn equal_floats(a: f64, b: f64) -> bool {
    a.partial_cmp(&b) == Some(core::cmp::Ordering::Equal)
}

/// Returns the order of two numbers of any types; `None` if one of them is NaN.
#[expect(clippy::cast_precision_loss, reason = "the server compares as floats")]
pub(crate) fn compare_numbers(a: &Val<'_>, b: &Val<'_>) -> Option<core::cmp::Ordering> {
    use core::cmp::Ordering::{Greater, Less};
    match (a, b) {
        (Val::Int(a), Val::Int(b)) => Some(a.cmp(b)),
        (Val::Uint(a), Val::Uint(b)) => Some(a.cmp(b)),
        (Val::Double(a), Val::Double(b)) => a.partial_cmp(b),
        (Val::Int(a), Val::Uint(b)) => Some(i128::from(*a).cmp(&i128::from(*b))),
        (Val::Int(a), Val::Double(b)) => {
            if b.is_nan() {
                None
            } else if *b < i64::MIN as f64 {
                Some(Greater)
            } else if *b > i64::MAX as f64 {
                Some(Less)
            } else {
                (*a as f64).partial_cmp(b)
            }
        }
        (Val::Uint(a), Val::Double(b)) => {
            if b.is_nan() {
                None
            } else if *b < 0.0 {
                Some(Greater)
            } else {
                (*a as f64).partial_cmp(b)
            }
        }
        (Val::Uint(_) | Val::Double(_), Val::Int(_)) | (Val::Double(_), Val::Uint(_)) => {
            compare_numbers(b, a).map(core::cmp::Ordering::reverse)
        }
        _ => None,
    }
}

/// Returns the integer that equals a float. As on a server, a float at the end of the range has no
/// equal integer.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "only whole numbers of that size pass"
)]
pub(crate) fn to_equal_int(value: f64) -> Option<i64> {
    let is_whole = value.fract() == 0.0 && value.abs() < i64::MAX as f64;
    is_whole.then_some(value as i64)
}

/// Returns the unsigned integer that equals a float.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "only whole numbers of that size pass"
)]
pub(super) fn to_equal_uint(value: f64) -> Option<u64> {
    let is_natural = value.fract() == 0.0 && value >= 0.0 && value < u64::MAX as f64;
    is_natural.then_some(value as u64)
}
