//! Reads the keys of a list of type map.

use serde_json::Value;

use crate::compile::node_compiler::NodeCompiler;
use crate::compile::schema_graph::SchemaId;
use crate::document::message_format::format_value;
use crate::error::SchemaError;
use crate::walk::compiled_node::{ListKey, ListKeys};

/// The maximum number of keys of a list. The number is limited because every key is read from every
/// element. Lists of Kubernetes types have only a few keys.
const MAX_KEYS: usize = 64;

/// The keyword with the names of the keys of a list of type map.
const KEYS: &str = "x-kubernetes-list-map-keys";

impl NodeCompiler<'_, '_> {
    /// Returns the keys of the elements of a list of type map. The result is empty for other lists.
    /// `list_schemas` are the schemas of the list, and `items` is the schema of the elements.
    pub(crate) fn list_keys(
        &self,
        list_schemas: &[SchemaId],
        items: SchemaId,
    ) -> Result<ListKeys, SchemaError> {
        let is_map = |id: &&SchemaId| {
            let list_type = self.graph.schema(**id).object.get("x-kubernetes-list-type");
            list_type.is_some_and(|list_type| list_type == "map")
        };
        let Some(map_schema) = list_schemas.iter().find(is_map) else {
            return Ok(ListKeys::default());
        };
        let error = |problem: String| {
            SchemaError::new(
                self.graph.pointer(*map_schema),
                format!(
                    "{problem}; list the fields that are the keys of the elements, at most {MAX_KEYS}"
                ),
            )
        };
        let names = self.graph.schema(*map_schema).object.get(KEYS);
        let names = check_key_names(names).map_err(error)?;
        let element_schemas = self.combined_schemas(items)?;
        let properties = || {
            let objects = element_schemas
                .iter()
                .map(|id| self.graph.schema(*id).object);
            objects.filter_map(|object| object.get("properties")?.as_object())
        };
        let mut keys = Vec::new();
        for name in names {
            let Some(name) = name.as_str() else {
                let name = format_value(name);
                return Err(error(format!(
                    "`{KEYS}` contains {name}, which is not the name of a field"
                )));
            };
            let is_property = properties().any(|properties| properties.contains_key(name));
            if !is_property && properties().next().is_some() {
                return Err(error(format!(
                    "`{KEYS}` contains {name:?}, which is not a property of the elements"
                )));
            }
            let property = self.property_named(&element_schemas, name)?;
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

/// Returns the value of [`KEYS`] if the value is a list with an allowed number of names.
fn check_key_names(value: Option<&Value>) -> Result<&[Value], String> {
    match value {
        Some(Value::Array(names)) if (1..=MAX_KEYS).contains(&names.len()) => Ok(names),
        Some(Value::Array(names)) => {
            let count = names.len();
            Err(format!("`{KEYS}` of a list of type map has {count} names"))
        }
        Some(value) => Err(format!(
            "`{KEYS}` must be a list of names, not {}",
            format_value(value)
        )),
        None => Err(format!("`{KEYS}` is missing in a list of type map")),
    }
}
