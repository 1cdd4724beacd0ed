//! Numbers, compared whatever their kinds.

use crate::values::value::Val;

/// Whether two floats are one number.
pub(super) fn compare_floats(a: f64, b: f64) -> bool {
    a.partial_cmp(&b) == Some(core::cmp::Ordering::Equal)
}

/// The order of numbers of any kinds; none with NaN.
#[expect(
    clippy::cast_precision_loss,
    reason = "that is how the server compares them"
)]
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

/// The integer that a float is. As a server has it, the least and the largest ones that a float can be are none.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "only whole numbers of that size pass"
)]
pub(crate) fn whole(value: f64) -> Option<i64> {
    let is_whole = value.fract() == 0.0 && value.abs() < i64::MAX as f64;
    is_whole.then_some(value as i64)
}

/// As [`whole`], of those that are not negative.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "only whole numbers of that size pass"
)]
pub(super) fn natural(value: f64) -> Option<u64> {
    let is_natural = value.fract() == 0.0 && value >= 0.0 && value < u64::MAX as f64;
    is_natural.then_some(value as u64)
}
