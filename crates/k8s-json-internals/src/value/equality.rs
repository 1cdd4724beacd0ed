//! Equality of JSON values of any depth.

use serde_json::{Number, Value};

/// The depth up to which the comparison recurses, because recursion does not allocate.
const MAX_RECURSION: u32 = 32;

/// Returns true if two values are deeply equal. An integer is not equal to a float.
#[must_use]
pub fn deep_equal(a: &Value, b: &Value) -> bool {
    deep_equal_with_recursion(a, b, MAX_RECURSION)
}

/// Compares two values with recursion of at most `levels` levels. Deeper pairs are kept in a list
/// of pending pairs, so that deep values do not overflow the stack.
fn deep_equal_with_recursion(a: &Value, b: &Value, levels: u32) -> bool {
    if levels > 0 {
        return all_pairs_match(a, b, &mut |a, b| {
            deep_equal_with_recursion(a, b, levels - 1)
        });
    }
    let mut pending = vec![(a, b)];
    while let Some((a, b)) = pending.pop() {
        let queue = &mut |a, b| {
            pending.push((a, b));
            true
        };
        if !all_pairs_match(a, b, queue) {
            return false;
        }
    }
    true
}

/// Returns true if two values are equal, given that `compare` compares the values inside them.
fn all_pairs_match<'v>(
    a: &'v Value,
    b: &'v Value,
    compare: &mut impl FnMut(&'v Value, &'v Value) -> bool,
) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| compare(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            // Fast path: equal objects usually have their keys in the same order.
            let mut b_entries = b.iter();
            a.len() == b.len()
                && a.iter().all(|(key, a)| {
                    let b_entry = b_entries.next().filter(|(b_key, _)| *b_key == key);
                    let b_value = b_entry.map(|(_, b)| b).or_else(|| b.get(key));
                    b_value.is_some_and(|b| compare(a, b))
                })
        }
        (Value::Array(_) | Value::Object(_), _) | (_, Value::Array(_) | Value::Object(_)) => false,
        (Value::Number(a), Value::Number(b)) => {
            a == b || is_float(a) && is_float(b) && a.as_f64() == b.as_f64()
        }
        (a, b) => a == b,
    }
}

/// Returns true if an API server parses a number as a float. Integers of more than 64 bits are
/// floats too.
fn is_float(number: &Number) -> bool {
    number.as_i64().is_none()
}
