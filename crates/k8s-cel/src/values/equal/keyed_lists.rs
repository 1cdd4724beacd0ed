//! Equality of sets and of lists with keys, and the keys of their converted elements, since
//! Kubernetes 1.37. Both sides must have the same elements.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::lists::{HashKey, element, elements_or_errors, hash_key_of_value, list_map_key};
use crate::types::declared::{DeclaredId, DeclaredKind, DeclaredTypes, ListType};
use crate::values::from_json;
use crate::values::opaque::Opaque;
use crate::values::value::{AppendedStorage, EvalError, Val};

/// A comparison of two elements, which may be evaluation errors.
type CompareElements<'v> = fn(
    &DeclaredTypes,
    Result<Val<'v>, EvalError>,
    Result<Val<'v>, EvalError>,
) -> Result<bool, EvalError>;

/// Compares a set or a list with keys with another list of the same size; `None` for an atomic
/// list.
pub(super) fn equal_keyed_lists<'v>(
    declared_types: &DeclaredTypes,
    list: &Val<'v>,
    other: &Val<'v>,
    compare: CompareElements<'v>,
) -> Option<Result<bool, EvalError>> {
    let id = match list {
        Val::JsonList(_, id) => *id,
        Val::AppendedList(appended) => appended.declaration,
        _ => return None,
    };
    let DeclaredKind::List { list_type, items } = &declared_types.get(id).kind else {
        return None;
    };
    let keys = match list_type {
        ListType::Atomic => return None,
        ListType::Set => return Some(equal_sets(declared_types, list, other)),
        ListType::Map(keys) => keys,
    };
    if let Val::JsonList(elements, _) = list {
        let is_equal = equal_json_map_lists(declared_types, elements, keys, *items, other, compare);
        return Some(is_equal);
    }
    let Val::AppendedList(appended) = list else {
        return None;
    };
    match &appended.storage {
        AppendedStorage::Converted(_, values) => Some(equal_map_lists(
            declared_types,
            values,
            keys,
            other,
            compare,
        )),
        AppendedStorage::Elements(_) | AppendedStorage::Lists(..) => None,
    }
}

fn equal_sets<'v>(
    declared_types: &DeclaredTypes,
    set: &Val<'v>,
    other: &Val<'v>,
) -> Result<bool, EvalError> {
    let values: Vec<Val<'v>> = elements_or_errors(declared_types, set).collect();
    let keys = values.iter().zip(0..);
    let keys = keys.map(|(value, position)| set_key(value, position));
    let keys = keys.collect::<Result<HashSet<_>, _>>()?;
    let other_values: Vec<Val<'v>> = elements_or_errors(declared_types, other).collect();
    let mut common_keys = HashSet::with_capacity(keys.len());
    for (value, position) in other_values.iter().zip(values.len()..) {
        let key = set_key(value, position)?;
        if !keys.contains(&key) {
            return Ok(false);
        }
        common_keys.insert(key);
    }
    Ok(common_keys.len() == keys.len())
}

/// Compares a JSON list with keys. The server reads the keys from the JSON objects. An element that
/// is not an object has a key that equals no other key.
fn equal_json_map_lists<'v>(
    declared_types: &DeclaredTypes,
    elements: &'v [Value],
    keys: &[Box<str>],
    declaration: DeclaredId,
    other: &Val<'v>,
    compare: CompareElements<'v>,
) -> Result<bool, EvalError> {
    let mut by_key = HashMap::with_capacity(elements.len());
    let mut unique_count = 0;
    for element in elements {
        match element.as_object() {
            Some(object) => {
                by_key.insert(list_map_key(declared_types, object, keys)?, object);
            }
            None => unique_count += 1,
        }
    }
    let mut common_keys = HashSet::with_capacity(by_key.len());
    let mut index = 0;
    while let Some(other) = element(declared_types, other, index) {
        let key = match &other {
            Ok(Val::JsonObject(object, _)) => list_map_key(declared_types, object, keys)?,
            Ok(_) | Err(EvalError::Expression(_)) => return Ok(false),
            Err(error) => return Err(error.clone()),
        };
        let Some(object) = by_key.get(&key) else {
            return Ok(false);
        };
        let object = Ok(Val::JsonObject(object, declaration));
        if !compare(declared_types, object, other)? {
            return Ok(false);
        }
        common_keys.insert(key);
        index += 1;
    }
    Ok(common_keys.len() == by_key.len() + unique_count)
}

