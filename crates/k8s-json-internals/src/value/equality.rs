//! Whether two JSON values are one, however deep they are.

use serde_json::{Number, Value};

/// So many levels are compared on the stack, which takes no memory.
const LEVELS: u32 = 32;

/// Deep equality, where integers and floats are different.
#[must_use]
pub fn same(a: &Value, b: &Value) -> bool {
    same_to(a, b, LEVELS)
}

/// Below so many levels it keeps a list of what is still to be compared, so that deep values cost memory and no stack.
fn same_to(a: &Value, b: &Value, levels: u32) -> bool {
    if levels > 0 {
        return each_pair(a, b, &mut |a, b| same_to(a, b, levels - 1));
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

/// Whether two values are the same as far as they are seen from here, and `show` says so of what is in them.
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
            // Two objects that are the same mostly have their keys in the same order.
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

/// Whether a server reads a number as a float, as it does with integers of more than 64 bits too.
fn is_float(number: &Number) -> bool {
    number.as_i64().is_none()
}
