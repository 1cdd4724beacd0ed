//! A second, plain implementation of the comparator's rules, written from the documentation of
//! `Comparison::split`.

use serde_json::Value;
use union_runtime::path::{FieldPath, PathStep};

/// The decision about an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Decision {
    /// The value at the path, or the value that lacks the path's field, is unchanged.
    ValueUnchanged,
    /// The nearest correlated value around is unchanged.
    OuterValueUnchanged,
    /// The old object breaks the same rule at the correlated path.
    SameRule,
    NotTolerated,
}

/// Decides as [`Ratchet::Unchanged`](union_runtime::Ratchet::Unchanged) does. With `is_deep`,
/// values are compared deeply, without the rules of their schema.
pub(crate) fn decide_unchanged(
    is_deep: bool,
    schema: &Value,
    [new, old]: [&Value; 2],
    path: &FieldPath,
) -> Decision {
    let steps: Vec<PathStep<'_>> = path.steps().collect();
    decide_unchanged_at(is_deep, Some(schema), [new, old], &steps)
}

fn decide_unchanged_at(
    is_deep: bool,
    schema: Option<&Value>,
    [new, old]: [&Value; 2],
    steps: &[PathStep<'_>],
) -> Decision {
    let is_equal = schema.is_some_and(|schema| are_equal(is_deep, schema, new, old));
    let decision = match step_below(schema, [new, old], steps) {
        ValueBelow::Correlated(schema, pair, _) => {
            decide_unchanged_at(is_deep, schema, pair, &steps[1..])
        }
        ValueBelow::End if is_equal => Decision::ValueUnchanged,
        ValueBelow::NotCorrelated if is_equal => Decision::OuterValueUnchanged,
        ValueBelow::End | ValueBelow::NotCorrelated => Decision::NotTolerated,
    };
    match decision {
        // If a value is equal as a whole, everything in it is unchanged.
        Decision::NotTolerated if is_deep && is_equal => Decision::OuterValueUnchanged,
        decision => decision,
    }
}

/// Decides as [`Ratchet::SameReason`](union_runtime::Ratchet::SameReason) does.
pub(crate) fn decide_same_reason<R: PartialEq>(
    schema: &Value,
    [new, old]: [&Value; 2],
    (path, rule): &(FieldPath, R),
    old_errors: &[(FieldPath, R)],
) -> Decision {
    let steps: Vec<PathStep<'_>> = path.steps().collect();
    let (mut schema, mut pair, mut old_path) = (Some(schema), [new, old], FieldPath::root());
    let mut rest = &steps[..];
    loop {
        match step_below(schema, pair, rest) {
            ValueBelow::Correlated(schema_below, pair_below, step) => {
                (schema, pair, rest) = (schema_below, pair_below, &rest[1..]);
                old_path = old_path.step(step);
            }
            ValueBelow::End => {
                let old_path = rest.iter().fold(old_path, |path, step| path.step(*step));
                let is_known = old_errors
                    .iter()
                    .any(|(path, known_rule)| *path == old_path && known_rule == rule);
                return if is_known {
                    Decision::SameRule
                } else {
                    Decision::NotTolerated
                };
            }
            ValueBelow::NotCorrelated => {
                let [new, old] = pair;
                let is_equal = schema.is_some_and(|schema| are_equal(false, schema, new, old));
                return if is_equal {
                    Decision::OuterValueUnchanged
                } else {
                    Decision::NotTolerated
                };
            }
        }
    }
}

/// The value one step below.
enum ValueBelow<'s, 'v, 'p> {
    /// There is no step, or the new value has nothing there.
    End,
    NotCorrelated,
    Correlated(Option<&'s Value>, [&'v Value; 2], PathStep<'p>),
}

fn step_below<'s, 'v, 'p>(
    schema: Option<&'s Value>,
    [new, old]: [&'v Value; 2],
    steps: &[PathStep<'p>],
) -> ValueBelow<'s, 'v, 'p> {
    let Some(step) = steps.first() else {
        return ValueBelow::End;
    };
    match step {
        PathStep::Field(name) | PathStep::Key(name) => {
            let Some(new) = new.as_object().and_then(|object| object.get(*name)) else {
                return ValueBelow::End;
            };
            let Some(schema) = schema.and_then(|schema| child_schema(schema, name)) else {
                return ValueBelow::NotCorrelated;
            };
            match old.as_object().and_then(|object| object.get(*name)) {
                None => ValueBelow::NotCorrelated,
                Some(old) => ValueBelow::Correlated(Some(schema), [new, old], *step),
            }
        }
        PathStep::Index(index) => {
            let Some(new) = new.as_array().and_then(|elements| elements.get(*index)) else {
                return ValueBelow::End;
            };
            match schema.and_then(|schema| find_old_element(schema, new, old)) {
                None => ValueBelow::NotCorrelated,
                Some((items, index, old)) => {
                    ValueBelow::Correlated(Some(items), [new, old], PathStep::Index(index))
                }
            }
        }
    }
}

fn child_schema<'s>(schema: &'s Value, name: &str) -> Option<&'s Value> {
    let values = &schema["additionalProperties"];
    match schema["properties"].get(name) {
        None if values.is_object() => Some(values),
        property => property,
    }
}

fn list_map_keys(schema: &Value) -> Vec<&str> {
    if schema["x-kubernetes-list-type"] != "map" {
        return Vec::new();
    }
    let keys = schema["x-kubernetes-list-map-keys"].as_array();
    keys.into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// Returns the schema of the elements, and the position and value of the first old element with the
/// keys of a new element.
fn find_old_element<'s, 'v>(
    schema: &'s Value,
    new: &Value,
    old: &'v Value,
) -> Option<(&'s Value, usize, &'v Value)> {
    let keys = list_map_keys(schema);
    let old = old
        .as_array()
        .filter(|_| !keys.is_empty() && new.is_object())?;
    let has_same_keys =
        |old: &Value| old.is_object() && keys.iter().all(|key| old.get(*key) == new.get(*key));
    let index = old.iter().position(has_same_keys)?;
    Some((&schema["items"], index, &old[index]))
}

/// Returns true if an API server considers the values equal: lists with keys pair their elements by
/// key, and an object with a field that the schema does not describe is not equal to any other
/// object.
fn are_equal(is_deep: bool, schema: &Value, new: &Value, old: &Value) -> bool {
    match (new, old) {
        _ if is_deep => new == old,
        (Value::Object(new), Value::Object(old)) => {
            new.len() == old.len()
                && new.iter().all(
                    |(name, new)| match (child_schema(schema, name), old.get(name)) {
                        (Some(schema), Some(old)) => are_equal(false, schema, new, old),
                        _ => false,
                    },
                )
        }
        (Value::Array(elements), Value::Array(old_elements))
            if !list_map_keys(schema).is_empty() =>
        {
            elements.len() == old_elements.len()
                && elements.iter().all(|new| {
                    find_old_element(schema, new, old)
                        .is_some_and(|(items, _, old)| are_equal(false, items, new, old))
                })
        }
        _ => new == old,
    }
}
