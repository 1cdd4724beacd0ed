//! Equality of CEL values, and entries of maps. Lists of type set or map are compared without
//! order. Lists, maps, optional values and keys share one file, because their comparisons call each
//! other.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::keyed_lists::equal_keyed_lists;
use super::lists::{
    HashKey, UnhashableError, element, hash_key, hash_key_of_value, list_map_key,
    list_map_key_of_computed,
};
use super::numbers::{compare_numbers, equal_floats, to_equal_int, to_equal_uint};
use crate::types::declared::{DeclaredId, DeclaredKind, DeclaredTypes, ListType};
use crate::types::feature::Feature;
use crate::values::from_json;
use crate::values::opaque::Opaque;
use crate::values::value::{AppendedItem, EvalError, Str, Val};
use k8s_json_internals::equality::deep_equal;
use k8s_json_internals::number::JsonNumber;

type EqualityResult = Result<bool, EvalError>;

/// Returns true if two values are equal.
pub(crate) fn equal<'v>(
    declared_types: &DeclaredTypes,
    a: &Val<'v>,
    b: &Val<'v>,
) -> EqualityResult {
    Ok(match (a, b) {
        (Val::Null, Val::Null) | (Val::Optional(None), Val::Optional(None)) => true,
        (Val::Bool(a), Val::Bool(b)) => a == b,
        (Val::String(a), Val::String(b)) => a.as_str() == b.as_str(),
        (Val::Bytes(a), Val::Bytes(b)) => a == b,
        (Val::Timestamp(a), Val::Timestamp(b)) => a == b,
        (Val::Duration(a), Val::Duration(b)) => a == b,
        (Val::Type(a), Val::Type(b)) => a == b,
        (Val::Opaque(a), Val::Opaque(b)) => {
            return a.equals(b).ok_or_else(EvalError::no_such_overload);
        }
        (Val::Opaque(_), Val::Null) => false,
        (Val::Opaque(_), Val::Error(error)) => return Err(EvalError::Expression(error.clone())),
        (Val::Opaque(_), _) => return Err(EvalError::no_such_overload()),
        (Val::Unstructured(a), Val::Unstructured(b)) => deep_equal(a, b),
        (Val::Unstructured(a), b) => equals_json(a, b),
        (Val::Optional(Some(a)), Val::Optional(Some(b))) => return equal(declared_types, a, b),
        (
            Val::Int(_) | Val::Uint(_) | Val::Double(_),
            Val::Int(_) | Val::Uint(_) | Val::Double(_),
        ) => compare_numbers(a, b) == Some(core::cmp::Ordering::Equal),
        (
            Val::List(_) | Val::JsonList(..) | Val::AppendedList(_),
            Val::List(_) | Val::JsonList(..) | Val::AppendedList(_),
        ) => {
            return equal_lists(declared_types, a, b);
        }
        (Val::JsonObject(a, a_declaration), Val::JsonObject(b, b_declaration)) => {
            return equal_objects(declared_types, a, *a_declaration, b, *b_declaration);
        }
        (Val::Map(_) | Val::JsonObject(..), Val::Map(_) | Val::JsonObject(..)) => {
            return equal_maps(declared_types, a, b);
        }
        (Val::Error(error), _)
        | (Val::JsonList(..) | Val::AppendedList(_) | Val::JsonObject(..), Val::Error(error)) => {
            return Err(EvalError::Expression(error.clone()));
        }
        // JSON lists and objects are comparable only with lists and objects.
        (Val::JsonList(..) | Val::AppendedList(_) | Val::JsonObject(..), _)
            if !matches!(b, Val::Null) =>
        {
            return Err(EvalError::no_such_overload());
        }
        _ => false,
    })
}

