//! Equality of sets and of lists with keys, and the keys of their converted elements, since
//! Kubernetes 1.37. Both sides must have the same elements.

use core::hash::Hash;
use std::collections::HashMap;

use serde_json::Value;

use super::lists::{
    HashKey, element, elements_or_errors, entry_by_name, hash_key_of_value, list_map_key,
};
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

/// Returns true if two sets contain the same elements.
fn equal_sets<'v>(
    declared_types: &DeclaredTypes,
    set: &Val<'v>,
    other: &Val<'v>,
) -> Result<bool, EvalError> {
    let values: Vec<Val<'v>> = elements_or_errors(declared_types, set).collect();
    let mut keys = FoundKeys::with_capacity(values.len());
    for (position, value) in values.iter().enumerate() {
        keys.insert(set_key(value, position)?, ());
    }
    let other_values: Vec<Val<'v>> = elements_or_errors(declared_types, other).collect();
    for (value, position) in other_values.iter().zip(values.len()..) {
        if keys.find(&set_key(value, position)?).is_none() {
            return Ok(false);
        }
    }
    Ok(keys.are_all_found())
}

/// The keys of the elements of a list, each with a value, and the number of keys that the other
/// list has too.
struct FoundKeys<K, V> {
    /// The values, and true for the keys that were found in the other list.
    entries: HashMap<K, (V, bool)>,
    found_count: usize,
}

impl<K: Eq + Hash, V: Copy> FoundKeys<K, V> {
    fn with_capacity(capacity: usize) -> Self {
        Self {
            entries: HashMap::with_capacity(capacity),
            found_count: 0,
        }
    }

    /// Adds a key. A later element replaces an earlier element with the same key.
    fn insert(&mut self, key: K, value: V) {
        self.entries.insert(key, (value, false));
    }

    /// Returns the value of a key of the other list.
    fn find(&mut self, key: &K) -> Option<V> {
        let (value, is_found) = self.entries.get_mut(key)?;
        self.found_count += usize::from(!*is_found);
        *is_found = true;
        Some(*value)
    }

    fn are_all_found(&self) -> bool {
        self.found_count == self.entries.len()
    }
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
    let mut objects = FoundKeys::with_capacity(elements.len());
    let mut has_unique_key = false;
    for element in elements {
        match element.as_object() {
            Some(object) => objects.insert(list_map_key(declared_types, object, keys)?, object),
            None => has_unique_key = true,
        }
    }
    let mut index = 0;
    while let Some(other) = element(declared_types, other, index) {
        let key = match &other {
            Ok(Val::JsonObject(object, _)) => list_map_key(declared_types, object, keys)?,
            Ok(_) | Err(EvalError::Expression(_)) => return Ok(false),
            Err(error) => return Err(error.clone()),
        };
        let Some(object) = objects.find(&key) else {
            return Ok(false);
        };
        let object = Ok(Val::JsonObject(object, declaration));
        if !compare(declared_types, object, other)? {
            return Ok(false);
        }
        index += 1;
    }
    Ok(objects.are_all_found() && !has_unique_key)
}

/// Compares a list with keys, to which elements were appended, with another list.
fn equal_map_lists<'v>(
    declared_types: &DeclaredTypes,
    values: &[Val<'v>],
    keys: &[Box<str>],
    other: &Val<'v>,
    compare: CompareElements<'v>,
) -> Result<bool, EvalError> {
    let value_keys = MapKeys::new(declared_types, values, keys);
    let mut values_by_key = FoundKeys::with_capacity(values.len());
    for (key, value) in value_keys.iter(0).zip(values) {
        values_by_key.insert(key, value);
    }
    let other_values: Vec<Val<'v>> = elements_or_errors(declared_types, other).collect();
    let other_keys = MapKeys::new(declared_types, &other_values, keys);
    for (key, other) in other_keys.iter(values.len()).zip(&other_values) {
        let Some(value) = values_by_key.find(&key) else {
            return Ok(false);
        };
        let (value, other) = (into_result(value), into_result(other));
        if !compare(declared_types, value, other)? {
            return Ok(false);
        }
    }
    Ok(values_by_key.are_all_found())
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
        // Go shares only the zones whose offset is a whole number of hours.
        Val::Timestamp(time) if time.offset % 3600 != 0 => HashKey::Unique(position),
        // The server prints values that Go cannot hash.
        Val::Opaque(Opaque::Semver(version)) => HashKey::Printed(version.to_string().into()),
        Val::Opaque(Opaque::Format(format) | Opaque::FormatPointer(format)) => {
            HashKey::Printed(format.name.into())
        }
        value => match hash_key_of_value(value) {
            Ok(HashKey::Other) | Err(_) => HashKey::Unique(position),
            Ok(key) => key,
        },
    }
}

/// The key values of each element of a list.
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
                Val::Map(entries) => entry_by_name(entries, key).cloned(),
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
