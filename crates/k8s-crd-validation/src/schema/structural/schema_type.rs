//! The types of schemas.

use serde_json::Value;

/// The type of a schema: the value of `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SchemaType {
    Array,
    Boolean,
    Integer,
    Number,
    Object,
    String,
}

impl SchemaType {
    /// Returns true if a value obviously has this type. Returns false for numbers that are not
    /// stored as an `i64`: the caller must check such numbers itself.
    #[inline]
    pub(crate) fn is_type_of(self, value: &Value) -> bool {
        match value {
            Value::Null => false,
            Value::Bool(_) => self == Self::Boolean,
            Value::Number(number) => {
                matches!(self, Self::Integer | Self::Number) && number.is_i64()
            }
            Value::String(_) => self == Self::String,
            Value::Array(_) => self == Self::Array,
            Value::Object(_) => self == Self::Object,
        }
    }

    pub(crate) const NAMES: [&'static str; 6] =
        ["array", "boolean", "integer", "number", "object", "string"];

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "array" => Self::Array,
            "boolean" => Self::Boolean,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "object" => Self::Object,
            "string" => Self::String,
            _ => return None,
        })
    }

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Array => "array",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Object => "object",
            Self::String => "string",
        }
    }
}