/// Returns true if a value equals schemaless JSON.
fn equals_json(json: &Value, value: &Val<'_>) -> bool {
    match (json, value) {
        (Value::Null, Val::Null) => true,
        (Value::Bool(a), Val::Bool(b)) => a == b,
        (Value::String(a), Val::String(b)) => a == b.as_str(),
        (Value::Number(a), b) => match (JsonNumber::from_number(a), b) {
            (JsonNumber::Int(a), Val::Int(b)) => a == *b,
            (JsonNumber::Float(a), Val::Double(b)) => equal_floats(a, *b),
            _ => false,
        },
        (Value::Array(a), Val::List(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| equals_json(a, b))
        }
        (Value::Object(a), Val::Map(b)) => {
            let has_equal_entry = |(key, value): &(Val<'_>, Val<'_>)| match key {
                Val::String(key) => a.get(key.as_str()).is_some_and(|a| equals_json(a, value)),
                _ => false,
            };
            a.len() == b.len() && b.iter().all(has_equal_entry)
        }
        (Value::Array(a), Val::JsonList(b, _)) => {
            a.len() == b.len() && a.iter().zip(*b).all(|(a, b)| deep_equal(a, b))
        }
        (Value::Object(a), Val::JsonObject(b, _)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| deep_equal(a, b)))
        }
        _ => false,
    }
}

/// Compares two values or evaluation errors. An error on the left is the result. An error on the
/// right is the result if the left side is a list or an object, and otherwise counts as unequal.
fn equal_results<'v>(
    declared_types: &DeclaredTypes,
    a: Result<Val<'v>, EvalError>,
    b: Result<Val<'v>, EvalError>,
) -> EqualityResult {
    match (a, b) {
        // As on a server, comparing a list or an object inside an object with null is an error.
        (Ok(Val::JsonList(..) | Val::AppendedList(_) | Val::JsonObject(..)), Ok(Val::Null)) => {
            Err(EvalError::no_such_overload())
        }
        (Ok(a), Ok(b)) => equal(declared_types, &a, &b),
        (Ok(Val::JsonList(..) | Val::AppendedList(_) | Val::JsonObject(..)), Err(error)) => {
            Err(error)
        }
        (Ok(_), Err(EvalError::Expression(_))) => Ok(false),
        (Err(error), _) | (_, Err(error)) => Err(error),
    }
}

/// Compares two JSON objects.
fn equal_objects<'v>(
    declared_types: &DeclaredTypes,
    a: &'v Map<String, Value>,
    a_declaration: DeclaredId,
    b: &'v Map<String, Value>,
    b_declaration: DeclaredId,
) -> EqualityResult {
    if a.len() != b.len() {
        return Ok(false);
    }
    let field = |object, declaration, key: &str| match &declared_types.get(declaration).kind {
        DeclaredKind::Object(fields) => crate::types::declared::find_field(fields, key)
            .and_then(|field| from_json::get_field(declared_types, object, &field.name, field.ty)),
        _ => from_json::get_key(declared_types, object, declaration, key),
    };
    let mut first_error = None;
    for (key, value) in a {
        // As on a server, fields without a declaration are compared as JSON, and ignored if the
        // other object does not have the field.
        if !from_json::is_declared(declared_types, a_declaration, key) {
            if b.get(key).is_some_and(|other| !deep_equal(other, value)) {
                return Ok(false);
            }
            continue;
        }
        let result = match (field(a, a_declaration, key), field(b, b_declaration, key)) {
            (Some(a), Some(b)) => equal_results(declared_types, a, b),
            (None, Some(b)) => equals_null_field(declared_types, (a, a_declaration), key, b),
            (None, None) => Ok(declared_types.has(Feature::NullFieldEquality)),
            _ => Ok(false),
        };
        match result {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            // A server compares properties in random order. Here, a difference takes precedence
            // over an error.
            Err(field_error) => {
                first_error.get_or_insert(field_error);
            }
        }
    }
    first_error.map_or(Ok(true), Err)
}

/// Compares a field that is null or absent with the value of a field of another object. A server
/// without [`Feature::NullFieldEquality`] reads null as a value.
fn equals_null_field<'v>(
    declared_types: &DeclaredTypes,
    (object, declaration): (&'v Map<String, Value>, DeclaredId),
    name: &str,
    other: Result<Val<'v>, EvalError>,
) -> EqualityResult {
    if declared_types.has(Feature::NullFieldEquality) {
        return Ok(false);
    }
    let null = object.get(name).filter(|value| value.is_null());
    let field = declared_types.get(declaration).field(name);
    match null.zip(field) {
        Some((null, field)) => {
            let null = from_json::convert(declared_types, null, field.ty);
            equal_results(declared_types, null, other)
        }
        None => Ok(false),
    }
}

