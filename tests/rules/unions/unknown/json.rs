//! Functions that read objects from JSON and write them back.

use serde::de::DeserializeOwned;
use serde_json::Value;

#[track_caller]
pub(crate) fn read<T: DeserializeOwned>(json: &Value) -> T {
    T::deserialize(json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

#[track_caller]
pub(crate) fn to_json<T: serde::Serialize>(object: &T) -> Value {
    serde_json::to_value(object).expect("valid JSON")
}
