//! The equality of CEL values, and the entries of maps. Lists of type set or map compare without
//! order. The file is one thing, because lists, maps, optional values and keys compare each other.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::lists::{Hashed, Unhashable, element, hashed, hashed_value, key_of, key_of_made};
use super::numbers::{compare_floats, compare_numbers, natural, whole};
use crate::types::declared::{DeclaredId, DeclaredKind, DeclaredTypes, ListType};
use crate::values::convert;
use crate::values::opaque::Opaque;
use crate::values::value::{Fault, Item, Text, Val};
use k8s_json_internals::equality::same;
use k8s_json_internals::number::Num;

type Verdict = Result<bool, Fault>;

/// Returns true if two values are equal.
pub(crate) fn equal<'v>(declared: &DeclaredTypes, a: &Val<'v>, b: &Val<'v>) -> Verdict {
    Ok(match (a, b) {
        (Val::Null, Val::Null) | (Val::Optional(None), Val::Optional(None)) => true,
        (Val::Bool(a), Val::Bool(b)) => a == b,
        (Val::Text(a), Val::Text(b)) => a.as_str() == b.as_str(),
        (Val::Bytes(a), Val::Bytes(b)) => a == b,
        (Val::Timestamp(a), Val::Timestamp(b)) => a == b,
        (Val::Duration(a), Val::Duration(b)) => a == b,
        (Val::Type(a), Val::Type(b)) => a == b,
        (Val::Opaque(a), Val::Opaque(b)) => return a.equals(b).ok_or_else(Fault::no_such_overload),
        (Val::Opaque(_), Val::Null) => false,
        (Val::Opaque(_), Val::Fault(text)) => return Err(Fault::Error(text.clone())),
        (Val::Opaque(_), _) => return Err(Fault::no_such_overload()),
        (Val::Unknown(a), Val::Unknown(b)) => same(a, b),
        (Val::Unknown(a), b) => is_json(a, b),
        (Val::Optional(Some(a)), Val::Optional(Some(b))) => return equal(declared, a, b),
        (
            Val::Int(_) | Val::Uint(_) | Val::Double(_),
            Val::Int(_) | Val::Uint(_) | Val::Double(_),
        ) => compare_numbers(a, b) == Some(core::cmp::Ordering::Equal),
        (
            Val::List(_) | Val::Items(..) | Val::Joined(_),
            Val::List(_) | Val::Items(..) | Val::Joined(_),
        ) => {
            return equal_lists(declared, a, b);
        }
        (Val::Object(a, declaration), Val::Object(b, other)) => {
            return equal_objects(declared, a, *declaration, b, *other);
        }
        (Val::Map(_) | Val::Object(..), Val::Map(_) | Val::Object(..)) => {
            return equal_maps(declared, a, b);
        }
        (Val::Fault(text), _)
        | (Val::Items(..) | Val::Joined(_) | Val::Object(..), Val::Fault(text)) => {
            return Err(Fault::Error(text.clone()));
        }
        // Lists and objects of the object compare only with lists and objects.
        (Val::Items(..) | Val::Joined(_) | Val::Object(..), _) if !matches!(b, Val::Null) => {
            return Err(Fault::no_such_overload());
        }
        _ => false,
    })
}

