//! Kinds of values, and their names in Go.

use serde_json::Value;

/// The kind of a value. Integers and floats are two kinds: `1` is not `1.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Bool,
    Integer,
    Float,
    Text,
    Object,
    List,
}

impl Kind {
    pub(crate) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Bool,
            Value::Number(number) if number.as_i64().is_some() => Self::Integer,
            Value::Number(_) => Self::Float,
            Value::String(_) => Self::Text,
            Value::Object(_) => Self::Object,
            Value::Array(_) => Self::List,
        }
    }
}

/// The names of types, as Go prints them.
pub(crate) const OBJECT: &str = "map[string]interface {}";
pub(crate) const LIST: &str = "[]interface {}";
pub(crate) const TEXT: &str = "string";

/// Returns the type of a value, as Go prints it.
pub(crate) fn type_name(value: &Value) -> &'static str {
    match Kind::of(value) {
        Kind::Null => "%!s(<nil>)",
        Kind::Bool => "bool",
        Kind::Integer => "int64",
        Kind::Float => "float64",
        Kind::Text => TEXT,
        Kind::Object => OBJECT,
        Kind::List => LIST,
    }
}
