//! Elements of lists, and hash keys of the elements of sets and map lists.

use serde_json::{Map, Value};

use crate::types::declared::{Declaration, DeclaredId, DeclaredTypes};
use crate::types::feature::Feature;
use crate::values::from_json::{self, convert};
use crate::values::opaque::Opaque;
use crate::values::value::{EvalError, Val};
use k8s_json_internals::number::JsonNumber;
use k8s_json_internals::print::GoJson;

/// Returns the element of a list at an index.
pub(crate) fn element<'v>(
    declared_types: &DeclaredTypes,
    list: &Val<'v>,
    index: usize,
) -> Option<Result<Val<'v>, EvalError>> {
    match list {
        Val::List(values) => values.get(index).map(|value| match value {
            Val::Error(message) => Err(EvalError::Expression(message.clone())),
            value => Ok(value.clone()),
        }),
        Val::JsonList(items, id) => {
            let item = items.get(index)?;
            Some(convert(
                declared_types,
                item,
                from_json::items_id(declared_types, *id),
            ))
        }
        Val::AppendedList(appended) => appended.element(declared_types, index),
        _ => None,
    }
}

/// Returns the elements of a list. An invalid element becomes an error value.
pub(crate) fn elements_or_errors<'v>(
    declared_types: &DeclaredTypes,
    list: &Val<'v>,
) -> impl Iterator<Item = Val<'v>> {
    let values = (0..).map_while(move |index| element(declared_types, list, index));
    values.map(|value| value.unwrap_or_else(|error| error.as_value()))
}

/// The elements of a list. The declaration of the elements is looked up only once.
pub(crate) struct ListElements<'a, 'v> {
    declared_types: &'a DeclaredTypes,
    list: &'a Val<'v>,
    /// The elements of a JSON list, and the id and the declaration of the elements.
    items: Option<(&'v [Value], DeclaredId, &'a Declaration)>,
}

impl<'a, 'v> ListElements<'a, 'v> {
    pub(crate) fn new(declared_types: &'a DeclaredTypes, list: &'a Val<'v>) -> Self {
        let items = match list {
            Val::JsonList(items, id) => {
                let id = from_json::items_id(declared_types, *id);
                Some((*items, id, declared_types.get(id)))
            }
            _ => None,
        };
        Self {
            declared_types,
            list,
            items,
        }
    }

    /// Returns the element at an index, like [`element`].
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<Result<Val<'v>, EvalError>> {
        match self.items {
            Some((items, id, declaration)) => {
                Some(from_json::convert_as(declaration, items.get(index)?, id))
            }
            None => element(self.declared_types, self.list, index),
        }
    }
}

/// The maximum number of keys of a list whose keys are not printed before they are compared.
const MAX_UNPRINTED_KEYS: usize = 3;

/// Returns the keys of an element of a map list.
pub(crate) fn list_map_key<'v>(
    declared_types: &DeclaredTypes,
    element: &'v Map<String, Value>,
    keys: &[Box<str>],
) -> Result<Vec<HashKey<'v>>, EvalError> {
    let value = |key: &str| element.get(key).unwrap_or(&Value::Null);
    if keys.len() <= MAX_UNPRINTED_KEYS {
        return keys.iter().map(|key| Ok(hash_key(value(key))?)).collect();
    }
    if declared_types.has(Feature::QuotedListKeys) {
        let key = |key| {
            let value = value(key);
            hash_key(value).unwrap_or_else(|_| HashKey::Printed(GoJson(value).to_string().into()))
        };
        return Ok(keys.iter().map(|name| key(name)).collect());
    }
    // An older server prints the keys without quotes, so that `a b`, `c` equals `a`, `b c`.
    let printed_keys: Vec<String> = keys
        .iter()
        .map(|key| match value(key) {
            Value::String(string) => string.clone(),
            Value::Null => "<nil>".to_owned(),
            value => GoJson(value).to_string(),
        })
        .collect();
    Ok(vec![HashKey::Printed(printed_keys.join(" ").into())])
}

/// Returns the value of a computed map for a key that is a string.
pub(super) fn entry_by_name<'a, 'v>(
    entries: &'a [(Val<'v>, Val<'v>)],
    key: &str,
) -> Option<&'a Val<'v>> {
    let is_key = |name: &Val<'v>| matches!(name, Val::String(name) if name.as_str() == key);
    let entry = entries.iter().find(|(name, _)| is_key(name));
    entry.map(|(_, value)| value)
}

