//! Example objects: field states as JSON, completed with the values that the schema requires.

use serde_json::{Map, Value, json};

use crate::solver::component::{Assumption, RuleComponent};
use crate::solver::model::Model;
use crate::terms::fields::{Field, FieldId, FieldState};

/// An option of [`small_value_of`], which allows or forbids an empty list, map or enum value.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Emptiness {
    Allowed,
    Forbidden,
}

/// The maximum depth to which objects are completed.
const MAX_DEPTH: usize = 16;

/// The maximum length of strings and lists in examples, even if the schema requires longer values.
const MAX_LENGTH: usize = 256;

/// Returns a small allowed object that satisfies the assumptions about one component.
pub(crate) fn allowed_object(
    model: &Model<'_>,
    components: &mut [RuleComponent],
    component_index: usize,
    assumptions: &[(FieldId, Assumption)],
) -> Option<Value> {
    let mut states = Vec::new();
    for (position, component) in components.iter_mut().enumerate() {
        let assumptions = if position == component_index {
            assumptions
        } else {
            &[]
        };
        match component.find_object(assumptions) {
            Some(component_states) => states.extend(component_states),
            // The finding is about one component, so the other components may be undecided.
            None if position != component_index => {}
            None => return None,
        }
    }
    Some(object_in_states(model, &states))
}

/// Returns the object whose fields have these states.
pub(crate) fn object_in_states(model: &Model<'_>, states: &[(FieldId, usize)]) -> Value {
    let mut object = Map::new();
    let mut states = states.to_vec();
    states.sort_by_key(|(field, _)| model.fields.sort_key(*field));
    for (id, state) in states {
        let Some(field) = model.fields.get(id) else {
            continue;
        };
        let value = match field.states.get(state) {
            None | Some(FieldState::Absent) => continue,
            Some(state) => value_in_state(field, state),
        };
        set_field(&mut object, &field.path, value);
    }
    add_required_fields(&mut object, model.fields.root, 0);
    Value::Object(object)
}

/// Sets the field at a path, and adds missing parent objects.
fn set_field(object: &mut Map<String, Value>, path: &[&str], value: Value) {
    let Some((last, parents)) = path.split_last() else {
        return;
    };
    let mut target = object;
    for name in parents {
        let child = target
            .entry((*name).to_owned())
            .or_insert_with(|| json!({}));
        match child {
            Value::Object(child) => target = child,
            _ => return,
        }
    }
    target.insert((*last).to_owned(), value);
}

/// Returns a small value that a field may have in a state.
fn value_in_state(field: &Field<'_>, state: &FieldState) -> Value {
    match state {
        FieldState::Absent | FieldState::Null => Value::Null,
        FieldState::String(string) => string.clone().into(),
        FieldState::True => true.into(),
        FieldState::False => false.into(),
        FieldState::OtherString => {
            let is_taken = |string: &str| {
                field
                    .states
                    .contains(&FieldState::String(string.to_owned()))
            };
            let mut string = String::from("other");
            while is_taken(&string) {
                string.push('x');
            }
            string.into()
        }
        FieldState::Empty => match field.schema.get("type").and_then(Value::as_str) {
            Some("string") => "".into(),
            Some("array") => json!([]),
            _ => json!({}),
        },
        FieldState::Present | FieldState::NonEmpty => {
            let emptiness = if *state == FieldState::NonEmpty {
                Emptiness::Forbidden
            } else {
                Emptiness::Allowed
            };
            small_value_of(field.schema, emptiness, 0)
        }
    }
}

/// Adds the fields that the schema requires.
fn add_required_fields(object: &mut Map<String, Value>, schema: &Map<String, Value>, depth: usize) {
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        let property = properties.and_then(|properties| properties.get(name));
        let property = property.and_then(Value::as_object);
        if let Some(property) = property.filter(|property| !property.contains_key("default"))
            && !object.contains_key(name)
            && depth < MAX_DEPTH
        {
            object.insert(
                name.to_owned(),
                small_value_of(property, Emptiness::Allowed, depth + 1),
            );
        }
    }
    // `set_field` creates nested objects, which may lack required fields too.
    for (name, value) in object.iter_mut() {
        let property = properties.and_then(|properties| properties.get(name));
        if let (Value::Object(inner), Some(Value::Object(property))) = (value, property)
            && depth < MAX_DEPTH
        {
            add_required_fields(inner, property, depth + 1);
        }
    }
}

