//! Whether two JSON values are one, however deep they are.

use serde_json::Value;

/// Deep equality, where integers and floats are different. It keeps a list of what is still to be compared, so that deep
/// values cost memory and no stack.
pub(crate) fn same(a: &Value, b: &Value) -> bool {
    let mut waiting = vec![(a, b)];
    while let Some(pair) = waiting.pop() {
        match pair {
            (Value::Array(a), Value::Array(b)) => {
                if a.len() != b.len() {
                    return false;
                }
                waiting.extend(a.iter().zip(b));
            }
            (Value::Object(a), Value::Object(b)) => {
                if a.len() != b.len() {
                    return false;
                }
                for (key, a) in a {
                    let Some(b) = b.get(key) else {
                        return false;
                    };
                    waiting.push((a, b));
                }
            }
            (Value::Array(_) | Value::Object(_), _) | (_, Value::Array(_) | Value::Object(_)) => {
                return false;
            }
            (a, b) => {
                if a != b {
                    return false;
                }
            }
        }
    }
    true
}
