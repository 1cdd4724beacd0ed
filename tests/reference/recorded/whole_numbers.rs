//! Numbers as Go prints them.

use serde_json::Value;

/// Returns the value with whole floats as integers, as Go prints them.
pub(crate) fn with_whole_numbers(value: &Value) -> Value {
    match value {
        Value::Number(number) => {
            let float = number.as_f64().filter(|_| number.is_f64());
            #[expect(
                clippy::cast_possible_truncation,
                reason = "the float is whole and small"
            )]
            match float.filter(|float| float.fract() == 0.0 && float.abs() < 1e15) {
                Some(float) => (float as i64).into(),
                None => value.clone(),
            }
        }
        Value::Array(values) => values.iter().map(with_whole_numbers).collect(),
        Value::Object(object) => object
            .iter()
            .map(|(key, value)| (key.clone(), with_whole_numbers(value)))
            .collect(),
        _ => value.clone(),
    }
}
