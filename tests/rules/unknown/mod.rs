//! Members that this build does not know, kept by `#[union(unknown)]`: reading never fails, writing gives back what was
//! read, and only a discriminator that leaves their value clears them.

mod by_schema;
mod flattened;
mod normalize;
mod objects;
mod refused;
mod round_trip;
mod schema;
mod types;

use serde::de::DeserializeOwned;
use serde_json::Value;

#[track_caller]
fn read<T: DeserializeOwned>(json: &Value) -> T {
    T::deserialize(json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

#[track_caller]
fn written<T: serde::Serialize>(object: &T) -> Value {
    serde_json::to_value(object).expect("it is JSON")
}
