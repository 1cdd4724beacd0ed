//! Removes enum types, for clients that need plain strings (KEP-2887, "Enum Fields Pruning").

use serde_json::{Map, Value};
use union_runtime::schema_keys::{ENUM_VALUES, description_without_values};

/// Removes enum types from an `OpenAPI` document, a CRD or a schema (KEP-2887, "Enum Fields
/// Pruning"). The function removes `enum` and the list of values in the description, and keeps
/// `type: string`. An `enum` is not changed if its schema has neither such a list nor the key
/// `x-union-enum-values`, which the schema hook of an enum type adds.
///
/// Call this function before you generate a client that represents enum types as strings. Such a
/// client accepts values that a later version of the API adds.
///
/// ```
/// use serde_json::json;
/// use union_json::openapi::prune_enums;
///
/// let mut schema = json!({
///     "type": "string",
///     "enum": ["A"],
///     "description": "Which one.\n\nPossible enum values:\n - `\"A\"` The only one.",
/// });
/// prune_enums(&mut schema);
/// assert_eq!(schema, json!({"type": "string", "description": "Which one."}));
/// ```
pub fn prune_enums(document: &mut Value) {
    visit_objects(document, &mut prune);
}

/// A schemars transform that calls [`prune_enums`].
#[cfg(feature = "schemars")]
#[derive(Clone, Copy, Debug, Default)]
pub struct PruneEnums;

#[cfg(feature = "schemars")]
impl schemars::transform::Transform for PruneEnums {
    fn transform(&mut self, schema: &mut schemars::Schema) {
        let mut document = core::mem::take(schema).to_value();
        prune_enums(&mut document);
        // The conversion always succeeds: a pruned object is an object, and a pruned boolean is a
        // boolean.
        if let Ok(pruned) = document.try_into() {
            *schema = pruned;
        }
    }
}

/// Removes the values from the schema of an enum type. Other schemas are not changed.
fn prune(schema: &mut Map<String, Value>) {
    let description = schema.get("description").and_then(Value::as_str);
    let remaining_description = description
        .and_then(description_without_values)
        .map(str::to_owned);
    if schema.remove(ENUM_VALUES).is_none() && remaining_description.is_none()
        || !schema.contains_key("enum")
    {
        return;
    }
    schema.remove("enum");
    match remaining_description {
        Some(description) if description.is_empty() => schema.remove("description"),
        Some(description) => schema.insert("description".into(), description.into()),
        None => None,
    };
}

/// The keywords whose values are data and not schemas.
const DATA_KEYWORDS: [&str; 5] = ["default", "example", "examples", "enum", "const"];

/// The keywords whose values are maps from names to objects such as schemas. The author chose the
/// names.
const MAP_KEYWORDS: [&str; 12] = [
    "properties",
    "patternProperties",
    "definitions",
    "$defs",
    "schemas",
    "parameters",
    "responses",
    "paths",
    "securityDefinitions",
    "securitySchemes",
    "content",
    "headers",
];

/// Calls `visit` for every object of a document, except data and maps from names. The document may
/// be a CRD, so the function does not use the grammar of `OpenAPI`.
///
/// A loop replaces recursion, because a deep document must not overflow the stack.
fn visit_objects(root: &mut Value, visit: &mut dyn FnMut(&mut Map<String, Value>)) {
    let mut pending: Vec<(&mut Value, bool)> = vec![(root, false)];
    while let Some((value, is_map)) = pending.pop() {
        match value {
            Value::Object(object) => {
                if !is_map {
                    visit(object);
                }
                for (key, value) in object {
                    let is_data = !is_map
                        && (DATA_KEYWORDS.contains(&key.as_str())
                            || key.starts_with("x-kubernetes-"));
                    let contains_map =
                        !is_map && MAP_KEYWORDS.contains(&key.as_str()) && value.is_object();
                    if !is_data {
                        pending.push((value, contains_map));
                    }
                }
            }
            Value::Array(values) => pending.extend(values.iter_mut().map(|value| (value, false))),
            _ => {}
        }
    }
}
