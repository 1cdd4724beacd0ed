//! Values that are deeper than the stack: they are constructed from the inside, and dropped without
//! recursion.

use std::ops::{Deref, DerefMut};

use serde_json::Value;

/// A deep value, which is dropped without recursion.
pub(crate) struct Deep(Value);

impl Deep {
    /// Wraps a value `depth` times.
    pub(crate) fn new(depth: usize, mut inner: Value, wrap: impl Fn(Value) -> Value) -> Self {
        for _ in 0..depth {
            inner = wrap(inner);
        }
        Self(inner)
    }

    /// Returns the value inside another value.
    pub(crate) fn within(mut self, wrap: impl FnOnce(Value) -> Value) -> Self {
        Self(wrap(self.0.take()))
    }
}

impl Deref for Deep {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.0
    }
}

impl DerefMut for Deep {
    fn deref_mut(&mut self) -> &mut Value {
        &mut self.0
    }
}

impl Drop for Deep {
    fn drop(&mut self) {
        let mut pending_values = vec![self.0.take()];
        while let Some(value) = pending_values.pop() {
            match value {
                Value::Array(values) => pending_values.extend(values),
                Value::Object(values) => {
                    pending_values.extend(values.into_iter().map(|(_, value)| value));
                }
                _ => {}
            }
        }
    }
}

/// Returns an object with the fields. The macro `json!` would serialize the values, but this
/// function moves them.
pub(crate) fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let fields = fields.into_iter();
    fields
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// Returns a list of the values, like [`object`].
pub(crate) fn list<const N: usize>(values: [Value; N]) -> Value {
    Value::Array(values.into())
}
