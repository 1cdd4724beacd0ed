//! Schemas that accept any JSON. Without `x-kubernetes-preserve-unknown-fields`, an API server
//! rejects a schema that has no type, and drops the fields that a schema does not list.

use serde_json::{Map, Value};

/// The keyword that makes a schema without a type valid, and with which an object keeps unknown
/// fields.
const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";

/// The keywords that do not restrict the value.
const ANNOTATIONS: [&str; 5] = ["title", "description", "default", "examples", "nullable"];

/// The keywords that contain the schema of the elements of a list or a map.
const ELEMENTS: [&str; 2] = ["items", "additionalProperties"];

/// Adds `x-kubernetes-preserve-unknown-fields` to a schema. If the schema describes a list or a
/// map, adds the keyword to the schema of the innermost elements instead.
pub fn preserve_unknown_fields(schema: &mut Map<String, Value>) {
    visit_innermost(schema, &|schema| {
        schema.insert(PRESERVE.to_owned(), true.into());
    });
}

/// Replaces the type in a schema by `x-kubernetes-preserve-unknown-fields`, so that the schema
/// accepts every value. If the schema describes a list or a map, its elements accept every value.
pub fn accept_any_json(schema: &mut Map<String, Value>) {
    visit_innermost(schema, &|schema| {
        schema.remove("type");
        schema.insert(PRESERVE.to_owned(), true.into());
    });
}

/// Calls `visit` with the schema. If the schema describes a list or a map, calls `visit` with the
/// schema of the innermost elements instead.
fn visit_innermost(schema: &mut Map<String, Value>, visit: &dyn Fn(&mut Map<String, Value>)) {
    let has_elements = |keyword: &&str| schema.get(*keyword).is_some_and(Value::is_object);
    let elements = ELEMENTS.into_iter().find(has_elements);
    match elements.and_then(|keyword| schema.get_mut(keyword)) {
        Some(Value::Object(elements)) => visit_innermost(elements, visit),
        _ => visit(schema),
    }
}

/// Adds `x-kubernetes-preserve-unknown-fields` to each subschema that accepts every value, and to
/// each object with `properties` that accepts any other field, in place of its
/// `additionalProperties: true`. A structural schema cannot have both keywords.
pub fn preserve_free_json(schema: &mut Value) {
    if *schema == true {
        *schema = Map::new().into();
    }
    let Some(object) = schema.as_object_mut() else {
        return;
    };
    let mut keywords = object.keys().map(String::as_str);
    let is_free = keywords.all(|keyword| ANNOTATIONS.contains(&keyword));
    let is_map = object.get("additionalProperties") == Some(&Value::Bool(true));
    let has_fields = object.contains_key("properties");
    if is_map && has_fields {
        object.remove("additionalProperties");
    }
    if is_free || is_map && has_fields {
        object.insert(PRESERVE.to_owned(), true.into());
    }
    for (keyword, value) in object {
        match value {
            value if ELEMENTS.contains(&keyword.as_str()) => preserve_free_json(value),
            Value::Object(fields) if keyword == "properties" => {
                fields.values_mut().for_each(preserve_free_json);
            }
            _ => {}
        }
    }
}

/// Returns true if CEL does not know the type of a value with this schema, or of its elements. A
/// rule cannot use a field with such a value.
#[must_use]
pub fn has_unknown_type(schema: &Value) -> bool {
    if schema["type"].is_null() {
        return schema[PRESERVE] == true;
    }
    let has_elements = |keyword: &str| has_unknown_type(&schema[keyword]);
    ELEMENTS.into_iter().any(has_elements)
}
