//! Whole values as keys of a hash table.

use core::hash::{Hash, Hasher};

use serde_json::Value;

use super::scalar::Scalar;
use k8s_json_internals::equality::deep_equal;

/// A value as the key of a hash table. Keys are equal if the values are deeply equal.
#[derive(Clone, Copy)]
pub(crate) struct DeepKey<'v>(pub(crate) &'v Value);

impl PartialEq for DeepKey<'_> {
    fn eq(&self, other: &Self) -> bool {
        deep_equal(self.0, other.0)
    }
}

impl Eq for DeepKey<'_> {}

/// Recurses, because documents are not deeper than the limits allow.
impl Hash for DeepKey<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.0 {
            Value::Array(values) => {
                values.len().hash(state);
                for value in values {
                    DeepKey(value).hash(state);
                }
            }
            Value::Object(object) => {
                // The order of the fields does not count.
                let mut fields: Vec<(&String, &Value)> = object.iter().collect();
                fields.sort_unstable_by_key(|(name, _)| *name);
                fields.len().hash(state);
                for (name, value) in fields {
                    name.hash(state);
                    DeepKey(value).hash(state);
                }
            }
            scalar => Scalar::from_value(scalar).hash(state),
        }
    }
}
