//! Removes enum types for clients that want strings (KEP-2887, "Enum Fields Pruning").

use serde_json::{Map, Value};
use union_runtime::schema_keys::{ENUM_VALUES, above_values};

/// Removes enum types from an `OpenAPI` document, a CRD or a schema (KEP-2887, "Enum Fields
/// Pruning"): `type: string` stays, `enum` and the list of values in the description are removed.
/// Enums without a list of values stay as they are.
///
/// Run it before generators of clients that represent such fields as strings, because values may be
/// added.
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
        // Pruning keeps an object an object, and a boolean a boolean.
        if let Ok(pruned) = document.try_into() {
            *schema = pruned;
        }
    }
}

/// Removes the values of an enum type from its schema.
fn prune(schema: &mut Map<String, Value>) {
    let description = schema.get("description").and_then(Value::as_str);
    let above = description.and_then(above_values).map(str::to_owned);
    if schema.remove(ENUM_VALUES).is_none() && above.is_none() || !schema.contains_key("enum") {
        return;
    }
    schema.remove("enum");
    match above {
        Some(text) if text.is_empty() => schema.remove("description"),
        Some(text) => schema.insert("description".into(), text.into()),
        None => None,
    };
}

/// Keywords whose value is data, not schema.
const DATA: [&str; 5] = ["default", "example", "examples", "enum", "const"];

/// Keywords whose value is a map from the author's names to objects of the grammar, such as
/// schemas.
const NAMES: [&str; 12] = [
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

/// Calls `visit` for every object of the document's own grammar, without data and maps from names.
/// The document may be a CRD too, so the grammar of `OpenAPI` does not apply.
///
/// Objects wait in a list, so that a deep document takes memory and not stack.
fn visit_objects(root: &mut Value, visit: &mut dyn FnMut(&mut Map<String, Value>)) {
    let mut waiting: Vec<(&mut Value, bool)> = vec![(root, false)];
    while let Some((value, is_names)) = waiting.pop() {
        match value {
            Value::Object(object) => {
                if !is_names {
                    visit(object);
                }
                for (key, value) in object {
                    let is_data = !is_names
                        && (DATA.contains(&key.as_str()) || key.starts_with("x-kubernetes-"));
                    let holds_names =
                        !is_names && NAMES.contains(&key.as_str()) && value.is_object();
                    if !is_data {
                        waiting.push((value, holds_names));
                    }
                }
            }
            Value::Array(values) => waiting.extend(values.iter_mut().map(|value| (value, false))),
            _ => {}
        }
    }
}
