//! JSON values in the place of a string.

use serde_json::Value;

use super::equality::deep_equal;

/// The value of a discriminator that is not a string.
#[derive(Clone, Copy, Debug)]
pub struct NonStringValue<'a>(pub &'a Value);

impl<'a> NonStringValue<'a> {
    /// Returns the name of the value's type in `OpenAPI`.
    #[must_use]
    pub fn type_name(self) -> &'a str {
        match self.0 {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_i64() => "integer",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        }
    }
}

impl PartialEq for NonStringValue<'_> {
    fn eq(&self, other: &Self) -> bool {
        deep_equal(self.0, other.0)
    }
}

impl Eq for NonStringValue<'_> {}
