//! The types of JSON values, and their names in Go.

use serde_json::Value;

/// The type of a JSON value. Integers and floats are different types: `1` is not `1.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JsonType {
    Null,
    Bool,
    Integer,
    Float,
    String,
    Object,
    Array,
}

impl JsonType {
    pub(crate) fn from_value(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Bool,
            Value::Number(number) if number.as_i64().is_some() => Self::Integer,
            Value::Number(_) => Self::Float,
            Value::String(_) => Self::String,
            Value::Object(_) => Self::Object,
            Value::Array(_) => Self::Array,
        }
    }
}

/// Names of types, as Go prints them.
pub(crate) const GO_MAP: &str = "map[string]interface {}";
pub(crate) const GO_SLICE: &str = "[]interface {}";
pub(crate) const GO_STRING: &str = "string";

/// Returns the type of a value, as Go prints it.
pub(crate) fn go_type_name(value: &Value) -> &'static str {
    match JsonType::from_value(value) {
        JsonType::Null => "%!s(<nil>)",
        JsonType::Bool => "bool",
        JsonType::Integer => "int64",
        JsonType::Float => "float64",
        JsonType::String => GO_STRING,
        JsonType::Object => GO_MAP,
        JsonType::Array => GO_SLICE,
    }
}
