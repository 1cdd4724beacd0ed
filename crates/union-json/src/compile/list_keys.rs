//! The reader of the keys of a list of type map.

use serde_json::Value;

use crate::compile::compile::Id;
use crate::compile::merge::Merge;
use crate::document::shown::shown;
use crate::error::SchemaError;
use crate::walk::shape::{ListKey, ListKeys};

/// The maximum number of keys of a list. The number is limited because each key takes time for each
/// element.
const MOST_KEYS: usize = 64;

impl Merge<'_, '_> {
    /// Returns the keys of the elements of a list of type map. The result is empty for other lists.
    pub(crate) fn list_keys(&self, combined: &[Id], items: Id) -> Result<ListKeys, SchemaError> {
        const KEYS: &str = "x-kubernetes-list-map-keys";
        let is_map = |id: &&Id| {
            let list_type = self.graph.schema(**id).object.get("x-kubernetes-list-type");
            list_type.is_some_and(|list_type| list_type == "map")
        };
        let Some(list) = combined.iter().find(is_map) else {
            return Ok(ListKeys::default());
        };
        let wrong = |problem: &str| {
            Err(SchemaError::new(
                self.graph.place(*list),
                format!(
                    "{problem}; list the fields that are the keys of the elements, at most {MOST_KEYS}"
                ),
            ))
        };
        let names = match self.graph.schema(*list).object.get(KEYS) {
            Some(Value::Array(names)) if (1..=MOST_KEYS).contains(&names.len()) => names,
            Some(Value::Array(names)) => {
                return wrong(&format!(
                    "`{KEYS}` of a list of type map has {} names",
                    names.len()
                ));
            }
            Some(other) => {
                return wrong(&format!(
                    "`{KEYS}` must be a list of names, not {}",
                    shown(other)
                ));
            }
            None => return wrong(&format!("`{KEYS}` is missing in a list of type map")),
        };
        let elements = self.combined(items)?;
        let properties = || {
            let objects = elements.iter().map(|id| self.graph.schema(*id).object);
            objects.filter_map(|object| object.get("properties")?.as_object())
        };
        let mut keys = Vec::new();
        for name in names {
            let Some(name) = name.as_str() else {
                let name = shown(name);
                return wrong(&format!(
                    "`{KEYS}` contains {name}, which is not the name of a field"
                ));
            };
            let is_there = properties().any(|properties| properties.contains_key(name));
            if !is_there && properties().next().is_some() {
                return wrong(&format!(
                    "`{KEYS}` contains {name:?}, which is not a property of the elements"
                ));
            }
            let property = self.named(&elements, name)?;
            let default = property.and_then(|property| property.get("default"));
            keys.push(ListKey {
                name: name.into(),
                // A list or an object is not a valid value of a key.
                default: default
                    .filter(|default| !default.is_array() && !default.is_object())
                    .cloned(),
            });
        }
        Ok(ListKeys(keys.into()))
    }
}
