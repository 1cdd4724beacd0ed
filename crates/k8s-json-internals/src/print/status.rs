//! The `Status` objects of an API server.

use serde_json::{Map, Value, json};

/// Returns a `Status` of a failure, with its fields in the order of an API server.
#[must_use]
pub fn failure_status(message: &str, reason: &str, code: u16, details: Option<Value>) -> Value {
    let mut status = Map::new();
    let mut set_field = |key: &str, value: Value| status.insert(key.to_owned(), value);
    set_field("kind", "Status".into());
    set_field("apiVersion", "v1".into());
    set_field("metadata", json!({}));
    set_field("status", "Failure".into());
    set_field("message", message.into());
    set_field("reason", reason.into());
    if let Some(details) = details {
        set_field("details", details);
    }
    set_field("code", code.into());
    Value::Object(status)
}
