//! Equality of JSON values of any depth.

use serde_json::{Number, Value};

/// The depth up to which the comparison recurses, which does not need memory.
const LEVELS: u32 = 32;

/// Returns true if two values are deeply equal; an integer and a float differ.
#[must_use]
pub fn deep_equal(a: &Value, b: &Value) -> bool {
    deep_equal_to(a, b, LEVELS)
}

/// Compares two values. Below `levels` levels, pending pairs are queued in a list, so that deep
/// values take memory rather than stack.
fn deep_equal_to(a: &Value, b: &Value, levels: u32) -> bool {
    if levels > 0 {
        return each_pair(a, b, &mut |a, b| deep_equal_to(a, b, levels - 1));
    }
    let mut waiting = vec![(a, b)];
    while let Some((a, b)) = waiting.pop() {
        let wait = &mut |a, b| {
            waiting.push((a, b));
            true
        };
        if !each_pair(a, b, wait) {
            return false;
        }
    }
    true
}

/// Returns true if two values are equal, where `show` compares the pairs of values in them.
fn each_pair<'v>(
    a: &'v Value,
    b: &'v Value,
    show: &mut impl FnMut(&'v Value, &'v Value) -> bool,
) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| show(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            // Fast path: equal objects usually have their keys in the same order.
            let mut others = b.iter();
            a.len() == b.len()
                && a.iter().all(|(key, a)| {
                    let other = others.next().filter(|(other, _)| *other == key);
                    let other = other.map(|(_, b)| b).or_else(|| b.get(key));
                    other.is_some_and(|b| show(a, b))
                })
        }
        (Value::Array(_) | Value::Object(_), _) | (_, Value::Array(_) | Value::Object(_)) => false,
        (Value::Number(a), Value::Number(b)) => {
            a == b || is_float(a) && is_float(b) && a.as_f64() == b.as_f64()
        }
        (a, b) => a == b,
    }
}

/// Returns true if an API server parses a number as a float, which includes integers of more than
/// 64 bits.
fn is_float(number: &Number) -> bool {
    number.as_i64().is_none()
}
