//! A second, plain implementation of the comparator's rules, written from the documentation of
//! `Comparison::split`.

use serde_json::Value;
use union_runtime::path::{FieldPath, PathStep};

/// The decision about an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Decision {
    /// The value at the path, or the value that lacks the path's field, is unchanged.
    Own,
    /// The nearest correlated value around is unchanged.
    Around,
    /// The old object breaks the same rule at the correlated path.
    SameRule,
    Refused,
}

/// Decides as [`Ratchet::Unchanged`](union_runtime::Ratchet::Unchanged) does.
pub(crate) fn unchanged(
    is_deep: bool,
    schema: &Value,
    [new, old]: [&Value; 2],
    path: &FieldPath,
) -> Decision {
    let steps: Vec<PathStep<'_>> = path.steps().collect();
    unchanged_at(is_deep, Some(schema), [new, old], &steps)
}

fn unchanged_at(
    is_deep: bool,
    schema: Option<&Value>,
    [new, old]: [&Value; 2],
    steps: &[PathStep<'_>],
) -> Decision {
    let is_equal = schema.is_some_and(|schema| equal(is_deep, schema, new, old));
    let decision = match below(schema, [new, old], steps) {
        Below::Correlated(schema, pair, _) => unchanged_at(is_deep, schema, pair, &steps[1..]),
        Below::End if is_equal => Decision::Own,
        Below::NotCorrelated if is_equal => Decision::Around,
        Below::End | Below::NotCorrelated => Decision::Refused,
    };
    match decision {
        // If a value is equal as a whole, everything in it is unchanged.
        Decision::Refused if is_deep && is_equal => Decision::Around,
        decision => decision,
    }
}

/// Decides as [`Ratchet::SameReason`](union_runtime::Ratchet::SameReason) does.
pub(crate) fn same_reason<R: PartialEq>(
    schema: &Value,
    [new, old]: [&Value; 2],
    (path, rule): &(FieldPath, R),
    old_errors: &[(FieldPath, R)],
) -> Decision {
    let steps: Vec<PathStep<'_>> = path.steps().collect();
    let (mut schema, mut pair, mut old_path) = (Some(schema), [new, old], FieldPath::root());
    let mut rest = &steps[..];
    loop {
        match below(schema, pair, rest) {
            Below::Correlated(schema_below, pair_below, step) => {
                (schema, pair, rest) = (schema_below, pair_below, &rest[1..]);
                old_path = old_path.step(step);
            }
            Below::End => {
                let old_path = rest.iter().fold(old_path, |path, step| path.step(*step));
                let is_known = old_errors
                    .iter()
                    .any(|(path, known)| *path == old_path && known == rule);
                return if is_known {
                    Decision::SameRule
                } else {
                    Decision::Refused
                };
            }
            Below::NotCorrelated => {
                let [new, old] = pair;
                let is_equal = schema.is_some_and(|schema| equal(false, schema, new, old));
                return if is_equal {
                    Decision::Around
                } else {
                    Decision::Refused
                };
            }
        }
    }
}

/// The value one step below.
enum Below<'s, 'v, 'p> {
    /// There is no step, or the new value has nothing there.
    End,
    NotCorrelated,
    Correlated(Option<&'s Value>, [&'v Value; 2], PathStep<'p>),
}

fn below<'s, 'v, 'p>(
    schema: Option<&'s Value>,
    [new, old]: [&'v Value; 2],
    steps: &[PathStep<'p>],
) -> Below<'s, 'v, 'p> {
    let Some(step) = steps.first() else {
        return Below::End;
    };
    match step {
        PathStep::Field(name) | PathStep::Key(name) => {
            let Some(new) = new.as_object().and_then(|object| object.get(*name)) else {
                return Below::End;
            };
            let Some(schema) = schema.and_then(|schema| child(schema, name)) else {
                return Below::NotCorrelated;
            };
            match old.as_object().and_then(|object| object.get(*name)) {
                None => Below::NotCorrelated,
                Some(old) => Below::Correlated(Some(schema), [new, old], *step),
            }
        }
        PathStep::Index(index) => {
            let Some(new) = new.as_array().and_then(|elements| elements.get(*index)) else {
                return Below::End;
            };
            match schema.and_then(|schema| element(schema, new, old)) {
                None => Below::NotCorrelated,
                Some((items, index, old)) => {
                    Below::Correlated(Some(items), [new, old], PathStep::Index(index))
                }
            }
        }
    }
}

fn child<'s>(schema: &'s Value, name: &str) -> Option<&'s Value> {
    let values = &schema["additionalProperties"];
    match schema["properties"].get(name) {
        None if values.is_object() => Some(values),
        property => property,
    }
}

fn keys(schema: &Value) -> Vec<&str> {
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
fn element<'s, 'v>(
    schema: &'s Value,
    new: &Value,
    old: &'v Value,
) -> Option<(&'s Value, usize, &'v Value)> {
    let keys = keys(schema);
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
fn equal(is_deep: bool, schema: &Value, new: &Value, old: &Value) -> bool {
    match (new, old) {
        _ if is_deep => new == old,
        (Value::Object(new), Value::Object(old)) => {
            new.len() == old.len()
                && new
                    .iter()
                    .all(|(name, new)| match (child(schema, name), old.get(name)) {
                        (Some(schema), Some(old)) => equal(false, schema, new, old),
                        _ => false,
                    })
        }
        (Value::Array(elements), Value::Array(others)) if !keys(schema).is_empty() => {
            elements.len() == others.len()
                && elements.iter().all(|new| {
                    element(schema, new, old)
                        .is_some_and(|(items, _, old)| equal(false, items, new, old))
                })
        }
        _ => new == old,
    }
}
