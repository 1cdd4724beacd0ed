//! Puts a value at a path of an object.

use serde_json::{Value, json};
use union_json::document::{SchemaPath, SchemaStep};
use union_runtime::path::{FieldPath, PathStep};

use crate::sample::schema::schema_at;
use crate::sample::small_value::small_value;

/// The key of a map's value that differs.
pub(crate) const MAP_KEY: &str = "k";

/// The maximum number of items of a list that gets a value at an index.
const ITEMS: usize = 100;

/// Returns the path in an object of the value that a schema describes: of the first item of lists,
/// and of one key of maps.
pub fn field_path(path: &SchemaPath) -> FieldPath {
    path.steps().fold(FieldPath::root(), |path, step| {
        path.step(match step {
            SchemaStep::Property(name) => PathStep::Field(name),
            SchemaStep::Items => PathStep::Index(0),
            SchemaStep::AdditionalProperties => PathStep::Key(MAP_KEY),
        })
    })
}

/// Returns the object with a value at the path of a schema. Values around it that are absent are
/// created by the schema.
pub(crate) fn with_value(
    object: &Value,
    schema: &Value,
    path: &SchemaPath,
    value: Option<&Value>,
) -> Option<Value> {
    if path.is_root() {
        return value.filter(|value| value.is_object()).cloned();
    }
    with_value_at(object, schema, &field_path(path), value)
}

/// Returns the object with a value at a path, or without the value. Values around it that are
/// absent are created by the schema.
pub(crate) fn with_value_at(
    object: &Value,
    schema: &Value,
    path: &FieldPath,
    value: Option<&Value>,
) -> Option<Value> {
    let mut object = object.clone();
    let steps: Vec<PathStep<'_>> = path.steps().collect();
    let (last, parents) = steps.split_last()?;
    let mut at = &mut object;
    let mut schema = Some(schema);
    for step in parents {
        schema = schema.and_then(|schema| schema_at(schema, *step));
        at = child_or_new(at, *step, schema)?;
    }
    match (value, last) {
        (Some(value), step) => {
            // The schema creates the items before the index; the value itself is replaced.
            let has_items_before = matches!(step, PathStep::Index(index) if *index > 0);
            let schema = schema.filter(|_| has_items_before);
            let schema = schema.and_then(|schema| schema_at(schema, *step));
            *child_or_new(at, *step, schema)? = value.clone();
        }
        (None, PathStep::Field(name) | PathStep::Key(name)) => {
            drop(at.as_object_mut()?.remove(*name));
        }
        (None, PathStep::Index(index)) => {
            let items = at.as_array_mut()?;
            (*index < items.len()).then(|| items.remove(*index))?;
        }
    }
    Some(object)
}

/// Returns the value at a step, which is created if it is absent.
fn child_or_new<'v>(
    at: &'v mut Value,
    step: PathStep<'_>,
    schema: Option<&Value>,
) -> Option<&'v mut Value> {
    let new_value = |variant| schema.map_or(Value::Null, |schema| small_value(schema, variant));
    let is_container = |value: &Value| {
        let kind = schema.and_then(|schema| schema.get("type"));
        match kind.and_then(Value::as_str) {
            Some("array") => value.is_array(),
            Some("object") => value.is_object(),
            _ => true,
        }
    };
    if at.is_null() {
        *at = match step {
            PathStep::Index(_) => json!([]),
            _ => json!({}),
        };
    }
    let child = match step {
        PathStep::Index(index) => {
            let items = at.as_array_mut().filter(|_| index < ITEMS)?;
            while items.len() <= index {
                items.push(new_value(items.len()));
            }
            items.get_mut(index)?
        }
        PathStep::Field(name) | PathStep::Key(name) => {
            let fields = at.as_object_mut()?;
            fields.entry(name).or_insert_with(|| new_value(0))
        }
    };
    if !is_container(child) {
        *child = new_value(0);
    }
    Some(child)
}
