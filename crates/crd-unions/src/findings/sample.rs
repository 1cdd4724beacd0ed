//! Example objects: field states as JSON, completed with the values that the schema requires.

use serde_json::{Map, Value, json};

use crate::solver::component::{Assumption, RuleComponent};
use crate::solver::model::Model;
use crate::terms::fields::{Field, FieldId, FieldState};
use crate::terms::small_value::{Emptiness, add_required_fields, small_value_of};

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

/// Returns a small allowed object with these fields of the object itself.
pub(crate) fn object_with_fields(
    model: &Model<'_>,
    components: &mut [RuleComponent],
    names: &[&str],
) -> Option<Value> {
    let ids = names.iter().filter_map(|name| model.fields.own_field(name));
    let assumptions: Vec<(FieldId, Assumption)> = ids.map(|id| (id, Assumption::Set)).collect();
    let mut states = Vec::new();
    for component in components.iter_mut() {
        let is_concerned = assumptions
            .iter()
            .any(|(id, _)| component.fields.contains(id));
        match component.find_object(&assumptions) {
            Some(component_states) => states.extend(component_states),
            // An undecided component without these fields has no states in the example.
            None if !is_concerned => {}
            None => return None,
        }
    }
    let mut object = object_in_states(model, &states);
    for name in names {
        if object.get(name).is_none() {
            object = with_field(model, object, name);
        }
    }
    Some(object)
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