/// Returns the keys of a computed element, such as an element of an optional old value.
pub(super) fn list_map_key_of_computed<'a>(
    element: &'a [(Val<'_>, Val<'_>)],
    keys: &[Box<str>],
) -> Result<Vec<HashKey<'a>>, EvalError> {
    let value = |key: &str| entry_by_name(element, key).unwrap_or(&Val::Null);
    keys.iter()
        .map(|key| Ok(hash_key_of_value(value(key))?))
        .collect()
}

const GO_LIST: &str = "[]interface {}";

const GO_MAP: &str = "map[string]interface {}";

const GO_COMPUTED_LIST: &str = "[]ref.Val";

const GO_COMPUTED_MAP: &str = "map[ref.Val]ref.Val";

/// A value in the form in which a server hashes it.
#[derive(PartialEq, Eq, Hash)]
pub(crate) enum HashKey<'v> {
    Null,
    Bool(bool),
    Int(i64),
    /// The bits of a float, with a positive zero.
    Float(u64),
    String(&'v str),
    Bytes(&'v [u8]),
    /// The printed form of a value.
    Printed(Box<str>),
    Uint(u64),
    /// The seconds, the nanoseconds and the offset of the zone.
    Timestamp(i64, u32, i32),
    Duration(i64),
    /// A CEL null, which is not the null of JSON.
    ComputedNull,
    /// A value that equals only the value with the same number.
    Unique(usize),
    /// A value that the server identifies by its address. It differs from every other value.
    Other,
}

impl HashKey<'_> {
    const fn float(value: f64) -> Self {
        // Adding zero changes a negative zero to a positive zero.
        Self::Float((value + 0.0).to_bits())
    }
}

/// Returns the hash key of a JSON value.
pub(crate) fn hash_key(value: &Value) -> Result<HashKey<'_>, UnhashableError> {
    Ok(match value {
        Value::Null => HashKey::Null,
        Value::Bool(value) => HashKey::Bool(*value),
        Value::Number(number) => match JsonNumber::from_number(number) {
            JsonNumber::Int(value) => HashKey::Int(value),
            JsonNumber::Float(value) => HashKey::float(value),
        },
        Value::String(string) => HashKey::String(string),
        Value::Array(_) => return Err(UnhashableError(GO_LIST)),
        Value::Object(_) => return Err(UnhashableError(GO_MAP)),
    })
}

/// Returns the hash key of a CEL value, like [`hash_key`].
pub(crate) fn hash_key_of_value<'a>(value: &'a Val<'_>) -> Result<HashKey<'a>, UnhashableError> {
    Ok(match value {
        Val::Null => HashKey::Null,
        Val::Bool(value) => HashKey::Bool(*value),
        Val::Int(value) => HashKey::Int(*value),
        Val::Double(value) => HashKey::float(*value),
        Val::String(string) => HashKey::String(string.as_str()),
        Val::Unstructured(value) => hash_key(value)?,
        Val::Bytes(_) => return Err(UnhashableError("[]uint8")),
        Val::Uint(value) => HashKey::Uint(*value),
        Val::Timestamp(time) => HashKey::Timestamp(time.seconds, time.nanos, time.offset),
        Val::Duration(nanos) => HashKey::Duration(*nanos),
        Val::JsonList(..) | Val::AppendedList(_) => return Err(UnhashableError(GO_LIST)),
        Val::JsonObject(..) => return Err(UnhashableError(GO_MAP)),
        Val::List(_) => return Err(UnhashableError(GO_COMPUTED_LIST)),
        Val::Map(_) => return Err(UnhashableError(GO_COMPUTED_MAP)),
        Val::Opaque(Opaque::Semver(_)) => return Err(UnhashableError("semver.Version")),
        Val::Opaque(Opaque::Format(_)) => return Err(UnhashableError("cel.Format")),
        Val::Opaque(Opaque::Ip(address)) => HashKey::Printed(address.to_string().into()),
        Val::Opaque(Opaque::Cidr(cidr)) => HashKey::Printed(cidr.to_string().into()),
        _ => HashKey::Other,
    })
}

/// An error for a value that a server cannot hash, with the Go type of the value.
pub(crate) struct UnhashableError(pub(crate) &'static str);

impl From<UnhashableError> for EvalError {
    fn from(UnhashableError(go_type): UnhashableError) -> Self {
        let message = format!("internal error: runtime error: hash of unhashable type {go_type}");
        Self::ServerPanic(message.into())
    }
}

impl UnhashableError {
    /// Returns the server's error for a lookup in an empty map.
    pub(crate) fn into_empty_map_error(self) -> EvalError {
        let Self(go_type) = self;
        EvalError::ServerPanic(format!("internal error: hash of unhashable type: {go_type}").into())
    }
}
