//! Changes of an object by which the server reports fewer errors.

use serde_json::{Value, json};

use crate::cluster::{Cluster, Fallible};
use crate::errors::{Error, Errors, of_response};
use crate::types::Kind;

/// The number of changes that are tried for an object.
const MAX_CHANGES: usize = 40;

/// Strings that some field of the API accepts.
const STRINGS: [&str; 12] = [
    "a.example.com",
    "a.example.com/a",
    "/a",
    "1",
    "10.0.0.1",
    "10.0.0.0/24",
    "https://a.example.com",
    "v1",
    "Never",
    "TCP",
    "A",
    "as",
];

/// Sends an object as a dry run, and returns the server's errors.
pub(crate) async fn send(cluster: &Cluster, kind: &Kind, object: &Value) -> Fallible<Errors> {
    let path = format!("{}?dryRun=All", kind.path);
    Ok(of_response(&cluster.post(&path, object).await?))
}

/// The errors that [`repair`] leaves alone, besides those at the place and around it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    /// The errors at the direct fields of the place.
    DirectFields,
    /// The errors outside of the place.
    Outside,
}

/// Changes an object until the server reports only errors that are left alone, or until no change
/// helps. Returns the errors that are left.
pub(crate) async fn repair(
    cluster: &Cluster,
    kind: &Kind,
    object: &mut Value,
    place: &str,
    kept: Kept,
) -> Fallible<Errors> {
    let mut errors = send(cluster, kind, object).await?;
    let mut tried = 0;
    'errors: while tried < MAX_CHANGES {
        for error in errors.clone() {
            if is_kept(&error.field, place, kept) {
                continue;
            }
            for value in remedies(&error) {
                tried += 1;
                let mut changed = object.clone();
                if !set(&mut changed, &error.field, value) {
                    continue;
                }
                let left = send(cluster, kind, &changed).await?;
                let is_decoded = !left.iter().any(|error| error.field.is_empty());
                if is_decoded && left.len() <= errors.len() && !left.contains(&error) {
                    (*object, errors) = (changed, left);
                    continue 'errors;
                }
                if tried >= MAX_CHANGES {
                    break 'errors;
                }
            }
        }
        break;
    }
    Ok(errors)
}

fn is_kept(path: &str, place: &str, kept: Kept) -> bool {
    if below(place, path).is_some() {
        // The path is the place, or leads to an object around the place.
        return true;
    }
    match (below(path, place), kept) {
        (Some(rest), Kept::DirectFields) => !rest.contains(['.', '[']),
        (Some(_), Kept::Outside) => false,
        (None, kept) => kept == Kept::Outside,
    }
}

/// Returns the rest of a path inside a place, or `None` if the path is elsewhere.
pub(crate) fn below<'p>(path: &'p str, place: &str) -> Option<&'p str> {
    if place.is_empty() {
        return Some(path);
    }
    let rest = path.strip_prefix(place)?;
    match rest.chars().next() {
        None | Some('[') => Some(rest),
        Some('.') => rest.get(1..),
        Some(_) => None,
    }
}

/// Returns values that may have no error at a field.
fn remedies(error: &Error) -> Vec<Value> {
    let mut values = Vec::new();
    values.extend(error.supported_values().take(3).map(Value::from));
    if error.reason == "FieldValueRequired" {
        values.extend([
            "a".into(),
            json!({}),
            json!([{}]),
            1.into(),
            json!(["a"]),
            json!({ "a": "a" }),
        ]);
    } else {
        values.extend(STRINGS.map(Value::from));
        values.extend([600.into(), 0.into(), Value::Null]);
    }
    values
}

/// Sets the value at a path such as `spec.rules[0].host`, and returns false if the path does not
/// lead to a place of the object.
fn set(object: &mut Value, path: &str, new: Value) -> bool {
    let mut value = object;
    for name in path.split('.') {
        let (field, indexes) = name.split_once('[').unwrap_or((name, ""));
        if !(value.is_object() || value.is_null()) {
            return false;
        }
        value = &mut value[field];
        for index in indexes.split('[').filter(|index| !index.is_empty()) {
            let index = index.trim_end_matches(']');
            match (value.is_array(), index.parse::<usize>()) {
                (true, Ok(0)) => value = &mut value[0],
                (false, _) if value.is_object() => value = &mut value[index],
                _ => return false,
            }
        }
    }
    *value = new;
    true
}
