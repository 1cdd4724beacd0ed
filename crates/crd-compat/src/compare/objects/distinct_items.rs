//! Gives the items of a list distinct values or keys.

use serde_json::{Value, json};
use union_runtime::path::{FieldPath, PathStep};

use crate::sample::schema::schema_at;

/// Returns the object with distinct items in the list that contains the item at a path; `None` if
/// the path is not the path of an item, or if nothing would change.
pub(crate) fn with_distinct_items(
    object: &Value,
    schema: &Value,
    item: &FieldPath,
) -> Option<Value> {
    let list = item.parent()?;
    let mut changed = object.clone();
    let (mut value, mut schema) = (&mut changed, schema);
    for step in list.steps() {
        schema = schema_at(schema, step)?;
        value = match step {
            PathStep::Field(name) | PathStep::Key(name) => value.as_object_mut()?.get_mut(name)?,
            PathStep::Index(index) => value.as_array_mut()?.get_mut(index)?,
        };
    }
    let keys = schema.get("x-kubernetes-list-map-keys");
    let keys: Vec<&str> = keys
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for (index, item) in value.as_array_mut()?.iter_mut().enumerate() {
        match item {
            Value::Object(fields) => {
                for key in &keys {
                    if let Some(key) = fields.get_mut(*key) {
                        make_distinct(key, index);
                    }
                }
            }
            _ => make_distinct(item, index),
        }
    }
    (changed != *object).then_some(changed)
}

/// Replaces a scalar by another value of its type for each index.
fn make_distinct(value: &mut Value, index: usize) {
    match value {
        Value::String(text) => *text = format!("a{index}"),
        Value::Number(_) => *value = json!(index.saturating_add(1)),
        _ => {}
    }
}
