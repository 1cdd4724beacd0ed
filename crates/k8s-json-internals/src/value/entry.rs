//! Numbers that `serde_json` passes to a visitor as maps. With its feature `arbitrary_precision`,
//! which any crate of a build can enable, each number is a map with one entry.

use serde_json::{Number, Value};

/// Returns true if `key` may be the key of a number. All other keys are ordinary keys.
#[inline]
#[must_use]
pub fn may_be_number(key: &str) -> bool {
    key.starts_with("$serde_json::private::")
}

/// Returns the number that a map with the entry `key` and `value` encodes, or `None` for an
/// ordinary map. The exact key is private to `serde_json`, so the deserializer of `serde_json`
/// decides: without the feature, no map is a number.
#[must_use]
pub fn number(key: &str, value: &Value) -> Option<Number> {
    if !may_be_number(key) {
        return None;
    }
    let entry = (key.to_owned(), value.clone());
    match serde_json::from_value(Value::Object([entry].into_iter().collect())) {
        Ok(Value::Number(number)) => Some(number),
        _ => None,
    }
}