/// Compares two maps, at least one of which is computed.
fn equal_maps<'v>(declared_types: &DeclaredTypes, a: &Val<'v>, b: &Val<'v>) -> EqualityResult {
    if a.size() != b.size() {
        return Ok(false);
    }
    if let Val::JsonObject(object, id) = a
        && object
            .keys()
            .any(|key| !from_json::is_declared(declared_types, *id, key))
    {
        return Err(EvalError::no_such_overload());
    }
    let is_computed = matches!(a, Val::Map(_));
    for (index, key) in keys(declared_types, a).into_iter().enumerate() {
        let value = if is_computed {
            entry_at(declared_types, a, index, &key)
        } else {
            entry_by_json_name(declared_types, a, &key)
        };
        let is_equal = match (value, entry_by_json_name(declared_types, b, &key)) {
            (Some(a), Some(b)) => match equal_elements(declared_types, is_computed, a, b) {
                // As on a server, the comparison ignores the error and continues.
                Err(EvalError::Expression(_)) if is_computed => true,
                is_equal => is_equal?,
            },
            (None, None) => declared_types.has(Feature::NullFieldEquality),
            (None, Some(other)) => match (a, &key) {
                (Val::JsonObject(object, id), Val::String(name)) => {
                    equals_null_field(declared_types, (object, *id), name.as_str(), other)?
                }
                _ => false,
            },
            (Some(_), None) => false,
        };
        if !is_equal {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Compares elements of two lists or maps. Elements of a computed list or map are compared as
/// top-level values.
fn equal_elements<'v>(
    declared_types: &DeclaredTypes,
    is_computed: bool,
    a: Result<Val<'v>, EvalError>,
    b: Result<Val<'v>, EvalError>,
) -> EqualityResult {
    match (a, b) {
        (Ok(a), Ok(b)) if is_computed => equal(declared_types, &a, &b),
        (a, b) => equal_results(declared_types, a, b),
    }
}

/// Compares two lists.
fn equal_lists<'v>(declared_types: &DeclaredTypes, a: &Val<'v>, b: &Val<'v>) -> EqualityResult {
    if a.size() != b.size() {
        return Ok(false);
    }
    if declared_types.has(Feature::SetEquality)
        && let Some(result) = equal_keyed_lists(declared_types, a, b, equal_results)
    {
        return result;
    }
    let result = match a {
        Val::JsonList(items, id) => equal_set_or_map_lists(
            declared_types,
            *id,
            || items.iter().filter_map(Value::as_object),
            || items.iter().map(hash_key),
            b,
        ),
        Val::AppendedList(appended) => equal_set_or_map_lists(
            declared_types,
            appended.declaration,
            || appended.items().iter().filter_map(AppendedItem::as_object),
            || appended.items().iter().map(AppendedItem::hash_key),
            b,
        ),
        _ => None,
    };
    if let Some(result) = result {
        return result;
    }
    let (is_computed, is_concat) = match a {
        Val::List(list) => (true, list.is_concat()),
        _ => (false, false),
    };
    let mut first_error = None;
    let mut index = 0;
    while let (Some(a), Some(b)) = (
        element(declared_types, a, index),
        element(declared_types, b, index),
    ) {
        let is_equal = match equal_elements(declared_types, is_computed, a, b) {
            // Errors do not stop the comparison of a computed list. If the list is a concatenation,
            // the comparison reports its first error at the end.
            Err(error @ EvalError::Expression(_)) if is_computed => {
                if is_concat {
                    first_error.get_or_insert(error);
                }
                true
            }
            is_equal => is_equal?,
        };
        if !is_equal {
            return Ok(false);
        }
        index += 1;
    }
    first_error.map_or(Ok(true), Err)
}

