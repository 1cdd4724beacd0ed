//! Numbers that a visitor of serde sees as maps: with the feature `arbitrary_precision`, which any
//! crate of a build can switch on, `serde_json` passes each number as a map with one entry.

use serde_json::{Number, Value};

/// Returns true if a key may be the key of such an entry. All others are ordinary keys.
#[inline]
#[must_use]
pub fn may_be_number(key: &str) -> bool {
    key.starts_with("$serde_json::private::")
}

/// Returns the number of the first entry of a map, if the map stands for a number. The key is
/// private to `serde_json`, so its own reader decides: without the feature, there is no number.
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