/// Compares the sum of a list with keys and another list.
fn equal_map_lists<'v>(
    declared_types: &DeclaredTypes,
    values: &[Val<'v>],
    keys: &[Box<str>],
    other: &Val<'v>,
    compare: CompareElements<'v>,
) -> Result<bool, EvalError> {
    let key_values = MapKeys::new(declared_types, values, keys);
    let by_key: HashMap<_, _> = key_values.iter(0).zip(values).collect();
    let other_values: Vec<Val<'v>> = elements_or_errors(declared_types, other).collect();
    let other_keys = MapKeys::new(declared_types, &other_values, keys);
    let mut common_keys = HashSet::with_capacity(by_key.len());
    for (key, other) in other_keys.iter(values.len()).zip(&other_values) {
        let Some(value) = by_key.get(&key) else {
            return Ok(false);
        };
        let (value, other) = (into_result(value), into_result(other));
        if !compare(declared_types, value, other)? {
            return Ok(false);
        }
        common_keys.insert(key);
    }
    Ok(common_keys.len() == by_key.len())
}

fn into_result<'v>(value: &Val<'v>) -> Result<Val<'v>, EvalError> {
    match value {
        Val::Error(message) => Err(EvalError::Expression(message.clone())),
        value => Ok(value.clone()),
    }
}

/// Returns the key of an element of a set. `position` is different for each element of both lists.
///
/// # Errors
///
/// Returns an error if the element is a list or a map.
pub(crate) fn set_key<'a>(value: &'a Val<'_>, position: usize) -> Result<HashKey<'a>, EvalError> {
    match value {
        Val::List(_)
        | Val::JsonList(..)
        | Val::AppendedList(_)
        | Val::Map(_)
        | Val::JsonObject(..) => Err(EvalError::new(
            "listSet operations are only supported on lists of scalar values",
        )),
        value => Ok(value_key(value, position)),
    }
}

/// Returns the key of a value. `position` is different for each element of both lists, for values
/// that the server identifies by their address.
fn value_key<'a>(value: &'a Val<'_>, position: usize) -> HashKey<'a> {
    match value {
        Val::Null => HashKey::ComputedNull,
        Val::Bytes(bytes) => HashKey::Bytes(bytes),
        Val::Type(name) => HashKey::String(name),
        Val::Error(_) => HashKey::Unique(position),
        Val::Optional(None) => HashKey::Null,
        Val::Optional(Some(inner)) => value_key(inner, position),
        // Go shares the zones whose offset is a number of hours, and no others.
        Val::Timestamp(time) if time.offset % 3600 != 0 => HashKey::Unique(position),
        // The server prints values that Go cannot hash.
        Val::Opaque(Opaque::Semver(version)) => HashKey::Printed(version.to_string().into()),
        Val::Opaque(Opaque::Format(format)) => HashKey::Printed(format.name.into()),
        value => match hash_key_of_value(value) {
            Ok(HashKey::Other) | Err(_) => HashKey::Unique(position),
            Ok(key) => key,
        },
    }
}

/// The values of the keys of the elements of a list.
pub(crate) struct MapKeys<'v>(Vec<Vec<Val<'v>>>);

impl<'v> MapKeys<'v> {
    /// Reads the keys of all elements. The server reads `null` from a value that is not a map.
    pub(crate) fn new(
        declared_types: &DeclaredTypes,
        elements: &[Val<'v>],
        keys: &[Box<str>],
    ) -> Self {
        let key_value = |element: &Val<'v>, key: &str| {
            let value = match element {
                Val::JsonObject(object, id) => {
                    from_json::get_key(declared_types, object, *id, key).and_then(Result::ok)
                }
                Val::Map(entries) => {
                    let is_key =
                        |name: &Val<'v>| matches!(name, Val::String(name) if name.as_str() == key);
                    let entry = entries.iter().find(|(name, _)| is_key(name));
                    entry.map(|(_, value)| value.clone())
                }
                _ => None,
            };
            value.unwrap_or(Val::Optional(None))
        };
        let key_values = elements.iter().map(|element| {
            let values = keys.iter().map(|key| key_value(element, key));
            values.collect()
        });
        Self(key_values.collect())
    }

    /// Returns the keys of the elements in order. The position of the first element is
    /// `first_position`, see [`value_key`].
    pub(crate) fn iter(&self, first_position: usize) -> impl Iterator<Item = Vec<HashKey<'_>>> {
        self.0
            .iter()
            .zip(first_position..)
            .map(|(values, position)| {
                let values = values.iter();
                values.map(|value| value_key(value, position)).collect()
            })
    }
}
