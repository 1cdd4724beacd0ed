//! When values of CEL are equal. Lists of type set or map compare without order.

mod lists;

use serde_json::{Map, Value};

use super::convert;
use super::opaque::Opaque;
use super::value::{Fault, Val};
use crate::types::declared::{DeclaredId, DeclaredKind, DeclaredTypes};
use k8s_json_internals::equality::same;
use k8s_json_internals::number::Num;
use lists::equal_lists;
pub(crate) use lists::{Elements, Hashed, Unhashable, element, hashed, hashed_value, key_of};

type Verdict = Result<bool, Fault>;

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
        // Lists and objects of the object compare with their like alone.
        (Val::Items(..) | Val::Joined(_) | Val::Object(..), _) if !matches!(b, Val::Null) => {
            return Err(Fault::no_such_overload());
        }
        _ => false,
    })
}

/// Whether a value is plain JSON, and this.
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

/// Whether two floats are one number.
fn compare_floats(a: f64, b: f64) -> bool {
    a.partial_cmp(&b) == Some(core::cmp::Ordering::Equal)
}

/// As [`equal`], of values that may be errors: one on the left is the result; one on the right is the result for a list or
/// object, and equals nothing else.
fn equal_results<'v>(
    declared: &DeclaredTypes,
    a: Result<Val<'v>, Fault>,
    b: Result<Val<'v>, Fault>,
) -> Verdict {
    match (a, b) {
        // In an object, they do not equal null either, as lists and objects; one by itself does not say so.
        (Ok(Val::Items(..) | Val::Joined(_) | Val::Object(..)), Ok(Val::Null)) => {
            Err(Fault::no_such_overload())
        }
        (Ok(a), Ok(b)) => equal(declared, &a, &b),
        (Ok(Val::Items(..) | Val::Joined(_) | Val::Object(..)), Err(fault)) => Err(fault),
        (Ok(_), Err(Fault::Error(_))) => Ok(false),
        (Err(fault), _) | (_, Err(fault)) => Err(fault),
    }
}

/// The order of numbers of any kinds; none with NaN.
#[expect(
    clippy::cast_precision_loss,
    reason = "that is how the server compares them"
)]
pub(crate) fn compare_numbers(a: &Val<'_>, b: &Val<'_>) -> Option<core::cmp::Ordering> {
    use core::cmp::Ordering::{Greater, Less};
    match (a, b) {
        (Val::Int(a), Val::Int(b)) => Some(a.cmp(b)),
        (Val::Uint(a), Val::Uint(b)) => Some(a.cmp(b)),
        (Val::Double(a), Val::Double(b)) => a.partial_cmp(b),
        (Val::Int(a), Val::Uint(b)) => Some(i128::from(*a).cmp(&i128::from(*b))),
        (Val::Int(a), Val::Double(b)) => {
            if b.is_nan() {
                None
            } else if *b < i64::MIN as f64 {
                Some(Greater)
            } else if *b > i64::MAX as f64 {
                Some(Less)
            } else {
                (*a as f64).partial_cmp(b)
            }
        }
        (Val::Uint(a), Val::Double(b)) => {
            if b.is_nan() {
                None
            } else if *b < 0.0 {
                Some(Greater)
            } else {
                (*a as f64).partial_cmp(b)
            }
        }
        (Val::Uint(_) | Val::Double(_), Val::Int(_)) | (Val::Double(_), Val::Uint(_)) => {
            compare_numbers(b, a).map(core::cmp::Ordering::reverse)
        }
        _ => None,
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
            // The server meets properties in any order; here, one that differs says more than one that fails.
            Err(fault) => {
                error.get_or_insert(fault);
            }
        }
    }
    error.map_or(Ok(true), Err)
}

/// A server keeps entries of maps by hashes, which it does not have for all values.
pub(crate) fn check_hashable(key: &Val<'_>) -> Result<(), Unhashable> {
    match key.go_type() {
        ty @ ("types.Bytes" | "cel.Semver" | "cel.Format") => Err(Unhashable(ty)),
        _ => Ok(()),
    }
}

/// Whether a map that an expression made finds a key by its value: of most values that are made, each is a key of its own.
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

/// What a map has under a key.
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

/// Where a key is in a map that an expression made. A number is found as it is first; then a float finds the integer that it is, and
/// an integer that of the other type, but no float.
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

/// The integer that a float is. As a server has it, the least and the largest ones that a float can be are none.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "only whole numbers of that size pass"
)]
pub(crate) fn whole(value: f64) -> Option<i64> {
    let is_whole = value.fract() == 0.0 && value.abs() < i64::MAX as f64;
    is_whole.then_some(value as i64)
}

/// As [`whole`], of those that are not negative.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "only whole numbers of that size pass"
)]
fn natural(value: f64) -> Option<u64> {
    let is_natural = value.fract() == 0.0 && value >= 0.0 && value < u64::MAX as f64;
    is_natural.then_some(value as u64)
}

/// The keys of a map.
pub(crate) fn keys<'v>(declared: &DeclaredTypes, map: &Val<'v>) -> Vec<Val<'v>> {
    match map {
        Val::Object(object, id) => {
            let keys = object
                .keys()
                .filter(|key| convert::is_described(declared, *id, key));
            keys.map(|key| Val::Text(super::value::Text::Borrowed(key)))
                .collect()
        }
        Val::Map(entries) => entries.iter().map(|(key, _)| key.clone()).collect(),
        _ => Vec::new(),
    }
}

/// What is under the key with that number in [`keys`], which need not be found by it.
pub(crate) fn entry_at<'v>(
    declared: &DeclaredTypes,
    map: &Val<'v>,
    at: usize,
    key: &Val<'v>,
) -> Option<Result<Val<'v>, Fault>> {
    match map {
        // A server looks for the keys of what a loop has collected.
        Val::Map(entries) if entries.is_sum() => entry_by(declared, map, at, key),
        Val::Map(entries) => entries.get(at).map(|(_, value)| Ok(value.clone())),
        map => entry_by(declared, map, at, key),
    }
}

/// As [`entry_at`], where the server looks for the key: what is not a number is not found.
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
                // The server goes on.
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

/// Whether elements of two lists or maps are equal; of one that an expression made, they are values by themselves.
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

/// As [`entry`], where the key is written as in the object: rules write some names in another way.
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
