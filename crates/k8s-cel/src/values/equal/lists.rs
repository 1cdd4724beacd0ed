//! The elements of lists, and the hashes of elements of lists of type set or map.

use serde_json::{Map, Value};

use crate::types::declared::{Declaration, DeclaredId, DeclaredTypes};
use crate::values::convert::{self, convert};
use crate::values::value::{Fault, Val};
use k8s_json_internals::number::Num;

/// Returns an element of a list.
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

/// The elements of a list, in their order.
pub(crate) struct Elements<'a, 'v> {
    declared: &'a DeclaredTypes,
    list: &'a Val<'v>,
    /// The elements of a list of the object, and the id and the declaration of their type.
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

    /// Returns an element like [`element`].
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

/// Returns the keys of an element.
pub(crate) fn key_of<'v>(
    element: &'v Map<String, Value>,
    keys: &[Box<str>],
) -> Result<Vec<Hashed<'v>>, Fault> {
    let value = |key: &str| element.get(key).unwrap_or(&Value::Null);
    keys.iter().map(|key| Ok(hashed(value(key))?)).collect()
}

/// Returns the keys of an element of an optional old value, which is plain JSON.
pub(super) fn key_of_made<'a>(
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

const GO_LIST: &str = "[]interface {}";

const GO_MAP: &str = "map[string]interface {}";

const GO_MADE_LIST: &str = "[]ref.Val";

const GO_MADE_MAP: &str = "map[ref.Val]ref.Val";

/// A value of an object in the form in which the server looks it up.
#[derive(PartialEq, Eq, Hash)]
pub(crate) enum Hashed<'v> {
    Null,
    Bool(bool),
    Int(i64),
    /// The bits of a float.
    Float(u64),
    Text(&'v str),
    Uint(u64),
    /// The seconds, the nanoseconds and the zone.
    Time(i64, u32, i32),
    Duration(i64),
    /// The null of an expression.
    MadeNull,
    /// A value of a Kubernetes type, which differs from every other value.
    Other,
}

impl Hashed<'_> {
    const fn float(value: f64) -> Self {
        // The addition changes a negative zero to a positive zero.
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

/// Returns the form for the look-up like [`hashed`], for a value that an expression created.
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

/// A value that a server does not have a hash of, by its Go type.
pub(crate) struct Unhashable(pub(crate) &'static str);

impl From<Unhashable> for Fault {
    fn from(Unhashable(go_type): Unhashable) -> Self {
        let text = format!("internal error: runtime error: hash of unhashable type {go_type}");
        Self::Crash(text.into())
    }
}

impl Unhashable {
    /// Returns the error of the server for a look-up in an empty map.
    pub(crate) fn in_empty(self) -> Fault {
        let Self(go_type) = self;
        Fault::Crash(format!("internal error: hash of unhashable type: {go_type}").into())
    }
}
