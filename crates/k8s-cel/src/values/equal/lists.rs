//! The elements of lists, and the hashes of elements of lists of type set or map.

use serde_json::{Map, Value};

use crate::types::declared::{Declaration, DeclaredId, DeclaredTypes};
use crate::values::from_json::{self, convert};
use crate::values::value::{EvalError, Val};
use k8s_json_internals::number::JsonNumber;

/// Returns an element of a list.
pub(crate) fn element<'v>(
    declared: &DeclaredTypes,
    list: &Val<'v>,
    at: usize,
) -> Option<Result<Val<'v>, EvalError>> {
    match list {
        Val::List(values) => values.get(at).map(|value| match value {
            Val::Error(text) => Err(EvalError::Expression(text.clone())),
            value => Ok(value.clone()),
        }),
        Val::JsonList(items, id) => {
            let item = items.get(at)?;
            Some(convert(declared, item, from_json::items_id(declared, *id)))
        }
        Val::AppendedList(joined) => joined.element(declared, at),
        _ => None,
    }
}

/// The elements of a list, in their order.
pub(crate) struct ListElements<'a, 'v> {
    declared: &'a DeclaredTypes,
    list: &'a Val<'v>,
    /// The elements of a list of the object, and the id and the declaration of their type.
    items: Option<(&'v [Value], DeclaredId, &'a Declaration)>,
}

impl<'a, 'v> ListElements<'a, 'v> {
    pub(crate) fn new(declared: &'a DeclaredTypes, list: &'a Val<'v>) -> Self {
        let items = match list {
            Val::JsonList(items, id) => {
                let id = from_json::items_id(declared, *id);
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
    pub(crate) fn get(&self, at: usize) -> Option<Result<Val<'v>, EvalError>> {
        match self.items {
            Some((items, id, declaration)) => {
                Some(from_json::convert_as(declaration, items.get(at)?, id))
            }
            None => element(self.declared, self.list, at),
        }
    }
}

/// Returns the keys of an element.
pub(crate) fn list_map_key<'v>(
    element: &'v Map<String, Value>,
    keys: &[Box<str>],
) -> Result<Vec<HashKey<'v>>, EvalError> {
    let value = |key: &str| element.get(key).unwrap_or(&Value::Null);
    keys.iter().map(|key| Ok(hash_key(value(key))?)).collect()
}

/// Returns the keys of an element of an optional old value, which is plain JSON.
pub(super) fn list_map_key_of_computed<'a>(
    element: &'a [(Val<'_>, Val<'_>)],
    keys: &[Box<str>],
) -> Result<Vec<HashKey<'a>>, EvalError> {
    let value = |key: &str| {
        let is_key = |(name, _): &&(Val<'_>, Val<'_>)| match name {
            Val::String(name) => name.as_str() == key,
            _ => false,
        };
        element
            .iter()
            .find(is_key)
            .map_or(&Val::Null, |(_, value)| value)
    };
    keys.iter()
        .map(|key| Ok(hash_key_of_value(value(key))?))
        .collect()
}

const GO_LIST: &str = "[]interface {}";

const GO_MAP: &str = "map[string]interface {}";

const GO_COMPUTED_LIST: &str = "[]ref.Val";

const GO_COMPUTED_MAP: &str = "map[ref.Val]ref.Val";

/// A value of an object in the form in which the server looks it up.
#[derive(PartialEq, Eq, Hash)]
pub(crate) enum HashKey<'v> {
    Null,
    Bool(bool),
    Int(i64),
    /// The bits of a float.
    Float(u64),
    String(&'v str),
    Uint(u64),
    /// The seconds, the nanoseconds and the zone.
    Timestamp(i64, u32, i32),
    Duration(i64),
    /// The null of an expression.
    ComputedNull,
    /// A value of a Kubernetes type, which differs from every other value.
    Other,
}

impl HashKey<'_> {
    const fn float(value: f64) -> Self {
        // The addition changes a negative zero to a positive zero.
        Self::Float((value + 0.0).to_bits())
    }
}

pub(crate) fn hash_key(value: &Value) -> Result<HashKey<'_>, UnhashableError> {
    Ok(match value {
        Value::Null => HashKey::Null,
        Value::Bool(value) => HashKey::Bool(*value),
        Value::Number(number) => match JsonNumber::from_number(number) {
            JsonNumber::Int(value) => HashKey::Int(value),
            JsonNumber::Float(value) => HashKey::float(value),
        },
        Value::String(text) => HashKey::String(text),
        Value::Array(_) => return Err(UnhashableError(GO_LIST)),
        Value::Object(_) => return Err(UnhashableError(GO_MAP)),
    })
}

/// Returns the form for the look-up like [`hashed`], for a value that an expression created.
pub(crate) fn hash_key_of_value<'a>(value: &'a Val<'_>) -> Result<HashKey<'a>, UnhashableError> {
    Ok(match value {
        Val::Null => HashKey::Null,
        Val::Bool(value) => HashKey::Bool(*value),
        Val::Int(value) => HashKey::Int(*value),
        Val::Double(value) => HashKey::float(*value),
        Val::String(text) => HashKey::String(text.as_str()),
        Val::Unstructured(value) => hash_key(value)?,
        Val::Bytes(_) => return Err(UnhashableError("[]uint8")),
        Val::Uint(value) => HashKey::Uint(*value),
        Val::Timestamp(time) => HashKey::Timestamp(time.seconds, time.nanos, time.offset),
        Val::Duration(nanos) => HashKey::Duration(*nanos),
        Val::JsonList(..) | Val::AppendedList(_) => return Err(UnhashableError(GO_LIST)),
        Val::JsonObject(..) => return Err(UnhashableError(GO_MAP)),
        Val::List(_) => return Err(UnhashableError(GO_COMPUTED_LIST)),
        Val::Map(_) => return Err(UnhashableError(GO_COMPUTED_MAP)),
        _ => HashKey::Other,
    })
}

/// A value that a server does not have a hash of, by its Go type.
pub(crate) struct UnhashableError(pub(crate) &'static str);

impl From<UnhashableError> for EvalError {
    fn from(UnhashableError(go_type): UnhashableError) -> Self {
        let text = format!("internal error: runtime error: hash of unhashable type {go_type}");
        Self::ServerPanic(text.into())
    }
}

impl UnhashableError {
    /// Returns the error of the server for a look-up in an empty map.
    pub(crate) fn into_empty_map_error(self) -> EvalError {
        let Self(go_type) = self;
        EvalError::ServerPanic(format!("internal error: hash of unhashable type: {go_type}").into())
    }
}
