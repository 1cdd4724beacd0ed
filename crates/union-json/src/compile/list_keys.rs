//! Reads the keys of a list of type map.

use serde_json::Value;

use crate::compile::node_compiler::NodeCompiler;
use crate::compile::schema_graph::SchemaId;
use crate::document::message_format::format_value;
use crate::error::SchemaError;
use crate::walk::compiled_node::{ListKey, ListKeys};

/// The maximum number of keys of a list. Reading a key takes time for each element, so the number
/// is limited.
const MAX_KEYS: usize = 64;

impl NodeCompiler<'_, '_> {
    /// Returns the keys of the elements of a list of type map. The result is empty for other lists.
    pub(crate) fn list_keys(
        &self,
        combined: &[SchemaId],
        items: SchemaId,
    ) -> Result<ListKeys, SchemaError> {
        const KEYS: &str = "x-kubernetes-list-map-keys";
        let is_map = |id: &&SchemaId| {
            let list_type = self.graph.schema(**id).object.get("x-kubernetes-list-type");
            list_type.is_some_and(|list_type| list_type == "map")
        };
        let Some(list) = combined.iter().find(is_map) else {
            return Ok(ListKeys::default());
        };
        let error = |problem: &str| {
            Err(SchemaError::new(
                self.graph.pointer(*list),
                format!(
                    "{problem}; list the fields that are the keys of the elements, at most {MAX_KEYS}"
                ),
            ))
        };
        let names = match self.graph.schema(*list).object.get(KEYS) {
            Some(Value::Array(names)) if (1..=MAX_KEYS).contains(&names.len()) => names,
            Some(Value::Array(names)) => {
                let count = names.len();
                return error(&format!("`{KEYS}` of a list of type map has {count} names"));
            }
            Some(other) => {
                return error(&format!(
                    "`{KEYS}` must be a list of names, not {}",
                    format_value(other)
                ));
            }
            None => return error(&format!("`{KEYS}` is missing in a list of type map")),
        };
        let elements = self.combined(items)?;
        let properties = || {
            let objects = elements.iter().map(|id| self.graph.schema(*id).object);
            objects.filter_map(|object| object.get("properties")?.as_object())
        };
        let mut keys = Vec::new();
        for name in names {
            let Some(name) = name.as_str() else {
                let name = format_value(name);
                return error(&format!(
                    "`{KEYS}` contains {name}, which is not the name of a field"
                ));
            };
            let is_property = properties().any(|properties| properties.contains_key(name));
            if !is_property && properties().next().is_some() {
                return error(&format!(
                    "`{KEYS}` contains {name:?}, which is not a property of the elements"
                ));
            }
            let property = self.property_named(&elements, name)?;
            let default = property.and_then(|property| property.get("default"));
            keys.push(ListKey {
                name: name.into(),
                // A key must be a scalar, so other defaults are ignored.
                default: default
                    .filter(|default| !default.is_array() && !default.is_object())
                    .cloned(),
            });
        }
        Ok(ListKeys(keys.into()))
    }
}
