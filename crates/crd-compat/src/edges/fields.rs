//! Objects at the edges of the keywords for objects.

use serde_json::{Map, Value, json};

use super::value_set::Values;
use crate::bounds::OBJECT_BYTES;
use crate::sample::json_size::json_size;
use crate::sample::schema::{branches, properties, property_schema, required};
use crate::sample::small_value::{small_filled_value, small_value};

/// The maximum number of entries of a map at an edge of its size.
const ENTRIES: u64 = 256;

/// The maximum number of fields whose presence is varied.
const VARIED: usize = 12;

/// Adds objects with few and many fields, with unknown fields, and with invalid fields. They are
/// changes of `base`, an object of the schema.
pub(crate) fn add_edge_objects(schema: &Value, base: &Value, values: &mut Values) {
    let Some(small_fields) = base.as_object() else {
        return;
    };
    values.add(json!({}));
    let with_field = |name: &str, value: Value| {
        let mut fields = small_fields.clone();
        fields.insert(name.to_owned(), value);
        Some(Value::Object(fields))
    };
    for value in [json!(1), json!("a"), json!({"a": {"b": 1}})] {
        values.add_with(|| with_field("unknown", value));
    }
    if let Some(entries) = schema.get("additionalProperties") {
        values.add_with(|| with_field("k", small_filled_value(entries, 0)));
        values.add_with(|| with_field("k", Value::Null));
    }
    for name in names_of(schema).into_iter().take(VARIED) {
        if let Some(property) = property_schema(schema, &name) {
            values.add_with(|| with_field(&name, small_filled_value(property, 0)));
        }
        if small_fields.contains_key(&name) {
            values.add_with(|| {
                let mut fields = small_fields.clone();
                fields.remove(&name);
                Some(Value::Object(fields))
            });
        }
    }
    values.add_with(|| all_fields(schema));
    if schema.get("x-kubernetes-embedded-resource") == Some(&json!(true)) {
        values.extend(embedded_objects(small_fields));
    }
    for keyword in ["minProperties", "maxProperties"] {
        let Some(count) = schema.get(keyword).and_then(Value::as_u64) else {
            continue;
        };
        for count in [count.saturating_sub(1), count, count.saturating_add(1)] {
            if count <= ENTRIES + 1 {
                values.add_with(|| object_of(schema, small_fields, count));
            } else {
                values.omit_large();
            }
        }
    }
}

/// Returns an object with all fields of a schema; `None` if the object would have more than
/// [`OBJECT_BYTES`].
fn all_fields(schema: &Value) -> Option<Value> {
    let mut fields = LimitedFields::default();
    for (name, property) in properties(schema).into_iter().flatten() {
        fields.insert(name.clone(), small_filled_value(property, 0))?;
    }
    Some(Value::Object(fields.fields))
}

/// The fields of an object whose size is limited.
#[derive(Default)]
struct LimitedFields {
    fields: Map<String, Value>,
    size: usize,
}

impl LimitedFields {
    /// Adds a field; `None` if the object would have more than [`OBJECT_BYTES`].
    fn insert(&mut self, name: String, value: Value) -> Option<()> {
        let left = OBJECT_BYTES.checked_sub(self.size + name.len())?;
        self.size += name.len() + json_size(&value, left)?;
        self.fields.insert(name, value);
        Some(())
    }
}

/// Returns the names of fields that a schema and its combinators mention: required fields first.
pub(crate) fn names_of(schema: &Value) -> Vec<String> {
    let mut names: Vec<String> = required(schema).map(str::to_owned).collect();
    for branch in branches(schema) {
        names.extend(names_of_branch(branch, 0));
    }
    let properties = properties(schema).into_iter().flatten();
    names.extend(properties.map(|(name, _)| name.clone()));
    let mut seen = std::collections::HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names
}

fn names_of_branch(branch: &Value, level: usize) -> Vec<String> {
    let mut names: Vec<String> = required(branch).map(str::to_owned).collect();
    let properties = properties(branch).into_iter().flatten();
    names.extend(properties.map(|(name, _)| name.clone()));
    if level < 3 {
        for inner in branches(branch) {
            names.extend(names_of_branch(inner, level + 1));
        }
    }
    names
}

/// Returns an object with a number of fields, which is a change of `base`; `None` if the object
/// would have more than [`OBJECT_BYTES`].
fn object_of(schema: &Value, base: &Map<String, Value>, count: u64) -> Option<Value> {
    let count = usize::try_from(count).unwrap_or(0);
    let mut fields = LimitedFields::default();
    let is_required = |name: &String| required(schema).any(|required| required == name);
    let (required_fields, others): (Vec<_>, Vec<_>) =
        base.iter().partition(|(name, _)| is_required(name));
    for (name, value) in required_fields.into_iter().chain(others) {
        if fields.fields.len() < count {
            fields.insert(name.clone(), value.clone())?;
        }
    }
    for name in names_of(schema) {
        if let Some(property) = property_schema(schema, &name)
            && fields.fields.len() < count
            && !fields.fields.contains_key(&name)
        {
            fields.insert(name, small_value(property, 0))?;
        }
    }
    let values = schema.get("additionalProperties");
    let keeps_unknown = schema.get("x-kubernetes-preserve-unknown-fields") == Some(&json!(true));
    for number in 0..count {
        if fields.fields.len() >= count {
            break;
        }
        if let Some(values) = values {
            fields.insert(format!("k{number}"), small_value(values, number))?;
        } else if keeps_unknown {
            fields.insert(format!("unknown{number}"), json!(number))?;
        }
    }
    Some(Value::Object(fields.fields))
}

/// Returns embedded objects without the fields that a server demands, and with invalid ones.
fn embedded_objects(fields: &Map<String, Value>) -> Vec<Value> {
    let base = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}});
    let mut objects = Vec::new();
    for (name, value) in [
        ("", Value::Null),
        ("metadata", json!({"name": "A_B"})),
        ("metadata", json!({"name": "a", "unknown": 1})),
        ("kind", json!("")),
        ("apiVersion", json!("a/b/c")),
    ] {
        let mut object = fields.clone();
        object.extend(base.as_object().cloned().unwrap_or_default());
        if !name.is_empty() {
            object.insert(name.to_owned(), value);
        }
        objects.push(Value::Object(object));
    }
    objects
}