/// Returns true if a value equals plain JSON.
fn is_json(json: &Value, value: &Val<'_>) -> bool {
    match (json, value) {
        (Value::Null, Val::Null) => true,
        (Value::Bool(a), Val::Bool(b)) => a == b,
        (Value::String(a), Val::Text(b)) => a == b.as_str(),
        (Value::Number(a), b) => match (Num::of(a), b) {
            (Num::Int(a), Val::Int(b)) => a == *b,
            (Num::Float(a), Val::Double(b)) => compare_floats(a, *b),
            _ => false,
        },
        (Value::Array(a), Val::List(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| is_json(a, b))
        }
        (Value::Object(a), Val::Map(b)) => {
            let is_entry = |(key, value): &(Val<'_>, Val<'_>)| match key {
                Val::Text(key) => a.get(key.as_str()).is_some_and(|a| is_json(a, value)),
                _ => false,
            };
            a.len() == b.len() && b.iter().all(is_entry)
        }
        (Value::Array(a), Val::Items(b, _)) => {
            a.len() == b.len() && a.iter().zip(*b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Val::Object(b, _)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => false,
    }
}

/// Compares two values that may be errors. An error on the left is the result. An error on the
/// right is the result beside a list or an object, and differs from every other value.
fn equal_results<'v>(
    declared: &DeclaredTypes,
    a: Result<Val<'v>, Fault>,
    b: Result<Val<'v>, Fault>,
) -> Verdict {
    match (a, b) {
        // Inside an object, a comparison of a list or an object with null is an error.
        (Ok(Val::Items(..) | Val::Joined(_) | Val::Object(..)), Ok(Val::Null)) => {
            Err(Fault::no_such_overload())
        }
        (Ok(a), Ok(b)) => equal(declared, &a, &b),
        (Ok(Val::Items(..) | Val::Joined(_) | Val::Object(..)), Err(fault)) => Err(fault),
        (Ok(_), Err(Fault::Error(_))) => Ok(false),
        (Err(fault), _) | (_, Err(fault)) => Err(fault),
    }
}

fn equal_objects<'v>(
    declared: &DeclaredTypes,
    a: &'v Map<String, Value>,
    declaration: DeclaredId,
    b: &'v Map<String, Value>,
    other: DeclaredId,
) -> Verdict {
    if a.len() != b.len() {
        return Ok(false);
    }
    let field = |object, declaration, key: &str| match &declared.get(declaration).kind {
        DeclaredKind::Object(fields) => crate::types::declared::find(fields, key)
            .and_then(|field| convert::field_of(declared, object, &field.name, field.ty)),
        _ => convert::get(declared, object, declaration, key),
    };
    let mut error = None;
    for (key, value) in a {
        if !convert::is_described(declared, declaration, key) {
            if b.get(key).is_some_and(|other| !same(other, value)) {
                return Ok(false);
            }
            continue;
        }
        let same = match (field(a, declaration, key), field(b, other, key)) {
            (Some(a), Some(b)) => equal_results(declared, a, b),
            (None, None) => Ok(true),
            _ => Ok(false),
        };
        match same {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            // A server compares properties in any order. Here a difference outweighs an error.
            Err(fault) => {
                error.get_or_insert(fault);
            }
        }
    }
    error.map_or(Ok(true), Err)
}

fn equal_maps<'v>(declared: &DeclaredTypes, a: &Val<'v>, b: &Val<'v>) -> Verdict {
    if a.size() != b.size() {
        return Ok(false);
    }
    if let Val::Object(object, id) = a
        && object
            .keys()
            .any(|key| !convert::is_described(declared, *id, key))
    {
        return Err(Fault::no_such_overload());
    }
    let is_made = matches!(a, Val::Map(_));
    for (at, key) in keys(declared, a).into_iter().enumerate() {
        let found = if is_made {
            entry_at(declared, a, at, &key)
        } else {
            own(declared, a, &key)
        };
        let is_equal = match (found, own(declared, b, &key)) {
            (Some(a), Some(b)) => match equal_elements(declared, is_made, a, b) {
                // The server continues.
                Err(Fault::Error(_)) if is_made => true,
                is_equal => is_equal?,
            },
            (None, None) => true,
            _ => false,
        };
        if !is_equal {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Compares elements of two lists or maps. Elements of a list that an expression created are
/// compared as single values.
fn equal_elements<'v>(
    declared: &DeclaredTypes,
    is_made: bool,
    a: Result<Val<'v>, Fault>,
    b: Result<Val<'v>, Fault>,
) -> Verdict {
    match (a, b) {
        (Ok(a), Ok(b)) if is_made => equal(declared, &a, &b),
        (a, b) => equal_results(declared, a, b),
    }
}

fn equal_lists<'v>(declared: &DeclaredTypes, a: &Val<'v>, b: &Val<'v>) -> Verdict {
    if a.size() != b.size() {
        return Ok(false);
    }
    let found = match a {
        Val::Items(items, id) => equal_by_type(
            declared,
            *id,
            || items.iter().filter_map(Value::as_object),
            || items.iter().map(hashed),
            b,
        ),
        Val::Joined(joined) => equal_by_type(
            declared,
            joined.list,
            || joined.items().iter().filter_map(Item::as_object),
            || joined.items().iter().map(Item::hashed),
            b,
        ),
        _ => None,
    };
    if let Some(found) = found {
        return found;
    }
    let (is_made, is_sum) = match a {
        Val::List(made) => (true, made.is_sum()),
        _ => (false, false),
    };
    let mut fault = None;
    let mut at = 0;
    while let (Some(a), Some(b)) = (element(declared, a, at), element(declared, b, at)) {
        let is_equal = match equal_elements(declared, is_made, a, b) {
            // The comparison of a list that an expression created continues. So does the comparison
            // of the sum of two lists, which reports the error at the end.
            Err(error @ Fault::Error(_)) if is_made => {
                if is_sum {
                    fault.get_or_insert(error);
                }
                true
            }
            is_equal => is_equal?,
        };
        if !is_equal {
            return Ok(false);
        }
        at += 1;
    }
    fault.map_or(Ok(true), Err)
}

