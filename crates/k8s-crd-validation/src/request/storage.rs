//! Objects as the storage of an API server returns them.

use serde_json::{Number, Value};

use k8s_json_internals::number::{JsonNumber, to_stored_integer as number_as_stored};

/// Writes the numbers of an object as the storage of an API server returns them: `1.0`, `1e0` and
/// `-0` are stored as the integers `1` and `0`.
///
/// An API server compares a new object with the stored object, in which a number that was sent as
/// `1.0` is an integer. Pass an object from an API server as the old object of
/// [`update`](crate::StructuralSchema::update), or call this function on your old object first.
///
/// ```
/// use k8s_crd_validation::normalize_numbers;
/// use serde_json::json;
///
/// let mut old = json!({"weight": 1.0, "ratio": 0.5, "large": 1e30});
/// normalize_numbers(&mut old);
/// assert_eq!(old, json!({"weight": 1, "ratio": 0.5, "large": 1e30}));
/// ```
pub fn normalize_numbers(object: &mut Value) {
    // Pending values are in a list, so that deep values take no stack.
    let mut waiting = vec![object];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Number(number) => {
                if let JsonNumber::Float(float) = JsonNumber::from_number(number) {
                    // An API server reads integers beyond `i64` as floats.
                    let stored = number_as_stored(float).map(Number::from);
                    if let Some(stored) = stored.or_else(|| Number::from_f64(float)) {
                        *number = stored;
                    }
                }
            }
            Value::Array(elements) => waiting.extend(elements),
            Value::Object(fields) => waiting.extend(fields.values_mut()),
            Value::Null | Value::Bool(_) | Value::String(_) => {}
        }
    }
}