/// Returns a small value of a schema.
pub(crate) fn small_value_of(
    schema: &Map<String, Value>,
    emptiness: Emptiness,
    depth: usize,
) -> Value {
    let min = |keyword: &str| {
        let min = schema
            .get(keyword)
            .and_then(Value::as_u64)
            .unwrap_or_default();
        usize::try_from(min).unwrap_or(MAX_LENGTH).min(MAX_LENGTH)
    };
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let value = values
            .iter()
            .find(|value| emptiness == Emptiness::Allowed || value.as_str() != Some(""));
        return value.cloned().unwrap_or_default();
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => sample_string(schema, min("minLength").max(1)).into(),
        Some("boolean") => true.into(),
        Some("integer" | "number") => {
            let minimum = schema.get("minimum").and_then(Value::as_f64).unwrap_or(1.0);
            let integer = minimum.ceil().max(1.0);
            let maximum = schema.get("maximum").and_then(Value::as_f64);
            let integer = maximum.map_or(integer, |maximum| integer.min(maximum.floor()));
            // The cast saturates. Bounds beyond the range of `i64` do not matter here.
            #[expect(clippy::cast_possible_truncation)]
            let integer = integer as i64;
            integer.into()
        }
        Some("array") => {
            let count = min("minItems").max(usize::from(emptiness == Emptiness::Forbidden));
            let item = match schema.get("items").and_then(Value::as_object) {
                Some(items) if depth < MAX_DEPTH => {
                    small_value_of(items, Emptiness::Allowed, depth + 1)
                }
                _ => json!({}),
            };
            Value::Array(vec![item; count])
        }
        Some("object") => {
            let mut object = Map::new();
            add_required_fields(&mut object, schema, depth + 1);
            let count = min("minProperties").max(usize::from(emptiness == Emptiness::Forbidden));
            let values = schema
                .get("additionalProperties")
                .and_then(Value::as_object);
            if let Some(values) = values {
                for entry_count in object.len()..count {
                    let key = format!("key{}", entry_count + 1);
                    let value = if depth < MAX_DEPTH {
                        small_value_of(values, Emptiness::Allowed, depth + 1)
                    } else {
                        json!({})
                    };
                    object.insert(key, value);
                }
            }
            Value::Object(object)
        }
        _ if schema.get("x-kubernetes-int-or-string") == Some(&Value::Bool(true)) => 1.into(),
        _ => json!({}),
    }
}

/// Returns a valid string of a known format, or else a string of the given length.
fn sample_string(schema: &Map<String, Value>, length: usize) -> String {
    match schema.get("format").and_then(Value::as_str) {
        Some("date-time") => "2026-01-01T00:00:00Z".to_owned(),
        Some("date") => "2026-01-01".to_owned(),
        Some("duration") => "1s".to_owned(),
        Some("uri") => "https://example.com".to_owned(),
        Some("ipv4" | "ip") => "192.0.2.1".to_owned(),
        Some("cidr") => "192.0.2.0/24".to_owned(),
        _ => "x".repeat(length),
    }
}

/// Returns the object with a field of its schema set to a small value.
pub(crate) fn with_field(model: &Model<'_>, object: Value, name: &str) -> Value {
    let Value::Object(mut object) = object else {
        return object;
    };
    let property = model
        .fields
        .root
        .get("properties")
        .and_then(|properties| properties.get(name));
    if let Some(Value::Object(property)) = property {
        let mut value = small_value_of(property, Emptiness::Allowed, 0);
        if let Value::Object(inner) = &mut value {
            add_required_fields(inner, property, 0);
        }
        object.insert(name.to_owned(), value);
    }
    Value::Object(object)
}
