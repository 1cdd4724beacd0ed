//! The result of a program in the public API.

mod typed_string;

use k8s_go_text::base64;
use k8s_go_text::duration::CelDuration;
use k8s_json_internals::deep::is_deeper;
use serde_json::{Map, Number, Value};

use crate::values::appended_list::into_item;
use crate::values::from_json::MAX_DEPTH;
use crate::values::value::{AppendedItem, AppendedStorage, Val};

/// The value that a program returns.
#[derive(Clone, Debug)]
pub struct CelValue<'v>(pub(crate) Val<'v>);

impl CelValue<'_> {
    /// Returns the value if it is a bool.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        self.0.as_bool()
    }

    /// Returns the value if it is a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.0 {
            Val::String(string) => Some(string.as_str()),
            _ => None,
        }
    }

    /// Returns the value as JSON: a timestamp as the string `2024-02-29T12:00:00Z`, a duration as
    /// `1.5s`, bytes as base64.
    ///
    /// Returns `None` for values without a JSON form: optional values, types, and opaque values
    /// such as quantities and addresses; floats that are infinite or NaN; maps with keys that are
    /// not strings; and values of more than 200 levels.
    #[must_use]
    pub fn to_json(&self) -> Option<Value> {
        to_json(&self.0, MAX_DEPTH)
    }

    /// Returns the name of the type, as the CEL function `type()` does: `int`, `string`,
    /// `google.protobuf.Timestamp`.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        self.0.type_name()
    }
}

/// Converts a value to JSON; `None` for a value without a JSON form, or with more than `depth`
/// levels.
fn to_json(value: &Val<'_>, depth: u32) -> Option<Value> {
    let inner_depth = depth.checked_sub(1)?;
    let is_deeper = |value: &Value| is_deeper(value, inner_depth as usize);
    Some(match value {
        Val::Null => Value::Null,
        Val::Bool(value) => (*value).into(),
        Val::Int(value) => (*value).into(),
        Val::Uint(value) => (*value).into(),
        Val::Double(value) => Number::from_f64(*value)?.into(),
        Val::String(string) => string.as_str().into(),
        Val::Bytes(bytes) => base64::encode(bytes).into(),
        Val::Timestamp(time) => time.to_string().into(),
        Val::Duration(nanos) => CelDuration(*nanos).to_string().into(),
        Val::List(values) => {
            let values = values.iter().map(|value| to_json(value, inner_depth));
            Value::Array(values.collect::<Option<_>>()?)
        }
        Val::Map(entries) => {
            let entry = |(key, value): &(Val<'_>, Val<'_>)| match key {
                Val::String(key) => Some((key.as_str().to_owned(), to_json(value, inner_depth)?)),
                _ => None,
            };
            let entries: Option<Map<_, _>> = entries.iter().map(entry).collect();
            Value::Object(entries?)
        }
        Val::AppendedList(appended) => Value::Array(match &appended.storage {
            AppendedStorage::Elements(items) => {
                let items = items.iter().map(|item| item_to_json(item, inner_depth));
                items.collect::<Option<_>>()?
            }
            AppendedStorage::Converted(_, values) => {
                let values = values.iter().map(|value| to_json(value, inner_depth));
                values.collect::<Option<_>>()?
            }
            AppendedStorage::Lists(items, added) => {
                let items = items
                    .iter()
                    .map(|item| item_to_json(&AppendedItem::Json(item), inner_depth));
                let mut values = items.collect::<Option<Vec<_>>>()?;
                for (_, list) in added {
                    values.extend(appended_to_json(list, depth)?);
                }
                values
            }
        }),
        Val::JsonList(items, _) if !items.iter().any(is_deeper) => Value::Array(items.to_vec()),
        Val::JsonObject(object, _) if !object.values().any(is_deeper) => {
            Value::Object((*object).clone())
        }
        Val::Unstructured(value) if !is_deeper(value) => (*value).clone(),
        _ => return None,
    })
}

fn item_to_json(item: &AppendedItem<'_>, depth: u32) -> Option<Value> {
    match item {
        AppendedItem::Json(value) => (!is_deeper(value, depth as usize)).then(|| (*value).clone()),
        AppendedItem::Computed(value) => to_json(value, depth),
    }
}

/// Converts a list that an expression appended to a JSON list.
fn appended_to_json(list: &Val<'_>, depth: u32) -> Option<Vec<Value>> {
    if let Val::List(values) = list {
        let inner_depth = depth.checked_sub(1)?;
        let values = values.iter().cloned().map(into_item);
        return values
            .map(|item| item_to_json(&item, inner_depth))
            .collect();
    }
    match to_json(list, depth)? {
        Value::Array(values) => Some(values),
        _ => None,
    }
}