/// Compares a list of type set or map; `None` for an atomic list.
fn equal_set_or_map_lists<'a, 'v: 'a, O, H>(
    declared_types: &DeclaredTypes,
    list: DeclaredId,
    objects: impl FnOnce() -> O,
    elements: impl FnOnce() -> H,
    others: &Val<'v>,
) -> Option<EqualityResult>
where
    O: Iterator<Item = &'v Map<String, Value>>,
    H: Iterator<Item = Result<HashKey<'a>, UnhashableError>>,
{
    let DeclaredKind::List { list_type, items } = &declared_types.get(list).kind else {
        return None;
    };
    match list_type {
        ListType::Map(keys) => Some(equal_map_lists(
            declared_types,
            objects(),
            keys,
            *items,
            others,
        )),
        ListType::Set => Some(equal_sets(declared_types, elements(), others)),
        ListType::Atomic => None,
    }
}

/// Compares lists of type map: each element of the other list must equal the last element of this
/// list with the same keys. A value that is not an object equals no element.
fn equal_map_lists<'v>(
    declared_types: &DeclaredTypes,
    objects: impl Iterator<Item = &'v Map<String, Value>>,
    keys: &[Box<str>],
    declaration: DeclaredId,
    others: &Val<'v>,
) -> EqualityResult {
    let mut by_key = HashMap::new();
    for item in objects {
        by_key.insert(list_map_key(declared_types, item, keys)?, item);
    }
    let mut index = 0;
    while let Some(other) = element(declared_types, others, index) {
        let key = match &other {
            Ok(Val::JsonObject(object, _)) => list_map_key(declared_types, object, keys)?,
            Ok(Val::Map(entries)) => list_map_key_of_computed(entries, keys)?,
            Ok(_) | Err(EvalError::Expression(_)) => return Ok(false),
            Err(error) => return Err(error.clone()),
        };
        let is_equal = match by_key.get(&key) {
            Some(item) => equal_results(
                declared_types,
                Ok(Val::JsonObject(item, declaration)),
                other,
            )?,
            None => false,
        };
        if !is_equal {
            return Ok(false);
        }
        index += 1;
    }
    Ok(true)
}

/// Compares lists of type set: this list must contain each element of the other list. The server
/// looks up the JSON forms of elements, so an integer in a list of floats, or a date, differs from
/// the equal CEL value.
fn equal_sets<'a>(
    declared_types: &DeclaredTypes,
    items: impl Iterator<Item = Result<HashKey<'a>, UnhashableError>>,
    others: &Val<'_>,
) -> EqualityResult {
    let items: HashSet<HashKey<'a>> = items.collect::<Result<_, _>>()?;
    let mut index = 0;
    while let Some(other) = element(declared_types, others, index) {
        let is_contained = match &other {
            // A CEL null is not the null of JSON, and an element that is an error equals nothing.
            Ok(Val::Null) | Err(EvalError::Expression(_)) => false,
            Ok(other) => items.contains(&hash_key_of_value(other)?),
            Err(error) => return Err(error.clone()),
        };
        if !is_contained {
            return Ok(false);
        }
        index += 1;
    }
    Ok(true)
}

/// Returns an error if a server cannot hash the key.
pub(crate) fn check_hashable(key: &Val<'_>) -> Result<(), UnhashableError> {
    match key.go_type() {
        ty @ ("types.Bytes" | "cel.Semver" | "cel.Format") => Err(UnhashableError(ty)),
        _ => Ok(()),
    }
}

/// Returns true if a map that an expression created compares this key by value. A server compares
/// lists, maps and most opaque values by identity in such a map.
const fn has_value_equality(key: &Val<'_>) -> bool {
    match key {
        Val::List(_)
        | Val::JsonList(..)
        | Val::AppendedList(_)
        | Val::Map(_)
        | Val::JsonObject(..)
        | Val::Optional(Some(_)) => false,
        Val::Opaque(value) => matches!(value, Opaque::Ip(_) | Opaque::Cidr(_)),
        _ => true,
    }
}

/// Returns the value of a map for a key.
pub(crate) fn entry<'v>(
    declared_types: &DeclaredTypes,
    map: &Val<'v>,
    key: &Val<'v>,
) -> Option<Result<Val<'v>, EvalError>> {
    match map {
        Val::JsonObject(object, id) => match key {
            Val::String(key) => from_json::get_key(declared_types, object, *id, key.as_str()),
            _ => Some(Err(EvalError::no_such_overload())),
        },
        Val::Map(entries) => {
            let position = key_position(declared_types, entries, key)?;
            entries.get(position).map(|(_, value)| Ok(value.clone()))
        }
        _ => None,
    }
}

