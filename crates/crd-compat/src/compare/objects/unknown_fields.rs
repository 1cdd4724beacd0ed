//! Values with a field that no schema describes.

use serde_json::{Value, json};
use union_runtime::path::{FieldPath, PathStep};

/// The name of the field.
const UNKNOWN: &str = "unknown";

/// The maximum number of values with the field.
const VALUES: usize = 6;

/// Returns the objects that have an unknown field in the value at a path, or in an object within
/// the value.
pub(crate) fn with_unknown_fields(object: &Value, place: &FieldPath) -> Vec<Value> {
    let mut variants = Vec::new();
    if let Some(value) = place.find(object) {
        add_variants(value, &mut variants);
    }
    let with_value = |variant: Value| {
        let mut object = object.clone();
        *place.steps().try_fold(&mut object, child_mut)? = variant;
        Some(object)
    };
    variants.into_iter().filter_map(with_value).collect()
}

fn child_mut<'v>(value: &'v mut Value, step: PathStep<'_>) -> Option<&'v mut Value> {
    match step {
        PathStep::Field(name) | PathStep::Key(name) => value.as_object_mut()?.get_mut(name),
        PathStep::Index(index) => value.as_array_mut()?.get_mut(index),
    }
}

/// Adds the value with an unknown field in one of its objects, the outermost first.
fn add_variants(value: &Value, variants: &mut Vec<Value>) {
    let with_child = |mut parent: Value, step: PathStep<'_>, child: Value| {
        if let Some(place) = child_mut(&mut parent, step) {
            *place = child;
        }
        parent
    };
    let mut add_children = |step: PathStep<'_>, child: &Value| {
        let mut children = Vec::new();
        if variants.len() < VALUES {
            add_variants(child, &mut children);
        }
        let children = children.into_iter();
        variants.extend(children.map(|child| with_child(value.clone(), step, child)));
    };
    match value {
        Value::Object(fields) => {
            for (name, child) in fields {
                add_children(PathStep::Field(name), child);
            }
            let mut fields = fields.clone();
            fields.insert(UNKNOWN.to_owned(), json!(1));
            variants.insert(0, Value::Object(fields));
            variants.truncate(VALUES);
        }
        Value::Array(items) => {
            if let Some(item) = items.first() {
                add_children(PathStep::Index(0), item);
            }
        }
        _ => {}
    }
}
