//! The parts of an `OpenAPI` document, or of a schema alone: its objects and its properties.

use schemars::Schema;
use serde_json::{Map, Value, json};

/// Keywords whose value is data, not schema.
const DATA: [&str; 5] = ["default", "example", "examples", "enum", "const"];

/// Keywords whose value is a map from names of the author's to schemas or the like.
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

/// Shows every object that is part of the document's own grammar: no data, no map from names. An object is shown before
/// what it holds; what `visit` puts into it is shown too.
///
/// It keeps a list of what is still to be seen, so that a deep document costs memory and no stack.
pub(super) fn visit_objects(root: &mut Value, visit: &mut dyn FnMut(&mut Map<String, Value>)) {
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

/// Shows every object of a schema to `visit`, as [`visit_objects`] does, also below `components`.
pub(super) fn transform_objects(
    schema: &mut Schema,
    visit: &mut dyn FnMut(&mut Map<String, Value>),
) {
    let mut document = core::mem::take(schema).to_value();
    visit_objects(&mut document, visit);
    // A schema still is an object, or the boolean that it was.
    if let Ok(changed) = document.try_into() {
        *schema = changed;
    }
}

/// The schema of a property, to be changed.
pub(super) fn property_mut<'a>(
    schema: &'a mut Schema,
    name: &str,
) -> Option<&'a mut Map<String, Value>> {
    let property = schema.get_mut("properties")?.get_mut(name)?;
    if property.is_boolean() {
        // `true` allows anything, as the schema of a type that is only known at run time does.
        *property = json!({});
    }
    property.as_object_mut()
}
