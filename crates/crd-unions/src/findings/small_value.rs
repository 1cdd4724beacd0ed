//! Small values of schemas, for the crates that show objects as this one does.

use serde_json::Value;

use crate::findings::sample::smallest;

/// A small value of a schema, with what the schema requires filled in. Patterns and rules are not looked at, so that it may be
/// refused.
#[must_use]
pub fn small_value(schema: &Value) -> Value {
    match schema {
        Value::Object(schema) => smallest(schema, false, 0),
        _ => Value::Object(serde_json::Map::new()),
    }
}
