//! The interface between the comparator and schemas, and its implementation for plain JSON schemas.

use serde_json::Value;

/// The part of a schema that decides which old value a new value is correlated with (KEP-4008,
/// "Correlatable").
///
/// The trait is implemented for `&Value`, the schema of a CRD as plain JSON. It reads `properties`,
/// `additionalProperties`, `items`, `x-kubernetes-list-type` and `x-kubernetes-list-map-keys`, and
/// ignores `$ref`, which CRDs may not have. Implement the trait for compiled schemas of your own.
/// `'s` is the lifetime of the names of keys.
pub trait CorrelationSchema<'s>: Copy {
    /// Returns the schema of the value with this name in an object: the schema of the property, or
    /// the schema of all values of a map. Returns `None` if the schema does not describe the value.
    fn child(self, name: &str) -> Option<Self>;

    /// Returns the schema of the elements of a list, or `None` if the schema does not describe the
    /// elements.
    fn items(self) -> Option<Self>;

    /// Returns the names of the keys of a list of type map. The result is empty for other lists.
    fn list_keys(self) -> impl Iterator<Item = &'s str> + Clone;
}

impl<'s> CorrelationSchema<'s> for &'s Value {
    fn child(self, name: &str) -> Option<Self> {
        let properties = self.get("properties");
        let property = properties.and_then(|properties| properties.get(name));
        property.or_else(|| {
            self.get("additionalProperties")
                .filter(|values| values.is_object())
        })
    }

    fn items(self) -> Option<Self> {
        self.get("items").filter(|items| items.is_object())
    }

    fn list_keys(self) -> impl Iterator<Item = &'s str> + Clone {
        let list_type = self.get("x-kubernetes-list-type");
        let is_map = list_type.is_some_and(|list_type| list_type == "map");
        let keys = self.get("x-kubernetes-list-map-keys");
        let keys = keys.filter(|_| is_map).and_then(Value::as_array);
        keys.into_iter().flatten().map_while(Value::as_str)
    }
}