/// Returns the position of a key in a computed map. A number first matches a key of its own type.
/// Then a float matches an equal integer, and an integer matches an equal integer of the other
/// type, but not a float.
pub(crate) fn key_position<'v>(
    declared_types: &DeclaredTypes,
    entries: &[(Val<'v>, Val<'v>)],
    key: &Val<'v>,
) -> Option<usize> {
    let find = |is_key: &dyn Fn(&Val<'v>) -> bool| {
        let mut keys = entries.iter().map(|(other, _)| other);
        keys.position(is_key)
    };
    let find_signed =
        |number: i64| find(&|other| matches!(other, Val::Int(value) if *value == number));
    let find_unsigned =
        |number: u64| find(&|other| matches!(other, Val::Uint(value) if *value == number));
    match key {
        Val::Int(key) => find_signed(*key).or_else(|| find_unsigned(u64::try_from(*key).ok()?)),
        Val::Uint(key) => find_unsigned(*key).or_else(|| find_signed(i64::try_from(*key).ok()?)),
        Val::Double(key) => {
            #[expect(clippy::float_cmp, reason = "both zeros are one key, and NaN is none")]
            let equals = |other: &Val<'v>| matches!(other, Val::Double(value) if value == key);
            find(&equals)
                .or_else(|| find_signed(to_equal_int(*key)?))
                .or_else(|| find_unsigned(to_equal_uint(*key)?))
        }
        key if has_value_equality(key) => {
            find(&|other| matches!(equal(declared_types, other, key), Ok(true)))
        }
        key => find(&|other| other.is_same_instance(key)),
    }
}

/// Returns the keys of a map or object.
pub(crate) fn keys<'v>(declared_types: &DeclaredTypes, map: &Val<'v>) -> Vec<Val<'v>> {
    match map {
        Val::JsonObject(object, id) => {
            let keys = object
                .keys()
                .filter(|key| from_json::is_declared(declared_types, *id, key));
            keys.map(|key| Val::String(Str::Borrowed(key))).collect()
        }
        Val::Map(entries) => entries.iter().map(|(key, _)| key.clone()).collect(),
        _ => Vec::new(),
    }
}

/// Returns the value for the key at an index of [`keys`]. Looking up the key may fail, for example
/// for NaN.
pub(crate) fn entry_at<'v>(
    declared_types: &DeclaredTypes,
    map: &Val<'v>,
    index: usize,
    key: &Val<'v>,
) -> Option<Result<Val<'v>, EvalError>> {
    match map {
        // A server looks up the keys of an extended map.
        Val::Map(entries) if entries.is_concat() => entry_by_key(declared_types, map, index, key),
        Val::Map(entries) => entries.get(index).map(|(_, value)| Ok(value.clone())),
        map => entry_by_key(declared_types, map, index, key),
    }
}

/// Returns the value like [`entry_at`], for functions that look up the key on a server: NaN is not
/// found.
pub(crate) fn entry_by_key<'v>(
    declared_types: &DeclaredTypes,
    map: &Val<'v>,
    index: usize,
    key: &Val<'v>,
) -> Option<Result<Val<'v>, EvalError>> {
    match (map, key) {
        (Val::Map(_), Val::Double(key)) if key.is_nan() => {
            Some(Err(EvalError::new("no such key: NaN")))
        }
        (Val::Map(entries), _) => entries.get(index).map(|(_, value)| Ok(value.clone())),
        (map, key) => entry(declared_types, map, key),
    }
}

/// Returns the value for a key that is a JSON name, without the escapes of CEL names.
fn entry_by_json_name<'v>(
    declared_types: &DeclaredTypes,
    map: &Val<'v>,
    key: &Val<'v>,
) -> Option<Result<Val<'v>, EvalError>> {
    if let (Val::JsonObject(object, id), Val::String(name)) = (map, key)
        && let DeclaredKind::Object(fields) = &declared_types.get(*id).kind
    {
        let field = crate::types::declared::find_field(fields, name.as_str())?;
        return from_json::get_field(declared_types, object, &field.name, field.ty);
    }
    entry(declared_types, map, key)
}