/// Compares a list of type set or map; `None` for another list.
fn equal_by_type<'a, 'v: 'a, O, H>(
    declared: &DeclaredTypes,
    list: DeclaredId,
    objects: impl FnOnce() -> O,
    elements: impl FnOnce() -> H,
    others: &Val<'v>,
) -> Option<Verdict>
where
    O: Iterator<Item = &'v Map<String, Value>>,
    H: Iterator<Item = Result<Hashed<'a>, Unhashable>>,
{
    let DeclaredKind::List { list_type, items } = &declared.get(list).kind else {
        return None;
    };
    match list_type {
        ListType::Map(keys) => Some(equal_map_lists(declared, objects(), keys, *items, others)),
        ListType::Set => Some(equal_sets(declared, elements(), others)),
        ListType::Atomic => None,
    }
}

/// Compares lists of type map: each element of the other list must equal the last element here with
/// the same keys. A value that is not an object does not equal any element.
fn equal_map_lists<'v>(
    declared: &DeclaredTypes,
    objects: impl Iterator<Item = &'v Map<String, Value>>,
    keys: &[Box<str>],
    declaration: DeclaredId,
    others: &Val<'v>,
) -> Verdict {
    let mut by_key = HashMap::new();
    for item in objects {
        by_key.insert(key_of(item, keys)?, item);
    }
    let mut at = 0;
    while let Some(other) = element(declared, others, at) {
        let key = match &other {
            Ok(Val::Object(object, _)) => key_of(object, keys)?,
            Ok(Val::Map(entries)) => key_of_made(entries, keys)?,
            Ok(_) | Err(Fault::Error(_)) => return Ok(false),
            Err(fault) => return Err(fault.clone()),
        };
        let is_equal = match by_key.get(&key) {
            Some(item) => equal_results(declared, Ok(Val::Object(item, declaration)), other)?,
            None => false,
        };
        if !is_equal {
            return Ok(false);
        }
        at += 1;
    }
    Ok(true)
}

/// Compares lists of type set: each element of the other list must be among these. The server looks
/// elements up in their JSON form, so an integer in a list of floats, or a date, differs from the
/// same value in CEL.
fn equal_sets<'a>(
    declared: &DeclaredTypes,
    items: impl Iterator<Item = Result<Hashed<'a>, Unhashable>>,
    others: &Val<'_>,
) -> Verdict {
    let items: HashSet<Hashed<'a>> = items.collect::<Result<_, _>>()?;
    let mut at = 0;
    while let Some(other) = element(declared, others, at) {
        let is_there = match &other {
            // Null has another type here than in JSON.
            Ok(Val::Null) | Err(Fault::Error(_)) => false,
            Ok(other) => items.contains(&hashed_value(other)?),
            Err(fault) => return Err(fault.clone()),
        };
        if !is_there {
            return Ok(false);
        }
        at += 1;
    }
    Ok(true)
}

/// Returns an error for a key that a server cannot hash.
pub(crate) fn check_hashable(key: &Val<'_>) -> Result<(), Unhashable> {
    match key.go_type() {
        ty @ ("types.Bytes" | "cel.Semver" | "cel.Format") => Err(Unhashable(ty)),
        _ => Ok(()),
    }
}

/// Returns true if a map that an expression created finds a key by its value. Most values that an
/// expression creates are found only by identity.
const fn is_found_by(key: &Val<'_>) -> bool {
    match key {
        Val::List(_)
        | Val::Items(..)
        | Val::Joined(_)
        | Val::Map(_)
        | Val::Object(..)
        | Val::Optional(Some(_)) => false,
        Val::Opaque(value) => matches!(value, Opaque::Ip(_) | Opaque::Cidr(_)),
        _ => true,
    }
}

