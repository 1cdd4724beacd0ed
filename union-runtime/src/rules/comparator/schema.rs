//! What the comparator asks of a schema, and a plain JSON schema that answers.

use serde_json::Value;

/// A schema, as far as it says which old value a new one is compared with (KEP-4008, "Correlatable").
///
/// It is implemented for the schema of a CRD as plain JSON (`&Value`: `properties`, `additionalProperties`, `items`,
/// `x-kubernetes-list-type`, `x-kubernetes-list-map-keys`; a `$ref` is not followed, as CRDs may not have one), and by
/// validators for what they compile schemas into. `'s` is how long the names of keys are there.
pub trait SchemaNode<'s>: Copy {
    /// The schema of a property; `None` where the schema does not name it.
    fn property(self, name: &str) -> Option<Self>;

    /// The schema of the values of a map; `None` where the schema does not describe them.
    fn values(self) -> Option<Self>;

    /// The schema of the elements of a list.
    fn items(self) -> Option<Self>;

    /// The key at a position of those that tell the elements of a list of type map apart; `None` behind the last one, and
    /// for other lists.
    fn list_key(self, position: usize) -> Option<&'s str>;

    /// The schema of the value under a key of an object: the property's, or that of all other keys.
    fn child(self, key: &str) -> Option<Self> {
        self.property(key).or_else(|| self.values())
    }
}

impl<'s> SchemaNode<'s> for &'s Value {
    fn property(self, name: &str) -> Option<Self> {
        self.get("properties")?.get(name)
    }

    fn values(self) -> Option<Self> {
        self.get("additionalProperties")
            .filter(|values| values.is_object())
    }

    fn items(self) -> Option<Self> {
        self.get("items").filter(|items| items.is_object())
    }

    fn list_key(self, position: usize) -> Option<&'s str> {
        if self.get("x-kubernetes-list-type")? != "map" {
            return None;
        }
        self.get("x-kubernetes-list-map-keys")?
            .get(position)?
            .as_str()
    }
}
