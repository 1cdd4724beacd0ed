//! Small values of schemas, for other crates of the workspace that show example objects.

use serde_json::Value;

use crate::terms::small_value::{Emptiness, small_value_of};

/// Returns a small value of a schema, with the fields that the schema requires. Patterns and rules
/// are ignored, so the API server may reject the value.
#[must_use]
pub fn example_value(schema: &Value) -> Value {
    match schema {
        Value::Object(schema) => small_value_of(schema, Emptiness::Allowed, 0),
        _ => Value::Object(serde_json::Map::new()),
    }
}
