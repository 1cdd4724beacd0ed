//! Numbers as the storage of an API server returns them.

use serde_json::{Number, Value};

use crate::print::number::{JsonFloat, JsonNumber, to_stored_integer};

/// Rewrites all numbers in some values as the storage of an API server returns them. With or
/// without the feature `arbitrary_precision` of `serde_json`, they are the same numbers.
pub fn store<'v>(values: impl IntoIterator<Item = &'v mut Value>) {
    // Pending values are in a list, so that deep values take no stack.
    let mut waiting: Vec<&mut Value> = values.into_iter().collect();
    while let Some(value) = waiting.pop() {
        match value {
            Value::Number(number) => {
                if let Some(stored) = stored(number) {
                    *number = stored;
                }
            }
            Value::Array(elements) => waiting.extend(elements),
            Value::Object(fields) => waiting.extend(fields.values_mut()),
            Value::Null | Value::Bool(_) | Value::String(_) => {}
        }
    }
}

/// Returns the number that an API server stores for a number that may be another one.
fn stored(number: &Number) -> Option<Number> {
    match JsonNumber::from_number(number) {
        // With `arbitrary_precision`, -0 is another text of 0.
        JsonNumber::Int(integer) => (integer == 0).then(|| Number::from(integer)),
        JsonNumber::Float(float) => match to_stored_integer(float) {
            Some(integer) => Some(Number::from(integer)),
            // An API server does not accept a number beyond the range of floats.
            None if !float.is_finite() => None,
            // With `arbitrary_precision`, this keeps the text.
            None => JsonFloat(float).to_string().parse().ok(),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::store;

    /// CI also runs the test with the feature `arbitrary_precision` of `serde_json`.
    #[test]
    fn numbers_are_those_that_the_storage_returns() {
        for (sent, stored) in [
            ("1.0", "1"),
            ("100e-2", "1"),
            ("-0", "0"),
            ("-0.0", "0"),
            ("0.50", "0.5"),
            ("9007199254740993", "9007199254740993"),
            ("4611686018427387904.0", "4611686018427388000"),
            ("123456789012345678901234567890", "1.2345678901234568e+29"),
        ] {
            let mut value: Value = serde_json::from_str(&format!("[{{\"a\":{sent}}}]")).unwrap();
            store([&mut value]);
            assert_eq!(value.to_string(), format!("[{{\"a\":{stored}}}]"));
        }
    }
}
