//! Normalized numbers: numbers as an API server returns them from its storage.

use serde::{Serialize, Serializer};
use serde_json::{Number, Value};

use crate::print::number::{JsonFloat, JsonNumber, to_stored_integer};

/// Rewrites all numbers in the given values as an API server returns the numbers from its storage.
/// The results do not depend on the feature `arbitrary_precision` of `serde_json`.
pub fn normalize_numbers<'v>(values: impl IntoIterator<Item = &'v mut Value>) {
    // A list of pending values instead of recursion, because a deep value would overflow the stack.
    let mut pending: Vec<&mut Value> = values.into_iter().collect();
    while let Some(value) = pending.pop() {
        match value {
            Value::Number(number) => match normalize(number) {
                Some(JsonNumber::Int(integer)) => *number = integer.into(),
                // Parsing keeps these digits with `arbitrary_precision`; a float would lose them.
                Some(JsonNumber::Float(float)) => {
                    if let Ok(stored) = JsonFloat(float).to_string().parse() {
                        *number = stored;
                    }
                }
                None => {}
            },
            Value::Array(elements) => pending.extend(elements),
            Value::Object(fields) => pending.extend(fields.values_mut()),
            Value::Null | Value::Bool(_) | Value::String(_) => {}
        }
    }
}

/// A value that serializes with normalized numbers. Numbers serialize as integers and floats,
/// because a [`Number`] with the feature `arbitrary_precision` serializes as a map in formats other
/// than JSON.
#[derive(Clone, Copy, Debug)]
pub struct NormalizedNumbers<'v>(pub &'v Value);

impl Serialize for NormalizedNumbers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Number(number) => match normalize(number) {
                Some(JsonNumber::Int(integer)) => serializer.serialize_i64(integer),
                Some(JsonNumber::Float(float)) => serializer.serialize_f64(float),
                None => number.serialize(serializer),
            },
            Value::Array(elements) => {
                serializer.collect_seq(elements.iter().map(NormalizedNumbers))
            }
            Value::Object(fields) => serializer.collect_map(
                fields
                    .iter()
                    .map(|(name, value)| (name, NormalizedNumbers(value))),
            ),
            Value::Null | Value::Bool(_) | Value::String(_) => self.0.serialize(serializer),
        }
    }
}

/// Returns the number that an API server stores; `None` for a number beyond the range of floats,
/// which an API server rejects.
fn normalize(number: &Number) -> Option<JsonNumber> {
    match JsonNumber::from_number(number) {
        JsonNumber::Float(float) => match to_stored_integer(float) {
            Some(integer) => Some(JsonNumber::Int(integer)),
            None => float.is_finite().then_some(JsonNumber::Float(float)),
        },
        integer @ JsonNumber::Int(_) => Some(integer),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{NormalizedNumbers, normalize_numbers};

    /// CI also runs the test with the feature `arbitrary_precision` of `serde_json`.
    #[test]
    fn numbers_become_the_stored_numbers() {
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
            let serialized = serde_json::to_value(NormalizedNumbers(&value)).unwrap();
            let text = serde_json::to_string(&NormalizedNumbers(&value)).unwrap();
            normalize_numbers([&mut value]);
            assert_eq!(serialized.to_string(), value.to_string());
            let parsed: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(serialized, parsed);
            assert_eq!(value.to_string(), format!("[{{\"a\":{stored}}}]"));
        }
    }
}
