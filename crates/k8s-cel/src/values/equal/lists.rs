//! Lists; those of type set or map have no order.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::{Verdict, equal_elements, equal_results};
use crate::types::declared::ListType;
use crate::types::declared::{Declaration, DeclaredId, DeclaredKind, DeclaredTypes};
use crate::values::convert::{self, convert};
use crate::values::value::Item;
use crate::values::value::{Fault, Val};
use k8s_json_internals::number::Num;

/// The elements of a list, by number.
pub(crate) fn element<'v>(
    declared: &DeclaredTypes,
    list: &Val<'v>,
    at: usize,
) -> Option<Result<Val<'v>, Fault>> {
    match list {
        Val::List(values) => values.get(at).map(|value| match value {
            Val::Fault(text) => Err(Fault::Error(text.clone())),
            value => Ok(value.clone()),
        }),
        Val::Items(items, id) => {
            let item = items.get(at)?;
            Some(convert(declared, item, convert::items_of(declared, *id)))
        }
        Val::Joined(joined) => joined.element(declared, at),
        _ => None,
    }
}

/// The elements of a list, one after the other.
pub(crate) struct Elements<'a, 'v> {
    declared: &'a DeclaredTypes,
    list: &'a Val<'v>,
    /// Those of a list of the object, and the place and the declaration of their type.
    items: Option<(&'v [Value], DeclaredId, &'a Declaration)>,
}

impl<'a, 'v> Elements<'a, 'v> {
    pub(crate) fn of(declared: &'a DeclaredTypes, list: &'a Val<'v>) -> Self {
        let items = match list {
            Val::Items(items, id) => {
                let id = convert::items_of(declared, *id);
                Some((*items, id, declared.get(id)))
            }
            _ => None,
        };
        Self {
            declared,
            list,
            items,
        }
    }

    /// As [`element`].
    #[inline]
    pub(crate) fn at(&self, at: usize) -> Option<Result<Val<'v>, Fault>> {
        match self.items {
            Some((items, id, declaration)) => {
                Some(convert::convert_as(declaration, items.get(at)?, id))
            }
            None => element(self.declared, self.list, at),
        }
    }
}

pub(super) fn equal_lists<'v>(declared: &DeclaredTypes, a: &Val<'v>, b: &Val<'v>) -> Verdict {
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
            // A list that was made goes on there. So does the sum of two, which says so in the end.
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

/// Compares a list of type set or map; `None` of another one.
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

/// Each element of the other list has to equal the last one here with its keys. What is not an object equals nothing.
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

/// The keys of an element.
pub(crate) fn key_of<'v>(
    element: &'v Map<String, Value>,
    keys: &[Box<str>],
) -> Result<Vec<Hashed<'v>>, Fault> {
    let value = |key: &str| element.get(key).unwrap_or(&Value::Null);
    keys.iter().map(|key| Ok(hashed(value(key))?)).collect()
}

/// The keys of an element of an optional old value, which is plain JSON.
fn key_of_made<'a>(
    element: &'a [(Val<'_>, Val<'_>)],
    keys: &[Box<str>],
) -> Result<Vec<Hashed<'a>>, Fault> {
    let value = |key: &str| {
        let is_key = |(name, _): &&(Val<'_>, Val<'_>)| match name {
            Val::Text(name) => name.as_str() == key,
            _ => false,
        };
        element
            .iter()
            .find(is_key)
            .map_or(&Val::Null, |(_, value)| value)
    };
    keys.iter()
        .map(|key| Ok(hashed_value(value(key))?))
        .collect()
}

/// Each element of the other list has to be one of these. The server looks them up as they are written: a whole number in a
/// list of floats, or a date, is another value there than in CEL.
fn equal_sets<'a>(
    declared: &DeclaredTypes,
    items: impl Iterator<Item = Result<Hashed<'a>, Unhashable>>,
    others: &Val<'_>,
) -> Verdict {
    let items: HashSet<Hashed<'a>> = items.collect::<Result<_, _>>()?;
    let mut at = 0;
    while let Some(other) = element(declared, others, at) {
        let is_there = match &other {
            // Null is of another type there than in JSON.
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

const GO_LIST: &str = "[]interface {}";
const GO_MAP: &str = "map[string]interface {}";
const GO_MADE_LIST: &str = "[]ref.Val";
const GO_MADE_MAP: &str = "map[ref.Val]ref.Val";

/// A value of an object as the server looks it up.
#[derive(PartialEq, Eq, Hash)]
pub(crate) enum Hashed<'v> {
    Null,
    Bool(bool),
    Int(i64),
    /// Its bits.
    Float(u64),
    Text(&'v str),
    Uint(u64),
    /// Seconds, parts of them, and the zone.
    Time(i64, u32, i32),
    Duration(i64),
    /// The null of an expression.
    MadeNull,
    /// Of values of Kubernetes' own types, each is another one.
    Other,
}

impl Hashed<'_> {
    const fn float(value: f64) -> Self {
        // Which makes one zero of two.
        Self::Float((value + 0.0).to_bits())
    }
}

pub(crate) fn hashed(value: &Value) -> Result<Hashed<'_>, Unhashable> {
    Ok(match value {
        Value::Null => Hashed::Null,
        Value::Bool(value) => Hashed::Bool(*value),
        Value::Number(number) => match Num::of(number) {
            Num::Int(value) => Hashed::Int(value),
            Num::Float(value) => Hashed::float(value),
        },
        Value::String(text) => Hashed::Text(text),
        Value::Array(_) => return Err(Unhashable(GO_LIST)),
        Value::Object(_) => return Err(Unhashable(GO_MAP)),
    })
}

/// As [`hashed`], of what an expression made.
pub(crate) fn hashed_value<'a>(value: &'a Val<'_>) -> Result<Hashed<'a>, Unhashable> {
    Ok(match value {
        Val::Null => Hashed::Null,
        Val::Bool(value) => Hashed::Bool(*value),
        Val::Int(value) => Hashed::Int(*value),
        Val::Double(value) => Hashed::float(*value),
        Val::Text(text) => Hashed::Text(text.as_str()),
        Val::Unknown(value) => hashed(value)?,
        Val::Bytes(_) => return Err(Unhashable("[]uint8")),
        Val::Uint(value) => Hashed::Uint(*value),
        Val::Timestamp(time) => Hashed::Time(time.seconds, time.nanos, time.offset),
        Val::Duration(nanos) => Hashed::Duration(*nanos),
        Val::Items(..) | Val::Joined(_) => return Err(Unhashable(GO_LIST)),
        Val::Object(..) => return Err(Unhashable(GO_MAP)),
        Val::List(_) => return Err(Unhashable(GO_MADE_LIST)),
        Val::Map(_) => return Err(Unhashable(GO_MADE_MAP)),
        _ => Hashed::Other,
    })
}

/// What the server has no hash of, by the type that it has there.
pub(crate) struct Unhashable(pub(crate) &'static str);

impl From<Unhashable> for Fault {
    fn from(Unhashable(go_type): Unhashable) -> Self {
        let text = format!("internal error: runtime error: hash of unhashable type {go_type}");
        Self::Crash(text.into())
    }
}

impl Unhashable {
    /// What the server says where it looks in a map that is empty.
    pub(crate) fn in_empty(self) -> Fault {
        let Self(go_type) = self;
        Fault::Crash(format!("internal error: hash of unhashable type: {go_type}").into())
    }
}