/// Returns the value of a map under a key.
pub(crate) fn entry<'v>(
    declared: &DeclaredTypes,
    map: &Val<'v>,
    key: &Val<'v>,
) -> Option<Result<Val<'v>, Fault>> {
    match map {
        Val::Object(object, id) => match key {
            Val::Text(key) => convert::get(declared, object, *id, key.as_str()),
            _ => Some(Err(Fault::no_such_overload())),
        },
        Val::Map(entries) => {
            let at = place_of(declared, entries, key)?;
            entries.get(at).map(|(_, value)| Ok(value.clone()))
        }
        _ => None,
    }
}

/// Returns the position of a key in a map that an expression created. A number finds a key of its
/// own type first. Then a float finds an equal integer, and an integer finds an equal integer of
/// the other type, but not a float.
pub(crate) fn place_of<'v>(
    declared: &DeclaredTypes,
    entries: &[(Val<'v>, Val<'v>)],
    key: &Val<'v>,
) -> Option<usize> {
    let place = |is_key: &dyn Fn(&Val<'v>) -> bool| {
        let mut keys = entries.iter().map(|(other, _)| other);
        keys.position(is_key)
    };
    let int = |wanted: i64| place(&|other| matches!(other, Val::Int(value) if *value == wanted));
    let uint = |wanted: u64| place(&|other| matches!(other, Val::Uint(value) if *value == wanted));
    match key {
        Val::Int(key) => int(*key).or_else(|| uint(u64::try_from(*key).ok()?)),
        Val::Uint(key) => uint(*key).or_else(|| int(i64::try_from(*key).ok()?)),
        Val::Double(key) => {
            #[expect(clippy::float_cmp, reason = "both zeros are one key, and NaN is none")]
            let same = |other: &Val<'v>| matches!(other, Val::Double(value) if value == key);
            place(&same)
                .or_else(|| int(whole(*key)?))
                .or_else(|| uint(natural(*key)?))
        }
        key if is_found_by(key) => place(&|other| matches!(equal(declared, other, key), Ok(true))),
        key => place(&|other| other.is_same_place(key)),
    }
}

/// Returns the keys of a map.
pub(crate) fn keys<'v>(declared: &DeclaredTypes, map: &Val<'v>) -> Vec<Val<'v>> {
    match map {
        Val::Object(object, id) => {
            let keys = object
                .keys()
                .filter(|key| convert::is_described(declared, *id, key));
            keys.map(|key| Val::Text(Text::Borrowed(key))).collect()
        }
        Val::Map(entries) => entries.iter().map(|(key, _)| key.clone()).collect(),
        _ => Vec::new(),
    }
}

/// Returns the value under the key at a position of [`keys`]. The key itself may not be found in
/// the map.
pub(crate) fn entry_at<'v>(
    declared: &DeclaredTypes,
    map: &Val<'v>,
    at: usize,
    key: &Val<'v>,
) -> Option<Result<Val<'v>, Fault>> {
    match map {
        // A server looks up the keys of the result of a loop.
        Val::Map(entries) if entries.is_sum() => entry_by(declared, map, at, key),
        Val::Map(entries) => entries.get(at).map(|(_, value)| Ok(value.clone())),
        map => entry_by(declared, map, at, key),
    }
}

/// Returns the value as [`entry_at`] does, for servers that look for the key: NaN is not found.
pub(crate) fn entry_by<'v>(
    declared: &DeclaredTypes,
    map: &Val<'v>,
    at: usize,
    key: &Val<'v>,
) -> Option<Result<Val<'v>, Fault>> {
    match (map, key) {
        (Val::Map(_), Val::Double(key)) if key.is_nan() => {
            Some(Err(Fault::error("no such key: NaN")))
        }
        (Val::Map(entries), _) => entries.get(at).map(|(_, value)| Ok(value.clone())),
        (map, key) => entry(declared, map, key),
    }
}

/// Returns the value under a key in the spelling of the object. Rules escape some names.
fn own<'v>(
    declared: &DeclaredTypes,
    map: &Val<'v>,
    key: &Val<'v>,
) -> Option<Result<Val<'v>, Fault>> {
    if let (Val::Object(object, id), Val::Text(name)) = (map, key)
        && let DeclaredKind::Object(fields) = &declared.get(*id).kind
    {
        let field = crate::types::declared::find(fields, name.as_str())?;
        return convert::field_of(declared, object, &field.name, field.ty);
    }
    entry(declared, map, key)
}
